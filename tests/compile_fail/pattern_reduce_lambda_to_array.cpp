// expect: the functor needs a member type value_type = T
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// An array result needs a functor with the array's length.

#include <Kokkos_Core.hpp>

void f() {
  double sums[3];
  Kokkos::parallel_reduce(1, KOKKOS_LAMBDA(int, double& s) { s += 1; }, sums);
}
