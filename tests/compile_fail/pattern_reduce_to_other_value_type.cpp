// expect: the value_type of the functor is not the type of the result
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The functor declares a different type from the result's.

#include <Kokkos_Core.hpp>

struct F {
  using value_type = double;
  void operator()(int, double& s) const { s += 1; }
};
void f() {
  float sum;
  Kokkos::parallel_reduce(1, F{}, sum);
}
