// expect: was called without a result, and the functor has no member function final
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A reduction without a result.

#include <Kokkos_Core.hpp>

void f() {
  Kokkos::parallel_reduce(1, KOKKOS_LAMBDA(int, double& s) { s += 1; });
}
