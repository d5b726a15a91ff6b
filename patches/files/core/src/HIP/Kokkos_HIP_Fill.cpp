// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef KOKKOS_IMPL_PUBLIC_INCLUDE
#define KOKKOS_IMPL_PUBLIC_INCLUDE
#endif

#include <Kokkos_Core.hpp>

#include <GPU/portable/Kokkos_GPU_Fill.hpp>
#include <HIP/Kokkos_HIP_Fill.hpp>
#include <HIP/Kokkos_HIP_GPURuntime.hpp>
#include <HIP/Kokkos_HIP_Instance.hpp>

namespace Kokkos::Impl {

namespace {

// Has HIP been told of the memory? hipMemset refuses any other, even where kernels reach it (ROCm 6.2 and before).
bool hip_knows(void const* p) {
  hipPointerAttribute_t attributes{};
  if (hipPointerGetAttributes(&attributes, p) != hipSuccess) {  // what ROCm 5 says of memory of malloc
    (void)hipGetLastError();
    return false;
  }
#if HIP_VERSION_MAJOR >= 6
  return attributes.type != hipMemoryTypeUnregistered;
#else
  return true;
#endif
}

bool reaches_memory_of_malloc(int device) {
  int answer = 0;
  if (hipDeviceGetAttribute(&answer, hipDeviceAttributePageableMemoryAccess, device) != hipSuccess) {
    (void)hipGetLastError();
    return false;
  }
  return answer != 0;
}

}  // namespace

void fill_with_hip(HIP const& where, void* dst, std::size_t count, void const* value, std::size_t bytes) {
  auto const& instance    = *where.impl_internal_space_instance();
  const bool known        = hip_knows(dst);
  const GPUFillMethod way = gpu_fill_method(known, !known && reaches_memory_of_malloc(instance.m_hipDev));
  GPUFillJob job{};
  job.dst         = dst;
  job.value       = value;
  job.value_bytes = bytes;
  job.row         = count;
  GPUFill<HIPGPURuntime>::enqueue(instance.m_stream, instance.m_hipDev, way, job);
}

}  // namespace Kokkos::Impl
