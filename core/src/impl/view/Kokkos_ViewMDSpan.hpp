// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_VIEW_MDSPAN_HPP
#define KOKKOS_VIEW_MDSPAN_HPP

/// \file
/// The mdspan that corresponds to a view, its *natural mdspan*, and the conversions between the two.

#include <impl/mdspan/mdspan.hpp>
#include <impl/view/Kokkos_ViewHandle.hpp>
#include <impl/view/Kokkos_ViewTraits.hpp>

namespace Kokkos::Impl {

/// The mdspan layout of a view's layout; void if there is none.
template <class Layout>
struct MDSpanLayout : std::type_identity<void> {};
template <>
struct MDSpanLayout<LayoutLeft> : std::type_identity<Experimental::layout_left_padded<>> {};
template <>
struct MDSpanLayout<LayoutRight> : std::type_identity<Experimental::layout_right_padded<>> {};
template <>
struct MDSpanLayout<LayoutStride> : std::type_identity<layout_stride> {};

template <class Dimension, class Sequence>
struct MDSpanExtents;
template <class Dimension, std::size_t... R>
struct MDSpanExtents<Dimension, std::index_sequence<R...>> {
  using type = Kokkos::extents<std::size_t,
                               (Dimension::static_extent(R) == 0 ? dynamic_extent : Dimension::static_extent(R))...>;
};

/// The layout and the extents of a view's natural mdspan: those of its arguments, or those that suit its data type.
template <class Traits>
struct NaturalMDSpan {
  using layout = typename MDSpanLayout<typename Traits::array_layout>::type;
  using extents =
      typename MDSpanExtents<typename Traits::dimension, std::make_index_sequence<Traits::dimension::rank>>::type;
};
template <class Traits>
  requires requires { typename Traits::mdspan_layout; }
struct NaturalMDSpan<Traits> {
  using layout  = typename Traits::mdspan_layout;
  using extents = typename Traits::mdspan_extents;
};

/// Base of View: the types and functions for its natural mdspan. Empty for layouts without one.
template <class ViewType, class Traits, class Layout = typename NaturalMDSpan<Traits>::layout>
class ViewMDSpan {
 public:
  using layout_type  = Layout;
  using extents_type = typename NaturalMDSpan<Traits>::extents;
  using mapping_type = typename layout_type::template mapping<extents_type>;
  /// The natural mdspan, which refers to the elements by a pointer.
  using mdspan_type =
      mdspan<typename Traits::value_type, extents_type, layout_type, default_accessor<typename Traits::value_type>>;
  using rank_type        = typename mdspan_type::rank_type;
  using data_handle_type = view_handle_t<Traits>;
  using accessor_type    = view_accessor_t<Traits>;

  /// The address of the first element, with a share of the ownership if the view owns its memory.
  KOKKOS_FUNCTION constexpr data_handle_type data_handle() const {
    if constexpr (std::is_pointer_v<data_handle_type>)
      return view().data();
    else
      return data_handle_type(view().data(), view().impl_track());
  }
  /// Accesses elements from a data handle on, and makes handles of later elements.
  KOKKOS_FUNCTION constexpr accessor_type accessor() const { return accessor_type(); }

  /// The extents, and the function from indices to the offset of an element. Ends the program if the layout has no
  /// gaps in the type, but the view has some.
  KOKKOS_FUNCTION constexpr mapping_type mapping() const {
    constexpr std::size_t rank = extents_type::rank();
    if constexpr (rank == 0) {
      return mapping_type();
    } else {
      if constexpr (mapping_type::is_always_exhaustive()) {
        if (!view().span_is_contiguous())
          Kokkos::abort(
              "Kokkos::View::mapping: the rows of this view are padded, but layout_left and layout_right have "
              "no padding. Declare the view with layout_left_padded<> or layout_right_padded<>.");
      }
      std::array<std::size_t, rank> strides{};
      for (std::size_t r = 0; r < rank; ++r) strides.data()[r] = view().stride(r);
      return mapping_type(layout_stride::mapping<extents_type>(extents(), strides));
    }
  }
  /// Number of indices of each dimension.
  KOKKOS_FUNCTION constexpr extents_type extents() const {
    constexpr std::size_t rank = extents_type::rank();
    if constexpr (rank == 0) {
      return extents_type();
    } else {
      std::array<std::size_t, rank> list{};
      for (std::size_t r = 0; r < rank; ++r) list.data()[r] = view().extent(r);
      return extents_type(list);
    }
  }

  /// Whether there are no elements.
  [[nodiscard]] KOKKOS_FUNCTION constexpr bool empty() const { return view().size() == 0; }
  /// Different indices always mean different elements: true.
  KOKKOS_FUNCTION static constexpr bool is_always_unique() { return true; }
  /// Whether no view of this type has gaps between elements.
  KOKKOS_FUNCTION static constexpr bool is_always_exhaustive() { return mapping_type::is_always_exhaustive(); }
  /// Each dimension always has a constant stride: true.
  KOKKOS_FUNCTION static constexpr bool is_always_strided() { return true; }
  KOKKOS_FUNCTION constexpr bool is_unique() const { return true; }  ///< true
  /// Whether the elements have no gaps in memory.
  KOKKOS_FUNCTION constexpr bool is_exhaustive() const { return mapping().is_exhaustive(); }
  KOKKOS_FUNCTION constexpr bool is_strided() const { return true; }  ///< true

  /// The natural mdspan, with an accessor that the program supplies. Keeps the memory alive only with accessor().
  template <class Accessor = typename mdspan_type::accessor_type>
    requires std::is_assignable_v<typename Traits::value_type*&, typename Accessor::data_handle_type>
  KOKKOS_FUNCTION constexpr auto to_mdspan(Accessor const& accessor = Accessor()) const {
    using Result = mdspan<typename Accessor::element_type, extents_type, layout_type, Accessor>;
    if constexpr (std::is_same_v<typename Accessor::data_handle_type, typename ViewType::data_handle_type>)
      return Result(view().data_handle(), mapping(), accessor);
    else
      return Result(view().data(), mapping(), accessor);
  }

  template <class T, class E, class L, class A>
    requires std::is_constructible_v<mdspan<T, E, L, A>, mdspan_type>
  KOKKOS_FUNCTION constexpr operator mdspan<T, E, L, A>() const {
    return mdspan<T, E, L, A>(to_mdspan());
  }

 private:
  KOKKOS_FUNCTION constexpr ViewType const& view() const { return static_cast<ViewType const&>(*this); }
};
template <class ViewType, class Traits>
class ViewMDSpan<ViewType, Traits, void> {};

/// Whether a view can refer to the elements of an mdspan, and whether it does so implicitly.
template <class ViewType, class MDSpan>
concept NaturalMDSpanFrom = requires { typename ViewType::mdspan_type; } &&
                            std::is_constructible_v<typename ViewType::mdspan_type, MDSpan const&>;
template <class ViewType, class MDSpan>
inline constexpr bool converts_from_mdspan =
    !ViewType::traits::is_managed && std::is_convertible_v<MDSpan const&, typename ViewType::mdspan_type>;

/// The mapping of a view's natural mdspan.
template <class Mapping, class ViewType>
concept MappingOf =
    requires { typename ViewType::mdspan_type; } && std::is_same_v<Mapping, typename ViewType::mapping_type>;

/// Extents and strides of the mapping of a natural mdspan, as the shape of a new view. For LayoutLeft and LayoutRight
/// the only stride is the stride of rows.
template <class Shape, class Mapping>
KOKKOS_FUNCTION constexpr Shape shape_of_mapping(Mapping const& source) {
  using Layout               = typename Mapping::layout_type;
  constexpr std::size_t rank = Mapping::extents_type::rank();
  constexpr bool is_strided  = std::is_same_v<Layout, layout_stride>;
  constexpr bool is_left =
      std::is_same_v<Layout, Experimental::layout_left_padded<>> || std::is_same_v<Layout, layout_left>;
  constexpr std::size_t row = is_left ? 1 : rank - 2;
  Shape shape{};
  for (std::size_t r = 0; r < rank; ++r) {
    shape.extents.value[r] = source.extents().extent(r);
    if (is_strided || (rank > 1 && r == row)) shape.strides.value[r] = source.stride(r);
  }
  return shape;
}

}  // namespace Kokkos::Impl

#endif
