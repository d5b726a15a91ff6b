// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_HOST_PATTERNS_HPP
#define KOKKOS_HOST_PATTERNS_HPP

/// \file
/// The patterns of every host backend.

#include <impl/Host/Kokkos_Host_ElementInitializer.hpp>
#include <impl/Host/Kokkos_Host_Instance.hpp>
#include <impl/Host/Kokkos_Host_ParallelFor.hpp>
#include <impl/Host/Kokkos_Host_ParallelReduce.hpp>
#include <impl/Host/Kokkos_Host_ParallelScan.hpp>
#include <impl/Host/Kokkos_Host_Team.hpp>

namespace Kokkos::Impl {

template <HostExecution Exec>
struct ElementInitializer<Exec> : HostElementInitializer<Exec> {};
template <HostExecution Exec>
struct ParallelForExecutor<Exec> : HostParallelFor<Exec> {};
template <HostExecution Exec>
struct ParallelReduceExecutor<Exec> : HostParallelReduce<Exec> {};
template <HostExecution Exec>
struct ParallelScanExecutor<Exec> : HostParallelScan<Exec> {};
template <HostExecution Exec>
struct TeamTraits<Exec> : HostTeamTraits<Exec> {};

}  // namespace Kokkos::Impl

#endif
