// expect: the elements of the result view are const
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The elements of the result view are const.

#include <Kokkos_Core.hpp>

void f(Kokkos::View<double const> sum) {
  Kokkos::parallel_reduce(1, KOKKOS_LAMBDA(int, double& s) { s += 1; }, sum);
}
