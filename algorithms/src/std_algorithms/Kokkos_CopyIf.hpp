// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_STD_ALGORITHMS_COPY_IF_HPP
#define KOKKOS_STD_ALGORITHMS_COPY_IF_HPP

/// \file
/// copy_if: copies the elements that satisfy the predicate, in order; returns the end of the copies.

#include <std_algorithms/impl/Kokkos_AlgorithmCalls.hpp>

namespace Kokkos::Impl::Algorithms {

struct CopyIf {
  template <class Place, class In, class Out, class P>
  KOKKOS_FUNCTION static auto run(Place const& place, In first, In last, Out out, P const& predicate) {
    return select_into(place, first, last - first, out, Transformed<In, P>{first, predicate});
  }
};

}  // namespace Kokkos::Impl::Algorithms

KOKKOS_IMPL_STD_ALGORITHM(copy_if, CopyIf)

#endif
