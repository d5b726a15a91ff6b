// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_STD_ALGORITHMS_TRANSFORM_HPP
#define KOKKOS_STD_ALGORITHMS_TRANSFORM_HPP

/// \file
/// transform: assigns op(x) for each element of a range, or op(x, y) for each pair of elements of two ranges; returns
/// the end of the results.

#include <std_algorithms/impl/Kokkos_AlgorithmCalls.hpp>

namespace Kokkos::Impl::Algorithms {

struct Transform {
  template <class Place, class In, class Out, class Op>
  KOKKOS_FUNCTION static auto run(Place const& place, In first, In last, Out out, Op const& op) {
    return Algorithms::assign(place, out, last - first, Transformed<In, Op>{first, op});
  }
  template <class Place, class In1, class In2, class Out, class Op>
  KOKKOS_FUNCTION static auto run(Place const& place, In1 first1, In1 last1, In2 first2, Out out, Op const& op) {
    return Algorithms::assign(place, out, last1 - first1, TransformedPair<In1, In2, Op>{first1, first2, op});
  }
};

}  // namespace Kokkos::Impl::Algorithms

KOKKOS_IMPL_STD_ALGORITHM(transform, Transform)

#endif
