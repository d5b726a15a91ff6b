// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_STD_ALGORITHMS_MIN_ELEMENT_HPP
#define KOKKOS_STD_ALGORITHMS_MIN_ELEMENT_HPP

/// \file
/// min_element: the first of the smallest elements; the last position for an empty range.

#include <std_algorithms/impl/Kokkos_AlgorithmCalls.hpp>

namespace Kokkos::Impl::Algorithms {

/// Positions are compared by their elements; among equal ones the first is chosen, or the last.
template <class In, class Compare, bool TakesLast>
struct BestJoin {
  using value_type = Distance;
  In in;
  Compare better;
  KOKKOS_FUNCTION void init(Distance& value) const { value = -1; }
  KOKKOS_FUNCTION void join(Distance& into, Distance const& from) const {
    if (from >= 0 && (into < 0 || is_better(from, into))) into = from;
  }
  KOKKOS_FUNCTION bool is_better(Distance a, Distance b) const {
    if (better(in[a], in[b])) return true;
    return (TakesLast ? a > b : a < b) && !better(in[b], in[a]);
  }
};
template <class Join>
struct BestBody {
  Join join;
  KOKKOS_FUNCTION void operator()(Distance i, Distance& update) const { join.join(update, i); }
};
/// The position of the best element; `last` for an empty range.
template <bool TakesLast, class Place, class It, class Compare>
KOKKOS_FUNCTION It best_element(Place const& place, It first, It last, Compare const& better) {
  using Join = BestJoin<It, Compare, TakesLast>;
  Join const join{first, better};
  Distance const found = place.reduce(last - first, BestBody<Join>{join}, join);
  return found < 0 ? last : first + found;
}

struct MinElement {
  template <class Place, class It, class C = Less>
  KOKKOS_FUNCTION static auto run(Place const& place, It first, It last, C const& less = {}) {
    return Algorithms::best_element<false>(place, first, last, less);
  }
};

}  // namespace Kokkos::Impl::Algorithms

KOKKOS_IMPL_STD_ALGORITHM(min_element, MinElement)

#endif
