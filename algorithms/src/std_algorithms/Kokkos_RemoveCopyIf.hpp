// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_STD_ALGORITHMS_REMOVE_COPY_IF_HPP
#define KOKKOS_STD_ALGORITHMS_REMOVE_COPY_IF_HPP

/// \file
/// remove_copy_if: copies the elements that do not satisfy the predicate, in order; returns the end of the copies.

#include <std_algorithms/impl/Kokkos_AlgorithmCalls.hpp>
#include <std_algorithms/Kokkos_CopyIf.hpp>

namespace Kokkos::Impl::Algorithms {

using RemoveCopyIf = ForOtherElements<CopyIf>;

}  // namespace Kokkos::Impl::Algorithms

KOKKOS_IMPL_STD_ALGORITHM(remove_copy_if, RemoveCopyIf)

#endif
