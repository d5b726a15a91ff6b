// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Instances and memory of Kokkos::Cuda, and the backend's functions for initialize, finalize and fence.

#include <Cuda/Kokkos_Cuda.hpp>
#include <GPU/instance/Kokkos_GPU_Space_Impl.hpp>

#include <map>
#include <mutex>

namespace Kokkos::Impl {

template class GPUInstance<CudaRuntime>;
template class GPUExecutionSpace<Cuda, CudaRuntime, CudaSpace>;

#define KOKKOS_IMPL_CUDA_MEMORY(SPACE, EXEC, PLACE)                                                                 \
  template <>                                                                                                       \
  void* GPUMemorySpace<SPACE, EXEC, GPUMemoryPlace::PLACE>::impl_allocate(EXEC const* instance, const char* label,  \
                                                                          std::size_t bytes, bool* cleared) {       \
    return gpu_allocate_or_throw<CudaRuntime, SPACE>(instance, label, bytes, cleared);                              \
  }                                                                                                                 \
  template <>                                                                                                       \
  void GPUMemorySpace<SPACE, EXEC, GPUMemoryPlace::PLACE>::impl_deallocate(const char* label, void* p,              \
                                                                           std::size_t bytes) noexcept {            \
    gpu_deallocate<CudaRuntime, SPACE>(label, p, bytes);                                                            \
  }

KOKKOS_IMPL_CUDA_MEMORY(CudaSpace, Cuda, device)
KOKKOS_IMPL_CUDA_MEMORY(CudaUVMSpace, Cuda, managed)
KOKKOS_IMPL_CUDA_MEMORY(CudaHostPinnedSpace, DefaultHostExecutionSpace, pinned)

#undef KOKKOS_IMPL_CUDA_MEMORY

void register_gpu_lock_pointer(const void* device_variable) {
  GPULockTable<CudaRuntime>::get().add_variable(device_variable);
}

using CudaBackend = GPUBackend<Cuda>;

extern const Backend Cuda_backend{"Cuda",
                                  &CudaBackend::initialize,
                                  &CudaBackend::finalize,
                                  &CudaBackend::fence,
                                  &CudaBackend::print_configuration,
                                  &CudaBackend::num_devices,
                                  &CudaBackend::device_id,
                                  &CudaBackend::release_memory};

}  // namespace Kokkos::Impl

cudaDeviceProp const& Kokkos::Cuda::cuda_device_prop() const {
  static std::mutex mutex;
  static std::map<int, cudaDeviceProp> known;
  std::lock_guard<std::mutex> const lock(mutex);
  auto const [found, is_new] = known.try_emplace(cuda_device());
  if (is_new) KOKKOS_IMPL_CUDA_SAFE_CALL(cudaGetDeviceProperties(&found->second, found->first));
  return found->second;
}
