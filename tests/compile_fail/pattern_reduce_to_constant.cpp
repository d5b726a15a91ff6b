// expect: one of those given is a constant or a temporary
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The result is const.

#include <Kokkos_Core.hpp>

void f() {
  double const sum = 0;
  Kokkos::parallel_reduce(1, KOKKOS_LAMBDA(int, double& s) { s += 1; }, sum);
}
