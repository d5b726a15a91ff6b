// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_HOST_ITERATIONS_HPP
#define KOKKOS_HOST_ITERATIONS_HPP

/// \file
/// The iterations of range policies as numbered units of work for thread teams: single indices, or whole tiles.
///
/// The loops here are simple counted loops, so that the compiler can vectorise them. They do not declare iterations
/// independent (`ivdep`): kernels on the host may update one location from several iterations without atomics, if these
/// iterations run on the same thread. ScatterView does so, in each thread's copy.

#include <Kokkos_Concepts.hpp>
#include <impl/pattern/Kokkos_Body.hpp>
#include <impl/policy/Kokkos_Rank.hpp>
#include <impl/Host/Kokkos_Host_LoopIndex.hpp>
#include <impl/Host/Kokkos_Host_Partition.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace Kokkos::Impl {

template <class Policy>
concept HostTeamPolicyLike = requires(Policy const& policy) { policy.league_size(); };
template <class Policy>
concept HostMDRangePolicyLike = requires(Policy const& policy) { policy.m_num_tiles; };

template <class Policy>
inline constexpr bool host_is_dynamic = std::is_same_v<typename Policy::schedule_type::type, Dynamic>;

/// For TeamPolicy, which does not consist of such units: run(policy, body), and run(policy, reduction, target).
template <class ExecSpace>
struct HostTeamFor;
template <class ExecSpace>
struct HostTeamReduce;

/// Units are the indices of a RangePolicy.
template <class Policy>
class HostIterations {
 public:
  using index_type              = typename Policy::index_type;
  static constexpr int rank     = 1;
  static constexpr bool dynamic = host_is_dynamic<Policy>;

  explicit HostIterations(Policy const& policy)
      : m_begin(policy.begin()),
        m_count(policy.end() > policy.begin()
                    ? static_cast<std::uint64_t>(policy.end()) - static_cast<std::uint64_t>(policy.begin())
                    : 0),
        m_chunk(dynamic ? static_cast<std::int64_t>(policy.chunk_size()) : 1) {}

  std::uint64_t count() const noexcept { return m_count; }
  std::uint64_t chunk(int threads) const noexcept {
    return m_chunk > 0 ? static_cast<std::uint64_t>(m_chunk) : host_default_chunk(m_count, threads);
  }
  template <class Loop>
  void require_countable() const noexcept {}
  /// The indices of the part.
  Stretch stretch(HostPart part) const noexcept {
    return {static_cast<std::int64_t>(at(part.begin)), static_cast<std::int64_t>(at(part.end))};
  }
  /// Divides the part into `Lanes` stretches of neighbouring indices, and calls body(i, lane) for the next index of each
  /// of them in turn, with a constant `lane`. The last stretch may be longer, and includes all of a short part.
  template <class Loop, int Lanes, class Body>
  KOKKOS_IMPL_FORCEINLINE void run_lanes(HostPart part, Body const& body) const {
    std::uint64_t const length = is_counted_by<Loop>(part) ? (part.end - part.begin) / Lanes : 0;
    Loop const first           = static_cast<Loop>(at(part.begin));
    Loop const stretch         = static_cast<Loop>(length);
    for (Loop done = 0; done < stretch; ++done)
      for (int lane = 0; lane < Lanes; ++lane)
        body(static_cast<Loop>(first + static_cast<Loop>(lane) * stretch + done), lane);
    run<Loop>(HostPart{part.begin + Lanes * length, part.end}, [&body](Loop i) { body(i, Lanes - 1); });
  }
  /// Calls body(i, lane) for the indices of the part in ascending order, with the lanes 0 to Lanes - 1 in turn.
  template <class Loop, int Lanes, class Body>
  KOKKOS_IMPL_FORCEINLINE void run_neighbours(HostPart part, Body const& body) const {
    std::uint64_t const length = is_counted_by<Loop>(part) ? (part.end - part.begin) / Lanes * Lanes : 0;
    Loop const first           = static_cast<Loop>(at(part.begin));
    Loop const end             = static_cast<Loop>(first + static_cast<Loop>(length));
    for (Loop i = first; i < end; i += Lanes)
      for (int lane = 0; lane < Lanes; ++lane) body(static_cast<Loop>(i + static_cast<Loop>(lane)), lane);
    run<Loop>(HostPart{part.begin + length, part.end}, [&body](Loop i) { body(i, Lanes - 1); });
  }
  /// Calls body(i) for the indices of the part, in ascending order; counts with type Loop and passes it.
  template <class Loop, class Body>
  KOKKOS_IMPL_FORCEINLINE void run(HostPart part, Body const& body) const {
    if constexpr (sizeof(Loop) == sizeof(index_type)) {
      index_type const end = at(part.end);
      for (index_type i = at(part.begin); i < end; ++i) body(i);
    } else {
      // One iteration, unless the indices exceed the range of Loop: then one for each stretch in which Loop does not
      // wrap around.
      while (!part.empty()) {
        Loop const first = static_cast<Loop>(at(part.begin));
        std::uint64_t const room =
            static_cast<std::uint64_t>(std::numeric_limits<Loop>::max()) - static_cast<std::uint64_t>(first);
        std::uint64_t const steps = part.end - part.begin - 1 < room ? part.end - part.begin - 1 : room;
        Loop const last           = static_cast<Loop>(first + static_cast<Loop>(steps));
        for (Loop i = first;; ++i) {
          body(i);
          if (i == last) break;
        }
        part.begin += steps + 1;
      }
    }
  }

 private:
  /// Whether Loop represents all indices of the part, and their number, without wrapping around.
  template <class Loop>
  bool is_counted_by(HostPart part) const noexcept {
    if (part.empty()) return false;
    std::uint64_t const room = static_cast<std::uint64_t>(std::numeric_limits<Loop>::max()) -
                               static_cast<std::uint64_t>(static_cast<Loop>(at(part.begin)));
    return part.end - part.begin <= room &&
           part.end - part.begin <= static_cast<std::uint64_t>(std::numeric_limits<Loop>::max());
  }
  /// Unsigned, since a range from a negative to a positive number may be longer than the maximum of its type.
  index_type at(std::uint64_t number) const noexcept {
    return static_cast<index_type>(static_cast<std::uint64_t>(m_begin) + number);
  }

  index_type m_begin;
  std::uint64_t m_count;
  std::int64_t m_chunk;
};

/// 1, as a value that g++ does not know.
///
/// Where g++ knows the distance between the elements of neighbouring iterations, it vectorises loops over elements far
/// apart too: for a View<float*[16]> it reads whole cache lines and permutes their elements by hundreds of
/// instructions, which takes three to five times as long as the loop that it replaces. If the index grows by an unknown
/// step, g++ makes two loops: a vectorised one for steps of 1 between neighbouring elements, and one for all other
/// cases. The choice between them costs rows of a few elements up to twice their time.
template <class Counter>
KOKKOS_IMPL_FORCEINLINE Counter hidden_one() {
  Counter one = 1;
#if defined(__GNUC__) && !defined(__clang__)
  __asm__("" : "+r"(one));
#endif
  return one;
}

/// The index ranges of one tile, and the loops over it. With Left the first index is the fastest, otherwise the last.
/// Counts with type Counter and calls the body with type Index. A range has at most INT_MAX indices.
template <int Rank, bool Left, class Counter, class Index>
struct HostTile {
  Counter begin[static_cast<std::size_t>(Rank)];
  Counter end[static_cast<std::size_t>(Rank)];

  template <class Body, class... Outer>
  KOKKOS_IMPL_FORCEINLINE void run(Body const& body, Outer... outer) const {
    constexpr int done = static_cast<int>(sizeof...(Outer));
    constexpr int d    = Left ? Rank - 1 - done : done;
    if constexpr (done == Rank - 1) {
      run_fastest(body, begin[d], end[d] - begin[d], Impl::hidden_one<Counter>(), outer...);
    } else {
      Counter const last = end[d];
      for (Counter i = begin[d]; i < last; ++i) {
        if constexpr (Left) {
          run(body, i, outer...);
        } else {
          run(body, outer..., i);
        }
      }
    }
  }

 private:
  template <class Body, class... Outer>
  KOKKOS_IMPL_FORCEINLINE static void run_fastest(Body const& body, Counter first, Counter count, Counter step,
                                                  Outer... outer) {
    Counter at = first;
    for (Counter n = 0; n < count; ++n, at += step) {
      Index const i = static_cast<Index>(at);
      if constexpr (Left) {
        body(i, static_cast<Index>(outer)...);
      } else {
        body(static_cast<Index>(outer)..., i);
      }
    }
  }
};

/// Throws: the functor takes 32-bit indices, which cannot represent this bound.
[[noreturn]] void refuse_index_type(int dimension, std::int64_t bound);

/// Units are the tiles of an MDRangePolicy.
template <HostMDRangePolicyLike Policy>
class HostIterations<Policy> {
 public:
  using index_type              = typename Policy::index_type;
  static constexpr int rank     = Policy::rank;
  static constexpr bool dynamic = host_is_dynamic<Policy>;

  explicit HostIterations(Policy const& policy) : m_policy(policy) {}

  std::uint64_t count() const noexcept { return static_cast<std::uint64_t>(m_policy.m_num_tiles); }
  std::uint64_t chunk(int threads) const noexcept { return Impl::host_default_chunk(count(), threads); }
  /// \throws std::runtime_error if the functor takes indices of type Loop, and some indices are outside its range
  template <class Loop>
  void require_countable() const {
    if constexpr (sizeof(Loop) < sizeof(index_type)) {
      for (int d = 0; d < rank; ++d) {
        std::int64_t const lower = m_policy.m_lower.data()[d], upper = m_policy.m_upper.data()[d];
        if (upper > std::numeric_limits<Loop>::max()) refuse_index_type(d, upper);
        if (lower < std::numeric_limits<Loop>::min()) refuse_index_type(d, lower);
      }
    }
  }
  /// Calls body(i, j, ...) for the indices of these tiles; counts with type Loop and passes it.
  template <class Loop, class Body>
  KOKKOS_IMPL_FORCEINLINE void run(HostPart part, Body const& body) const {
    // Bounds are signed for every index type: counting in an unsigned type would find nothing between -3 and 3.
    using Counter = std::conditional_t<std::is_unsigned_v<Loop>, std::int64_t, Loop>;
    for (std::uint64_t t = part.begin; t < part.end; ++t) tile<Counter, Loop>(t).run(body);
  }

 private:
  static constexpr bool left_inside  = Policy::inner_direction == Iterate::Left;
  static constexpr bool left_outside = Policy::outer_direction == Iterate::Left;

  template <class Counter, class Loop>
  HostTile<rank, left_inside, Counter, Loop> tile(std::uint64_t number) const {
    HostTile<rank, left_inside, Counter, Loop> tile;
    for (int step = 0; step < rank; ++step) {
      auto const d        = static_cast<std::size_t>(left_outside ? step : rank - 1 - step);
      auto const tiles    = static_cast<std::uint64_t>(m_policy.m_tile_end[d]);
      auto const position = static_cast<std::int64_t>(number % tiles);
      number /= tiles;
      std::int64_t const begin = static_cast<std::int64_t>(m_policy.m_lower[d]) + position * m_policy.m_tile[d];
      std::int64_t const left  = m_policy.m_upper[d] - begin;
      std::int64_t const size  = m_policy.m_tile[d];
      tile.begin[d]            = static_cast<Counter>(begin);
      tile.end[d]              = static_cast<Counter>(begin + (size < left ? size : left));
    }
    return tile;
  }

  Policy const& m_policy;
};

}  // namespace Kokkos::Impl

#endif
