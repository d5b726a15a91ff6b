// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Kokkos::Timer. The order of times is tested, not their length.

#include <Kokkos_Timer.hpp>
#include <gtest/gtest.h>

#include <chrono>
#include <thread>
#include <type_traits>

namespace {

TEST(Timer, CannotBeCopied) {
  static_assert(!std::is_copy_constructible_v<Kokkos::Timer>);
  static_assert(!std::is_move_constructible_v<Kokkos::Timer>);
  static_assert(!std::is_copy_assignable_v<Kokkos::Timer>);
}

TEST(Timer, CountsSecondsAndStartsAgain) {
  Kokkos::Timer timer;
  double const at_first = timer.seconds();
  EXPECT_GE(at_first, 0);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  double const later = timer.seconds();
  EXPECT_GE(later, 0.020) << "a sleep is never shorter than requested";
  EXPECT_GE(later, at_first);

  Kokkos::Timer outer;
  timer.reset();
  double const younger = timer.seconds(), older = outer.seconds();
  EXPECT_LE(younger, older) << "a timer that was reset later has run for less time";
}

}  // namespace
