// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_HIP_PATTERNS_HPP
#define KOKKOS_HIP_PATTERNS_HPP

/// \file
/// The specialisations that Kokkos::HIP supplies. All of them derive from GPU/.

#include <GPU/launch/Kokkos_GPU_Patterns.hpp>
#include <HIP/Kokkos_HIP.hpp>

namespace Kokkos::Impl {

template <>
struct ElementInitializer<HIP> : GPUElementInitializer<HIP> {};
template <>
struct ParallelForExecutor<HIP> : GPUFor<HIP> {};
template <>
struct ParallelReduceExecutor<HIP> : GPUReduce<HIP> {};
template <>
struct ParallelScanExecutor<HIP> : GPUParallelScan<HIP> {};
template <>
struct TeamTraits<HIP> : GPUTeamTraits<HIP> {};
template <>
struct TileTraits<HIP> : GPUTileTraits<HIP> {};

#define KOKKOS_IMPL_HIP_ROUTE(DST, SRC) \
  template <>                           \
  struct CopyRoute<DST, SRC> : GPUCopyRoute<HIP, DST, SRC> {};

KOKKOS_IMPL_HIP_ROUTE(HIPSpace, HIPSpace)
KOKKOS_IMPL_HIP_ROUTE(HIPSpace, HIPManagedSpace)
KOKKOS_IMPL_HIP_ROUTE(HIPSpace, HIPHostPinnedSpace)
KOKKOS_IMPL_HIP_ROUTE(HIPSpace, HostSpace)
KOKKOS_IMPL_HIP_ROUTE(HIPManagedSpace, HIPSpace)
KOKKOS_IMPL_HIP_ROUTE(HIPManagedSpace, HIPManagedSpace)
KOKKOS_IMPL_HIP_ROUTE(HIPManagedSpace, HIPHostPinnedSpace)
KOKKOS_IMPL_HIP_ROUTE(HIPManagedSpace, HostSpace)
KOKKOS_IMPL_HIP_ROUTE(HIPHostPinnedSpace, HIPSpace)
KOKKOS_IMPL_HIP_ROUTE(HIPHostPinnedSpace, HIPManagedSpace)
KOKKOS_IMPL_HIP_ROUTE(HIPHostPinnedSpace, HIPHostPinnedSpace)
KOKKOS_IMPL_HIP_ROUTE(HIPHostPinnedSpace, HostSpace)
KOKKOS_IMPL_HIP_ROUTE(HostSpace, HIPSpace)
KOKKOS_IMPL_HIP_ROUTE(HostSpace, HIPManagedSpace)
KOKKOS_IMPL_HIP_ROUTE(HostSpace, HIPHostPinnedSpace)

#undef KOKKOS_IMPL_HIP_ROUTE

template <>
class CopyBuffer<HIP> : public GPUCopyBuffer<HIP> {
  using GPUCopyBuffer<HIP>::GPUCopyBuffer;
};

template <>
struct FillRoute<HIPSpace> : GPUFillRoute<HIP, HIPSpace> {};
template <>
struct FillRoute<HIPManagedSpace> : GPUFillRoute<HIP, HIPManagedSpace> {};
template <>
struct FillRoute<HIPHostPinnedSpace> : GPUFillRoute<HIP, HIPHostPinnedSpace> {};

}  // namespace Kokkos::Impl

#endif
