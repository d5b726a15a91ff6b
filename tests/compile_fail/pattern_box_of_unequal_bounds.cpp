// expect: Kokkos::MDRangePolicy needs as many lower bounds as upper ones
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Two lower bounds and three upper ones.

#include <Kokkos_Core.hpp>

Kokkos::MDRangePolicy<Kokkos::Rank<2>> f(int n) { return Kokkos::MDRangePolicy<Kokkos::Rank<2>>({0, 0}, {n, n, n}); }
