// expect: no error
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A program that neither asks for an infinity or a NaN nor whether a number is one. With -ffinite-math-only, some versions
/// of clang warn of every place that does.
#include <Kokkos_Core.hpp>

double half_of(double x) { return Kokkos::ldexp(x, -1); }
