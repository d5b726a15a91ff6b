// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// choices: not-optimised
#include <Kokkos_Pair.hpp>
#include <gtest/gtest.h>

#include <string>
#include <type_traits>
#include <utility>

namespace {

using Kokkos::pair;

static_assert(std::is_trivially_copyable_v<pair<int, double>>);
static_assert(std::is_same_v<pair<int, double>::first_type, int>);
static_assert(std::is_same_v<pair<int, double>::second_type, double>);
static_assert(std::is_same_v<decltype(Kokkos::make_pair(1, 2.0f)), pair<int, float>>);
static_assert(std::is_same_v<decltype(pair(1, 2.0f)), pair<int, float>>);
static_assert(pair<int, int>{}.first == 0);

static_assert(pair(1, 2) == pair(1L, 2L));
static_assert(pair(1, 2) != pair(1, 3) && pair(0, 2) != pair(1, 2));
static_assert(pair(1, 2) < pair(1, 3) && pair(1, 9) < pair(2, 0) && !(pair(2, 0) < pair(1, 9)));
static_assert(!(pair(1, 2) < pair(1, 2)) && pair(1, 2) <= pair(1, 2) && pair(1, 2) >= pair(1, 2));
static_assert(pair(2, 0) > pair(1, 9) && pair(2, 0) >= pair(1, 9) && pair(1, 9) <= pair(2, 0));

// The assertions above are for constant expressions; a fault in them stays unnoticed where a program runs them.
TEST(Pair, ComparesLikeTheStandardPair) {
  for (int i = 0; i < 81; ++i) {
    pair<int, long> const a(i % 3, i / 3 % 3);
    pair<long, int> const b(i / 9 % 3, i / 27);
    std::pair<long, long> const first(a.first, a.second), second(b.first, b.second);
    EXPECT_EQ(a == b, first == second);
    EXPECT_EQ(a != b, first != second);
    EXPECT_EQ(a < b, first < second);
    EXPECT_EQ(a > b, first > second);
    EXPECT_EQ(a <= b, first <= second);
    EXPECT_EQ(a >= b, first >= second);
  }
}

TEST(Pair, ConvertsMemberByMember) {
  pair<int, char const*> narrow(1, "text");
  pair<long, std::string> wide(narrow);
  EXPECT_EQ(wide.first, 1);
  EXPECT_EQ(wide.second, "text");
  wide = pair<int, char const*>(7, "other");
  EXPECT_EQ(wide.first, 7);
  EXPECT_EQ(wide.second, "other");
}

TEST(Pair, ConvertsFromAndToTheStandardPair) {
  std::pair<int, float> const standard(1, 2.5f);
  pair<long, double> const p(standard);
  EXPECT_EQ(p.first, 1);
  EXPECT_EQ(p.second, 2.5);
  auto const back = p.to_std_pair();
  static_assert(std::is_same_v<decltype(back), std::pair<long, double> const>);
  EXPECT_EQ(back, (std::pair<long, double>(1, 2.5)));
}

TEST(Pair, TieAssignsToVariables) {
  int i             = 0;
  std::string s     = "none";
  Kokkos::tie(i, s) = pair<int, std::string>(4, "four");
  EXPECT_EQ(i, 4);
  EXPECT_EQ(s, "four");
  auto const [a, b] = pair(1, 2.5);
  EXPECT_EQ(a, 1);
  EXPECT_EQ(b, 2.5);
}

#ifdef KOKKOS_ENABLE_DEPRECATED_CODE_4
TEST(Pair, WithNothingSecond) {
  pair<int, void> p(3);
  EXPECT_EQ(p.first, 3);
  pair<long, void> q(p);
  EXPECT_EQ(q.first, 3);
}
#endif

}  // namespace
