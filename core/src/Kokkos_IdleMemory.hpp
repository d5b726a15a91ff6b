// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_IDLE_MEMORY_HPP
#define KOKKOS_IDLE_MEMORY_HPP

/// \file
/// The memory of views and what Kokkos keeps for later ones: how much it is, and its return to the system. An extension of
/// this project.

#include <cstddef>
#include <string>
#include <vector>

namespace Kokkos {

namespace Experimental {
struct LabelledMemory;
}
namespace Impl {
std::vector<Experimental::LabelledMemory> recorded_memory(char const* space);
}

namespace Experimental {

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

/// Starts to record the memory of views and of `kokkos_malloc` by their labels, in every memory space, or stops and forgets
/// the record. Callable at any time, from any thread. While a record is taken, each allocation and deallocation locks a
/// mutex and searches a table; otherwise it reads one variable.
void record_memory_labels(bool on = true);

/// The memory in the space, by the labels of its views, the largest first. Views from before record_memory_labels() are not
/// included, nor is memory of a MemoryResource, which counts with the label of the resource. Bytes are those that programs
/// requested; a block is a little larger. Waits for nothing.
template <class Space>
std::vector<LabelledMemory> memory_by_label() {
  return Impl::recorded_memory(Space::name());
}

/// Waits for all instances, and frees the device and pinned memory that no view uses. For a program that needs the
/// memory elsewhere: in a library with its own allocator, or in another process.
///
/// Blocks of views that were destroyed during a capture are kept until the capture has ended. Aborts before initialize
/// and after finalize.
/// \throws std::runtime_error if a kernel or copy has failed
void release_idle_memory();

}  // namespace Experimental
}  // namespace Kokkos

#endif
