// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_COPY_CHOICE_HPP
#define KOKKOS_GPU_COPY_CHOICE_HPP

/// \file
/// How a copy between pageable host memory and a device goes, and into which pieces it is cut: two pure functions, and
/// every threshold that they compare with.
///
/// Needs the standard library, nothing else: patches carry this file as it is.

#include <algorithm>
#include <cstddef>

namespace Kokkos::Impl {

/// What a program may choose, and the thresholds of the choices below.
struct CopySettings {
  // ---- chosen by the program ----
  std::size_t staging_bytes = std::size_t(64) << 20;  ///< pinned memory for each device (KOKKOS_STAGING_MB); 0: none
  int threads               = 0;      ///< KOKKOS_STAGING_THREADS; 0: Kokkos_GPU_StagingCores.hpp chooses
  bool blocking             = false;  ///< every copy has ended when the call returns
  bool check                = false;  ///< KOKKOS_COPY_CHECK=1: a host destination holds a pattern until the data lands
  bool device_waits         = true;   ///< streams may wait for words that staging threads write
  bool starts_behind = false;  ///< the first copies go the runtime's way while a thread prepares the staging buffer
  void (*warn)(const char* sentence) = nullptr;  ///< gets one sentence if there is no staging buffer

  // ---- which way a copy goes ----
  /// To the device: up to here the runtime reads a pageable source during the call, whatever is before it in the
  /// stream, and no slower than staging threads would. CUDA 13 does so up to 1 MiB.
  std::size_t read_by_runtime_bytes = std::size_t(64) << 10;
  /// To the host: up to here a copy goes through one pinned slot. The caller waits this long for it, which is less than
  /// another way costs if the stream has little to do; after that, a host function of the stream empties the slot.
  std::size_t slot_bytes    = std::size_t(256) << 10;
  unsigned slot_patience_us = 25;
  /// Up to here a copy that the caller waits for goes the runtime's way.
  std::size_t runtime_bytes = std::size_t(4) << 20;
  /// Of a copy that the caller does not wait for, this many pieces may be enqueued before the device needs them. More
  /// would fill the driver's queue: it then holds up each call for this device, of all threads.
  unsigned max_pieces_ahead = 96;

  // ---- how a staged copy is cut ----
  // Larger pieces cost the caller less time, smaller ones begin and end sooner.
  std::size_t piece_bytes      = std::size_t(12) << 20;  ///< at most, when the call returns at once
  std::size_t sync_piece_bytes = std::size_t(8) << 20;   ///< at most, when it waits
  std::size_t min_piece_bytes  = std::size_t(256) << 10;
  /// Staging threads that work on one copy at most. Eight move as much as a link does, also where the host is busy.
  unsigned copy_threads = 8;
  /// Up to here a copy to the device, while there is no other, is written to slabs past the caches of the cores: the
  /// link waits for such a copy's bytes, and caches deliver them at two thirds of memory's rate.
  std::size_t past_cache_bytes = std::size_t(32) << 20;
  /// To the device: larger copies take the link one after the other.
  std::size_t in_turn_bytes = std::size_t(4) << 20;
};

/// What the caller of a copy waits for.
enum class CopyWait {
  nothing,
  host_memory,  ///< the host's memory is no longer needed: the source has been read, or the destination written
  end,
};

/// The staging buffer and its threads.
enum class StagingState { unknown, preparing, usable, unusable };

/// What the choice of a way depends on.
struct CopyFacts {
  std::size_t bytes        = 0;
  bool to_device           = false;
  bool host_is_block       = true;   ///< the host's side is one block of memory
  bool reports             = false;  ///< someone is to be told of the end
  bool source_may_be_early = true;   ///< nothing that was submitted before writes the source
  CopyWait wait            = CopyWait::nothing;
  bool has_slot            = true;   ///< not all slots are in use
  StagingState staging     = StagingState::usable;
};

enum class CopyWay {
  nothing,           ///< no bytes
  runtime_reads,     ///< the runtime's copy, which has read the source when the call returns
  runtime_waits,     ///< the runtime's copy, or several through packed memory; the host waits for its end
  slot,              ///< to the host through a pinned slot, which the caller empties, or a host function of the stream
  staged,            ///< through slabs; all steps are enqueued at once
  staged_gradually,  ///< through slabs; steps are enqueued a bounded number ahead, and the caller helps meanwhile
  driven,            ///< the same, but no step waits for the host: the caller enqueues a piece when its slab is ready
};

inline CopyWay choose_copy_way(CopyFacts const& facts, CopySettings const& settings) {
  if (facts.bytes == 0) return CopyWay::nothing;
  if (facts.to_device && facts.host_is_block && facts.source_may_be_early && !facts.reports &&
      facts.wait != CopyWait::end && facts.bytes <= settings.read_by_runtime_bytes)
    return CopyWay::runtime_reads;
  if (!facts.to_device && facts.has_slot && facts.bytes <= settings.slot_bytes) return CopyWay::slot;
  const bool waits = facts.wait == CopyWait::end || (facts.wait == CopyWait::host_memory && !facts.to_device);
  if (waits && facts.host_is_block && facts.bytes <= settings.runtime_bytes) return CopyWay::runtime_waits;
  if (facts.staging != StagingState::usable) return CopyWay::runtime_waits;
  if (!settings.device_waits) return CopyWay::driven;
  const bool is_long = facts.bytes / settings.piece_bytes > settings.max_pieces_ahead;
  return waits || is_long ? CopyWay::staged_gradually : CopyWay::staged;
}

/// Of pinned memory, what a staged copy has.
struct CopyRoom {
  std::size_t bytes = 0;
  bool alone        = false;  ///< no other copy had any when this one got it, nor is one expected soon
};

/// How a staged copy is cut.
struct CopyCut {
  static constexpr unsigned max_slots    = 16;
  static constexpr std::size_t alignment = 128;  // of slabs

  std::size_t piece  = 0;  ///< bytes that the device moves at once; the last piece may have less
  std::size_t stride = 0;  ///< from one slab to the next
  unsigned slots     = 1;  ///< slabs, which pieces take in turn
  std::size_t chunk  = 0;  ///< bytes that a staging thread moves at once
  unsigned threads   = 8;  ///< that work on the copy at once at most
  unsigned pieces    = 0;
};

/// A caller who does not wait is held up by each piece. For one who waits, the time counts in which the first piece
/// fills its slab and the last one leaves it.
inline std::size_t max_piece(std::size_t bytes, bool waits, CopySettings const& settings) {
  const std::size_t most = waits ? settings.sync_piece_bytes : settings.piece_bytes;
  return std::clamp(bytes / (waits ? 4 : 2), std::min(settings.min_piece_bytes, most), most);
}

/// Pinned memory that a copy asks for: slabs for three pieces or four. What was just read or written in a slab is still
/// in the caches of the cores that did it, from where the device gets it, or where it finds old data, more slowly than
/// in memory: with two slabs at 0.6 of the rate to the host. To the device the fourth slab gains nothing.
inline std::size_t wanted_staging_bytes(std::size_t bytes, bool to_device, bool waits, CopySettings const& settings) {
  constexpr std::size_t rounding = 4 * CopyCut::alignment;  // of the pieces' sizes
  return std::min(bytes + rounding, (to_device ? 3 : 4) * max_piece(bytes, waits, settings));
}

/// While others copy, pieces are small: they interleave, and keep both directions of the link busy. But a large copy is
/// not cut into hundreds. All pieces are equal: a small rest takes as many steps as a whole piece. `granule` bytes are
/// never torn; no pieces if one does not fit into the room. `threads` staging threads exist.
inline CopyCut size_copy(std::size_t bytes, std::size_t granule, bool waits, CopyRoom const& room, int threads,
                         CopySettings const& settings) {
  CopyCut cut;
  if (granule > room.bytes || bytes == 0) return cut;
  constexpr std::size_t alignment = CopyCut::alignment;
  const auto whole_granules       = [&](std::size_t n) { return std::max(n / granule * granule, granule); };
  const auto align_up             = [](std::size_t n) { return (n + alignment - 1) / alignment * alignment; };
  const std::size_t most          = max_piece(bytes, waits, settings);
  const std::size_t part          = room.alone ? room.bytes / std::max<std::size_t>((room.bytes + most / 2) / most, 2)
                                               : std::clamp(bytes / 16, std::min(most / 2, room.bytes / 4), room.bytes / 2);
  const std::size_t largest       = std::max(std::min(most, part) / alignment * alignment, alignment);
  const std::size_t count         = (bytes + largest - 1) / largest;
  cut.piece                       = whole_granules(align_up((bytes + count - 1) / count));
  cut.stride                      = align_up(cut.piece);
  cut.slots                       = std::clamp(static_cast<unsigned>(room.bytes / cut.stride), 1u, CopyCut::max_slots);
  cut.threads                     = std::clamp(settings.copy_threads, 1u, static_cast<unsigned>(std::max(threads, 1)));
  cut.chunk  = whole_granules(std::clamp<std::size_t>(cut.piece / cut.threads, 32 << 10, 512 << 10));
  cut.pieces = static_cast<unsigned>((bytes + cut.piece - 1) / cut.piece);
  return cut;
}

}  // namespace Kokkos::Impl

#endif
