// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_IDLE_MEMORY_HPP
#define KOKKOS_IDLE_MEMORY_HPP

/// \file
/// The memory that Kokkos keeps for later views: how much it is, and its return to the system. An extension of this
/// project.

#include <cstddef>
#include <string>

namespace Kokkos::Experimental {

/// The memory of a device's pool, in bytes. Blocks are a little larger than the requests for them.
struct DeviceMemoryUsage {
  std::size_t in_use     = 0;  ///< of views, of `kokkos_malloc`, and of other allocations in the device's memory space
  std::size_t kept       = 0;  ///< allocated from the system, but not in use
  std::size_t high_water = 0;  ///< the largest value of `in_use` since the first allocation
};

/// The memory of all views with one label.
struct LabelledMemory {
  std::string label;
  std::size_t bytes = 0;
  std::size_t count = 0;  ///< number of views
};

/// The memory of the default instance's device. Waits for nothing, so memory of views that were destroyed counts as kept,
/// although work in progress may still use it. All members are 0 if the default space has no pool: on hosts, with
/// KOKKOS_DEVICE_MEMORY_POOL_MB=0, before initialize and after finalize. Managed and pinned memory do not count.
DeviceMemoryUsage device_memory_usage();

/// Waits for all instances, and frees the device and pinned memory that no view uses. For a program that needs the
/// memory elsewhere: in a library with its own allocator, or in another process.
///
/// Blocks of views that were destroyed during a capture are kept until the capture has ended. Aborts before initialize
/// and after finalize.
/// \throws std::runtime_error if a kernel or copy has failed
void release_idle_memory();

}  // namespace Kokkos::Experimental

#endif
