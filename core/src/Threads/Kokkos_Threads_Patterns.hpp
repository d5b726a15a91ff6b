// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_THREADS_PATTERNS_HPP
#define KOKKOS_THREADS_PATTERNS_HPP

/// \file
/// The specialisations that Kokkos::Threads supplies. All of them derive from Host/.

#include <Host/Kokkos_Host_Patterns.hpp>
#include <Threads/Kokkos_Threads_Instance.hpp>

namespace Kokkos::Impl {

template <>
struct ElementInitializer<Threads> : HostElementInitializer<Threads> {};
template <>
struct ParallelForExecutor<Threads> : HostParallelFor<Threads> {};
template <>
struct ParallelReduceExecutor<Threads> : HostParallelReduce<Threads> {};
template <>
struct ParallelScanExecutor<Threads> : HostParallelScan<Threads> {};
template <>
struct TeamTraits<Threads> : HostTeamTraits<Threads> {};

}  // namespace Kokkos::Impl

#endif
