// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_MATHEMATICALSPECIALFUNCTIONS_HPP
#define KOKKOS_MATHEMATICALSPECIALFUNCTIONS_HPP

/// \file
/// Special functions of a complex number, for kernels: the exponential integral, error functions, Bessel functions.

#include <impl/numerics/Kokkos_ComplexBessel.hpp>
#include <impl/numerics/Kokkos_ComplexErf.hpp>
#include <impl/numerics/Kokkos_ComplexExpint.hpp>

#endif
