// expect: has 2 to 8 of them
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A multidimensional nested range with one dimension.

#include <Kokkos_Core.hpp>

using Member = Kokkos::TeamPolicy<>::member_type;

void loop(Member const& team) {
  Kokkos::parallel_for(Kokkos::TeamThreadMDRange(team, 4), [](int) {});
}
