// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_RUNTIME_TOOLS_DEVICE_HPP
#define KOKKOS_RUNTIME_TOOLS_DEVICE_HPP

/// \file
/// The identity of an execution space instance for tools: 32 bits that encode the kind of device, its number and the
/// instance.

#include <cstdint>

namespace Kokkos::Tools::Experimental {

/// Kinds of devices, with the numbers of the tools' interface. The numbers never change; new kinds come before Unknown.
enum struct DeviceType { Serial, OpenMP, Cuda, HIP, OpenMPTarget, HPX, Threads, SYCL, OpenACC, Unknown };

// Layout of the 32 bits, from the most significant one down.
inline constexpr std::uint32_t num_type_bits     = 8;   ///< bits of the DeviceType, the most significant ones
inline constexpr std::uint32_t num_device_bits   = 7;   ///< bits of the number of the device, in the middle
inline constexpr std::uint32_t num_instance_bits = 17;  ///< bits of the number of the instance, the least significant
inline constexpr std::uint32_t num_avail_bits    = 32;  ///< all bits
static_assert(num_type_bits + num_device_bits + num_instance_bits == num_avail_bits);

/// Instance numbers with a special meaning in fences. The first one means "every instance".
enum SpecialSynchronizationCases : int { GlobalDeviceSynchronization = 1, DeepCopyResourceSynchronization = 2 };

/// Instance numbers below this one are reserved for such meanings.
inline constexpr std::uint32_t NumReservedDeviceIDs = 1;

/// The instance number that reports a fence with this meaning to tools.
inline std::uint32_t int_for_synchronization_reason(SpecialSynchronizationCases reason) {
  return reason == DeepCopyResourceSynchronization ? 0x00ffffffu : 0u;
}

/// Specialised by backends: `static constexpr DeviceType id` and `static int device_id(ExecSpace const&)`.
template <class ExecSpace>
struct DeviceTypeTraits {
  static constexpr DeviceType id = DeviceType::Unknown;  ///< the kind of device
  static int device_id(ExecSpace const&) { return 0; }   ///< the number of the device
};

/// The parts of the 32 bits.
struct ExecutionSpaceIdentifier {
  DeviceType type;            ///< kind of device
  std::uint32_t device_id;    ///< number of the device of that kind
  std::uint32_t instance_id;  ///< number of the instance on that device
};

/// The kind of device with this number; Unknown for numbers without a meaning.
inline DeviceType devicetype_from_uint32t(std::uint32_t number) {
  return number < static_cast<std::uint32_t>(DeviceType::Unknown) ? static_cast<DeviceType>(number)
                                                                  : DeviceType::Unknown;
}

/// Decodes a number that device_id returned.
inline ExecutionSpaceIdentifier identifier_from_devid(std::uint32_t bits) {
  return {devicetype_from_uint32t(bits >> (num_device_bits + num_instance_bits)),
          bits >> num_instance_bits & ((1u << num_device_bits) - 1), bits & ((1u << num_instance_bits) - 1)};
}

/// The number that tools receive for instance 0 on device 0 of an execution space.
template <class ExecSpace>
constexpr std::uint32_t device_id_root() {
  return static_cast<std::uint32_t>(DeviceTypeTraits<ExecSpace>::id) << (num_device_bits + num_instance_bits);
}

/// The number that tools receive for this instance.
template <class ExecSpace>
std::uint32_t device_id(ExecSpace const& instance) noexcept {
  return device_id_root<ExecSpace>() |
         static_cast<std::uint32_t>(DeviceTypeTraits<ExecSpace>::device_id(instance)) << num_instance_bits |
         (static_cast<std::uint32_t>(instance.impl_instance_id()) & ((1u << num_instance_bits) - 1));
}

}  // namespace Kokkos::Tools::Experimental

#endif
