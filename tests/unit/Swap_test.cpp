// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// choices: not-optimised
#include <Kokkos_Swap.hpp>
#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace {

struct Immovable {
  Immovable(Immovable&&) = delete;
};
struct MayThrow {
  MayThrow(MayThrow&&) noexcept(false);
  MayThrow& operator=(MayThrow&&) noexcept(false);
};

template <class T>
concept can_swap = requires(T& a, T& b) { Kokkos::kokkos_swap(a, b); };
static_assert(can_swap<int> && can_swap<MayThrow> && can_swap<int[3]> && can_swap<int[3][2]>);
static_assert(!can_swap<Immovable> && !can_swap<Immovable[2]> && !can_swap<int const>);

static_assert(noexcept(Kokkos::kokkos_swap(std::declval<int&>(), std::declval<int&>())));
static_assert(noexcept(Kokkos::kokkos_swap(std::declval<int (&)[2]>(), std::declval<int (&)[2]>())));
static_assert(!noexcept(Kokkos::kokkos_swap(std::declval<MayThrow&>(), std::declval<MayThrow&>())));
static_assert(!noexcept(Kokkos::kokkos_swap(std::declval<MayThrow (&)[2]>(), std::declval<MayThrow (&)[2]>())));

// Names of Kokkos::Impl that programs use.
static_assert(Kokkos::Impl::is_swappable<int>::value && Kokkos::Impl::is_swappable<MayThrow[3]>::value);
static_assert(!Kokkos::Impl::is_swappable<Immovable>::value && !Kokkos::Impl::is_swappable<int const>::value);
static_assert(Kokkos::Impl::is_nothrow_swappable_v<int[2]> && !Kokkos::Impl::is_nothrow_swappable_v<MayThrow>);

constexpr bool swaps_in_a_constant_expression() {
  int a = 1, b = 2;
  Kokkos::kokkos_swap(a, b);
  return a == 2 && b == 1;
}
static_assert(swaps_in_a_constant_expression());

TEST(Swap, MovesValues) {
  auto a             = std::make_unique<int>(1);
  auto b             = std::make_unique<int>(2);
  int const* const p = a.get();
  Kokkos::kokkos_swap(a, b);
  EXPECT_EQ(b.get(), p);
  EXPECT_EQ(*a, 2);
}

TEST(Swap, ExchangesArraysOfAnyRank) {
  std::string a[2] = {"a", "b"}, b[2] = {"c", "d"};
  Kokkos::kokkos_swap(a, b);
  EXPECT_EQ(a[1], "d");
  EXPECT_EQ(b[0], "a");
  int m[2][2] = {{1, 2}, {3, 4}}, n[2][2] = {{5, 6}, {7, 8}};
  Kokkos::kokkos_swap(m, n);
  EXPECT_EQ(m[1][1], 8);
  EXPECT_EQ(n[0][1], 2);
}

}  // namespace
