// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// choices: not-optimised
/// \file
/// Random copies and fills of strided regions within and between the device's memory and the host's, compared with
/// loops. Elements between those of a region must keep their values.

#include "RandomCases.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>

namespace {

using namespace Kokkos::Testing;

template <class Space>
class CopyCases : public ::testing::Test {};
TYPED_TEST_SUITE(CopyCases, PatternSpaces, SpaceName);

struct Large {
  long words[3];
};

template <class T>
T any_element(Random& random) {
  T value;
  unsigned char bytes[sizeof(T)];
  for (auto& b : bytes) b = static_cast<unsigned char>(random.bits());
  std::memcpy(&value, bytes, sizeof(T));
  return value;
}

template <class T, std::size_t Rank>
struct Pointers {
  using type = typename Pointers<T, Rank - 1>::type*;
};
template <class T>
struct Pointers<T, 0> {
  using type = T;
};

/// A multidimensional array in a longer one.
template <std::size_t Rank>
struct Region {
  std::array<std::size_t, Rank> extents{}, strides{};
  std::size_t offset = 0, length = 0;  // length: of the whole array

  /// Calls f(position in the array, number) for each element, the last index being the fastest.
  template <class F>
  void for_each(F const& f) const {
    std::size_t const count = std::accumulate(extents.begin(), extents.end(), std::size_t(1), std::multiplies<>());
    for (std::size_t i = 0; i < count; ++i) {
      std::size_t position = offset, rest = i;
      for (std::size_t d = Rank; d-- > 0; rest /= extents[d]) position += rest % extents[d] * strides[d];
      f(position, i);
    }
  }

  template <class T, class Layout, class Space>
  auto view(Kokkos::View<T*, Space> const& array) const {
    Layout layout;
    for (std::size_t d = 0; d < Rank; ++d) {
      layout.dimension[d] = extents[d];
      if constexpr (std::is_same_v<Layout, Kokkos::LayoutStride>) layout.stride[d] = strides[d];
    }
    using Data = typename Pointers<T, Rank>::type;
    return Kokkos::View<Data, Layout, Space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(array.data() + offset, layout);
  }
};

/// Strides in the order of the layout; of LayoutStride in any order, with elements between those of the region.
template <class Layout, std::size_t Rank>
Region<Rank> any_region(Random& random, std::array<std::size_t, Rank> const& extents) {
  std::array<std::size_t, Rank> order;
  std::iota(order.begin(), order.end(), std::size_t(0));
  bool const is_strided = std::is_same_v<Layout, Kokkos::LayoutStride>;
  if (std::is_same_v<Layout, Kokkos::LayoutRight>) std::reverse(order.begin(), order.end());
  if (is_strided)
    for (std::size_t d = Rank; d > 1; --d) std::swap(order[d - 1], order[random.below(d)]);
  Region<Rank> region;
  region.extents     = extents;
  region.offset      = random.below(5);
  std::size_t stride = is_strided && random.once_in(2) ? random.below(3) + 1 : 1;
  for (std::size_t const d : order) {
    region.strides[d] = stride;
    stride            = stride * extents[d] + (is_strided && random.once_in(2) ? random.below(4) : 0);
  }
  region.length = region.offset + stride + random.below(5);
  return region;
}
template <std::size_t Rank>
std::array<std::size_t, Rank> any_extents(Random& random) {
  constexpr long longest[] = {0, 5000, 90, 24, 10, 7};
  std::array<std::size_t, Rank> extents;
  for (auto& e : extents) e = static_cast<std::size_t>(random.between(random.once_in(12) ? 0 : 1, longest[Rank]));
  if (random.once_in(6)) extents[random.below(Rank)] = 1;
  return extents;
}

template <class T>
std::vector<T> any_elements(Random& random, std::size_t n) {
  std::vector<T> values(n);
  for (auto& v : values) v = any_element<T>(random);
  return values;
}
template <class T, class Array>
void expect_elements(Array const& array, std::vector<T> const& expected, char const* what) {
  auto const values = values_of(array);
  for (std::size_t i = 0; i < expected.size(); ++i)
    ASSERT_EQ(std::memcmp(&values[i], &expected[i], sizeof(T)), 0) << what << ", element " << i;
}

template <class T, std::size_t Rank, class ToLayout, class ToSpace, class FromLayout, class FromSpace, class Exec>
void copies(Random& random, char const* what) {
  auto const extents   = any_extents<Rank>(random);
  auto const to_region = any_region<ToLayout>(random, extents), from_region = any_region<FromLayout>(random, extents);
  auto expected        = any_elements<T>(random, to_region.length);
  auto const source    = any_elements<T>(random, from_region.length);
  auto const to        = view_of<ToSpace>(expected);
  auto const from      = view_of<FromSpace>(source);
  auto const to_view   = to_region.template view<T, ToLayout>(to);
  auto const from_view = from_region.template view<T, FromLayout>(from);
  std::vector<T> in_order;
  from_region.for_each([&](std::size_t position, std::size_t) { in_order.push_back(source[position]); });
  to_region.for_each([&](std::size_t position, std::size_t i) { expected[position] = in_order[i]; });
  if (random.once_in(2)) {
    Exec const exec;
    Kokkos::deep_copy(exec, to_view, from_view);
    exec.fence();
  } else {
    Kokkos::deep_copy(to_view, from_view);
  }
  expect_elements(to, expected, what);
  expect_elements(from, source, "source");
}

template <class T, std::size_t Rank, class ToLayout, class FromLayout, class Exec>
void copies_between_spaces() {
  using Device = typename Exec::memory_space;
  using Host   = Kokkos::HostSpace;
  for_each_case(24, 2000, [](Random& random) {
    switch (random.below(4)) {
      case 0:
        return copies<T, Rank, ToLayout, Device, FromLayout, Host, Exec>(random, "host to device");
      case 1:
        return copies<T, Rank, ToLayout, Host, FromLayout, Device, Exec>(random, "device to host");
      case 2:
        return copies<T, Rank, ToLayout, Device, FromLayout, Device, Exec>(random, "device to device");
      default:
        return copies<T, Rank, ToLayout, Host, FromLayout, Host, Exec>(random, "host to host");
    }
  });
}

using Left   = Kokkos::LayoutLeft;
using Right  = Kokkos::LayoutRight;
using Stride = Kokkos::LayoutStride;

TYPED_TEST(CopyCases, OfBytesInOneDimension) { copies_between_spaces<char, 1, Stride, Stride, TypeParam>(); }
TYPED_TEST(CopyCases, OfStructuresInTwoDimensions) { copies_between_spaces<Large, 2, Stride, Stride, TypeParam>(); }
TYPED_TEST(CopyCases, OfDoublesInThreeDimensions) { copies_between_spaces<double, 3, Stride, Stride, TypeParam>(); }
TYPED_TEST(CopyCases, FromRightToLeft) { copies_between_spaces<float, 3, Left, Right, TypeParam>(); }
TYPED_TEST(CopyCases, FromStridedToRight) { copies_between_spaces<int, 2, Right, Stride, TypeParam>(); }
TYPED_TEST(CopyCases, OfShortsInFiveDimensions) { copies_between_spaces<short, 5, Stride, Left, TypeParam>(); }

template <class T, std::size_t Rank, class Layout, class Space, class Exec>
void fills() {
  for_each_case(24, 2000, [](Random& random) {
    auto const region = any_region<Layout>(random, any_extents<Rank>(random));
    auto expected     = any_elements<T>(random, region.length);
    auto const array  = view_of<Space>(expected);
    auto const view   = region.template view<T, Layout>(array);
    T const value     = random.once_in(3) ? T{} : any_element<T>(random);
    region.for_each([&](std::size_t position, std::size_t) { expected[position] = value; });
    if (random.once_in(2)) {
      Exec const exec;
      Kokkos::deep_copy(exec, view, value);
      exec.fence();
    } else {
      Kokkos::deep_copy(view, value);
    }
    expect_elements(array, expected, "fill");
  });
}
TYPED_TEST(CopyCases, Fills) {
  fills<char, 1, Stride, typename TypeParam::memory_space, TypeParam>();
  fills<Large, 1, Left, typename TypeParam::memory_space, TypeParam>();
  fills<double, 3, Stride, typename TypeParam::memory_space, TypeParam>();
  fills<short, 2, Right, typename TypeParam::memory_space, TypeParam>();
}

}  // namespace
