// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The test of the package: a sum with OpenMP.

#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  double sum = 0;
  Kokkos::parallel_reduce("sum", 1000, KOKKOS_LAMBDA(int i, double& s) { s += i; }, sum);
  return sum == 499500 ? 0 : 1;
}
