// expect: one of those given is a constant or a temporary
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The result is a temporary.

#include <Kokkos_Core.hpp>

void f() {
  Kokkos::parallel_reduce(1, KOKKOS_LAMBDA(int, double& s) { s += 1; }, 0.0);
}
