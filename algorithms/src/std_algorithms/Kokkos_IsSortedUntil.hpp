// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_STD_ALGORITHMS_IS_SORTED_UNTIL_HPP
#define KOKKOS_STD_ALGORITHMS_IS_SORTED_UNTIL_HPP

/// \file
/// is_sorted_until: where the elements cease to be in ascending order; the last position if they never do.

#include <std_algorithms/impl/Kokkos_AlgorithmCalls.hpp>

namespace Kokkos::Impl::Algorithms {

template <class In, class Compare>
struct BreaksOrder {
  In in;
  Compare less;
  KOKKOS_FUNCTION bool operator()(Distance i) const { return less(in[i + 1], in[i]); }
};

struct IsSortedUntil {
  static constexpr char const* name = "is_sorted_until";
  static constexpr Takes takes      = Takes::range;
  template <class Place, class It, class C = Less>
  KOKKOS_FUNCTION static auto run(Place const& place, It first, It last, C const& less = {}) {
    Distance const pairs = last - first > 1 ? last - first - 1 : 0;
    Distance const found = find_first(place, pairs, BreaksOrder<It, C>{first, less});
    return found < pairs ? first + (found + 1) : last;
  }
};

}  // namespace Kokkos::Impl::Algorithms

KOKKOS_IMPL_STD_ALGORITHM(is_sorted_until, IsSortedUntil)

#endif
