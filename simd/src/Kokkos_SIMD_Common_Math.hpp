// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_SIMD_COMMON_MATH_HPP
#define KOKKOS_SIMD_COMMON_MATH_HPP

/// \file
/// A header of Kokkos_SIMD.hpp in other releases, kept for programs that include it.

#include <Kokkos_SIMD.hpp>

#endif
