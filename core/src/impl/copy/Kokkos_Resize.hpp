// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_COPY_RESIZE_HPP
#define KOKKOS_COPY_RESIZE_HPP

/// \file
/// resize and realloc: other extents for a view, with or without its elements.
///
/// The view gets new memory under its label; other views of the old memory keep it. Optional first arguments are
/// WithoutInitializing, SequentialHostInit, AllowPadding, an execution space instance, or view_alloc(...) of these.
/// With an instance everything runs in its order, without a fence at the end.

#include <Kokkos_View.hpp>
#include <impl/copy/Kokkos_DeepCopy.hpp>

#include <cstddef>
#include <string>
#include <type_traits>

namespace Kokkos {
namespace Impl {

template <class P>
concept ResizeProperty =
    is_view_properties_v<P> || is_execution_space_v<P> || std::is_same_v<P, WithoutInitializing_t> ||
    std::is_same_v<P, SequentialHostInit_t> || std::is_same_v<P, AllowPadding_t>;

template <ResizeProperty Property>
auto resize_properties(Property const& property) {
  if constexpr (is_view_properties_v<Property>) {
    static_assert(!Property::has_label,
                  "Kokkos::resize and realloc keep the label: view_alloc must not have one here.");
    static_assert(!Property::has_pointer,
                  "Kokkos::resize and realloc allocate: view_alloc must not have a pointer here.");
    static_assert(!Property::has_memory_space,
                  "Kokkos::resize and realloc keep the memory space: view_alloc must not have one here.");
    return property;
  } else {
    return Kokkos::view_alloc(property);
  }
}

/// Whether the view already has the extents, and for LayoutStride the strides, of this layout.
template <class ViewType>
bool has_shape(ViewType const& view, typename ViewType::array_layout const& layout) {
  for (std::size_t r = 0; r < ViewType::rank_dynamic(); ++r) {
    if (layout.dimension[r] != view.extent(r)) return false;
  }
  if constexpr (std::is_same_v<typename ViewType::array_layout, LayoutStride>) {
    for (std::size_t r = 0; r < ViewType::rank(); ++r) {
      if (layout.stride[r] != view.stride(r)) return false;
    }
  }
  return view.is_allocated();
}

/// Copies the elements whose indices exist in both views.
template <class Properties, class ViewType>
void copy_common_elements([[maybe_unused]] Properties const& properties, ViewType const& to, ViewType const& from) {
  CopySide dst = Impl::copy_side(to);
  CopySide src = Impl::copy_side(from);
  for (std::size_t r = 0; r < ViewType::rank(); ++r) {
    dst.extent[r] = src.extent[r] = dst.extent[r] < src.extent[r] ? dst.extent[r] : src.extent[r];
  }
  if (dst.size() == 0 || src.data == nullptr) return;
  if constexpr (Properties::has_execution_space) {
    Impl::copy_sides<ViewType, ViewType>(properties.exec, dst, src, nullptr);
  } else {
    Impl::copy_sides<ViewType, ViewType>(None(), dst, src, nullptr);
  }
}

template <class Properties, class ViewType>
void resize_view(Properties const& properties, ViewType& view, typename ViewType::array_layout const& layout) {
  static_assert(ViewType::traits::is_managed,
                "Kokkos::resize: an unmanaged view has no memory of its own to be resized.");
  if (Impl::has_shape(view, layout)) return;
  ViewType const resized(Impl::with_default_properties(properties, view.label()), layout);
  Impl::copy_common_elements(properties, resized, view);
  view = resized;
}

template <class Properties, class ViewType>
void realloc_view(Properties const& properties, ViewType& view, typename ViewType::array_layout const& layout) {
  static_assert(ViewType::traits::is_managed, "Kokkos::realloc: an unmanaged view has no memory of its own.");
  using T = typename ViewType::value_type;
  if (Impl::has_shape(view, layout)) {
    // The memory can be reused; only its elements must be new.
    if constexpr (!Properties::initialize) {
      return;
    } else if constexpr (!Properties::sequential_host_init && std::is_copy_assignable_v<T>) {
      if constexpr (Properties::has_execution_space) {
        Kokkos::deep_copy(properties.exec, view, T{});
      } else {
        Kokkos::deep_copy(view, T{});
      }
      return;
    }
  }
  // Frees the old memory first, because there may not be enough for both.
  std::string const label = view.label();
  view                    = ViewType();
  view                    = ViewType(Impl::with_default_properties(properties, label), layout);
}

template <class ViewType, class... N>
concept ExtentsFor = bool(ViewType::array_layout::is_extent_constructible) && sizeof...(N) <= ARRAY_LAYOUT_MAX_RANK &&
                     (std::is_convertible_v<N, std::size_t> && ...);

}  // namespace Impl

/// @{
/// Sets the view's run-time extents to `n`. Elements whose indices exist before and after keep their value; new ones
/// are value-initialized (or not, with WithoutInitializing). Has no effect if the view already has these extents.
/// `layout` contains the extents, and strides if the layout stores them. `property` is an execution space instance,
/// WithoutInitializing, SequentialHostInit, AllowPadding or view_alloc(...).
/// \throws std::runtime_error if there is not enough memory; the view is then unchanged.
template <class T, class... P, class... N>
  requires Impl::ExtentsFor<View<T, P...>, N...>
void resize(View<T, P...>& view, N... n) {
  using Layout = typename View<T, P...>::array_layout;
  Impl::resize_view(view_alloc(), view, Layout(static_cast<std::size_t>(n)...));
}
template <class T, class... P>
void resize(View<T, P...>& view, typename View<T, P...>::array_layout const& layout) {
  Impl::resize_view(view_alloc(), view, layout);
}
template <Impl::ResizeProperty Property, class T, class... P, class... N>
  requires Impl::ExtentsFor<View<T, P...>, N...>
void resize(Property const& property, View<T, P...>& view, N... n) {
  using Layout = typename View<T, P...>::array_layout;
  Impl::resize_view(Impl::resize_properties(property), view, Layout(static_cast<std::size_t>(n)...));
}
template <Impl::ResizeProperty Property, class T, class... P>
void resize(Property const& property, View<T, P...>& view, typename View<T, P...>::array_layout const& layout) {
  Impl::resize_view(Impl::resize_properties(property), view, layout);
}
/// @}

/// @{
/// Sets the view's run-time extents to `n` and creates new elements: value-initialized ones or, with
/// WithoutInitializing, of unspecified value. If the view already has these extents, it keeps its memory; otherwise it
/// releases the old memory first. The other arguments are those of resize.
/// \throws std::runtime_error if there is not enough memory; the view then refers to none.
template <class T, class... P, class... N>
  requires Impl::ExtentsFor<View<T, P...>, N...>
void realloc(View<T, P...>& view, N... n) {
  using Layout = typename View<T, P...>::array_layout;
  Impl::realloc_view(view_alloc(), view, Layout(static_cast<std::size_t>(n)...));
}
template <class T, class... P>
void realloc(View<T, P...>& view, typename View<T, P...>::array_layout const& layout) {
  Impl::realloc_view(view_alloc(), view, layout);
}
template <Impl::ResizeProperty Property, class T, class... P, class... N>
  requires Impl::ExtentsFor<View<T, P...>, N...>
void realloc(Property const& property, View<T, P...>& view, N... n) {
  using Layout = typename View<T, P...>::array_layout;
  Impl::realloc_view(Impl::resize_properties(property), view, Layout(static_cast<std::size_t>(n)...));
}
template <Impl::ResizeProperty Property, class T, class... P>
void realloc(Property const& property, View<T, P...>& view, typename View<T, P...>::array_layout const& layout) {
  Impl::realloc_view(Impl::resize_properties(property), view, layout);
}
/// @}

}  // namespace Kokkos

#endif
