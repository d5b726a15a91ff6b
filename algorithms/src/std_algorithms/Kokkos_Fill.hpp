// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_STD_ALGORITHMS_FILL_HPP
#define KOKKOS_STD_ALGORITHMS_FILL_HPP

/// \file
/// fill: assigns the value to each element.

#include <std_algorithms/impl/Kokkos_AlgorithmCalls.hpp>

namespace Kokkos::Impl::Algorithms {

struct Fill {
  static constexpr char const* name = "fill";
  static constexpr Takes takes      = Takes::range;
  template <class Place, class It, class T>
  KOKKOS_FUNCTION static auto run(Place const& place, It first, It last, T const& value) {
    assign(place, first, last - first, Constant<T>{value});
  }
};

}  // namespace Kokkos::Impl::Algorithms

KOKKOS_IMPL_STD_ALGORITHM(fill, Fill)

#endif
