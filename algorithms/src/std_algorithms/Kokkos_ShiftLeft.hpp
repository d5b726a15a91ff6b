// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_STD_ALGORITHMS_SHIFT_LEFT_HPP
#define KOKKOS_STD_ALGORITHMS_SHIFT_LEFT_HPP

/// \file
/// shift_left: moves every element n positions towards the front; returns the end of the remaining elements. Elements
/// after the end keep their values if the type is copyable.

#include <std_algorithms/impl/Kokkos_AlgorithmCalls.hpp>

namespace Kokkos::Impl::Algorithms {

struct ShiftLeft {
  template <class Place, class It, class Size>
  KOKKOS_FUNCTION static auto run(Place const& place, It first, It last, Size n) {
    return first + Algorithms::shift_range(place, first, last - first, static_cast<Distance>(n), true);
  }
};

}  // namespace Kokkos::Impl::Algorithms

KOKKOS_IMPL_STD_ALGORITHM(shift_left, ShiftLeft)

#endif
