// expect: no error
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// This program uses no infinity and no NaN, and does not test for them. With -ffinite-math-only, some versions of clang
/// warn about each use and each test.
#include <Kokkos_Core.hpp>

double half_of(double x) { return Kokkos::ldexp(x, -1); }
