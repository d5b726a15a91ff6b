// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_STD_ALGORITHMS_REMOVE_HPP
#define KOKKOS_STD_ALGORITHMS_REMOVE_HPP

/// \file
/// remove: moves the elements that are not equal to the value to the front, in order; returns their end.

#include <std_algorithms/impl/Kokkos_AlgorithmCalls.hpp>
#include <std_algorithms/Kokkos_RemoveIf.hpp>

namespace Kokkos::Impl::Algorithms {

struct Remove {
  static constexpr char const* name = "remove";
  static constexpr Takes takes      = Takes::range;
  template <class Place, class It, class T>
  KOKKOS_FUNCTION static auto run(Place const& place, It first, It last, T const& value) {
    return RemoveIf::run(place, first, last, EqualTo<T>{value});
  }
};

}  // namespace Kokkos::Impl::Algorithms

KOKKOS_IMPL_STD_ALGORITHM(remove, Remove)

#endif
