// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_POLICY_RANK_HPP
#define KOKKOS_POLICY_RANK_HPP

/// \file
/// The shape of an iteration space of several dimensions: how many, and which index runs fastest.

#include <Kokkos_Macros.hpp>

namespace Kokkos {

/// Which index runs fastest: `Left` the first one, `Right` the last one, `Default` the one that suits the space's
/// layout.
enum class Iterate { Default, Left, Right };

/// An iteration space of `N` dimensions; `OuterDirection` orders the tiles, `InnerDirection` the iterations in a tile.
/// MDRangePolicy takes 1 to 6 dimensions, the nested ranges of a team 1 to 8.
template <unsigned N, Iterate OuterDirection = Iterate::Default, Iterate InnerDirection = Iterate::Default>
struct Rank {
  static_assert(N >= 1 && N <= 8, "Kokkos::Rank<N>: an iteration space has 1 to 8 dimensions.");

  using iteration_pattern                  = Rank;
  static constexpr int rank                = N;
  static constexpr Iterate outer_direction = OuterDirection;
  static constexpr Iterate inner_direction = InnerDirection;
};

}  // namespace Kokkos

#endif
