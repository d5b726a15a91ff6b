// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_STD_ALGORITHMS_MIN_MAX_ELEMENT_HPP
#define KOKKOS_STD_ALGORITHMS_MIN_MAX_ELEMENT_HPP

/// \file
/// minmax_element: the first of the smallest elements and the last of the largest ones, as a pair.

#include <std_algorithms/impl/Kokkos_AlgorithmCalls.hpp>
#include <std_algorithms/Kokkos_MinElement.hpp>

namespace Kokkos::Impl::Algorithms {

struct MinMaxElement {
  template <class Place, class It, class C = Less>
  KOKKOS_FUNCTION static auto run(Place const& place, It first, It last, C const& less = {}) {
    It const least = Algorithms::best_element<false>(place, first, last, less);
    return pair<It, It>(least, Algorithms::best_element<true>(place, first, last, Reversed<C>{less}));
  }
};

}  // namespace Kokkos::Impl::Algorithms

KOKKOS_IMPL_STD_ALGORITHM(minmax_element, MinMaxElement)

#endif
