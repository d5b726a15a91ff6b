// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_STD_ALGORITHMS_ADJACENT_DIFFERENCE_HPP
#define KOKKOS_STD_ALGORITHMS_ADJACENT_DIFFERENCE_HPP

/// \file
/// adjacent_difference: copies the first element, then assigns op(x, predecessor of x), by default their difference;
/// returns the end of the results.

#include <std_algorithms/impl/Kokkos_AlgorithmCalls.hpp>

namespace Kokkos::Impl::Algorithms {

template <class Out, class In, class Op>
struct AssignDifferences {
  using cost = CheapWith<Out, AdjacentPair<In, Op>>;
  Out out;
  AdjacentPair<In, Op> pair;
  KOKKOS_FUNCTION void operator()(Distance i) const {
    if (i == 0)
      assign_first();
    else
      out[i] = pair(i);
  }
  /// A loop without a condition, of which compilers make vectors.
  void stretch(Stretch positions) const {
    if (positions.begin == 0 && positions.end > 0) assign_first();
    for (Distance i = positions.begin == 0 ? 1 : positions.begin; i < positions.end; ++i) out[i] = pair(i);
  }
  KOKKOS_FUNCTION void assign_first() const { out[0] = pair.in[0]; }
};

struct AdjacentDifference {
  template <class Place, class In, class Out, class Op = Minus>
  KOKKOS_FUNCTION static auto run(Place const& place, In first, In last, Out out, Op const& op = {}) {
    Distance const n = last - first;
    place.each(n, AssignDifferences<Out, In, Op>{out, {first, op}});
    place.finish();
    return out + n;
  }
};

}  // namespace Kokkos::Impl::Algorithms

KOKKOS_IMPL_STD_ALGORITHM(adjacent_difference, AdjacentDifference)

#endif
