// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_STD_ALGORITHMS_SHIFT_LEFT_HPP
#define KOKKOS_STD_ALGORITHMS_SHIFT_LEFT_HPP

/// \file
/// shift_left: moves every element n positions towards the front; returns the end of those that are left. Elements
/// beyond it that can be copied keep their values.

#include <std_algorithms/impl/Kokkos_AlgorithmCalls.hpp>

namespace Kokkos::Impl::Algorithms {

struct ShiftLeft {
  static constexpr char const* name = "shift_left";
  static constexpr Takes takes      = Takes::range;
  template <class Place, class It, class Size>
  KOKKOS_FUNCTION static auto run(Place const& place, It first, It last, Size n) {
    Distance const length = last - first, shift = static_cast<Distance>(n);
    if (shift <= 0) return last;
    if (shift >= length) return first;
    place.shift(first, shift, 0, length - shift);
    place.finish();
    return first + (length - shift);
  }
};

}  // namespace Kokkos::Impl::Algorithms

KOKKOS_IMPL_STD_ALGORITHM(shift_left, ShiftLeft)

#endif
