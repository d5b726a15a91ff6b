// expect: Kokkos::parallel_for: the functor has no const operator
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The call operator of the functor is not const.

#include <Kokkos_Core.hpp>

struct F {
  void operator()(int) {}
};
void f() { Kokkos::parallel_for(1, F{}); }
