// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// choices: not-optimised
#include <Kokkos_MinMax.hpp>
#include <gtest/gtest.h>

#include <algorithm>

namespace {

struct Greater {
  template <class T>
  constexpr bool operator()(T const& a, T const& b) const {
    return b < a;
  }
};

// Ordered only by key, so that equivalent values can be distinguished.
struct Entry {
  int key, id;
  constexpr bool operator<(Entry const& other) const { return key < other.key; }
};
constexpr bool by_key_downwards(Entry const& a, Entry const& b) { return b.key < a.key; }

static_assert(Kokkos::min(3, 2) == 2 && Kokkos::max(3, 2) == 3);
static_assert(Kokkos::min(3, 2, Greater{}) == 3 && Kokkos::max(3, 2, Greater{}) == 2);
static_assert(Kokkos::min({4, 2, 8}) == 2 && Kokkos::max({4, 2, 8}) == 8);
static_assert(Kokkos::min({4, 2, 8}, Greater{}) == 8 && Kokkos::max({4, 2, 8}, Greater{}) == 2);
static_assert(Kokkos::max({5}) == 5 && Kokkos::min({5}) == 5);
static_assert(Kokkos::minmax({4, 2, 8, 2}).first == 2 && Kokkos::minmax({4, 2, 8, 2}).second == 8);
static_assert(Kokkos::minmax({4, 2, 8}, Greater{}).first == 8 && Kokkos::minmax({4, 2, 8}, Greater{}).second == 2);
static_assert(Kokkos::clamp(5, 1, 3) == 3 && Kokkos::clamp(0, 1, 3) == 1 && Kokkos::clamp(2, 1, 3) == 2);
static_assert(Kokkos::clamp(5, 3, 1, Greater{}) == 3 && Kokkos::clamp(0, 3, 1, Greater{}) == 1);

// The assertions above are for constant expressions; a fault in them stays unnoticed where a program runs them.
TEST(MinMax, EachOrderOfThreeValues) {
  Greater const greater;
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < 3; ++b) {
      EXPECT_EQ(Kokkos::min(a, b), std::min(a, b));
      EXPECT_EQ(Kokkos::max(a, b), std::max(a, b));
      EXPECT_EQ(Kokkos::min(a, b, greater), std::max(a, b));
      EXPECT_EQ(Kokkos::max(a, b, greater), std::min(a, b));
      EXPECT_EQ(Kokkos::clamp(a, b, 2), std::clamp(a, b, 2));
      EXPECT_EQ(Kokkos::clamp(a, 0, b), std::clamp(a, 0, b));
      EXPECT_EQ(Kokkos::clamp(a, 2, b, greater), std::clamp(a, b, 2));
      EXPECT_EQ(Kokkos::clamp(a, b, 0, greater), std::clamp(a, 0, b));
      for (int c = 0; c < 3; ++c) {
        EXPECT_EQ(Kokkos::min({a, b, c}), std::min({a, b, c}));
        EXPECT_EQ(Kokkos::max({a, b, c}), std::max({a, b, c}));
        EXPECT_EQ(Kokkos::min({a, b, c}, greater), std::max({a, b, c}));
        EXPECT_EQ(Kokkos::max({a, b, c}, greater), std::min({a, b, c}));
        auto const both = Kokkos::minmax({a, b, c}), turned = Kokkos::minmax({a, b, c}, greater);
        EXPECT_TRUE(both.first == std::min({a, b, c}) && both.second == std::max({a, b, c}));
        EXPECT_TRUE(turned.first == both.second && turned.second == both.first);
      }
    }
}

TEST(MinMax, OfEquivalentValuesTheStandardOneIsChosen) {
  Entry const a{1, 10}, b{1, 20}, c{1, 30};
  EXPECT_EQ(&Kokkos::min(a, b), &a);
  EXPECT_EQ(&Kokkos::max(a, b), &a);
  EXPECT_EQ(&Kokkos::min(a, b, by_key_downwards), &a);
  EXPECT_EQ(&Kokkos::max(a, b, by_key_downwards), &a);
  EXPECT_EQ(Kokkos::min({a, b, c}).id, 10);
  EXPECT_EQ(Kokkos::max({a, b, c}).id, 10);
  EXPECT_EQ(Kokkos::minmax({a, b, c}).first.id, 10);
  EXPECT_EQ(Kokkos::minmax({a, b, c}).second.id, 30);
  EXPECT_EQ(&Kokkos::clamp(b, a, c), &b);
}

TEST(MinMax, PairOfTwoRefersToItsArguments) {
  int x = 2, y = 1;
  auto const p = Kokkos::minmax(x, y);
  EXPECT_EQ(&p.first, &y);
  EXPECT_EQ(&p.second, &x);
  Entry const a{1, 10}, b{1, 20};
  auto const q = Kokkos::minmax(a, b);
  EXPECT_EQ(&q.first, &a);
  EXPECT_EQ(&q.second, &b);
  auto const r = Kokkos::minmax(x, y, Greater{});
  EXPECT_EQ(&r.first, &x);
}

}  // namespace
