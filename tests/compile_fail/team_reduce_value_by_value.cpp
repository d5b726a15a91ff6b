// expect: A parallel_reduce inside a team: the body takes the value that it updates as a copy
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The body adds to a copy of the value.

#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;
void f() {
  Kokkos::parallel_for(
      Policy(1, 1), KOKKOS_LAMBDA(Policy::member_type const& member) {
        double sum;
        Kokkos::parallel_reduce(Kokkos::TeamThreadRange(member, 10), [&](int i, double s) { s += i; }, sum);
      });
}
