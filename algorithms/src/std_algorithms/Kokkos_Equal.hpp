// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_STD_ALGORITHMS_EQUAL_HPP
#define KOKKOS_STD_ALGORITHMS_EQUAL_HPP

/// \file
/// equal: whether two ranges have the same length and equal elements. If the second range is given by one iterator, it
/// has the length of the first.

#include <std_algorithms/impl/Kokkos_AlgorithmCalls.hpp>

namespace Kokkos::Impl::Algorithms {

struct EqualRanges {
  static constexpr Takes takes = Takes::ranges;

  template <class Place, class It1, class It2, class P>
  KOKKOS_FUNCTION static bool have_equal(Place const& place, It1 first1, Distance n, It2 first2, P const& equal) {
    return Algorithms::find_first(place, n, TransformedPair<It1, It2, Not<P>>{first1, first2, {equal}}) == n;
  }

  template <class Place, class It1, class It2>
  KOKKOS_FUNCTION static bool run(Place const& place, It1 first1, It1 last1, It2 first2) {
    return have_equal(place, first1, last1 - first1, first2, Equal());
  }
  template <class Place, class It1, class It2, class P>
    requires(!std::is_same_v<It2, P>)
  KOKKOS_FUNCTION static bool run(Place const& place, It1 first1, It1 last1, It2 first2, P const& equal) {
    return have_equal(place, first1, last1 - first1, first2, equal);
  }
  template <class Place, class It1, class It2, class P = Equal>
  KOKKOS_FUNCTION static bool run(Place const& place, It1 first1, It1 last1, It2 first2, It2 last2,
                                  P const& equal = {}) {
    return last1 - first1 == last2 - first2 && have_equal(place, first1, last1 - first1, first2, equal);
  }
};

}  // namespace Kokkos::Impl::Algorithms

KOKKOS_IMPL_STD_ALGORITHM(equal, EqualRanges)

#endif
