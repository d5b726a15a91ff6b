// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// One class with several kernels: work tags select the operator, and the corresponding init, join and final.

#include "PatternTest.hpp"

namespace {

using Kokkos::Testing::on_host;

struct Fill {};
struct Total {};
struct Largest {};
struct Prefix {};
template <int Power>
struct Scaled {};

template <class Space>
struct Work {
  Kokkos::View<long*, Space> x;

  KOKKOS_FUNCTION void operator()(Fill, int i) const { x(i) = i; }
  KOKKOS_FUNCTION void operator()(Total, int i, long& update) const { update += x(i); }
  KOKKOS_FUNCTION void operator()(Largest, int i, long& update) const { update = x(i) > update ? x(i) : update; }
  KOKKOS_FUNCTION void operator()(Prefix const&, int i, long& update, bool is_final) const {
    update += i;
    if (is_final) x(i) = update;
  }
  KOKKOS_FUNCTION void operator()(int i) const { x(i) = -i; }

  // Only reductions with the tag Largest call these three functions.
  KOKKOS_FUNCTION void init(Largest, long& v) const { v = -1000; }
  KOKKOS_FUNCTION void join(Largest, long& a, long const& b) const { a = b > a ? b : a; }
  KOKKOS_FUNCTION void final(Largest, long& v) const { v = 10 * v; }
};

template <class Space>
struct ScaledWork {
  Kokkos::View<long*, Space> x;

  template <int Power>
  KOKKOS_FUNCTION void operator()(Scaled<Power>, int i) const {
    x(i) = i * Power;
  }
};

template <class Space>
class WorkTagsTest : public ::testing::Test {
 protected:
  static constexpr int n = 500;
  Work<Space> work{Kokkos::View<long*, Space>("x", n)};

  void expect_values(long factor) {
    auto const host = on_host(work.x);
    for (int i = 0; i < n; ++i) ASSERT_EQ(host(i), factor * i);
  }
};
TYPED_TEST_SUITE(WorkTagsTest, Kokkos::Testing::ExecutionSpaces, Kokkos::Testing::SpaceName);

TYPED_TEST(WorkTagsTest, For) {
  Kokkos::parallel_for(Kokkos::RangePolicy<TypeParam, Fill>(0, this->n), this->work);
  this->expect_values(1);
  Kokkos::parallel_for("untagged", Kokkos::RangePolicy<TypeParam>(0, this->n), this->work);
  this->expect_values(-1);
}

TYPED_TEST(WorkTagsTest, TemplatedTags) {
  ScaledWork<TypeParam> scaled{this->work.x};
  Kokkos::parallel_for(Kokkos::RangePolicy<TypeParam, Scaled<3>>(0, this->n), scaled);
  this->expect_values(3);
  Kokkos::parallel_for(Kokkos::RangePolicy<Scaled<7>, TypeParam>(0, this->n), scaled);
  this->expect_values(7);
}

TYPED_TEST(WorkTagsTest, ReduceUsesTheOperationsOfItsTag) {
  Kokkos::parallel_for(Kokkos::RangePolicy<TypeParam, Fill>(0, this->n), this->work);
  long total = 5;
  Kokkos::parallel_reduce(Kokkos::RangePolicy<TypeParam, Total>(0, this->n), this->work, total);
  EXPECT_EQ(total, 499l * 500 / 2);
  long largest = 5;
  Kokkos::parallel_reduce("max", Kokkos::RangePolicy<TypeParam, Largest>(0, this->n), this->work, largest);
  EXPECT_EQ(largest, 4990);
  Kokkos::parallel_reduce(Kokkos::RangePolicy<TypeParam, Largest>(0, 0), this->work, largest);
  EXPECT_EQ(largest, -10000);
}

TYPED_TEST(WorkTagsTest, ReducersAreNotTagged) {
  Kokkos::parallel_for(Kokkos::RangePolicy<TypeParam, Fill>(0, this->n), this->work);
  long largest = 0;
  Kokkos::parallel_reduce(Kokkos::RangePolicy<TypeParam, Largest>(0, this->n), this->work, Kokkos::Max<long>(largest));
  EXPECT_EQ(largest, 499);
}

TYPED_TEST(WorkTagsTest, Scan) {
  long total = 0;
  Kokkos::parallel_scan(Kokkos::RangePolicy<TypeParam, Prefix>(0, this->n), this->work, total);
  EXPECT_EQ(total, 499l * 500 / 2);
  auto const host = on_host(this->work.x);
  for (int i = 0; i < this->n; ++i) ASSERT_EQ(host(i), static_cast<long>(i) * (i + 1) / 2);
}

// The tag selects among overloaded operators, which determines the value type.
TYPED_TEST(WorkTagsTest, ScanWithoutTotal) {
  Kokkos::parallel_scan("prefix", Kokkos::RangePolicy<TypeParam, Prefix>(0, this->n), this->work);
  auto const host = on_host(this->work.x);
  for (int i = 0; i < this->n; ++i) ASSERT_EQ(host(i), static_cast<long>(i) * (i + 1) / 2);
}

}  // namespace
