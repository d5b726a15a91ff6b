// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_HOST_STREAMING_STORES_HPP
#define KOKKOS_HOST_STREAMING_STORES_HPP

/// \file
/// Writes to host memory that bypass the caches.
///
/// An ordinary store brings the line that it writes into the cache first, so memory moves the line twice. A streaming
/// store (Intel: non-temporal) moves it once. It is slower as long as the line would have stayed in a cache.

#include <cstddef>

namespace Kokkos::Impl {

class SystemFiles;

/// The sum of the machine's last-level caches in bytes, or an estimate if the system does not say it.
std::size_t host_cache_bytes(SystemFiles const& files);

/// Streaming stores of one thread. When this object is destroyed, they are ordered before all later stores of the
/// thread, as ordinary stores are.
class HostStreamingStores {
 public:
  HostStreamingStores() = default;
  ~HostStreamingStores();
  HostStreamingStores(HostStreamingStores const&)            = delete;
  HostStreamingStores& operator=(HostStreamingStores const&) = delete;

  /// @{
  /// Whether an operation that writes this many bytes, on all threads together, should use them: whether the bytes
  /// exceed the machine's caches, and the processor has such stores and is faster with them.
  static bool pay_off_in_copy(std::size_t bytes);
  static bool pay_off_in_fill(std::size_t bytes);
  /// @}

  /// Shorter blocks contain too few whole lines.
  static constexpr std::size_t shortest_block = 1024;

  /// Copies bytes that do not overlap. Successive calls for adjacent blocks are as fast as one, if the blocks begin at
  /// multiples of 4 bytes.
  void copy(void* to, void const* from, std::size_t bytes);
  /// The same, reading this many pages in turn, a line of each. `copy` chooses the number for the processor.
  void copy_in_turn(std::size_t pages, void* to, void const* from, std::size_t bytes);
};

}  // namespace Kokkos::Impl

#endif
