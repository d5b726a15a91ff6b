// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_DEVICE_FACTS_HPP
#define KOKKOS_GPU_DEVICE_FACTS_HPP

/// \file
/// The facts that a vendor's runtime reports to kokkos-doctor.

#include <impl/GPU/instance/Kokkos_GPU_Instance.hpp>
#include <impl/runtime/doctor/Kokkos_MachineFacts.hpp>

#include <string>

namespace Kokkos::Impl {

/// Adds the devices to the facts. `architecture(i)` returns the name of device i's architecture; `reaches(i, j)`
/// returns whether device i can access the memory of device j. If a query is refused, this is recorded, and the next
/// one follows. The current device is restored.
///
/// A query of free memory initializes a device. In a program that has initialized Kokkos, only the device of Kokkos is
/// queried for it.
template <class Runtime, class Architecture, class Reaches>
void gpu_gather_devices(MachineFacts& facts, Architecture const& architecture, Reaches const& reaches) {
  RelaxedCaptureScope<Runtime> relaxed;  // queries of memory are refused while this thread captures a stream
  auto const allowed = [&](typename Runtime::error_t error, char const* query, int device, char const* unknown) {
    if (error == Runtime::success) return true;
    Runtime::clear_last_error();
    facts.refused.push_back(Runtime::call_name(query) +
                            (device < 0 ? std::string() : " of device " + std::to_string(device)) + " answers " +
                            Runtime::error_name(error) + ", so " + unknown + " not known.");
    return false;
  };
  int count = 0, current = -1;
  if (!allowed(Runtime::device_count(&count), "device_count", -1, "the GPUs are")) return;
  if (count == 0 || !allowed(Runtime::get_device(&current), "get_device", -1, "the GPUs are")) return;
  auto* const own = GPUInstance<Runtime>::default_instance();
  for (int i = 0; i < count; ++i) {
    DeviceFacts device;
    if (GPUProperties properties;
        allowed(Runtime::device_properties(&properties, i), "device_properties", i, "its properties are")) {
      device.name               = properties.name;
      device.pageable_access    = properties.pageable_access;
      device.managed_concurrent = properties.managed_concurrent;
      (void)allowed(architecture(&device.architecture, i, properties), "device_properties", i, "its architecture is");
    }
    if (own == nullptr || own->device() == i) {
      std::size_t free = 0, total = 0;
      if (allowed(Runtime::set_device(i), "set_device", i, "its memory is") &&
          allowed(Runtime::memory_info(&free, &total), "memory_info", i, "its memory is")) {
        device.free_bytes  = static_cast<std::int64_t>(free);
        device.total_bytes = static_cast<std::int64_t>(total);
      }
    }
    for (int j = 0; j < count; ++j) {
      int yes = 0;
      if (i != j && allowed(reaches(&yes, i, j), "device_can_access_peer", i, "access to other devices is") && yes != 0)
        device.peers.push_back(j);
    }
    facts.devices.push_back(device);
  }
  (void)allowed(Runtime::set_device(current), "set_device", current, "the current device is");
}

}  // namespace Kokkos::Impl

#endif
