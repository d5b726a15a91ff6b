// expect: Kokkos::MDRangePolicy takes at most one tile size for each dimension
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// More tile sizes than dimensions.

#include <Kokkos_Core.hpp>

Kokkos::MDRangePolicy<Kokkos::Rank<2>> policy({0, 0}, {1, 1}, {1, 1, 1});
