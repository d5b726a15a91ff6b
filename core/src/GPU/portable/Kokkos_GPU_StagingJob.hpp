// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_STAGING_JOB_HPP
#define KOKKOS_GPU_STAGING_JOB_HPP

/// \file
/// A copy on its way through pinned slabs, as the threads see it that move its bytes (Kokkos_GPU_StagingPool.hpp).
///
/// Needs Kokkos_GPU_{CopyChoice,HostSide,StreamLifetime}.hpp and the standard library, nothing else: patches carry this
/// file as it is.
///
/// A *channel* is a few slabs that lie next to one another, and two words in pinned memory. In the device's word streams
/// write how far they have come, in the host's word these threads do, and streams wait for that. A *job* is one copy.
/// It is cut into *pieces*, which take the channel's slabs in turn; piece k of a job whose numbers start at `first` is
/// done on a side when the word of that side is `first + 1 + k` or more. Threads work on *chunks* of a piece, several
/// at once.

#include <GPU/portable/Kokkos_GPU_CopyChoice.hpp>
#include <GPU/portable/Kokkos_GPU_HostSide.hpp>
#include <GPU/portable/Kokkos_GPU_StreamLifetime.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>

namespace Kokkos::Impl {

/// The words of a channel, in pinned memory. Their values only grow, around the end of their range, too.
struct StagingWords {
  std::uint32_t* device = nullptr;
  std::uint32_t* host   = nullptr;

  static bool reached(std::uint32_t const* word, std::uint32_t value) noexcept {
    // acquire: what the other side wrote before is seen
    return static_cast<std::int32_t>(__atomic_load_n(word, __ATOMIC_ACQUIRE) - value) >= 0;
  }
  /// Spins until the word is `value` or more; false if that takes long: there is something else to wait for then.
  static bool awaits(std::uint32_t const* word, std::uint32_t value) noexcept {
    using Clock      = std::chrono::steady_clock;
    const auto begin = Clock::now();
    for (unsigned spin = 0; !reached(word, value); ++spin)
      if (spin % 64 == 63 && Clock::now() - begin > std::chrono::microseconds(30)) return false;
    return true;
  }
  static void set(std::uint32_t* word, std::uint32_t value) noexcept {
    __atomic_store_n(word, value, __ATOMIC_RELEASE);
  }
};

/// Sees the arrival of a few words that a device writes to pinned memory: they are there when none of them is what it
/// was. No need to wait for the stream, which takes longer. A word may be given the value that it had; then it is waited
/// for.
class ArrivalWatch {
 public:
  static constexpr std::size_t max_bytes = 1024;

  static constexpr bool can_watch([[maybe_unused]] std::size_t bytes) {
#ifdef KOKKOS_IMPL_THREAD_SANITIZER
    return false;  // a model of the device writes them by memcpy
#else
    return bytes > 0 && bytes % 4 == 0 && bytes <= max_bytes;
#endif
  }

  /// Before the copy to `memory` is enqueued. `pattern` is to be another one each time.
  ArrivalWatch(void* memory, std::size_t bytes, std::uint32_t pattern)
      : m_words(static_cast<std::uint32_t*>(memory)), m_count(bytes / 4), m_pattern(pattern) {
    for (std::size_t i = 0; i < m_count; ++i) __atomic_store_n(m_words + i, m_pattern, __ATOMIC_RELAXED);
    std::atomic_thread_fence(std::memory_order_seq_cst);
  }

  /// False if the words have not come for a while: the stream is to be waited for.
  bool has_arrived(std::chrono::microseconds patience = std::chrono::microseconds(30)) const {
    using Clock      = std::chrono::steady_clock;
    std::size_t at   = 0;
    const auto begin = Clock::now();
    for (unsigned spin = 0;; ++spin) {
      // acquire: what the stream did before is seen, too
      while (at < m_count && __atomic_load_n(m_words + at, __ATOMIC_ACQUIRE) != m_pattern) ++at;
      if (at == m_count) return true;
      if (spin % 64 == 63 && Clock::now() - begin > patience) return false;
    }
  }

 private:
  std::uint32_t* m_words;
  std::size_t m_count;
  std::uint32_t m_pattern;
};

/// One copy on its way. Of its cut, `pieces` is guarded by the pool's mutex: all of them, or those that could be enqueued.
struct StagingJob : CopyCut {
  // ---- set before it is submitted ----
  bool to_device    = false;
  int device        = 0;      ///< whose link the copy takes
  bool in_turn      = false;  ///< such copies to a device take its link one after the other: StagingQueue says how
  bool past_cache   = false;  ///< the device reads a slab as soon as it is full, faster from memory than out of caches
  std::size_t bytes = 0;
  char* slab        = nullptr;
  StagingWords words;
  std::uint32_t first = 0;
  StreamToken token   = no_stream;
  std::unique_ptr<HostSide> host;
  std::shared_ptr<void> keep;
  std::function<void()> on_landed;
  std::string what;

  // ---- guarded by the pool's mutex ----
  std::uint64_t age   = 0;      ///< jobs that were submitted before
  std::size_t claimed = 0;      ///< bytes that threads have taken
  unsigned done       = 0;      ///< pieces that the host is done with, from the first one on
  unsigned told       = 0;      ///< pieces of these that the stream has been told of
  unsigned working    = 0;      ///< threads that have a chunk
  bool landing        = false;  ///< some thread is about to end it
  bool unobserved     = false;  ///< its last write of the device's word could not be enqueued
  bool abandoned      = false;  ///< its bytes do not matter any more
  bool landed         = false;
  std::string error;            ///< when it has landed: the whole sentence
  std::array<std::size_t, max_slots> missing{};  ///< bytes of each slab's piece that the host has still to move

  std::size_t limit() const noexcept { return std::min(bytes, pieces * piece); }
  std::uint32_t end() const noexcept { return first + pieces; }
  char* slab_of(unsigned k) const noexcept { return slab + k % slots * stride; }
  unsigned pieces_of_all() const noexcept { return static_cast<unsigned>((bytes + piece - 1) / piece); }
};
using StagingJobPtr = std::shared_ptr<StagingJob>;

/// The jobs of a channel, in the order of their numbers. Only the first one can be worked on: the others' steps in their
/// streams come after the last step of the first.
struct StagingChannel {
  // Guarded by the pool's mutex.
  std::deque<StagingJobPtr> jobs;
  bool given_up = false;  ///< steps of a job may be left in a stream of which nothing is known any more
};

}  // namespace Kokkos::Impl

#endif
