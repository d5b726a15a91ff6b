// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_COPY_MIRROR_HPP
#define KOKKOS_COPY_MIRROR_HPP

/// \file
/// create_mirror, create_mirror_view and create_mirror_view_and_copy: views of the same shape and layout in another
/// memory, so that a deep_copy between both copies bytes only.
///
/// The arguments before the view: nothing (the mirror is for the host), WithoutInitializing, a memory or execution
/// space or a Device, both, or view_alloc(...) without a pointer or AllowPadding; a label is for create_mirror_view_and_copy only.

#include <Kokkos_View.hpp>
#include <impl/copy/Kokkos_DeepCopy.hpp>

#include <string>
#include <type_traits>

namespace Kokkos {
namespace Impl {

/// The view with its elements writable, in the memory of Space.
template <class ViewType, class Space>
using MirrorIn = View<typename ViewType::non_const_data_type, typename ViewType::array_layout, Space>;

/// A memory space, an execution space, or a Device, which stands for its memory space.
template <class Space>
concept AnySpace = is_space_v<Space>;

/// The argument before the view: a space, WithoutInitializing or view_alloc(...).
template <class P>
concept MirrorProperty = AnySpace<P> || std::is_same_v<P, WithoutInitializing_t> || is_view_properties_v<P>;

/// The properties of view_alloc(property). An execution space or a Device stands for its memory space: no instance
/// initializes the mirror. Only the mirror of create_mirror_view_and_copy may have a label of its own.
template <bool AllowsLabel = false, MirrorProperty Property>
auto mirror_properties([[maybe_unused]] Property const& property) {
  if constexpr (is_execution_space_v<Property> || is_device_v<Property>) {
    return Kokkos::view_alloc(typename Property::memory_space());
  } else if constexpr (is_view_properties_v<Property>) {
    static_assert(AllowsLabel || !Property::has_label,
                  "A mirror takes its label from the view: view_alloc must not have one here.");
    static_assert(!Property::has_pointer, "A mirror has memory of its own: view_alloc must not have a pointer here.");
    static_assert(!Property::allow_padding, "A mirror has the strides of the view: AllowPadding is not allowed here.");
    return property;
  } else {
    return Kokkos::view_alloc(property);
  }
}

/// The type of a mirror: in the space of the property, or for the host by default.
template <class ViewType, class Property>
struct MirrorType {
  using type = typename ViewType::host_mirror_type;
};
template <class ViewType, AnySpace Space>
struct MirrorType<ViewType, Space> {
  using type = MirrorIn<ViewType, Space>;
};
template <class ViewType, class Properties>
  requires(is_view_properties_v<Properties> && Properties::has_memory_space)
struct MirrorType<ViewType, Properties> {
  using type = MirrorIn<ViewType, typename Properties::memory_space>;
};
template <class ViewType, class Property>
using mirror_t = typename MirrorType<ViewType, Property>::type;

template <class A, class B>
inline constexpr bool same_memory_v = std::is_same_v<typename A::memory_space, typename B::memory_space>;

/// A mirror has the strides of the view, so that programs can also copy the span as bytes.
template <class Mirror, class Properties, class ViewType>
Mirror new_mirror(Properties const& properties, ViewType const& src, std::string const& label) {
  return Mirror(Impl::with_default_properties(properties, label), src.layout());
}

/// The label of a mirror of a view or container. A mirror of a mirror has the label of the first one, so that labels do
/// not grow where views are mirrored to and fro.
inline std::string mirror_label(std::string const& label) {
  constexpr char const* suffix = "_mirror";
  return label.ends_with(suffix) ? label : label + suffix;
}

template <class Mirror, class Properties, class ViewType>
Mirror new_mirror(Properties const& properties, ViewType const& src) {
  return Impl::new_mirror<Mirror>(properties, src, Impl::mirror_label(src.label()));
}

/// The view itself if it is in the requested memory, otherwise a new one.
template <class Mirror, bool OnHost, class Properties, class ViewType>
auto mirror_view([[maybe_unused]] Properties const& properties, ViewType const& src) {
  if constexpr (!same_memory_v<Mirror, ViewType>) {
    return Impl::new_mirror<Mirror>(properties, src);
  } else if constexpr (!OnHost) {
    // A view of const elements is its own mirror, too: its elements are readable there.
    return src;
  } else if constexpr (std::is_same_v<typename Mirror::data_type, typename ViewType::data_type>) {
    return Mirror(src);
  } else {
    // The elements of host_mirror_type are writable.
    return Impl::new_mirror<Mirror>(properties, src);
  }
}

/// The view itself if it is in the requested memory, otherwise a new one with the same elements.
template <class Mirror, class Properties, class ViewType>
auto mirror_view_and_copy([[maybe_unused]] Properties const& properties, ViewType const& src,
                          [[maybe_unused]] std::string const& label) {
  if constexpr (same_memory_v<Mirror, ViewType>) {
    // Like a deep_copy with nothing to copy, this waits for earlier work.
    if constexpr (!Properties::has_execution_space) Kokkos::fence("Kokkos::create_mirror_view_and_copy: fence");
    return src;
  } else {
    auto const mirror = [&] {
      // The copy overwrites all elements, so they need no initialization, unless assignment requires constructed
      // objects. Without a default constructor there can be none.
      using T                   = typename Mirror::value_type;
      constexpr bool needs_none = std::is_trivially_copyable_v<T> || !std::is_default_constructible_v<T>;
      if constexpr (needs_none && !Properties::sequential_host_init) {
        return Impl::new_mirror<Mirror>(Impl::with_default_properties(properties, WithoutInitializing), src, label);
      } else {
        return Impl::new_mirror<Mirror>(properties, src, label);
      }
    }();
    if constexpr (Properties::has_execution_space) {
      Kokkos::deep_copy(properties.exec, mirror, src);
    } else {
      Kokkos::deep_copy(mirror, src);
    }
    return mirror;
  }
}

}  // namespace Impl

// ---- create_mirror: always new memory -------------------------------------------------------------------------------

/// A view for the host with the extents and strides of `src`. Its label is the label of `src` followed by "_mirror",
/// which a mirror's own mirror does not repeat.
template <class T, class... P>
auto create_mirror(View<T, P...> const& src) {
  return Impl::new_mirror<typename View<T, P...>::host_mirror_type>(view_alloc(), src);
}

/// Like `create_mirror` above, in the memory of a space, without initialization, or with the properties of
/// view_alloc(...).
template <Impl::MirrorProperty Property, class T, class... P>
auto create_mirror(Property const& property, View<T, P...> const& src) {
  return Impl::new_mirror<Impl::mirror_t<View<T, P...>, Property>>(Impl::mirror_properties(property), src);
}

/// Like `create_mirror` above, in the memory of a space and without initialization.
template <Impl::AnySpace Space, class T, class... P>
auto create_mirror(Impl::WithoutInitializing_t, Space const& space, View<T, P...> const& src) {
  auto const properties = Impl::with_default_properties(Impl::mirror_properties(space), WithoutInitializing);
  return Impl::new_mirror<Impl::MirrorIn<View<T, P...>, Space>>(properties, src);
}

// ---- create_mirror_view: the view itself if possible ----------------------------------------------------------------

/// `src` itself if the host can access it, otherwise the result of create_mirror. A mirror for the host has writable
/// elements, so for a view of const elements it is always a new view.
template <class T, class... P>
auto create_mirror_view(View<T, P...> const& src) {
  return Impl::mirror_view<typename View<T, P...>::host_mirror_type, true>(view_alloc(), src);
}

/// With a space: `src` itself if it is in that memory. With WithoutInitializing, or view_alloc(...) without a memory
/// space: a mirror for the host.
template <Impl::MirrorProperty Property, class T, class... P>
auto create_mirror_view(Property const& property, View<T, P...> const& src) {
  auto const properties = Impl::mirror_properties(property);
  return Impl::mirror_view<Impl::mirror_t<View<T, P...>, Property>, !decltype(properties)::has_memory_space>(properties,
                                                                                                             src);
}

/// `src` itself if it is in the memory of the space, otherwise a mirror there without initialization.
template <Impl::AnySpace Space, class T, class... P>
auto create_mirror_view(Impl::WithoutInitializing_t, Space const& space, View<T, P...> const& src) {
  auto const properties = Impl::with_default_properties(Impl::mirror_properties(space), WithoutInitializing);
  return Impl::mirror_view<Impl::MirrorIn<View<T, P...>, Space>, false>(properties, src);
}

// ---- create_mirror_view_and_copy ------------------------------------------------------------------------------------

/// `src` itself if it is in the memory of the space (or of the memory space in view_alloc), otherwise a new view with
/// its elements, with the label in view_alloc or `name`, or that of `src`. With an execution space instance in
/// view_alloc, allocation and copy run in its order; otherwise the copy is complete when this returns.
template <Impl::MirrorProperty Property, class T, class... P>
auto create_mirror_view_and_copy(Property const& property, View<T, P...> const& src, std::string const& name = "") {
  auto const properties = Impl::mirror_properties<true>(property);
  static_assert(decltype(properties)::has_memory_space,
                "Kokkos::create_mirror_view_and_copy: the destination space is missing; view_alloc must have a memory "
                "space.");
  return Impl::mirror_view_and_copy<Impl::mirror_t<View<T, P...>, Property>>(properties, src,
                                                                             name.empty() ? src.label() : name);
}

/// Like `create_mirror_view_and_copy` above, for the host.
template <class T, class... P>
auto create_mirror_view_and_copy(View<T, P...> const& src) {
  return Kokkos::create_mirror_view_and_copy(typename View<T, P...>::host_mirror_type::memory_space(), src);
}

}  // namespace Kokkos

#endif
