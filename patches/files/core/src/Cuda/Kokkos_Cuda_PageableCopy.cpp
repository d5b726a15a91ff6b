// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef KOKKOS_IMPL_PUBLIC_INCLUDE
#define KOKKOS_IMPL_PUBLIC_INCLUDE
#endif

#include <Kokkos_Core.hpp>

#ifdef KOKKOS_ENABLE_IMPL_ASYNC_PAGEABLE_COPIES

#include <Cuda/Kokkos_Cuda_GPURuntime.hpp>
#include <Cuda/Kokkos_Cuda_Instance.hpp>
#include <Cuda/Kokkos_Cuda_PageableCopy.hpp>
#include <impl/GPU/Kokkos_GPU_PageableCopy.hpp>

namespace Kokkos::Impl {

namespace {

// Otherwise the first copy would wait while the runtime allocates pinned memory, which touches each page.
static_assert(registers_host_memory<CudaGPURuntime>);

bool is_memory_of_malloc(void const* p) {
  cudaPointerAttributes attributes{};
  gpu_check<CudaGPURuntime>(cudaPointerGetAttributes(&attributes, p), "cudaPointerGetAttributes", "planning a copy");
  return attributes.type == cudaMemoryTypeUnregistered;
}

}  // namespace

bool copy_pageable_with_cuda(Cuda const& where, void* dst, void const* src, std::size_t bytes, bool to_host) {
  if (!suits_copy_engine<CudaGPURuntime>(to_host ? dst : src, bytes, to_host)) return false;
  if (is_memory_of_malloc(dst) != to_host || is_memory_of_malloc(src) == to_host) return false;
  return copy_pageable(*where.impl_internal_space_instance()->m_stream_life, dst, src, bytes, to_host);
}

void check_pageable_copies_with_cuda(Cuda const& where) {
  check_copies(*where.impl_internal_space_instance()->m_stream_life);
}
void check_pageable_copies_with_cuda() { check_all_copies<CudaGPURuntime>(); }

void finalize_pageable_copies_with_cuda() { release_copy_engines<CudaGPURuntime>(); }

}  // namespace Kokkos::Impl

#endif
