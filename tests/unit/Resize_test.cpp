// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// choices: not-optimised
#include <TestElements.hpp>
#include <TestSpaces.hpp>

#include <string>
#include <utility>

namespace {

using Kokkos::ALL;
using Kokkos::LayoutLeft;
using Kokkos::LayoutRight;
using Kokkos::LayoutStride;
using Kokkos::Testing::count_other_numbers;
using Kokkos::Testing::count_other_values;
using Kokkos::Testing::number_elements;

template <class Space>
class ResizeTest : public ::testing::Test {};
TYPED_TEST_SUITE(ResizeTest, Kokkos::Testing::ExecutionSpaces, Kokkos::Testing::SpaceName);

template <class Layout, class Space>
void expect_common_elements_are_kept() {
  Kokkos::View<int**, Layout, Space> v("label", 6, 10), before = v;
  number_elements(v, 1);
  Kokkos::resize(v, 9, 4);
  EXPECT_EQ(v.extent(0), 9u);
  EXPECT_EQ(v.extent(1), 4u);
  EXPECT_EQ(v.label(), "label");
  // New elements are zero, and existing ones keep their value: the old view still has all of them.
  EXPECT_EQ(count_other_values(Kokkos::subview(v, std::pair(6, 9), ALL), 0), 0);
  EXPECT_EQ(count_other_numbers(before, 1), 0);
  Kokkos::View<int**, Layout, Space> common("common", 6, 4);
  Kokkos::deep_copy(common, Kokkos::subview(before, ALL, std::pair(0, 4)));
  for (int i = 0; i < 6; ++i) {
    EXPECT_EQ(count_other_numbers(Kokkos::subview(v, i, ALL), 1 + 10 * i), 0);
    EXPECT_EQ(count_other_numbers(Kokkos::subview(common, i, ALL), 1 + 10 * i), 0);
  }
}

TYPED_TEST(ResizeTest, CommonElementsAreKept) {
  expect_common_elements_are_kept<LayoutRight, TypeParam>();
  expect_common_elements_are_kept<LayoutLeft, TypeParam>();
}

template <class Space>
void expect_every_form() {
  using Vector = Kokkos::View<int*, Space>;
  Vector v("v", 4);
  using Layout = typename Vector::array_layout;
  number_elements(v);
  int before  = 4;
  auto expect = [&](int n, char const* form) {
    EXPECT_EQ(v.extent_int(0), n) << form;
    EXPECT_EQ(count_other_numbers(Kokkos::subview(v, std::pair(0, before))), 0) << form;
    EXPECT_EQ(v.label(), "v") << form;
    // The next form copies all elements, including those that this one may have left uninitialized.
    if (n < 12) number_elements(v);
    before = n;
  };
  Kokkos::resize(v, 5);
  expect(5, "extents");
  Kokkos::resize(v, Layout(6));
  expect(6, "layout");
  Kokkos::resize(Kokkos::WithoutInitializing, v, 7);
  expect(7, "property, extents");
  Kokkos::resize(Kokkos::WithoutInitializing, v, Layout(8));
  expect(8, "property, layout");
  Kokkos::resize(Kokkos::view_alloc(Kokkos::WithoutInitializing), v, 9);
  expect(9, "view_alloc, extents");
  Kokkos::resize(Kokkos::view_alloc(Kokkos::WithoutInitializing, Kokkos::AllowPadding), v, Layout(10));
  expect(10, "view_alloc, layout");
  Space const exec;
  Kokkos::resize(exec, v, 11);
  exec.fence();
  expect(11, "instance, extents");
  Kokkos::resize(Kokkos::view_alloc(exec), v, 12);
  exec.fence();
  expect(12, "view_alloc with an instance, extents");
  EXPECT_EQ(count_other_values(Kokkos::subview(v, std::pair(11, 12)), 0), 0);
}

TYPED_TEST(ResizeTest, EveryForm) { expect_every_form<TypeParam>(); }

template <class Space>
void expect_same_extents_change_nothing() {
  Kokkos::View<int** [3], Space> v("v", 4, 5);
  int const* const p = v.data();
  Kokkos::resize(v, 4, 5);
  EXPECT_EQ(v.data(), p);
  Kokkos::resize(v, v.layout());
  EXPECT_EQ(v.data(), p);
  Kokkos::resize(v, 5, 4);
  EXPECT_NE(v.data(), p);
  EXPECT_EQ(v.extent(2), 3u);
}

TYPED_TEST(ResizeTest, SameExtentsChangeNothing) { expect_same_extents_change_nothing<TypeParam>(); }

template <class Space>
void expect_from_and_to_nothing() {
  Kokkos::View<double*, Space> v;
  Kokkos::resize(v, 3);
  EXPECT_EQ(v.extent(0), 3u);
  EXPECT_EQ(count_other_values(v, 0), 0);
  Kokkos::resize(v, 0);
  EXPECT_EQ(v.extent(0), 0u);
  Kokkos::View<double[3], Space> fixed;
  Kokkos::resize(fixed);
  EXPECT_TRUE(fixed.is_allocated());
}

TYPED_TEST(ResizeTest, FromAndToNothing) { expect_from_and_to_nothing<TypeParam>(); }

TEST(Resize, StridedLayouts) {
  Kokkos::View<int**, LayoutStride, Kokkos::HostSpace> v("v", LayoutStride(3, 1, 4, 3));
  number_elements(v);
  Kokkos::resize(v, LayoutStride(5, 10, 4, 2));
  EXPECT_EQ(v.stride(0), 10u);
  EXPECT_EQ(count_other_numbers(Kokkos::subview(v, std::pair(0, 3), ALL)), 0);
  int const* const p = v.data();
  Kokkos::resize(v, LayoutStride(5, 10, 4, 2));
  EXPECT_EQ(v.data(), p);
  Kokkos::resize(v, LayoutStride(5, 4, 4, 1));
  EXPECT_EQ(v.stride(0), 4u);
  EXPECT_EQ(count_other_numbers(Kokkos::subview(v, std::pair(0, 3), ALL)), 0);
}

TEST(Resize, ElementsThatAreNotBytesAreAssigned) {
  Kokkos::View<std::string*, Kokkos::HostSpace> words("words", 2);
  words(1) = "a string that is too long to be kept inside of the object";
  Kokkos::resize(words, 4);
  EXPECT_EQ(words(1), "a string that is too long to be kept inside of the object");
  EXPECT_EQ(words(3), "");
}

}  // namespace
