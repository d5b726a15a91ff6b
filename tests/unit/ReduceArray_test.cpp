// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Reductions to arrays whose length is known at run time: `value_type = T[]` and `value_count`.

#include "Messages.hpp"
#include "PatternTest.hpp"

#include <stdexcept>
#include <string>
#include <vector>

namespace {

using Kokkos::Testing::on_host;

template <class Space>
class ReduceArrayTest : public ::testing::Test {};
TYPED_TEST_SUITE(ReduceArrayTest, Kokkos::Testing::ExecutionSpaces, Kokkos::Testing::SpaceName);

/// sum[j] = sum over i of i * (j + 1)
struct Columns {
  using value_type = double[];
  using size_type  = std::size_t;
  size_type value_count;

  KOKKOS_FUNCTION void operator()(size_type const i, value_type sum) const {
    for (size_type j = 0; j < value_count; ++j) sum[j] += static_cast<double>(i * (j + 1));
  }
  KOKKOS_FUNCTION void join(value_type dst, value_type const src) const {
    for (size_type j = 0; j < value_count; ++j) dst[j] += src[j];
  }
  KOKKOS_FUNCTION void init(value_type sum) const {
    for (size_type j = 0; j < value_count; ++j) sum[j] = 0;
  }
};

/// The same with default operations only.
struct PlainColumns {
  using value_type = double[];
  int value_count;

  KOKKOS_FUNCTION void operator()(int i, double* sum) const {
    for (int j = 0; j < value_count; ++j) sum[j] += i * (j + 1);
  }
};

struct Extremes {
  struct Tag {};
  using value_type     = int[];
  unsigned value_count = 2;

  KOKKOS_FUNCTION void operator()(Tag, int i, int v[]) const {
    v[0] = i < v[0] ? i : v[0];
    v[1] = i > v[1] ? i : v[1];
  }
  KOKKOS_FUNCTION void init(Tag, int v[]) const {
    v[0] = 1 << 30;
    v[1] = -(1 << 30);
  }
  // As in the documentation, the second argument is not const.
  KOKKOS_FUNCTION void join(Tag, int a[], int b[]) const {
    a[0] = b[0] < a[0] ? b[0] : a[0];
    a[1] = b[1] > a[1] ? b[1] : a[1];
  }
  KOKKOS_FUNCTION void final(Tag, int v[]) const { v[1] += 1000; }
};

template <class Array>
void expect_columns(Array const& sums, int count, int n) {
  for (int j = 0; j < count; ++j) EXPECT_EQ(sums[j], n * (n - 1) / 2 * (j + 1)) << "column " << j;
}

TYPED_TEST(ReduceArrayTest, ToABuiltInArray) {
  double sums[10];
  Kokkos::parallel_reduce("columns", Kokkos::RangePolicy<TypeParam>(0, 1000), Columns{10}, sums);
  expect_columns(sums, 10, 1000);
  Kokkos::parallel_reduce(Kokkos::RangePolicy<TypeParam>(0, 77), PlainColumns{10}, sums);
  expect_columns(sums, 10, 77);
  Kokkos::parallel_reduce(Kokkos::RangePolicy<TypeParam>(0, 0), PlainColumns{10}, sums);
  expect_columns(sums, 10, 0);
}

TYPED_TEST(ReduceArrayTest, ToAPointer) {
  std::vector<double> sums(50, -1);
  Kokkos::parallel_reduce(Kokkos::RangePolicy<TypeParam>(0, 1000), Columns{50}, sums.data());
  expect_columns(sums, 50, 1000);
  double* pointer = sums.data();
  Kokkos::parallel_reduce("columns", Kokkos::RangePolicy<TypeParam>(0, 10), PlainColumns{49}, pointer);
  expect_columns(sums, 49, 10);
  EXPECT_EQ(sums[49], 499500 * 50.);
}

TYPED_TEST(ReduceArrayTest, ToAView) {
  Kokkos::View<double*, TypeParam> sums("sums", 300);
  Kokkos::parallel_reduce(Kokkos::RangePolicy<TypeParam>(0, 1000), Columns{300}, sums);
  Kokkos::fence();
  auto host = on_host(sums);
  expect_columns(host.data(), 300, 1000);

  Kokkos::View<double*, Kokkos::HostSpace> on_the_host("sums", 3);
  Kokkos::parallel_reduce("columns", Kokkos::RangePolicy<TypeParam>(0, 1), PlainColumns{3}, on_the_host);
  Kokkos::fence();
  expect_columns(on_the_host.data(), 3, 1);
}

TYPED_TEST(ReduceArrayTest, TagsAndFinal) {
  int result[2];
  Kokkos::parallel_reduce(Kokkos::RangePolicy<TypeParam, Extremes::Tag>(3, 500), Extremes{}, result);
  EXPECT_EQ(result[0], 3);
  EXPECT_EQ(result[1], 1499);
}

template <class Space>
struct FinalColumns : PlainColumns {
  Kokkos::View<double*, Space> result;
  KOKKOS_FUNCTION void final(double* v) const {
    for (int j = 0; j < value_count; ++j) result(j) = v[j];
  }
};

TYPED_TEST(ReduceArrayTest, WithoutAResultTheFunctorTakesIt) {
  FinalColumns<TypeParam> functor{{4}, Kokkos::View<double*, TypeParam>("result", 4)};
  Kokkos::parallel_reduce(Kokkos::RangePolicy<TypeParam>(0, 100), functor);
  Kokkos::fence();
  auto const host = on_host(functor.result);
  expect_columns(host.data(), 4, 100);
}

TYPED_TEST(ReduceArrayTest, AShortResultIsRefused) {
  double sums[3];
  try {
    Kokkos::parallel_reduce(Kokkos::RangePolicy<TypeParam>(0, 10), Columns{4}, sums);
    FAIL();
  } catch (std::runtime_error const& error) {
    EXPECT_NE(std::string(error.what()).find("an array of 4 elements"), std::string::npos) << error.what();
    Kokkos::Testing::expect_all(error.what(), {"has space for 3. Pass a result of at least value_count elements."});
  }
  Kokkos::View<double*, TypeParam> view("short", 3);
  EXPECT_THROW(Kokkos::parallel_reduce(Kokkos::RangePolicy<TypeParam>(0, 10), Columns{4}, view), std::runtime_error);
}

TYPED_TEST(ReduceArrayTest, AStridedResultIsRefused) {
  Kokkos::View<double**, Kokkos::LayoutRight, TypeParam> matrix("matrix", 4, 3);
  auto column = Kokkos::subview(matrix, Kokkos::ALL, 1);
  Kokkos::Testing::expect_all(
      Kokkos::Testing::thrown_message(
          [&] { Kokkos::parallel_reduce(Kokkos::RangePolicy<TypeParam>(0, 10), Columns{4}, column); }),
      {"the elements of the result view \"matrix\" are not contiguous", "Pass a contiguous view."});
}

}  // namespace
