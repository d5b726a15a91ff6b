// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_VECTORIZATION_HPP
#define KOKKOS_VECTORIZATION_HPP

/// \file
/// Once declared shuffles of lanes, which nested reductions and scans over ThreadVectorRange replace; kept for programs
/// that include it.

#include <Kokkos_Core.hpp>

#endif
