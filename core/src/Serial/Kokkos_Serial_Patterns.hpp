// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_SERIAL_PATTERNS_HPP
#define KOKKOS_SERIAL_PATTERNS_HPP

/// \file
/// The specialisations that Kokkos::Serial supplies. All of them derive from Host/.

#include <Host/Kokkos_Host_Patterns.hpp>
#include <Serial/Kokkos_Serial_Instance.hpp>

namespace Kokkos::Impl {

template <>
struct ElementInitializer<Serial> : HostElementInitializer<Serial> {};
template <>
struct ParallelForExecutor<Serial> : HostParallelFor<Serial> {};
template <>
struct ParallelReduceExecutor<Serial> : HostParallelReduce<Serial> {};
template <>
struct ParallelScanExecutor<Serial> : HostParallelScan<Serial> {};
template <>
struct TeamTraits<Serial> : HostTeamTraits<Serial> {};

}  // namespace Kokkos::Impl

#endif
