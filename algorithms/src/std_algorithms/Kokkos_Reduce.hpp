// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_STD_ALGORITHMS_REDUCE_HPP
#define KOKKOS_STD_ALGORITHMS_REDUCE_HPP

/// \file
/// reduce: the sum of the elements, or their join by `joiner`, with an initial value. The joiner must be associative
/// and commutative.

#include <std_algorithms/impl/Kokkos_AlgorithmCalls.hpp>

namespace Kokkos::Impl::Algorithms {

struct Reduce {
  template <class Place, class It>
  KOKKOS_FUNCTION static auto run(Place const& place, It first, It last) {
    return run(place, first, last, element_t<It>(), Plus());
  }
  template <class Place, class It, class T, class Op = Plus>
  KOKKOS_FUNCTION static auto run(Place const& place, It first, It last, T const& init, Op const& joiner = {}) {
    return Algorithms::reduce_values(place, last - first, Element<It>{first}, init, joiner);
  }
};

}  // namespace Kokkos::Impl::Algorithms

KOKKOS_IMPL_STD_ALGORITHM(reduce, Reduce)

#endif
