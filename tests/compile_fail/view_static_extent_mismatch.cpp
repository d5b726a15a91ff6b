// expect: could not convert|no viable conversion|conversion from
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Kokkos_Core.hpp>

Kokkos::View<int* [8]> shorten(Kokkos::View<int* [10]> const& v) { return v; }
