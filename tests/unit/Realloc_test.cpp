// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// choices: not-optimised
#include <TestElements.hpp>
#include <TestSpaces.hpp>

namespace {

using Kokkos::Testing::count_other_numbers;
using Kokkos::Testing::count_other_values;
using Kokkos::Testing::number_elements;

template <class Space>
class ReallocTest : public ::testing::Test {};
TYPED_TEST_SUITE(ReallocTest, Kokkos::Testing::ExecutionSpaces, Kokkos::Testing::SpaceName);

template <class Space>
void expect_every_form() {
  using Vector = Kokkos::View<int*, Space>;
  using Layout = typename Vector::array_layout;
  Vector v("v", 4);
  auto expect_zeros = [&](int n, char const* form) {
    EXPECT_EQ(v.extent_int(0), n) << form;
    EXPECT_EQ(count_other_values(v, 0), 0) << form;
    EXPECT_EQ(v.label(), "v") << form;
    number_elements(v, 1);
  };
  expect_zeros(4, "new");
  Kokkos::realloc(v, 5);
  expect_zeros(5, "extents");
  Kokkos::realloc(v, Layout(6));
  expect_zeros(6, "layout");
  Kokkos::realloc(Kokkos::AllowPadding, v, 7);
  expect_zeros(7, "property, extents");
  Kokkos::realloc(Kokkos::AllowPadding, v, Layout(8));
  expect_zeros(8, "property, layout");
  Space const exec;
  Kokkos::realloc(Kokkos::view_alloc(exec), v, 9);
  exec.fence();
  expect_zeros(9, "view_alloc, extents");
  Kokkos::realloc(Kokkos::view_alloc(exec), v, Layout(10));
  exec.fence();
  expect_zeros(10, "view_alloc, layout");
  Kokkos::realloc(Kokkos::WithoutInitializing, v, 11);
  EXPECT_EQ(v.extent(0), 11u);
}

TYPED_TEST(ReallocTest, EveryForm) { expect_every_form<TypeParam>(); }

template <class Space>
void expect_same_extents_keep_the_memory() {
  Kokkos::View<int** [2], Space> v("v", 4, 5);
  int const* const p = v.data();
  number_elements(v, 1);
  Kokkos::realloc(Kokkos::WithoutInitializing, v, 4, 5);
  EXPECT_EQ(v.data(), p);
  EXPECT_EQ(count_other_numbers(v, 1), 0);
  Kokkos::realloc(v, 4, 5);
  EXPECT_EQ(v.data(), p);
  EXPECT_EQ(count_other_values(v, 0), 0);
  number_elements(v, 1);
  Kokkos::realloc(Kokkos::view_alloc(Space()), v, 4, 5);
  Space().fence();
  EXPECT_EQ(v.data(), p);
  EXPECT_EQ(count_other_values(v, 0), 0);
}

TYPED_TEST(ReallocTest, SameExtentsKeepTheMemory) { expect_same_extents_keep_the_memory<TypeParam>(); }

template <class Space>
void expect_old_memory_goes_first() {
  Kokkos::View<int*, Space> v("v", 4), other = v;
  Kokkos::realloc(v, 8);
  EXPECT_EQ(other.use_count(), 1);
  EXPECT_EQ(other.extent(0), 4u);
  EXPECT_NE(other.data(), v.data());
  Kokkos::View<double***, Space> none;
  Kokkos::realloc(none, 2, 3, 4);
  EXPECT_EQ(none.size(), 24u);
  EXPECT_EQ(count_other_values(none, 0), 0);
}

TYPED_TEST(ReallocTest, OtherViewsKeepTheOldMemory) { expect_old_memory_goes_first<TypeParam>(); }

/// Counts the live objects.
struct Counted {
  static inline int alive = 0;
  Counted() { ++alive; }
  Counted(Counted const&) { ++alive; }
  Counted& operator=(Counted const&) = default;
  ~Counted() { --alive; }
};

TEST(Realloc, OldElementsAreDestroyed) {
  {
    Kokkos::View<Counted*, Kokkos::HostSpace> v(Kokkos::view_alloc("v", Kokkos::SequentialHostInit), 10);
    EXPECT_EQ(Counted::alive, 10);
    Kokkos::realloc(Kokkos::SequentialHostInit, v, 3);
    EXPECT_EQ(Counted::alive, 3);
    Kokkos::realloc(Kokkos::SequentialHostInit, v, 3);
    EXPECT_EQ(Counted::alive, 3);
    Kokkos::resize(Kokkos::SequentialHostInit, v, 7);
    EXPECT_EQ(Counted::alive, 7);
  }
  EXPECT_EQ(Counted::alive, 0);
}

}  // namespace
