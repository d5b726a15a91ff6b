// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_STD_ALGORITHMS_REMOVE_HPP
#define KOKKOS_STD_ALGORITHMS_REMOVE_HPP

/// \file
/// remove: moves the elements that are not equal to the value to the front, in order; returns their end.

#include <std_algorithms/impl/Kokkos_AlgorithmCalls.hpp>
#include <std_algorithms/Kokkos_RemoveIf.hpp>

namespace Kokkos::Impl::Algorithms {

using Remove = ForEqualElements<RemoveIf>;

}  // namespace Kokkos::Impl::Algorithms

KOKKOS_IMPL_STD_ALGORITHM(remove, Remove)

#endif
