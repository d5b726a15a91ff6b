// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_STD_ALGORITHMS_FIND_IF_NOT_HPP
#define KOKKOS_STD_ALGORITHMS_FIND_IF_NOT_HPP

/// \file
/// find_if_not: the first element that does not satisfy the predicate; the last position if all do.

#include <std_algorithms/impl/Kokkos_AlgorithmCalls.hpp>
#include <std_algorithms/Kokkos_FindIf.hpp>

namespace Kokkos::Impl::Algorithms {

using FindIfNot = ForOtherElements<FindIf>;

}  // namespace Kokkos::Impl::Algorithms

KOKKOS_IMPL_STD_ALGORITHM(find_if_not, FindIfNot)

#endif
