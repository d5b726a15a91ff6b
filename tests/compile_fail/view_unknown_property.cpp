// expect: a layout, an execution or memory space or a Device, and
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Kokkos_Core.hpp>

Kokkos::View<int*, double> v;
