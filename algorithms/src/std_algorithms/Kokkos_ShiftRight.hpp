// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_STD_ALGORITHMS_SHIFT_RIGHT_HPP
#define KOKKOS_STD_ALGORITHMS_SHIFT_RIGHT_HPP

/// \file
/// shift_right: moves every element n positions towards the end; returns the begin of those that are left. Before it
/// the elements have no particular value.

#include <std_algorithms/impl/Kokkos_AlgorithmCalls.hpp>

namespace Kokkos::Impl::Algorithms {

struct ShiftRight {
  static constexpr char const* name = "shift_right";
  static constexpr Takes takes      = Takes::range;
  template <class Place, class It, class Size>
  KOKKOS_FUNCTION static auto run(Place const& place, It first, It last, Size n) {
    Distance const length = last - first, shift = static_cast<Distance>(n);
    if (shift <= 0) return first;
    if (shift >= length) return last;
    place.shift(first, 0, shift, length - shift);
    place.finish();
    return first + shift;
  }
};

}  // namespace Kokkos::Impl::Algorithms

KOKKOS_IMPL_STD_ALGORITHM(shift_right, ShiftRight)

#endif
