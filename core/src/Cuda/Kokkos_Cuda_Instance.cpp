// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Instances and memory of Kokkos::Cuda, and the backend's functions for initialize, finalize and fence.

#include <Cuda/Kokkos_Cuda.hpp>
#include <impl/GPU/instance/Kokkos_GPU_DeviceFacts.hpp>
#include <impl/GPU/memory/Kokkos_GPU_Space_Impl.hpp>

#include <map>
#include <mutex>
#include <string>

namespace Kokkos::Impl {

template class GPUInstanceErrors<CudaRuntime>;
template class GPUInstance<CudaRuntime>;
template class GPUResultSlot<CudaRuntime>;
template class GPUExecutionSpace<Cuda, CudaRuntime, CudaSpace>;
template class GPUMemorySpace<CudaSpace, Cuda, MemoryKind::device>;
template class GPUMemorySpace<CudaUVMSpace, Cuda, MemoryKind::managed>;
template class GPUMemorySpace<CudaHostPinnedSpace, Cuda, MemoryKind::pinned>;

void register_gpu_lock_pointer(void const* device_variable) {
  GPULockTable<CudaRuntime>::get().add_variable(device_variable);
}

using CudaBackend = GPUBackend<Cuda>;

namespace {

// 13010 is release 13.1.
ReleaseNumber cuda_release(int number) { return {number / 1000, number / 10 % 100, 0}; }

void gather_facts(MachineFacts& facts) {
  int runtime = 0, driver = 0;
  if (cudaRuntimeGetVersion(&runtime) != cudaSuccess || cudaDriverGetVersion(&driver) != cudaSuccess)
    CudaRuntime::clear_last_error();
  facts.vendor        = GPUVendorName::nvidia;
  facts.toolkit       = cuda_release(CUDART_VERSION);
  facts.runtime       = cuda_release(runtime);
  facts.driver_serves = cuda_release(driver);
  gpu_gather_devices<CudaRuntime>(
      facts,
      [](std::string* name, int, GPUProperties const& device) {
        *name = "sm_" + std::to_string(10 * device.compute_major + device.compute_minor);
        return cudaSuccess;
      },
      [](int* can, int device, int peer) { return cudaDeviceCanAccessPeer(can, device, peer); });
}

}  // namespace

extern Backend const Cuda_backend{"Cuda",
                                  &CudaBackend::initialize,
                                  &CudaBackend::finalize,
                                  &CudaBackend::fence,
                                  &CudaBackend::print_configuration,
                                  &CudaBackend::num_devices,
                                  &CudaBackend::device_id,
                                  &CudaBackend::release_memory,
                                  &CudaBackend::memory_usage,
                                  &gather_facts};

}  // namespace Kokkos::Impl

cudaDeviceProp const& Kokkos::Cuda::cuda_device_prop() const {
  static std::mutex mutex;
  static std::map<int, cudaDeviceProp> known;
  std::lock_guard<std::mutex> const lock(mutex);
  auto const [found, is_new] = known.try_emplace(cuda_device());
  if (is_new) KOKKOS_IMPL_CUDA_SAFE_CALL(cudaGetDeviceProperties(&found->second, found->first));
  return found->second;
}
