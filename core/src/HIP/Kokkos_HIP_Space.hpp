// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_HIP_SPACE_HPP
#define KOKKOS_HIP_SPACE_HPP

/// \file
/// HIPSpace, HIPManagedSpace, HIPHostPinnedSpace: the memory spaces of HIP, and their accessibility.

#include <GPU/instance/Kokkos_GPU_MemorySpace.hpp>

namespace Kokkos {

/// Memory of one AMD device. On an APU it is also the host's memory (Kokkos_ENABLE_IMPL_HIP_UNIFIED_MEMORY).
class HIPSpace : public Impl::GPUMemorySpace<HIPSpace, HIP, Impl::GPUMemoryPlace::device> {
 public:
  static constexpr const char* name() { return "HIP"; }
};

/// Memory that host and AMD devices read and write; pages migrate to their user if the device supports that.
class HIPManagedSpace : public Impl::GPUMemorySpace<HIPManagedSpace, HIP, Impl::GPUMemoryPlace::managed> {
 public:
  static constexpr const char* name() { return "HIPManaged"; }
};

/// Host memory that AMD devices access over the link, and copy from at the link's full speed. The default execution
/// space of this memory runs on the host.
class HIPHostPinnedSpace
    : public Impl::GPUMemorySpace<HIPHostPinnedSpace, DefaultHostExecutionSpace, Impl::GPUMemoryPlace::pinned> {
 public:
  static constexpr const char* name() { return "HIPHostPinned"; }
};

namespace Impl {

/// Host and device can access all of each other's memory.
#ifdef KOKKOS_ENABLE_IMPL_HIP_UNIFIED_MEMORY
inline constexpr bool hip_unified_memory = true;
#else
inline constexpr bool hip_unified_memory = false;
#endif

#define KOKKOS_IMPL_HIP_ACCESS(DST, SRC, ASSIGNABLE, ACCESSIBLE)    \
  template <>                                                       \
  struct MemorySpaceAccess<DST, SRC> {                              \
    static constexpr bool assignable = ASSIGNABLE;                  \
    static constexpr bool accessible = ACCESSIBLE;                  \
    static constexpr bool deepcopy   = true;                        \
  };

// Arguments: whether a view of the first space may be assigned a view of the second / whether code whose native memory
// is the first space can access the second.
KOKKOS_IMPL_HIP_ACCESS(HostSpace, HIPSpace, false, hip_unified_memory)
KOKKOS_IMPL_HIP_ACCESS(HostSpace, HIPManagedSpace, false, true)
KOKKOS_IMPL_HIP_ACCESS(HostSpace, HIPHostPinnedSpace, true, true)
KOKKOS_IMPL_HIP_ACCESS(HIPSpace, HostSpace, false, hip_unified_memory)
KOKKOS_IMPL_HIP_ACCESS(HIPSpace, HIPManagedSpace, true, true)
KOKKOS_IMPL_HIP_ACCESS(HIPSpace, HIPHostPinnedSpace, false, true)
KOKKOS_IMPL_HIP_ACCESS(HIPManagedSpace, HostSpace, false, hip_unified_memory)
KOKKOS_IMPL_HIP_ACCESS(HIPManagedSpace, HIPSpace, false, true)
KOKKOS_IMPL_HIP_ACCESS(HIPManagedSpace, HIPHostPinnedSpace, false, true)
KOKKOS_IMPL_HIP_ACCESS(HIPHostPinnedSpace, HostSpace, false, true)
KOKKOS_IMPL_HIP_ACCESS(HIPHostPinnedSpace, HIPSpace, false, hip_unified_memory)
KOKKOS_IMPL_HIP_ACCESS(HIPHostPinnedSpace, HIPManagedSpace, false, true)

#undef KOKKOS_IMPL_HIP_ACCESS

}  // namespace Impl
}  // namespace Kokkos

#endif
