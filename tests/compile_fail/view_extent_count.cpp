// expect: the number of extents must be that of the dimensions
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Kokkos_Core.hpp>

Kokkos::View<double***> too_few() { return Kokkos::View<double***>("v", 3, 4); }
