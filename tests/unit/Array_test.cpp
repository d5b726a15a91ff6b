// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// choices: not-optimised
#include <Kokkos_Array.hpp>
#include <Kokkos_Layout.hpp>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <numeric>
#include <string>
#include <type_traits>
#include <utility>

namespace {

using Kokkos::Array;

static_assert(std::is_aggregate_v<Array<int, 3>>);
static_assert(std::is_trivially_copyable_v<Array<double, 4>>);
static_assert(sizeof(Array<double, 4>) == 4 * sizeof(double));
static_assert(std::is_empty_v<Array<double, 0>>);
static_assert(Array<int, 0>::empty() && !Array<int, 1>::empty());
static_assert(Array<int, 5>::size() == 5 && Array<int, 5>{}.max_size() == 5);
static_assert(std::is_same_v<decltype(Array{3.0, 1.0, 4.0}), Array<double, 3>>);
static_assert(Array<int, 2>{7}[0] == 7 && Array<int, 2>{7}[1] == 0);
static_assert(Array<int, 3>{1, 2, 3} == Array<int, 3>{1, 2, 3});
static_assert(Array<int, 3>{1, 2, 3} != Array<int, 3>{1, 2, 4});
static_assert(Array<int, 0>{} == Array<int, 0>{});
static_assert(std::is_same_v<std::tuple_element_t<1, Array<long, 2>>, long>);
static_assert(std::tuple_size_v<Array<long, 7>> == 7);

// Value categories of get<I>.
using Pair = Array<int, 2>;
static_assert(std::is_same_v<decltype(Kokkos::get<0>(std::declval<Pair&>())), int&>);
static_assert(std::is_same_v<decltype(Kokkos::get<0>(std::declval<Pair const&>())), int const&>);
static_assert(std::is_same_v<decltype(Kokkos::get<0>(std::declval<Pair>())), int&&>);
static_assert(std::is_same_v<decltype(Kokkos::get<0>(std::declval<Pair const>())), int const&&>);

// An array can be a template argument.
template <Array<int, 2> A>
constexpr int sum_of = A[0] + A[1];
static_assert(sum_of<Array<int, 2>{3, 4}> == 7);

TEST(Array, HoldsItsElementsInOrder) {
  Array<int, 4> a{4, 3, 2, 1};
  EXPECT_EQ(a.data(), &a[0]);
  EXPECT_EQ(a.end() - a.begin(), 4);
  EXPECT_EQ(a.cend() - a.cbegin(), 4);
  a[2] = 20;
  EXPECT_EQ(std::accumulate(begin(a), end(a), 0), 28);
  int last = 0;
  for (int const x : std::as_const(a)) last = x;
  EXPECT_EQ(last, 1);
}

// The assertions above are for constant expressions; a fault in them stays unnoticed where a program runs them.
TEST(Array, ComparesEachElement) {
  Array<int, 3> const a{1, 2, 3};
  Array<int, 0> const none{}, nothing{};
  EXPECT_TRUE(a == a && none == nothing);
  EXPECT_FALSE(a != a || none != nothing);
  for (std::size_t i = 0; i < 3; ++i) {
    Array<int, 3> b = a;
    b[i] += 1;
    EXPECT_FALSE(a == b) << i;
    EXPECT_TRUE(a != b) << i;
    EXPECT_TRUE(b.begin()[i] == b[i] && b.cbegin()[i] == b[i] && b.data()[i] == b[i]);
    EXPECT_EQ(std::as_const(b).data() + 3, std::as_const(b).end());
  }
  EXPECT_EQ(Kokkos::get<0>(a) * 100 + Kokkos::get<1>(a) * 10 + Kokkos::get<2>(a), 123);
  EXPECT_TRUE(a.size() == 3 && a.max_size() == 3 && !a.empty());
}

#ifndef KOKKOS_ENABLE_DEBUG_BOUNDS_CHECK
TEST(Array, TheCheckOfProgramsEvaluatesNothing) {
  int index = 5;
  KOKKOS_ARRAY_BOUNDS_CHECK(++index, 1);
  EXPECT_EQ(index, 5);
}
#endif

TEST(Array, EmptyArrayHasAnEmptyRange) {
  Array<std::string, 0> a;
  EXPECT_TRUE(a.empty());
  EXPECT_EQ(a.size(), 0u);
  EXPECT_EQ(a.max_size(), 0u);
  EXPECT_EQ(a.begin(), a.end());
  EXPECT_EQ(std::as_const(a).data(), nullptr);
}

TEST(Array, StructuredBindingRefersToTheElements) {
  Array<int, 3> a{1, 2, 3};
  auto& [x, y, z] = a;
  y               = 50;
  EXPECT_EQ(a[1], 50);
  EXPECT_EQ(x + z, 4);
}

TEST(Array, ToArrayCopiesOrMoves) {
  int source[] = {5, 6, 7};
  auto copied  = Kokkos::to_array(source);
  static_assert(std::is_same_v<decltype(copied), Array<int, 3>>);
  source[0] = 0;
  EXPECT_EQ(copied[0], 5);
  EXPECT_EQ(copied[2], 7);

  auto text = Kokkos::to_array("foo");
  static_assert(std::is_same_v<decltype(text), Array<char, 4>>);
  EXPECT_EQ(text[3], '\0');

  auto converted = Kokkos::to_array<long>({0, 1, 3});
  static_assert(std::is_same_v<decltype(converted), Array<long, 3>>);
  EXPECT_EQ(converted[2], 3);

  auto moved = Kokkos::to_array({std::make_unique<int>(3)});
  EXPECT_EQ(*moved[0], 3);
}

#ifdef KOKKOS_ENABLE_DEPRECATED_CODE_4
TEST(Array, ProxiesReferToElementsElsewhere) {
  int elements[] = {1, 2, 3, 4};
  Array<int, KOKKOS_INVALID_INDEX, Array<>::contiguous> first(elements, 3);
  Array<int, KOKKOS_INVALID_INDEX, Array<>::strided> odd(elements + 1, 2, 2);
  EXPECT_EQ(first.size(), 3u);
  EXPECT_EQ(odd[1], 4);
  odd[0] = 7;
  EXPECT_EQ(first[1], 7);
  first = Array<int, 2>{{10, 20}};  // as many elements as both have
  EXPECT_EQ(elements[1], 20);
  EXPECT_EQ(elements[2], 3);
  odd = first;
  EXPECT_EQ(elements[3], 10);  // the first assignment changed the element that the second one reads
  EXPECT_EQ(odd.max_size(), 2u);
  EXPECT_FALSE(odd.empty());
}

TEST(Array, ProxiesOfEachSizeAndStride) {
  int elements[8];
  for (std::size_t size = 0; size <= 3; ++size)
    for (std::size_t stride = 1; stride <= 2; ++stride) {
      for (int i = 0; i < 8; ++i) elements[i] = i;
      Array<int, KOKKOS_INVALID_INDEX, Array<>::strided> proxy(elements + 1, size, stride);
      auto const& constant = proxy;
      EXPECT_EQ(proxy.empty(), size == 0);
      EXPECT_EQ(proxy.size(), size);
      EXPECT_EQ(proxy.max_size(), size);
      EXPECT_EQ(constant.data(), elements + 1);
      EXPECT_EQ(proxy.data(), elements + 1);
      for (std::size_t i = 0; i < size; ++i) {
        EXPECT_EQ(&constant[i], elements + 1 + i * stride);
        EXPECT_EQ(&proxy[i], elements + 1 + i * stride);
      }
      // Shorter, as long, and longer.
      proxy = Array<int, 2>{{10, 20}};
      for (std::size_t i = 0; i < 7; ++i) {
        bool const written = i % stride == 0 && i / stride < std::min<std::size_t>(size, 2);
        EXPECT_EQ(elements[i + 1], written ? 10 * static_cast<int>(i / stride + 1) : static_cast<int>(i + 1));
      }
      Array<int, KOKKOS_INVALID_INDEX, Array<>::contiguous> contiguous(elements, size);
      EXPECT_EQ(contiguous.empty(), size == 0);
      for (std::size_t i = 0; i < size; ++i) EXPECT_EQ(&std::as_const(contiguous)[i], elements + i);
    }
}
#endif

// While the program runs: static assertions test constants only.
TEST(Array, IsEqualIfEachElementIs) {
  Array<int, 3> const a{1, 2, 3};
  EXPECT_TRUE(a == a);
  EXPECT_FALSE(a != a);
  for (std::size_t i = 0; i < a.size(); ++i) {
    Array<int, 3> other = a;
    other[i]            = 0;
    EXPECT_FALSE(a == other) << i;
    EXPECT_TRUE(a != other) << i;
  }
}

TEST(Array, SwapExchangesAllElements) {
  Array<std::string, 2> a{"a", "b"}, b{"c", "d"};
  kokkos_swap(a, b);
  EXPECT_EQ(a[1], "d");
  EXPECT_EQ(b[0], "a");
  static_assert(noexcept(kokkos_swap(std::declval<Array<int, 2>&>(), std::declval<Array<int, 2>&>())));
}

#ifdef KOKKOS_ENABLE_DEBUG_BOUNDS_CHECK
TEST(ArrayDeathTest, TheNumberOfElementsIsNoIndex) {
  Array<int, 3> numbers{1, 2, 3};
  int volatile last = 2;
  EXPECT_EQ(numbers[last], 3);
  last = 3;
  EXPECT_DEATH((void)numbers[last], "the index is not less than the number of elements");
}
#endif

}  // namespace
