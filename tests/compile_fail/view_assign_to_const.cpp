// expect: assignment of read-only|read-only|const-qualified
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Kokkos_Core.hpp>

void write(Kokkos::View<double const*> const& v) { v(1) = 2; }
