// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_STD_ALGORITHMS_IS_SORTED_UNTIL_HPP
#define KOKKOS_STD_ALGORITHMS_IS_SORTED_UNTIL_HPP

/// \file
/// is_sorted_until: the end of the longest sorted prefix; the last position if the whole range is sorted.

#include <std_algorithms/impl/Kokkos_AlgorithmCalls.hpp>
#include <std_algorithms/Kokkos_AdjacentFind.hpp>

namespace Kokkos::Impl::Algorithms {

struct IsSortedUntil {
  template <class Place, class It, class C = Less>
  KOKKOS_FUNCTION static auto run(Place const& place, It first, It last, C const& less = {}) {
    It const out_of_order = AdjacentFind::run(place, first, last, Reversed<C>{less});
    return out_of_order == last ? last : out_of_order + 1;
  }
};

}  // namespace Kokkos::Impl::Algorithms

KOKKOS_IMPL_STD_ALGORITHM(is_sorted_until, IsSortedUntil)

#endif
