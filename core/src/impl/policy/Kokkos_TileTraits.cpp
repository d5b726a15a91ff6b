// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <impl/policy/Kokkos_TileTraits.hpp>

#include <algorithm>

namespace Kokkos::Impl {

void recommend_thread_tile(int rank, std::int64_t const* extents, Iterate fastest, int concurrency,
                           std::int64_t* tile) {
  // Large enough to hide the cost of computing a tile's position, small enough that a thread's data stays in its cache.
  constexpr std::int64_t most = 4096, tiles_per_thread = 4;

  std::int64_t total = 1;
  for (int d = 0; d < rank; ++d) {
    // Larger totals make no difference, and with this limit the product cannot overflow.
    total = std::min(total * std::clamp(extents[d], std::int64_t{1}, std::int64_t{1} << 30), std::int64_t{1} << 32);
  }
  std::int64_t left = std::clamp(total / (tiles_per_thread * std::max(concurrency, 1)), std::int64_t{1}, most);
  for (int k = 0; k < rank; ++k) {
    int const d = fastest == Iterate::Left ? k : rank - 1 - k;
    tile[d]     = std::clamp(extents[d], std::int64_t{1}, left);
    if (k + 1 < rank) left = std::max(left / tile[d], std::int64_t{1});
  }
}

}  // namespace Kokkos::Impl
