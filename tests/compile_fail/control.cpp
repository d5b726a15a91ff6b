// expect: no error
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Compiles. Otherwise the other programs of this folder would fail for an unrelated reason.

#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard guard(argc, argv);
  Kokkos::View<double*> x("x", 10);
  Kokkos::parallel_for(x.extent(0), KOKKOS_LAMBDA(int i) { x(i) = i; });
}
