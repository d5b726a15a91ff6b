// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_STD_ALGORITHMS_MAX_ELEMENT_HPP
#define KOKKOS_STD_ALGORITHMS_MAX_ELEMENT_HPP

/// \file
/// max_element: the first of the largest elements; the last position for an empty range.

#include <std_algorithms/impl/Kokkos_AlgorithmCalls.hpp>
#include <std_algorithms/Kokkos_MinElement.hpp>

namespace Kokkos::Impl::Algorithms {

struct MaxElement {
  template <class Place, class It, class C = Less>
  KOKKOS_FUNCTION static auto run(Place const& place, It first, It last, C const& less = {}) {
    return Algorithms::best_element<false>(place, first, last, Reversed<C>{less});
  }
};

}  // namespace Kokkos::Impl::Algorithms

KOKKOS_IMPL_STD_ALGORITHM(max_element, MaxElement)

#endif
