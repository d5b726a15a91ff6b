// expect: Kokkos::view_alloc: two labels are given
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Kokkos_Core.hpp>

auto properties = Kokkos::view_alloc("one", "two");
