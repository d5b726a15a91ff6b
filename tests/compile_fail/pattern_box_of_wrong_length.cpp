// expect: Kokkos::MDRangePolicy needs one bound for each dimension of its Kokkos::Rank
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A braced list of two bounds for three dimensions.

#include <Kokkos_Core.hpp>

Kokkos::MDRangePolicy<Kokkos::Rank<3>> policy({0, 0}, {1, 1});
