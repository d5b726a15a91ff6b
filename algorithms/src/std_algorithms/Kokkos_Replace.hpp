// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_STD_ALGORITHMS_REPLACE_HPP
#define KOKKOS_STD_ALGORITHMS_REPLACE_HPP

/// \file
/// replace: assigns the new value to each element that is equal to the old one.

#include <std_algorithms/impl/Kokkos_AlgorithmCalls.hpp>
#include <std_algorithms/Kokkos_ReplaceIf.hpp>

namespace Kokkos::Impl::Algorithms {

struct Replace {
  template <class Place, class It, class T>
  KOKKOS_FUNCTION static auto run(Place const& place, It first, It last, T const& old_value, T const& new_value) {
    ReplaceIf::run(place, first, last, EqualTo<T>{old_value}, new_value);
  }
};

}  // namespace Kokkos::Impl::Algorithms

KOKKOS_IMPL_STD_ALGORITHM(replace, Replace)

#endif
