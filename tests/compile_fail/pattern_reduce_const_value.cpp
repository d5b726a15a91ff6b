// expect: the functor takes the value that it updates as a copy or as const
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A functor that cannot update its value.

#include <Kokkos_Core.hpp>

struct Count {
  KOKKOS_FUNCTION void operator()(int, long const&) const {}
};
void f() {
  long n;
  Kokkos::parallel_reduce(10, Count(), n);
}
