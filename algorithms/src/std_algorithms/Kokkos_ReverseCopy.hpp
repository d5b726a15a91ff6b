// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_STD_ALGORITHMS_REVERSE_COPY_HPP
#define KOKKOS_STD_ALGORITHMS_REVERSE_COPY_HPP

/// \file
/// reverse_copy: copies the elements in reverse order; returns the end of the copies.

#include <std_algorithms/impl/Kokkos_AlgorithmCalls.hpp>

namespace Kokkos::Impl::Algorithms {

struct ReverseCopy {
  template <class Place, class In, class Out>
  KOKKOS_FUNCTION static auto run(Place const& place, In first, In last, Out out) {
    return Algorithms::assign(place, out, last - first, ReversedElement<In>{first, last - first - 1});
  }
};

}  // namespace Kokkos::Impl::Algorithms

KOKKOS_IMPL_STD_ALGORITHM(reverse_copy, ReverseCopy)

#endif
