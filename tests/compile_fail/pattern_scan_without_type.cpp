// expect: the type of the scan cannot be deduced from this functor
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A generic lambda does not determine the type of a scan.

#include <Kokkos_Core.hpp>

void f() {
  Kokkos::parallel_scan(1, KOKKOS_LAMBDA(int, auto& s, bool) { s += 1; });
}
