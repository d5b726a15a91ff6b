// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_HOST_ITERATIONS_HPP
#define KOKKOS_HOST_ITERATIONS_HPP

/// \file
/// The iterations of range policies as numbered units of work, which crews deal out: single indices, or whole tiles.
///
/// The loops here are plain counted loops on purpose, for the compiler to vectorise. They carry no promise that
/// iterations are independent (`ivdep`): kernels on the host may update one location from several iterations without
/// atomics, if these run on the same thread. ScatterView does, in the copy that each thread has.

#include <Kokkos_Concepts.hpp>
#include <Host/Kokkos_Host_Partition.hpp>

#include <cstdint>
#include <type_traits>

namespace Kokkos::Impl {

template <class Policy>
concept HostTeamPolicyLike = requires(Policy const& policy) { policy.league_size(); };
template <class Policy>
concept HostMDRangePolicyLike = requires(Policy const& policy) { policy.m_num_tiles; };

template <class Policy>
inline constexpr bool host_is_dynamic = std::is_same_v<typename Policy::schedule_type::type, Dynamic>;

/// TeamPolicy, which is not made of such units: run(policy, body), and run(policy, reduction, target).
template <class ExecSpace>
struct HostTeamFor;
template <class ExecSpace>
struct HostTeamReduce;

/// Units are the indices of a RangePolicy.
template <class Policy>
class HostIterations {
 public:
  using index_type              = typename Policy::index_type;
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
  /// Calls body(i) for the indices of the part, in ascending order.
  template <class Body>
  KOKKOS_IMPL_FORCEINLINE void run(HostPart part, Body const& body) const {
    const index_type end = static_cast<index_type>(m_begin + static_cast<index_type>(part.end));
    for (index_type i = static_cast<index_type>(m_begin + static_cast<index_type>(part.begin)); i < end; ++i) body(i);
  }

 private:
  index_type m_begin;
  std::uint64_t m_count;
  std::int64_t m_chunk;
};

/// The index ranges of one tile, and the loops over it: with Left the first index is the fastest, otherwise the last.
template <int Rank, bool Left, class Index>
struct HostTile {
  Index begin[Rank];
  Index end[Rank];

  template <class Body, class... Outer>
  KOKKOS_IMPL_FORCEINLINE void run(Body const& body, Outer... outer) const {
    constexpr int done = static_cast<int>(sizeof...(Outer));
    constexpr int d    = Left ? Rank - 1 - done : done;
    const Index last   = end[d];
    for (Index i = begin[d]; i < last; ++i) {
      if constexpr (Left && done == Rank - 1) {
        body(i, outer...);
      } else if constexpr (Left) {
        run(body, i, outer...);
      } else if constexpr (done == Rank - 1) {
        body(outer..., i);
      } else {
        run(body, outer..., i);
      }
    }
  }
};

/// Units are the tiles of an MDRangePolicy.
template <HostMDRangePolicyLike Policy>
class HostIterations<Policy> {
 public:
  using index_type              = typename Policy::index_type;
  static constexpr int rank     = Policy::rank;
  static constexpr bool dynamic = host_is_dynamic<Policy>;

  explicit HostIterations(Policy const& policy) : m_policy(policy) {}

  std::uint64_t count() const noexcept { return static_cast<std::uint64_t>(m_policy.m_num_tiles); }
  std::uint64_t chunk(int threads) const noexcept { return host_default_chunk(count(), threads); }
  /// Calls body(i, j, ...) for the indices of these tiles.
  template <class Body>
  KOKKOS_IMPL_FORCEINLINE void run(HostPart part, Body const& body) const {
    for (std::uint64_t t = part.begin; t < part.end; ++t) tile(t).run(body);
  }

 private:
  static constexpr bool left_inside = Policy::inner_direction == Iterate::Left;
  static constexpr bool left_outside = Policy::outer_direction == Iterate::Left;

  HostTile<rank, left_inside, index_type> tile(std::uint64_t number) const {
    HostTile<rank, left_inside, index_type> tile;
    for (int step = 0; step < rank; ++step) {
      const int d         = left_outside ? step : rank - 1 - step;
      const auto tiles    = static_cast<std::uint64_t>(m_policy.m_tile_end[d]);
      const auto position = static_cast<std::int64_t>(number % tiles);
      number /= tiles;
      const std::int64_t begin = static_cast<std::int64_t>(m_policy.m_lower[d]) + position * m_policy.m_tile[d];
      const std::int64_t end   = begin + m_policy.m_tile[d];
      const std::int64_t upper = m_policy.m_upper[d];
      tile.begin[d]            = static_cast<index_type>(begin);
      tile.end[d]              = static_cast<index_type>(end < upper ? end : upper);
    }
    return tile;
  }

  Policy const& m_policy;
};

}  // namespace Kokkos::Impl

#endif
