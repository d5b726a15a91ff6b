// expect: one extent for each of them
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A nested range of three dimensions with two extents.

#include <Kokkos_Core.hpp>

using Member = Kokkos::TeamPolicy<>::member_type;

void loop(Member const& team) {
  Kokkos::parallel_for(Kokkos::TeamVectorMDRange<Kokkos::Rank<3>, Member>(team, 4, 5), [](int, int, int) {});
}
