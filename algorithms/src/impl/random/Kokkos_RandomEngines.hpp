// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_RANDOM_RANDOM_ENGINES_HPP
#define KOKKOS_RANDOM_RANDOM_ENGINES_HPP

/// \file
/// The recurrences that produce 64 random bits at a time, and the seeding of their states.
///
/// An engine has `word_count` words of state, and
///
///     static void seed(StateWords to, std::uint64_t seed, std::uint64_t stream);  // the first state of a stream
///     explicit Engine(StateWords from);                                           // continues from a stored state
///     void store(StateWords to) const;                                            // the state after the last number
///     static Engine make(std::uint64_t seed, std::uint64_t stream);               // a stream that no pool stores
///     std::uint64_t next();
///
///     template <class Word> struct Recurrence;  // the state of one stream, or of several in the lanes of a vector
///
/// A Recurrence is constructed from a pointer to its words. One of at most four words has `void next(Word& number)`,
/// which returns by reference, because a vector that is wider than the target's registers has no stable calling
/// convention. A longer one has `draw(streams, count, take)`, which advances several of them together.

#include <Kokkos_Macros.hpp>

#include <cstddef>
#include <cstdint>

namespace Kokkos::Impl {

/// The words of one state in memory. A pool chooses their distance to suit its memory.
struct StateWords {
  std::uint64_t* first;
  std::size_t stride;

  KOKKOS_FUNCTION std::uint64_t& operator[](int word) const { return first[static_cast<std::size_t>(word) * stride]; }
};

/// SplitMix64 (Steele, Lea, Flood 2014): a counter and a bijective mixing function, so its outputs differ from each
/// other for 2^64 calls. Each stream takes its words from a different position in this sequence.
class SeedSequence {
 public:
  KOKKOS_FUNCTION SeedSequence(std::uint64_t seed, std::uint64_t stream, int words_per_stream)
      : m_counter(mix(seed) + golden * (stream * static_cast<std::uint64_t>(words_per_stream))) {}

  KOKKOS_FUNCTION std::uint64_t next() { return mix(m_counter += golden); }

 private:
  static constexpr std::uint64_t golden = 0x9e3779b97f4a7c15ULL;

  KOKKOS_FUNCTION static constexpr std::uint64_t mix(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
  }

  std::uint64_t m_counter;
};

/// xorshift64* (Vigna 2014): one word that is never 0, period 2^64 - 1.
class XorShift64Engine {
 public:
  static constexpr int word_count     = 1;
  static constexpr bool is_never_zero = true;  // see RandomPool

  template <class Word>
  struct Recurrence {
    Word state[1];

    KOKKOS_FORCEINLINE_FUNCTION explicit Recurrence(Word const* words) : state{words[0]} {}
    KOKKOS_FORCEINLINE_FUNCTION explicit Recurrence(Word word) : state{word} {}

    KOKKOS_FORCEINLINE_FUNCTION void next(Word& number) {
      state[0] ^= state[0] >> 12;
      state[0] ^= state[0] << 25;
      state[0] ^= state[0] >> 27;
      number = state[0] * std::uint64_t(0x2545f4914f6cdd1d);
    }
  };

  KOKKOS_FUNCTION explicit XorShift64Engine(std::uint64_t word) : m_stream(word == 0 ? replaces_zero : word) {}
  KOKKOS_FUNCTION explicit XorShift64Engine(StateWords from) : m_stream(from[0]) {}

  KOKKOS_FUNCTION static XorShift64Engine make(std::uint64_t seed, std::uint64_t stream) {
    return XorShift64Engine(SeedSequence(seed, stream, word_count).next());
  }
  KOKKOS_FUNCTION static void seed(StateWords to, std::uint64_t seed, std::uint64_t stream) {
    make(seed, stream).store(to);
  }
  KOKKOS_FUNCTION void store(StateWords to) const { to[0] = m_stream.state[0]; }

  KOKKOS_FUNCTION std::uint64_t next() {
    std::uint64_t number;
    m_stream.next(number);
    return number;
  }

 private:
  static constexpr std::uint64_t replaces_zero = 0x853c49e6748fea9bULL;

  Recurrence<std::uint64_t> m_stream;
};

/// xorshift1024* (Vigna 2014): sixteen words, of which each number replaces the oldest; period 2^1024 - 1.
struct XorShift1024 {
  template <class Word>
  struct Recurrence {
    Word state[16];
    Word last;  // state[position], which is faster from a register
    int position = 0;

    KOKKOS_FORCEINLINE_FUNCTION explicit Recurrence(Word const* words) : last(words[0]) {
      for (int w = 0; w < 16; ++w) state[w] = words[w];
    }

    /// Calls take(i, v, number) for the next `count` numbers of all `streams`, which are at the same position. The
    /// variables that change are local: so they stay in registers, whatever `take` writes to.
    template <std::size_t N, class Take>
    KOKKOS_FORCEINLINE_FUNCTION static void draw(Recurrence (&streams)[N], int count, Take const& take) {
      Word newest[N];
      int p = streams[0].position;
      for (std::size_t v = 0; v < N; ++v) newest[v] = streams[v].last;
      for (int i = 0; i < count; ++i) {
        p = (p + 1) & 15;
        for (std::size_t v = 0; v < N; ++v) {
          Word number, current = streams[v].state[p];
          step(newest[v], current, number);
          streams[v].state[p] = newest[v] = current;
          take(i, static_cast<int>(v), number);
        }
      }
      for (std::size_t v = 0; v < N; ++v) {
        streams[v].last     = newest[v];
        streams[v].position = p;
      }
    }
  };

 protected:
  /// `last` is the newest word. Replaces `current`, the oldest one.
  template <class Word>
  KOKKOS_FORCEINLINE_FUNCTION static void step(Word const& last, Word& current, Word& number) {
    Word const mixed = current ^ (current << 31);
    current          = mixed ^ last ^ (mixed >> 11) ^ (last >> 30);
    number           = current * std::uint64_t(0x106689d45497fdb5);
  }

  // Sixteen different words: at most one of them is 0, and a state must not be all zeros. The first of them is the
  // newest one, the second one the oldest.
  KOKKOS_FUNCTION static void fill(StateWords to, std::uint64_t seed, std::uint64_t stream, int newest) {
    SeedSequence words(seed, stream, 16);
    for (int w = 0; w < 16; ++w) to[(newest + w) & 15] = words.next();
  }
};

/// On a host, the words stay in the pool's memory with the position of the newest one, and the engine contains them
/// only for a stream that no pool stores.
class XorShift1024HostEngine : public XorShift1024 {
 public:
  static constexpr int word_count = 17;  // the last one is the position

  KOKKOS_FUNCTION explicit XorShift1024HostEngine(StateWords from)
      : m_stored(from.first), m_position(static_cast<int>(from[16])), m_last(from[m_position]) {}

  KOKKOS_FUNCTION static XorShift1024HostEngine make(std::uint64_t seed, std::uint64_t stream) {
    XorShift1024HostEngine engine;
    fill({engine.m_own, 1}, seed, stream, 0);
    engine.m_last = engine.m_own[0];
    return engine;
  }
  KOKKOS_FUNCTION static void seed(StateWords to, std::uint64_t seed, std::uint64_t stream) {
    fill(to, seed, stream, 0);
    to[16] = 0;
  }
  KOKKOS_FUNCTION void store(StateWords to) const { to[16] = static_cast<std::uint64_t>(m_position); }

  KOKKOS_FUNCTION std::uint64_t next() {
    m_position = (m_position + 1) & 15;
    std::uint64_t number, current = word(m_position);
    step(m_last, current, number);
    word(m_position) = m_last = current;
    return number;
  }

 private:
  KOKKOS_FUNCTION XorShift1024HostEngine() : m_stored(nullptr), m_position(0), m_last(0) {}

  KOKKOS_FUNCTION std::uint64_t& word(int w) { return m_stored == nullptr ? m_own[w] : m_stored[w]; }

  std::uint64_t* m_stored;  // the words in the pool, which are neighbours on a host
  int m_position;
  std::uint64_t m_last;  // the word at the position
  std::uint64_t m_own[16];
};

/// On a device, the engine contains the words as a queue with the oldest one first, and each number moves the queue by
/// one. All indices are constants, so the words are in registers, and in an unrolled loop the moves disappear. An array
/// that is indexed by a position would be in the thread's own memory, and the arrays of all threads exceed the L1
/// cache.
class XorShift1024DeviceEngine : public XorShift1024 {
 public:
  static constexpr int word_count      = 16;
  static constexpr int draws_per_round = 16;

  KOKKOS_FORCEINLINE_FUNCTION explicit XorShift1024DeviceEngine(StateWords from) {
    for (int w = 0; w < 16; ++w) m_queue[w] = from[w];
  }

  KOKKOS_FUNCTION static XorShift1024DeviceEngine make(std::uint64_t seed, std::uint64_t stream) {
    std::uint64_t words[16];
    XorShift1024DeviceEngine::seed({words, 1}, seed, stream);
    return XorShift1024DeviceEngine(StateWords{words, 1});
  }
  KOKKOS_FUNCTION static void seed(StateWords to, std::uint64_t seed, std::uint64_t stream) {
    fill(to, seed, stream, 15);
  }
  KOKKOS_FORCEINLINE_FUNCTION void store(StateWords to) const {
    for (int w = 0; w < 16; ++w) to[w] = m_queue[w];
  }

  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t next() {
    std::uint64_t number, current = m_queue[0];
    step(m_queue[15], current, number);
    for (int w = 0; w < 15; ++w) m_queue[w] = m_queue[w + 1];
    m_queue[15] = current;
    return number;
  }

 private:
  std::uint64_t m_queue[16];
};

/// SFC64 (Doty-Humphrey): three mixed words, and a counter, which guarantees a period of at least 2^64. The initial
/// state of a stream contains its number, so two streams are never in the same state at the same count.
class SFC64Engine {
 public:
  static constexpr int word_count = 4;

  template <class Word>
  struct Recurrence {
    Word state[4];

    KOKKOS_FORCEINLINE_FUNCTION explicit Recurrence(Word const* words)
        : state{words[0], words[1], words[2], words[3]} {}
    KOKKOS_FORCEINLINE_FUNCTION Recurrence(Word a, Word b, Word c, Word count) : state{a, b, c, count} {}

    KOKKOS_FORCEINLINE_FUNCTION void next(Word& number) {
      number   = state[0] + state[1] + state[3];
      state[3] = state[3] + std::uint64_t(1);
      state[0] = state[1] ^ (state[1] >> 11);
      state[1] = state[2] + (state[2] << 3);
      state[2] = ((state[2] << 24) | (state[2] >> 40)) + number;
    }
  };

  KOKKOS_FUNCTION explicit SFC64Engine(StateWords from) : m_stream(from[0], from[1], from[2], from[3]) {}

  KOKKOS_FUNCTION static SFC64Engine make(std::uint64_t seed, std::uint64_t stream) {
    SFC64Engine engine(SeedSequence(seed, 0, 1).next(), seed, stream);
    for (int round = 0; round < 18; ++round) engine.next();
    return engine;
  }
  KOKKOS_FUNCTION static void seed(StateWords to, std::uint64_t seed, std::uint64_t stream) {
    make(seed, stream).store(to);
  }
  KOKKOS_FUNCTION void store(StateWords to) const {
    for (int w = 0; w < 4; ++w) to[w] = m_stream.state[w];
  }

  KOKKOS_FUNCTION std::uint64_t next() {
    std::uint64_t number;
    m_stream.next(number);
    return number;
  }

  /// Whether both continue with the same numbers.
  KOKKOS_FUNCTION friend bool operator==(SFC64Engine const& a, SFC64Engine const& b) {
    bool equal = true;
    for (int w = 0; w < 4; ++w) equal = equal && a.m_stream.state[w] == b.m_stream.state[w];
    return equal;
  }

 private:
  KOKKOS_FUNCTION SFC64Engine(std::uint64_t a, std::uint64_t b, std::uint64_t c) : m_stream(a, b, c, 1) {}

  Recurrence<std::uint64_t> m_stream;
};

}  // namespace Kokkos::Impl

#endif
