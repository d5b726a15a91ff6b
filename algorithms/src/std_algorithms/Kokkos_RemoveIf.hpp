// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_STD_ALGORITHMS_REMOVE_IF_HPP
#define KOKKOS_STD_ALGORITHMS_REMOVE_IF_HPP

/// \file
/// remove_if: moves the elements that do not satisfy the predicate to the front, in order; returns their end. Elements
/// after the end have unspecified values.

#include <std_algorithms/impl/Kokkos_AlgorithmCalls.hpp>

namespace Kokkos::Impl::Algorithms {

struct RemoveIf {
  template <class Place, class It, class P>
  KOKKOS_FUNCTION static auto run(Place const& place, It first, It last, P const& predicate) {
    using Keep          = Transformed<It, Not<P>>;
    Distance const kept = place.compact(first, last - first, Keep{first, {predicate}});
    place.finish();
    return first + kept;
  }
};

}  // namespace Kokkos::Impl::Algorithms

KOKKOS_IMPL_STD_ALGORITHM(remove_if, RemoveIf)

#endif
