// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_POLICY_TILE_TRAITS_HPP
#define KOKKOS_POLICY_TILE_TRAITS_HPP

/// \file
/// The default tiles of an iteration space of several dimensions.

#include <Kokkos_Core_fwd.hpp>
#include <impl/policy/Kokkos_Rank.hpp>

#include <climits>
#include <cstdint>
#include <type_traits>

namespace Kokkos {

/// @{
/// The meaning of Iterate::Default for the tiles of an MDRangePolicy, and for the iterations in a tile: Left on GPUs,
/// Right on hosts. A program may specialise them for an execution space of its own.
template <class ExecSpace>
struct default_outer_direction {
  using type = Iterate;
  static constexpr Iterate value =
      std::is_same_v<typename ExecSpace::array_layout, LayoutLeft> ? Iterate::Left : Iterate::Right;
};
template <class ExecSpace>
struct default_inner_direction : default_outer_direction<ExecSpace> {};
/// @}

}  // namespace Kokkos

namespace Kokkos::Impl {

/// Tiles for threads that each run whole tiles: at most 4096 iterations, long in the fastest index, and at least four
/// tiles for each of `concurrency` threads if there are enough iterations.
/// \param extents iterations in each of the `rank` dimensions
/// \param tile    receives the number of iterations of a tile in each dimension; at least 1
void recommend_thread_tile(int rank, std::int64_t const* extents, Iterate fastest, int concurrency, std::int64_t* tile);

/// A backend's choices of tiles. This default suits spaces whose threads run whole tiles.
template <class ExecSpace>
struct TileTraits {
  /// The maximum number of iterations in a tile; `max_threads` is the maximum of the policy's LaunchBounds, 0 if it has
  /// none.
  static std::int64_t max_total_tile_size(ExecSpace const&, unsigned int /*max_threads*/) { return INT_MAX; }

  /// The tile if the program specifies none.
  static void recommend(ExecSpace const& space, unsigned int /*max_threads*/, int rank, std::int64_t const* extents,
                        Iterate fastest, std::int64_t* tile) {
    Impl::recommend_thread_tile(rank, extents, fastest, space.impl_concurrency(), tile);
  }
};

}  // namespace Kokkos::Impl

#endif
