// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_STD_ALGORITHMS_ADJACENT_DIFFERENCE_HPP
#define KOKKOS_STD_ALGORITHMS_ADJACENT_DIFFERENCE_HPP

/// \file
/// adjacent_difference: copies the first element, then assigns op(x, predecessor of x), by default their difference;
/// returns the end of the results.

#include <std_algorithms/impl/Kokkos_AlgorithmCalls.hpp>

namespace Kokkos::Impl::Algorithms {

template <class In, class Op>
struct DifferenceAt {
  AdjacentPair<In, Op> pair;
  KOKKOS_FUNCTION auto operator()(Distance i) const {
    using T = std::common_type_t<element_t<In>, std::decay_t<decltype(pair(i))>>;
    return i == 0 ? static_cast<T>(pair.in[0]) : static_cast<T>(pair(i));
  }
};

struct AdjacentDifference {
  template <class Place, class In, class Out, class Op = Minus>
  KOKKOS_FUNCTION static auto run(Place const& place, In first, In last, Out out, Op const& op = {}) {
    return Algorithms::assign(place, out, last - first, DifferenceAt<In, Op>{{first, op}});
  }
};

}  // namespace Kokkos::Impl::Algorithms

KOKKOS_IMPL_STD_ALGORITHM(adjacent_difference, AdjacentDifference)

#endif
