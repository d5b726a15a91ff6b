// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_MDSPAN_LAYOUTS_HPP
#define KOKKOS_MDSPAN_LAYOUTS_HPP

/// \file
/// The layouts of mdspan ([mdspan.layout]): layout_left, layout_right, layout_stride, and the padded ones.
///
/// layout_left and layout_right are LinearMapping without a stored stride; their padded forms are LinearMapping with
/// one.

#include <impl/mdspan/Kokkos_MDSpanExtents.hpp>

namespace Kokkos {

namespace MDSpanImpl {

/// A mapping whose offset is a sum of indices times strides.
template <class M>
concept StridedMapping = requires(M const& m, std::size_t r) {
  typename M::extents_type;
  typename M::layout_type;
  m.extents();
  requires M::is_always_strided();
};

/// Product of the extents [first, last).
template <class E>
KOKKOS_FUNCTION constexpr typename E::index_type extent_product(E const& e, std::size_t first, std::size_t last) {
  typename E::index_type product = 1;
  for (std::size_t r = first; r < last; ++r) product *= e.extent(r);
  return product;
}

/// 1 + the largest offset; 0 without elements.
template <class Mapping>
KOKKOS_FUNCTION constexpr auto strided_span_size(Mapping const& m) {
  typename Mapping::index_type size = 1;
  for (std::size_t r = 0; r < Mapping::extents_type::rank(); ++r) {
    if (m.extents().extent(r) == 0) return typename Mapping::index_type(0);
    size += (m.extents().extent(r) - 1) * m.stride(r);
  }
  return size;
}

/// The stride of rows; a base class, so that a mapping without one needs no space for it.
template <class IndexType, bool Stored>
struct PaddedStride {
  IndexType padded_stride = 0;
};
template <class IndexType>
struct PaddedStride<IndexType, false> {};

/// The mapping of `Layout`, whose fastest dimension is the first if Left, else the last. If Padding is not 0, the
/// stride of the dimension next to the fastest is stored and may be larger than the fastest extent: a multiple of
/// Padding, or any value if Padding is dynamic_extent.
template <class Layout, class Extents, bool Left, std::size_t Padding>
class LinearMapping : private PaddedStride<typename Extents::index_type, (Padding > 0 && Extents::rank() > 1)> {
  static constexpr bool is_padded = Padding > 0 && Extents::rank() > 1;

 public:
  using extents_type = Extents;                       ///< the shape
  using index_type   = typename Extents::index_type;  ///< type of an index
  using size_type    = typename Extents::size_type;   ///< unsigned index_type
  using rank_type    = typename Extents::rank_type;   ///< type of dimension numbers
  using layout_type  = Layout;                        ///< the layout that this is the mapping of

  static constexpr std::size_t padding_value = Padding;  ///< rows start at multiples of this; 0 without padding

  constexpr LinearMapping() : LinearMapping(Extents()) {}
  /// The mapping of these extents. With padding, rows start at multiples of it.
  KOKKOS_FUNCTION constexpr LinearMapping(Extents const& e) noexcept : m_extents(e) {
    if constexpr (is_padded) pad(Padding == dynamic_extent ? 1 : static_cast<index_type>(Padding));
  }
  /// Rows start at multiples of `padding`.
  template <class I>
    requires(Padding > 0 && std::is_convertible_v<I, index_type>)
  KOKKOS_FUNCTION constexpr LinearMapping(Extents const& e, I padding) : m_extents(e) {
    if constexpr (is_padded) pad(static_cast<index_type>(padding));
  }
  /// From a strided mapping with the same offsets. Its strides must match this layout, unless the ranks or layouts
  /// already guarantee it. In that case the conversion is implicit if the conversion of the extents is implicit.
  template <StridedMapping Other>
    requires(!std::is_same_v<Other, LinearMapping> && std::is_constructible_v<Extents, typename Other::extents_type>)
  KOKKOS_FUNCTION explicit(
      !(std::is_convertible_v<typename Other::extents_type, Extents> &&
        (std::is_same_v<typename Other::layout_type, Layout> || Extents::rank() == 0 ||
         (Extents::rank() == 1 && Other::is_always_exhaustive())))) constexpr LinearMapping(Other const& other)
      : m_extents(other.extents()) {
    if constexpr (is_padded) this->padded_stride = static_cast<index_type>(other.stride(second));
  }

  KOKKOS_FUNCTION constexpr Extents const& extents() const noexcept { return m_extents; }  ///< the shape
  /// One more than the largest offset; 0 without elements.
  KOKKOS_FUNCTION constexpr index_type required_span_size() const noexcept {
    return Kokkos::MDSpanImpl::strided_span_size(*this);
  }

  /// The offset of an element, in elements.
  template <class... I>
    requires(sizeof...(I) == Extents::rank() && (std::is_convertible_v<I, index_type> && ...))
  KOKKOS_FUNCTION constexpr index_type operator()(I... indices) const noexcept {
    if constexpr (sizeof...(I) == 0) {
      return 0;
    } else {
      index_type const i[]       = {static_cast<index_type>(indices)...};
      constexpr std::size_t rank = Extents::rank();
      index_type offset          = Left ? i[rank - 1] : i[0];
      for (std::size_t k = 1; k < rank; ++k) {  // Horner's rule, from the slowest index to the fastest
        std::size_t const r = Left ? rank - 1 - k : k;
        offset              = offset * row_length(r) + i[r];
      }
      return offset;
    }
  }

  /// Different indices always have different offsets: true.
  KOKKOS_FUNCTION static constexpr bool is_always_unique() noexcept { return true; }
  /// Each dimension always has a constant stride: true.
  KOKKOS_FUNCTION static constexpr bool is_always_strided() noexcept { return true; }
  /// Whether no mapping of this type has gaps between elements.
  KOKKOS_FUNCTION static constexpr bool is_always_exhaustive() noexcept { return !is_padded; }
  /// Different indices always have different offsets: true.
  KOKKOS_FUNCTION static constexpr bool is_unique() noexcept { return true; }
  /// Each dimension always has a constant stride: true.
  KOKKOS_FUNCTION static constexpr bool is_strided() noexcept { return true; }
  /// Whether there are no gaps between elements.
  KOKKOS_FUNCTION constexpr bool is_exhaustive() const noexcept {
    if constexpr (is_padded)
      return this->padded_stride == m_extents.extent(fastest);
    else
      return true;
  }

  /// Distance in elements from one index of dimension r to the next.
  KOKKOS_FUNCTION constexpr index_type stride(rank_type r) const noexcept {
    index_type product = 1;
    if constexpr (Left) {
      for (rank_type k = 0; k < r; ++k) product *= row_length(k);
    } else {
      for (rank_type k = r + 1; k < Extents::rank(); ++k) product *= row_length(k);
    }
    return product;
  }
  /// The stride of each dimension, in elements. Only for padded layouts, as in the C++ standard.
  constexpr std::array<index_type, Extents::rank()> strides() const noexcept
    requires(Padding > 0)
  {
    std::array<index_type, Extents::rank()> list{};
    for (rank_type r = 0; r < Extents::rank(); ++r) list[r] = stride(r);
    return list;
  }

  /// Whether extents and strides are equal.
  template <class OtherLayout, class OtherExtents, std::size_t OtherPadding>
  KOKKOS_FUNCTION friend constexpr bool operator==(
      LinearMapping const& a, LinearMapping<OtherLayout, OtherExtents, Left, OtherPadding> const& b) noexcept {
    if (!(a.extents() == b.extents())) return false;
    if constexpr (Extents::rank() > 1 && OtherExtents::rank() > 1)
      return static_cast<std::size_t>(a.stride(second)) == static_cast<std::size_t>(b.stride(second));
    else
      return true;
  }

 private:
  static constexpr std::size_t fastest = Left ? 0 : Extents::rank() - 1;
  static constexpr std::size_t second  = Left ? 1 : Extents::rank() - 2;

  /// Factor between dimension r and the next slower one.
  KOKKOS_FUNCTION constexpr index_type row_length(std::size_t r) const noexcept {
    if constexpr (is_padded)
      if (r == fastest) return this->padded_stride;
    return m_extents.extent(r);
  }
  KOKKOS_FUNCTION constexpr void pad(index_type to) noexcept {
    index_type const extent = m_extents.extent(fastest);
    this->padded_stride     = to > 1 ? (extent + to - 1) / to * to : extent;
  }

  Extents m_extents;
};

}  // namespace MDSpanImpl

/// The first index is the fastest.
struct layout_left {
  template <class Extents>
  struct mapping : MDSpanImpl::LinearMapping<layout_left, Extents, true, 0> {
    using MDSpanImpl::LinearMapping<layout_left, Extents, true, 0>::LinearMapping;
  };
};

/// The last index is the fastest.
struct layout_right {
  template <class Extents>
  struct mapping : MDSpanImpl::LinearMapping<layout_right, Extents, false, 0> {
    using MDSpanImpl::LinearMapping<layout_right, Extents, false, 0>::LinearMapping;
  };
};

/// A stride for each dimension.
struct layout_stride {
  /// The mapping with a stride for each dimension.
  template <class Extents>
  class mapping {
   public:
    using extents_type = Extents;                       ///< the shape
    using index_type   = typename Extents::index_type;  ///< type of an index
    using size_type    = typename Extents::size_type;   ///< unsigned index_type
    using rank_type    = typename Extents::rank_type;   ///< type of dimension numbers
    using layout_type  = layout_stride;                 ///< layout_stride

    constexpr mapping() : mapping(layout_right::mapping<Extents>()) {}
    /// These extents, with a stride for each dimension, in elements.
    template <class I>
      requires std::is_convertible_v<I const&, index_type>
    KOKKOS_FUNCTION constexpr mapping(Extents const& e, std::array<I, Extents::rank()> const& strides) noexcept
        : m_extents(e) {
      for (rank_type r = 0; r < Extents::rank(); ++r) m_strides[r] = static_cast<index_type>(strides.data()[r]);
    }
    /// From another mapping that has strides.
    template <MDSpanImpl::StridedMapping Other>
      requires(!std::is_same_v<Other, mapping> && std::is_constructible_v<Extents, typename Other::extents_type>)
    KOKKOS_FUNCTION explicit(!std::is_convertible_v<typename Other::extents_type, Extents>) constexpr mapping(
        Other const& other) noexcept
        : m_extents(other.extents()) {
      for (rank_type r = 0; r < Extents::rank(); ++r) m_strides[r] = static_cast<index_type>(other.stride(r));
    }

    KOKKOS_FUNCTION constexpr Extents const& extents() const noexcept { return m_extents; }  ///< the shape
    /// The stride of each dimension, in elements.
    constexpr std::array<index_type, Extents::rank()> strides() const noexcept {
      std::array<index_type, Extents::rank()> list{};
      for (rank_type r = 0; r < Extents::rank(); ++r) list[r] = m_strides[r];
      return list;
    }
    /// One more than the largest offset; 0 without elements.
    KOKKOS_FUNCTION constexpr index_type required_span_size() const noexcept {
      return MDSpanImpl::strided_span_size(*this);
    }

    /// The offset of an element, in elements.
    template <class... I>
      requires(sizeof...(I) == Extents::rank() && (std::is_convertible_v<I, index_type> && ...))
    KOKKOS_FUNCTION constexpr index_type operator()(I... indices) const noexcept {
      index_type const i[] = {static_cast<index_type>(indices)..., index_type(0)};
      index_type offset    = 0;
      for (rank_type r = 0; r < Extents::rank(); ++r) offset += i[r] * m_strides[r];
      return offset;
    }

    /// Different indices have different offsets: true, because the constructor requires such strides.
    KOKKOS_FUNCTION static constexpr bool is_always_unique() noexcept { return true; }
    /// Each dimension always has a constant stride: true.
    KOKKOS_FUNCTION static constexpr bool is_always_strided() noexcept { return true; }
    KOKKOS_FUNCTION static constexpr bool is_always_exhaustive() noexcept {
      return false;
    }  ///< false: there may be gaps
    /// Different indices have different offsets: true, because the constructor requires such strides.
    KOKKOS_FUNCTION static constexpr bool is_unique() noexcept { return true; }
    /// Each dimension always has a constant stride: true.
    KOKKOS_FUNCTION static constexpr bool is_strided() noexcept { return true; }
    /// Whether there are no gaps between elements.
    KOKKOS_FUNCTION constexpr bool is_exhaustive() const noexcept {
      return required_span_size() == MDSpanImpl::extent_product(m_extents, 0, Extents::rank());
    }
    /// Distance in elements from one index of dimension r to the next.
    KOKKOS_FUNCTION constexpr index_type stride(rank_type r) const noexcept { return m_strides[r]; }

    /// Whether extents and strides are equal.
    template <MDSpanImpl::StridedMapping Other>
    KOKKOS_FUNCTION friend constexpr bool operator==(mapping const& a, Other const& b) noexcept {
      if (!(a.extents() == b.extents())) return false;
      for (rank_type r = 0; r < Extents::rank(); ++r)
        if (static_cast<std::size_t>(a.stride(r)) != static_cast<std::size_t>(b.stride(r))) return false;
      return true;
    }

   private:
    Extents m_extents;
    index_type m_strides[Extents::rank() > 0 ? Extents::rank() : 1] = {};
  };
};

namespace Experimental {

/// layout_left whose columns may start at multiples of a padding value.
template <std::size_t Padding = dynamic_extent>
struct layout_left_padded {
  template <class Extents>
  struct mapping : Kokkos::MDSpanImpl::LinearMapping<layout_left_padded, Extents, true, Padding> {
    using Kokkos::MDSpanImpl::LinearMapping<layout_left_padded, Extents, true, Padding>::LinearMapping;
  };
};

/// layout_right whose rows may start at multiples of a padding value.
template <std::size_t Padding = dynamic_extent>
struct layout_right_padded {
  template <class Extents>
  struct mapping : Kokkos::MDSpanImpl::LinearMapping<layout_right_padded, Extents, false, Padding> {
    using Kokkos::MDSpanImpl::LinearMapping<layout_right_padded, Extents, false, Padding>::LinearMapping;
  };
};

}  // namespace Experimental
}  // namespace Kokkos

#endif
