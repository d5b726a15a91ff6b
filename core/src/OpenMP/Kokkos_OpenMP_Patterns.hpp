// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_OPENMP_PATTERNS_HPP
#define KOKKOS_OPENMP_PATTERNS_HPP

/// \file
/// The specialisations that Kokkos::OpenMP supplies. All of them derive from Host/.

#include <Host/Kokkos_Host_Patterns.hpp>
#include <OpenMP/Kokkos_OpenMP_Instance.hpp>

namespace Kokkos::Impl {

template <>
struct ElementInitializer<OpenMP> : HostElementInitializer<OpenMP> {};
template <>
struct ParallelForExecutor<OpenMP> : HostParallelFor<OpenMP> {};
template <>
struct ParallelReduceExecutor<OpenMP> : HostParallelReduce<OpenMP> {};
template <>
struct ParallelScanExecutor<OpenMP> : HostParallelScan<OpenMP> {};
template <>
struct TeamTraits<OpenMP> : HostTeamTraits<OpenMP> {};

}  // namespace Kokkos::Impl

#endif
