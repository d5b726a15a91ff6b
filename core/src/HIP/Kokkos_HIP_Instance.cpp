// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Instances and memory of Kokkos::HIP, and the backend's functions for initialize, finalize and fence.

#include <impl/GPU/instance/Kokkos_GPU_DeviceFacts.hpp>
#include <impl/GPU/memory/Kokkos_GPU_Space_Impl.hpp>
#include <HIP/Kokkos_HIP.hpp>

#include <map>
#include <mutex>
#include <string>

namespace Kokkos::Impl {

template class GPUInstanceErrors<HIPRuntime>;
template class GPUInstance<HIPRuntime>;
template class GPUResultSlot<HIPRuntime>;
template class GPUExecutionSpace<HIP, HIPRuntime, HIPSpace>;
template class GPUMemorySpace<HIPSpace, HIP, MemoryKind::device, hip_unified_memory>;
template class GPUMemorySpace<HIPManagedSpace, HIP, MemoryKind::managed, hip_unified_memory>;
template class GPUMemorySpace<HIPHostPinnedSpace, HIP, MemoryKind::pinned, hip_unified_memory>;

void register_gpu_lock_pointer(void const* device_variable) {
  GPULockTable<HIPRuntime>::get().add_variable(device_variable);
}

namespace {

using HIPBackend = GPUBackend<HIP>;

/// Checks the properties of the device that the configuration fixes at compile time.
void check_device(GPUProperties const& device) {
  if (device.warp_size != HIPIntrinsics::warp_size)
    throw_runtime_exception(std::string("Kokkos::initialize: the device, ") + device.name + ", has wavefronts of " +
                            std::to_string(device.warp_size) + " lanes, but this Kokkos was configured for " +
                            std::to_string(HIPIntrinsics::warp_size) +
                            ". Configure it with the architecture of that device, or choose another one.");
  if (hip_unified_memory && !device.pageable_access)
    throw_runtime_exception(
        std::string("Kokkos::initialize: this Kokkos was configured for a GPU that shares the host's "
                    "memory, but the device, ") +
        device.name +
        ", cannot access it. On an MI300A set HSA_XNACK=1 in the environment; for other devices "
        "configure without IMPL_HIP_UNIFIED_MEMORY and AMD_GFX942_APU.");
}

[[maybe_unused]] void initialize(InitializationSettings const& settings) {
  HIPBackend::initialize(settings);
  try {
    check_device(GPUInstance<HIPRuntime>::default_instance()->properties());
  } catch (...) {
    HIPBackend::finalize();
    throw;
  }
}

// 60342131 is release 6.3.42131.
ReleaseNumber hip_release(int number) { return {number / 10000000, number / 100000 % 100, number % 100000}; }

[[maybe_unused]] void gather_facts(MachineFacts& facts) {
  int runtime = 0;
  if (hipRuntimeGetVersion(&runtime) != hipSuccess) HIPRuntime::clear_last_error();
  facts.vendor  = GPUVendorName::amd;
  facts.toolkit = hip_release(HIP_VERSION);
  facts.runtime = hip_release(runtime);
#ifdef KOKKOS_IMPL_GPU_MODEL
  facts.is_model = true;
#endif
  gpu_gather_devices<HIPRuntime>(
      facts,
      [](std::string* name, int device, GPUProperties const&) {
        hipDeviceProp_t properties{};
        auto const error = hipGetDeviceProperties(&properties, device);
        *name            = properties.gcnArchName;
        return error;
      },
      [](int* can, int device, int peer) { return hipDeviceCanAccessPeer(can, device, peer); });
}

}  // namespace

#if !KOKKOS_IMPL_DEVICE_PASS  // hipcc would compile the constant, with its host functions, into device code
extern const Backend HIP_backend{"HIP",
                                 &initialize,
                                 &HIPBackend::finalize,
                                 &HIPBackend::fence,
                                 &HIPBackend::print_configuration,
                                 &HIPBackend::num_devices,
                                 &HIPBackend::device_id,
                                 &HIPBackend::release_memory,
                                 &HIPBackend::memory_usage,
                                 &gather_facts};
#endif

}  // namespace Kokkos::Impl

hipDeviceProp_t const& Kokkos::HIP::hip_device_prop() const {
  static std::mutex mutex;
  static std::map<int, hipDeviceProp_t> known;
  std::lock_guard<std::mutex> const lock(mutex);
  auto const [found, is_new] = known.try_emplace(hip_device());
  if (is_new) KOKKOS_IMPL_HIP_SAFE_CALL(hipGetDeviceProperties(&found->second, found->first));
  return found->second;
}
