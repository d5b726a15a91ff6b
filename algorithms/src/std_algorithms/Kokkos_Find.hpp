// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_STD_ALGORITHMS_FIND_HPP
#define KOKKOS_STD_ALGORITHMS_FIND_HPP

/// \file
/// find: the first element that is equal to the value; the last position if none is.

#include <std_algorithms/impl/Kokkos_AlgorithmCalls.hpp>
#include <std_algorithms/Kokkos_FindIf.hpp>

namespace Kokkos::Impl::Algorithms {

using Find = ForEqualElements<FindIf>;

}  // namespace Kokkos::Impl::Algorithms

KOKKOS_IMPL_STD_ALGORITHM(find, Find)

#endif
