// expect: no match for call|no matching function
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Kokkos_Core.hpp>

double too_many(Kokkos::View<double**> const& v) { return v(1, 2, 3); }
