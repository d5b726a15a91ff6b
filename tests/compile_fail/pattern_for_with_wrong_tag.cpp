// expect: Kokkos::parallel_for: the functor has no const operator
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The functor does not take the work tag of the policy.

#include <Kokkos_Core.hpp>

struct A {};
struct F {
  void operator()(int) const {}
};
void f() { Kokkos::parallel_for(Kokkos::RangePolicy<A>(0, 1), F{}); }
