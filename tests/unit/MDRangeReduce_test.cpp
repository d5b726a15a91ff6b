// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// choices: isa
/// \file
/// parallel_reduce over index ranges of 1 to 6 dimensions.

#include "PatternTest.hpp"

#include <cstdint>

namespace {

using Kokkos::Iterate;
using Kokkos::MDRangePolicy;
using Kokkos::Rank;
using Kokkos::Testing::on_host;

template <class Space>
class MDRangeReduceTest : public ::testing::Test {};
TYPED_TEST_SUITE(MDRangeReduceTest, Kokkos::Testing::ExecutionSpaces, Kokkos::Testing::SpaceName);

/// Uses the indices as digits, so that every point contributes a different number.
struct SumOfDigits {
  template <class... Args>
  KOKKOS_FUNCTION static std::int64_t number(Args... i) {
    std::int64_t n = 0;
    ((n = 10 * n + static_cast<std::int64_t>(i)), ...);
    return n;
  }
  KOKKOS_FUNCTION void operator()(int a, std::int64_t& s) const { s += number(a); }
  KOKKOS_FUNCTION void operator()(int a, int b, std::int64_t& s) const { s += number(a, b); }
  KOKKOS_FUNCTION void operator()(int a, int b, int c, std::int64_t& s) const { s += number(a, b, c); }
  KOKKOS_FUNCTION void operator()(int a, int b, int c, int d, std::int64_t& s) const { s += number(a, b, c, d); }
  KOKKOS_FUNCTION void operator()(int a, int b, int c, int d, int e, std::int64_t& s) const {
    s += number(a, b, c, d, e);
  }
  KOKKOS_FUNCTION void operator()(int a, int b, int c, int d, int e, int f, std::int64_t& s) const {
    s += number(a, b, c, d, e, f);
  }
};

/// The same sum, dimension by dimension: digit d iterates over its range once for each point of the other dimensions.
template <class Policy>
std::int64_t expected_sum(Policy const& policy) {
  std::int64_t points = 1, sum = 0;
  for (int d = 0; d < Policy::rank; ++d) points *= policy.m_upper[d] - policy.m_lower[d];
  if (points == 0) return 0;
  for (int d = 0; d < Policy::rank; ++d) {
    std::int64_t const first = policy.m_lower[d], last = policy.m_upper[d] - 1;
    sum = 10 * sum + (first + last) * (last - first + 1) / 2 * (points / (last - first + 1));
  }
  return sum;
}

template <class Policy>
void sum_range(Policy const& policy) {
  std::int64_t sum = -1;
  Kokkos::parallel_reduce("index range", policy, SumOfDigits{}, sum);
  EXPECT_EQ(sum, expected_sum(policy));
  sum = -1;
  Kokkos::parallel_reduce(policy, SumOfDigits{}, Kokkos::Sum<std::int64_t>(sum));
  EXPECT_EQ(sum, expected_sum(policy));
  Kokkos::View<std::int64_t, typename Policy::execution_space> view("sum");
  Kokkos::parallel_reduce(policy, SumOfDigits{}, view);
  policy.space().fence();
  EXPECT_EQ(on_host(view)(), expected_sum(policy));
}

TYPED_TEST(MDRangeReduceTest, EveryRank) {
  sum_range(MDRangePolicy<TypeParam, Rank<1>>({3}, {1000}));
  sum_range(MDRangePolicy<TypeParam, Rank<2>>({0, 1}, {100, 200}));
  sum_range(MDRangePolicy<TypeParam, Rank<3>>({0, 1, 2}, {10, 20, 30}));
  sum_range(MDRangePolicy<TypeParam, Rank<4>>({0, 1, 2, 3}, {10, 9, 12, 4}));
  sum_range(MDRangePolicy<TypeParam, Rank<5>>({0, 1, 2, 3, 4}, {10, 9, 12, 4, 6}));
  sum_range(MDRangePolicy<TypeParam, Rank<6>>({0, 1, 2, 3, 4, 5}, {4, 9, 6, 5, 6, 8}));
}

TYPED_TEST(MDRangeReduceTest, TilesDirectionsSchedules) {
  sum_range(MDRangePolicy<TypeParam, Rank<2>>({0, 1}, {13, 9}, {3, 4}));
  sum_range(MDRangePolicy<TypeParam, Rank<3, Iterate::Left, Iterate::Left>>({0, 1, 2}, {13, 9, 5}, {3, 4, 2}));
  sum_range(MDRangePolicy<TypeParam, Rank<3, Iterate::Right, Iterate::Left>>({0, 1, 2}, {13, 9, 5}, {3, 4, 2}));
  sum_range(MDRangePolicy<TypeParam, Rank<2>, Kokkos::Schedule<Kokkos::Dynamic>>({0, 1}, {130, 90}, {3, 4}));
  sum_range(MDRangePolicy<TypeParam, Rank<2>, int>({-10, 1}, {13, 9}));
}

TYPED_TEST(MDRangeReduceTest, EmptyRangesGiveTheIdentity) {
  sum_range(MDRangePolicy<TypeParam, Rank<2>>({0, 4}, {13, 4}));
  std::int64_t max = 0;
  Kokkos::parallel_reduce(MDRangePolicy<TypeParam, Rank<2>>({0, 4}, {13, 4}), SumOfDigits{},
                          Kokkos::Max<std::int64_t>(max));
  EXPECT_EQ(max, Kokkos::reduction_identity<std::int64_t>::max());
}

struct Tag {};
struct TaggedRows {
  using value_type = long[];
  unsigned value_count;
  KOKKOS_FUNCTION void operator()(Tag, int i, int j, long* rows) const { rows[i] += j; }
};

TYPED_TEST(MDRangeReduceTest, ArraysAndTags) {
  long rows[5];
  Kokkos::parallel_reduce(MDRangePolicy<TypeParam, Rank<2>, Tag>({0, 0}, {5, 100}), TaggedRows{5}, rows);
  for (long row : rows) EXPECT_EQ(row, 4950);
}

template <class Space>
struct FinalRange {
  Kokkos::View<double, Space> result;
  KOKKOS_FUNCTION void operator()(int i, int j, int k, double& update) const { update += i * j * k; }
  KOKKOS_FUNCTION void final(double& v) const { result() = v; }
};

TYPED_TEST(MDRangeReduceTest, WithoutAResultTheFunctorTakesIt) {
  FinalRange<TypeParam> functor{Kokkos::View<double, TypeParam>("result")};
  Kokkos::parallel_reduce(MDRangePolicy<TypeParam, Rank<3>>({0, 0, 0}, {4, 5, 6}), functor);
  Kokkos::fence();
  EXPECT_EQ(on_host(functor.result)(), 6 * 10 * 15);
}

}  // namespace
