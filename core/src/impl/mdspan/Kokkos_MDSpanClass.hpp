// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_MDSPAN_CLASS_HPP
#define KOKKOS_MDSPAN_CLASS_HPP

/// \file
/// mdspan and default_accessor ([mdspan.mdspan], [mdspan.accessor.default]).

#include <impl/mdspan/Kokkos_MDSpanLayouts.hpp>

// Programs choose between `[]` and `()` by these macros, which upstream has from the mdspan that it carries.
#ifndef MDSPAN_USE_BRACKET_OPERATOR
#ifdef __cpp_multidimensional_subscript
#define MDSPAN_USE_BRACKET_OPERATOR 1
#else
/// Whether `[]` takes several indices; 1 if the compiler supports it.
#define MDSPAN_USE_BRACKET_OPERATOR 0
#endif
#endif
#ifndef MDSPAN_USE_PAREN_OPERATOR
/// Whether `()` takes indices.
#define MDSPAN_USE_PAREN_OPERATOR 1
#endif

namespace Kokkos {

namespace MDSpanImpl {
/// Throws std::out_of_range for an index of dimension r.
[[noreturn]] void throw_out_of_range(std::size_t r, long long index, long long extent);
}  // namespace MDSpanImpl

/// Accesses elements through a pointer.
template <class ElementType>
struct default_accessor {
  using offset_policy    = default_accessor;  ///< the accessor of a part of the elements
  using element_type     = ElementType;       ///< type of an element
  using reference        = ElementType&;      ///< what access() returns
  using data_handle_type = ElementType*;      ///< pointer to the first element

  constexpr default_accessor() noexcept = default;
  /// Converts from the accessor of elements without const.
  template <class Other>
    requires std::is_convertible_v<Other (*)[], ElementType (*)[]>
  KOKKOS_FUNCTION constexpr default_accessor(default_accessor<Other>) noexcept {}

  /// Element i of a handle.
  KOKKOS_FUNCTION constexpr reference access(data_handle_type p, std::size_t i) const noexcept { return p[i]; }
  /// The handle of the elements from i on.
  KOKKOS_FUNCTION constexpr data_handle_type offset(data_handle_type p, std::size_t i) const noexcept { return p + i; }
};

/// A multi-dimensional view of elements that it does not own: a handle to elements, a mapping from indices to offsets,
/// and an accessor from offsets to references. Elements are accessed by `()`, and by `[]` if the compiler supports it
/// with several indices.
template <class T, class E, class Layout = layout_right, class Accessor = default_accessor<T>>
class mdspan {
  static_assert(MDSpanImpl::is_extents<E>, "The second argument of Kokkos::mdspan is a Kokkos::extents.");

 public:
  // Element types and access
  using value_type       = std::remove_cv_t<T>;                  ///< element_type without const
  using element_type     = T;                                    ///< type of an element
  using accessor_type    = Accessor;                             ///< turns a handle and an offset into a reference
  using reference        = typename Accessor::reference;         ///< what an access returns
  using data_handle_type = typename Accessor::data_handle_type;  ///< a pointer, with default_accessor
  // Shape and mapping
  using mapping_type = typename Layout::template mapping<E>;  ///< maps indices to offsets
  using layout_type  = Layout;                                ///< selects the mapping
  using extents_type = E;                                     ///< the shape
  using rank_type    = typename E::rank_type;                 ///< type of dimension numbers
  using size_type    = typename E::size_type;                 ///< unsigned index_type
  using index_type   = typename E::index_type;                ///< type of an index

  KOKKOS_FUNCTION static constexpr auto rank() noexcept -> rank_type { return E::rank(); }  ///< number of dimensions
  /// Number of dimensions with a run-time extent.
  KOKKOS_FUNCTION static constexpr auto rank_dynamic() noexcept -> rank_type { return E::rank_dynamic(); }
  /// The extent of dimension r in the type; dynamic_extent for a run-time extent.
  KOKKOS_FUNCTION static constexpr std::size_t static_extent(rank_type r) noexcept {
    return extents_type::static_extent(r);
  }
  /// Number of indices of dimension r.
  KOKKOS_FUNCTION constexpr index_type extent(rank_type r) const noexcept { return extents().extent(r); }

  KOKKOS_FUNCTION constexpr mdspan()
    requires(rank_dynamic() > 0)
      : m() {}
  /// Refers to the elements at p. `sizes` are the run-time extents, or all extents.
  template <class... I>
    requires((MDSpanImpl::MDSpanIndex<I, index_type> && ...) &&
             (sizeof...(I) == E::rank() || sizeof...(I) == E::rank_dynamic()) &&
             std::is_constructible_v<mapping_type, extents_type>)
  KOKKOS_FUNCTION explicit constexpr mdspan(data_handle_type p, I... sizes)
      : m(p, mapping_type(make_extents(sizes...)), accessor_type()) {}
  /// Like the constructor above, for an array of extents.
  template <class I, std::size_t N>
    requires(N == E::rank() || N == E::rank_dynamic())
  KOKKOS_FUNCTION explicit(N != rank_dynamic()) constexpr mdspan(data_handle_type p, std::array<I, N> const& sizes)
      : m(p, mapping_type(extents_type(sizes)), accessor_type()) {}
  /// Refers to the elements at p, with the default mapping of these extents.
  KOKKOS_FUNCTION constexpr mdspan(data_handle_type p, extents_type const& e)
    requires std::is_constructible_v<mapping_type, extents_type const&>
      : m(p, mapping_type(e), accessor_type()) {}
  /// Refers to the elements at p, with a mapping.
  KOKKOS_FUNCTION constexpr mdspan(data_handle_type p, mapping_type const& map) : m(p, map, accessor_type()) {}
  /// Like the constructor above, with an accessor.
  KOKKOS_FUNCTION constexpr mdspan(data_handle_type p, mapping_type const& map, accessor_type const& accessor)
      : m(p, map, accessor) {}
  /// Refers to the elements of an mdspan of another type, whose extents, strides and accessor convert.
  template <class OtherElement, class OtherExtents, class OtherLayout, class OtherAccessor>
    requires(std::is_constructible_v<mapping_type, typename OtherLayout::template mapping<OtherExtents> const&> &&
             std::is_constructible_v<accessor_type, OtherAccessor const&>)
  KOKKOS_FUNCTION explicit(
      !std::is_convertible_v<typename OtherLayout::template mapping<OtherExtents> const&, mapping_type> ||
      !std::is_convertible_v<OtherAccessor const&, accessor_type>) constexpr mdspan(mdspan<OtherElement, OtherExtents,
                                                                                           OtherLayout,
                                                                                           OtherAccessor> const& other)
      : m(other.data_handle(), mapping_type(other.mapping()), accessor_type(other.accessor())) {}

  /// The element at these indices, one for each dimension; not checked.
  template <class... I>
    requires((MDSpanImpl::MDSpanIndex<I, index_type> && ...) && sizeof...(I) == E::rank())
  KOKKOS_FUNCTION constexpr reference operator()(I... indices) const {
    return accessor().access(m.handle, static_cast<std::size_t>(mapping()(static_cast<index_type>(indices)...)));
  }
#if defined(__cpp_multidimensional_subscript)
  template <class... I>
    requires((MDSpanImpl::MDSpanIndex<I, index_type> && ...) && sizeof...(I) == E::rank())
  KOKKOS_FUNCTION constexpr reference operator[](I... indices) const {
    return (*this)(indices...);
  }
#else
  /// The element at an index, for rank 1.
  template <class I>
    requires(MDSpanImpl::MDSpanIndex<I, index_type> && E::rank() == 1)
  KOKKOS_FUNCTION constexpr reference operator[](I index) const {
    return (*this)(index);
  }
#endif
  /// Like `operator[]` above, for an array of indices.
  template <class I>
  KOKKOS_FUNCTION constexpr reference operator()(std::array<I, E::rank()> const& indices) const {
    return element(indices, std::make_index_sequence<E::rank()>());
  }
  /// Like `operator[]` above, for an array of indices.
  template <class I>
  KOKKOS_FUNCTION constexpr reference operator[](std::array<I, E::rank()> const& indices) const {
    return element(indices, std::make_index_sequence<E::rank()>());
  }

  /// Like `operator()`, checked; for the host.
  /// \throws std::out_of_range if an index is negative or not less than its extent.
  template <class... I>
    requires((MDSpanImpl::MDSpanIndex<I, index_type> && ...) && sizeof...(I) == E::rank())
  constexpr reference at(I... indices) const {
    rank_type r = 0;
    (check_index(r++, static_cast<index_type>(indices)), ...);
    return (*this)(indices...);
  }
  /// Like `at` above, for an array of indices.
  template <class I>
  constexpr reference at(std::array<I, E::rank()> const& indices) const {
    for (rank_type r = 0; r < rank(); ++r) check_index(r, static_cast<index_type>(indices[r]));
    return (*this)(indices);
  }

  /// Number of elements.
  KOKKOS_FUNCTION constexpr size_type size() const noexcept {
    return static_cast<size_type>(MDSpanImpl::extent_product(extents(), 0, rank()));
  }
  /// Whether an extent is 0.
  [[nodiscard]] KOKKOS_FUNCTION constexpr bool empty() const noexcept { return size() == 0; }

  KOKKOS_FUNCTION constexpr extents_type const& extents() const noexcept { return mapping().extents(); }  ///< the shape
  /// Handle of the first element: a pointer, with default_accessor.
  KOKKOS_FUNCTION constexpr data_handle_type const& data_handle() const noexcept { return m.handle; }
  /// The mapping from indices to offsets.
  KOKKOS_FUNCTION constexpr mapping_type const& mapping() const noexcept { return m; }
  /// The accessor, which turns a handle and an offset into a reference.
  KOKKOS_FUNCTION constexpr accessor_type const& accessor() const noexcept { return m; }

  /// Whether, for every object of the type, different indices mean different elements.
  KOKKOS_FUNCTION static constexpr bool is_always_unique() { return mapping_type::is_always_unique(); }
  /// Whether, for every object of the type, the elements have no gaps in memory.
  KOKKOS_FUNCTION static constexpr bool is_always_exhaustive() { return mapping_type::is_always_exhaustive(); }
  /// Whether every object of the type has a constant stride in each dimension.
  KOKKOS_FUNCTION static constexpr bool is_always_strided() { return mapping_type::is_always_strided(); }
  /// Whether different indices mean different elements.
  KOKKOS_FUNCTION constexpr bool is_unique() const { return mapping().is_unique(); }
  /// Whether the elements have no gaps in memory.
  KOKKOS_FUNCTION constexpr bool is_exhaustive() const { return mapping().is_exhaustive(); }
  /// Whether each dimension has a constant stride.
  KOKKOS_FUNCTION constexpr bool is_strided() const { return mapping().is_strided(); }
  /// Distance in elements from one index of dimension r to the next.
  KOKKOS_FUNCTION constexpr index_type stride(rank_type r) const { return mapping().stride(r); }

 private:
  /// Mapping and accessor are base classes because they may be empty.
  struct Members : mapping_type, accessor_type {
    constexpr Members() = default;
    KOKKOS_FUNCTION constexpr Members(data_handle_type p, mapping_type const& map, accessor_type const& accessor)
        : mapping_type(map), accessor_type(accessor), handle(p) {}
    data_handle_type handle{};
  };

  constexpr void check_index(rank_type r, index_type index) const {
    bool negative = false;
    if constexpr (std::is_signed_v<index_type>) negative = index < 0;
    if (negative || index >= extent(r))
      MDSpanImpl::throw_out_of_range(r, static_cast<long long>(index), static_cast<long long>(extent(r)));
  }

  template <class... I>
  KOKKOS_FUNCTION static constexpr extents_type make_extents(I... sizes) {
    if constexpr (sizeof...(I) == 0)
      return extents_type();
    else
      return extents_type(static_cast<index_type>(sizes)...);
  }
  template <class I, std::size_t... R>
  KOKKOS_FUNCTION constexpr reference element(std::array<I, sizeof...(R)> const& indices,
                                              std::index_sequence<R...>) const {
    return (*this)(static_cast<index_type>(indices.data()[R])...);
  }

  Members m;
};

/// From a pointer and run-time extents.
template <class T, class... I>
  requires((std::is_convertible_v<I, std::size_t> && ...) && sizeof...(I) > 0)
mdspan(T*, I...) -> mdspan<T, extents<std::size_t, (static_cast<void>(sizeof(I)), dynamic_extent)...>>;
/// From a pointer and extents, in layout_right.
template <class T, class IndexType, std::size_t... E>
mdspan(T*, extents<IndexType, E...> const&) -> mdspan<T, extents<IndexType, E...>>;
/// From a pointer and a mapping.
template <class T, class Mapping>
mdspan(T*, Mapping const&) -> mdspan<T, typename Mapping::extents_type, typename Mapping::layout_type>;

namespace MDSpanImpl {

template <class T>
inline constexpr bool is_mdspan = false;
template <class T, class E, class L, class A>
inline constexpr bool is_mdspan<mdspan<T, E, L, A>> = true;

}  // namespace MDSpanImpl
}  // namespace Kokkos

#endif
