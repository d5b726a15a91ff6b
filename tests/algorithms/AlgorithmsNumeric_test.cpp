// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// choices: starts-first
/// \file
/// Reductions, scans and differences; and the common features of all algorithms: labels, instances, layouts.

#include "AlgorithmTest.hpp"

namespace {

using namespace Kokkos::Testing;

template <class Space>
class AlgorithmsNumericTest : public ::testing::Test {
  void TearDown() override { Journal::of_this_test().expect_as_in(journal_of<Space>("Algorithms")); }
};
TYPED_TEST_SUITE(AlgorithmsNumericTest, PatternSpaces, SpaceName);

// clang-format off
KOKKOS_TEST_CASE(Reduce, return KE::reduce(w, a) + 10000000 * KE::reduce(w, a, 7L) + 100000000000000 * KE::reduce(w, b, -9, Largest());,
                 return KE::reduce(w, a, ae) + 10000000 * KE::reduce(w, a, ae, 7L) + 100000000000000 * KE::reduce(w, b, be, -9, Largest());,
                 return std::reduce(a.begin(), a.end()) + 10000000 * std::reduce(a.begin(), a.end(), 7L) +
                        100000000000000 * std::reduce(b.begin(), b.end(), -9, Largest());)
KOKKOS_TEST_CASE(TransformReduce, return KE::transform_reduce(w, a, b, 3L) + 10000000000 * KE::transform_reduce(w, a, 1, Largest(), TimesThree()) +
                        10000000000000 * KE::transform_reduce(w, a, b, -1, Largest(), Mix());,
                 return KE::transform_reduce(w, a, ae, b, 3L) + 10000000000 * KE::transform_reduce(w, a, ae, 1, Largest(), TimesThree()) +
                        10000000000000 * KE::transform_reduce(w, a, ae, b, -1, Largest(), Mix());,
                 return std::transform_reduce(a.begin(), a.end(), b.begin(), 3L) +
                        10000000000 * std::transform_reduce(a.begin(), a.end(), 1, Largest(), TimesThree()) +
                        10000000000000 * std::transform_reduce(a.begin(), a.end(), b.begin(), -1, Largest(), Mix());)
KOKKOS_TEST_CASE(InclusiveScan, return at(c, KE::inclusive_scan(w, a, c)) + 1000 * at(b, KE::inclusive_scan(w, b, b, Largest())) + 1000000 * at(a, KE::inclusive_scan(w, a, a, Largest(), 2));,
                 return (KE::inclusive_scan(w, a, ae, c) - c) + 1000 * (KE::inclusive_scan(w, b, be, b, Largest()) - b) + 1000000 * (KE::inclusive_scan(w, a, ae, a, Largest(), 2) - a);,
                 long const r = at(c, std::inclusive_scan(a.begin(), a.end(), c.begin()));
                 long const q = at(b, std::inclusive_scan(b.begin(), b.end(), b.begin(), Largest()));
                 return r + 1000 * q + 1000000 * at(a, std::inclusive_scan(a.begin(), a.end(), a.begin(), Largest(), 2));)
KOKKOS_TEST_CASE(ExclusiveScan, return at(c, KE::exclusive_scan(w, a, c, 4)) + 1000 * at(b, KE::exclusive_scan(w, b, b, -9, Largest()));,
                 return (KE::exclusive_scan(w, a, ae, c, 4) - c) + 1000 * (KE::exclusive_scan(w, b, be, b, -9, Largest()) - b);,
                 long const r = at(c, std::exclusive_scan(a.begin(), a.end(), c.begin(), 4));
                 return r + 1000 * at(b, std::exclusive_scan(b.begin(), b.end(), b.begin(), -9, Largest()));)
KOKKOS_TEST_CASE(TransformScans, return at(c, KE::transform_inclusive_scan(w, a, c, Largest(), TimesThree())) + 1000 * at(b, KE::transform_inclusive_scan(w, b, b, Largest(), TimesThree(), 5)) +
                        1000000 * at(a, KE::transform_exclusive_scan(w, a, a, 1, Largest(), TimesThree()));,
                 return (KE::transform_inclusive_scan(w, a, ae, c, Largest(), TimesThree()) - c) + 1000 * (KE::transform_inclusive_scan(w, b, be, b, Largest(), TimesThree(), 5) - b) +
                        1000000 * (KE::transform_exclusive_scan(w, a, ae, a, 1, Largest(), TimesThree()) - a);,
                 long const r = at(c, std::transform_inclusive_scan(a.begin(), a.end(), c.begin(), Largest(), TimesThree()));
                 long const q = at(b, std::transform_inclusive_scan(b.begin(), b.end(), b.begin(), Largest(), TimesThree(), 5));
                 return r + 1000 * q + 1000000 * at(a, std::transform_exclusive_scan(a.begin(), a.end(), a.begin(), 1, Largest(), TimesThree()));)
KOKKOS_TEST_CASE(AdjacentDifference, return at(c, KE::adjacent_difference(w, a, c)) + 1000 * at(b, KE::adjacent_difference(w, a, b, Mix()));,
                 return (KE::adjacent_difference(w, a, ae, c) - c) + 1000 * (KE::adjacent_difference(w, a, ae, b, Mix()) - b);,
                 long const r = at(c, std::adjacent_difference(a.begin(), a.end(), c.begin()));
                 return r + 1000 * at(b, std::adjacent_difference(a.begin(), a.end(), b.begin(), Mix()));)
// clang-format on

TYPED_TEST(AlgorithmsNumericTest, Reduces) {
  KOKKOS_TEST_CHECK(Reduce);
  KOKKOS_TEST_CHECK(TransformReduce);
}
TYPED_TEST(AlgorithmsNumericTest, Scans) {
  KOKKOS_TEST_CHECK(InclusiveScan);
  KOKKOS_TEST_CHECK(ExclusiveScan);
  KOKKOS_TEST_CHECK(TransformScans);
  KOKKOS_TEST_CHECK(AdjacentDifference);
}

/// Values that are not numbers, joined by an operation without identity.
struct Interval {
  int low = 0, high = 0;
  KOKKOS_FUNCTION friend bool operator==(Interval const& a, Interval const& b) {
    return a.low == b.low && a.high == b.high;
  }
};
struct Hull {
  KOKKOS_FUNCTION Interval operator()(Interval const& a, Interval const& b) const {
    return {a.low < b.low ? a.low : b.low, a.high > b.high ? a.high : b.high};
  }
};
struct AsInterval {
  KOKKOS_FUNCTION Interval operator()(int x) const { return {x, x + 1}; }
};

TYPED_TEST(AlgorithmsNumericTest, JoinsStructures) {
  int const n = 5000;
  Kokkos::View<int*, TypeParam> numbers("numbers", n);
  Kokkos::View<Interval*, TypeParam> hulls("hulls", n);
  Ints values(n);
  for (int i = 0; i < n; ++i) values[i] = (i * 37) % 1009 - 500;
  Kokkos::deep_copy(numbers, SequenceViews<TypeParam>::copy(values));
  auto const all = KE::transform_reduce(TypeParam(), numbers, Interval{0, 0}, Hull(), AsInterval());
  EXPECT_EQ(all.low, -500);
  EXPECT_EQ(all.high, 509);
  KE::transform_inclusive_scan(TypeParam(), numbers, hulls, Hull(), AsInterval());
  auto const here = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), hulls);
  Interval expected{values[0], values[0] + 1};
  for (int i = 0; i < n; ++i) {
    expected = Hull()(expected, AsInterval()(values[i]));
    ASSERT_EQ(here(i), expected) << i;
  }
}

TYPED_TEST(AlgorithmsNumericTest, TakesStridedAndConstantViews) {
  Kokkos::View<double**, Kokkos::LayoutRight, TypeParam> table("table", 300, 3);
  auto const column = Kokkos::subview(table, Kokkos::ALL(), 1);
  KE::fill(TypeParam(), column, 2.5);
  Kokkos::View<double const*, Kokkos::LayoutStride, TypeParam> const fixed = column;
  EXPECT_EQ(KE::reduce(TypeParam(), fixed), 750.0);
  EXPECT_EQ(KE::reduce(TypeParam(), KE::cbegin(column), KE::cend(column), 1.0), 751.0);
  Kokkos::View<float*, TypeParam> other("other", 300);
  KE::copy(TypeParam(), fixed, other);
  EXPECT_EQ(KE::count(TypeParam(), other, 2.5f), 300);
  EXPECT_EQ(KE::reduce(TypeParam(), Kokkos::subview(table, Kokkos::ALL(), 0)), 0.0);
}

/// Arrays that begin at any multiple of an element's size, with any number of elements outside the vectors that devices
/// load. Each element differs from its neighbours.
template <class T, class Space>
void processes_vectors() {
  // Lengths with and without elements outside of vectors, in one block and in several.
  auto const begins  = is_thorough() ? std::vector{0, 1, 3, 7} : std::vector{0, 3};
  auto const lengths = is_thorough() ? std::vector{0, 1, 1030, 4130, 8290, 16500, 39871} : std::vector{0, 1030, 4130};
  int const length = lengths.back() + 129, guard = 20;
  std::vector<T> values(length);
  for (int i = 0; i < length; ++i) values[i] = static_cast<T>(i * 37 % 101);
  Kokkos::View<T*, Space> from("from", length), to("to", length);
  Kokkos::View<T*, Kokkos::HostSpace> here("here", length);
  for (int i = 0; i < length; ++i) here(i) = values[i];
  Kokkos::deep_copy(from, here);
  for (int begin : begins)
    for (int n : lengths) {
      auto const part  = Kokkos::subview(from, std::pair(begin, begin + n));
      auto const first = values.begin() + begin, last = first + n;
      long const sum = std::accumulate(first, last, 0L);
      ASSERT_EQ(KE::reduce(Space(), part, 5L), sum + 5) << begin << " " << n;
      ASSERT_EQ(KE::transform_reduce(Space(), part, 1L, Kokkos::Impl::Algorithms::Plus(), TimesThree()), 3 * sum + 1);
      ASSERT_EQ(KE::reduce(Space(), part, T(-1), Largest()), n == 0 ? T(-1) : *std::max_element(first, last));
      ASSERT_EQ(KE::count(Space(), part, T(17)), std::count(first, last, T(17))) << begin << " " << n;
      for (int shift : {0, 1}) {
        Kokkos::deep_copy(to, T(-2));
        int const at   = begin + guard + shift;
        int const size = std::min(n, length - at - guard);
        auto const end = KE::copy(Space(), KE::cbegin(part), KE::cbegin(part) + size, KE::begin(to) + at);
        ASSERT_EQ(end - KE::begin(to), at + size);
        Kokkos::deep_copy(here, to);
        for (int i = 0; i < length; ++i)
          ASSERT_EQ(here(i), i < at || i >= at + size ? T(-2) : values[begin + i - at]) << i << " of " << size;
      }
    }
}
TYPED_TEST(AlgorithmsNumericTest, ProcessesVectors) {
  processes_vectors<int, TypeParam>();
  processes_vectors<double, TypeParam>();
}
TYPED_TEST(AlgorithmsNumericTest, ProcessesVectorsOfSmallElements) {
  processes_vectors<signed char, TypeParam>();
  if constexpr (every_type) processes_vectors<short, TypeParam>();
}

/// Associative, but the operands cannot be exchanged.
struct LastNonzero {
  KOKKOS_FUNCTION int operator()(int x, int y) const { return y != 0 ? y : x; }
};

// So long that a vendor's library scans on a GPU. On hosts, where no other code scans long ranges, one kind of scan.
TYPED_TEST(AlgorithmsNumericTest, ScansLongRangesByAnOperation) {
  constexpr int n = 70001;
  Ints values(n), scanned(n), from_seven(n), before(n);
  for (int i = 0; i < n; ++i) values[i] = i % 1000 == 3 ? i + 1 : 0;
  int last = 0;
  for (int i = 0; i < n; ++i) {
    before[i]     = last != 0 ? last : 7;
    last          = values[i] != 0 ? values[i] : last;
    scanned[i]    = last;
    from_seven[i] = last != 0 ? last : 7;
  }
  TypeParam const exec;
  auto const view = SequenceViews<TypeParam>::copy(values);
  if constexpr (every_type ||
                !Kokkos::SpaceAccessibility<Kokkos::HostSpace, typename TypeParam::memory_space>::accessible) {
    Kokkos::View<int*, TypeParam> const to("to", n);
    auto const ends_right = [&](auto const& end) { return end - KE::begin(to) == n; };
    EXPECT_TRUE(ends_right(KE::inclusive_scan(exec, view, to, LastNonzero())));
    EXPECT_EQ(SequenceViews<TypeParam>::back(to), scanned);
    EXPECT_TRUE(ends_right(KE::inclusive_scan(exec, view, to, LastNonzero(), 7)));
    EXPECT_EQ(SequenceViews<TypeParam>::back(to), from_seven);
    EXPECT_TRUE(ends_right(KE::exclusive_scan(exec, view, to, 7, LastNonzero())));
    EXPECT_EQ(SequenceViews<TypeParam>::back(to), before);
  }
  KE::inclusive_scan(exec, view, view, LastNonzero());
  EXPECT_EQ(SequenceViews<TypeParam>::back(view), scanned);
}

TYPED_TEST(AlgorithmsNumericTest, RunsOnInstances) {
  for (TypeParam const& exec : Kokkos::Experimental::partition_space(TypeParam(), 1, 1)) {
    auto const view = SequenceViews<TypeParam>::copy(Ints(1000, 3));
    Kokkos::View<int*, TypeParam> sums("sums", 1000);
    KE::inclusive_scan(exec, view, sums);
    EXPECT_EQ(SequenceViews<TypeParam>::back(sums)[999], 3000);
    EXPECT_EQ(KE::reduce("with a label", exec, view), 3000);
  }
}

}  // namespace
