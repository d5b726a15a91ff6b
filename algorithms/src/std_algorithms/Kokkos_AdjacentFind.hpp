// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_STD_ALGORITHMS_ADJACENT_FIND_HPP
#define KOKKOS_STD_ALGORITHMS_ADJACENT_FIND_HPP

/// \file
/// adjacent_find: the first element that is equal to the next one, or for which predicate(x, next) is true.

#include <std_algorithms/impl/Kokkos_AlgorithmCalls.hpp>

namespace Kokkos::Impl::Algorithms {

template <class In, class P>
struct NextPair {
  using cost = CheapWith<In, P>;
  In in;
  P predicate;
  KOKKOS_FUNCTION bool operator()(Distance i) const { return predicate(in[i], in[i + 1]); }
};

struct AdjacentFind {
  template <class Place, class It, class P = Equal>
  KOKKOS_FUNCTION static auto run(Place const& place, It first, It last, P const& predicate = {}) {
    Distance const pairs = last - first > 1 ? last - first - 1 : 0;
    Distance const found = Algorithms::find_first(place, pairs, NextPair<It, P>{first, predicate});
    return found < pairs ? first + found : last;
  }
};

}  // namespace Kokkos::Impl::Algorithms

KOKKOS_IMPL_STD_ALGORITHM(adjacent_find, AdjacentFind)

#endif
