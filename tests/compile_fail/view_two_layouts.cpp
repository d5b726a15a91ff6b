// expect: Kokkos::View: two layouts are given
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Kokkos_Core.hpp>

Kokkos::View<int*, Kokkos::LayoutLeft, Kokkos::LayoutRight> v;
