// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The function that kernels of main.cpp call.
#include <Kokkos_Core.hpp>

KOKKOS_FUNCTION double thrice(double x) { return 3 * x; }
