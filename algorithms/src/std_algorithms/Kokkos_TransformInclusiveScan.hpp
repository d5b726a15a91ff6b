// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_STD_ALGORITHMS_TRANSFORM_INCLUSIVE_SCAN_HPP
#define KOKKOS_STD_ALGORITHMS_TRANSFORM_INCLUSIVE_SCAN_HPP

/// \file
/// transform_inclusive_scan: element i of the result is the join of an optional initial value and unary(x) for all
/// elements up to and including i. Returns the end of the results. The result may overwrite the input.

#include <std_algorithms/impl/Kokkos_AlgorithmScans.hpp>

namespace Kokkos::Impl::Algorithms {

struct TransformInclusiveScan {
  template <class Place, class In, class Out, class Op, class Unary>
  KOKKOS_FUNCTION static auto run(Place const& place, In first, In last, Out out, Op const& binary,
                                  Unary const& unary) {
    using T      = std::decay_t<decltype(unary(first[0]))>;
    using Source = Transformed<In, Unary>;
    return Algorithms::scan_values<ScanKind::inclusive, false>(place, out, last - first, Source{first, unary}, T(),
                                                               binary);
  }
  template <class Place, class In, class Out, class Op, class Unary, class T>
  KOKKOS_FUNCTION static auto run(Place const& place, In first, In last, Out out, Op const& binary, Unary const& unary,
                                  T const& init) {
    using Source = Transformed<In, Unary>;
    return Algorithms::scan_values<ScanKind::inclusive, true>(place, out, last - first, Source{first, unary}, init,
                                                              binary);
  }
};

}  // namespace Kokkos::Impl::Algorithms

KOKKOS_IMPL_STD_ALGORITHM(transform_inclusive_scan, TransformInclusiveScan)

#endif
