// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_STD_ALGORITHMS_MISMATCH_HPP
#define KOKKOS_STD_ALGORITHMS_MISMATCH_HPP

/// \file
/// mismatch: the first positions at which two ranges differ, as a pair; the end of the shorter one if there is no
/// difference.

#include <std_algorithms/impl/Kokkos_AlgorithmCalls.hpp>

namespace Kokkos::Impl::Algorithms {

struct Mismatch {
  static constexpr Takes takes = Takes::ranges;
  template <class Place, class It1, class It2, class P = Equal>
  KOKKOS_FUNCTION static auto run(Place const& place, It1 first1, It1 last1, It2 first2, It2 last2,
                                  P const& equal = {}) {
    using Test       = TransformedPair<It1, It2, Not<P>>;
    Distance const n = last1 - first1 < last2 - first2 ? last1 - first1 : last2 - first2;
    Distance const i = Algorithms::find_first(place, n, Test{first1, first2, {equal}});
    return pair<It1, It2>(first1 + i, first2 + i);
  }
};

}  // namespace Kokkos::Impl::Algorithms

KOKKOS_IMPL_STD_ALGORITHM(mismatch, Mismatch)

#endif
