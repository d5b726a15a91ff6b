// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_STD_ALGORITHMS_IS_PARTITIONED_HPP
#define KOKKOS_STD_ALGORITHMS_IS_PARTITIONED_HPP

/// \file
/// is_partitioned: whether all elements that satisfy the predicate come before all that do not.

#include <std_algorithms/impl/Kokkos_AlgorithmCalls.hpp>

namespace Kokkos::Impl::Algorithms {

struct IsPartitioned {
  template <class Place, class It, class P>
  KOKKOS_FUNCTION static auto run(Place const& place, It first, It last, P const& predicate) {
    Distance const last_true = Algorithms::find_last(place, last - first, Transformed<It, P>{first, predicate});
    return last_true < Algorithms::find_first(place, last - first, Transformed<It, Not<P>>{first, {predicate}});
  }
};

}  // namespace Kokkos::Impl::Algorithms

KOKKOS_IMPL_STD_ALGORITHM(is_partitioned, IsPartitioned)

#endif
