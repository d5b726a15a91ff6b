// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A shared object that contains all of Kokkos, like a module for an interpreter.
#include <Kokkos_Core.hpp>

extern "C" double plugin_sum(int n) {
  Kokkos::ScopeGuard guard;
  double sum = 0;
  Kokkos::parallel_reduce(n, KOKKOS_LAMBDA(int i, double& s) { s += i; }, sum);
  return sum;
}
