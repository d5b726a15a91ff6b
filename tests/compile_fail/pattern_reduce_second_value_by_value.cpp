// expect: the functor takes the value that it updates as a copy.*Take it by reference
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The functor takes the second of two values by value.

#include <Kokkos_Core.hpp>

struct SumAndGreatest {
  KOKKOS_FUNCTION void operator()(int i, double& sum, double greatest) const {
    sum += i;
    greatest = i > greatest ? i : greatest;
  }
};
void f() {
  double sum, greatest;
  Kokkos::parallel_reduce(10, SumAndGreatest(), sum, Kokkos::Max<double>(greatest));
}
