// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_STD_ALGORITHMS_GENERATE_N_HPP
#define KOKKOS_STD_ALGORITHMS_GENERATE_N_HPP

/// \file
/// generate_n: assigns generator() to each of the first n elements; returns the position after them.

#include <std_algorithms/impl/Kokkos_AlgorithmCalls.hpp>

namespace Kokkos::Impl::Algorithms {

struct GenerateN {
  static constexpr char const* name = "generate_n";
  static constexpr Takes takes      = Takes::counted;
  template <class Place, class It, class Size, class G>
  KOKKOS_FUNCTION static auto run(Place const& place, It first, Size n, G const& generator) {
    return assign(place, first, n > 0 ? static_cast<Distance>(n) : 0, Generated<G>{generator});
  }
};

}  // namespace Kokkos::Impl::Algorithms

KOKKOS_IMPL_STD_ALGORITHM(generate_n, GenerateN)

#endif
