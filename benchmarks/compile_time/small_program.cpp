// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A small program: one view, one parallel_for, one parallel_reduce. Users notice its compile time.
#include <Kokkos_Core.hpp>

#include <cstdio>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard guard(argc, argv);
  int const n = 1000;
  Kokkos::View<double*> x("x", n);
  Kokkos::parallel_for("fill", n, KOKKOS_LAMBDA(int i) { x(i) = i; });
  double sum = 0;
  Kokkos::parallel_reduce("sum", n, KOKKOS_LAMBDA(int i, double& update) { update += x(i); }, sum);
  std::printf("%g\n", sum);
}
