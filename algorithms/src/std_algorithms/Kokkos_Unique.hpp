// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_STD_ALGORITHMS_UNIQUE_HPP
#define KOKKOS_STD_ALGORITHMS_UNIQUE_HPP

/// \file
/// unique: moves the first of each group of consecutive equal elements to the front; returns their end. Elements after
/// the end have unspecified values.

#include <std_algorithms/impl/Kokkos_AlgorithmCalls.hpp>
#include <std_algorithms/Kokkos_AdjacentFind.hpp>
#include <std_algorithms/Kokkos_UniqueCopy.hpp>

namespace Kokkos::Impl::Algorithms {

struct Unique {
  template <class Place, class It, class P = Equal>
  KOKKOS_FUNCTION static auto run(Place const& place, It first, It last, P const& equal = {}) {
    // The elements before the first repetition remain where they are. Often there is none.
    It const from = AdjacentFind::run(place, first, last, equal);
    if (from == last) return last;
    Distance const kept = place.compact(from, last - from, BeginsGroup<It, P>{from, equal});
    place.finish();
    return from + kept;
  }
};

}  // namespace Kokkos::Impl::Algorithms

KOKKOS_IMPL_STD_ALGORITHM(unique, Unique)

#endif
