// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_STD_ALGORITHMS_FIND_END_HPP
#define KOKKOS_STD_ALGORITHMS_FIND_END_HPP

/// \file
/// find_end: the last occurrence of the second range in the first one; the last position if there is none.

#include <std_algorithms/impl/Kokkos_AlgorithmCalls.hpp>

namespace Kokkos::Impl::Algorithms {

struct FindEnd {
  static constexpr Takes takes = Takes::ranges;
  template <class Place, class It1, class It2, class P = Equal>
  KOKKOS_FUNCTION static auto run(Place const& place, It1 first, It1 last, It2 s_first, It2 s_last,
                                  P const& equal = {}) {
    Distance const length = s_last - s_first, places = last - first - length + 1;
    if (length <= 0 || places <= 0) return last;
    Distance const found = Algorithms::find_last(place, places, MatchesAt<It1, It2, P>{first, s_first, length, equal});
    return found >= 0 ? first + found : last;
  }
};

}  // namespace Kokkos::Impl::Algorithms

KOKKOS_IMPL_STD_ALGORITHM(find_end, FindEnd)

#endif
