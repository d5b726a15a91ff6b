// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_STD_ALGORITHMS_INCLUSIVE_SCAN_HPP
#define KOKKOS_STD_ALGORITHMS_INCLUSIVE_SCAN_HPP

/// \file
/// inclusive_scan: position i of the result is the sum, or the join by `binary`, of all elements up to and with i,
/// after an initial value if there is one. Returns the end of the results, which may take the place of the elements.

#include <std_algorithms/impl/Kokkos_AlgorithmCalls.hpp>

namespace Kokkos::Impl::Algorithms {

struct InclusiveScan {
  template <class Place, class In, class Out, class Op = Plus>
  KOKKOS_FUNCTION static auto run(Place const& place, In first, In last, Out out, Op const& binary = {}) {
    using T = element_t<In>;
    return scan_values<ScanKind::inclusive, false>(place, out, last - first, Element<In>{first}, T(), binary);
  }
  template <class Place, class In, class Out, class Op, class T>
  KOKKOS_FUNCTION static auto run(Place const& place, In first, In last, Out out, Op const& binary, T const& init) {
    return scan_values<ScanKind::inclusive, true>(place, out, last - first, Element<In>{first}, init, binary);
  }
};

}  // namespace Kokkos::Impl::Algorithms

KOKKOS_IMPL_STD_ALGORITHM(inclusive_scan, InclusiveScan)

#endif
