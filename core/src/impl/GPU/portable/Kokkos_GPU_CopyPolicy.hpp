// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_COPY_POLICY_HPP
#define KOKKOS_GPU_COPY_POLICY_HPP

/// \file
/// Every number that copies and fills with a GPU use: where one route ends and another begins, and the sizes of pieces
/// and buffers. A vendor's Runtime has one constant of this type, `copy_policy`; its default values are the ones of a
/// runtime of which nothing is known. No other file of the copy code contains a size, and tests/structure checks that.

#include <cstddef>

namespace Kokkos::Impl {

/// The kind of memory that a view or a pointer refers to.
enum class MemoryKind {
  pageable,   ///< of the host, neither allocated by the runtime nor registered with it
  pinned,     ///< of the host, allocated by the runtime or registered with it; accessible from the device
  managed,    ///< migrates, or is accessible from everywhere
  device,     ///< of one device; for a copy: of the device of its stream
  elsewhere,  ///< for a copy: of another device
};
constexpr bool is_on_host(MemoryKind kind) { return kind == MemoryKind::pageable || kind == MemoryKind::pinned; }

enum class CopyOrder {
  in_stream,  ///< after the earlier work of a stream
  at_once,    ///< nothing else uses the memory, and the caller waits for the copy
  after_all,  ///< after all work of the program, for which the copy waits, and the caller waits for the copy
};

struct CopyPolicy {
  static constexpr std::size_t KiB = 1024, MiB = 1024 * KiB;
  static constexpr std::size_t cache_line = 64;  // of the host

  // ---- small copies ----
  /// Up to this size a copy without an instance takes one step with the fence before it, through the instance's mailbox.
  std::size_t mailbox_bytes = 64 * KiB;
  /// Up to this size nothing asks whether host memory is registered with the runtime: the runtime, which knows it,
  /// copies small sources itself, and for a small destination it makes no difference.
  std::size_t unasked_bytes = 64 * KiB;
  /// Up to this size the host watches the words that a device writes, instead of waiting for the stream.
  static constexpr std::size_t watched_bytes = KiB;
  /// The host watches for this long before it waits for the stream.
  static constexpr unsigned watch_us = 30;

  // ---- the runtime's own copies of pageable memory ----
  /// To the device: up to this size the runtime reads a pageable source during the call, regardless of earlier work in
  /// the stream, and is as fast as staging threads.
  std::size_t read_by_runtime_bytes = 64 * KiB;
  /// Up to these sizes the runtime makes a copy that the caller waits for.
  std::size_t runtime_bytes         = 4 * MiB;
  std::size_t runtime_to_host_bytes = 4 * MiB;  ///< not more than `runtime_bytes`
  /// Where the runtime copies elements that are not one block, it copies them from and to a block of this size.
  std::size_t gathered_bytes = 4 * MiB;

  // ---- nodes of graphs ----
  /// In a graph, a kernel copies up to this size between pinned memory and the device. Only for runtimes that let the
  /// next function of the host read what a kernel has written to any pinned memory.
  std::size_t graph_kernel_bytes = 0;

  // ---- copies to the host through one pinned slot ----
  /// Up to this size a copy goes through one pinned slot. The caller waits `slot_timeout_us`, and the time of the transfer
  /// at a moderate rate, which is less than the cost of another route if the stream has little to do. After that, a host
  /// function of the stream empties the slot.
  std::size_t slot_bytes         = 512 * KiB;
  std::size_t slot_bytes_per_us  = 20 * KiB;
  unsigned slot_timeout_us       = 25;
  static constexpr int max_slots = 16;

  // ---- rows ----
  /// Rows of at least this size reach the link's speed in the runtime's pitched copy; shorter ones are packed.
  std::size_t long_row_bytes = 512;
  /// CUDA refuses pitches beyond the device's `memPitch`, which has this value. HIP has that property, too (clr: at most
  /// this value).
  static constexpr std::size_t max_pitch_bytes = 0x7fffffff;

  // ---- buffers on the device ----
  std::size_t packing_bytes = 32 * MiB;  ///< maximum for packed elements; larger copies are cut into chunks
  std::size_t filling_bytes = MiB;       ///< values for a fill of another device's memory

  // ---- kernels that copy and fill rows ----
  static constexpr unsigned max_row_blocks = 1u << 20;  ///< of a kernel; for more rows each block does more
  /// A kernel's parameters have this many bytes everywhere. Of a fill: the longest pattern among them.
  static constexpr std::size_t parameter_bytes = 4 * KiB, fill_parameter_bytes = 3584;
  /// Of a fill by the host: the bytes that it copies again and again, which its cache keeps.
  static constexpr std::size_t fill_repeated_bytes = 16 * KiB;

  // ---- the staging buffer ----
  std::size_t staging_bytes = 64 * MiB;  ///< pinned memory for each device, unless KOKKOS_STAGING_MB sets it
  static constexpr std::size_t min_staging_bytes = 512 * KiB;
  static constexpr std::size_t small_page = 4 * KiB, large_page = 2 * MiB;  ///< of the system
  /// The staging buffer costs as much time as the runtime's copy of this many bytes. If a thread prepares it, the thread
  /// starts once copies of this size in all could have used it. A program that copies less is not slowed down by the
  /// preparation.
  std::size_t prepare_after_bytes = 128 * MiB;

  // ---- the steps of a staged copy ----
  /// At most this many pieces are enqueued before the device needs them. More would fill the driver's queue, which then
  /// blocks every call for this device in all threads.
  unsigned max_pieces_ahead = 96;
  /// One kernel makes the steps of a copy of more pieces than that, and so many kernels run at once: each keeps threads
  /// of the device busy while it waits for the host.
  static constexpr unsigned max_kernels = 4;

  // ---- the division of a staged copy ---- Larger pieces cost the caller less time; smaller pieces start and end
  // sooner.
  std::size_t piece_bytes                      = 12 * MiB;  ///< maximum if the call returns at once
  std::size_t sync_piece_bytes                 = 8 * MiB;   ///< maximum if the call waits
  std::size_t min_piece_bytes                  = 256 * KiB;
  static constexpr std::size_t min_chunk_bytes = 32 * KiB;  ///< of a piece, for one thread
  static constexpr std::size_t max_chunk_bytes = 512 * KiB;
  static constexpr std::size_t slab_alignment  = 128;
  static constexpr unsigned max_slabs          = 16;
  /// Larger elements may be split between pieces.
  static constexpr std::size_t max_granule_bytes = 64 * KiB;
  /// Maximum number of staging threads for one copy. Eight threads saturate the link, even on a busy host.
  unsigned copy_threads = 8;
  /// Up to this size, while there is no other copy, a copy to the device is written to slabs with non-temporal stores:
  /// the link waits for the bytes of such a copy, and caches deliver them at two thirds of the memory bandwidth.
  std::size_t past_cache_bytes = 32 * MiB;
  /// Shorter runs of bytes are written with ordinary stores.
  static constexpr std::size_t min_past_cache_bytes = 4 * KiB;
  /// To the device: larger copies use the link one after the other.
  std::size_t serialized_bytes = 4 * MiB;
};

}  // namespace Kokkos::Impl

#endif
