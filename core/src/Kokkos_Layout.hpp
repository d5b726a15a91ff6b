// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_LAYOUT_HPP
#define KOKKOS_LAYOUT_HPP

/// \file
/// The layouts of a View: the order of its elements in memory. A layout object also contains the extents (and strides,
/// for LayoutStride), so that a view can be created from it: `View<double**>("a", LayoutRight(3, 4))`.

#include <Kokkos_Macros.hpp>

#include <cstddef>

/// Means "not given" in the dimensions of a layout object and in lists of extents.
#define KOKKOS_INVALID_INDEX (~std::size_t(0))

namespace Kokkos {

enum : std::size_t { ARRAY_LAYOUT_MAX_RANK = 8 };

/// The first index is the fastest, as in Fortran. Only the stride of dimension 1 may be padded.
struct LayoutLeft {
  using array_layout = LayoutLeft;  ///< the layout itself, under the name that every layout has

  static constexpr bool is_extent_constructible = true;  ///< a view needs only extents

  std::size_t dimension[ARRAY_LAYOUT_MAX_RANK];  ///< the extents; KOKKOS_INVALID_INDEX after the last one
  /// Distance between rows, in elements; not given unless rows are padded or part of a larger view.
  std::size_t stride = KOKKOS_INVALID_INDEX;

  /// The extents of the dimensions; KOKKOS_INVALID_INDEX ends the list.
  KOKKOS_FUNCTION explicit constexpr LayoutLeft(
      std::size_t n0 = KOKKOS_INVALID_INDEX, std::size_t n1 = KOKKOS_INVALID_INDEX,
      std::size_t n2 = KOKKOS_INVALID_INDEX, std::size_t n3 = KOKKOS_INVALID_INDEX,
      std::size_t n4 = KOKKOS_INVALID_INDEX, std::size_t n5 = KOKKOS_INVALID_INDEX,
      std::size_t n6 = KOKKOS_INVALID_INDEX, std::size_t n7 = KOKKOS_INVALID_INDEX)
      : dimension{n0, n1, n2, n3, n4, n5, n6, n7} {}

  /// Compares only the extents.
  KOKKOS_FUNCTION friend constexpr bool operator==(LayoutLeft const& a, LayoutLeft const& b) {
    for (int r = 0; r < int(ARRAY_LAYOUT_MAX_RANK); ++r)
      if (a.dimension[r] != b.dimension[r]) return false;
    return true;
  }
};

/// The last index is the fastest, as in C. Only the stride of the second to last dimension may be padded.
struct LayoutRight {
  using array_layout = LayoutRight;  ///< the layout itself, under the name that every layout has

  static constexpr bool is_extent_constructible = true;  ///< a view needs only extents

  std::size_t dimension[ARRAY_LAYOUT_MAX_RANK];  ///< the extents; KOKKOS_INVALID_INDEX after the last one
  /// Distance between rows, in elements; not given unless rows are padded or part of a larger view.
  std::size_t stride = KOKKOS_INVALID_INDEX;

  /// The extents of the dimensions; KOKKOS_INVALID_INDEX ends the list.
  KOKKOS_FUNCTION explicit constexpr LayoutRight(
      std::size_t n0 = KOKKOS_INVALID_INDEX, std::size_t n1 = KOKKOS_INVALID_INDEX,
      std::size_t n2 = KOKKOS_INVALID_INDEX, std::size_t n3 = KOKKOS_INVALID_INDEX,
      std::size_t n4 = KOKKOS_INVALID_INDEX, std::size_t n5 = KOKKOS_INVALID_INDEX,
      std::size_t n6 = KOKKOS_INVALID_INDEX, std::size_t n7 = KOKKOS_INVALID_INDEX)
      : dimension{n0, n1, n2, n3, n4, n5, n6, n7} {}

  /// Compares only the extents.
  KOKKOS_FUNCTION friend constexpr bool operator==(LayoutRight const& a, LayoutRight const& b) {
    for (int r = 0; r < int(ARRAY_LAYOUT_MAX_RANK); ++r)
      if (a.dimension[r] != b.dimension[r]) return false;
    return true;
  }
};

/// Every dimension has its own stride, in elements.
struct LayoutStride {
  using array_layout = LayoutStride;  ///< the layout itself, under the name that every layout has

  static constexpr bool is_extent_constructible = false;  ///< a view needs strides, too

  std::size_t dimension[ARRAY_LAYOUT_MAX_RANK];  ///< the extents; KOKKOS_INVALID_INDEX after the last one
  /// Distance in elements from one index to the next, for each dimension.
  std::size_t stride[ARRAY_LAYOUT_MAX_RANK];

  /// Takes pairs of extent and stride, one for each dimension.
  KOKKOS_FUNCTION explicit constexpr LayoutStride(std::size_t n0 = KOKKOS_INVALID_INDEX, std::size_t s0 = 0,
                                                  std::size_t n1 = KOKKOS_INVALID_INDEX, std::size_t s1 = 0,
                                                  std::size_t n2 = KOKKOS_INVALID_INDEX, std::size_t s2 = 0,
                                                  std::size_t n3 = KOKKOS_INVALID_INDEX, std::size_t s3 = 0,
                                                  std::size_t n4 = KOKKOS_INVALID_INDEX, std::size_t s4 = 0,
                                                  std::size_t n5 = KOKKOS_INVALID_INDEX, std::size_t s5 = 0,
                                                  std::size_t n6 = KOKKOS_INVALID_INDEX, std::size_t s6 = 0,
                                                  std::size_t n7 = KOKKOS_INVALID_INDEX, std::size_t s7 = 0)
      : dimension{n0, n1, n2, n3, n4, n5, n6, n7}, stride{s0, s1, s2, s3, s4, s5, s6, s7} {}

  /// The densest layout of `rank` dimensions in which dimension `order[0]` is the fastest, then `order[1]`, and so on.
  /// If `order` is not a permutation of 0 ... rank-1, all extents and strides of the result are zero.
  template <class Order, class Extent>
  KOKKOS_FUNCTION static LayoutStride order_dimensions(int const rank, Order const* const order,
                                                       Extent const* const extents) {
    LayoutStride result;
    for (int r = 0; r < int(ARRAY_LAYOUT_MAX_RANK); ++r) result.dimension[r] = r < rank ? 0 : KOKKOS_INVALID_INDEX;
    unsigned seen = 0;
    for (int r = 0; r < rank; ++r)
      if (order[r] >= Order(0) && int(order[r]) < rank) seen |= 1u << int(order[r]);
    if (rank < 0 || rank > int(ARRAY_LAYOUT_MAX_RANK) || seen != (1u << rank) - 1u) return result;
    std::size_t step = 1;
    for (int r = 0; r < rank; ++r) {
      int const d         = int(order[r]);
      result.dimension[d] = std::size_t(extents[d]);
      result.stride[d]    = step;
      step *= result.dimension[d];
    }
    return result;
  }

  friend bool operator==(LayoutStride const&, LayoutStride const&) = default;  ///< compares extents and strides
};

}  // namespace Kokkos

#endif
