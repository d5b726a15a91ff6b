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

/// Slabs, words, and who has used them last. Guarded by the mutex of the engine, but for what StagingChannel says.
struct StagingCopyChannel : StagingChannel {
  bool used      = false;
  bool exclusive = false;  ///< one caller's, until it gives it back; never shared
  bool alone     = false;  ///< when it was last acquired there was no other channel, nor were others expected
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

/// A block of pinned memory: units that channels are made of, words, and a mailbox for small copies.
///
/// A stream that copies alone can use large slabs, and gets nine sixteenths of the units. While it does, others get a
/// third of the rest each, so that four streams find room. The last ones take half of what is left. If more than two
/// streams had large copies at once, now or the last time that there were any, new channels are equal: what a program does
/// it is likely to do again, and among unequal ones the copies of the smallest take longest.
template <class Runtime>
class StagingArena {
 public:
  static constexpr int unit_count            = 32;
  static constexpr std::size_t mailbox_bytes = 64 * 1024;
  static constexpr std::size_t min_bytes   = 8 * mailbox_bytes;

  StagingArena() = default;
  /// `threads` threads may help to make the memory. \throws GPUError when it cannot be had
  explicit StagingArena(std::size_t bytes, int threads = 1) : m_block(std::max(bytes, min_bytes), threads) {
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
    for (auto& channel : m_channels) give_words(channel);
  }

  std::size_t bytes() const noexcept { return m_block.bytes(); }
  char* mailbox() const noexcept { return m_mailbox; }
  /// Words that no channel has, to try what the device can do.
  std::uint32_t* spare_word() const noexcept { return reinterpret_cast<std::uint32_t*>(m_mailbox); }

  /// A channel for the next copy in a stream, of about `wanted` bytes; one with copies of other streams on it if there is
  /// no room. An exclusive channel is given back by `release`. Null if there is none.
  StagingCopyChannel* acquire(StreamToken token, std::size_t wanted, bool exclusive) {
    StagingCopyChannel* const channel = find_or_make_channel(token, wanted, exclusive);
    if (channel) {
      const bool others = count_channels([&](auto const& l) { return &l != channel; }) > 0;
      channel->alone       = !others && !(channel->wants_more && expects_others());
    }
    return channel;
  }

  void release(StagingCopyChannel& channel) {
    channel.last      = no_stream;
    channel.exclusive = false;
    channel.lost      = channel.given_up;  // for good: steps that are left somewhere may use it at any time
    if (channel.lost) return;
    for (int u = 0; u < channel.units; ++u) m_taken.reset(channel.first_unit + u);
    channel.used = false;
  }

  template <class Visit>
  void for_each_channel(Visit const& visit) {
    for (auto& channel : m_channels) visit(channel);
  }

  /// The stream has ended: what was lost with it is known again. Whoever has a channel alone writes to it without the lock
  /// of the channels, and gives it up before his stream ends.
  void forget(StreamToken token) {
    for (auto& channel : m_channels)
      if (channel.used && !channel.exclusive && channel.lost && channel.last == token) {
        StagingWords::set(channel.words.device, channel.next - 1);
        StagingWords::set(channel.words.host, channel.next - 1);
        release(channel);
      }
  }

 private:
  static constexpr int large              = unit_count * 9 / 16;
  static constexpr int beside_large       = (unit_count - large) / 3;
  static constexpr int max_share         = unit_count / 4;  // of several streams
  static constexpr int min_share        = unit_count / 8;
  static constexpr std::size_t page       = 4096;
  static constexpr std::size_t line       = 128;
  static constexpr std::size_t word_pairs = 4 * unit_count;
  static constexpr std::size_t word_bytes = word_pairs * 2 * line;

  /// A line for each word: host and device do not fetch one another's.
  void give_words(StagingCopyChannel& channel) {
    channel.words.device = m_next_words;
    channel.words.host   = m_next_words + line / sizeof(std::uint32_t);
    channel.next         = 1;
    m_next_words += 2 * line / sizeof(std::uint32_t);
  }
  /// CUDA compares words as StagingWords does, around the end of their range; HIP's documentation does not say so. A
  /// channel that comes near the end, after hours of small copies, gets other words. The old ones stay as they are,
  /// because a stream may yet have to find that it need not wait for them.
  void renew_words(StagingCopyChannel& channel) {
    const auto* end = reinterpret_cast<std::uint32_t const*>(m_mailbox);
    if (channel.next > 0x40000000u && m_next_words < end) give_words(channel);
  }

  StagingCopyChannel* find_or_make_channel(StreamToken token, std::size_t wanted, bool exclusive) {
    StagingCopyChannel* best = nullptr;
    std::size_t best_jobs = 0;
    for (auto& channel : m_channels) {
      if (!channel.used || channel.exclusive || channel.lost) continue;
      if (StagingPool::get().idle(channel)) {
        release(channel);
      } else if (!exclusive) {
        if (channel.last == token) return &channel;
        const std::size_t jobs = StagingPool::get().jobs_of(channel);
        if (!best || jobs < best_jobs) best = &channel, best_jobs = jobs;
      }
    }
    if (StagingCopyChannel* channel = make_channel(wanted)) {
      channel->exclusive = exclusive;
      return channel;
    }
    return best;
  }

  template <class Predicate>
  int count_channels(Predicate const& predicate) const noexcept {
    return static_cast<int>(
        std::count_if(m_channels.begin(), m_channels.end(), [&](auto const& l) { return l.used && predicate(l); }));
  }
  int expected_channels() const noexcept { return std::max(m_at_once, m_at_once_before); }
  bool expects_others() const noexcept { return expected_channels() > 2; }
  /// Units for the next channel at most, of `free` ones.
  int share(int free) const noexcept {
    const bool is_beside = count_channels([](auto const& l) { return l.units > max_share; }) > 0;
    if (expects_others() && !is_beside)
      return std::min(free, std::clamp(unit_count / expected_channels(), min_share, max_share));
    const int most = is_beside ? beside_large : large;
    return free > most ? most : free / 2;
  }
  /// Notes how many channels are in use at once that want more than they would get among many.
  void count_in(StagingCopyChannel& channel, int units) {
    const int others = count_channels([](auto const& l) { return l.wants_more; });
    channel.wants_more  = units > min_share;
    if (!channel.wants_more) return;
    if (others == 0) m_at_once_before = std::exchange(m_at_once, 0);
    m_at_once = std::max(m_at_once, others + 1);
  }
  StagingCopyChannel* make_channel(std::size_t wanted) {
    auto* channel = std::find_if(m_channels.begin(), m_channels.end(), [](auto& l) { return !l.used; });
    const int free = unit_count - static_cast<int>(m_taken.count());
    if (channel == m_channels.end() || free == 0) return nullptr;
    const auto want = static_cast<int>(std::min<std::size_t>((wanted + m_unit - 1) / m_unit, unit_count));
    count_in(*channel, want);
    const int room = std::max(1, std::min(want, share(free)));
    int length     = 0;
    channel->first_unit = free_run(room, length);
    channel->units      = length;
    m_next_unit      = channel->first_unit + length;
    for (int u = 0; u < length; ++u) m_taken.set(channel->first_unit + u);
    renew_words(*channel);
    channel->used          = true;
    channel->memory        = m_units + channel->first_unit * m_unit;
    channel->bytes         = std::min<std::size_t>(length * m_unit, m_end - channel->memory);
    channel->takes_inline  = true;
    channel->inline_offset = 0;
    return channel;
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
  // The most channels that wanted more than the least share at once: since there was none, and the time before.
  int m_at_once = 0, m_at_once_before = 0;
  std::array<StagingCopyChannel, unit_count> m_channels;
};

}  // namespace Kokkos::Impl

#endif
