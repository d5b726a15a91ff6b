// expect: a constant, an array or a pointer
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A nested reduction into an array.

#include <Kokkos_Core.hpp>

using Member = Kokkos::TeamPolicy<>::member_type;

void reduce(Member const& team) {
  int sums[3];
  Kokkos::parallel_reduce(Kokkos::TeamThreadRange(team, 10), [](int i, int* update) { update[i % 3] += i; }, sums);
}
