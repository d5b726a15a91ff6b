// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_SCRIPTS_COVERAGE_AT_ABORT_HPP
#define KOKKOS_SCRIPTS_COVERAGE_AT_ABORT_HPP

#include <sys/syscall.h>
#include <unistd.h>

#include <csignal>

/// \file
/// Saves the counts of executed lines when a program aborts or calls _exit, which GCC does only at a regular exit: otherwise the
/// messages that death tests check would count as code that no test runs. Included in front of every source of the configuration
/// `coverage`.

extern "C" void __gcov_dump(void);

// The program's definitions replace those of the C library, also for calls by libraries.
extern "C" __attribute__((weak, noreturn)) void _exit(int status) {
  __gcov_dump();
  for (;;) syscall(SYS_exit_group, status);
}
extern "C" __attribute__((weak, noreturn)) void _Exit(int status) noexcept { _exit(status); }

namespace coverage {

inline bool save_at_abort() {
  std::signal(SIGABRT, [](int) {
    __gcov_dump();
    std::signal(SIGABRT, SIG_DFL);
    std::raise(SIGABRT);
  });
  return true;
}
inline bool const saves_at_abort = save_at_abort();

}  // namespace coverage

#endif
