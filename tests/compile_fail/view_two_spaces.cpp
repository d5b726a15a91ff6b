// expect: Kokkos::View: two spaces are given
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Kokkos_Core.hpp>

Kokkos::View<int*, Kokkos::DefaultExecutionSpace, Kokkos::HostSpace> v;
