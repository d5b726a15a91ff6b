// expect: Kokkos::parallel_scan: the functor has no const operator
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The functor of a scan lacks the third parameter.

#include <Kokkos_Core.hpp>

void f() {
  double total;
  Kokkos::parallel_scan(1, KOKKOS_LAMBDA(int, double& s) { s += 1; }, total);
}
