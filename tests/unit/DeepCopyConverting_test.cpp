// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// choices: apu not-optimised
#include <TestElements.hpp>
#include <TestForeignSpace.hpp>
#include <TestSpaces.hpp>
#include <Thorough.hpp>

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
class DeepCopyConvertingTest : public ::testing::Test {};
TYPED_TEST_SUITE(DeepCopyConvertingTest, Kokkos::Testing::ExecutionSpaces, Kokkos::Testing::SpaceName);

template <class DstData, class DstLayout, class SrcData, class SrcLayout, class Space, class... N>
void expect_converts(N... n) {
  Kokkos::View<DstData, DstLayout, Space> dst("dst", n...), ordered("ordered", n...);
  Kokkos::View<SrcData, SrcLayout, Space> src("src", n...);
  number_elements(src, 3);
  Kokkos::deep_copy(dst, src);
  EXPECT_EQ(count_other_numbers(dst, 3), 0);
  Kokkos::deep_copy(Space(), ordered, src);
  Space().fence();
  EXPECT_EQ(count_other_numbers(ordered, 3), 0);
}

TYPED_TEST(DeepCopyConvertingTest, TypesAndLayouts) {
  expect_converts<double*, LayoutRight, int*, LayoutRight, TypeParam>(1);
  expect_converts<double*, LayoutRight, int*, LayoutRight, TypeParam>(63);
  expect_converts<double*, LayoutRight, int*, LayoutRight, TypeParam>(64);
  expect_converts<float*, LayoutRight, double*, LayoutRight, TypeParam>(Kokkos::Testing::is_thorough() ? 200001
                                                                                                       : 20001);
  expect_converts<int**, LayoutLeft, long**, LayoutRight, TypeParam>(31, 57);
  expect_converts<double***, LayoutRight, float***, LayoutLeft, TypeParam>(11, 12, 13);
  expect_converts<double** [3], LayoutRight, float** [3], LayoutLeft, TypeParam>(50, 60);
  expect_converts<double, LayoutRight, int, LayoutRight, TypeParam>();
  expect_converts<Kokkos::complex<double>*, LayoutRight, double*, LayoutRight, TypeParam>(100);
  expect_converts<long********, LayoutLeft, int********, LayoutRight, TypeParam>(2, 3, 1, 3, 2, 1, 2, 3);
}

struct Metres {
  double value;
  Metres() = default;
  KOKKOS_FUNCTION explicit Metres(float v) : value(v) {}
  KOKKOS_FUNCTION explicit operator int() const { return static_cast<int>(value); }
};

/// Conversions that are only explicit: of half precision numbers, by a constructor, by an operator.
template <class Space>
void expect_explicit_conversions() {
  using half_t = Kokkos::Experimental::half_t;
  Kokkos::View<half_t*, Space> halves("halves", 100);
  Kokkos::View<float*, Space> floats("floats", 100);
  Kokkos::View<Metres*, Space> metres("metres", 100);
  Kokkos::View<int*, Space> numbers("numbers", 100);
  Kokkos::deep_copy(halves, half_t(3.0f));
  Kokkos::deep_copy(floats, halves);
  EXPECT_EQ(count_other_values(floats, 3), 0);
  Kokkos::deep_copy(metres, floats);
  Kokkos::deep_copy(numbers, metres);
  EXPECT_EQ(count_other_values(numbers, 3), 0);
}
TYPED_TEST(DeepCopyConvertingTest, ExplicitConversions) { expect_explicit_conversions<TypeParam>(); }

template <class Space>
void expect_truncation_and_gaps() {
  Kokkos::View<int*, Space> memory("memory", 100);
  Kokkos::View<double*, Space> values("values", 10);
  Kokkos::deep_copy(memory, -1);
  Kokkos::deep_copy(values, 2.75);
  Kokkos::View<int*, LayoutStride, Space> sparse(memory.data(), LayoutStride(10, 7));
  Kokkos::deep_copy(sparse, values);
  EXPECT_EQ(count_other_values(sparse, 2), 0);
  EXPECT_EQ(count_other_values(memory, -1), 10);
  Kokkos::View<double**, LayoutLeft, Space> matrix("matrix", 6, 10);
  Kokkos::deep_copy(Kokkos::subview(matrix, 4, ALL), sparse);
  EXPECT_EQ(count_other_values(Kokkos::subview(matrix, 4, ALL), 2), 0);
  EXPECT_EQ(count_other_values(matrix, 0), 10);
}

TYPED_TEST(DeepCopyConvertingTest, StridedAndTruncating) { expect_truncation_and_gaps<TypeParam>(); }

// No space can access both sides: the bytes are copied first, and converted at the destination.
TEST(DeepCopyConverting, BetweenMemories) {
  Kokkos::View<int**, LayoutLeft, Kokkos::HostSpace> origin("origin", 30, 40);
  Kokkos::View<int**, LayoutLeft, ForeignSpace> foreign(Kokkos::view_alloc("foreign", Kokkos::WithoutInitializing), 30,
                                                        40);
  Kokkos::View<double**, LayoutRight, Kokkos::HostSpace> result("result", 30, 50);
  number_elements(origin);
  Kokkos::deep_copy(foreign, origin);
  route_calls().clear();
  auto const part = Kokkos::subview(result, ALL, std::pair(4, 44));
  Kokkos::deep_copy(part, foreign);
  ASSERT_EQ(route_calls().size(), 1u);
  EXPECT_EQ(route_calls()[0].route, "host <- foreign");
  EXPECT_EQ(count_other_numbers(part), 0);
  EXPECT_EQ(count_other_values(Kokkos::subview(result, ALL, std::pair(44, 50)), 0), 0);
  Kokkos::deep_copy(part, 0);
  Kokkos::deep_copy(Kokkos::DefaultHostExecutionSpace(), part, foreign);
  EXPECT_EQ(count_other_numbers(part), 0);
}

}  // namespace
