// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_MDSPAN_EXTENTS_HPP
#define KOKKOS_MDSPAN_EXTENTS_HPP

/// \file
/// `extents` of the C++ standard ([mdspan.extents]), for kernels: the sizes of dimensions, static or at run time.

#include <Kokkos_Macros.hpp>

#include <array>
#include <cstddef>
#include <limits>
#include <type_traits>
#include <utility>

namespace Kokkos {

/// In the list of a type's extents: the extent is given at run time.
inline constexpr std::size_t dynamic_extent = std::numeric_limits<std::size_t>::max();

namespace MDSpanImpl {

/// The run-time extents; a base class, so that it needs no space if there are none.
template <class IndexType, std::size_t N>
struct DynamicExtents {
  IndexType value[N] = {};
};
template <class IndexType>
struct DynamicExtents<IndexType, 0> {};

template <class T, class IndexType>
concept MDSpanIndex = std::is_convertible_v<T, IndexType> && std::is_nothrow_constructible_v<IndexType, T>;

}  // namespace MDSpanImpl

/// The sizes of sizeof...(Extents) dimensions: an Extent is a static size, or dynamic_extent for a size at run time.
template <class IndexType, std::size_t... Extents>
class extents : private MDSpanImpl::DynamicExtents<IndexType, ((Extents == dynamic_extent) + ... + 0)> {
  static_assert(std::is_integral_v<IndexType> && !std::is_same_v<IndexType, bool>,
                "The index type of Kokkos::extents is an integer type.");

 public:
  using index_type = IndexType;                        ///< type of an extent
  using size_type  = std::make_unsigned_t<IndexType>;  ///< unsigned index_type
  using rank_type  = std::size_t;                      ///< type of dimension numbers

  /// Number of dimensions.
  KOKKOS_FUNCTION static constexpr rank_type rank() noexcept { return sizeof...(Extents); }
  /// Number of dimensions whose size is given at run time.
  KOKKOS_FUNCTION static constexpr rank_type rank_dynamic() noexcept {
    return ((Extents == dynamic_extent) + ... + rank_type(0));
  }
  /// The static size of dimension r, or dynamic_extent.
  KOKKOS_FUNCTION static constexpr std::size_t static_extent(rank_type r) noexcept {
    std::size_t const all[] = {Extents..., 1};
    return all[r];
  }
  /// The size of dimension r.
  KOKKOS_FUNCTION constexpr index_type extent(rank_type r) const noexcept {
    if (static_extent(r) != dynamic_extent) return static_cast<index_type>(static_extent(r));
    if constexpr (rank_dynamic() > 0) return this->value[dynamic_before(r)];
    return 0;
  }

  constexpr extents() = default;

  /// From all extents, or only from the run-time extents.
  template <class... I>
    requires((MDSpanImpl::MDSpanIndex<I, IndexType> && ...) && sizeof...(I) > 0 &&
             (sizeof...(I) == sizeof...(Extents) || sizeof...(I) == ((Extents == dynamic_extent) + ... + 0)))
  KOKKOS_FUNCTION explicit constexpr extents(I... sizes) noexcept {
    index_type const list[] = {static_cast<index_type>(sizes)...};
    take<sizeof...(I)>(list);
  }
  /// Like the constructor above, for an array of extents.
  template <class I, std::size_t N>
    requires(MDSpanImpl::MDSpanIndex<I const&, IndexType> &&
             (N == sizeof...(Extents) || N == ((Extents == dynamic_extent) + ... + 0)))
  KOKKOS_FUNCTION explicit(N != rank_dynamic()) constexpr extents(std::array<I, N> const& sizes) noexcept {
    if constexpr (N > 0) {
      index_type list[N] = {};
      for (std::size_t i = 0; i < N; ++i) list[i] = static_cast<index_type>(sizes.data()[i]);
      take<N>(list);
    }
  }
  /// The extents of another type, of which a constant one must have the same value.
  template <class OtherIndex, std::size_t... Others>
    requires(sizeof...(Others) == sizeof...(Extents) &&
             ((Others == dynamic_extent || Extents == dynamic_extent || Others == Extents) && ...))
  KOKKOS_FUNCTION explicit(
      ((Extents != dynamic_extent && Others == dynamic_extent) || ...) ||
      std::numeric_limits<IndexType>::max() <
          std::numeric_limits<OtherIndex>::max()) constexpr extents(extents<OtherIndex, Others...> const&
                                                                        other) noexcept {
    if constexpr (rank_dynamic() > 0)
      for (rank_type r = 0; r < rank(); ++r)
        if (static_extent(r) == dynamic_extent)
          this->value[dynamic_before(r)] = static_cast<index_type>(other.extent(r));
  }

  /// Whether the ranks and all extents are equal, constant or not.
  template <class OtherIndex, std::size_t... Others>
  KOKKOS_FUNCTION friend constexpr bool operator==(extents const& a, extents<OtherIndex, Others...> const& b) noexcept {
    if constexpr (sizeof...(Others) != sizeof...(Extents)) {
      return false;
    } else {
      for (rank_type r = 0; r < rank(); ++r)
        if (static_cast<std::size_t>(a.extent(r)) != static_cast<std::size_t>(b.extent(r))) return false;
      return true;
    }
  }

 private:
  KOKKOS_FUNCTION static constexpr rank_type dynamic_before(rank_type r) noexcept {
    rank_type count = 0;
    for (rank_type i = 0; i < r; ++i) count += static_extent(i) == dynamic_extent;
    return count;
  }
  template <std::size_t N>
  KOKKOS_FUNCTION constexpr void take(index_type const* list) noexcept {
    if constexpr (rank_dynamic() > 0) {
      for (rank_type r = 0; r < rank(); ++r) {
        if (static_extent(r) != dynamic_extent) continue;
        rank_type const d = dynamic_before(r);
        this->value[d]    = list[N == rank_dynamic() ? d : r];
      }
    }
  }
};

namespace MDSpanImpl {

template <class IndexType, class Sequence>
struct DynamicExtentsOf;
template <class IndexType, std::size_t... I>
struct DynamicExtentsOf<IndexType, std::index_sequence<I...>> {
  using type = extents<IndexType, (static_cast<void>(I), dynamic_extent)...>;
};

template <class T>
inline constexpr bool is_extents = false;
template <class IndexType, std::size_t... E>
inline constexpr bool is_extents<extents<IndexType, E...>> = true;

}  // namespace MDSpanImpl

/// `Rank` extents, all of them at run time.
template <class IndexType, std::size_t Rank>
using dextents = typename MDSpanImpl::DynamicExtentsOf<IndexType, std::make_index_sequence<Rank>>::type;

namespace Experimental {

/// dextents with the arguments in the other order; the index type may be left out.
template <std::size_t Rank, class IndexType = std::size_t>
using dims = dextents<IndexType, Rank>;

/// A list of extents, dynamic_extent for those at run time.
template <std::size_t... E>
struct Extents {};
/// @{
/// `type` is the list with one more extent at its beginning or end.
template <class List, std::size_t Extent>
struct PrependExtent;
template <std::size_t... E, std::size_t Extent>
struct PrependExtent<Extents<E...>, Extent> {
  using type = Extents<Extent, E...>;
};
template <class List, std::size_t Extent>
struct AppendExtent;
template <std::size_t... E, std::size_t Extent>
struct AppendExtent<Extents<E...>, Extent> {
  using type = Extents<E..., Extent>;
};
/// @}

}  // namespace Experimental

/// Each argument is a run-time extent.
template <class... I>
  requires(std::is_convertible_v<I, std::size_t> && ...)
extents(I...) -> extents<std::size_t, (static_cast<void>(sizeof(I)), dynamic_extent)...>;

}  // namespace Kokkos

#endif
