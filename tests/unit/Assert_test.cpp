// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Checked in every kind of build: the check depends on whether KOKKOS_ENABLE_DEBUG is defined where the header is
// included.
#ifndef KOKKOS_ENABLE_DEBUG
#define KOKKOS_ENABLE_DEBUG
#endif
#include <Kokkos_Assert.hpp>
#include <gtest/gtest.h>

namespace {

template <int A, int B>
constexpr bool equal = A == B;

TEST(Assert, PassesWhatHolds) {
  int evaluations = 0;
  KOKKOS_ASSERT(++evaluations == 1);
  KOKKOS_ASSERT(equal<1, 1>);  // a comma outside of parentheses
  KOKKOS_EXPECTS(evaluations == 1);
  KOKKOS_ENSURES(evaluations);
  EXPECT_EQ(evaluations, 1);
}

TEST(Assert, NeedsNoSemicolon) {
  int evaluations = 0;
  KOKKOS_ASSERT(++evaluations == 1)
  KOKKOS_EXPECTS(evaluations == 1)
  KOKKOS_ENSURES(++evaluations == 2)
  EXPECT_EQ(evaluations, 2);
}

TEST(AssertDeathTest, NamesWhatDoesNotHoldAndWhere) {
  ::testing::FLAGS_gtest_death_test_style = "threadsafe";
  int const answer                        = 41;
  EXPECT_DEATH(KOKKOS_ASSERT(answer == 42), "answer == 42(.|\n)*Assert_test.cpp:[0-9]+");
  EXPECT_DEATH(KOKKOS_EXPECTS(answer == 43), "precondition(.|\n)*answer == 43");
  EXPECT_DEATH(KOKKOS_ENSURES(answer == 44), "postcondition(.|\n)*answer == 44");
}

}  // namespace

// Includes the header again, in the state of a build that does not check.
#undef KOKKOS_ENABLE_DEBUG
#ifndef NDEBUG
#define NDEBUG
#endif
#include <Kokkos_Assert.hpp>

TEST(Assert, NeedsNoSemicolonWhereItChecksNothing) {
  int evaluations = 0;
  KOKKOS_ASSERT(++evaluations == 7)
  KOKKOS_EXPECTS(++evaluations == 7)
  KOKKOS_ENSURES(++evaluations == 7)
  EXPECT_EQ(evaluations, 0);
}
