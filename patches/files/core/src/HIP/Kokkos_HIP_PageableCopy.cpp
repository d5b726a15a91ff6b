// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef KOKKOS_IMPL_PUBLIC_INCLUDE
#define KOKKOS_IMPL_PUBLIC_INCLUDE
#endif

#include <Kokkos_Core.hpp>

#ifdef KOKKOS_ENABLE_IMPL_ASYNC_PAGEABLE_COPIES

#include <HIP/Kokkos_HIP_GPURuntime.hpp>
#include <HIP/Kokkos_HIP_Instance.hpp>
#include <HIP/Kokkos_HIP_PageableCopy.hpp>
#include <impl/GPU/Kokkos_GPU_PageableCopy.hpp>

namespace Kokkos::Impl {

namespace {

bool is_memory_of_malloc(void const* p) {
  hipPointerAttribute_t attributes{};
  if (hipPointerGetAttributes(&attributes, p) != hipSuccess) {  // ROCm 5 fails for memory of malloc
    (void)hipGetLastError();
    return true;
  }
#if HIP_VERSION_MAJOR >= 6
  return attributes.type == hipMemoryTypeUnregistered;
#else
  return false;
#endif
}

}  // namespace

bool copy_pageable_with_hip(HIP const& where, void* dst, void const* src, std::size_t bytes, bool to_host) {
  if (!suits_copy_engine<HIPGPURuntime>(to_host ? dst : src, bytes, to_host)) return false;
  if (is_memory_of_malloc(dst) != to_host || is_memory_of_malloc(src) == to_host) return false;
  return copy_pageable(*where.impl_internal_space_instance()->m_stream_life, dst, src, bytes, to_host);
}

void check_pageable_copies_with_hip(HIP const& where) {
  check_copies(*where.impl_internal_space_instance()->m_stream_life);
}
void check_pageable_copies_with_hip() { check_all_copies<HIPGPURuntime>(); }

void finalize_pageable_copies_with_hip() { release_copy_engines<HIPGPURuntime>(); }

}  // namespace Kokkos::Impl

#endif
