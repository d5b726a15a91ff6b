// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_TEST_JOURNAL_HPP
#define KOKKOS_TEST_JOURNAL_HPP

/// \file
/// Tables of what a test saw, in tests/journals: all events of each call, all words of each report. So a test detects a change
/// that none of its checks is about.
///
/// After an intended change, run the test with KOKKOS_TEST_WRITE_JOURNALS=1 and review the difference.

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <utility>

namespace Kokkos::Testing {

/// The record of a test: titles, such as calls, each followed by indented lines with what the test saw of it.
class Journal {
 public:
  /// The journal of the running test.
  static Journal& of_this_test() {
    static Journal journal;
    return journal;
  }

  /// \param lines each begins with a space and ends with a line feed
  void add(std::string const& title, std::string const& lines) { m_text += title + '\n' + lines; }

  /// Expects what was added since the last call to equal the section of the running test in tests/journals/NAME.txt. Does nothing
  /// without a name.
  void expect_as_in(std::string const& name) {
    std::string const text = std::exchange(m_text, {});
    if (name.empty()) return;
    auto const path   = folder() / (name + ".txt");
    std::string suite = ::testing::UnitTest::GetInstance()->current_test_info()->test_suite_name();
    std::string const section =
        suite.substr(0, suite.find('/')) + '.' + ::testing::UnitTest::GetInstance()->current_test_info()->name();
    auto sections = read(path);
    if (std::getenv("KOKKOS_TEST_WRITE_JOURNALS") != nullptr) {
      sections[section] = text;
      std::ofstream file(path);
      for (auto const& [title, lines] : sections) file << "# " << title << '\n' << lines;
    }
    std::istringstream before(sections[section]), now(text);
    std::string expected, line, title;
    while (std::getline(before, expected)) {
      if (!expected.starts_with(' ')) title = expected;
      if (!std::getline(now, line)) line = "(end)";
      // The following lines differ, too, if one is missing.
      ASSERT_EQ(line, expected) << "in " << title
                                << ". If this is intended, run the test with KOKKOS_TEST_WRITE_JOURNALS=1 "
                                << "and review the difference of " << path;
    }
    EXPECT_FALSE(std::getline(now, line)) << line << " is not in " << path;
  }

 private:
  // The source's name may be relative to the folder where it was compiled.
  static std::filesystem::path folder() {
    if (char const* const given = std::getenv("KOKKOS_TEST_JOURNALS")) return given;
    return std::filesystem::path(__FILE__).parent_path().parent_path() / "journals";
  }
  static std::map<std::string, std::string> read(std::filesystem::path const& path) {
    std::map<std::string, std::string> sections;
    std::ifstream file(path);
    for (std::string line, title; std::getline(file, line);) {
      if (line.starts_with("# "))
        title = line.substr(2);
      else
        sections[title] += line + '\n';
    }
    return sections;
  }

  std::string m_text;
};

}  // namespace Kokkos::Testing

#endif
