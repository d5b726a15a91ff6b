// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef KOKKOS_IMPL_PUBLIC_INCLUDE
#define KOKKOS_IMPL_PUBLIC_INCLUDE
#endif

#include <Kokkos_Core.hpp>

#include <impl/GPU/portable/Kokkos_GPU_Fill.hpp>
#include <HIP/Kokkos_HIP_Fill.hpp>
#include <HIP/Kokkos_HIP_GPURuntime.hpp>
#include <HIP/Kokkos_HIP_Instance.hpp>

namespace Kokkos::Impl {

namespace {

// Whether HIP allocated or registered the memory. Up to ROCm 6.2, hipMemset refuses all other memory, even if kernels
// can access it.
bool is_known_to_hip(void const* p) {
  hipPointerAttribute_t attributes{};
  if (hipPointerGetAttributes(&attributes, p) != hipSuccess) {  // ROCm 5 fails for memory of malloc
    (void)hipGetLastError();
    return false;
  }
#if HIP_VERSION_MAJOR >= 6
  return attributes.type != hipMemoryTypeUnregistered;
#else
  return true;
#endif
}

bool can_access_memory_of_malloc(int device) {
  int result = 0;
  if (hipDeviceGetAttribute(&result, hipDeviceAttributePageableMemoryAccess, device) != hipSuccess) {
    (void)hipGetLastError();
    return false;
  }
  return result != 0;
}

}  // namespace

void fill_with_hip(HIP const& where, void* dst, std::size_t count, void const* value, std::size_t bytes) {
  auto const& instance       = *where.impl_internal_space_instance();
  bool const known           = is_known_to_hip(dst);
  GPUFillMethod const method = gpu_fill_method(known, !known && can_access_memory_of_malloc(instance.m_hipDev));
  GPUFillJob job{};
  job.dst         = dst;
  job.value       = value;
  job.value_bytes = bytes;
  job.row         = count;
  GPUFill<HIPGPURuntime>::enqueue(instance.m_stream, instance.m_hipDev, method, job);
}

}  // namespace Kokkos::Impl
