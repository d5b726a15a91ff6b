// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_TILE_TRAITS_HPP
#define KOKKOS_GPU_TILE_TRAITS_HPP

/// \file
/// The tiles of index ranges on GPUs: a tile is a block.

#include <Kokkos_Macros.hpp>
#include <impl/policy/Kokkos_Rank.hpp>

#include <cstdint>

namespace Kokkos::Impl {

template <class ExecSpace>
struct GPUTileTraits {
  static std::int64_t max_total_tile_size(ExecSpace const& space, unsigned int max_threads) {
    std::int64_t const most = space.impl_instance().properties().threads_per_block;
    return max_threads > 0 && max_threads < most ? max_threads : most;
  }

  /// Warps read neighbouring memory along the fastest index. The other lengths suit stencils, whose neighbours are in
  /// the cache. A square of two dimensions also suits a transposition, which reads along one and writes along the other
  /// index: it then takes half as long as with 64 by 4 threads, and a copy 1.02 times as long. With three or more
  /// dimensions a thread visits several points of a tile. If half a warp is enough for the fastest index, the tile is
  /// shorter there and longer along the next ones, because lanes beyond the range would have nothing to do.
  static void recommend(ExecSpace const& space, unsigned int max_threads, int rank, std::int64_t const* extents,
                        Iterate fastest, std::int64_t* tile) {
    constexpr std::int64_t warp = ExecSpace::runtime_type::intrinsics::warp_size;
    std::int64_t shape[3][3]    = {{256, 1, 1}, {16, 16, 1}, {warp, 4, 4}};
    auto& sizes                 = shape[rank < 3 ? rank - 1 : 2];
    if (rank > 2) {
      auto const extent = [&](int position) {
        return extents[fastest == Iterate::Right ? rank - 1 - position : position];
      };
      for (; sizes[0] > 4 && sizes[0] / 2 >= extent(0); sizes[0] /= 2) sizes[sizes[1] < extent(1) ? 1 : 2] *= 2;
    }
    std::int64_t const most = max_total_tile_size(space, max_threads);
    std::int64_t total      = 1;
    for (int position = 0; position < rank; ++position) {
      std::int64_t size = position < 3 ? sizes[position] : 1;
      while (total * size > most) size /= 2;
      tile[fastest == Iterate::Right ? rank - 1 - position : position] = size;
      total *= size;
    }
  }
};

}  // namespace Kokkos::Impl

#endif
