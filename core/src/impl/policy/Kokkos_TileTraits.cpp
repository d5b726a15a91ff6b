// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <impl/policy/Kokkos_TileTraits.hpp>

#include <algorithm>

namespace Kokkos::Impl {

void recommend_thread_tile(int rank, std::int64_t const* extents, Iterate fastest, int concurrency,
                           std::int64_t* tile) {
  // Large enough to hide the cost of computing a tile's position, small enough that a thread's data stays in its cache.
  constexpr std::int64_t most = 4096, tiles_per_thread = 4;

  // A division takes longer than all else here, so there is none whose quotient is known.
  std::int64_t const share = tiles_per_thread * std::max(concurrency, 1), enough = share * most;
  // With these limits the product cannot overflow.
  constexpr std::int64_t most_of_one = std::int64_t{1} << 30, most_of_all = std::int64_t{1} << 32;
  std::int64_t total = 1;
  for (int d = 0; d < rank && total < enough && total < most_of_all; ++d) {
    total *= std::clamp(extents[d], std::int64_t{1}, most_of_one);
  }
  std::int64_t left = total >= enough ? most : std::max(total / share, std::int64_t{1});
  for (int k = 0; k < rank; ++k) {
    int const d = fastest == Iterate::Left ? k : rank - 1 - k;
    tile[d]     = std::clamp(extents[d], std::int64_t{1}, left);
    if (tile[d] == left) {
      left = 1;
    } else if (k + 1 < rank && tile[d] > 1) {
      left /= tile[d];
    }
  }
}

}  // namespace Kokkos::Impl
