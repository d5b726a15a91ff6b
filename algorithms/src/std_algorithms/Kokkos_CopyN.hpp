// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_STD_ALGORITHMS_COPY_N_HPP
#define KOKKOS_STD_ALGORITHMS_COPY_N_HPP

/// \file
/// copy_n: copies the first n elements; returns the end of the copies.

#include <std_algorithms/impl/Kokkos_AlgorithmCalls.hpp>

namespace Kokkos::Impl::Algorithms {

struct CopyN {
  static constexpr Takes takes = Takes::counted;
  template <class Place, class In, class Size, class Out>
  KOKKOS_FUNCTION static auto run(Place const& place, In first, Size n, Out out) {
    return Algorithms::assign(place, out, n > 0 ? static_cast<Distance>(n) : 0, Element<In>{first});
  }
};

}  // namespace Kokkos::Impl::Algorithms

KOKKOS_IMPL_STD_ALGORITHM(copy_n, CopyN)

#endif
