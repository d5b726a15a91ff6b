// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_STD_ALGORITHMS_FIND_FIRST_OF_HPP
#define KOKKOS_STD_ALGORITHMS_FIND_FIRST_OF_HPP

/// \file
/// find_first_of: the first element that is equal to any element of the second range; the last position if none is.

#include <std_algorithms/impl/Kokkos_AlgorithmCalls.hpp>

namespace Kokkos::Impl::Algorithms {

/// Whether the element equals any of the choices.
template <class In, class Choices, class P>
struct IsAnyOf {
  In in;
  Choices choices;
  Distance count;
  P equal;
  KOKKOS_FUNCTION bool operator()(Distance i) const {
    for (Distance j = 0; j < count; ++j)
      if (equal(in[i], choices[j])) return true;
    return false;
  }
  bool may_pass_in_block(Distance i) const {
    for (Distance j = 0; j < count; ++j)
      if (Algorithms::passes_in_block(i, [this, j](Distance k) { return equal(in[k], choices[j]); })) return true;
    return false;
  }
};

struct FindFirstOf {
  static constexpr Takes takes = Takes::ranges;
  template <class Place, class It1, class It2, class P = Equal>
  KOKKOS_FUNCTION static auto run(Place const& place, It1 first, It1 last, It2 s_first, It2 s_last,
                                  P const& equal = {}) {
    if (s_first == s_last) return last;
    return first +
           Algorithms::find_first(place, last - first, IsAnyOf<It1, It2, P>{first, s_first, s_last - s_first, equal});
  }
};

}  // namespace Kokkos::Impl::Algorithms

KOKKOS_IMPL_STD_ALGORITHM(find_first_of, FindFirstOf)

#endif
