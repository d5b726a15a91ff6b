// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_RANDOM_RANDOM_LANES_HPP
#define KOKKOS_RANDOM_RANDOM_LANES_HPP

/// \file
/// Eight streams of random words in the lanes of vectors, with which one host thread fills a block of memory.
///
/// The numbers are defined without vectors: word i of the block is number i / 8 of stream i % 8 of a seed. So they do
/// not depend on the width of the target's registers, nor on the compiler.

#include <impl/Host/Kokkos_Host_StreamingStores.hpp>
#include <impl/random/Kokkos_RandomEngines.hpp>
#include <impl/random/Kokkos_RandomNumbers.hpp>

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

/// Numbers between the one that is written and the one whose cache line is requested for writing.
inline constexpr int random_prefetch_distance = 256;

/// As many lanes as a register of the target has. g++ passes the parts of a wider vector through memory.
#if defined(__CUDACC__)
// nvcc accepts no operations on vectors in functions that device code could call.
inline constexpr int random_lanes_per_vector = 1;
#elif defined(__AVX512F__)
inline constexpr int random_lanes_per_vector = 8;
#elif defined(__AVX2__)
inline constexpr int random_lanes_per_vector = 4;
#else
inline constexpr int random_lanes_per_vector = 2;
#endif

/// A T for each lane of a register.
template <class T, int Lanes = random_lanes_per_vector>
struct RandomLanesOf {
  typedef T type __attribute__((vector_size(Lanes * sizeof(T))));
};
template <class T>
struct RandomLanesOf<T, 1> {
  using type = T;
};
using RandomLaneWords = typename RandomLanesOf<std::uint64_t>::type;

template <class Engine>
class RandomLanes {
 public:
  explicit RandomLanes(std::uint64_t seed) : RandomLanes(States(seed), std::make_integer_sequence<int, vectors>()) {}

  /// Calls take(first, words) for random_lane_count * rounds words; `first` is the position of the first of `words`.
  template <class Take>
  KOKKOS_IMPL_FORCEINLINE void draw(int rounds, Take const& take) {
    if constexpr (Engine::word_count <= 4) {
      // Copies of short states stay in registers.
      AllLanes lanes = m_lanes;
      for (int round = 0; round < rounds; ++round)
        for (int v = 0; v < vectors; ++v) {
          RandomLaneWords words;
          lanes.of[v].next(words);
          take(position(round, v), words);
        }
      m_lanes = lanes;
    } else {
      Streams::draw(m_lanes.of, rounds,
                    [&](int round, int v, RandomLaneWords const& words) { take(position(round, v), words); });
    }
  }

  /// Writes random_lane_count * rounds words.
  void fill(std::uint64_t* to, int rounds) {
    draw(rounds, [to](int first, RandomLaneWords const& words) { std::memcpy(to + first, &words, sizeof(words)); });
  }

 private:
  using Streams = typename Engine::template Recurrence<RandomLaneWords>;

  static constexpr int vectors = random_lane_count / random_lanes_per_vector;

  struct AllLanes {
    Streams of[vectors];
  };

  static constexpr int position(int round, int v) { return round * random_lane_count + v * random_lanes_per_vector; }

  struct States {
    std::uint64_t words[vectors][Engine::word_count][random_lanes_per_vector];

    explicit States(std::uint64_t seed) {
      std::uint64_t state[Engine::word_count];
      for (int lane = 0; lane < random_lane_count; ++lane) {
        Engine::seed({state, 1}, seed, static_cast<std::uint64_t>(lane));
        for (int w = 0; w < Engine::word_count; ++w)
          words[lane / random_lanes_per_vector][w][lane % random_lanes_per_vector] = state[w];
      }
    }
    Streams streams(int v) const {
      RandomLaneWords of_vector[Engine::word_count];
      std::memcpy(of_vector, words[v], sizeof(of_vector));
      return Streams(of_vector);
    }
  };

  template <int... V>
  RandomLanes(States const& states, std::integer_sequence<int, V...>) : m_lanes{{states.streams(V)...}} {}

  AllLanes m_lanes;
};

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

// Computes the argument before the sums that contain it, even if -ffast-math lets the compiler change the order. GPUs
// have no such function, and use no lanes.
#if defined(__has_builtin) && !KOKKOS_IMPL_DEVICE_PASS
#if __has_builtin(__builtin_assoc_barrier)
#define KOKKOS_IMPL_COMPUTED_FIRST(value) __builtin_assoc_barrier(value)
#elif __has_builtin(__arithmetic_fence)
#define KOKKOS_IMPL_COMPUTED_FIRST(value) __arithmetic_fence(value)
#endif
#endif

/// random_unit<T> of each word.
template <class T>
KOKKOS_IMPL_FORCEINLINE void random_units(RandomLaneWords const& words, typename RandomLanesOf<T>::type& units) {
#if defined(__CUDACC__)
  units = random_unit<T>(words);
#elif defined(__AVX512DQ__)
  if constexpr (std::is_same_v<T, float>)
    units = __builtin_convertvector(words >> 40, typename RandomLanesOf<float>::type) * 0x1p-24f;
  else
    units = __builtin_convertvector(words >> 11, typename RandomLanesOf<double>::type) * 0x1p-53;
#elif defined(KOKKOS_IMPL_COMPUTED_FIRST)
  // Other targets convert no vectors of 64-bit integers, but bits of a word can become the last bits of a double.
  using Doubles = typename RandomLanesOf<double>::type;
  if constexpr (std::is_same_v<T, float>) {
    Doubles const upper  = std::bit_cast<Doubles>(words >> 40 | std::bit_cast<std::uint64_t>(0x1p52));
    Doubles const number = KOKKOS_IMPL_COMPUTED_FIRST(upper - 0x1p52);
    units                = __builtin_convertvector(number, typename RandomLanesOf<float>::type) * 0x1p-24f;
  } else {
    // The upper 21 bits are those of 0x1p31, the next 32 bits those of 0.5. The difference and the sum are exact.
    Doubles const upper = std::bit_cast<Doubles>(words >> 43 | std::bit_cast<std::uint64_t>(0x1p31));
    Doubles const lower = std::bit_cast<Doubles>((words >> 11 & 0xffffffff) | std::bit_cast<std::uint64_t>(0.5));
    units               = KOKKOS_IMPL_COMPUTED_FIRST(KOKKOS_IMPL_COMPUTED_FIRST(upper - (0x1p31 + 0.5)) + lower);
  }
#else
  for (int lane = 0; lane < random_lanes_per_vector; ++lane) units[lane] = random_unit<T>(words[lane]);
#endif
}

#undef KOKKOS_IMPL_COMPUTED_FIRST

/// Writes numbers by ordinary stores, and requests the memory that follows, where the caller will write its next ones.
struct WriteOrdinarily {
  template <class T, class Numbers>
  KOKKOS_IMPL_FORCEINLINE void operator()(T* to, int first, Numbers const& numbers) const {
    // A core computes for a while between its requests to memory: these must come early, or memory waits for it.
    if (first % random_lane_count == 0) __builtin_prefetch(to + first + random_prefetch_distance, 1);
    std::memcpy(to + first, &numbers, sizeof(numbers));
  }
};

/// Writes numbers past the caches, each vector to a multiple of its size.
struct WritePastCaches {
  HostStreamingStores& stores;
  template <class T, class Numbers>
  KOKKOS_IMPL_FORCEINLINE void operator()(T* to, int first, Numbers const& numbers) const {
    stores.store(to + first, numbers);
  }
};

/// Writes random_real(begin, end, end - begin, unit) for the units of random_lane_count * rounds words.
template <class T, class Engine, class Write>
void draw_reals(RandomLanes<Engine>& lanes, int rounds, T* to, T begin, T end, Write write) {
  using Reals      = typename RandomLanesOf<T>::type;
  T const distance = end - begin;
  // The sum grows with the unit, so if it is below `end` for the greatest unit, the loop need not compare. The compiler may
  // fuse product and sum in the loop, or not.
  T const greatest_unit = 1 - std::numeric_limits<T>::epsilon() / 2;
  if (begin + distance * greatest_unit < end && Kokkos::fma(distance, greatest_unit, begin) < end)
    lanes.draw(rounds, [=](int first, RandomLaneWords const& words) {
      Reals units;
      Impl::random_units<T>(words, units);
      Reals const numbers = begin + distance * units;
      write(to, first, numbers);
    });
  else
    lanes.draw(rounds, [=](int first, RandomLaneWords const& words) {
      Reals units;
      Impl::random_units<T>(words, units);
      T numbers[random_lanes_per_vector];
      std::memcpy(numbers, &units, sizeof(units));
      for (T& number : numbers) number = Impl::random_real(begin, end, distance, number);
      std::memcpy(&units, numbers, sizeof(units));
      write(to, first, units);
    });
}

/// Sets elements first, ..., last - 1 to numbers in [begin, end). Contiguous elements are given by a pointer.
/// `streamed`: past the caches, where the elements and the target allow it.
template <class Engine, class T, class Elements>
void fill_from_lanes(std::uint64_t seed, Elements const& elements, std::size_t first, std::size_t last, T const& begin,
                     T const& end, [[maybe_unused]] bool streamed) {
  if constexpr (std::is_same_v<T, double> || std::is_same_v<T, float>) {
    // Every number takes one word, so no number depends on another.
    constexpr std::size_t block = LanesEngine<Engine>::buffer_size;
    RandomLanes<Engine> lanes(seed);
    auto const draw = [&](T* to, std::size_t n, auto write) {
      Impl::draw_reals(lanes, static_cast<int>((n + random_lane_count - 1) / random_lane_count), to, begin, end, write);
    };
    if constexpr (std::is_same_v<Elements, T*>) {
      using Reals = typename RandomLanesOf<T>::type;
      if constexpr (HostStreamingStores::can_store<Reals>) {
        if (streamed && reinterpret_cast<std::uintptr_t>(elements + first) % sizeof(Reals) == 0) {
          HostStreamingStores stores;
          for (; last - first >= block; first += block) draw(elements + first, block, WritePastCaches{stores});
        }
      }
      for (; last - first >= block; first += block) draw(elements + first, block, WriteOrdinarily());
    }
    T buffer[block];
    for (std::size_t n; first < last; first += n) {
      n = last - first < block ? last - first : block;
      draw(buffer, n, WriteOrdinarily());
      for (std::size_t i = 0; i < n; ++i) elements[first + i] = buffer[i];
    }
  } else {
    using Generator = RandomNumbers<LanesEngine<Engine>>;
    Generator generator(LanesEngine<Engine>(seed), -1);
    for (std::size_t i = first; i < last; ++i) elements[i] = Kokkos::rand<Generator, T>::draw(generator, begin, end);
  }
}

}  // namespace Kokkos::Impl

#endif
