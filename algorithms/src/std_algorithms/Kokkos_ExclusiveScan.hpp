// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_STD_ALGORITHMS_EXCLUSIVE_SCAN_HPP
#define KOKKOS_STD_ALGORITHMS_EXCLUSIVE_SCAN_HPP

/// \file
/// exclusive_scan: element i of the result is the sum, or the join by `binary`, of an initial value and all elements
/// before i. Returns the end of the results. The result may overwrite the input.

#include <std_algorithms/impl/Kokkos_AlgorithmScans.hpp>

namespace Kokkos::Impl::Algorithms {

struct ExclusiveScan {
  template <class Place, class In, class Out, class T, class Op = Plus>
  KOKKOS_FUNCTION static auto run(Place const& place, In first, In last, Out out, T const& init,
                                  Op const& binary = {}) {
    return Algorithms::scan_values<ScanKind::exclusive, true>(place, out, last - first, Element<In>{first}, init,
                                                              binary);
  }
};

}  // namespace Kokkos::Impl::Algorithms

KOKKOS_IMPL_STD_ALGORITHM(exclusive_scan, ExclusiveScan)

#endif
