// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_STD_ALGORITHMS_IS_SORTED_HPP
#define KOKKOS_STD_ALGORITHMS_IS_SORTED_HPP

/// \file
/// is_sorted: whether the elements are in ascending order.

#include <std_algorithms/impl/Kokkos_AlgorithmCalls.hpp>
#include <std_algorithms/Kokkos_IsSortedUntil.hpp>

namespace Kokkos::Impl::Algorithms {

struct IsSorted {
  template <class Place, class It, class C = Less>
  KOKKOS_FUNCTION static auto run(Place const& place, It first, It last, C const& less = {}) {
    return IsSortedUntil::run(place, first, last, less) == last;
  }
};

}  // namespace Kokkos::Impl::Algorithms

KOKKOS_IMPL_STD_ALGORITHM(is_sorted, IsSorted)

#endif
