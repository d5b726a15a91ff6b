// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_STAGING_ARENA_HPP
#define KOKKOS_GPU_STAGING_ARENA_HPP

/// \file
/// The pinned memory of a device's copy engine, and its distribution among streams.

#include <impl/GPU/portable/Kokkos_GPU_StagingMemory.hpp>
#include <impl/GPU/portable/Kokkos_GPU_StagingPool.hpp>
#include <impl/GPU/portable/Kokkos_GPU_StreamLifetime.hpp>

#include <algorithm>
#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace Kokkos::Impl {

/// A staging channel of a device: some slabs, and their last user. The engine's mutex guards it, except for the members
/// that StagingChannel documents; the owner of a channel uses it without that mutex. Only take(), share(), lose() and
/// give_back() change its state.
class StagingCopyChannel : public StagingChannel {
 public:
  enum class State {
    free,    ///< has no slabs
    shared,  ///< serves copies of any stream, one after the other
    owned,   ///< serves one caller, who releases it
    lost,    ///< steps in a stream may still use it, so no copy uses it until that stream has ended, which may be never
  };
  /// Piece numbers stay below this value. In this range signed, unsigned and cyclic comparisons agree, and nothing
  /// wraps around.
  static constexpr std::uint32_t max_number = 0x7fff0000u;

  State state() const noexcept { return m_state; }
  int units() const noexcept { return m_units; }
  int first_unit() const noexcept { return m_first_unit; }
  char* memory() const noexcept { return m_memory; }
  std::size_t bytes() const noexcept { return m_bytes; }
  StagingWords const& words() const noexcept { return m_words; }

  void take(int first_unit, int units, char* memory, std::size_t bytes, State state) noexcept {
    m_first_unit = first_unit;
    m_units      = units;
    m_memory     = memory;
    m_bytes      = bytes;
    m_state      = state;
  }
  /// The owner has enqueued all of its steps: other streams may use the channel after it.
  void share() noexcept { m_state = State::shared; }
  /// Steps of the stream may use the slabs and the words at any time until the stream has ended. no_stream: for ever.
  void lose(StreamToken stream) noexcept {
    m_state       = State::lost;
    m_last_stream = stream;
  }
  /// All steps that used the channel have ended, or, for a stream that was given up, their end will never be known.
  void give_back() noexcept {
    m_state       = given_up ? State::lost : State::free;
    m_last_stream = no_stream;
  }
  /// The stream that the channel was lost with has ended.
  void forget(StreamToken stream) noexcept {
    if (m_state != State::lost || m_last_stream != stream) return;
    StagingWords::set(m_words.device, m_next - 1);
    StagingWords::set(m_words.host, m_next - 1);
    give_back();
  }

  // ---- numbers of pieces, and the predecessor of the next copy ----

  void set_words(StagingWords const& words) noexcept {
    m_words = words;
    m_next  = 1;
  }
  bool has_numbers(unsigned pieces) const noexcept { return m_next < max_number && pieces < max_number - m_next; }
  std::uint32_t next_number() const noexcept { return m_next; }
  /// Assigns numbers to a copy of `pieces` pieces, and one to its end.
  void number(unsigned pieces) noexcept { m_next += pieces + 1; }

  /// The youngest copy is of `stream`; it has ended when `word` is `value` or more.
  void set_last(StreamToken stream, std::uint32_t* word, std::uint32_t value) noexcept {
    m_last_stream = stream;
    m_last_word   = word;
    m_last_value  = value;
  }
  StreamToken last_stream() const noexcept { return m_last_stream; }
  std::uint32_t* last_word() const noexcept { return m_last_word; }
  std::uint32_t last_value() const noexcept { return m_last_value; }

 private:
  State m_state    = State::free;
  int m_first_unit = 0, m_units = 0;
  char* m_memory      = nullptr;
  std::size_t m_bytes = 0;
  StagingWords m_words;
  std::uint32_t m_next       = 1;
  StreamToken m_last_stream  = no_stream;
  std::uint32_t* m_last_word = nullptr;
  std::uint32_t m_last_value = 0;
};

/// A channel for a copy, and the facts about its memory that the copy uses.
struct StagingLease {
  StagingCopyChannel* channel = nullptr;
  StagingSpace space;
};

/// A block of pinned memory: units that channels divide into slabs, and words that streams and threads wait for.
///
/// A stream that copies alone benefits from large slabs, and gets nine sixteenths of the units. Meanwhile each further
/// stream gets a third of the remaining units, so that four streams fit. The last streams get half of the remainder.
/// New channels have equal size if several streams had large copies at once, now or in the last such period: programs
/// tend to repeat their pattern, and among channels of unequal size the copies of the smallest one take longest.
template <class Runtime>
class StagingArena {
 public:
  using State = StagingCopyChannel::State;

  static constexpr int unit_count        = 32;
  static constexpr std::size_t min_bytes = CopyPolicy::min_staging_bytes;

  /// Up to `threads` threads help to create the memory. \throws GPUError if the system has no memory
  StagingArena(StagingPool& pool, std::size_t bytes, int threads = 1)
      : m_pool(pool), m_block(std::max(bytes, min_bytes), threads) {
    // Words are last. All units have full size except the last one, which is assigned last.
    m_units    = static_cast<char*>(m_block.get());
    m_unit     = m_block.bytes() / unit_count / page * page;
    m_end      = m_units + (m_block.bytes() - word_bytes) / page * page;
    auto* word = reinterpret_cast<std::uint32_t*>(m_end);
    std::fill(word, word + word_bytes / sizeof *word, 0u);
    m_next_words = word;
    for (int u = 0; u < unit_count; ++u)
      if (m_units + u * m_unit + m_unit / 2 > m_end) m_taken.set(u);
    for (auto& channel : m_channels) give_words(channel);
  }

  std::size_t bytes() const noexcept { return m_block.bytes(); }
  /// A word that belongs to no channel, for trying out the device's operations.
  std::uint32_t* spare_word() const noexcept { return reinterpret_cast<std::uint32_t*>(m_end + word_bytes) - 1; }

  /// Returns a channel of about `wanted` bytes for the next copy in a stream. If memory is short, it returns a channel
  /// that copies of other streams also use. `release` returns an owned channel. Null if there is no channel.
  StagingLease acquire(StreamToken token, std::size_t wanted, State state) {
    StagingLease lease{find_or_make_channel(token, wanted, state), {}};
    if (!lease.channel) return lease;
    bool const others = count_channels([&](auto const& l) { return &l != lease.channel; }) > 0;
    lease.space       = {lease.channel->bytes(), !others};
    return lease;
  }

  void release(StagingCopyChannel& channel) {
    channel.give_back();
    recover(channel);
  }

  template <class Visit>
  void for_each_channel(Visit const& visit) {
    for (auto& channel : m_channels) visit(channel);
  }

  /// The stream has ended, so channels that were lost with it are usable again.
  void forget(StreamToken token) {
    for (auto& channel : m_channels)
      if (channel.state() == State::lost) {
        channel.forget(token);
        recover(channel);
      }
  }

 private:
  static constexpr int large              = unit_count * 9 / 16;
  static constexpr int second_large       = (unit_count - large) / 3;
  static constexpr int max_share          = unit_count / 4;  // for one of several streams
  static constexpr int min_share          = unit_count / 8;
  static constexpr std::size_t page       = HostPages::small_page;
  static constexpr std::size_t line       = CopyPolicy::slab_alignment;
  static constexpr std::size_t word_pairs = 4 * unit_count;
  static constexpr std::size_t word_bytes = word_pairs * 2 * line;

  /// Each word has its own cache line, so that host and device do not invalidate each other's. False if no line is
  /// left.
  bool give_words(StagingCopyChannel& channel) {
    if (m_next_words >= spare_word() - 2 * line / sizeof(std::uint32_t)) return false;
    channel.set_words({m_next_words, m_next_words + line / sizeof(std::uint32_t)});
    m_next_words += 2 * line / sizeof(std::uint32_t);
    return true;
  }
  /// A channel that approaches the end of its numbers, after hours of copies, gets new words. The old words keep their
  /// values, because a stream may still check them and must find that it need not wait. False: the channel is used up.
  bool has_fresh_words(StagingCopyChannel& channel) {
    return channel.next_number() < StagingCopyChannel::max_number / 2 || give_words(channel);
  }

  /// Frees the units of a channel that is free.
  void recover(StagingCopyChannel& channel) {
    if (channel.state() != State::free) return;
    for (int u = 0; u < channel.units(); ++u) m_taken.reset(channel.first_unit() + u);
    channel.take(0, 0, nullptr, 0, State::free);
  }

  StagingCopyChannel* find_or_make_channel(StreamToken token, std::size_t wanted, State state) {
    StagingCopyChannel* best = nullptr;
    std::size_t best_jobs    = 0;
    for (auto& channel : m_channels) {
      if (channel.state() != State::shared) continue;
      if (m_pool.idle(channel)) {
        release(channel);
      } else if (state == State::shared) {
        if (channel.last_stream() == token) return &channel;
        std::size_t const jobs = m_pool.jobs_of(channel);
        if (!best || jobs < best_jobs) best = &channel, best_jobs = jobs;
      }
    }
    StagingCopyChannel* const made = make_channel(wanted, state);
    return made ? made : best;
  }

  template <class Predicate>
  int count_channels(Predicate const& predicate) const noexcept {
    return static_cast<int>(std::count_if(m_channels.begin(), m_channels.end(),
                                          [&](auto const& l) { return l.state() != State::free && predicate(l); }));
  }
  int expected_channels() const noexcept { return std::max(m_at_once, m_at_once_before); }
  /// Maximum number of units for the next channel, if `free` units are free. `unexpected`: there have not been so many.
  int share(int free, bool unexpected) const noexcept {
    int const expected = expected_channels();
    if (expected > 1 && !unexpected) return std::min(free, std::clamp(unit_count / expected, min_share, max_share));
    int const most = expected > 1 ? second_large : large;
    return free > most ? most : free / 2;
  }
  /// Counts the concurrent channels that want more memory than each of many streams would get.
  void count_in(StagingCopyChannel& channel, int units) {
    int const others = count_channels([&](auto const& l) { return m_wants_more[&l - m_channels.data()]; });
    bool const more  = units > min_share;
    m_wants_more[&channel - m_channels.data()] = more;
    if (!more) return;
    if (others == 0) m_at_once_before = std::exchange(m_at_once, 0);
    m_at_once = std::max(m_at_once, others + 1);
  }
  StagingCopyChannel* make_channel(std::size_t wanted, State state) {
    int const free = unit_count - static_cast<int>(m_taken.count());
    if (free == 0) return nullptr;
    auto const found = std::find_if(m_channels.begin(), m_channels.end(),
                                    [&](auto& l) { return l.state() == State::free && has_fresh_words(l); });
    if (found == m_channels.end()) return nullptr;
    StagingCopyChannel& channel = *found;
    auto const want             = static_cast<int>(std::min<std::size_t>((wanted + m_unit - 1) / m_unit, unit_count));
    int const expected          = expected_channels();
    count_in(channel, want);
    int const space = std::max(1, std::min(want, share(free, expected_channels() > expected)));
    int length      = 0;
    int const first = free_run(space, length);
    m_next_unit     = first + length;
    for (int u = 0; u < length; ++u) m_taken.set(first + u);
    char* const memory = m_units + first * m_unit;
    channel.take(first, length, memory, std::min<std::size_t>(length * m_unit, m_end - memory), state);
    return &channel;
  }

  /// The first run of free units that is long enough, or the longest one. The search continues where the last one
  /// ended, because caches of cores still contain a slab shortly after a copy, which makes it slow for the device.
  int free_run(int wanted, int& length) const {
    int best = 0;
    length   = 0;
    for (int i = 0; i < unit_count && length < wanted; ++i) {
      int const begin = (m_next_unit + i) % unit_count;
      int n           = 0;
      while (n < wanted && begin + n < unit_count && !m_taken[begin + n]) ++n;
      if (n > length) best = begin, length = n;
    }
    return best;
  }

  StagingPool& m_pool;
  StagingMemory<Runtime> m_block;
  char* m_units               = nullptr;
  char* m_end                 = nullptr;  // end of the units
  std::size_t m_unit          = 0;        // bytes
  std::uint32_t* m_next_words = nullptr;
  std::bitset<unit_count> m_taken;
  std::bitset<unit_count> m_wants_more;  // channels that want more than the share of each of many streams
  int m_next_unit = 0;
  // The maximum number of concurrent channels that wanted more than the minimum share: in the current period of such
  // channels, and in the previous one.
  int m_at_once = 0, m_at_once_before = 0;
  std::array<StagingCopyChannel, unit_count> m_channels;
};

}  // namespace Kokkos::Impl

#endif
