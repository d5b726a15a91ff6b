// expect: constructed with a LayoutStride object
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Kokkos_Core.hpp>

Kokkos::View<int**, Kokkos::LayoutStride> v("v", 3, 4);
