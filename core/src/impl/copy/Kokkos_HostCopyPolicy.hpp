// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_COPY_HOSTCOPYPOLICY_HPP
#define KOKKOS_COPY_HOSTCOPYPOLICY_HPP

/// \file
/// Every number that copies and fills of host memory use. Those of a GPU are in a vendor's `copy_policy`.

#include <cstddef>

namespace Kokkos::Impl {

struct HostCopyPolicy {
  static constexpr std::size_t KiB = 1024, MiB = 1024 * KiB;

  static constexpr std::size_t cache_line = 64, page = 4 * KiB;

  /// Of copies, fills and new views. Up to this size the calling thread finishes before other threads would have woken up:
  /// it copies or clears 80 kB in 2.5 us, and 16 threads take 5 us.
  std::size_t alone_bytes = 128 * KiB;
  /// Of strided copies. Large enough to amortise the index arithmetic of a tile, and small relative to a thread's share.
  std::size_t tile_bytes = 32 * KiB;
  /// A thread gets this number of tiles if they are not smaller than `least_tile_bytes`.
  std::size_t wanted_tiles     = 4;
  std::size_t least_tile_bytes = 4 * KiB;
  /// The contiguous bytes of a transposition's tile: one cache line of dst, so that few lines of src are in use, which
  /// do not evict each other where the distance of rows is a power of two; and several lines of src, which the
  /// processor prefetches.
  std::size_t transposed_dst_bytes   = cache_line;
  std::size_t transposed_src_bytes   = 2 * KiB;
  std::size_t fewest_transposed_runs = 4;

  /// No machine has smaller caches, so smaller operations do not ask for their size: they use ordinary stores.
  std::size_t least_cache_bytes = 4 * MiB;
  /// The size of the caches, if the system does not say it.
  std::size_t usual_cache_bytes = 64 * MiB;
  /// Shorter blocks contain too few whole lines for streaming stores.
  std::size_t shortest_streamed_bytes = KiB;
  /// A fill repeats its element in a pattern of up to this size.
  std::size_t longest_pattern_bytes = 4 * KiB;

  /// Elements that are assigned one by one: the maximum for one work item, and the number of items that are wanted first.
  std::size_t item_elements = 1024, fewest_items = 64;
  /// Size of the temporary for elements that must be converted on their way between two memory spaces.
  std::size_t converting_bytes = 16 * MiB;
};
inline constexpr HostCopyPolicy host_copy_policy{};

}  // namespace Kokkos::Impl

#endif
