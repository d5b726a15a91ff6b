// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// choices: apu isa team one-rocm
/// \file
/// parallel_reduce to a variable: sums by default, or with the functor's init, join and final.

#include "PatternTest.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace {

template <class Space>
class ParallelReduceTest : public ::testing::Test {};
TYPED_TEST_SUITE(ParallelReduceTest, Kokkos::Testing::ExecutionSpaces, Kokkos::Testing::SpaceName);

template <class T, class Policy>
T sum_of_indices(Policy const& policy) {
  T sum = 12345;  // overwritten
  Kokkos::parallel_reduce(
      "sum", policy, KOKKOS_LAMBDA(typename Policy::index_type i, T & s) { s += static_cast<T>(i); }, sum);
  return sum;
}

TYPED_TEST(ParallelReduceTest, SumsEveryIterationOnce) {
  using Policy = Kokkos::RangePolicy<TypeParam, std::int64_t>;
  for (std::int64_t n : {0, 1, 2, 3, 7, 100, 1000003}) {
    EXPECT_EQ(sum_of_indices<std::int64_t>(Policy(0, n)), n * (n - 1) / 2) << n;
    EXPECT_EQ(sum_of_indices<double>(Policy(0, n)), static_cast<double>(n * (n - 1) / 2)) << n;
  }
  EXPECT_EQ(sum_of_indices<std::int64_t>(Policy(-10, 10)), -10);
  EXPECT_EQ(sum_of_indices<std::int64_t>(Policy(5, 6)), 5);
  EXPECT_EQ(sum_of_indices<float>(Policy(5, 8)), 18.f);
  std::int64_t const far = std::int64_t{1} << 40;
  EXPECT_EQ(sum_of_indices<std::int64_t>(Policy(far, far + 10)), 10 * far + 45);
}

TYPED_TEST(ParallelReduceTest, DynamicSchedule) {
  using Policy = Kokkos::RangePolicy<TypeParam, Kokkos::Schedule<Kokkos::Dynamic>, std::int64_t>;
  EXPECT_EQ(sum_of_indices<std::int64_t>(Policy(0, 100001, Kokkos::ChunkSize(7))), std::int64_t{100000} * 100001 / 2);
  EXPECT_EQ(sum_of_indices<std::int64_t>(Policy(0, 0)), 0);
  EXPECT_EQ(sum_of_indices<std::int64_t>(Policy(0, 1)), 0);
}

// ---- forms of the call --------------------------------------------------------------------------------------------

template <class Space>
struct CountAll {
  using execution_space = Space;
  KOKKOS_FUNCTION void operator()(int const&, int& count) const { ++count; }
};

TYPED_TEST(ParallelReduceTest, CountsAndLabels) {
  int count = -1;
  Kokkos::parallel_reduce(17, CountAll<TypeParam>{}, count);
  EXPECT_EQ(count, 17);
  Kokkos::parallel_reduce(std::string("label"), 18u, CountAll<TypeParam>{}, count);
  EXPECT_EQ(count, 18);
  Kokkos::parallel_reduce("label", std::size_t{19}, CountAll<TypeParam>{}, count);
  EXPECT_EQ(count, 19);
  Kokkos::parallel_reduce(Kokkos::RangePolicy<TypeParam>(3, 23), CountAll<TypeParam>{}, count);
  EXPECT_EQ(count, 20);
  Kokkos::parallel_reduce(0, CountAll<TypeParam>{}, count);
  EXPECT_EQ(count, 0);
}

// A functor instead of a generic lambda, which nvcc does not accept as a kernel.
struct GenericCount {
  template <class Index, class Update>
  KOKKOS_FUNCTION void operator()(Index, Update& update) const {
    ++update;
  }
};

template <class Space>
int count_with_generic_functor() {
  int count = -1;
  Kokkos::parallel_reduce(Kokkos::RangePolicy<Space>(0, 5), GenericCount{}, count);
  return count;
}

TYPED_TEST(ParallelReduceTest, GenericFunctorTakesTheTypeOfTheResult) {
  EXPECT_EQ(count_with_generic_functor<TypeParam>(), 5);
}

// ---- the functor's own operations ---------------------------------------------------------------------------------

struct LargestRemainder {
  using value_type = int;
  int modulus;

  KOKKOS_FUNCTION void operator()(int i, int& update) const { update = i % modulus > update ? i % modulus : update; }
  KOKKOS_FUNCTION void init(int& v) const { v = -modulus; }
  KOKKOS_FUNCTION void join(int& a, int const& b) const { a = b > a ? b : a; }
};

TYPED_TEST(ParallelReduceTest, InitAndJoinOfTheFunctor) {
  int result = 99;
  Kokkos::parallel_reduce(Kokkos::RangePolicy<TypeParam>(0, 1000), LargestRemainder{37}, result);
  EXPECT_EQ(result, 36);
  Kokkos::parallel_reduce(Kokkos::RangePolicy<TypeParam>(0, 0), LargestRemainder{37}, result);
  EXPECT_EQ(result, -37);
}

struct RootOfSum {
  KOKKOS_FUNCTION void operator()(int i, double& update) const { update += i; }
  KOKKOS_FUNCTION void final(double& v) const { v = v / 2 + 1; }
};

TYPED_TEST(ParallelReduceTest, FinalIsAppliedOnce) {
  double result = 0;
  Kokkos::parallel_reduce(Kokkos::RangePolicy<TypeParam>(0, 101), RootOfSum{}, result);
  EXPECT_EQ(result, 2526);
  Kokkos::parallel_reduce(Kokkos::RangePolicy<TypeParam>(0, 0), RootOfSum{}, result);
  EXPECT_EQ(result, 1);
}

template <class Space>
struct StoreFinal {
  using value_type = long;
  Kokkos::View<long, Space> result;

  KOKKOS_FUNCTION void operator()(int i, long& update) const { update += i; }
  KOKKOS_FUNCTION void final(long& v) const { result() = v; }
};

template <class Space>
struct StoreFinalUndeclared {
  Kokkos::View<double, Space> result;

  KOKKOS_FUNCTION void operator()(int i, double& update) const { update += i; }
  KOKKOS_FUNCTION void final(double& v) const { result() = v; }
};

TYPED_TEST(ParallelReduceTest, WithoutAResultTheFunctorTakesIt) {
  StoreFinal<TypeParam> functor{Kokkos::View<long, TypeParam>("result")};
  Kokkos::parallel_reduce(Kokkos::RangePolicy<TypeParam>(0, 100), functor);
  Kokkos::fence();
  EXPECT_EQ(Kokkos::Testing::on_host(functor.result)(), 4950);

  StoreFinalUndeclared<TypeParam> undeclared{Kokkos::View<double, TypeParam>("result")};
  Kokkos::parallel_reduce("label", Kokkos::RangePolicy<TypeParam>(0, 100), undeclared);
  Kokkos::fence();
  EXPECT_EQ(Kokkos::Testing::on_host(undeclared.result)(), 4950);
}

// ---- value types --------------------------------------------------------------------------------------------------

/// Supports only sums: the identity is its default value, and its only operation is addition.
struct Vec3 {
  double x[3] = {0, 0, 0};
  KOKKOS_FUNCTION friend Vec3 operator+(Vec3 const& a, Vec3 const& b) {
    Vec3 c;
    for (int i = 0; i < 3; ++i) c.x[i] = a.x[i] + b.x[i];
    return c;
  }
};

template <class Space>
Vec3 sum_vectors(int n) {
  Vec3 sum;
  sum.x[0] = 77;
  Kokkos::parallel_reduce(
      Kokkos::RangePolicy<Space>(0, n),
      KOKKOS_LAMBDA(int i, Vec3& s) {
        s.x[0] += 1;
        s.x[1] += i;
        s.x[2] += 2 * i;
      },
      sum);
  return sum;
}

TYPED_TEST(ParallelReduceTest, StructsWithPlusOnly) {
  Vec3 const sum = sum_vectors<TypeParam>(1000);
  EXPECT_EQ(sum.x[0], 1000);
  EXPECT_EQ(sum.x[1], 499500);
  EXPECT_EQ(sum.x[2], 999000);
  EXPECT_EQ(sum_vectors<TypeParam>(0).x[0], 0);
}

/// Values that own memory are constructed, joined and destroyed like any others. Host only.
struct Gathered {
  std::vector<int> values;
  Gathered& operator+=(Gathered const& other) {
    values.insert(values.end(), other.values.begin(), other.values.end());
    return *this;
  }
};

template <class Space>
void gather_on_host(int n) {
  if constexpr (Kokkos::SpaceAccessibility<Space, Kokkos::HostSpace>::accessible) {
    Gathered all;
    all.values = {1, 2, 3};
    Kokkos::parallel_reduce(
        Kokkos::RangePolicy<Space>(0, n), [](int i, Gathered& update) { update.values.push_back(i); }, all);
    ASSERT_EQ(static_cast<int>(all.values.size()), n);
    std::vector<bool> seen(static_cast<std::size_t>(n), false);
    for (int i : all.values) seen[static_cast<std::size_t>(i)] = true;
    for (int i = 0; i < n; ++i) EXPECT_TRUE(seen[static_cast<std::size_t>(i)]) << i;
  }
}

TYPED_TEST(ParallelReduceTest, ValuesThatOwnMemory) {
  gather_on_host<TypeParam>(0);
  gather_on_host<TypeParam>(1);
  gather_on_host<TypeParam>(1000);
}

// ---- ordering -----------------------------------------------------------------------------------------------------

template <class Space>
void read_after_write() {
  Kokkos::View<int*, Space> x("x", 10000);
  Kokkos::RangePolicy<Space> const policy(0, 10000);
  for (int k = 1; k < 5; ++k) {
    Kokkos::parallel_for(policy, KOKKOS_LAMBDA(int i) { x(i) += 1; });
    int sum = 0;
    Kokkos::parallel_reduce(policy, KOKKOS_LAMBDA(int i, int& s) { s += x(i); }, sum);
    ASSERT_EQ(sum, 10000 * k);
  }
}

TYPED_TEST(ParallelReduceTest, SeesEarlierKernelsAndReturnsWithTheValue) { read_after_write<TypeParam>(); }

}  // namespace
