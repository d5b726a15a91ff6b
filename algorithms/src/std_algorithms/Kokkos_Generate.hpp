// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_STD_ALGORITHMS_GENERATE_HPP
#define KOKKOS_STD_ALGORITHMS_GENERATE_HPP

/// \file
/// generate: assigns generator() to each element, in no particular order.

#include <std_algorithms/impl/Kokkos_AlgorithmCalls.hpp>

namespace Kokkos::Impl::Algorithms {

struct Generate {
  static constexpr char const* name = "generate";
  static constexpr Takes takes      = Takes::range;
  template <class Place, class It, class G>
  KOKKOS_FUNCTION static auto run(Place const& place, It first, It last, G const& generator) {
    assign(place, first, last - first, Generated<G>{generator});
  }
};

}  // namespace Kokkos::Impl::Algorithms

KOKKOS_IMPL_STD_ALGORITHM(generate, Generate)

#endif
