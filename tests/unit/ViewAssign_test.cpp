// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// choices: not-optimised
#include <TestSpaces.hpp>

#include <type_traits>

namespace {

using Kokkos::HostSpace;
using Kokkos::LayoutLeft;
using Kokkos::LayoutRight;
using Kokkos::LayoutStride;
using Kokkos::MemoryTraits;
using Kokkos::View;

// ---- assignments that the types permit ----------------------------------------------------------------------------

/// Either all three forms of assignment are allowed, or none.
template <class Dst, class Src>
constexpr bool assigns() {
  static_assert(std::is_constructible_v<Dst, Src> == std::is_assignable_v<Dst&, Src>);
  static_assert(std::is_constructible_v<Dst, Src> == std::is_convertible_v<Src, Dst>);
  return std::is_constructible_v<Dst, Src>;
}
template <class Dst, class Src>
constexpr bool always = assigns<Dst, Src>() && Kokkos::is_always_assignable_v<Dst, Src>;
template <class Dst, class Src>
constexpr bool depends = assigns<Dst, Src>() && !Kokkos::is_always_assignable_v<Dst, Src>;
template <class Dst, class Src>
constexpr bool never = !assigns<Dst, Src>() && !Kokkos::is_always_assignable_v<Dst, Src>;

template <class DataType, class Layout = LayoutRight>
using V = View<DataType, Layout, HostSpace>;

// Elements
static_assert(always<V<int*>, V<int*>>);
static_assert(always<V<int const*>, V<int*>>);
static_assert(never<V<int*>, V<int const*>>);
static_assert(never<V<long*>, V<int*>>);

// A const view; const elements are another matter.
template <class Dst, class Src>
constexpr bool only_constructs =
    std::is_constructible_v<Dst, Src> && !std::is_assignable_v<Dst&, Src> &&
    !Kokkos::is_always_assignable_v<Dst, Src> && !Kokkos::is_always_assignable<Dst&, Src const&>::value;
static_assert(only_constructs<V<int*> const, V<int*>>);
static_assert(only_constructs<V<int const*> const, V<int*>>);
static_assert(only_constructs<V<int**, LayoutStride> const, V<int**>>);
static_assert(always<V<int*>, V<int*> const>);
static_assert(Kokkos::is_always_assignable_v<V<int*>&, V<int*> const&>);

// Rank and extents
static_assert(never<V<int**>, V<int*>>);
static_assert(never<V<int>, V<int*>>);
static_assert(always<V<int>, V<int>>);
static_assert(always<V<int**>, V<int* [10]>>);
static_assert(always<V<int**>, V<int[4][10]>>);
static_assert(depends<V<int* [10]>, V<int**>>);
static_assert(depends<V<int[4][10]>, V<int* [10]>>);
static_assert(always<V<int[4][10]>, V<int[4][10]>>);
static_assert(never<V<int* [8]>, V<int* [10]>>);
static_assert(never<V<int[4][10]>, V<int[5][10]>>);

// Layouts
static_assert(always<V<int*, LayoutLeft>, V<int*, LayoutRight>>);
static_assert(always<V<int, LayoutLeft>, V<int, LayoutRight>>);
static_assert(never<V<int**, LayoutLeft>, V<int**, LayoutRight>>);
static_assert(always<V<int**, LayoutStride>, V<int**, LayoutRight>>);
static_assert(always<V<int**, LayoutStride>, V<int* [3], LayoutLeft>>);
static_assert(depends<V<int**, LayoutRight>, V<int**, LayoutStride>>);
static_assert(depends<V<int*, LayoutLeft>, V<int*, LayoutStride>>);
static_assert(always<V<int, LayoutLeft>, V<int, LayoutStride>>);

// Memory traits and spaces
static_assert(always<View<int*, HostSpace, MemoryTraits<Kokkos::Unmanaged>>, V<int*>>);
static_assert(always<V<int*>, View<int*, HostSpace, MemoryTraits<Kokkos::Unmanaged>>>);
static_assert(always<View<int*, HostSpace, MemoryTraits<Kokkos::Atomic>>, V<int*>>);
static_assert(depends<View<int*, HostSpace, MemoryTraits<Kokkos::Aligned>>, V<int*>>);
static_assert(always<View<int*, Kokkos::AnonymousSpace>, V<int*>>);
static_assert(always<View<int*, HostSpace>, View<int*, Kokkos::AnonymousSpace>>);
static_assert(never<View<int*, HostSpace>, View<int*, Kokkos::DefaultHostExecutionSpace::scratch_memory_space>>);

template <class Space>
class ViewAssignTest : public ::testing::Test {};
TYPED_TEST_SUITE(ViewAssignTest, Kokkos::Testing::ExecutionSpaces, Kokkos::Testing::SpaceName);

using ViewAssignDeathTest = ::testing::Test;

// ---- results of assignments ----------------------------------------------------------------------------------------

template <class Dst, class Src>
void expect_same_elements(Dst const& dst, Src const& src) {
  EXPECT_EQ(dst.data(), src.data());
  EXPECT_EQ(dst.label(), src.label());
  EXPECT_EQ(dst.use_count(), src.use_count());
  for (std::size_t r = 0; r < Src::rank(); ++r) {
    EXPECT_EQ(dst.extent(r), src.extent(r));
    EXPECT_EQ(dst.stride(r), src.stride(r));
  }
}

/// Converts to Dst in every possible form, and calls is_assignable first.
template <class Dst, class Src>
void expect_assigns(Src const& src) {
  EXPECT_TRUE(Kokkos::is_assignable(Dst(), src));
  Dst const constructed(src);
  expect_same_elements(constructed, src);
  Dst assigned;
  assigned = src;
  expect_same_elements(assigned, src);
  Dst moved;
  moved = Src(src);
  expect_same_elements(moved, src);
}

template <class Space>
void expect_assignments() {
  View<int**, Space> const a("a", 4, 10);
  expect_assigns<View<int const**, Space>>(a);
  expect_assigns<View<int* [10], Space>>(a);
  expect_assigns<View<int[4][10], Space>>(a);
  expect_assigns<View<int const[4][10], Space>>(a);
  expect_assigns<View<int**, LayoutStride, Space>>(a);
  expect_assigns<View<int* [10], LayoutStride, Space>>(a);

  View<int[4][10], Space> const fixed = a;
  expect_assigns<View<int**, Space>>(fixed);
  View<int**, LayoutStride, Space> const strided = a;
  expect_assigns<View<int**, Space>>(strided);
  expect_assigns<View<int[4][10], Space>>(strided);

  View<int*, Space> const line("line", 7);
  expect_assigns<View<int*, LayoutLeft, Space>>(line);
  expect_assigns<View<int*, LayoutRight, Space>>(line);
  expect_assigns<View<int[7], LayoutLeft, Space>>(line);

  View<int**, LayoutLeft, Space> const padded(Kokkos::view_alloc("padded", Kokkos::AllowPadding), 37, 3);
  expect_assigns<View<int const**, LayoutLeft, Space>>(padded);
  expect_assigns<View<int* [3], LayoutLeft, Space>>(padded);
  View<int**, LayoutStride, Space> const padded_strided = padded;
  expect_assigns<View<int**, LayoutLeft, Space>>(padded_strided);
  EXPECT_FALSE(Kokkos::is_assignable(View<int**, LayoutRight, Space>(), padded_strided));
  // Rows of static length cannot be padded.
  EXPECT_FALSE(Kokkos::is_assignable(View<int[37][3], LayoutLeft, Space>(), padded));
}

TYPED_TEST(ViewAssignTest, SameElementsInAnotherType) { expect_assignments<TypeParam>(); }

TEST(ViewAssign, ThroughAnonymousSpace) {
  View<int*, HostSpace> const a("a", 3);
  View<int*, Kokkos::AnonymousSpace> const b = a;
  View<int*, HostSpace> const c              = b;
  EXPECT_EQ(c.data(), a.data());
  EXPECT_EQ(a.use_count(), 3);
}

/// Strides of dimensions with one index are irrelevant, and later rows keep their stride.
TEST(ViewAssign, DimensionsOfOneIndexHaveAnyStride) {
  int data[100];
  View<int***, LayoutStride, HostSpace> const s(data, LayoutStride(4, 20, 1, 77, 5, 1));
  View<int***, LayoutRight, HostSpace> const r = s;
  EXPECT_EQ(&r(3, 0, 4), &s(3, 0, 4));
  View<int***, LayoutStride, HostSpace> const t(data, LayoutStride(5, 1, 1, 77, 4, 20));
  View<int***, LayoutLeft, HostSpace> const l = t;
  EXPECT_EQ(&l(4, 0, 3), &t(4, 0, 3));
  View<int*, LayoutStride, HostSpace> const one(data, LayoutStride(1, 9));
  EXPECT_TRUE(Kokkos::is_assignable(View<int*, LayoutLeft, HostSpace>(), one));
  View<int**, LayoutStride, HostSpace> const none(data, LayoutStride(0, 9, 5, 3));
  EXPECT_TRUE(Kokkos::is_assignable(View<int**, LayoutLeft, HostSpace>(), none));
}

TEST(ViewAssign, StridesThatDoNotFit) {
  int data[100];
  using Right1 = View<int*, LayoutRight, HostSpace>;
  using Right  = View<int**, LayoutRight, HostSpace>;
  using Left   = View<int**, LayoutLeft, HostSpace>;
  View<int*, LayoutStride, HostSpace> const every_other(data, LayoutStride(5, 2));
  EXPECT_FALSE(Kokkos::is_assignable(Right1(), every_other));
  // Rows that overlap
  View<int**, LayoutStride, HostSpace> const overlapping(data, LayoutStride(5, 2, 4, 1));
  EXPECT_FALSE(Kokkos::is_assignable(Right(), overlapping));
  View<int**, LayoutStride, HostSpace> const rows(data, LayoutStride(5, 9, 4, 1));
  EXPECT_TRUE(Kokkos::is_assignable(Right(), rows));
  EXPECT_FALSE(Kokkos::is_assignable(Left(), rows));
  // Two padded strides cannot be represented.
  View<int***, LayoutStride, HostSpace> const two(data, LayoutStride(2, 40, 3, 10, 4, 1));
  EXPECT_FALSE(Kokkos::is_assignable(View<int***, LayoutRight, HostSpace>(), two));
  View<int***, LayoutStride, HostSpace> const one(data, LayoutStride(2, 30, 3, 10, 4, 1));
  EXPECT_TRUE(Kokkos::is_assignable(View<int***, LayoutRight, HostSpace>(), one));
  EXPECT_FALSE(Kokkos::is_assignable(View<int* [4], LayoutRight, HostSpace>(), rows));
  EXPECT_FALSE(Kokkos::is_assignable(View<int[4], HostSpace>(), View<int*, HostSpace>("v", 5)));
  EXPECT_FALSE(Kokkos::is_assignable(View<int*, HostSpace>(), View<int**, HostSpace>()));
}

TEST(ViewAssign, Comparison) {
  View<int**, LayoutRight, HostSpace> const a("a", 2, 3);
  View<int**, LayoutRight, HostSpace> const b       = a;
  View<int const**, LayoutRight, HostSpace> const c = a;
  EXPECT_TRUE(a == b);
  EXPECT_TRUE(a == c);
  EXPECT_FALSE(a != c);
  EXPECT_FALSE(a == (View<int**, LayoutStride, HostSpace>(a)));
  EXPECT_FALSE(a == (View<int**, LayoutRight, HostSpace>("d", 2, 3)));
  EXPECT_FALSE(a == (View<int**, LayoutRight, HostSpace>(a.data(), 3, 2)));
  EXPECT_FALSE(a == (View<int*, LayoutRight, HostSpace>(a.data(), 6)));
}

TEST(ViewAssignDeathTest, ExtentsThatDiffer) {
  View<int**, HostSpace> const a("grid", 4, 10);
  EXPECT_DEATH((View<int* [9], HostSpace>(a)),
               "View \"grid\": incompatible View assignment: dimension 1 has extent 10, .* fixes it to 9");
}

TEST(ViewAssignDeathTest, StridesThatDiffer) {
  View<int**, LayoutRight, HostSpace> const a("grid", 4, 10);
  View<int**, LayoutStride, HostSpace> const s = a;
  EXPECT_DEATH(
      (View<int**, LayoutLeft, HostSpace>(s)),
      "View \"grid\": incompatible View assignment: extents \\(4, 10\\) with strides \\(10, 1\\) cannot be represented "
      "in LayoutLeft\\. Assign to a view of LayoutStride, or copy with Kokkos::deep_copy\\.");
}

}  // namespace
