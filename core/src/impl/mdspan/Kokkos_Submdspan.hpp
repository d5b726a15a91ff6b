// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_SUBMDSPAN_HPP
#define KOKKOS_SUBMDSPAN_HPP

/// \file
/// submdspan ([mdspan.sub]): the part of an mdspan that slices select, one slice for each dimension.
///
/// A slice is an index, full_extent, a pair [begin, end), or a strided_slice. A layout supports submdspan if ADL finds
/// submdspan_mapping(mapping, slices...) for its mapping, as it does for the layouts of this library.

#include <impl/mdspan/Kokkos_MDSpanClass.hpp>

namespace Kokkos {

/// The slice that selects a whole dimension.
struct full_extent_t {
  explicit full_extent_t() = default;
};
inline constexpr full_extent_t full_extent{};  ///< selects a whole dimension, like ALL

/// Every `stride`-th of `extent` indices from `offset` on.
template <class Offset, class Extent, class Stride>
struct strided_slice {
  using offset_type = Offset;  ///< type of offset
  using extent_type = Extent;  ///< type of extent
  using stride_type = Stride;  ///< type of stride

  Offset offset{};  ///< the first index
  Extent extent{};  ///< the slice covers this many indices
  Stride stride{};  ///< distance between selected indices
};

/// The mapping of a part, and the offset of its first element in the whole.
template <class Mapping>
struct submdspan_mapping_result {
  Mapping mapping{};     ///< the mapping of the part
  std::size_t offset{};  ///< distance from the first element of the whole to that of the part
};

namespace MDSpanImpl {

template <class S>
inline constexpr bool is_strided_slice = false;
template <class O, class E, class T>
inline constexpr bool is_strided_slice<strided_slice<O, E, T>> = true;

template <class S>
concept PairSlice = !is_strided_slice<S> && requires(S const& s) {
  s.first;
  s.second;
};

enum class SliceKind { index, whole, range, strided };

template <class S>
constexpr SliceKind slice_kind() {
  if constexpr (std::is_convertible_v<S, full_extent_t>)
    return SliceKind::whole;
  else if constexpr (is_strided_slice<S>)
    return SliceKind::strided;
  else if constexpr (PairSlice<S>)
    return SliceKind::range;
  else
    return SliceKind::index;
}

/// A slice as numbers: first index, number of indices, and stride.
template <class IndexType>
struct SliceNumbers {
  IndexType first, extent, step;
};

template <class IndexType, class S>
KOKKOS_FUNCTION constexpr SliceNumbers<IndexType> slice_numbers(S const& slice, IndexType extent) {
  if constexpr (Kokkos::MDSpanImpl::slice_kind<S>() == SliceKind::whole) {
    return {0, extent, 1};
  } else if constexpr (Kokkos::MDSpanImpl::slice_kind<S>() == SliceKind::range) {
    auto const first = static_cast<IndexType>(slice.first);
    return {first, static_cast<IndexType>(static_cast<IndexType>(slice.second) - first), 1};
  } else if constexpr (Kokkos::MDSpanImpl::slice_kind<S>() == SliceKind::strided) {
    auto const span = static_cast<IndexType>(slice.extent), step = static_cast<IndexType>(slice.stride);
    return {static_cast<IndexType>(slice.offset),
            span == 0 ? IndexType(0) : static_cast<IndexType>(1 + (span - 1) / step), span == 0 ? IndexType(1) : step};
  } else {
    return {static_cast<IndexType>(slice), 1, 1};
  }
}

/// The remaining extents, and which of them are static.
template <class IndexType, std::size_t... Kept>
struct SlicedExtents {
  using type = extents<IndexType, Kept...>;
  template <std::size_t E>
  using Plus = SlicedExtents<IndexType, Kept..., E>;
};

template <class Extents, class Result, std::size_t R, class... Slices>
struct SliceExtents : std::type_identity<typename Result::type> {};
template <class Extents, class Result, std::size_t R, class First, class... Slices>
struct SliceExtents<Extents, Result, R, First, Slices...>
    : SliceExtents<
          Extents,
          std::conditional_t<slice_kind<First>() == SliceKind::index, Result,
                             typename Result::template Plus<
                                 slice_kind<First>() == SliceKind::whole ? Extents::static_extent(R) : dynamic_extent>>,
          R + 1, Slices...> {};

template <class Extents, class... Slices>
using sliced_extents = typename SliceExtents<Extents, SlicedExtents<typename Extents::index_type>, 0, Slices...>::type;

/// Whether the kept dimensions of a dense layout stay dense: starting with the fastest, whole dimensions, then at most
/// one range, then indices.
template <bool Left, class... Slices>
constexpr bool stays_dense() {
  constexpr std::size_t rank  = sizeof...(Slices);
  constexpr SliceKind kinds[] = {Kokkos::MDSpanImpl::slice_kind<Slices>()..., SliceKind::index};
  std::size_t k               = 0;
  auto const kind             = [&](std::size_t i) { return kinds[Left ? i : rank - 1 - i]; };
  while (k < rank && kind(k) == SliceKind::whole) ++k;
  if (k < rank && kind(k) == SliceKind::range) ++k;
  while (k < rank && kind(k) == SliceKind::index) ++k;
  return k == rank;
}

}  // namespace MDSpanImpl

/// The extents of the part that the slices select; a slice that is an index removes its dimension.
template <class IndexType, std::size_t... E, class... Slices>
  requires(sizeof...(E) == sizeof...(Slices))
KOKKOS_FUNCTION constexpr auto submdspan_extents(extents<IndexType, E...> const& source, Slices... slices) {
  using Source = extents<IndexType, E...>;
  using Result = MDSpanImpl::sliced_extents<Source, Slices...>;
  if constexpr (Result::rank() == 0) {
    return Result();
  } else {
    std::array<IndexType, Result::rank()> sizes{};
    std::size_t from = 0, to = 0;
    auto const take = [&](auto const& slice) {
      using S = std::remove_cvref_t<decltype(slice)>;
      if constexpr (MDSpanImpl::slice_kind<S>() != MDSpanImpl::SliceKind::index)
        sizes.data()[to++] = MDSpanImpl::slice_numbers<IndexType>(slice, source.extent(from)).extent;
      ++from;
    };
    (take(slices), ...);
    return Result(sizes);
  }
}

namespace MDSpanImpl {

/// The mapping of the slices of a strided mapping: `Dense` if the slices allow it, else layout_stride.
template <class Dense, bool Left, class Mapping, class... Slices>
KOKKOS_FUNCTION constexpr auto slice_strided_mapping(Mapping const& source, Slices const&... slices) {
  using Index        = typename Mapping::index_type;
  auto const extents = Kokkos::submdspan_extents(source.extents(), slices...);
  using Extents      = std::remove_const_t<decltype(extents)>;
  std::array<Index, Extents::rank()> strides{};
  std::size_t offset = 0, from = 0, to = 0;
  auto const take = [&](auto const& slice) {
    using S            = std::remove_cvref_t<decltype(slice)>;
    auto const numbers = Kokkos::MDSpanImpl::slice_numbers<Index>(slice, source.extents().extent(from));
    offset += static_cast<std::size_t>(numbers.first * source.stride(from));
    if constexpr (Kokkos::MDSpanImpl::slice_kind<S>() != SliceKind::index)
      strides.data()[to++] = source.stride(from) * numbers.step;
    ++from;
  };
  (take(slices), ...);
  if constexpr (!std::is_same_v<Dense, layout_stride> && Kokkos::MDSpanImpl::stays_dense<Left, Slices...>()) {
    using Result = typename Dense::template mapping<Extents>;
    return submdspan_mapping_result<Result>{Result(extents), offset};
  } else {
    using Result = layout_stride::mapping<Extents>;
    return submdspan_mapping_result<Result>{Result(extents, strides), offset};
  }
}

template <class Layout, class Extents, bool Left, std::size_t Padding, class... Slices>
KOKKOS_FUNCTION constexpr auto submdspan_mapping(LinearMapping<Layout, Extents, Left, Padding> const& source,
                                                 Slices... slices) {
  return Kokkos::MDSpanImpl::slice_strided_mapping<std::conditional_t<Padding != 0, layout_stride, Layout>, Left>(
      source, slices...);
}

}  // namespace MDSpanImpl

/// The mapping of the part of a strided mapping that the slices select.
template <class Mapping, class... Slices>
  requires std::is_same_v<typename Mapping::layout_type, layout_stride>
KOKKOS_FUNCTION constexpr auto submdspan_mapping(Mapping const& source, Slices... slices) {
  return MDSpanImpl::slice_strided_mapping<layout_stride, true>(source, slices...);
}

/// The elements of `source` that the slices select. Indices in the result begin at 0.
template <class T, class E, class L, class A, class... Slices>
  requires(sizeof...(Slices) == E::rank())
KOKKOS_FUNCTION constexpr auto submdspan(mdspan<T, E, L, A> const& source, Slices... slices) {
  // Not qualified: a mapping of the program brings its own function, which only its type finds.
  auto const sliced = submdspan_mapping(source.mapping(), slices...);
  using Mapping     = std::remove_cvref_t<decltype(sliced.mapping)>;
  using Accessor    = typename A::offset_policy;
  return mdspan<T, typename Mapping::extents_type, typename Mapping::layout_type, Accessor>(
      source.accessor().offset(source.data_handle(), sliced.offset), sliced.mapping, Accessor(source.accessor()));
}

}  // namespace Kokkos

#endif
