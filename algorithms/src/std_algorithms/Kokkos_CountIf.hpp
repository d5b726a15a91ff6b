// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_STD_ALGORITHMS_COUNT_IF_HPP
#define KOKKOS_STD_ALGORITHMS_COUNT_IF_HPP

/// \file
/// count_if: the number of elements that satisfy the predicate.

#include <std_algorithms/impl/Kokkos_AlgorithmCalls.hpp>

namespace Kokkos::Impl::Algorithms {

struct CountIf {
  template <class Place, class It, class P>
  KOKKOS_FUNCTION static auto run(Place const& place, It first, It last, P const& predicate) {
    using Test = Transformed<It, P>;
    return place.reduce(last - first, CountPasses<Test>{{first, predicate}}, CountJoin());
  }
};

}  // namespace Kokkos::Impl::Algorithms

KOKKOS_IMPL_STD_ALGORITHM(count_if, CountIf)

#endif
