// expect: Kokkos::parallel_for: the functor has no const operator
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The functor takes one index, the policy has two.

#include <Kokkos_Core.hpp>

void f() { Kokkos::parallel_for(Kokkos::MDRangePolicy<Kokkos::Rank<2>>({0, 0}, {1, 1}), KOKKOS_LAMBDA(int){}); }
