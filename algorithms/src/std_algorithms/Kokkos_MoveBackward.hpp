// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_STD_ALGORITHMS_MOVE_BACKWARD_HPP
#define KOKKOS_STD_ALGORITHMS_MOVE_BACKWARD_HPP

/// \file
/// move_backward: moves the range to a destination that ends at an iterator; returns the begin of the moved elements.
/// The ranges must not overlap.

#include <std_algorithms/impl/Kokkos_AlgorithmCalls.hpp>

namespace Kokkos::Impl::Algorithms {

using MoveBackward = AssignRangeBackward<MovedElement>;

}  // namespace Kokkos::Impl::Algorithms

KOKKOS_IMPL_STD_ALGORITHM(move_backward, MoveBackward)

#endif
