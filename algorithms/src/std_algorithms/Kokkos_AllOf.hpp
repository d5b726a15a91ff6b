// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_STD_ALGORITHMS_ALL_OF_HPP
#define KOKKOS_STD_ALGORITHMS_ALL_OF_HPP

/// \file
/// all_of: whether every element satisfies the predicate; true for an empty range.

#include <std_algorithms/impl/Kokkos_AlgorithmCalls.hpp>
#include <std_algorithms/Kokkos_FindIfNot.hpp>

namespace Kokkos::Impl::Algorithms {

using AllOf = FindsNothing<FindIfNot>;

}  // namespace Kokkos::Impl::Algorithms

KOKKOS_IMPL_STD_ALGORITHM(all_of, AllOf)

#endif
