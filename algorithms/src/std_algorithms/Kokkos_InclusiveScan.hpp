// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_STD_ALGORITHMS_INCLUSIVE_SCAN_HPP
#define KOKKOS_STD_ALGORITHMS_INCLUSIVE_SCAN_HPP

/// \file
/// inclusive_scan: element i of the result is the sum, or the join by `binary`, of an optional initial value and all
/// elements up to and including i. Returns the end of the results. The result may overwrite the input.

#include <std_algorithms/impl/Kokkos_AlgorithmScans.hpp>

namespace Kokkos::Impl::Algorithms {

struct InclusiveScan {
  template <class Place, class In, class Out, class Op = Plus>
  KOKKOS_FUNCTION static auto run(Place const& place, In first, In last, Out out, Op const& binary = {}) {
    using T = element_t<In>;
    return Algorithms::scan_values<ScanKind::inclusive, false>(place, out, last - first, Element<In>{first}, T(),
                                                               binary);
  }
  template <class Place, class In, class Out, class Op, class T>
  KOKKOS_FUNCTION static auto run(Place const& place, In first, In last, Out out, Op const& binary, T const& init) {
    return Algorithms::scan_values<ScanKind::inclusive, true>(place, out, last - first, Element<In>{first}, init,
                                                              binary);
  }
};

}  // namespace Kokkos::Impl::Algorithms

KOKKOS_IMPL_STD_ALGORITHM(inclusive_scan, InclusiveScan)

#endif
