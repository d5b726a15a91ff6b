// expect: Kokkos::view_alloc takes a label, an execution space instance
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Kokkos_Core.hpp>

auto properties = Kokkos::view_alloc("label", 3.5);
