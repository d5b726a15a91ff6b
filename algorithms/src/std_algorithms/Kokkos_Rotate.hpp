// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_STD_ALGORITHMS_ROTATE_HPP
#define KOKKOS_STD_ALGORITHMS_ROTATE_HPP

/// \file
/// rotate: moves the element at the middle position to the front and the elements before it to the end; returns the new
/// position of the former first element. For a view, the middle position is a number.

#include <std_algorithms/impl/Kokkos_AlgorithmCalls.hpp>

namespace Kokkos::Impl::Algorithms {

struct Rotate {
  static constexpr Takes takes = Takes::rotated_range;
  template <class Place, class It>
  KOKKOS_FUNCTION static auto run(Place const& place, It first, It middle, It last) {
    Algorithms::rotate_range(place, first, middle - first, last - first);
    place.finish();
    return first + (last - middle);
  }
};

}  // namespace Kokkos::Impl::Algorithms

KOKKOS_IMPL_STD_ALGORITHM(rotate, Rotate)

#endif
