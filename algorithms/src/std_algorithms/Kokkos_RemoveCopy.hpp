// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_STD_ALGORITHMS_REMOVE_COPY_HPP
#define KOKKOS_STD_ALGORITHMS_REMOVE_COPY_HPP

/// \file
/// remove_copy: copies the elements that are not equal to the value, in order; returns the end of the copies.

#include <std_algorithms/impl/Kokkos_AlgorithmCalls.hpp>
#include <std_algorithms/Kokkos_RemoveCopyIf.hpp>

namespace Kokkos::Impl::Algorithms {

using RemoveCopy = ForEqualElements<RemoveCopyIf>;

}  // namespace Kokkos::Impl::Algorithms

KOKKOS_IMPL_STD_ALGORITHM(remove_copy, RemoveCopy)

#endif
