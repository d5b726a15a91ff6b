// expect: A Kokkos::View that allocates takes a label before its extents
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Extents, but no label.

#include <Kokkos_Core.hpp>

Kokkos::View<double**> f() { return Kokkos::View<double**>(10, 10); }
