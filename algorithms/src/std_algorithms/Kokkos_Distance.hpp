// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_STD_ALGORITHMS_DISTANCE_HPP
#define KOKKOS_STD_ALGORITHMS_DISTANCE_HPP

/// \file
/// distance: number of steps between two iterators. It is part of Core.

#include <Kokkos_View.hpp>

#endif
