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

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

namespace Kokkos::Impl {

inline constexpr int random_lane_count = 8;

/// Seeding the lanes costs more than it saves for fewer elements.
inline constexpr int fewest_from_random_lanes = 256;

// Compilers of GPU code get one engine for each lane: not all of them accept vector types.
#if (defined(__GNUC__) || defined(__clang__)) && !defined(__CUDACC__) && !defined(__HIPCC__)
typedef std::uint64_t RandomLaneWord __attribute__((vector_size(random_lane_count * sizeof(std::uint64_t))));

template <class Engine>
class RandomLanes {
 public:
  explicit RandomLanes(std::uint64_t seed) : m_streams(States(seed).words) {}

  /// Writes random_lane_count * rounds words.
  void fill(std::uint64_t* to, int rounds) {
    // A short state stays in registers when it is copied. A long one is updated where it is.
    constexpr bool is_short                                 = sizeof(m_streams) <= 4 * sizeof(RandomLaneWord);
    std::conditional_t<is_short, Streams, Streams&> streams = m_streams;
    for (int round = 0; round < rounds; ++round) {
      RandomLaneWord numbers;
      streams.next(numbers);
      std::memcpy(to + round * random_lane_count, &numbers, sizeof(numbers));
    }
    if constexpr (is_short) m_streams = streams;
  }

 private:
  using Streams = typename Engine::template Recurrence<RandomLaneWord>;

  struct States {
    RandomLaneWord words[Engine::word_count];

    explicit States(std::uint64_t seed) {
      std::uint64_t state[Engine::word_count];
      for (int lane = 0; lane < random_lane_count; ++lane) {
        Engine::seed({state, 1}, seed, static_cast<std::uint64_t>(lane));
        for (int w = 0; w < Engine::word_count; ++w) words[w][lane] = state[w];
      }
    }
  };

  Streams m_streams;
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

/// The same number as random_unit<T>(word), by conversions from 32-bit integers, for which every target has vector
/// instructions. The sum of both halves of a double is exact.
template <class T>
T random_unit_in_lane(std::uint64_t word) {
#ifndef __AVX512DQ__
  if constexpr (std::is_same_v<T, double>)
    return static_cast<double>(static_cast<std::int32_t>(word >> 38)) * 0x1p-26 +
           static_cast<double>(static_cast<std::int32_t>(word >> 11 & 0x7ffffff)) * 0x1p-53;
  else
    return static_cast<float>(static_cast<std::int32_t>(word >> 40)) * 0x1p-24f;
#else
  return random_unit<T>(word);
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
    for (std::size_t i = first; i < last; i += buffer_size) {
      std::uint64_t const* const words = engine.next_buffer();
      std::size_t const n              = last - i < buffer_size ? last - i : buffer_size;
      for (std::size_t j = 0; j < n; ++j)
        elements[i + j] = random_real(begin, end, distance, random_unit_in_lane<T>(words[j]));
    }
  } else {
    using Generator = RandomNumbers<LanesEngine<Engine>>;
    Generator generator(engine, -1);
    for (std::size_t i = first; i < last; ++i) elements[i] = Kokkos::rand<Generator, T>::draw(generator, begin, end);
  }
}

}  // namespace Kokkos::Impl

#endif
