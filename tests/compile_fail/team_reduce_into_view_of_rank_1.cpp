// expect: view has a higher rank
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A nested reduction into a view of rank 1.

#include <Kokkos_Core.hpp>

using Member = Kokkos::TeamPolicy<>::member_type;

void reduce(Member const& team, Kokkos::View<double*> const& sums) {
  Kokkos::parallel_reduce(Kokkos::TeamThreadRange(team, 10), [](int i, double& update) { update += i; }, sums);
}
