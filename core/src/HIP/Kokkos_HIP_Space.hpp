// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_HIP_SPACE_HPP
#define KOKKOS_HIP_SPACE_HPP

/// \file
/// HIPSpace, HIPManagedSpace, HIPHostPinnedSpace: the memory spaces of HIP, and their accessibility.

#include <impl/GPU/instance/Kokkos_GPU_MemorySpace.hpp>

namespace Kokkos {
namespace Impl {

/// Host and device access all of each other's memory.
#ifdef KOKKOS_ENABLE_IMPL_HIP_UNIFIED_MEMORY
inline constexpr bool hip_unified_memory = true;
#else
inline constexpr bool hip_unified_memory = false;
#endif

}  // namespace Impl

/// Memory of one AMD device. On an APU it is the host's, too (Kokkos_ENABLE_IMPL_HIP_UNIFIED_MEMORY).
class HIPSpace : public Impl::GPUMemorySpace<HIPSpace, HIP, Impl::MemoryKind::device, Impl::hip_unified_memory> {
 public:
  static constexpr char const* name() { return "HIP"; }
  static constexpr int impl_dlpack_device_type = 10;
};

/// Memory that host and AMD devices read and write; pages migrate to the side that uses them, if the device supports
/// page faults.
class HIPManagedSpace
    : public Impl::GPUMemorySpace<HIPManagedSpace, HIP, Impl::MemoryKind::managed, Impl::hip_unified_memory> {
 public:
  static constexpr char const* name() { return "HIPManaged"; }
  static constexpr int impl_dlpack_device_type = 10;
};

/// Host memory that AMD devices reach over the link, and copy from at its full speed. Code that works on it by default
/// runs on the host.
class HIPHostPinnedSpace
    : public Impl::GPUMemorySpace<HIPHostPinnedSpace, HIP, Impl::MemoryKind::pinned, Impl::hip_unified_memory> {
 public:
  static constexpr char const* name() { return "HIPHostPinned"; }
  static constexpr int impl_dlpack_device_type = 11;
};

}  // namespace Kokkos

#endif
