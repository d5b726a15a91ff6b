// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Kokkos::abort, on the host and in kernels.

#include "TestSpaces.hpp"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>

#include <unistd.h>

namespace {

TEST(AbortDeathTest, EndsTheProgramWithItsMessage) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(Kokkos::abort("the message"), testing::KilledBySignal(SIGABRT), "the message");
}

struct AbortAt {
  int where;
  KOKKOS_FUNCTION void operator()(int i) const {
    if (i == where) Kokkos::abort("aborted in a kernel");
  }
};

// Both streams go to the same place, where only standard output is buffered.
void fail_after_output() noexcept {
  dup2(STDERR_FILENO, STDOUT_FILENO);
  std::setvbuf(stdout, nullptr, _IOFBF, BUFSIZ);
  std::puts("output before the failure");
  Kokkos::parallel_for("refused", -2, AbortAt{0});
}

TEST(AbortDeathTest, UncaughtExceptionAfterTheOutput) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(fail_after_output(), testing::KilledBySignal(SIGABRT), "output before the failure");
}

// The program catches the exception and ends without flushing.
template <class Call>
[[noreturn]] void end_after(Call const& call) {
  dup2(STDERR_FILENO, STDOUT_FILENO);
  std::setvbuf(stdout, nullptr, _IOFBF, BUFSIZ);
  std::puts("output before the failure");
  try {
    call();
  } catch (std::exception const&) {
    _exit(3);
  }
  _exit(4);
}

TEST(AbortDeathTest, ExceptionsAfterTheOutput) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  auto const refused = [] { Kokkos::parallel_for("refused", -2, AbortAt{0}); };
  EXPECT_EXIT(end_after(refused), testing::ExitedWithCode(3), "output before the failure");
  auto const too_large = [] { (void)Kokkos::HostSpace().allocate(~std::size_t(0)); };
  EXPECT_EXIT(end_after(too_large), testing::ExitedWithCode(3), "output before the failure");
}

template <class Space>
void abort_in_kernel() {
  Kokkos::parallel_for(Kokkos::RangePolicy<Space>(0, 100), AbortAt{50});
  try {
    Kokkos::fence();
  } catch (std::runtime_error const& error) {
    // The device's kernel has ended, and the fence reports its error; the program may end normally.
    std::fputs(error.what(), stderr);
    std::abort();
  }
}

template <class Space>
class AbortInKernelDeathTest : public testing::Test {};
TYPED_TEST_SUITE(AbortInKernelDeathTest, Kokkos::Testing::ExecutionSpaces, Kokkos::Testing::SpaceName);

TYPED_TEST(AbortInKernelDeathTest, EndsTheProgram) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  // A device writes the message to standard output.
  constexpr bool on_host = Kokkos::SpaceAccessibility<Kokkos::HostSpace, typename TypeParam::memory_space>::accessible;
  EXPECT_DEATH(abort_in_kernel<TypeParam>(), on_host ? "aborted in a kernel" : "in the kernel");
}

}  // namespace
