// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Reductions with program-defined types and reducers: built-in reducers for such types, and program-defined reducers.

#include "PatternTest.hpp"

#include <type_traits>

namespace sample {

template <class T, int N>
struct array_type {
  T values[N];
  KOKKOS_FUNCTION array_type() { clear(); }
  KOKKOS_FUNCTION array_type(array_type const& other) {
    for (int i = 0; i < N; ++i) values[i] = other.values[i];
  }
  KOKKOS_FUNCTION array_type& operator=(array_type const& other) {
    for (int i = 0; i < N; ++i) values[i] = other.values[i];
    return *this;
  }
  KOKKOS_FUNCTION void clear() {
    for (int i = 0; i < N; ++i) values[i] = 0;
  }
  KOKKOS_FUNCTION array_type& operator+=(array_type const& other) {
    for (int i = 0; i < N; ++i) values[i] += other.values[i];
    return *this;
  }
};
using Four = array_type<int, 4>;

/// Has only the documented requirements.
template <class Space>
struct SumFour {
  using reducer          = SumFour;
  using value_type       = Four;
  using result_view_type = Kokkos::View<value_type*, Space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

  value_type& value;

  KOKKOS_FUNCTION SumFour(value_type& value_) : value(value_) {}
  KOKKOS_FUNCTION void join(value_type& dest, value_type const& src) const { dest += src; }
  KOKKOS_FUNCTION void init(value_type& v) const { v.clear(); }
  KOKKOS_FUNCTION value_type& reference() const { return value; }
  KOKKOS_FUNCTION result_view_type view() const { return result_view_type(&value, 1); }
};

/// Has a state that its operations use, a final, and no init.
template <class Space>
struct SumBelow {
  using reducer          = SumBelow;
  using value_type       = long;
  using result_view_type = Kokkos::View<value_type, Space>;

  result_view_type result;
  long limit;

  KOKKOS_FUNCTION void join(value_type& dest, value_type const& src) const {
    dest = dest + src < limit ? dest + src : limit;
  }
  KOKKOS_FUNCTION void final(value_type& v) const { v += 1000000; }
  KOKKOS_FUNCTION value_type& reference() const { return *result.data(); }
  KOKKOS_FUNCTION result_view_type view() const { return result; }
};

}  // namespace sample

template <>
struct Kokkos::reduction_identity<sample::Four> {
  KOKKOS_FUNCTION static sample::Four sum() { return {}; }
};

namespace {

using Kokkos::Testing::on_host;
using sample::Four;

template <class Space>
class ReduceCustomTest : public ::testing::Test {};
TYPED_TEST_SUITE(ReduceCustomTest, Kokkos::Testing::ExecutionSpaces, Kokkos::Testing::SpaceName);

struct CountRemainders {
  KOKKOS_FUNCTION void operator()(int i, Four& update) const { update.values[i % 4] += 1; }
};

void expect_four(Four const& v, int n) {
  for (int i = 0; i < 4; ++i) EXPECT_EQ(v.values[i], (n - i + 3) / 4);
}

TYPED_TEST(ReduceCustomTest, BuiltInReducerOnAStruct) {
  Four result;
  Kokkos::parallel_reduce(Kokkos::RangePolicy<TypeParam>(0, 1023), CountRemainders{}, Kokkos::Sum<Four>(result));
  expect_four(result, 1023);
  Kokkos::parallel_reduce(Kokkos::RangePolicy<TypeParam>(0, 0), CountRemainders{}, Kokkos::Sum<Four>(result));
  expect_four(result, 0);
}

TYPED_TEST(ReduceCustomTest, AStructAddedByItsOperator) {
  Four result;
  Kokkos::parallel_reduce(Kokkos::RangePolicy<TypeParam>(0, 1023), CountRemainders{}, result);
  expect_four(result, 1023);
}

TYPED_TEST(ReduceCustomTest, AReducerWithNoMoreThanRequired) {
  Four result;
  Kokkos::parallel_reduce("four", Kokkos::RangePolicy<TypeParam>(0, 1023), CountRemainders{},
                          sample::SumFour<Kokkos::HostSpace>(result));
  expect_four(result, 1023);
}

struct Ones {
  KOKKOS_FUNCTION void operator()(int, long& update) const { update += 1; }
};

template <class Space, class Memory>
void stateful_reducer() {
  Space const space;
  sample::SumBelow<Memory> reducer{Kokkos::View<long, Memory>("result"), 500};
  Kokkos::parallel_reduce(Kokkos::RangePolicy<Space>(space, 0, 100), Ones{}, reducer);
  space.fence();
  EXPECT_EQ(on_host(reducer.result)(), 1000100);
  Kokkos::parallel_reduce("empty", Kokkos::RangePolicy<Space>(space, 0, 0), Ones{}, reducer);
  space.fence();
  EXPECT_EQ(on_host(reducer.result)(), 1000000);
}

TYPED_TEST(ReduceCustomTest, AReducerWithStateInAnyMemory) {
  stateful_reducer<TypeParam, typename TypeParam::memory_space>();
  stateful_reducer<TypeParam, Kokkos::HostSpace>();
}

struct Both {
  KOKKOS_FUNCTION void operator()(int i, long& ones, Four& remainders) const {
    ones += 1;
    remainders.values[i % 4] += 1;
  }
};

TYPED_TEST(ReduceCustomTest, AmongSeveralResults) {
  sample::SumBelow<Kokkos::HostSpace> reducer{Kokkos::View<long, Kokkos::HostSpace>("result"), 1000};
  Four four;
  Kokkos::parallel_reduce(Kokkos::RangePolicy<TypeParam>(0, 10), Both{}, reducer,
                          sample::SumFour<Kokkos::HostSpace>(four));
  EXPECT_EQ(reducer.reference(), 1000010);
  expect_four(four, 10);
}

// A functor's own init, join and final apply only to reductions without a reducer.
struct OwnOperations {
  using value_type = long;
  KOKKOS_FUNCTION void operator()(int i, long& update) const { update += i; }
  KOKKOS_FUNCTION void init(long& v) const { v = 7000; }
  KOKKOS_FUNCTION void join(long& a, long const& b) const { a *= b; }
  KOKKOS_FUNCTION void final(long& v) const { v = -1; }
};

TYPED_TEST(ReduceCustomTest, TheReducerComesBeforeTheFunctorsMembers) {
  long result = 0;
  Kokkos::parallel_reduce(Kokkos::RangePolicy<TypeParam>(0, 1000), OwnOperations{}, Kokkos::Sum<long>(result));
  EXPECT_EQ(result, 499500);
}

}  // namespace
