// expect: cannot deduce from this body
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A nested scan of a generic lambda, which does not determine the value type.

#include <Kokkos_Core.hpp>

using Member = Kokkos::TeamPolicy<>::member_type;

void scan(Member const& team) {
  Kokkos::parallel_scan(Kokkos::TeamThreadRange(team, 10), [](int i, auto& update, bool) { update += i; });
}
