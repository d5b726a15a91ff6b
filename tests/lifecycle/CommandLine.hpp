// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_TEST_COMMAND_LINE_HPP
#define KOKKOS_TEST_COMMAND_LINE_HPP

/// \file
/// argc and argv in the form that main receives, for tests of initialize.

#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

namespace Kokkos::Testing {

class CommandLine {
 public:
  explicit CommandLine(std::vector<std::string> words) : words_(std::move(words)) {
    words_.insert(words_.begin(), "program");
    for (std::string& word : words_) argv_.push_back(word.data());
    argc = static_cast<int>(argv_.size());
    argv_.push_back(nullptr);
  }

  char** argv() { return argv_.data(); }
  /// The arguments after the program's name.
  std::vector<std::string> rest() const { return {argv_.begin() + 1, argv_.begin() + argc}; }

  int argc;

 private:
  std::vector<std::string> words_;
  std::vector<char*> argv_;
};

using Variables = std::vector<std::pair<std::string, std::string>>;

inline void set_variables(Variables const& variables) {
  for (auto const& [name, value] : variables) setenv(name.c_str(), value.c_str(), 1);
}

}  // namespace Kokkos::Testing

#endif
