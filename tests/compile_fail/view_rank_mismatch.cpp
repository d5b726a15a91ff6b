// expect: could not convert|no viable conversion|conversion from
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Kokkos_Core.hpp>

Kokkos::View<double*> flatten(Kokkos::View<double**> const& v) { return v; }
