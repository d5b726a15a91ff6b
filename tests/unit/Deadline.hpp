// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_TEST_DEADLINE_HPP
#define KOKKOS_TEST_DEADLINE_HPP

/// \file
/// For tests that would wait for ever if something went wrong.

#include <gtest/gtest.h>

#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstring>

namespace Kokkos::Testing {

/// Ends the program with a sentence if it is not destroyed in time: a thread that waits for ever cannot report it.
class Deadline {
 public:
  /// `what` completes "Suite.Test: after 100 s, ...".
  explicit Deadline(char const* what, unsigned seconds = 100) {
    auto const* test = ::testing::UnitTest::GetInstance()->current_test_info();
    std::snprintf(m_sentence, sizeof m_sentence, "%s.%s: after %u s, %s.\n", test->test_suite_name(), test->name(),
                  seconds, what);
    std::signal(SIGALRM, [](int) {
      (void)!write(STDERR_FILENO, m_sentence, std::strlen(m_sentence));
      _exit(1);
    });
    alarm(seconds);
  }
  ~Deadline() { alarm(0); }
  Deadline(Deadline const&)            = delete;
  Deadline& operator=(Deadline const&) = delete;

 private:
  static inline char m_sentence[300] = "";
};

}  // namespace Kokkos::Testing

#endif
