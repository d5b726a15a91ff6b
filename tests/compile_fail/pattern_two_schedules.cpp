// expect: A Kokkos policy takes one Kokkos::Schedule, but two were given
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A policy with two schedules.

#include <Kokkos_Core.hpp>

Kokkos::RangePolicy<Kokkos::Schedule<Kokkos::Static>, Kokkos::Schedule<Kokkos::Dynamic>> policy(0, 1);
