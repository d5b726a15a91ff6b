// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// choices: isa
/// \file
/// The built-in reducers: their identities, their joins, and reductions with each of them.

#include "PatternTest.hpp"

#include <cstdint>
#include <functional>
#include <limits>
#include <type_traits>

namespace {

using Kokkos::Testing::on_host;

template <class Space>
class ReducersTest : public ::testing::Test {};
TYPED_TEST_SUITE(ReducersTest, Kokkos::Testing::ExecutionSpaces, Kokkos::Testing::SpaceName);

/// A permutation of 0 .. 996; 997 is prime.
KOKKOS_INLINE_FUNCTION int shuffled(int i) { return (i * 331 + 17) % 997; }

/// Contributes by the reducer's own join, so that one functor works for all reducers.
template <class Reducer, class Contribution>
struct Contribute {
  Reducer reducer;
  Contribution contribution;
  KOKKOS_FUNCTION void operator()(int i, typename Reducer::value_type& update) const {
    reducer.join(update, contribution(i));
  }
};

/// Reduces to a variable, to a view of the space, and to a host view; all must agree.
template <class Space, template <class, class> class Reducer, class Scalar, class Contribution>
auto reduce_everywhere(int n, Contribution contribution) {
  using Host   = Reducer<Scalar, Kokkos::HostSpace>;
  using Device = Reducer<Scalar, typename Space::memory_space>;
  using Value  = typename Host::value_type;
  Space const space;
  Kokkos::RangePolicy<Space> const policy(space, 0, n);
  Value value{};
  Host host(value);
  EXPECT_TRUE(host.references_scalar());
  EXPECT_EQ(&host.reference(), &value);
  Kokkos::parallel_reduce("variable", policy, Contribute<Host, Contribution>{host, contribution}, host);

  Kokkos::View<Value, typename Space::memory_space> view("result");
  Device device(view);
  Kokkos::parallel_reduce("view", policy, Contribute<Device, Contribution>{device, contribution}, device);
  space.fence();
  Value const from_view = on_host(view)();
  EXPECT_EQ(__builtin_memcmp(&from_view, &value, sizeof(Value)), 0) << "a view and a variable differ";
  return value;
}

struct SmallNumber {
  KOKKOS_FUNCTION long operator()(int i) const { return i % 3 - 1; }
};
struct Factor {
  KOKKOS_FUNCTION double operator()(int i) const { return i % 100 == 7 ? 2 : 1; }
};
struct Shuffled {
  KOKKOS_FUNCTION int operator()(int i) const { return shuffled(i) - 500; }
};
struct IsNot500 {
  KOKKOS_FUNCTION int operator()(int i) const { return i != 500; }
};
struct Is500 {
  KOKKOS_FUNCTION int operator()(int i) const { return i == 500; }
};
struct AllButABit {
  KOKKOS_FUNCTION unsigned operator()(int i) const { return ~(1u << (i % 8)); }
};
struct ABit {
  KOKKOS_FUNCTION unsigned operator()(int i) const { return 1u << (i % 8); }
};
struct ShuffledTwice {
  KOKKOS_FUNCTION Kokkos::MinMaxScalar<int> operator()(int i) const { return {shuffled(i), shuffled(i)}; }
};

TYPED_TEST(ReducersTest, Sum) {
  EXPECT_EQ((reduce_everywhere<TypeParam, Kokkos::Sum, long>(1000, SmallNumber{})), -1);
  EXPECT_EQ((reduce_everywhere<TypeParam, Kokkos::Sum, long>(0, SmallNumber{})), 0);
}
TYPED_TEST(ReducersTest, Prod) {
  EXPECT_EQ((reduce_everywhere<TypeParam, Kokkos::Prod, double>(1000, Factor{})), 1024);
  EXPECT_EQ((reduce_everywhere<TypeParam, Kokkos::Prod, double>(0, Factor{})), 1);
}
TYPED_TEST(ReducersTest, Min) {
  EXPECT_EQ((reduce_everywhere<TypeParam, Kokkos::Min, int>(997, Shuffled{})), -500);
  EXPECT_EQ((reduce_everywhere<TypeParam, Kokkos::Min, int>(0, Shuffled{})), std::numeric_limits<int>::max());
}
TYPED_TEST(ReducersTest, Max) {
  EXPECT_EQ((reduce_everywhere<TypeParam, Kokkos::Max, int>(997, Shuffled{})), 496);
  EXPECT_EQ((reduce_everywhere<TypeParam, Kokkos::Max, int>(0, Shuffled{})), std::numeric_limits<int>::min());
}
TYPED_TEST(ReducersTest, LAnd) {
  EXPECT_FALSE((reduce_everywhere<TypeParam, Kokkos::LAnd, int>(1000, IsNot500{})));
  EXPECT_TRUE((reduce_everywhere<TypeParam, Kokkos::LAnd, int>(500, IsNot500{})));
  EXPECT_TRUE((reduce_everywhere<TypeParam, Kokkos::LAnd, int>(0, IsNot500{})));
}
TYPED_TEST(ReducersTest, LOr) {
  EXPECT_TRUE((reduce_everywhere<TypeParam, Kokkos::LOr, int>(1000, Is500{})));
  EXPECT_FALSE((reduce_everywhere<TypeParam, Kokkos::LOr, int>(500, Is500{})));
  EXPECT_FALSE((reduce_everywhere<TypeParam, Kokkos::LOr, int>(0, Is500{})));
}
TYPED_TEST(ReducersTest, BAnd) {
  EXPECT_EQ((reduce_everywhere<TypeParam, Kokkos::BAnd, unsigned>(1000, AllButABit{})), ~0xffu);
  EXPECT_EQ((reduce_everywhere<TypeParam, Kokkos::BAnd, unsigned>(0, AllButABit{})), ~0u);
}
TYPED_TEST(ReducersTest, BOr) {
  EXPECT_EQ((reduce_everywhere<TypeParam, Kokkos::BOr, unsigned>(1000, ABit{})), 0xffu);
  EXPECT_EQ((reduce_everywhere<TypeParam, Kokkos::BOr, unsigned>(3, ABit{})), 7u);
  EXPECT_EQ((reduce_everywhere<TypeParam, Kokkos::BOr, unsigned>(0, ABit{})), 0u);
}
TYPED_TEST(ReducersTest, MinMax) {
  auto const all = reduce_everywhere<TypeParam, Kokkos::MinMax, int>(997, ShuffledTwice{});
  EXPECT_EQ(all.min_val, 0);
  EXPECT_EQ(all.max_val, 996);
  auto const one = reduce_everywhere<TypeParam, Kokkos::MinMax, int>(1, ShuffledTwice{});
  EXPECT_EQ(one.min_val, 17);
  EXPECT_EQ(one.max_val, 17);
}

// ---- locations ----------------------------------------------------------------------------------------------------

template <template <class, class, class> class Reducer>
struct WithIntIndex {
  template <class Scalar, class Space>
  using type = Reducer<Scalar, int, Space>;
};

struct ShuffledAt {
  KOKKOS_FUNCTION Kokkos::ValLocScalar<int, int> operator()(int i) const { return {shuffled(i), i}; }
};
struct RepeatedAt {  // every value of 0 .. 9 occurs many times
  KOKKOS_FUNCTION Kokkos::ValLocScalar<int, int> operator()(int i) const { return {(i + 3) % 10, i}; }
};
struct ShuffledAtTwice {
  KOKKOS_FUNCTION Kokkos::MinMaxLocScalar<int, int> operator()(int i) const { return {shuffled(i), shuffled(i), i, i}; }
};
struct RepeatedAtTwice {
  KOKKOS_FUNCTION Kokkos::MinMaxLocScalar<int, int> operator()(int i) const {
    return {(i + 3) % 10, (i + 3) % 10, i, i};
  }
};

TYPED_TEST(ReducersTest, MinLocAndMaxLoc) {
  auto const min = reduce_everywhere<TypeParam, WithIntIndex<Kokkos::MinLoc>::type, int>(997, ShuffledAt{});
  EXPECT_EQ(min.val, 0);
  EXPECT_EQ(shuffled(min.loc), 0);
  auto const max = reduce_everywhere<TypeParam, WithIntIndex<Kokkos::MaxLoc>::type, int>(997, ShuffledAt{});
  EXPECT_EQ(max.val, 996);
  EXPECT_EQ(shuffled(max.loc), 996);
  auto const none = reduce_everywhere<TypeParam, WithIntIndex<Kokkos::MaxLoc>::type, int>(0, ShuffledAt{});
  EXPECT_EQ(none.val, std::numeric_limits<int>::min());
  EXPECT_EQ(none.loc, std::numeric_limits<int>::max());
}

TYPED_TEST(ReducersTest, MinMaxLoc) {
  auto const both = reduce_everywhere<TypeParam, WithIntIndex<Kokkos::MinMaxLoc>::type, int>(997, ShuffledAtTwice{});
  EXPECT_EQ(both.min_val, 0);
  EXPECT_EQ(both.max_val, 996);
  EXPECT_EQ(shuffled(both.min_loc), 0);
  EXPECT_EQ(shuffled(both.max_loc), 996);
}

TYPED_TEST(ReducersTest, FirstAndLastOfEqualExtrema) {
  auto const min = reduce_everywhere<TypeParam, WithIntIndex<Kokkos::MinFirstLoc>::type, int>(1000, RepeatedAt{});
  EXPECT_EQ(min.val, 0);
  EXPECT_EQ(min.loc, 7);
  auto const max = reduce_everywhere<TypeParam, WithIntIndex<Kokkos::MaxFirstLoc>::type, int>(1000, RepeatedAt{});
  EXPECT_EQ(max.val, 9);
  EXPECT_EQ(max.loc, 6);
  auto const both =
      reduce_everywhere<TypeParam, WithIntIndex<Kokkos::MinMaxFirstLastLoc>::type, int>(1000, RepeatedAtTwice{});
  EXPECT_EQ(both.min_val, 0);
  EXPECT_EQ(both.max_val, 9);
  EXPECT_EQ(both.min_loc, 7);
  EXPECT_EQ(both.max_loc, 996);
}

struct Before {
  KOKKOS_FUNCTION bool operator()(int a, int b) const { return a > b; }  // reversed order
};

template <class Space>
void expect_order_of_the_program() {
  Kokkos::ValLocScalar<int, int> min, max;
  Kokkos::MinMaxLocScalar<int, int> both;
  Kokkos::RangePolicy<Space> const policy(0, 1000);
  Kokkos::parallel_reduce(
      policy,
      KOKKOS_LAMBDA(int i, Kokkos::ValLocScalar<int, int>& u) {
        Kokkos::MinFirstLocCustomComparator<int, int, Before>(u, Before()).join(u, RepeatedAt()(i));
      },
      Kokkos::MinFirstLocCustomComparator<int, int, Before>(min, Before()));
  Kokkos::parallel_reduce(
      policy,
      KOKKOS_LAMBDA(int i, Kokkos::ValLocScalar<int, int>& u) {
        auto const v = RepeatedAt()(i);
        if (i < 0 || v.val < u.val || (v.val == u.val && v.loc < u.loc)) u = v;
      },
      Kokkos::MinFirstLoc<int, int>(max));
  // For a reversed order, the identity of the largest value is the smallest number.
  EXPECT_EQ(min.val, std::numeric_limits<int>::max());
  EXPECT_EQ(max.val, 0);
  EXPECT_EQ(max.loc, 7);
  Kokkos::MinMaxFirstLastLocCustomComparator<int, int, Before> const reducer(both, Before());
  reducer.init(both);
  both = {3, 3, 5, 5};
  reducer.join(both, {4, 4, 7, 8});
  EXPECT_EQ(both.min_val, 4);
  EXPECT_EQ(both.min_loc, 7);
  EXPECT_EQ(both.max_val, 3);
  EXPECT_EQ(both.max_loc, 5);
  reducer.join(both, {4, 3, 6, 9});
  EXPECT_EQ(both.min_loc, 6);
  EXPECT_EQ(both.max_loc, 9);
  Kokkos::MaxFirstLocCustomComparator<int, int, Before> const largest(max, Before());
  max = {3, 5};
  largest.join(max, {2, 9});
  EXPECT_EQ(max.loc, 9);
  largest.join(max, {2, 4});
  EXPECT_EQ(max.loc, 4);
}

TYPED_TEST(ReducersTest, AnOrderOfTheProgram) { expect_order_of_the_program<TypeParam>(); }

/// Expects init() to set all that the reducer's value has.
template <class Reducer>
void expect_identity(char const* name) {
  using Value = typename Reducer::value_type;
  Value value{}, other{};
  __builtin_memset(&value, 0x11, sizeof(Value));
  __builtin_memset(&other, 0x5a, sizeof(Value));
  Reducer reducer = [&] {
    if constexpr (std::is_constructible_v<Reducer, Value&>)
      return Reducer(value);
    else
      return Reducer(value, Before());
  }();
  reducer.init(value);
  reducer.init(other);
  EXPECT_EQ(__builtin_memcmp(&value, &other, sizeof(Value)), 0) << name;
}

// Values without padding.
TEST(Reducers, InitSetsEachMember) {
  using namespace Kokkos;
#define EXPECT_IDENTITY(...) expect_identity<__VA_ARGS__>(#__VA_ARGS__)
  EXPECT_IDENTITY(Sum<int>);
  EXPECT_IDENTITY(Prod<int>);
  EXPECT_IDENTITY(Min<int>);
  EXPECT_IDENTITY(Max<int>);
  EXPECT_IDENTITY(LAnd<int>);
  EXPECT_IDENTITY(LOr<int>);
  EXPECT_IDENTITY(BAnd<int>);
  EXPECT_IDENTITY(BOr<int>);
  EXPECT_IDENTITY(MinMax<int>);
  EXPECT_IDENTITY(MinLoc<int, int>);
  EXPECT_IDENTITY(MaxLoc<int, int>);
  EXPECT_IDENTITY(MinMaxLoc<int, int>);
  EXPECT_IDENTITY(MinFirstLoc<int, int>);
  EXPECT_IDENTITY(MaxFirstLoc<int, int>);
  EXPECT_IDENTITY(MinMaxFirstLastLoc<int, int>);
  EXPECT_IDENTITY(FirstLoc<int>);
  EXPECT_IDENTITY(LastLoc<int>);
  EXPECT_IDENTITY(StdIsPartitioned<int>);
  EXPECT_IDENTITY(StdPartitionPoint<int>);
  EXPECT_IDENTITY(MinFirstLocCustomComparator<int, int, Before>);
  EXPECT_IDENTITY(MaxFirstLocCustomComparator<int, int, Before>);
  EXPECT_IDENTITY(MinMaxFirstLastLocCustomComparator<int, int, Before>);
#undef EXPECT_IDENTITY
}

struct FirstOver {
  int limit;
  KOKKOS_FUNCTION Kokkos::FirstLocScalar<int> operator()(int i) const {
    return {i > limit ? i : Kokkos::reduction_identity<int>::min()};
  }
};
struct LastUnder {
  int limit;
  KOKKOS_FUNCTION Kokkos::LastLocScalar<int> operator()(int i) const {
    return {i < limit ? i : Kokkos::reduction_identity<int>::max()};
  }
};
struct PartitionedAt {
  int point;
  KOKKOS_FUNCTION Kokkos::StdIsPartScalar<int> operator()(int i) const {
    if (i < point) return {i, Kokkos::reduction_identity<int>::min()};
    return {Kokkos::reduction_identity<int>::max(), i};
  }
};
struct FalseFrom {
  int point;
  KOKKOS_FUNCTION Kokkos::StdPartPointScalar<int> operator()(int i) const {
    return {i < point ? Kokkos::reduction_identity<int>::min() : i};
  }
};

TYPED_TEST(ReducersTest, PlacesWhereAConditionHolds) {
  EXPECT_EQ((reduce_everywhere<TypeParam, Kokkos::FirstLoc, int>(1000, FirstOver{321}).min_loc_true), 322);
  EXPECT_EQ((reduce_everywhere<TypeParam, Kokkos::FirstLoc, int>(1000, FirstOver{5000}).min_loc_true),
            std::numeric_limits<int>::max());
  EXPECT_EQ((reduce_everywhere<TypeParam, Kokkos::LastLoc, int>(1000, LastUnder{321}).max_loc_true), 320);
  EXPECT_EQ((reduce_everywhere<TypeParam, Kokkos::LastLoc, int>(1000, LastUnder{0}).max_loc_true),
            std::numeric_limits<int>::min());
  auto const partition = reduce_everywhere<TypeParam, Kokkos::StdIsPartitioned, int>(1000, PartitionedAt{123});
  EXPECT_EQ(partition.max_loc_true, 122);
  EXPECT_EQ(partition.min_loc_false, 123);
  EXPECT_EQ((reduce_everywhere<TypeParam, Kokkos::StdPartitionPoint, int>(1000, FalseFrom{123}).min_loc_false), 123);
}

// ---- joins, one by one --------------------------------------------------------------------------------------------

// Even if every value equals the identity of the extremum, the location must be valid.
TEST(LocationJoin, AValueEqualToTheIdentityHasAPlace) {
  using MinLoc = Kokkos::MinLoc<double, int>;
  MinLoc::value_type value;
  MinLoc const reducer(value);
  reducer.init(value);
  reducer.join(value, MinLoc::value_type{Kokkos::reduction_identity<double>::min(), 4});
  EXPECT_EQ(value.loc, 4);
  reducer.join(value, MinLoc::value_type{Kokkos::reduction_identity<double>::min(), 2});
  EXPECT_EQ(value.loc, 4);
  using MinFirstLoc = Kokkos::MinFirstLoc<double, int>;
  MinFirstLoc const first(value);
  first.join(value, MinFirstLoc::value_type{Kokkos::reduction_identity<double>::min(), 2});
  EXPECT_EQ(value.loc, 2);
  first.join(value, MinFirstLoc::value_type{Kokkos::reduction_identity<double>::min(), 3});
  EXPECT_EQ(value.loc, 2);
}

template <class Space>
void expect_extrema_of_nothing() {
  Kokkos::RangePolicy<Space> const nothing(0, 0);
  double min = 0, max = 0;
  Kokkos::parallel_reduce(nothing, KOKKOS_LAMBDA(int, double&){}, Kokkos::Min<double>(min));
  Kokkos::parallel_reduce(nothing, KOKKOS_LAMBDA(int, double&){}, Kokkos::Max<double>(max));
#ifdef KOKKOS_ENABLE_DEPRECATED_CODE_4
  EXPECT_EQ(min, Kokkos::finite_max_v<double>);
  EXPECT_EQ(max, Kokkos::finite_min_v<double>);
#else
  EXPECT_EQ(min, Kokkos::infinity_v<double>);
  EXPECT_EQ(max, -Kokkos::infinity_v<double>);
#endif
}
TYPED_TEST(ReducersTest, EmptyRangesGiveTheIdentities) { expect_extrema_of_nothing<TypeParam>(); }

/// The value that the init() function of a reducer stores in a variable that contains `value`.
template <class Reducer, class... Arguments>
typename Reducer::value_type started(typename Reducer::value_type value, Arguments... arguments) {
  Reducer(value, arguments...).init(value);
  return value;
}

TEST(ReducersOfNothing, StartAtTheirIdentities) {
  using Of            = Kokkos::reduction_identity<double>;
  using At            = Kokkos::reduction_identity<int>;
  constexpr int place = 7;
  EXPECT_EQ(started<Kokkos::Sum<double>>(9), 0);
  EXPECT_EQ(started<Kokkos::Prod<double>>(9), 1);
  EXPECT_EQ(started<Kokkos::Min<double>>(9), Of::min());
  EXPECT_EQ(started<Kokkos::Max<double>>(9), Of::max());
  EXPECT_EQ(started<Kokkos::LAnd<int>>(9), 1);
  EXPECT_EQ(started<Kokkos::LOr<int>>(9), 0);
  EXPECT_EQ(started<Kokkos::BAnd<int>>(9), -1);
  EXPECT_EQ(started<Kokkos::BOr<int>>(9), 0);
  auto const both = started<Kokkos::MinMax<double>>({9, 9});
  EXPECT_TRUE(both.min_val == Of::min() && both.max_val == Of::max());
  auto const is_smallest = [](auto const& v) { return v.val == Of::min() && v.loc == At::min(); };
  auto const is_largest  = [](auto const& v) { return v.val == Of::max() && v.loc == At::min(); };
  EXPECT_TRUE(is_smallest(started<Kokkos::MinLoc<double, int>>({9, place})));
  EXPECT_TRUE(is_largest(started<Kokkos::MaxLoc<double, int>>({9, place})));
  EXPECT_TRUE(is_smallest(started<Kokkos::MinFirstLoc<double, int>>({9, place})));
  EXPECT_TRUE(is_largest(started<Kokkos::MaxFirstLoc<double, int>>({9, place})));
  std::less<> const less;
  EXPECT_TRUE(is_smallest(started<Kokkos::MinFirstLocCustomComparator<double, int, std::less<>>>({9, place}, less)));
  EXPECT_TRUE(is_largest(started<Kokkos::MaxFirstLocCustomComparator<double, int, std::less<>>>({9, place}, less)));
  auto const extrema = [](auto const& v) {
    return v.min_val == Of::min() && v.max_val == Of::max() && v.min_loc == At::min();
  };
  auto const any  = started<Kokkos::MinMaxLoc<double, int>>({9, 9, place, place});
  auto const last = started<Kokkos::MinMaxFirstLastLoc<double, int>>({9, 9, place, place});
  auto const by_less =
      started<Kokkos::MinMaxFirstLastLocCustomComparator<double, int, std::less<>>>({9, 9, place, place}, less);
  EXPECT_TRUE(extrema(any) && extrema(last) && extrema(by_less));
  EXPECT_EQ(any.max_loc, At::min());
  EXPECT_EQ(last.max_loc, At::max());
  EXPECT_EQ(by_less.max_loc, At::max());
  EXPECT_EQ(started<Kokkos::FirstLoc<int>>({place}).min_loc_true, At::min());
  EXPECT_EQ(started<Kokkos::LastLoc<int>>({place}).max_loc_true, At::max());
  EXPECT_EQ(started<Kokkos::StdPartitionPoint<int>>({place}).min_loc_false, At::min());
  auto const parts = started<Kokkos::StdIsPartitioned<int>>({place, place});
  EXPECT_TRUE(parts.max_loc_true == At::max() && parts.min_loc_false == At::min());
}

// An infinity that is joined has a place, whether the identities are finite or not.
TEST(LocationJoin, AnInfinityHasAPlace) {
  double const inf = Kokkos::infinity_v<double>;
  using MinLoc     = Kokkos::MinLoc<double, int>;
  MinLoc::value_type min;
  MinLoc const smallest(min);
  smallest.init(min);
  EXPECT_EQ(min.val, Kokkos::reduction_identity<double>::min());
  smallest.join(min, MinLoc::value_type{inf, 4});
  EXPECT_EQ(min.val, inf);
  EXPECT_EQ(min.loc, 4);
  smallest.join(min, MinLoc::value_type{3, 5});
  smallest.join(min, MinLoc::value_type{inf, 6});
  EXPECT_EQ(min.val, 3);
  EXPECT_EQ(min.loc, 5);
  using Both = Kokkos::MinMaxFirstLastLoc<double, int>;
  Both::value_type value;
  Both const both(value);
  both.init(value);
  both.join(value, Both::value_type{-inf, -inf, 7, 7});
  EXPECT_EQ(value.max_val, -inf);
  EXPECT_EQ(value.max_loc, 7);
  EXPECT_EQ(value.min_loc, 7);
}

struct Index3 {
  int i, j, k;
};

}  // namespace

template <>
struct Kokkos::reduction_identity<Index3> {
  KOKKOS_FUNCTION static constexpr Index3 min() { return {-1, -1, -1}; }
};

namespace {

template <class Space>
void place_in_three_dimensions() {
  using Reducer = Kokkos::MinLoc<double, Index3>;
  typename Reducer::value_type result;
  Kokkos::View<double***, Space> a("a", 5, 6, 7);
  Kokkos::MDRangePolicy<Space, Kokkos::Rank<3>> const policy({0, 0, 0}, {5, 6, 7});
  Kokkos::parallel_for(
      policy, KOKKOS_LAMBDA(int i, int j, int k) { a(i, j, k) = i == 2 && j == 3 && k == 1 ? 5 : 10; });
  Kokkos::parallel_reduce(
      policy,
      KOKKOS_LAMBDA(int i, int j, int k, typename Reducer::value_type& update) {
        if (a(i, j, k) < update.val) update = {a(i, j, k), {i, j, k}};
      },
      Reducer(result));
  EXPECT_EQ(result.val, 5);
  EXPECT_EQ(result.loc.i, 2);
  EXPECT_EQ(result.loc.j, 3);
  EXPECT_EQ(result.loc.k, 1);
}

TYPED_TEST(ReducersTest, AStructAsLocation) { place_in_three_dimensions<TypeParam>(); }

// Of equal values the place of the first one is kept, if places cannot be compared.
TEST(LocationJoin, WithoutAComparisonTheFirstPlaceIsKept) {
  using Kokkos::ValLocScalar;
  ValLocScalar<int, Index3> result{};
  auto const join = [](auto const& reducer, ValLocScalar<int, Index3> into, ValLocScalar<int, Index3> const& from) {
    reducer.join(into, from);
    return into.loc.i;
  };
  Kokkos::MinLoc<int, Index3> const min(result);
  Kokkos::MaxLoc<int, Index3> const max(result);
  EXPECT_EQ(join(min, {5, {1, 0, 0}}, {5, {2, 0, 0}}), 1);
  EXPECT_EQ(join(min, {5, {1, 0, 0}}, {4, {2, 0, 0}}), 2);
  EXPECT_EQ(join(min, {5, {1, 0, 0}}, {6, {2, 0, 0}}), 1);
  EXPECT_EQ(join(max, {5, {1, 0, 0}}, {5, {2, 0, 0}}), 1);
  EXPECT_EQ(join(max, {5, {1, 0, 0}}, {6, {2, 0, 0}}), 2);
  EXPECT_EQ(join(max, {5, {1, 0, 0}}, {4, {2, 0, 0}}), 1);
  Kokkos::MinMaxLocScalar<int, Index3> both{5, 5, {1, 0, 0}, {1, 0, 0}}, found{};
  Kokkos::MinMaxLoc<int, Index3> const min_max(found);
  min_max.join(both, {5, 5, {2, 0, 0}, {2, 0, 0}});
  EXPECT_TRUE(both.min_loc.i == 1 && both.max_loc.i == 1);
}

// ---- types --------------------------------------------------------------------------------------------------------

template <class T>
using HostScalar = Kokkos::View<T, Kokkos::HostSpace>;

/// Types whose names do not depend on a parameter of the template: nvcc writes their full names into the code for the
/// host's compiler.
template <class Space>
void reduce_to_types_of_one_name() {
  using Nearest = Kokkos::MinLoc<double, int>;
  using Total   = Kokkos::Sum<long>;
  typename Nearest::value_type nearest;
  typename Total::value_type total;
  Kokkos::parallel_reduce(
      Kokkos::RangePolicy<Space>(0, 997),
      KOKKOS_LAMBDA(int i, typename Nearest::value_type& least, typename Total::value_type& sum) {
        if (shuffled(i) < least.val) {
          least.val = shuffled(i);
          least.loc = i;
        }
        sum += i;
      },
      Nearest(nearest), Total(total));
  EXPECT_EQ(nearest.val, 0);
  EXPECT_EQ(shuffled(nearest.loc), 0);
  EXPECT_EQ(total, 997 * 498);
}

TYPED_TEST(ReducersTest, TypesOfOneName) { reduce_to_types_of_one_name<TypeParam>(); }

TEST(ReducerTypes, DeducedFromViews) {
  HostScalar<int> i("i");
  HostScalar<Kokkos::MinMaxScalar<int>> minmax("minmax");
  HostScalar<Kokkos::ValLocScalar<double, long>> valloc("valloc");
  HostScalar<Kokkos::MinMaxLocScalar<double, long>> minmaxloc("minmaxloc");
  HostScalar<Kokkos::FirstLocScalar<long>> first("first");
  HostScalar<Kokkos::LastLocScalar<long>> last("last");
  using Host = Kokkos::HostSpace;
  static_assert(std::is_same_v<decltype(Kokkos::Sum(i)), Kokkos::Sum<int, Host>>);
  static_assert(std::is_same_v<decltype(Kokkos::Prod(i)), Kokkos::Prod<int, Host>>);
  static_assert(std::is_same_v<decltype(Kokkos::Min(i)), Kokkos::Min<int, Host>>);
  static_assert(std::is_same_v<decltype(Kokkos::Max(i)), Kokkos::Max<int, Host>>);
  static_assert(std::is_same_v<decltype(Kokkos::LAnd(i)), Kokkos::LAnd<int, Host>>);
  static_assert(std::is_same_v<decltype(Kokkos::LOr(i)), Kokkos::LOr<int, Host>>);
  static_assert(std::is_same_v<decltype(Kokkos::BAnd(i)), Kokkos::BAnd<int, Host>>);
  static_assert(std::is_same_v<decltype(Kokkos::BOr(i)), Kokkos::BOr<int, Host>>);
  static_assert(std::is_same_v<decltype(Kokkos::MinMax(minmax)), Kokkos::MinMax<int, Host>>);
  static_assert(std::is_same_v<decltype(Kokkos::MinLoc(valloc)), Kokkos::MinLoc<double, long, Host>>);
  static_assert(std::is_same_v<decltype(Kokkos::MaxLoc(valloc)), Kokkos::MaxLoc<double, long, Host>>);
  static_assert(std::is_same_v<decltype(Kokkos::MinFirstLoc(valloc)), Kokkos::MinFirstLoc<double, long, Host>>);
  static_assert(std::is_same_v<decltype(Kokkos::MaxFirstLoc(valloc)), Kokkos::MaxFirstLoc<double, long, Host>>);
  static_assert(std::is_same_v<decltype(Kokkos::MinMaxLoc(minmaxloc)), Kokkos::MinMaxLoc<double, long, Host>>);
  static_assert(
      std::is_same_v<decltype(Kokkos::MinMaxFirstLastLoc(minmaxloc)), Kokkos::MinMaxFirstLastLoc<double, long, Host>>);
  static_assert(std::is_same_v<decltype(Kokkos::FirstLoc(first)), Kokkos::FirstLoc<long, Host>>);
  static_assert(std::is_same_v<decltype(Kokkos::LastLoc(last)), Kokkos::LastLoc<long, Host>>);
  EXPECT_EQ(Kokkos::Sum(i).view().data(), i.data());
}

TEST(ReducerTypes, QualifiersAreTakenOff) {
  static_assert(std::is_same_v<Kokkos::Sum<double const>::value_type, double>);
  static_assert(std::is_same_v<Kokkos::MinLoc<double const, int const>::value_type, Kokkos::ValLocScalar<double, int>>);
  static_assert(std::is_same_v<Kokkos::Sum<double>::reducer, Kokkos::Sum<double>>);
  static_assert(Kokkos::is_reducer_v<Kokkos::Sum<double>>);
  static_assert(Kokkos::is_reducer_v<Kokkos::MinMaxFirstLastLoc<double, int>>);
  static_assert(!Kokkos::is_reducer_v<double>);
}

}  // namespace
