// expect: takes a value that it updates as a copy.*Take each by reference
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Of two values, the lambda adds to a copy of the second one.

#include <Kokkos_Core.hpp>

void f() {
  double sum, greatest;
  Kokkos::parallel_reduce(
      10,
      KOKKOS_LAMBDA(int i, double& s, double m) {
        s += i;
        m = i > m ? i : m;
      },
      sum, Kokkos::Max<double>(greatest));
}
