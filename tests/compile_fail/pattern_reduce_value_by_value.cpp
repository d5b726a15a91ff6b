// expect: Kokkos::parallel_reduce: the functor takes the value that it updates as a copy.*Take it by reference
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The lambda adds to a copy of the value.

#include <Kokkos_Core.hpp>

void f() {
  double sum;
  Kokkos::parallel_reduce(10, KOKKOS_LAMBDA(int i, double s) { s += i; }, sum);
}
