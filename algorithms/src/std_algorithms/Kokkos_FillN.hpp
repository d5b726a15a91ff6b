// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_STD_ALGORITHMS_FILL_N_HPP
#define KOKKOS_STD_ALGORITHMS_FILL_N_HPP

/// \file
/// fill_n: assigns the value to the first n elements; returns the position after them.

#include <std_algorithms/impl/Kokkos_AlgorithmCalls.hpp>

namespace Kokkos::Impl::Algorithms {

struct FillN {
  static constexpr char const* name = "fill_n";
  static constexpr Takes takes      = Takes::counted;
  template <class Place, class It, class Size, class T>
  KOKKOS_FUNCTION static auto run(Place const& place, It first, Size n, T const& value) {
    return assign(place, first, n > 0 ? static_cast<Distance>(n) : 0, Constant<T>{value});
  }
};

}  // namespace Kokkos::Impl::Algorithms

KOKKOS_IMPL_STD_ALGORITHM(fill_n, FillN)

#endif
