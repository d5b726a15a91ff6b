// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_IMPL_QUADPRECISIONMATH_HPP
#define KOKKOS_IMPL_QUADPRECISIONMATH_HPP

/// \file
/// Programs include this for 128-bit floating-point numbers. This version has no functions for such types, and
/// KOKKOS_ENABLE_LIBQUADMATH, which programs ask, is never defined.

#include <Kokkos_Macros.hpp>

#endif
