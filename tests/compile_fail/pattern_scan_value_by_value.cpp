// expect: Kokkos::parallel_scan: the functor takes the value that it updates as a copy
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The lambda adds to a copy of the value.

#include <Kokkos_Core.hpp>

void f() {
  long total;
  Kokkos::parallel_scan(10, KOKKOS_LAMBDA(int i, long s, bool) { s += i; }, total);
}
