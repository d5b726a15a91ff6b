// expect: A Kokkos policy takes one index type, but two were given
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A policy with two index types.

#include <Kokkos_Core.hpp>

Kokkos::RangePolicy<int, Kokkos::IndexType<long>> policy(0, 1);
