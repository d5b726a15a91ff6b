// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_RANDOM_RANDOM_LANES_HPP
#define KOKKOS_RANDOM_RANDOM_LANES_HPP

/// \file
/// Eight streams of random words in the lanes of vectors, with which one host thread fills a block of memory.
///
/// The numbers are defined without vectors: word i of the block is number i / 8 of stream i % 8 of a seed. So they do
/// not depend on the width of the target's registers, nor on the compiler.

#include <random/Kokkos_RandomEngines.hpp>
#include <random/Kokkos_RandomNumbers.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

namespace Kokkos::Impl {

inline constexpr int random_lane_count = 8;

/// Seeding the lanes costs more than it saves for fewer elements.
inline constexpr int fewest_from_random_lanes = 256;

// nvcc accepts no operations on vectors in functions that device code could call: it gets one engine for each lane.
#ifndef __CUDACC__

/// As many lanes as a register of the target has. g++ passes the parts of a wider vector through memory.
#if defined(__AVX512F__)
inline constexpr int random_lanes_per_vector = 8;
#elif defined(__AVX2__)
inline constexpr int random_lanes_per_vector = 4;
#else
inline constexpr int random_lanes_per_vector = 2;
#endif
typedef std::uint64_t RandomLaneWord __attribute__((vector_size(random_lanes_per_vector * sizeof(std::uint64_t))));

template <class Engine>
class RandomLanes {
 public:
  explicit RandomLanes(std::uint64_t seed) : RandomLanes(States(seed), std::make_integer_sequence<int, vectors>()) {}

  /// Writes random_lane_count * rounds words.
  void fill(std::uint64_t* to, int rounds) {
    if constexpr (Engine::word_count <= 4) {
      // Copies of short states stay in registers.
      AllLanes lanes = m_lanes;
      for (int round = 0; round < rounds; ++round)
        for (int v = 0; v < vectors; ++v) {
          RandomLaneWord numbers;
          lanes.of[v].next(numbers);
          store(numbers, to, round, v);
        }
      m_lanes = lanes;
    } else {
      for (int v = 0; v < vectors; ++v)
        m_lanes.of[v].draw(rounds, [&](int round, RandomLaneWord const& numbers) { store(numbers, to, round, v); });
    }
  }

 private:
  using Streams = typename Engine::template Recurrence<RandomLaneWord>;

  static constexpr int vectors = random_lane_count / random_lanes_per_vector;

  struct AllLanes {
    Streams of[vectors];
  };

  static void store(RandomLaneWord const& numbers, std::uint64_t* to, int round, int v) {
    std::memcpy(to + round * random_lane_count + v * random_lanes_per_vector, &numbers, sizeof(numbers));
  }

  struct States {
    RandomLaneWord words[vectors][Engine::word_count];

    explicit States(std::uint64_t seed) {
      std::uint64_t state[Engine::word_count];
      for (int lane = 0; lane < random_lane_count; ++lane) {
        Engine::seed({state, 1}, seed, static_cast<std::uint64_t>(lane));
        for (int w = 0; w < Engine::word_count; ++w)
          words[lane / random_lanes_per_vector][w][lane % random_lanes_per_vector] = state[w];
      }
    }
  };

  template <int... V>
  RandomLanes(States const& states, std::integer_sequence<int, V...>) : m_lanes{{Streams(states.words[V])...}} {}

  AllLanes m_lanes;
};

#else

template <class Engine>
class RandomLanes {
 public:
  explicit RandomLanes(std::uint64_t seed) : RandomLanes(seed, std::make_integer_sequence<int, random_lane_count>()) {}

  void fill(std::uint64_t* to, int rounds) {
    for (int i = 0; i < rounds * random_lane_count; ++i) to[i] = m_engines[i % random_lane_count].next();
  }

 private:
  template <int... Lane>
  RandomLanes(std::uint64_t seed, std::integer_sequence<int, Lane...>)
      : m_engines{Engine::make(seed, static_cast<std::uint64_t>(Lane))...} {}

  Engine m_engines[random_lane_count];
};

#endif

/// An engine that reads its words from lanes, a buffer at a time.
template <class Engine>
class LanesEngine {
 public:
  static constexpr int buffer_size = fewest_from_random_lanes;

  explicit LanesEngine(std::uint64_t seed) : m_lanes(seed) {}

  std::uint64_t next() {
    if (m_position == buffer_size) refill();
    return m_buffer[m_position++];
  }

  /// The next buffer_size words, if the words of an earlier buffer are used up.
  std::uint64_t const* next_buffer() {
    refill();
    m_position = buffer_size;
    return m_buffer;
  }

 private:
  void refill() {
    m_lanes.fill(m_buffer, buffer_size / random_lane_count);
    m_position = 0;
  }

  RandomLanes<Engine> m_lanes;
  int m_position = buffer_size;
  alignas(64) std::uint64_t m_buffer[buffer_size];
};

/// The types whose numbers come from lanes. A program may specialise Kokkos::rand for the generator of a pool and a
/// type of its own; these types draw from that generator.
template <class T>
inline constexpr bool drawn_from_lanes = std::is_arithmetic_v<T>;
template <class T>
inline constexpr bool drawn_from_lanes<complex<T>> = true;

// Computes the argument before the sums that contain it, even if -ffast-math lets the compiler change the order. Not
// defined for clang with -ffast-math, whose loops would use no vectors, and for nvcc, which lacks the function of g++.
#if defined(__has_builtin) && !defined(__CUDACC__)
#if __has_builtin(__builtin_assoc_barrier)
#define KOKKOS_IMPL_COMPUTED_FIRST(value) __builtin_assoc_barrier(value)
#elif __has_builtin(__arithmetic_fence) && !defined(__FAST_MATH__)
#define KOKKOS_IMPL_COMPUTED_FIRST(value) __arithmetic_fence(value)
#endif
#endif

/// random_unit<double>(word) by instructions that every target has for vectors.
inline double random_double_in_lane(std::uint64_t word) {
#ifdef KOKKOS_IMPL_COMPUTED_FIRST
  // The word's upper 21 bits become the last bits of the double 0x1p31, the next 32 bits those of the double 0.5. The
  // difference and the sum are exact.
  double const upper = std::bit_cast<double>(std::bit_cast<std::uint64_t>(0x1p31) | word >> 43);
  double const lower = std::bit_cast<double>(std::bit_cast<std::uint64_t>(0.5) | (word >> 11 & 0xffffffff));
  return KOKKOS_IMPL_COMPUTED_FIRST(KOKKOS_IMPL_COMPUTED_FIRST(upper - (0x1p31 + 0.5)) + lower);
#else
  // The sum of both halves is exact in any order.
  return static_cast<double>(static_cast<std::int32_t>(word >> 38)) * 0x1p-26 +
         static_cast<double>(static_cast<std::int32_t>(word >> 11 & 0x7ffffff)) * 0x1p-53;
#endif
}

#undef KOKKOS_IMPL_COMPUTED_FIRST

/// The same number as random_unit<T>(word).
template <class T>
T random_unit_in_lane(std::uint64_t word) {
#ifdef __AVX512DQ__
  return random_unit<T>(word);
#else
  if constexpr (std::is_same_v<T, double>)
    return random_double_in_lane(word);
  else
    return static_cast<float>(static_cast<std::int32_t>(word >> 40)) * 0x1p-24f;
#endif
}

/// Sets elements first, ..., last - 1 to numbers in [begin, end).
template <class Engine, class T, class Elements>
void fill_from_lanes(std::uint64_t seed, Elements const& elements, std::size_t first, std::size_t last, T const& begin,
                     T const& end) {
  constexpr std::size_t buffer_size = LanesEngine<Engine>::buffer_size;
  LanesEngine<Engine> engine(seed);
  if constexpr (std::is_same_v<T, double> || std::is_same_v<T, float>) {
    // Every number takes one word, so no number depends on another, and the compiler can use vectors.
    T const distance = end - begin;
    // The sum grows with the unit, so if it is below `end` for the greatest unit, the loop need not compare.
    T const greatest_unit    = 1 - std::numeric_limits<T>::epsilon() / 2;
    bool const may_reach_end = !(begin + distance * greatest_unit < end);
    for (std::size_t i = first; i < last; i += buffer_size) {
      std::uint64_t const* const words = engine.next_buffer();
      std::size_t const n              = last - i < buffer_size ? last - i : buffer_size;
      if (may_reach_end)
        for (std::size_t j = 0; j < n; ++j)
          elements[i + j] = random_real(begin, end, distance, random_unit_in_lane<T>(words[j]));
      else
        for (std::size_t j = 0; j < n; ++j) elements[i + j] = begin + distance * random_unit_in_lane<T>(words[j]);
    }
  } else {
    using Generator = RandomNumbers<LanesEngine<Engine>>;
    Generator generator(engine, -1);
    for (std::size_t i = first; i < last; ++i) elements[i] = Kokkos::rand<Generator, T>::draw(generator, begin, end);
  }
}

}  // namespace Kokkos::Impl

#endif
