// expect: an unmanaged view, or one in scratch memory, cannot be allocated
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Kokkos_Core.hpp>

Kokkos::View<int*, Kokkos::MemoryUnmanaged> v("v", 3);
