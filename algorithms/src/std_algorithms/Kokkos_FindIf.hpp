// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_STD_ALGORITHMS_FIND_IF_HPP
#define KOKKOS_STD_ALGORITHMS_FIND_IF_HPP

/// \file
/// find_if: the first element that satisfies the predicate; the last position if none does.

#include <std_algorithms/impl/Kokkos_AlgorithmCalls.hpp>

namespace Kokkos::Impl::Algorithms {

struct FindIf {
  template <class Place, class It, class P>
  KOKKOS_FUNCTION static auto run(Place const& place, It first, It last, P const& predicate) {
    return first + Algorithms::find_first(place, last - first, Transformed<It, P>{first, predicate});
  }
};

}  // namespace Kokkos::Impl::Algorithms

KOKKOS_IMPL_STD_ALGORITHM(find_if, FindIf)

#endif
