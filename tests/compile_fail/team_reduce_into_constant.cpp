// expect: a constant, an array or a pointer
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A nested reduction into a variable that a lambda captured by value.

#include <Kokkos_Core.hpp>

using Member = Kokkos::TeamPolicy<>::member_type;

auto kernel = [sum = 0.0](Member const& team) {
  Kokkos::parallel_reduce(Kokkos::TeamThreadRange(team, 10), [](int i, double& update) { update += i; }, sum);
};

void run(Member const& team) { kernel(team); }
