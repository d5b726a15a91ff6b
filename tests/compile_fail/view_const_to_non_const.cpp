// expect: could not convert|no viable conversion|conversion from
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Kokkos_Core.hpp>

Kokkos::View<double*> drop_const(Kokkos::View<double const*> const& v) { return v; }
