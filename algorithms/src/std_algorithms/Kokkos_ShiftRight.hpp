// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_STD_ALGORITHMS_SHIFT_RIGHT_HPP
#define KOKKOS_STD_ALGORITHMS_SHIFT_RIGHT_HPP

/// \file
/// shift_right: moves every element n positions towards the end; returns the begin of the remaining elements. Elements
/// before it have unspecified values.

#include <std_algorithms/impl/Kokkos_AlgorithmCalls.hpp>

namespace Kokkos::Impl::Algorithms {

struct ShiftRight {
  template <class Place, class It, class Size>
  KOKKOS_FUNCTION static auto run(Place const& place, It first, It last, Size n) {
    return last - Algorithms::shift_range(place, first, last - first, static_cast<Distance>(n), false);
  }
};

}  // namespace Kokkos::Impl::Algorithms

KOKKOS_IMPL_STD_ALGORITHM(shift_right, ShiftRight)

#endif
