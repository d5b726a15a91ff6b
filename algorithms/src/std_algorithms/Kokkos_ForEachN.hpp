// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_STD_ALGORITHMS_FOR_EACH_N_HPP
#define KOKKOS_STD_ALGORITHMS_FOR_EACH_N_HPP

/// \file
/// for_each_n: calls f(x) for each of the first n elements; returns the position after them.

#include <std_algorithms/impl/Kokkos_AlgorithmCalls.hpp>
#include <std_algorithms/Kokkos_ForEach.hpp>

namespace Kokkos::Impl::Algorithms {

struct ForEachN {
  static constexpr Takes takes = Takes::counted;
  template <class Place, class It, class Size, class F>
  KOKKOS_FUNCTION static auto run(Place const& place, It first, Size n, F const& f) {
    Distance const count = n > 0 ? static_cast<Distance>(n) : 0;
    ForEach::run(place, first, first + count, f);
    return first + count;
  }
};

}  // namespace Kokkos::Impl::Algorithms

KOKKOS_IMPL_STD_ALGORITHM(for_each_n, ForEachN)

#endif
