// expect: Kokkos::MDRangePolicy needs a Kokkos::Rank<N> with N from 1 to 6
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// An index range without a rank.

#include <Kokkos_Core.hpp>

Kokkos::MDRangePolicy<Kokkos::DefaultExecutionSpace> policy({0, 0}, {1, 1});
