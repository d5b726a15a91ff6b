// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_STD_ALGORITHMS_REPLACE_COPY_IF_HPP
#define KOKKOS_STD_ALGORITHMS_REPLACE_COPY_IF_HPP

/// \file
/// replace_copy_if: copies the range, with the value for elements that satisfy the predicate; returns the end of the
/// copies.

#include <std_algorithms/impl/Kokkos_AlgorithmCalls.hpp>

namespace Kokkos::Impl::Algorithms {

struct ReplaceCopyIf {
  template <class Place, class In, class Out, class P, class T>
  KOKKOS_FUNCTION static auto run(Place const& place, In first, In last, Out out, P const& predicate, T const& value) {
    return Algorithms::assign(place, out, last - first, Replaced<In, P, T>{first, predicate, value});
  }
};

}  // namespace Kokkos::Impl::Algorithms

KOKKOS_IMPL_STD_ALGORITHM(replace_copy_if, ReplaceCopyIf)

#endif
