// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_STD_ALGORITHMS_REPLACE_IF_HPP
#define KOKKOS_STD_ALGORITHMS_REPLACE_IF_HPP

/// \file
/// replace_if: assigns the value to each element that satisfies the predicate.

#include <std_algorithms/impl/Kokkos_AlgorithmCalls.hpp>

namespace Kokkos::Impl::Algorithms {

template <class It, class P, class T>
struct AssignIf {
  It it;
  P predicate;
  T value;
  KOKKOS_FUNCTION void operator()(Distance i) const {
    if (predicate(it[i])) it[i] = value;
  }
};

struct ReplaceIf {
  template <class Place, class It, class P, class T>
  KOKKOS_FUNCTION static auto run(Place const& place, It first, It last, P const& predicate, T const& value) {
    place.each(last - first, AssignIf<It, P, T>{first, predicate, value});
    place.finish();
  }
};

}  // namespace Kokkos::Impl::Algorithms

KOKKOS_IMPL_STD_ALGORITHM(replace_if, ReplaceIf)

#endif
