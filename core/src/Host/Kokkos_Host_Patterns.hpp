// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_HOST_PATTERNS_HPP
#define KOKKOS_HOST_PATTERNS_HPP

/// \file
/// Includes all base classes of a host backend's specialisations.

#include <Host/Kokkos_Host_ElementInitializer.hpp>
#include <Host/Kokkos_Host_ParallelFor.hpp>
#include <Host/Kokkos_Host_ParallelReduce.hpp>
#include <Host/Kokkos_Host_ParallelScan.hpp>
#include <Host/Kokkos_Host_Team.hpp>

#endif
