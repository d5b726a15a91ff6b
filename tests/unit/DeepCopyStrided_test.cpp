// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// choices: apu isa not-optimised one-rocm starts-first
#include <TestElements.hpp>
#include <TestForeignSpace.hpp>
#include <TestSpaces.hpp>

#include <utility>

namespace {

using Kokkos::ALL;
using Kokkos::LayoutLeft;
using Kokkos::LayoutRight;
using Kokkos::LayoutStride;
using Kokkos::Testing::count_other_numbers;
using Kokkos::Testing::count_other_values;
using Kokkos::Testing::ForeignSpace;
using Kokkos::Testing::number_elements;
using Kokkos::Testing::route_calls;

template <class Space>
class DeepCopyStridedTest : public ::testing::Test {};
TYPED_TEST_SUITE(DeepCopyStridedTest, Kokkos::Testing::ExecutionSpaces, Kokkos::Testing::SpaceName);

// ---- plans ----------------------------------------------------------------------------------------------------------

template <class Dst, class Src>
Kokkos::Impl::CopyPlan plan_of(Dst const& dst, Src const& src) {
  return Kokkos::Impl::plan_copy(sizeof(typename Dst::value_type), Kokkos::Impl::copy_side(dst),
                                 Kokkos::Impl::copy_side(src));
}

template <class T, class Layout>
using HostView = Kokkos::View<T, Layout, Kokkos::HostSpace>;

TEST(CopyPlan, WhatIsContiguousOnBothSidesIsOneBlock) {
  HostView<int****, LayoutRight> a("a", 3, 4, 5, 6), b("b", 3, 4, 5, 6);
  auto const plan = plan_of(a, b);
  EXPECT_EQ(plan.rank, 0);
  EXPECT_EQ(plan.block, 360u);
  auto const part =
      plan_of(Kokkos::subview(a, std::pair(1, 3), ALL, ALL, ALL), Kokkos::subview(b, std::pair(0, 2), ALL, ALL, ALL));
  EXPECT_EQ(part.rank, 0);
  EXPECT_EQ(part.block, 240u);
  HostView<int***, LayoutLeft> l("l", 3, 4, 5), m("m", 3, 4, 5);
  EXPECT_EQ(plan_of(l, m).rank, 0);
}

TEST(CopyPlan, RowsAtAPitchAreRankOne) {
  HostView<int***, LayoutRight> a("a", 3, 4, 10), b("b", 3, 4, 6);
  auto const plan = plan_of(Kokkos::subview(a, ALL, ALL, std::pair(2, 8)), b);
  ASSERT_EQ(plan.rank, 1);
  EXPECT_EQ(plan.block, 6u);
  EXPECT_EQ(plan.dimension[0].extent, 12u);
  EXPECT_EQ(plan.dimension[0].dst_stride, 10u);
  EXPECT_EQ(plan.dimension[0].src_stride, 6u);
  auto const column = plan_of(Kokkos::subview(a, 1, ALL, 3), Kokkos::subview(b, 1, ALL, 3));
  EXPECT_EQ(column.rank, 1);
  EXPECT_EQ(column.block, 1u);
}

TEST(CopyPlan, DimensionsOfOneIndexDoNotCount) {
  HostView<int****, LayoutRight> a("a", 1, 40, 1, 1);
  HostView<int****, LayoutLeft> b("b", 1, 40, 1, 1);
  auto const plan = plan_of(a, b);
  EXPECT_EQ(plan.rank, 0);
  EXPECT_EQ(plan.block, 40u);
  HostView<int, LayoutRight> c("c"), d("d");
  EXPECT_EQ(plan_of(c, d).block, 1u);
  HostView<int**, LayoutRight> e("e", 4, 0), f("f", 4, 0);
  EXPECT_EQ(plan_of(e, f).block, 0u);
  EXPECT_EQ(plan_of(e, f).bytes(), 0u);
}

TEST(CopyPlan, ATranspositionKeepsItsDimensions) {
  HostView<int**, LayoutRight> a("a", 30, 40);
  HostView<int**, LayoutLeft> b("b", 30, 40);
  auto const plan = plan_of(a, b);
  ASSERT_EQ(plan.rank, 2);
  EXPECT_EQ(plan.block, 1u);
  EXPECT_EQ(plan.dimension[0].dst_stride, 1u);
  EXPECT_EQ(plan.dimension[0].src_stride, 30u);
  EXPECT_EQ(plan.size(), 1200u);
}

// ---- copies ---------------------------------------------------------------------------------------------------------

/// Copies between layouts, in both directions.
template <class DataType, class Space, class... N>
void expect_layouts_convert(N... n) {
  Kokkos::View<DataType, LayoutLeft, Space> left("left", n...), back("back", n...);
  Kokkos::View<DataType, LayoutRight, Space> right("right", n...);
  number_elements(left);
  Kokkos::deep_copy(right, left);
  EXPECT_EQ(count_other_numbers(right), 0);
  Kokkos::deep_copy(Space(), back, right);
  Space().fence();
  EXPECT_EQ(count_other_numbers(back), 0);
}

TYPED_TEST(DeepCopyStridedTest, BetweenLayouts) {
  // Extents below, at and above those of a tile; elements of every size with a specialised loop, and of another size.
  expect_layouts_convert<int**, TypeParam>(3, 2);
  expect_layouts_convert<int**, TypeParam>(64, 64);
  expect_layouts_convert<double**, TypeParam>(129, 67);
  expect_layouts_convert<float**, TypeParam>(37, 259);
  expect_layouts_convert<char**, TypeParam>(70, 131);
  expect_layouts_convert<short**, TypeParam>(65, 77);
  expect_layouts_convert<Kokkos::complex<double>**, TypeParam>(65, 33);
  expect_layouts_convert<double**, TypeParam>(300, 3);
  expect_layouts_convert<double**, TypeParam>(3, 300);
  expect_layouts_convert<int***, TypeParam>(5, 35, 21);
  expect_layouts_convert<int****, TypeParam>(7, 1, 9, 11);
  expect_layouts_convert<long*** [4], TypeParam>(5, 8, 6);
  expect_layouts_convert<int********, TypeParam>(2, 3, 2, 3, 2, 3, 2, 3);
}

/// Copies only the middle of one array to the middle of another.
template <class Layout, class OtherLayout, class T, class Space>
void expect_only_the_middle_is_copied(int n0, int n1, int n2) {
  Kokkos::View<T***, Layout, Space> dst("dst", n0, n1, n2);
  Kokkos::View<T***, OtherLayout, Space> src("src", n0 - 2, n1 - 2, n2 - 2);
  Kokkos::deep_copy(dst, T(100));
  number_elements(src);
  auto const middle = Kokkos::subview(dst, std::pair(1, n0 - 1), std::pair(1, n1 - 1), std::pair(1, n2 - 1));
  Kokkos::deep_copy(middle, src);
  EXPECT_EQ(count_other_numbers(middle), 0);
  // All other elements are still 100: after setting the middle to 100 as well, no other value remains.
  Kokkos::deep_copy(middle, T(100));
  EXPECT_EQ(count_other_values(dst, 100), 0);
}

TYPED_TEST(DeepCopyStridedTest, OnlyElementsOfTheViewAreTouched) {
  expect_only_the_middle_is_copied<LayoutRight, LayoutRight, double, TypeParam>(12, 13, 14);
  expect_only_the_middle_is_copied<LayoutRight, LayoutLeft, int, TypeParam>(12, 13, 14);
  expect_only_the_middle_is_copied<LayoutLeft, LayoutLeft, char, TypeParam>(20, 10, 66);
  expect_only_the_middle_is_copied<LayoutLeft, LayoutRight, float, TypeParam>(70, 5, 20);
}

/// Copies all elements to the other layout, and then a part, in which no dimension continues another one.
template <class Data, class Layout, class OtherLayout, class Space, class... N>
void expect_transposed(N... n) {
  Kokkos::View<Data, Layout, Space> const dst("dst", n...);
  Kokkos::View<Data, OtherLayout, Space> const src("src", n...);
  number_elements(src);
  Kokkos::deep_copy(dst, src);
  EXPECT_EQ(count_other_numbers(dst), 0);
  auto const to   = Kokkos::subview(dst, std::pair(1, n)...);
  auto const from = Kokkos::subview(src, std::pair(0, n - 1)...);
  number_elements(from, 7);
  Kokkos::deep_copy(to, from);
  EXPECT_EQ(count_other_numbers(to, 7), 0);
}

// GPUs transpose tiles. A side of a tile takes a second dimension if the first one is short and the second continues it.
TYPED_TEST(DeepCopyStridedTest, TranspositionsOfShortDimensions) {
  expect_transposed<double********, LayoutLeft, LayoutRight, TypeParam>(3, 4, 2, 3, 2, 3, 5, 4);
  expect_transposed<double*****, LayoutRight, LayoutLeft, TypeParam>(5, 6, 3, 4, 7);
  expect_transposed<char****, LayoutLeft, LayoutRight, TypeParam>(3, 12, 35, 5);
  expect_transposed<int***, LayoutRight, LayoutLeft, TypeParam>(9, 10, 11);
  // Sides that do not divide a block's threads, beside long ones, in both directions.
  expect_transposed<double***, LayoutRight, LayoutLeft, TypeParam>(3, 5, 200);
  expect_transposed<float***, LayoutLeft, LayoutRight, TypeParam>(3, 5, 500);
  expect_transposed<short**, LayoutRight, LayoutLeft, TypeParam>(700, 21);
  expect_transposed<long**, LayoutLeft, LayoutRight, TypeParam>(3, 1300);
  expect_transposed<char**, LayoutRight, LayoutLeft, TypeParam>(5, 2300);
  expect_transposed<Kokkos::complex<double>***, LayoutLeft, LayoutRight, TypeParam>(2, 90, 7);
}

/// Rows long enough to be cut into several pieces.
template <class Space>
void expect_long_rows() {
  int const n = 50000;
  Kokkos::View<int**, LayoutRight, Space> dst("dst", 3, n + 7), src("src", 3, n);
  number_elements(src);
  auto const part = Kokkos::subview(dst, ALL, std::pair(3, n + 3));
  Kokkos::deep_copy(part, src);
  EXPECT_EQ(count_other_numbers(part), 0);
  Kokkos::deep_copy(part, 0);
  EXPECT_EQ(count_other_values(dst, 0), 0);
  Kokkos::deep_copy(part, 9);
  EXPECT_EQ(count_other_values(part, 9), 0);
  EXPECT_EQ(count_other_values(Kokkos::subview(dst, ALL, std::pair(n + 3, n + 7)), 0), 0);
}

TYPED_TEST(DeepCopyStridedTest, LongRows) { expect_long_rows<TypeParam>(); }

/// Every third element in both dimensions; fills do not change the elements between.
template <class Space>
void expect_gaps_survive() {
  Kokkos::View<int*, Space> memory("memory", 3000), values("values", 3000);
  Kokkos::deep_copy(memory, -1);
  Kokkos::View<int**, LayoutStride, Space> sparse(memory.data(), LayoutStride(10, 3, 20, 150));
  Kokkos::View<int**, LayoutRight, Space> dense("dense", 10, 20);
  number_elements(dense);
  Kokkos::deep_copy(sparse, dense);
  EXPECT_EQ(count_other_numbers(sparse), 0);
  EXPECT_EQ(count_other_values(memory, -1), 200);
  Kokkos::deep_copy(sparse, 5);
  EXPECT_EQ(count_other_values(sparse, 5), 0);
  EXPECT_EQ(count_other_values(memory, -1), 200);
  Kokkos::deep_copy(dense, sparse);
  EXPECT_EQ(count_other_values(dense, 5), 0);
}

TYPED_TEST(DeepCopyStridedTest, GapsSurvive) { expect_gaps_survive<TypeParam>(); }

/// Columns of a matrix with `step` columns, by element size; GPUs copy them in a kernel of their own.
template <class T, class Space>
void expect_columns_copied(int n, int step) {
  Kokkos::View<T**, LayoutRight, Space> const to("to", n, step), from("from", n, step + 1);
  Kokkos::View<T*, Space> const dense("dense", n);
  auto const first = Kokkos::subview(from, ALL, 0), last = Kokkos::subview(to, ALL, step - 1);
  Kokkos::deep_copy(to, T(1));
  number_elements(first);
  Kokkos::deep_copy(last, first);
  Kokkos::deep_copy(dense, last);
  EXPECT_EQ(count_other_numbers(dense), 0);
  Kokkos::deep_copy(last, T(1));
  EXPECT_EQ(count_other_values(to, 1), 0);
}

TYPED_TEST(DeepCopyStridedTest, Columns) {
  for (int n : {1, 255, 257, 1025}) expect_columns_copied<double, TypeParam>(n, 2);
  expect_columns_copied<char, TypeParam>(300, 3);
  expect_columns_copied<short, TypeParam>(300, 3);
  expect_columns_copied<int, TypeParam>(70000, 2);  // several elements for each thread of a small GPU
  expect_columns_copied<Kokkos::complex<double>, TypeParam>(300, 2);
}

/// The spans of two rows of one matrix overlap, but their elements are different.
template <class Space>
void expect_interleaved_rows_copy() {
  Kokkos::View<int**, LayoutLeft, Space> m("m", 8, 50);
  number_elements(m);
  Kokkos::deep_copy(Kokkos::subview(m, 2, ALL), Kokkos::subview(m, 5, ALL));
  EXPECT_EQ(count_other_numbers(Kokkos::subview(m, 2, ALL), 5 * 50), 0);
}

TYPED_TEST(DeepCopyStridedTest, RowsOfOneMatrix) { expect_interleaved_rows_copy<TypeParam>(); }

TEST(DeepCopyStrided, PaddedViews) {
  Kokkos::View<double**, LayoutLeft, Kokkos::HostSpace> padded(Kokkos::view_alloc("padded", Kokkos::AllowPadding), 13,
                                                               9),
      dense("dense", 13, 9);
  number_elements(dense);
  Kokkos::deep_copy(padded, dense);
  EXPECT_EQ(count_other_numbers(padded), 0);
}

TEST(DeepCopyStrided, BetweenMemoriesTheRouteIsGivenTheStrides) {
  Kokkos::View<int**, LayoutRight, ForeignSpace> foreign(Kokkos::view_alloc("f", Kokkos::WithoutInitializing), 20, 30);
  Kokkos::View<int**, LayoutRight, Kokkos::HostSpace> host("h", 20, 30), back("b", 20, 30);
  Kokkos::deep_copy(foreign, 0);
  number_elements(host);
  route_calls().clear();
  Kokkos::deep_copy(Kokkos::subview(foreign, ALL, std::pair(5, 10)), Kokkos::subview(host, ALL, std::pair(0, 5)));
  ASSERT_EQ(route_calls().size(), 1u);
  EXPECT_EQ(route_calls()[0].plan_rank, 1);
  EXPECT_EQ(route_calls()[0].bytes, 20 * 5 * sizeof(int));
  Kokkos::deep_copy(back, foreign);
  EXPECT_EQ(back(7, 5), 7 * 30);
  EXPECT_EQ(back(19, 9), 19 * 30 + 4);
  EXPECT_EQ(back(19, 4) + back(19, 10), 0);
  Kokkos::View<int**, LayoutLeft, Kokkos::HostSpace> transposed("t", 20, 30);
  Kokkos::deep_copy(foreign, host);
  Kokkos::deep_copy(transposed, foreign);
  EXPECT_EQ(route_calls().back().plan_rank, 2);
  EXPECT_EQ(count_other_numbers(transposed), 0);
}

}  // namespace
