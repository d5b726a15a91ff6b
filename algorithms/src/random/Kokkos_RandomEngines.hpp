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

KOKKOS_INLINE_FUNCTION constexpr std::uint64_t rotate_left(std::uint64_t x, int bits) {
  return (x << bits) | (x >> (64 - bits));
}

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
  static constexpr int word_count = 1;

  KOKKOS_FUNCTION explicit XorShift64Engine(std::uint64_t word) : m_word(word == 0 ? replaces_zero : word) {}
  KOKKOS_FUNCTION explicit XorShift64Engine(StateWords from) : m_word(from[0]) {}

  KOKKOS_FUNCTION static XorShift64Engine make(std::uint64_t seed, std::uint64_t stream) {
    return XorShift64Engine(SeedSequence(seed, stream, word_count).next());
  }
  KOKKOS_FUNCTION static void seed(StateWords to, std::uint64_t seed, std::uint64_t stream) {
    make(seed, stream).store(to);
  }
  KOKKOS_FUNCTION void store(StateWords to) const { to[0] = m_word; }

  KOKKOS_FUNCTION std::uint64_t next() {
    m_word ^= m_word >> 12;
    m_word ^= m_word << 25;
    m_word ^= m_word >> 27;
    return m_word * 0x2545f4914f6cdd1dULL;
  }

 private:
  static constexpr std::uint64_t replaces_zero = 0x853c49e6748fea9bULL;

  std::uint64_t m_word;
};

/// xorshift1024* (Vigna 2014): sixteen words and the position of the current one, period 2^1024 - 1. Each number
/// changes one word, so the words stay in the pool's memory; only for a stream that no pool stores does the engine
/// contain them.
class XorShift1024Engine {
 public:
  static constexpr int word_count = 17;  // the last one is the position

  KOKKOS_FUNCTION explicit XorShift1024Engine(StateWords from)
      : m_stored(from), m_position(static_cast<int>(from[16])) {}

  KOKKOS_FUNCTION static XorShift1024Engine make(std::uint64_t seed, std::uint64_t stream) {
    XorShift1024Engine engine;
    fill({engine.m_own, 1}, seed, stream);
    return engine;
  }
  KOKKOS_FUNCTION static void seed(StateWords to, std::uint64_t seed, std::uint64_t stream) {
    fill(to, seed, stream);
    to[16] = 0;
  }
  KOKKOS_FUNCTION void store(StateWords to) const { to[16] = static_cast<std::uint64_t>(m_position); }

  KOKKOS_FUNCTION std::uint64_t next() {
    std::uint64_t const last = word(m_position);
    m_position               = (m_position + 1) & 15;
    std::uint64_t& current   = word(m_position);
    std::uint64_t mixed      = current ^ (current << 31);
    mixed                    = mixed ^ last ^ (mixed >> 11) ^ (last >> 30);
    current                  = mixed;
    return mixed * 0x106689d45497fdb5ULL;
  }

 private:
  KOKKOS_FUNCTION XorShift1024Engine() : m_stored{nullptr, 1}, m_position(0) {}

  // Sixteen different words: at most one of them is 0, and a state must not be all zeros.
  KOKKOS_FUNCTION static void fill(StateWords to, std::uint64_t seed, std::uint64_t stream) {
    SeedSequence words(seed, stream, 16);
    for (int w = 0; w < 16; ++w) to[w] = words.next();
  }

  KOKKOS_FUNCTION std::uint64_t& word(int w) { return m_stored.first == nullptr ? m_own[w] : m_stored[w]; }

  StateWords m_stored;
  int m_position;
  std::uint64_t m_own[16];
};

/// SFC64 (Doty-Humphrey): three mixed words, and a counter, which guarantees a period of at least 2^64. The initial
/// state of a stream contains its number, so two streams are never in the same state at the same count.
class SFC64Engine {
 public:
  static constexpr int word_count = 4;

  KOKKOS_FUNCTION explicit SFC64Engine(StateWords from) : m_a(from[0]), m_b(from[1]), m_c(from[2]), m_count(from[3]) {}

  KOKKOS_FUNCTION static SFC64Engine make(std::uint64_t seed, std::uint64_t stream) {
    SFC64Engine engine(SeedSequence(seed, 0, 1).next(), seed, stream);
    for (int round = 0; round < 18; ++round) engine.next();
    return engine;
  }
  KOKKOS_FUNCTION static void seed(StateWords to, std::uint64_t seed, std::uint64_t stream) {
    make(seed, stream).store(to);
  }
  KOKKOS_FUNCTION void store(StateWords to) const {
    to[0] = m_a;
    to[1] = m_b;
    to[2] = m_c;
    to[3] = m_count;
  }

  KOKKOS_FUNCTION std::uint64_t next() {
    std::uint64_t const number = m_a + m_b + m_count++;
    m_a                        = m_b ^ (m_b >> 11);
    m_b                        = m_c + (m_c << 3);
    m_c                        = rotate_left(m_c, 24) + number;
    return number;
  }

 private:
  KOKKOS_FUNCTION SFC64Engine(std::uint64_t a, std::uint64_t b, std::uint64_t c) : m_a(a), m_b(b), m_c(c), m_count(1) {}

  std::uint64_t m_a, m_b, m_c, m_count;
};

}  // namespace Kokkos::Impl

#endif
