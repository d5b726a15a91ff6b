// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_STD_ALGORITHMS_PARTITION_POINT_HPP
#define KOKKOS_STD_ALGORITHMS_PARTITION_POINT_HPP

/// \file
/// partition_point: the first element that does not satisfy the predicate, in a range in which elements that satisfy it
/// come first.

#include <std_algorithms/impl/Kokkos_AlgorithmCalls.hpp>
#include <std_algorithms/Kokkos_FindIfNot.hpp>

namespace Kokkos::Impl::Algorithms {

struct PartitionPoint {
  template <class Place, class It, class P>
  KOKKOS_FUNCTION static auto run(Place const& place, It first, It last, P const& predicate) {
    return FindIfNot::run(place, first, last, predicate);
  }
};

}  // namespace Kokkos::Impl::Algorithms

KOKKOS_IMPL_STD_ALGORITHM(partition_point, PartitionPoint)

#endif
