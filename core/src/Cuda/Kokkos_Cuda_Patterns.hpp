// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_CUDA_PATTERNS_HPP
#define KOKKOS_CUDA_PATTERNS_HPP

/// \file
/// What the other rooms ask of a backend, for Kokkos::Cuda: all of it as every GPU does it.

#include <Cuda/Kokkos_Cuda.hpp>
#include <GPU/Kokkos_GPU_Patterns.hpp>

namespace Kokkos::Impl {

template <>
struct ElementInitializer<Cuda> : GPUElementInitializer<Cuda> {};
template <>
struct ParallelForExecutor<Cuda> : GPUFor<Cuda> {};
template <>
struct ParallelReduceExecutor<Cuda> : GPUReduce<Cuda> {};
template <>
struct ParallelScanExecutor<Cuda> : GPUParallelScan<Cuda> {};
template <>
struct TeamTraits<Cuda> : GPUTeamTraits<Cuda> {};
template <>
struct TileTraits<Cuda> : GPUTileTraits<Cuda> {};

#define KOKKOS_IMPL_CUDA_ROUTE(DST, SRC, REACHED) \
  template <>                                     \
  struct CopyRoute<DST, SRC> : GPUCopyRoute<Cuda, REACHED> {};

KOKKOS_IMPL_CUDA_ROUTE(CudaSpace, CudaSpace, true)
KOKKOS_IMPL_CUDA_ROUTE(CudaSpace, CudaUVMSpace, true)
KOKKOS_IMPL_CUDA_ROUTE(CudaSpace, CudaHostPinnedSpace, false)
KOKKOS_IMPL_CUDA_ROUTE(CudaSpace, HostSpace, false)
KOKKOS_IMPL_CUDA_ROUTE(CudaUVMSpace, CudaSpace, true)
KOKKOS_IMPL_CUDA_ROUTE(CudaUVMSpace, CudaUVMSpace, true)
KOKKOS_IMPL_CUDA_ROUTE(CudaUVMSpace, CudaHostPinnedSpace, false)
KOKKOS_IMPL_CUDA_ROUTE(CudaUVMSpace, HostSpace, false)
KOKKOS_IMPL_CUDA_ROUTE(CudaHostPinnedSpace, CudaSpace, false)
KOKKOS_IMPL_CUDA_ROUTE(CudaHostPinnedSpace, CudaUVMSpace, false)
KOKKOS_IMPL_CUDA_ROUTE(CudaHostPinnedSpace, CudaHostPinnedSpace, false)
KOKKOS_IMPL_CUDA_ROUTE(CudaHostPinnedSpace, HostSpace, false)
KOKKOS_IMPL_CUDA_ROUTE(HostSpace, CudaSpace, false)
KOKKOS_IMPL_CUDA_ROUTE(HostSpace, CudaUVMSpace, false)
KOKKOS_IMPL_CUDA_ROUTE(HostSpace, CudaHostPinnedSpace, false)

#undef KOKKOS_IMPL_CUDA_ROUTE

template <>
struct FillRoute<CudaSpace> : GPUFillRoute<Cuda> {};
template <>
struct FillRoute<CudaUVMSpace> : GPUFillRoute<Cuda> {};
template <>
struct FillRoute<CudaHostPinnedSpace> : GPUFillRoute<Cuda> {};

}  // namespace Kokkos::Impl

#endif
