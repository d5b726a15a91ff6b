// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_STD_ALGORITHMS_ITER_SWAP_HPP
#define KOKKOS_STD_ALGORITHMS_ITER_SWAP_HPP

/// \file
/// iter_swap: swaps the elements at two positions.

#include <std_algorithms/impl/Kokkos_AlgorithmParts.hpp>

namespace Kokkos::Experimental {

/// Called on the host. The default execution space swaps the elements; the swap is complete when this returns.
template <class Iterator1, class Iterator2>
void iter_swap(Iterator1 a, Iterator2 b) {
  using Kokkos::Impl::Algorithms::SwapElements;
  Kokkos::parallel_for("Kokkos::iter_swap", 1, SwapElements<Iterator1, Iterator2>{a, b});
  DefaultExecutionSpace().fence("Kokkos::iter_swap: done");
}

#ifdef KOKKOS_ENABLE_DEPRECATED_CODE_4
template <class T>
KOKKOS_DEPRECATED_WITH_COMMENT("Use Kokkos::kokkos_swap.")
KOKKOS_FUNCTION void swap(T& a, T& b) {
  Kokkos::kokkos_swap(a, b);
}
#endif

}  // namespace Kokkos::Experimental

#endif
