// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_STAGING_JOB_HPP
#define KOKKOS_GPU_STAGING_JOB_HPP

/// \file
/// The state of a copy through pinned slabs, for the threads that move its bytes (Kokkos_GPU_StagingPool.hpp).
///
/// A *channel* consists of a few adjacent slabs and two words in pinned memory. Streams write their progress to the
/// device's word. The staging threads write theirs to the host's word, and streams wait for it. A *job* is one copy. It
/// is cut into *pieces*, which use the channel's slabs cyclically. Piece k of a job whose numbers start at `first` is
/// done on a side when the word of that side is `first + 1 + k` or more. Threads work on *chunks* of a piece, several
/// at once.

#include <impl/GPU/portable/Kokkos_GPU_CopyChoice.hpp>
#include <impl/GPU/portable/Kokkos_GPU_StagedCopy.hpp>
#include <impl/GPU/portable/Kokkos_GPU_StreamLifetime.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <utility>

namespace Kokkos::Impl {

/// The words of a channel, in pinned memory. Their values only grow, also across the end of their range.
struct StagingWords {
  std::uint32_t* device = nullptr;
  std::uint32_t* host   = nullptr;

  static bool reached(std::uint32_t const* word, std::uint32_t value) noexcept {
    // acquire: this thread sees earlier writes of the other side
    return static_cast<std::int32_t>(__atomic_load_n(word, __ATOMIC_ACQUIRE) - value) >= 0;
  }
  /// Spins until the word is `value` or more. Returns false if that takes long, so that the caller can wait in another
  /// way.
  static bool awaits(std::uint32_t const* word, std::uint32_t value) noexcept {
    return spins_until([=] { return reached(word, value); }, std::chrono::microseconds(CopyPolicy::watch_us));
  }
  /// The same for a word that is to become equal to `value`.
  static bool awaits_equal(std::uint32_t const* word, std::uint32_t value, std::chrono::microseconds timeout) noexcept {
    return spins_until([=] { return is_equal(word, value); }, timeout);
  }
  static bool is_equal(std::uint32_t const* word, std::uint32_t value) noexcept {
    return __atomic_load_n(word, __ATOMIC_ACQUIRE) == value;  // as in reached()
  }
  template <class Condition>
  static bool spins_until(Condition const& condition, std::chrono::microseconds timeout) {
    using Clock      = std::chrono::steady_clock;
    auto const begin = Clock::now();
    for (unsigned spin = 0; !condition(); ++spin)
      if (spin % 64 == 63 && Clock::now() - begin > timeout) return false;
    return true;
  }
  static void set(std::uint32_t* word, std::uint32_t value) noexcept {
    __atomic_store_n(word, value, __ATOMIC_RELEASE);
  }
};

/// Detects the arrival of a few words that a device writes to pinned memory: they have arrived when every word differs
/// from its old value. This is faster than a wait for the stream. If a new word equals its old value, the caller must
/// wait for the stream.
class ArrivalWatch {
 public:
  static constexpr std::size_t max_bytes = CopyPolicy::watched_bytes;

  static constexpr bool can_watch([[maybe_unused]] std::size_t bytes) {
#ifdef KOKKOS_IMPL_THREAD_SANITIZER
    return false;  // a model of the device writes them by memcpy
#else
    return bytes > 0 && bytes % 4 == 0 && bytes <= max_bytes;
#endif
  }

  /// Must be constructed before the copy to `memory` is enqueued, with a different `pattern` each time.
  ArrivalWatch(void* memory, std::size_t bytes, std::uint32_t pattern)
      : m_words(static_cast<std::uint32_t*>(memory)), m_count(bytes / 4), m_pattern(pattern) {
    for (std::size_t i = 0; i < m_count; ++i) __atomic_store_n(m_words + i, m_pattern, __ATOMIC_RELAXED);
    std::atomic_thread_fence(std::memory_order_seq_cst);
  }

  /// False if the words have not arrived for a while: the caller must then wait for the stream.
  bool has_arrived(std::chrono::microseconds timeout = std::chrono::microseconds(CopyPolicy::watch_us)) const {
    std::size_t at = 0;
    return StagingWords::spins_until(
        [&] {
          while (at < m_count && !StagingWords::is_equal(m_words + at, m_pattern)) ++at;
          return at == m_count;
        },
        timeout);
  }

 private:
  std::uint32_t* m_words;
  std::size_t m_count;
  std::uint32_t m_pattern;
};

struct SlabCopyControl;

/// The life of a job.
enum class JobState {
  moving,      ///< threads move its bytes, and the device reports its progress
  abandoned,   ///< its bytes are no longer needed, so it ends as soon as it is the first in its channel
  completing,  ///< nothing more will move, and one thread is about to end it
  completed,   ///< it has ended, and left its channel
};

/// Whether a job may change its state. A job that is completing needs nothing more, so it cannot be abandoned.
constexpr bool may_become(JobState from, JobState to) noexcept {
  constexpr bool table[4][4] = {
      // to: moving, abandoned, completing, completed
      {false, true, true, true},    // moving
      {false, false, true, true},   // abandoned
      {false, false, false, true},  // completing
      {false, false, false, false}  // completed
  };
  return table[static_cast<int>(from)][static_cast<int>(to)];
}

/// One copy in progress.
struct StagingJob : StagedCopy, CopyCut {
  // ---- set before submission ----
  int link        = 0;      ///< the device whose link the copy uses
  bool serialized = false;  ///< copies with this flag to one device use its link one after the other; see
                            ///< StagingQueue
  bool past_cache = false;  ///< the device reads a slab as soon as it is full, which is faster from memory than from
                            ///< caches
  char* slab = nullptr;
  StagingWords words;
  std::uint32_t first = 0;
  StreamToken token   = no_stream;
  std::shared_ptr<SlabCopyControl> control;  ///< of the kernel, if one makes the steps

  // ---- guarded by the pool's mutex ----
  std::uint64_t age   = 0;  ///< number of jobs that were submitted before
  std::size_t claimed = 0;  ///< bytes that threads have claimed
  unsigned done       = 0;  ///< number of pieces, from the first one on, that the host has finished
  unsigned notified   = 0;  ///< number of these pieces that the stream has been notified of
  unsigned working    = 0;  ///< number of threads that work on a chunk
  JobState state      = JobState::moving;
  std::string error;                             ///< the complete message, once the job has completed
  std::array<std::size_t, max_slabs> missing{};  ///< bytes of each slab's piece that the host has not moved yet

  /// Takes over the objects that a copy keeps alive. Not its name: the caller may have to name the copy when a step is
  /// refused.
  void take(StagedCopy& copy, StreamToken of) {
    static_cast<StagedCopy&>(*this) = std::move(copy);
    copy.what                       = what;
    token                           = of;
  }

  /// Returns false without any effect if the table does not allow the change.
  bool become(JobState next) noexcept {
    if (!may_become(state, next)) return false;
    state = next;
    return true;
  }
  bool has_completed() const noexcept { return state == JobState::completed; }

  std::uint32_t end() const noexcept { return first + pieces; }
  char* slab_of(unsigned k) const noexcept { return slab + k % slabs * stride; }
};
using StagingJobPtr = std::shared_ptr<StagingJob>;

/// The jobs of a channel, in the order of their numbers. Threads can work only on the first one: in the streams, the
/// steps of the others follow the last step of the first.
struct StagingChannel {
  // Guarded by the pool's mutex.
  std::deque<StagingJobPtr> jobs;
  bool given_up = false;  ///< steps of a job may remain in a stream whose state is unknown
};

}  // namespace Kokkos::Impl

#endif
