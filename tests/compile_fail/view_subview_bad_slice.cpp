// expect: a slice is an index, a pair of indices
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Kokkos_Core.hpp>

auto row(Kokkos::View<int**> const& v) { return Kokkos::subview(v, 1, "all"); }
