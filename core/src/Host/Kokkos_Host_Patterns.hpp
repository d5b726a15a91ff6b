// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_HOST_PATTERNS_HPP
#define KOKKOS_HOST_PATTERNS_HPP

/// \file
/// Everything that a host backend derives its specialisations from.

#include <Host/Kokkos_Host_ElementInitializer.hpp>
#include <Host/Kokkos_Host_ParallelFor.hpp>
#include <Host/Kokkos_Host_ParallelReduce.hpp>
#include <Host/Kokkos_Host_ParallelScan.hpp>
#include <Host/Kokkos_Host_Team.hpp>

#endif
