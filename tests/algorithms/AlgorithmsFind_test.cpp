// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// choices: starts-first
/// \file
/// Algorithms that change nothing: searches, counts, comparisons, extrema, and checks of orders and partitions.

#include "AlgorithmTest.hpp"

namespace {

using namespace Kokkos::Testing;

template <class Space>
class AlgorithmsFindTest : public ::testing::Test {
  void TearDown() override { Journal::of_this_test().expect_as_in(journal_of<Space>("Algorithms")); }
};
TYPED_TEST_SUITE(AlgorithmsFindTest, PatternSpaces, SpaceName);

// The first two elements of b are the pattern to search for.
template <class V>
KOKKOS_FUNCTION V two_of(V const& b) {
  return Kokkos::subview(b, Kokkos::pair<int, int>(0, b.extent(0) < 2 ? static_cast<int>(b.extent(0)) : 2));
}
template <class I>
KOKKOS_FUNCTION I two(I b, I be) {
  return be - b < 2 ? be : b + 2;
}

// clang-format off
KOKKOS_TEST_CASE(Find, return at(a, KE::find(w, a, 1));, return KE::find(w, a, ae, 1) - a;,
                 return at(a, std::find(a.begin(), a.end(), 1));)
KOKKOS_TEST_CASE(FindIf, return at(a, KE::find_if(w, a, IsOdd()));, return KE::find_if(w, a, ae, IsOdd()) - a;,
                 return at(a, std::find_if(a.begin(), a.end(), IsOdd()));)
KOKKOS_TEST_CASE(FindIfNot, return at(a, KE::find_if_not(w, a, IsLarge()));, return KE::find_if_not(w, a, ae, IsLarge()) - a;,
                 return at(a, std::find_if_not(a.begin(), a.end(), IsLarge()));)
KOKKOS_TEST_CASE(Quantifiers,
                 return KE::all_of(w, a, IsLarge()) + 2 * KE::any_of(w, a, IsOdd()) + 4 * KE::none_of(w, a, IsOdd());,
                 return KE::all_of(w, a, ae, IsLarge()) + 2 * KE::any_of(w, a, ae, IsOdd()) + 4 * KE::none_of(w, a, ae, IsOdd());,
                 return std::all_of(a.begin(), a.end(), IsLarge()) + 2 * std::any_of(a.begin(), a.end(), IsOdd()) +
                        4 * std::none_of(a.begin(), a.end(), IsOdd());)
KOKKOS_TEST_CASE(Count, return KE::count(w, a, 2) + 1000 * KE::count_if(w, a, IsOdd());,
                 return KE::count(w, a, ae, 2) + 1000 * KE::count_if(w, a, ae, IsOdd());,
                 return std::count(a.begin(), a.end(), 2) + 1000 * std::count_if(a.begin(), a.end(), IsOdd());)
KOKKOS_TEST_CASE(AdjacentFind, return at(a, KE::adjacent_find(w, a)) + 1000 * at(a, KE::adjacent_find(w, a, Above()));,
                 return (KE::adjacent_find(w, a, ae) - a) + 1000 * (KE::adjacent_find(w, a, ae, Above()) - a);,
                 return at(a, std::adjacent_find(a.begin(), a.end())) +
                        1000 * at(a, std::adjacent_find(a.begin(), a.end(), Above()));)
KOKKOS_TEST_CASE(Search, return at(a, KE::search(w, a, two_of(b))) + 1000 * at(a, KE::search(w, a, two_of(b), NearlyEqual()));,
                 return (KE::search(w, a, ae, b, two(b, be)) - a) +
                        1000 * (KE::search(w, a, ae, b, two(b, be), NearlyEqual()) - a);,
                 return at(a, std::search(a.begin(), a.end(), b.begin(), two(b.begin(), b.end()))) +
                        1000 * at(a, std::search(a.begin(), a.end(), b.begin(), two(b.begin(), b.end()), NearlyEqual()));)
KOKKOS_TEST_CASE(FindEnd, return at(a, KE::find_end(w, a, two_of(b))) + 1000 * at(a, KE::find_end(w, a, b, NearlyEqual()));,
                 return (KE::find_end(w, a, ae, b, two(b, be)) - a) + 1000 * (KE::find_end(w, a, ae, b, be, NearlyEqual()) - a);,
                 return at(a, std::find_end(a.begin(), a.end(), b.begin(), two(b.begin(), b.end()))) +
                        1000 * at(a, std::find_end(a.begin(), a.end(), b.begin(), b.end(), NearlyEqual()));)
KOKKOS_TEST_CASE(SearchN, return at(a, KE::search_n(w, a, 3, 2)) + 1000 * at(a, KE::search_n(w, a, 2u, 3, NearlyEqual()));,
                 return (KE::search_n(w, a, ae, 3, 2) - a) + 1000 * (KE::search_n(w, a, ae, 2u, 3, NearlyEqual()) - a);,
                 return at(a, std::search_n(a.begin(), a.end(), 3, 2)) +
                        1000 * at(a, std::search_n(a.begin(), a.end(), 2, 3, NearlyEqual()));)
KOKKOS_TEST_CASE(NothingIsFoundAtOnce, return at(a, KE::search_n(w, a, 0, 2)) + at(a, KE::search(w, a, Kokkos::subview(b, Kokkos::pair<int, int>(0, 0))));,
                 return (KE::search_n(w, a, ae, 0, 2) - a) + (KE::search(w, a, ae, b, b) - a);, return 0;)
KOKKOS_TEST_CASE(FindFirstOf, return at(a, KE::find_first_of(w, a, two_of(b))) +
                        1000 * at(a, KE::find_first_of(w, a, two_of(b), Above()));,
                 return (KE::find_first_of(w, a, ae, b, two(b, be)) - a) +
                        1000 * (KE::find_first_of(w, a, ae, b, two(b, be), Above()) - a);,
                 return at(a, std::find_first_of(a.begin(), a.end(), b.begin(), two(b.begin(), b.end()))) +
                        1000 * at(a, std::find_first_of(a.begin(), a.end(), b.begin(), two(b.begin(), b.end()), Above()));)
KOKKOS_TEST_CASE(Mismatch, auto const p = KE::mismatch(w, a, b); auto const q = KE::mismatch(w, a, two_of(b), NearlyEqual());
                 return at(a, p.first) + 1000 * at(b, p.second) + 1000000 * at(a, q.first);,
                 auto const p = KE::mismatch(w, a, ae, b, be); auto const q = KE::mismatch(w, a, ae, b, two(b, be), NearlyEqual());
                 return (p.first - a) + 1000 * (p.second - b) + 1000000 * (q.first - a);,
                 auto const p = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
                 auto const q = std::mismatch(a.begin(), a.end(), b.begin(), two(b.begin(), b.end()), NearlyEqual());
                 return at(a, p.first) + 1000 * at(b, p.second) + 1000000 * at(a, q.first);)
KOKKOS_TEST_CASE(Equal, return KE::equal(w, a, b) + 2 * KE::equal(w, a, b, NearlyEqual()) + 4 * KE::equal(w, a, two_of(b)) + 8 * KE::equal(w, a, a);,
                 return KE::equal(w, a, ae, b) + 2 * KE::equal(w, a, ae, b, NearlyEqual()) + 4 * KE::equal(w, a, ae, b, two(b, be)) +
                        8 * KE::equal(w, a, ae, a, ae, NearlyEqual());,
                 return std::equal(a.begin(), a.end(), b.begin()) + 2 * std::equal(a.begin(), a.end(), b.begin(), NearlyEqual()) +
                        4 * std::equal(a.begin(), a.end(), b.begin(), two(b.begin(), b.end())) + 8;)
KOKKOS_TEST_CASE(LexicographicalCompare, return KE::lexicographical_compare(w, a, b) + 2 * KE::lexicographical_compare(w, a, b, Above()) +
                        4 * KE::lexicographical_compare(w, two_of(a), a) + 8 * KE::lexicographical_compare(w, a, two_of(a));,
                 return KE::lexicographical_compare(w, a, ae, b, be) + 2 * KE::lexicographical_compare(w, a, ae, b, be, Above()) +
                        4 * KE::lexicographical_compare(w, a, two(a, ae), a, ae) + 8 * KE::lexicographical_compare(w, a, ae, a, two(a, ae));,
                 auto const t = two(a.begin(), a.end());
                 return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end()) +
                        2 * std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(), Above()) +
                        4 * std::lexicographical_compare(a.begin(), t, a.begin(), a.end()) +
                        8 * std::lexicographical_compare(a.begin(), a.end(), a.begin(), t);)
KOKKOS_TEST_CASE(MinMaxElement, auto const p = KE::minmax_element(w, a); auto const q = KE::minmax_element(w, a, Above());
                 return at(a, KE::min_element(w, a)) + 1000 * at(a, KE::max_element(w, a)) + 1000000 * (at(a, p.first) + at(a, p.second)) +
                        1000000000 * (at(a, KE::min_element(w, a, Above())) + at(a, KE::max_element(w, a, Above()))) +
                        1000000000000 * (at(a, q.first) + at(a, q.second));,
                 auto const p = KE::minmax_element(w, a, ae); auto const q = KE::minmax_element(w, a, ae, Above());
                 return (KE::min_element(w, a, ae) - a) + 1000 * (KE::max_element(w, a, ae) - a) + 1000000 * ((p.first - a) + (p.second - a)) +
                        1000000000 * ((KE::min_element(w, a, ae, Above()) - a) + (KE::max_element(w, a, ae, Above()) - a)) +
                        1000000000000 * ((q.first - a) + (q.second - a));,
                 auto const p = std::minmax_element(a.begin(), a.end()); auto const q = std::minmax_element(a.begin(), a.end(), Above());
                 return at(a, std::min_element(a.begin(), a.end())) + 1000 * at(a, std::max_element(a.begin(), a.end())) +
                        1000000 * (at(a, p.first) + at(a, p.second)) +
                        1000000000 * (at(a, std::min_element(a.begin(), a.end(), Above())) + at(a, std::max_element(a.begin(), a.end(), Above()))) +
                        1000000000000 * (at(a, q.first) + at(a, q.second));)
KOKKOS_TEST_CASE(IsSorted, return KE::is_sorted(w, a) + 2 * KE::is_sorted(w, a, Above()) + 4 * at(a, KE::is_sorted_until(w, a)) +
                        4000 * at(a, KE::is_sorted_until(w, a, Above()));,
                 return KE::is_sorted(w, a, ae) + 2 * KE::is_sorted(w, a, ae, Above()) + 4 * (KE::is_sorted_until(w, a, ae) - a) +
                        4000 * (KE::is_sorted_until(w, a, ae, Above()) - a);,
                 return std::is_sorted(a.begin(), a.end()) + 2 * std::is_sorted(a.begin(), a.end(), Above()) +
                        4 * at(a, std::is_sorted_until(a.begin(), a.end())) +
                        4000 * at(a, std::is_sorted_until(a.begin(), a.end(), Above()));)
struct BelowFive {
  KOKKOS_FUNCTION bool operator()(int x) const { return x < 5; }
};
KOKKOS_TEST_CASE(Partitions, bool const is = KE::is_partitioned(w, a, BelowFive());
                 return is + 2 * KE::is_partitioned(w, a, IsOdd()) + 4 * (is ? at(a, KE::partition_point(w, a, BelowFive())) : 0);,
                 bool const is = KE::is_partitioned(w, a, ae, BelowFive());
                 return is + 2 * KE::is_partitioned(w, a, ae, IsOdd()) + 4 * (is ? KE::partition_point(w, a, ae, BelowFive()) - a : 0);,
                 bool const is = std::is_partitioned(a.begin(), a.end(), BelowFive());
                 return is + 2 * std::is_partitioned(a.begin(), a.end(), IsOdd()) +
                        4 * (is ? at(a, std::partition_point(a.begin(), a.end(), BelowFive())) : 0);)
// clang-format on

TYPED_TEST(AlgorithmsFindTest, FindsElements) {
  KOKKOS_TEST_CHECK(Find);
  KOKKOS_TEST_CHECK(FindIf);
  KOKKOS_TEST_CHECK(FindIfNot);
  KOKKOS_TEST_CHECK(Quantifiers);
  KOKKOS_TEST_CHECK(Count);
  KOKKOS_TEST_CHECK(AdjacentFind);
  KOKKOS_TEST_CHECK(FindFirstOf);
}
TYPED_TEST(AlgorithmsFindTest, FindsRanges) {
  KOKKOS_TEST_CHECK(Search);
  KOKKOS_TEST_CHECK(FindEnd);
  KOKKOS_TEST_CHECK(SearchN);
  KOKKOS_TEST_CHECK(NothingIsFoundAtOnce);
}
TYPED_TEST(AlgorithmsFindTest, ComparesRanges) {
  KOKKOS_TEST_CHECK(Mismatch);
  KOKKOS_TEST_CHECK(Equal);
  KOKKOS_TEST_CHECK(LexicographicalCompare);
}
TYPED_TEST(AlgorithmsFindTest, KnowsOrders) {
  KOKKOS_TEST_CHECK(MinMaxElement);
  KOKKOS_TEST_CHECK(IsSorted);
  KOKKOS_TEST_CHECK(Partitions);
}

// ---- stretches of positions on hosts

namespace Algorithms = Kokkos::Impl::Algorithms;

// Only bodies without a functor of the program, and for numbers in memory, run on one thread of a host.
template <class Vector, class P>
using EqualPairs = Algorithms::FindFirst<Algorithms::TransformedPair<Vector, Vector, Algorithms::Not<P>>>;
template <class T, class... Traits>
using Begin = decltype(KE::begin(Kokkos::View<T*, Kokkos::HostSpace, Traits...>()));
struct NamesItsCost {
  using cost = double;
};
static_assert(Algorithms::is_cheap_v<EqualPairs<double*, Algorithms::Equal>>);
static_assert(Algorithms::is_cheap_v<EqualPairs<Begin<short>, Algorithms::Equal>>);
static_assert(!Algorithms::is_cheap_v<EqualPairs<double*, NearlyEqual>>);
static_assert(!Algorithms::is_cheap_v<EqualPairs<double*, NamesItsCost>>);
static_assert(!Algorithms::is_cheap_v<EqualPairs<std::string*, Algorithms::Equal>>);
static_assert(!Algorithms::is_cheap_v<EqualPairs<Begin<int, Kokkos::MemoryTraits<Kokkos::Atomic>>, Algorithms::Equal>>);
static_assert(Kokkos::Impl::length_for_one_thread<EqualPairs<int*, Algorithms::Equal>> > 1);
static_assert(Kokkos::Impl::length_for_one_thread<EqualPairs<int*, NearlyEqual>> == 1);

// Counts the tests of positions outside the stretch.
struct Passes {
  Kokkos::Impl::Stretch positions;
  std::vector<bool> const& passes;
  long& outside;
  bool operator()(std::ptrdiff_t i) const {
    outside += i < positions.begin || positions.end <= i;
    return passes[static_cast<std::size_t>(i)];
  }
};

TEST(AlgorithmStretchesTest, MatchesAreFoundAtEachPosition) {
  long const begin = 5;
  long outside     = 0;
  for (long end = begin; end <= begin + 3 * Algorithms::block_length + 2; ++end)
    for (long one = begin; one <= end; ++one) {
      SCOPED_TRACE("[5, " + std::to_string(end) + "): " + std::to_string(one));
      std::vector<bool> passes(static_cast<std::size_t>(end) + 1);
      Kokkos::Impl::Stretch const positions{begin, end};
      Passes const test{positions, passes, outside};
      passes[static_cast<std::size_t>(one)] = true;
      EXPECT_EQ(Algorithms::first_match(positions, test), one);
      EXPECT_EQ(Algorithms::last_match(positions, test), one < end ? one : begin - 1);
      for (long other = one; other < end; other += 1 + other % 7) passes[static_cast<std::size_t>(other)] = true;
      EXPECT_EQ(Algorithms::first_match(positions, test), one);
      if (::testing::Test::HasFailure()) return;
    }
  EXPECT_EQ(outside, 0);
}

TEST(AlgorithmStretchesTest, ASearchThatEndsEarlyTestsLittle) {
  long tests        = 0;
  auto const counts = [&](long first) {
    tests = 0;
    Algorithms::first_match({0, 1000}, [&](long i) { return ++tests, i >= first; });
    return tests;
  };
  EXPECT_EQ(counts(0), 1);
  EXPECT_EQ(counts(Algorithms::block_length - 1), Algorithms::block_length);
  EXPECT_LE(counts(100), 3 * 100);
}

template <class View>
void check_extrema(View const& a, std::string const& values) {
  using T = typename View::value_type;
  SCOPED_TRACE(values + ", " + std::to_string(a.extent(0)) + " elements");
  std::vector<T> v(a.extent(0));
  for (std::size_t i = 0; i < v.size(); ++i) v[i] = a(i);
  typename View::execution_space const exec;
  auto const tenths = [](T x, T y) { return static_cast<long>(x) / 10 < static_cast<long>(y) / 10; };
  auto const is     = [&](auto found, auto expected) { EXPECT_EQ(found - KE::begin(a), expected - v.begin()); };
  is(KE::min_element(exec, a), std::min_element(v.begin(), v.end()));
  is(KE::max_element(exec, a), std::max_element(v.begin(), v.end()));
  is(KE::min_element(exec, a, tenths), std::min_element(v.begin(), v.end(), tenths));
  is(KE::max_element(exec, a, tenths), std::max_element(v.begin(), v.end(), tenths));
  auto const both = KE::minmax_element(exec, a), by_tenths = KE::minmax_element(exec, a, tenths);
  auto const std_both = std::minmax_element(v.begin(), v.end());
  is(both.first, std_both.first);
  is(both.second, std_both.second);
  auto const std_tenths = std::minmax_element(v.begin(), v.end(), tenths);
  is(by_tenths.first, std_tenths.first);
  is(by_tenths.second, std_tenths.second);
}

template <class T, class View>
void check_extrema_of_shapes(View const& a) {
  int const n     = static_cast<int>(a.extent(0));
  auto const fill = [&](char const* name, auto const& value) {
    for (int i = 0; i < n; ++i) a(i) = static_cast<T>(value(i));
    check_extrema(a, name);
  };
  fill("ascending", [](int i) { return i / 2; });
  fill("descending", [n](int i) { return (n - i) / 2; });
  fill("constant", [](int) { return 7; });
  fill("few values", [](int i) { return i * 7919 % 101 % 5; });
  fill("many values", [](int i) { return i * 7919 % 1009; });
  int const step = n < 200 ? 13 : n / 15;
  for (int peak = 0; peak < n; peak += step) fill("two peaks", [&](int i) { return i == peak || i == n - 1 - peak; });
}

TEST(AlgorithmStretchesTest, ExtremaAreThoseOfTheStandardLibrary) {
  using Space         = Kokkos::DefaultHostExecutionSpace;
  constexpr int block = Algorithms::BestNumber<Algorithms::BestJoin<double*, Algorithms::Less, false>>::longest_block;
  for (int n : {0, 1, 2, 32, 33, 34, 65, 66, 97, 161, block, block + 1, 2 * block + 37}) {
    check_extrema_of_shapes<double>(Kokkos::View<double*, Space>("a", n));
    check_extrema_of_shapes<float>(Kokkos::View<float*, Space>("a", n));
    check_extrema_of_shapes<unsigned char>(Kokkos::View<unsigned char*, Space>("a", n));
    Kokkos::View<short**, Kokkos::LayoutLeft, Space> const rows("rows", 3, n);
    check_extrema_of_shapes<short>(Kokkos::subview(rows, 1, Kokkos::ALL));
  }
}

TEST(AlgorithmStretchesTest, ExtremaAreNumbersIfTheFirstElementIsOne) {
  using Space = Kokkos::DefaultHostExecutionSpace;
  Kokkos::View<double*, Space> const a("a", 1100);  // one thread processes all
  for (int i = 0; i < 1100; ++i)
    a(i) = i % 3 == 1 ? std::numeric_limits<double>::quiet_NaN() : static_cast<double>(i * 7919 % 1009);
  double const *const first = a.data(), *const last = first + 1100;
  EXPECT_EQ(KE::min_element(Space(), a) - KE::begin(a), std::min_element(first, last) - first);
  EXPECT_EQ(KE::max_element(Space(), a) - KE::begin(a), std::max_element(first, last) - first);
}

// Device code may visit positions in any order: a worse one changes nothing.
TEST(AlgorithmStretchesTest, AnyOrderOfPositionsFindsTheBest) {
  auto const always = [](std::ptrdiff_t) { return true; };
  auto const never  = [](std::ptrdiff_t) { return false; };
  for (std::ptrdiff_t const before : {2, 5, 8}) {
    std::ptrdiff_t const least = before < 5 ? before : 5, greatest = before < 5 ? 5 : before;
    std::ptrdiff_t found = before;
    Algorithms::FindFirst<decltype(always)>{always}(5, found);
    EXPECT_EQ(found, least);
    Algorithms::FindFirst<decltype(never)>{never}(1, found);
    EXPECT_EQ(found, least);
    found = before;
    Algorithms::FindFirst<decltype(always)>{always}.stretch({5, 7}, found);
    EXPECT_EQ(found, least);
    found = before;
    Algorithms::FindLast<decltype(always)>{always}(5, found);
    EXPECT_EQ(found, greatest);
    Algorithms::FindLast<decltype(never)>{never}(9, found);
    EXPECT_EQ(found, greatest);
    found = before;
    Algorithms::FindLast<decltype(always)>{always}.stretch({4, 6}, found);
    EXPECT_EQ(found, greatest);
    Algorithms::PartitionEnds ends{before, before};
    Algorithms::FindPartitionEnds<decltype(always)>{always}(5, ends);
    Algorithms::FindPartitionEnds<decltype(never)>{never}(5, ends);
    EXPECT_TRUE(ends.last_true == greatest && ends.first_false == least);
    ends = {before, before};
    Algorithms::FindPartitionEnds<decltype(always)>{always}.stretch({4, 6}, ends);
    Algorithms::FindPartitionEnds<decltype(never)>{never}.stretch({5, 7}, ends);
    EXPECT_TRUE(ends.last_true == greatest && ends.first_false == least);
  }
}

template <class Space>
class AlgorithmLengthsTest : public ::testing::Test {};
TYPED_TEST_SUITE(AlgorithmLengthsTest, PatternSpaces, SpaceName);

// The second range is shorter, longer, or empty; it begins like the first one.
TYPED_TEST(AlgorithmLengthsTest, RangesOfAnyTwoLengths) {
  TypeParam const exec;
  for (auto const [m, n] : {std::pair(0, 0), {0, 2}, {2, 0}, {2, 2}, {3, 2}, {2, 3}}) {
    SCOPED_TRACE(std::to_string(m) + " and " + std::to_string(n) + " elements");
    Ints u(static_cast<std::size_t>(m)), v(static_cast<std::size_t>(n));
    std::iota(u.begin(), u.end(), 1);
    std::iota(v.begin(), v.end(), 1);
    auto const a = SequenceViews<TypeParam>::copy(u), b = SequenceViews<TypeParam>::copy(v);
    auto const is = [&](auto found, auto expected) { EXPECT_EQ(found - KE::begin(a), expected - u.begin()); };
    is(KE::search(exec, a, b), std::search(u.begin(), u.end(), v.begin(), v.end()));
    is(KE::find_end(exec, a, b), std::find_end(u.begin(), u.end(), v.begin(), v.end()));
    is(KE::find_first_of(exec, a, b), std::find_first_of(u.begin(), u.end(), v.begin(), v.end()));
    auto const differ = KE::mismatch(exec, a, b);
    is(differ.first, std::mismatch(u.begin(), u.end(), v.begin(), v.end()).first);
    EXPECT_EQ(differ.second - KE::begin(b), differ.first - KE::begin(a));
    EXPECT_EQ(KE::equal(exec, KE::begin(a), KE::end(a), KE::begin(b), KE::end(b)), u == v);
    EXPECT_EQ(KE::lexicographical_compare(exec, a, b), u < v);
    is(KE::search_n(exec, a, n, 1), std::search_n(u.begin(), u.end(), n, 1));
    is(KE::rotate(exec, a, static_cast<std::size_t>(std::min(m, n))), u.begin() + m - std::min(m, n));
  }
}

}  // namespace
