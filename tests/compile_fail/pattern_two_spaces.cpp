// expect: A Kokkos policy runs in one execution space, but two were given
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A policy with two execution spaces.

#include <Kokkos_Core.hpp>

Kokkos::RangePolicy<Kokkos::DefaultExecutionSpace, Kokkos::DefaultHostExecutionSpace> policy(0, 1);
