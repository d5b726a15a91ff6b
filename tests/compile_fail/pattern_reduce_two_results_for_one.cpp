// expect: one value_type& for each
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Two results for a functor that takes one.

#include <Kokkos_Core.hpp>

void f() {
  double a, b;
  Kokkos::parallel_reduce(1, KOKKOS_LAMBDA(int, double& s) { s += 1; }, a, b);
}
