// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_STD_ALGORITHMS_SWAP_RANGES_HPP
#define KOKKOS_STD_ALGORITHMS_SWAP_RANGES_HPP

/// \file
/// swap_ranges: swaps the elements of two ranges of the same length; returns the end of the second one.

#include <std_algorithms/impl/Kokkos_AlgorithmCalls.hpp>

namespace Kokkos::Impl::Algorithms {

struct SwapRanges {
  template <class Place, class It1, class It2>
  KOKKOS_FUNCTION static auto run(Place const& place, It1 first1, It1 last1, It2 first2) {
    place.each(last1 - first1, SwapElements<It1, It2>{first1, first2});
    place.finish();
    return first2 + (last1 - first1);
  }
};

}  // namespace Kokkos::Impl::Algorithms

KOKKOS_IMPL_STD_ALGORITHM(swap_ranges, SwapRanges)

#endif
