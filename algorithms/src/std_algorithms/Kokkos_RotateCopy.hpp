// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_STD_ALGORITHMS_ROTATE_COPY_HPP
#define KOKKOS_STD_ALGORITHMS_ROTATE_COPY_HPP

/// \file
/// rotate_copy: copies the elements from the middle position on, then those before it; returns the end of the copies.
/// For a view, the middle position is a number.

#include <std_algorithms/impl/Kokkos_AlgorithmCalls.hpp>

namespace Kokkos::Impl::Algorithms {

struct RotateCopy {
  static constexpr Takes takes = Takes::rotated_range;
  template <class Place, class In, class Out>
  KOKKOS_FUNCTION static auto run(Place const& place, In first, In middle, In last, Out out) {
    return Algorithms::assign(place, out, last - first, RotatedElement<In>{first, middle - first, last - first});
  }
};

}  // namespace Kokkos::Impl::Algorithms

KOKKOS_IMPL_STD_ALGORITHM(rotate_copy, RotateCopy)

#endif
