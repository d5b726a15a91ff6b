// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_POLICY_RANK_HPP
#define KOKKOS_POLICY_RANK_HPP

/// \file
/// The shape of an iteration space of several dimensions: their number, and the fastest index.

#include <Kokkos_Layout.hpp>
#include <Kokkos_Macros.hpp>

namespace Kokkos {

/// The fastest index: `Left` the first one, `Right` the last one, `Default` the best one for the space's layout.
enum class Iterate { Default, Left, Right };

/// An iteration space of `N` dimensions; `OuterDirection` orders the tiles, `InnerDirection` the iterations in a tile.
/// MDRangePolicy accepts 1 to 6 dimensions, the nested ranges of a team 1 to 8.
template <unsigned N, Iterate OuterDirection = Iterate::Default, Iterate InnerDirection = Iterate::Default>
struct Rank {
  static_assert(N >= 1 && N <= 8, "Kokkos::Rank<N>: an iteration space has 1 to 8 dimensions.");

  /// The property itself, under the name by which policies look it up.
  using iteration_pattern                  = Rank;
  static constexpr int rank                = N;               ///< number of dimensions
  static constexpr Iterate outer_direction = OuterDirection;  ///< order of the tiles
  static constexpr Iterate inner_direction = InnerDirection;  ///< order of the iterations in a tile
};

}  // namespace Kokkos

namespace Kokkos {
namespace Impl {

/// The order in which loops over a view of a layout visit its elements by neighbours. Programs such as Kokkos-FFT use it for
/// the template arguments of Rank.
template <class... Layout>
struct layout_iterate_type_selector {
  static constexpr Iterate outer_iteration_pattern = Iterate::Default;  ///< the order of tiles
  static constexpr Iterate inner_iteration_pattern = Iterate::Default;  ///< the order in a tile
};
template <>
struct layout_iterate_type_selector<LayoutLeft> {
  static constexpr Iterate outer_iteration_pattern = Iterate::Left;
  static constexpr Iterate inner_iteration_pattern = Iterate::Left;
};
template <>
struct layout_iterate_type_selector<LayoutRight> {
  static constexpr Iterate outer_iteration_pattern = Iterate::Right;
  static constexpr Iterate inner_iteration_pattern = Iterate::Right;
};

}  // namespace Impl

#ifdef KOKKOS_ENABLE_DEPRECATED_CODE_4
template <class... Layout>
using layout_iterate_type_selector KOKKOS_DEPRECATED_WITH_COMMENT("Choose the order of Kokkos::Rank by the layout.") =
    Impl::layout_iterate_type_selector<Layout...>;
#endif

}  // namespace Kokkos

#endif
