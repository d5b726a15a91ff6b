// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_IMPL_QUADPRECISIONMATH_HPP
#define KOKKOS_IMPL_QUADPRECISIONMATH_HPP

/// \file
/// The header for functions of 128-bit floating-point numbers, which programs include. This version has no such
/// functions, and never defines KOKKOS_ENABLE_LIBQUADMATH, which programs check.

#include <Kokkos_Macros.hpp>

#endif
