// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_OPENMP_PATTERNS_HPP
#define KOKKOS_OPENMP_PATTERNS_HPP

/// \file
/// The patterns of Kokkos::OpenMP: those of every host backend, on its thread team.

#include <Host/Kokkos_Host_Patterns.hpp>
#include <OpenMP/Kokkos_OpenMP_Instance.hpp>

#endif
