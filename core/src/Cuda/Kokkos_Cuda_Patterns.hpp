// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_CUDA_PATTERNS_HPP
#define KOKKOS_CUDA_PATTERNS_HPP

/// \file
/// The specialisations that Kokkos::Cuda supplies. All of them derive from GPU/.

#include <Cuda/Kokkos_Cuda.hpp>
#include <GPU/launch/Kokkos_GPU_Patterns.hpp>

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

#define KOKKOS_IMPL_CUDA_ROUTE(DST, SRC) \
  template <>                            \
  struct CopyRoute<DST, SRC> : GPUCopyRoute<Cuda, DST, SRC> {};

KOKKOS_IMPL_CUDA_ROUTE(CudaSpace, CudaSpace)
KOKKOS_IMPL_CUDA_ROUTE(CudaSpace, CudaUVMSpace)
KOKKOS_IMPL_CUDA_ROUTE(CudaSpace, CudaHostPinnedSpace)
KOKKOS_IMPL_CUDA_ROUTE(CudaSpace, HostSpace)
KOKKOS_IMPL_CUDA_ROUTE(CudaUVMSpace, CudaSpace)
KOKKOS_IMPL_CUDA_ROUTE(CudaUVMSpace, CudaUVMSpace)
KOKKOS_IMPL_CUDA_ROUTE(CudaUVMSpace, CudaHostPinnedSpace)
KOKKOS_IMPL_CUDA_ROUTE(CudaUVMSpace, HostSpace)
KOKKOS_IMPL_CUDA_ROUTE(CudaHostPinnedSpace, CudaSpace)
KOKKOS_IMPL_CUDA_ROUTE(CudaHostPinnedSpace, CudaUVMSpace)
KOKKOS_IMPL_CUDA_ROUTE(CudaHostPinnedSpace, CudaHostPinnedSpace)
KOKKOS_IMPL_CUDA_ROUTE(CudaHostPinnedSpace, HostSpace)
KOKKOS_IMPL_CUDA_ROUTE(HostSpace, CudaSpace)
KOKKOS_IMPL_CUDA_ROUTE(HostSpace, CudaUVMSpace)
KOKKOS_IMPL_CUDA_ROUTE(HostSpace, CudaHostPinnedSpace)

#undef KOKKOS_IMPL_CUDA_ROUTE

template <>
class CopyBuffer<Cuda> : public GPUCopyBuffer<Cuda> {
  using GPUCopyBuffer<Cuda>::GPUCopyBuffer;
};

template <>
struct FillRoute<CudaSpace> : GPUFillRoute<Cuda, CudaSpace> {};
template <>
struct FillRoute<CudaUVMSpace> : GPUFillRoute<Cuda, CudaUVMSpace> {};
template <>
struct FillRoute<CudaHostPinnedSpace> : GPUFillRoute<Cuda, CudaHostPinnedSpace> {};

}  // namespace Kokkos::Impl

#endif
