// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_COPY_CHOICE_HPP
#define KOKKOS_GPU_COPY_CHOICE_HPP

/// \file
/// The route of a copy between pageable host memory and a device, and its division into pieces: two pure functions.
///
/// Needs Kokkos_GPU_CopyPolicy.hpp and the standard library: patches carry this file unchanged.

#include <impl/GPU/portable/Kokkos_GPU_CopyPolicy.hpp>

#include <algorithm>
#include <cstddef>

namespace Kokkos::Impl {

/// A vendor's numbers, and what a program has chosen.
struct CopySettings : CopyPolicy {
  CopySettings() = default;
  explicit CopySettings(CopyPolicy const& policy) : CopyPolicy(policy) {}

  int threads           = 0;      ///< KOKKOS_STAGING_THREADS; 0: Kokkos_GPU_StagingCores.hpp chooses
  bool blocking         = false;  ///< every copy has ended when the call returns
  bool check            = false;  ///< KOKKOS_COPY_CHECK=1: a host destination holds a pattern until the data lands
  bool device_waits     = true;   ///< streams may wait for words that staging threads write
  bool waits_may_hold_others = false;  ///< a stream that waits for a word may hold up every other stream
  bool starts_behind    = false;  ///< the first copies use the runtime while a thread prepares the staging buffer
  bool long_by_kernel   = true;   ///< one kernel may make the steps of a long copy, so that the call returns at once
  void (*warn)(const char* sentence) = nullptr;  ///< receives one sentence if there is no staging buffer
};

/// The event that the caller of a copy waits for.
enum class CopyWait {
  nothing,
  host_memory,  ///< the host's memory is no longer in use: the source has been read, or the destination has been
                ///< written
  end,
};

/// The staging buffer and its threads.
enum class StagingState { unknown, preparing, usable, unusable };

/// The facts that determine the method of a copy.
struct CopyFacts {
  std::size_t bytes        = 0;
  bool to_device           = false;
  bool host_is_block       = true;   ///< the host's side is one block of memory
  bool reports             = false;  ///< the caller asked for a notification of the end
  bool source_may_be_early = true;   ///< no work that was submitted before writes the source
  CopyWait wait            = CopyWait::nothing;
  bool has_slot            = true;   ///< a slot is free
  bool has_kernel          = false;  ///< a kernel can make the steps of the copy
  StagingState staging     = StagingState::usable;
};

enum class CopyMethod {
  nothing,           ///< no bytes
  runtime_reads,     ///< the runtime's copy, which has read the source when the call returns
  runtime_waits,     ///< the runtime's copy, or several of them through packed memory; the host waits for the end
  slot,              ///< to the host through a pinned slot, which the caller empties, or a host function of the stream
  staged,            ///< through slabs; all steps are enqueued at once
  staged_by_kernel,  ///< through slabs; one kernel makes all steps
  staged_gradually,  ///< through slabs; a bounded number of steps is enqueued ahead, and the caller helps meanwhile
  driven,            ///< the same, but no step waits for the host: the caller enqueues each piece once its slab is
                     ///< ready
};

inline CopyMethod choose_copy_method(CopyFacts const& facts, CopySettings const& settings) {
  if (facts.bytes == 0) return CopyMethod::nothing;
  if (facts.to_device && facts.host_is_block && facts.source_may_be_early && !facts.reports &&
      facts.wait != CopyWait::end && facts.bytes <= settings.read_by_runtime_bytes)
    return CopyMethod::runtime_reads;
  if (!facts.to_device && facts.has_slot && facts.bytes <= settings.slot_bytes) return CopyMethod::slot;
  const bool waits = facts.wait == CopyWait::end || (facts.wait == CopyWait::host_memory && !facts.to_device);
  const std::size_t by_runtime =
      facts.to_device ? settings.runtime_bytes : std::min(settings.runtime_bytes, settings.runtime_to_host_bytes);
  if (waits && facts.host_is_block && facts.bytes <= by_runtime) return CopyMethod::runtime_waits;
  if (facts.staging != StagingState::usable) return CopyMethod::runtime_waits;
  if (!settings.device_waits) return CopyMethod::driven;
  const bool is_long = facts.bytes / settings.piece_bytes > settings.max_pieces_ahead;
  if (is_long && !waits && facts.has_kernel && settings.long_by_kernel) return CopyMethod::staged_by_kernel;
  return waits || is_long ? CopyMethod::staged_gradually : CopyMethod::staged;
}

/// The pinned memory of a staged copy.
struct StagingSpace {
  std::size_t bytes = 0;
  bool alone        = false;  ///< no other copy had pinned memory when this one got it, and none is expected soon
};

/// The division of a staged copy.
struct CopyCut {
  static constexpr unsigned max_slabs    = CopyPolicy::max_slabs;
  static constexpr std::size_t alignment = CopyPolicy::slab_alignment;

  std::size_t piece  = 0;  ///< bytes that the device copies at once; the last piece may be smaller
  std::size_t stride = 0;  ///< distance between slabs
  unsigned slabs     = 1;  ///< number of slabs, which the pieces use cyclically
  std::size_t chunk  = 0;  ///< bytes that a staging thread copies at once
  unsigned threads   = 8;  ///< maximum number of threads that work on the copy
  unsigned pieces    = 0;
};

/// A caller that does not wait pays a fixed cost for each piece. A caller that waits pays for the time in which the
/// first piece fills its slab and the last piece leaves its slab.
inline std::size_t max_piece(std::size_t bytes, bool waits, CopyPolicy const& policy) {
  const std::size_t max_bytes = waits ? policy.sync_piece_bytes : policy.piece_bytes;
  return std::clamp(bytes / (waits ? 4 : 2), std::min(policy.min_piece_bytes, max_bytes), max_bytes);
}

/// The size of the pinned memory for a copy: slabs for three or four pieces. Data that a core has just read or written
/// in a slab is still in that core's caches. The device reads it from there, or overwrites it there, more slowly than
/// in memory: with two slabs, copies to the host reach 0.6 of the rate. A fourth slab does not help copies to the
/// device.
inline std::size_t wanted_staging_bytes(std::size_t bytes, bool to_device, bool waits, CopyPolicy const& policy) {
  constexpr std::size_t rounding = 4 * CopyCut::alignment;  // of piece sizes
  return std::min(bytes + rounding, (to_device ? 3 : 4) * max_piece(bytes, waits, policy));
}

/// While other copies run, pieces are small, so that the copies interleave and keep both directions of the link busy.
/// But a large copy is not cut into hundreds of pieces. All pieces have equal size, because a small remainder takes as
/// many steps as a whole piece. A granule of `granule` bytes is never split. Returns no pieces if a granule does not
/// fit into the memory. `threads` is the number of staging threads.
inline CopyCut size_copy(std::size_t bytes, std::size_t granule, bool waits, StagingSpace const& space, int threads,
                         CopyPolicy const& policy) {
  CopyCut cut;
  if (granule > space.bytes || bytes == 0) return cut;
  constexpr std::size_t alignment = CopyCut::alignment;
  const auto whole_granules       = [&](std::size_t n) { return std::max(n / granule * granule, granule); };
  const auto align_up             = [](std::size_t n) { return (n + alignment - 1) / alignment * alignment; };
  const std::size_t max_bytes     = max_piece(bytes, waits, policy);
  const std::size_t part          = space.alone
                                        ? space.bytes / std::max<std::size_t>((space.bytes + max_bytes / 2) / max_bytes, 2)
                                        : std::clamp(bytes / 16, std::min(max_bytes / 2, space.bytes / 4), space.bytes / 2);
  const std::size_t largest       = std::max(std::min(max_bytes, part) / alignment * alignment, alignment);
  const std::size_t count         = (bytes + largest - 1) / largest;
  cut.piece                       = whole_granules(align_up((bytes + count - 1) / count));
  cut.stride                      = align_up(cut.piece);
  cut.slabs                       = std::clamp(static_cast<unsigned>(space.bytes / cut.stride), 1u, CopyCut::max_slabs);
  cut.threads                     = std::clamp(policy.copy_threads, 1u, static_cast<unsigned>(std::max(threads, 1)));
  cut.chunk  = whole_granules(std::clamp(cut.piece / cut.threads, CopyPolicy::min_chunk_bytes, CopyPolicy::max_chunk_bytes));
  cut.pieces = static_cast<unsigned>((bytes + cut.piece - 1) / cut.piece);
  return cut;
}

}  // namespace Kokkos::Impl

#endif
