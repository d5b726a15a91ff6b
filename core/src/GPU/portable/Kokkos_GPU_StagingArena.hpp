// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_STAGING_ARENA_HPP
#define KOKKOS_GPU_STAGING_ARENA_HPP

/// \file
/// The pinned memory of a device's copy engine, and how streams share it.
///
/// Needs a `Runtime`, Kokkos_GPU_Staging{Memory,Pool}.hpp, Kokkos_GPU_StreamLifetime.hpp and the standard library:
/// patches carry this file as it is.

#include <GPU/portable/Kokkos_GPU_StagingMemory.hpp>
#include <GPU/portable/Kokkos_GPU_StagingPool.hpp>
#include <GPU/portable/Kokkos_GPU_StreamLifetime.hpp>

#include <algorithm>
#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace Kokkos::Impl {

/// Slabs, words, and who has used them last. Guarded by the mutex of the engine, but for what StagingLane says.
struct StagingCopyLane : StagingLane {
  bool used      = false;
  bool exclusive = false;  ///< one caller's, until it gives it back; never shared
  bool alone     = false;  ///< when it was last acquired there was no other lane, nor were others expected
  bool wants_more = false;  ///< than the share that each of many streams can have
  bool lost      = false;  ///< steps of unknown fate are in a stream; not used until that stream has ended
  int first_unit = 0, units = 0;
  char* memory      = nullptr;
  std::size_t bytes = 0;
  StagingWords words;
  std::uint32_t next = 1;  ///< `first` of the next job

  StreamToken last = no_stream;  ///< the stream of the youngest job, ...
  std::uint32_t* last_word = nullptr;
  std::uint32_t last_value = 0;  ///< ... and the word and value that say that it is done

  bool takes_inline         = false;  ///< all jobs on their way are of the kind that was filled by the caller
  std::size_t inline_offset = 0;
};

/// A block of pinned memory: units that lanes are made of, words, and a mailbox for small copies.
///
/// A stream that copies alone can use large slabs, and gets nine sixteenths of the units. While it does, others get a
/// third of the rest each, so that four streams find room. The last ones take half of what is left. If more than two
/// streams had large copies at once, now or the last time that there were any, new lanes are equal: what a program does
/// it is likely to do again, and among unequal ones the copies of the smallest take longest.
template <class Runtime>
class StagingArena {
 public:
  static constexpr int unit_count            = 32;
  static constexpr std::size_t mailbox_bytes = 64 * 1024;
  static constexpr std::size_t least_bytes   = 8 * mailbox_bytes;

  StagingArena() = default;
  /// `threads` threads may help to make the memory. \throws GPUError when it cannot be had
  explicit StagingArena(std::size_t bytes, int threads = 1) : m_block(std::max(bytes, least_bytes), threads) {
    // Words and mailbox are last: units have their whole size, but for the last one, which is given last.
    constexpr std::size_t small = word_bytes + mailbox_bytes;
    m_units    = static_cast<char*>(m_block.get());
    m_unit     = m_block.bytes() / unit_count / page * page;
    m_end      = m_units + (m_block.bytes() - small) / page * page;
    m_mailbox  = m_end + word_bytes;
    auto* word = reinterpret_cast<std::uint32_t*>(m_end);
    std::fill(word, word + word_bytes / sizeof *word, 0u);
    m_next_words = word;
    for (int u = 0; u < unit_count; ++u)
      if (m_units + u * m_unit + m_unit / 2 > m_end) m_taken.set(u);
    for (auto& lane : m_lanes) give_words(lane);
  }

  std::size_t bytes() const noexcept { return m_block.bytes(); }
  char* mailbox() const noexcept { return m_mailbox; }
  /// Words that no lane has, to try what the device can do.
  std::uint32_t* spare_word() const noexcept { return reinterpret_cast<std::uint32_t*>(m_mailbox); }

  /// A lane for the next copy in a stream, of about `wanted` bytes; one with copies of other streams on it if there is
  /// no room. An exclusive lane is given back by `release`. Null if there is none.
  StagingCopyLane* acquire(StreamToken token, std::size_t wanted, bool exclusive) {
    StagingCopyLane* const lane = find_or_make_lane(token, wanted, exclusive);
    if (lane) {
      const bool others = count_lanes([&](auto const& l) { return &l != lane; }) > 0;
      lane->alone       = !others && !(lane->wants_more && expects_others());
    }
    return lane;
  }

  void release(StagingCopyLane& lane) {
    lane.last      = no_stream;
    lane.exclusive = false;
    lane.lost      = lane.given_up;  // for good: steps that are left somewhere may use it at any time
    if (lane.lost) return;
    for (int u = 0; u < lane.units; ++u) m_taken.reset(lane.first_unit + u);
    lane.used = false;
  }

  template <class Visit>
  void for_each_lane(Visit const& visit) {
    for (auto& lane : m_lanes) visit(lane);
  }

  /// The stream has ended: what was lost with it is known again. Whoever has a lane alone writes to it without the lock
  /// of the lanes, and gives it up before his stream ends.
  void forget(StreamToken token) {
    for (auto& lane : m_lanes)
      if (lane.used && !lane.exclusive && lane.lost && lane.last == token) {
        StagingWords::set(lane.words.device, lane.next - 1);
        StagingWords::set(lane.words.host, lane.next - 1);
        release(lane);
      }
  }

 private:
  static constexpr int large              = unit_count * 9 / 16;
  static constexpr int beside_large       = (unit_count - large) / 3;
  static constexpr int most_share         = unit_count / 4;  // of several streams
  static constexpr int least_share        = unit_count / 8;
  static constexpr std::size_t page       = 4096;
  static constexpr std::size_t line       = 128;
  static constexpr std::size_t word_pairs = 4 * unit_count;
  static constexpr std::size_t word_bytes = word_pairs * 2 * line;

  /// A line for each word: host and device do not fetch one another's.
  void give_words(StagingCopyLane& lane) {
    lane.words.device = m_next_words;
    lane.words.host   = m_next_words + line / sizeof(std::uint32_t);
    lane.next         = 1;
    m_next_words += 2 * line / sizeof(std::uint32_t);
  }
  /// CUDA compares words as StagingWords does, around the end of their range; HIP's documentation does not say so. A
  /// lane that comes near the end, after hours of small copies, gets other words. The old ones stay as they are,
  /// because a stream may yet have to find that it need not wait for them.
  void renew_words(StagingCopyLane& lane) {
    const auto* end = reinterpret_cast<std::uint32_t const*>(m_mailbox);
    if (lane.next > 0x40000000u && m_next_words < end) give_words(lane);
  }

  StagingCopyLane* find_or_make_lane(StreamToken token, std::size_t wanted, bool exclusive) {
    StagingCopyLane* best = nullptr;
    std::size_t best_jobs = 0;
    for (auto& lane : m_lanes) {
      if (!lane.used || lane.exclusive || lane.lost) continue;
      if (StagingPool::get().idle(lane)) {
        release(lane);
      } else if (!exclusive) {
        if (lane.last == token) return &lane;
        const std::size_t jobs = StagingPool::get().jobs_of(lane);
        if (!best || jobs < best_jobs) best = &lane, best_jobs = jobs;
      }
    }
    if (StagingCopyLane* lane = make_lane(wanted)) {
      lane->exclusive = exclusive;
      return lane;
    }
    return best;
  }

  template <class Predicate>
  int count_lanes(Predicate const& predicate) const noexcept {
    return static_cast<int>(
        std::count_if(m_lanes.begin(), m_lanes.end(), [&](auto const& l) { return l.used && predicate(l); }));
  }
  int expected_lanes() const noexcept { return std::max(m_at_once, m_at_once_before); }
  bool expects_others() const noexcept { return expected_lanes() > 2; }
  /// Units for the next lane at most, of `free` ones.
  int share(int free) const noexcept {
    const bool is_beside = count_lanes([](auto const& l) { return l.units > most_share; }) > 0;
    if (expects_others() && !is_beside)
      return std::min(free, std::clamp(unit_count / expected_lanes(), least_share, most_share));
    const int most = is_beside ? beside_large : large;
    return free > most ? most : free / 2;
  }
  /// Notes how many lanes are in use at once that want more than they would get among many.
  void count_in(StagingCopyLane& lane, int units) {
    const int others = count_lanes([](auto const& l) { return l.wants_more; });
    lane.wants_more  = units > least_share;
    if (!lane.wants_more) return;
    if (others == 0) m_at_once_before = std::exchange(m_at_once, 0);
    m_at_once = std::max(m_at_once, others + 1);
  }
  StagingCopyLane* make_lane(std::size_t wanted) {
    auto* lane = std::find_if(m_lanes.begin(), m_lanes.end(), [](auto& l) { return !l.used; });
    const int free = unit_count - static_cast<int>(m_taken.count());
    if (lane == m_lanes.end() || free == 0) return nullptr;
    const auto want = static_cast<int>(std::min<std::size_t>((wanted + m_unit - 1) / m_unit, unit_count));
    count_in(*lane, want);
    const int room = std::max(1, std::min(want, share(free)));
    int length     = 0;
    lane->first_unit = free_run(room, length);
    lane->units      = length;
    m_next_unit      = lane->first_unit + length;
    for (int u = 0; u < length; ++u) m_taken.set(lane->first_unit + u);
    renew_words(*lane);
    lane->used          = true;
    lane->memory        = m_units + lane->first_unit * m_unit;
    lane->bytes         = std::min<std::size_t>(length * m_unit, m_end - lane->memory);
    lane->takes_inline  = true;
    lane->inline_offset = 0;
    return lane;
  }

  /// The first run of free units that is long enough, or the longest one. The search goes on where the last one ended:
  /// caches of cores keep a slab for a while after a copy, which makes it slow for the device.
  int free_run(int wanted, int& length) const {
    int best = 0;
    length   = 0;
    for (int i = 0; i < unit_count && length < wanted; ++i) {
      const int begin = (m_next_unit + i) % unit_count;
      int n           = 0;
      while (n < wanted && begin + n < unit_count && !m_taken[begin + n]) ++n;
      if (n > length) best = begin, length = n;
    }
    return best;
  }

  StagingMemory<Runtime> m_block;
  char* m_units      = nullptr;
  char* m_end        = nullptr;  // of the units
  char* m_mailbox    = nullptr;
  std::size_t m_unit = 0;        // bytes
  std::uint32_t* m_next_words = nullptr;
  std::bitset<unit_count> m_taken;
  int m_next_unit = 0;
  // The most lanes that wanted more than the least share at once: since there was none, and the time before.
  int m_at_once = 0, m_at_once_before = 0;
  std::array<StagingCopyLane, unit_count> m_lanes;
};

}  // namespace Kokkos::Impl

#endif
