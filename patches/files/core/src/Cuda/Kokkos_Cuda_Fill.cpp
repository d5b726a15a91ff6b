// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef KOKKOS_IMPL_PUBLIC_INCLUDE
#define KOKKOS_IMPL_PUBLIC_INCLUDE
#endif

#include <Kokkos_Core.hpp>

#include <Cuda/Kokkos_Cuda_Fill.hpp>
#include <Cuda/Kokkos_Cuda_GPURuntime.hpp>
#include <Cuda/Kokkos_Cuda_Instance.hpp>
#include <GPU/portable/Kokkos_GPU_Fill.hpp>

namespace Kokkos::Impl {

void fill_with_cuda(Cuda const& where, void* dst, std::size_t count, void const* value, std::size_t bytes) {
  auto const& instance = *where.impl_internal_space_instance();
  cudaPointerAttributes attributes{};
  gpu_check<CudaGPURuntime>(cudaPointerGetAttributes(&attributes, dst), "cudaPointerGetAttributes", "filling a view");
  const bool known = attributes.type != cudaMemoryTypeUnregistered;
  int accessible   = 0;
  if (!known)
    gpu_check<CudaGPURuntime>(cudaDeviceGetAttribute(&accessible, cudaDevAttrPageableMemoryAccess, instance.m_cudaDev),
                              "cudaDeviceGetAttribute", "filling a view");
  GPUFillJob job{};
  job.dst         = dst;
  job.value       = value;
  job.value_bytes = bytes;
  job.row         = count;
  GPUFill<CudaGPURuntime>::enqueue(instance.m_stream, instance.m_cudaDev, gpu_fill_method(known, accessible != 0), job);
}

}  // namespace Kokkos::Impl
