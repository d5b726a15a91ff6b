// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef KOKKOS_IMPL_PUBLIC_INCLUDE
#define KOKKOS_IMPL_PUBLIC_INCLUDE
#endif

#include <Kokkos_Core.hpp>

#include <Cuda/Kokkos_Cuda_Fill.hpp>
#include <Cuda/Kokkos_Cuda_GPURuntime.hpp>
#include <Cuda/Kokkos_Cuda_Instance.hpp>
#include <impl/GPU/portable/Kokkos_GPU_Fill.hpp>

namespace Kokkos::Impl {

void fill_with_cuda(Cuda const& where, void* dst, std::size_t count, void const* value, std::size_t bytes) {
  auto const& instance = *where.impl_internal_space_instance();
  GPUFillJob job{};
  job.dst         = dst;
  job.value       = value;
  job.value_bytes = bytes;
  job.row         = count;
  // As in upstream's fill with zero, the kind of memory is not queried: that takes as long as a small fill.
  GPUFill<CudaGPURuntime>::enqueue(instance.m_stream, instance.m_cudaDev, GPUFillMethod::runtime, job);
}

}  // namespace Kokkos::Impl
