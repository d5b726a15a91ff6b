// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_STD_ALGORITHMS_TRANSFORM_REDUCE_HPP
#define KOKKOS_STD_ALGORITHMS_TRANSFORM_REDUCE_HPP

/// \file
/// transform_reduce: the sum of the products of two ranges' elements, or the join by `joiner` of the results of
/// `transformer` for the elements of one or two ranges, with an initial value. The joiner must be associative and
/// commutative.

#include <std_algorithms/impl/Kokkos_AlgorithmCalls.hpp>

namespace Kokkos::Impl::Algorithms {

struct TransformReduce {
  template <class Place, class In1, class In2, class T>
  KOKKOS_FUNCTION static auto run(Place const& place, In1 first1, In1 last1, In2 first2, T const& init) {
    return run(place, first1, last1, first2, init, Plus(), Times());
  }
  template <class Place, class In1, class In2, class T, class Op, class Tr>
  KOKKOS_FUNCTION static auto run(Place const& place, In1 first1, In1 last1, In2 first2, T const& init,
                                  Op const& joiner, Tr const& transformer) {
    using Source = TransformedPair<In1, In2, Tr>;
    return Algorithms::reduce_values(place, last1 - first1, Source{first1, first2, transformer}, init, joiner);
  }
  template <class Place, class In, class T, class Op, class Tr>
  KOKKOS_FUNCTION static auto run(Place const& place, In first, In last, T const& init, Op const& joiner,
                                  Tr const& transformer) {
    return Algorithms::reduce_values(place, last - first, Transformed<In, Tr>{first, transformer}, init, joiner);
  }
};

}  // namespace Kokkos::Impl::Algorithms

KOKKOS_IMPL_STD_ALGORITHM(transform_reduce, TransformReduce)

#endif
