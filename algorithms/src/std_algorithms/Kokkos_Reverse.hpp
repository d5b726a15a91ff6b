// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_STD_ALGORITHMS_REVERSE_HPP
#define KOKKOS_STD_ALGORITHMS_REVERSE_HPP

/// \file
/// reverse: reverses the order of the elements.

#include <std_algorithms/impl/Kokkos_AlgorithmCalls.hpp>

namespace Kokkos::Impl::Algorithms {

struct Reverse {
  template <class Place, class It>
  KOKKOS_FUNCTION static auto run(Place const& place, It first, It last) {
    Algorithms::reverse_range(place, first, last - first);
    place.finish();
  }
};

}  // namespace Kokkos::Impl::Algorithms

KOKKOS_IMPL_STD_ALGORITHM(reverse, Reverse)

#endif
