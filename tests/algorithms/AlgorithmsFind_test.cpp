// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Algorithms that change nothing: searches, counts, comparisons, extrema, and checks of orders and partitions.

#include "AlgorithmTest.hpp"

namespace {

using namespace Kokkos::Testing;

template <class Space>
class AlgorithmsFindTest : public ::testing::Test {};
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

}  // namespace
