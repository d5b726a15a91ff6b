// expect: Kokkos::parallel_reduce: the functor has no const operator
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The lambda adds to a double, the result is a float.

#include <Kokkos_Core.hpp>

void f() {
  float sum;
  Kokkos::parallel_reduce(1, KOKKOS_LAMBDA(int, double& s) { s += 1; }, sum);
}
