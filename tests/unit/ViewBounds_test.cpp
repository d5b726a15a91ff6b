// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// choices: not-optimised
/// \file
/// The message of an access out of bounds. The checks are only in headers, so this program can enable them.
#ifndef KOKKOS_ENABLE_DEBUG_BOUNDS_CHECK
#define KOKKOS_ENABLE_DEBUG_BOUNDS_CHECK
#endif
#include <TestSpaces.hpp>

#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <utility>

namespace {

using Kokkos::ALL;
using Kokkos::HostSpace;
using Kokkos::LayoutLeft;
using Kokkos::LayoutStride;
using Kokkos::View;

using ViewBoundsDeathTest = ::testing::Test;

TEST(ViewBoundsDeathTest, LabelIndicesAndExtentsAreNamed) {
  View<int**, HostSpace> const v("grid", 4, 5);
  EXPECT_DEATH(v(4, 1),
               "View \"grid\" of rank 2: out of bounds access at index \\(4, 1\\), extents are \\(4, 5\\)\\. "
               "Index 0 is 4 and must be in \\[0, 4\\)");
  EXPECT_DEATH(v(1, 5), "Index 1 is 5 and must be in \\[0, 5\\)");
  EXPECT_DEATH(v(9, -1), "index \\(9, -1\\).* Index 0 is 9 .* Index 1 is -1 and must be in \\[0, 5\\)");
  EXPECT_EQ(v(3, 4), 0);
}

TEST(ViewBoundsDeathTest, EveryRankAndLayout) {
  EXPECT_DEATH((View<int*, HostSpace>("a", 3)[3]), "\"a\" of rank 1: .*index \\(3\\), extents are \\(3\\)");
  EXPECT_DEATH((View<int[3], HostSpace>("a")(-1)), "index \\(-1\\), extents are \\(3\\)");
  EXPECT_DEATH((View<int*, HostSpace>("a", 0)(0)), "but there is no element");
  EXPECT_DEATH((View<int** [2], LayoutLeft, HostSpace>("a", 3, 4)(0, 4, 0)), "Index 1 is 4");
  EXPECT_DEATH((View<int*, LayoutStride, HostSpace>("a", LayoutStride(3, 2))(3)), "Index 0 is 3");
  EXPECT_DEATH((View<int********, HostSpace>("a", 1, 2, 3, 1, 2, 3, 1, 2)(0, 0, 0, 0, 0, 0, 0, 2)),
               "of rank 8: .*\\(0, 0, 0, 0, 0, 0, 0, 2\\), extents are \\(1, 2, 3, 1, 2, 3, 1, 2\\). Index 7 is 2");
  EXPECT_DEATH((View<int*, HostSpace, Kokkos::MemoryTraits<Kokkos::Atomic>>("a", 3)(3) = 1), "Index 0 is 3");
}

TEST(ViewBoundsDeathTest, ArraysOfPrograms) {
  int const index = 2;
  KOKKOS_ARRAY_BOUNDS_CHECK(index, 3);
  EXPECT_DEATH(KOKKOS_ARRAY_BOUNDS_CHECK(index, 2), "the index is not less than the number of elements");
  EXPECT_DEATH(KOKKOS_ARRAY_BOUNDS_CHECK(-index, 2), "the index is not less than the number of elements");
}

TEST(ViewBoundsDeathTest, UnmanagedViewsHaveNoLabel) {
  int x[2] = {};
  EXPECT_DEATH((View<int*, HostSpace>(x, 2)(2)), "View \\(without a label\\) of rank 1: out of bounds");
}

TEST(ViewBoundsDeathTest, ANegativeExtentOfAPointer) {
  int x = 0;
  EXPECT_DEATH((View<int*, HostSpace>(&x, -1)), "extents \\(-1\\); extent 0 is negative");
}

TEST(ViewBoundsDeathTest, AccessBeyondTheRank) {
  View<int*, HostSpace> const v("v", 3);
  EXPECT_EQ(v.access(2, 0, 0), 0);
  EXPECT_DEATH(v.access(2, 0, 1),
               "\"v\" of rank 1: access\\(\\) was given 1 as index 2; indices beyond the rank must be 0\\.");
  EXPECT_DEATH(v.access(3, 0), "Index 0 is 3");
}

TEST(ViewBoundsDeathTest, Subviews) {
  View<int**, HostSpace> const v("grid", 4, 5);
  EXPECT_DEATH(Kokkos::subview(v, 4, ALL),
               "View \"grid\": a subview selects index 4 of dimension 0, whose extent is 4; out of bounds. It must be "
               "an index in "
               "\\[0, 4\\)");
  EXPECT_DEATH(
      Kokkos::subview(v, ALL, std::pair(2, 6)),
      "selects \\[2, 6\\) of dimension 1, whose extent is 5; out of bounds. It must be a range within \\[0, 5\\)");
  EXPECT_DEATH(Kokkos::subview(v, ALL, std::pair(3, 2)), "selects \\[3, 2\\) of dimension 1");
  EXPECT_DEATH(Kokkos::subview(v, Kokkos::pair<int, int>(-1, 2), 0), "selects \\[-1, 2\\) of dimension 0");
  EXPECT_DEATH((View<int*, LayoutStride, HostSpace>(v, ALL, 5)), "selects index 5 of dimension 1");
  EXPECT_EQ(Kokkos::subview(v, ALL, std::pair(5, 5)).extent(1), 0u);
  // A subview has its own bounds, and the label of the whole view.
  EXPECT_DEATH(Kokkos::subview(v, 1, std::pair(1, 3))(2), "\"grid\" of rank 1: .*index \\(2\\), extents are \\(2\\)");
}

template <class Space>
class ViewBoundsInKernelDeathTest : public ::testing::Test {};
TYPED_TEST_SUITE(ViewBoundsInKernelDeathTest, Kokkos::Testing::ExecutionSpaces, Kokkos::Testing::SpaceName);

template <class Space>
void write_until(View<int*, Space> const& v, int n) {
  Kokkos::parallel_for("write", Kokkos::RangePolicy<Space>(0, n), KOKKOS_LAMBDA(int i) { v(i) = i; });
  try {
    Space().fence();
  } catch (std::runtime_error const& error) {
    std::fputs(error.what(), stderr);  // a device prints the kernel's message itself, on standard output
    std::abort();
  }
}

/// Also for an index of a thread that did not launch the kernel: with two threads, this one runs the last half. Without
/// a label, the message contains the functor's type.
struct Fill {
  View<int*, HostSpace> v;
  void operator()(int i) const { v(i) = i; }
};
TEST(ViewBoundsDeathTest, KernelIsNamed) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  View<int*, HostSpace> const v("v", 10);
  using Policy = Kokkos::RangePolicy<Kokkos::DefaultHostExecutionSpace, Kokkos::IndexType<int>>;
  EXPECT_DEATH(Kokkos::parallel_for("first", Policy(-1, 10), Fill{v}), "Index 0 is -1 .*In the kernel \"first\"\\.");
  EXPECT_DEATH(Kokkos::parallel_for("last", Policy(0, 11), Fill{v}), "Index 0 is 10 .*In the kernel \"last\"\\.");
  EXPECT_DEATH(Kokkos::parallel_for(Policy(0, 11), Fill{v}), "In the kernel \".*::Fill\"\\.");
}

/// The copies in a kernel do not own the elements, but still refer to the label.
TYPED_TEST(ViewBoundsInKernelDeathTest, InKernels) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  View<int*, TypeParam> const v("in kernel", 10);
  write_until<TypeParam>(v, 10);
  constexpr bool on_host = Kokkos::SpaceAccessibility<HostSpace, typename TypeParam::memory_space>::accessible;
  EXPECT_DEATH(
      write_until<TypeParam>(v, 11),
      on_host ? "\"in kernel\" of rank 1: out of bounds access.* In the kernel \"write\"" : "in the kernel \"write\"");
}

}  // namespace
