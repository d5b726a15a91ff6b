// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_SIMD_HPP
#define KOKKOS_SIMD_HPP

/// \file
/// Kokkos::Experimental::simd: vectors of the host's registers with arithmetic, masks and mathematical functions.
/// Documented at https://kokkos.org/kokkos-core-wiki/API/simd-index.html.

#include <impl/simd/Kokkos_SIMD_Math.hpp>
#include <impl/simd/Kokkos_SIMD_Memory.hpp>
#include <impl/simd/Kokkos_SIMD_Reduce.hpp>
#include <impl/simd/Kokkos_SIMD_Value.hpp>
#include <impl/simd/Kokkos_SIMD_Where.hpp>

#endif
