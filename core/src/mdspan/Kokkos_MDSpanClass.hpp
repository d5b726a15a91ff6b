// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_MDSPAN_CLASS_HPP
#define KOKKOS_MDSPAN_CLASS_HPP

/// \file
/// mdspan and default_accessor ([mdspan.mdspan], [mdspan.accessor.default]).

#include <mdspan/Kokkos_MDSpanLayouts.hpp>

// Programs choose between `[]` and `()` by these macros, which upstream has from the mdspan that it carries.
#ifndef MDSPAN_USE_BRACKET_OPERATOR
#ifdef __cpp_multidimensional_subscript
#define MDSPAN_USE_BRACKET_OPERATOR 1
#else
#define MDSPAN_USE_BRACKET_OPERATOR 0
#endif
#endif
#ifndef MDSPAN_USE_PAREN_OPERATOR
#define MDSPAN_USE_PAREN_OPERATOR 1
#endif

namespace Kokkos {

/// Accesses elements through a pointer.
template <class ElementType>
struct default_accessor {
  using offset_policy    = default_accessor;
  using element_type     = ElementType;
  using reference        = ElementType&;
  using data_handle_type = ElementType*;

  constexpr default_accessor() noexcept = default;
  template <class Other>
  requires std::is_convertible_v<Other (*)[], ElementType (*)[]> KOKKOS_FUNCTION constexpr default_accessor(
      default_accessor<Other>) noexcept {}

  KOKKOS_FUNCTION constexpr reference access(data_handle_type p, std::size_t i) const noexcept { return p[i]; }
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
  using value_type       = std::remove_cv_t<T>;
  using element_type     = T;
  using accessor_type    = Accessor;
  using reference        = typename Accessor::reference;
  using data_handle_type = typename Accessor::data_handle_type;
  // Shape and mapping
  using mapping_type = typename Layout::template mapping<E>;
  using layout_type  = Layout;
  using extents_type = E;
  using rank_type    = typename E::rank_type;
  using size_type    = typename E::size_type;
  using index_type   = typename E::index_type;

  KOKKOS_FUNCTION static constexpr auto rank() noexcept -> rank_type { return E::rank(); }
  KOKKOS_FUNCTION static constexpr auto rank_dynamic() noexcept -> rank_type { return E::rank_dynamic(); }
  KOKKOS_FUNCTION static constexpr std::size_t static_extent(rank_type r) noexcept {
    return extents_type::static_extent(r);
  }
  KOKKOS_FUNCTION constexpr index_type extent(rank_type r) const noexcept { return extents().extent(r); }

  KOKKOS_FUNCTION constexpr mdspan() requires(rank_dynamic() > 0) : m() {}
  template <class... I>
  requires((MDSpanImpl::MDSpanIndex<I, index_type> && ...) &&
           (sizeof...(I) == E::rank() || sizeof...(I) == E::rank_dynamic()) &&
           std::is_constructible_v<mapping_type, extents_type>) KOKKOS_FUNCTION
      explicit constexpr mdspan(data_handle_type p, I... sizes)
      : m(p, mapping_type(make_extents(sizes...)), accessor_type()) {}
  template <class I, std::size_t N>
  requires(N == E::rank() || N == E::rank_dynamic()) KOKKOS_FUNCTION
      explicit(N != rank_dynamic()) constexpr mdspan(data_handle_type p, std::array<I, N> const& sizes)
      : m(p, mapping_type(extents_type(sizes)), accessor_type()) {}
  KOKKOS_FUNCTION constexpr mdspan(
      data_handle_type p, extents_type const& e) requires std::is_constructible_v<mapping_type, extents_type const&>
      : m(p, mapping_type(e), accessor_type()) {}
  KOKKOS_FUNCTION constexpr mdspan(data_handle_type p, mapping_type const& map) : m(p, map, accessor_type()) {}
  KOKKOS_FUNCTION constexpr mdspan(data_handle_type p, mapping_type const& map, accessor_type const& accessor)
      : m(p, map, accessor) {}
  template <class OtherElement, class OtherExtents, class OtherLayout, class OtherAccessor>
  requires(std::is_constructible_v<mapping_type, typename OtherLayout::template mapping<OtherExtents> const&>&&
               std::is_constructible_v<accessor_type, OtherAccessor const&>) KOKKOS_FUNCTION
      explicit(!std::is_convertible_v<typename OtherLayout::template mapping<OtherExtents> const&, mapping_type> ||
               !std::is_convertible_v<OtherAccessor const&,
                                      accessor_type>) constexpr mdspan(mdspan<OtherElement, OtherExtents, OtherLayout,
                                                                              OtherAccessor> const& other)
      : m(other.data_handle(), mapping_type(other.mapping()), accessor_type(other.accessor())) {}

  template <class... I>
  requires((MDSpanImpl::MDSpanIndex<I, index_type> && ...) && sizeof...(I) == E::rank()) KOKKOS_FUNCTION
      constexpr reference
      operator()(I... indices) const {
    return accessor().access(m.handle, static_cast<std::size_t>(mapping()(static_cast<index_type>(indices)...)));
  }
#if defined(__cpp_multidimensional_subscript)
  template <class... I>
  requires((MDSpanImpl::MDSpanIndex<I, index_type> && ...) && sizeof...(I) == E::rank()) KOKKOS_FUNCTION
      constexpr reference
      operator[](I... indices) const {
    return (*this)(indices...);
  }
#else
  template <class I>
  requires(MDSpanImpl::MDSpanIndex<I, index_type>&& E::rank() == 1) KOKKOS_FUNCTION constexpr reference operator[](
      I index) const {
    return (*this)(index);
  }
#endif
  template <class I>
  KOKKOS_FUNCTION constexpr reference operator()(std::array<I, E::rank()> const& indices) const {
    return at(indices, std::make_index_sequence<E::rank()>());
  }
  template <class I>
  KOKKOS_FUNCTION constexpr reference operator[](std::array<I, E::rank()> const& indices) const {
    return at(indices, std::make_index_sequence<E::rank()>());
  }

  KOKKOS_FUNCTION constexpr size_type size() const noexcept {
    return static_cast<size_type>(MDSpanImpl::extent_product(extents(), 0, rank()));
  }
  [[nodiscard]] KOKKOS_FUNCTION constexpr bool empty() const noexcept { return size() == 0; }

  KOKKOS_FUNCTION constexpr extents_type const& extents() const noexcept { return mapping().extents(); }
  KOKKOS_FUNCTION constexpr data_handle_type const& data_handle() const noexcept { return m.handle; }
  KOKKOS_FUNCTION constexpr mapping_type const& mapping() const noexcept { return m; }
  KOKKOS_FUNCTION constexpr accessor_type const& accessor() const noexcept { return m; }

  KOKKOS_FUNCTION static constexpr bool is_always_unique() { return mapping_type::is_always_unique(); }
  KOKKOS_FUNCTION static constexpr bool is_always_exhaustive() { return mapping_type::is_always_exhaustive(); }
  KOKKOS_FUNCTION static constexpr bool is_always_strided() { return mapping_type::is_always_strided(); }
  KOKKOS_FUNCTION constexpr bool is_unique() const { return mapping().is_unique(); }
  KOKKOS_FUNCTION constexpr bool is_exhaustive() const { return mapping().is_exhaustive(); }
  KOKKOS_FUNCTION constexpr bool is_strided() const { return mapping().is_strided(); }
  KOKKOS_FUNCTION constexpr index_type stride(rank_type r) const { return mapping().stride(r); }

 private:
  /// Mapping and accessor are base classes because they may be empty.
  struct Members : mapping_type, accessor_type {
    constexpr Members() = default;
    KOKKOS_FUNCTION constexpr Members(data_handle_type p, mapping_type const& map, accessor_type const& accessor)
        : mapping_type(map), accessor_type(accessor), handle(p) {}
    data_handle_type handle{};
  };

  template <class... I>
  KOKKOS_FUNCTION static constexpr extents_type make_extents(I... sizes) {
    if constexpr (sizeof...(I) == 0)
      return extents_type();
    else
      return extents_type(static_cast<index_type>(sizes)...);
  }
  template <class I, std::size_t... R>
  KOKKOS_FUNCTION constexpr reference at(std::array<I, sizeof...(R)> const& indices, std::index_sequence<R...>) const {
    return (*this)(static_cast<index_type>(indices.data()[R])...);
  }

  Members m;
};

template <class T, class... I>
requires((std::is_convertible_v<I, std::size_t> && ...) && sizeof...(I) > 0) mdspan(T*, I...)
->mdspan<T, extents<std::size_t, (static_cast<void>(sizeof(I)), dynamic_extent)...>>;
template <class T, class IndexType, std::size_t... E>
mdspan(T*, extents<IndexType, E...> const&) -> mdspan<T, extents<IndexType, E...>>;
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
