// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_VIEW_VIEWMDSPANARGUMENTS_HPP
#define KOKKOS_VIEW_VIEWMDSPANARGUMENTS_HPP

/// \file
/// The traits of a View that is declared by mdspan's arguments: `View<T, extents<int, dynamic_extent, 3>, layout_right,
/// Experimental::Accessor<T, Space>>`. Its index type is that of the extents.

#include <impl/mdspan/mdspan.hpp>
#include <impl/view/Kokkos_ViewHandle.hpp>
#include <impl/view/Kokkos_ViewTraits.hpp>

#include <cstddef>
#include <type_traits>

namespace Kokkos {
namespace Impl {

/// The view layout with the order of a layout of mdspan; void if there is none.
template <class Layout>
struct ViewLayoutOf : std::type_identity<void> {};
template <>
struct ViewLayoutOf<layout_left> : std::type_identity<LayoutLeft> {};
template <>
struct ViewLayoutOf<layout_right> : std::type_identity<LayoutRight> {};
template <>
struct ViewLayoutOf<layout_stride> : std::type_identity<LayoutStride> {};
template <>
struct ViewLayoutOf<Experimental::layout_left_padded<>> : std::type_identity<LayoutLeft> {};
template <>
struct ViewLayoutOf<Experimental::layout_right_padded<>> : std::type_identity<LayoutRight> {};

/// The data type with element T and these extents, of which the static ones must come last: `T**[3]`.
template <class T, std::size_t... E>
struct DataTypeOfExtents : std::type_identity<T> {};
template <class T, std::size_t First, std::size_t... E>
struct DataTypeOfExtents<T, First, E...> {
  static_assert(((E != dynamic_extent) && ...),
                "Kokkos::View: among the extents of a View, those at run time come before those in the type.");
  using type = typename DataTypeOfExtents<T, E...>::type[First];
};
template <class T, std::size_t... E>
struct DataTypeOfExtents<T, dynamic_extent, E...> : DataTypeOfExtents<T*, E...> {};

/// An accessor that names its memory.
template <class A>
concept ViewAccessorType = requires {
  typename A::memory_space;
  typename A::memory_traits;
};
template <class Layout, class A>
struct CheckedMDSpanArguments {
  static_assert(!std::is_void_v<typename ViewLayoutOf<Layout>::type>,
                "Kokkos::View: the layout of a View is layout_left, layout_right, layout_stride, or "
                "Experimental::layout_left_padded<> or layout_right_padded<>.");
  static_assert(
      ViewAccessorType<A>,
      "Kokkos::View: the accessor of a View names its memory space, as Experimental::Accessor<T, Space> does.");
};

}  // namespace Impl

/// The traits of a View that is declared by mdspan's arguments. `data_type` and `array_layout` are those of the View
/// with the same elements, to and from which it converts.
template <class T, class I, std::size_t... E, class Layout, class A>
struct ViewTraits<T, extents<I, E...>, Layout, A>
    : ViewTraits<typename Impl::DataTypeOfExtents<T, E...>::type, typename Impl::ViewLayoutOf<Layout>::type,
                 typename A::memory_space, typename A::memory_traits>,
      private Impl::CheckedMDSpanArguments<Layout, A> {
  using index_type     = I;                        ///< the type of an index
  using size_type      = std::make_unsigned_t<I>;  ///< unsigned index_type
  using mdspan_extents = extents<I, E...>;         ///< the type of extents()
  using mdspan_layout  = Layout;                   ///< the layout of mapping()
};

}  // namespace Kokkos

#endif
