// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// choices: not-optimised
/// \file
/// The types of subviews. LayoutLeft and LayoutRight are kept if one padded stride certainly suffices, and static
/// extents are kept if a data type can express them.
#include <TestSpaces.hpp>

#include <type_traits>
#include <utility>

namespace {

using Kokkos::HostSpace;
using Kokkos::LayoutLeft;
using Kokkos::LayoutRight;
using Kokkos::LayoutStride;
using Kokkos::View;

using I   = int;
using P   = std::pair<int, int>;
using Q   = Kokkos::pair<unsigned, unsigned>;
using All = Kokkos::ALL_t;

template <class Layout, class DataType, class... Slices>
using Sub = Kokkos::Subview<View<DataType, Layout, HostSpace>, Slices...>;

template <class Result, class DataType, class Layout>
constexpr bool is = std::is_same_v<Result, View<DataType, Layout, HostSpace::device_type, Kokkos::MemoryTraits<>>>;

using L = LayoutLeft;
using R = LayoutRight;
using S = LayoutStride;

// ---- rank 1 and results without dimensions
static_assert(is<Sub<L, int*, All>, int*, L>);
static_assert(is<Sub<R, int*, P>, int*, R>);
static_assert(is<Sub<R, int*, I>, int, R>);
static_assert(is<Sub<S, int*, I>, int, S>);
static_assert(is<Sub<L, int***, I, I, I>, int, L>);
static_assert(is<Sub<R, int[7], All>, int[7], R>);
static_assert(is<Sub<R, int[7], Q>, int*, R>);

// ---- lines of a matrix
static_assert(is<Sub<L, int**, All, I>, int*, L>);
static_assert(is<Sub<L, int**, P, I>, int*, L>);
static_assert(is<Sub<L, int**, I, All>, int*, S>);
static_assert(is<Sub<R, int**, I, All>, int*, R>);
static_assert(is<Sub<R, int**, I, Q>, int*, R>);
static_assert(is<Sub<R, int**, All, I>, int*, S>);

// ---- blocks of a matrix: the stride of rows is kept
static_assert(is<Sub<L, int**, P, P>, int**, L>);
static_assert(is<Sub<R, int**, P, P>, int**, R>);
static_assert(is<Sub<R, int**, All, Q>, int**, R>);

// ---- LayoutRight, rank 3
static_assert(is<Sub<R, int***, I, All, All>, int**, R>);
static_assert(is<Sub<R, int***, All, I, All>, int**, R>);
static_assert(is<Sub<R, int***, All, All, I>, int**, S>);
static_assert(is<Sub<R, int***, P, I, P>, int**, R>);
static_assert(is<Sub<R, int***, P, All, P>, int***, R>);
static_assert(is<Sub<R, int***, All, P, All>, int***, S>);
static_assert(is<Sub<R, int***, P, All, All>, int***, R>);
static_assert(is<Sub<R, int***, I, I, P>, int*, R>);
static_assert(is<Sub<R, int***, I, All, I>, int*, S>);

// ---- LayoutLeft, rank 3
static_assert(is<Sub<L, int***, All, All, I>, int**, L>);
static_assert(is<Sub<L, int***, All, I, All>, int**, L>);
static_assert(is<Sub<L, int***, I, All, All>, int**, S>);
static_assert(is<Sub<L, int***, P, All, P>, int***, L>);
static_assert(is<Sub<L, int***, All, P, All>, int***, S>);

// ---- rank 4: dimensions between rows must be whole
static_assert(is<Sub<R, int****, P, All, I, P>, int***, R>);
static_assert(is<Sub<R, int****, P, P, I, P>, int***, S>);
static_assert(is<Sub<R, int****, P, I, All, P>, int***, S>);
static_assert(is<Sub<R, int****, P, All, All, P>, int****, R>);
static_assert(is<Sub<R, int****, P, All, P, P>, int****, S>);
static_assert(is<Sub<L, int****, P, I, All, P>, int***, L>);
static_assert(is<Sub<L, int****, P, I, P, P>, int***, S>);

// ---- extents of the type
static_assert(is<Sub<R, double*** [5], P, I, All, All>, double** [5], S>);
static_assert(is<Sub<R, double** [5], I, All, All>, double* [5], R>);
static_assert(is<Sub<R, int* [3][4], P, All, All>, int* [3][4], R>);
static_assert(is<Sub<R, int* [3][4], I, All, All>, int[3][4], R>);
static_assert(is<Sub<R, int[2][3][4], All, I, I>, int[2], S>);
static_assert(is<Sub<R, int[2][3][4], I, All, P>, int**, R>);
static_assert(is<Sub<L, int[3][4], All, All>, int[3][4], L>);
static_assert(is<Sub<L, int[3][4], All, P>, int**, L>);
static_assert(is<Sub<S, int* [3], P, All>, int* [3], S>);
// Rows of 4 with a stride of 12: the stride must be stored, which requires a run-time extent.
static_assert(is<Sub<R, int* [3][4], All, I, All>, int**, R>);
static_assert(is<Sub<L, int[2][3][4], All, I, All>, int* [4], L>);

// ---- LayoutStride stays
static_assert(is<Sub<S, int***, All, I, All>, int**, S>);

// ---- elements, spaces and references
static_assert(std::is_same_v<Kokkos::Subview<View<int const**, R, HostSpace>, I, All>::value_type, int const>);
static_assert(std::is_same_v<Kokkos::Subview<View<int**, R, HostSpace> const&, I const&, decltype(Kokkos::ALL)>,
                             Sub<R, int**, I, All>>);
static_assert(std::is_same_v<decltype(Kokkos::subview(std::declval<View<int**, R, HostSpace>>(), Kokkos::ALL, P(1, 1))),
                             Sub<R, int**, All, P>>);

TEST(SubviewTypes, StaticExtentsAreRight) {
  View<int* [3][4], R, HostSpace> const v("v", 2);
  auto const s = Kokkos::subview(v, 1, Kokkos::ALL, Kokkos::ALL);
  EXPECT_EQ(s.extent(0), 3u);
  EXPECT_EQ(s.extent(1), 4u);
  EXPECT_EQ(s.stride(0), 4u);
}

}  // namespace
