// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_STD_ALGORITHMS_TRANSFORM_EXCLUSIVE_SCAN_HPP
#define KOKKOS_STD_ALGORITHMS_TRANSFORM_EXCLUSIVE_SCAN_HPP

/// \file
/// transform_exclusive_scan: element i of the result is the join of an initial value and unary(x) for all elements
/// before i. Returns the end of the results. The result may overwrite the input.

#include <std_algorithms/impl/Kokkos_AlgorithmScans.hpp>

namespace Kokkos::Impl::Algorithms {

struct TransformExclusiveScan {
  template <class Place, class In, class Out, class T, class Op, class Unary>
  KOKKOS_FUNCTION static auto run(Place const& place, In first, In last, Out out, T const& init, Op const& binary,
                                  Unary const& unary) {
    using Source = Transformed<In, Unary>;
    return Algorithms::scan_values<ScanKind::exclusive, true>(place, out, last - first, Source{first, unary}, init,
                                                              binary);
  }
};

}  // namespace Kokkos::Impl::Algorithms

KOKKOS_IMPL_STD_ALGORITHM(transform_exclusive_scan, TransformExclusiveScan)

#endif
