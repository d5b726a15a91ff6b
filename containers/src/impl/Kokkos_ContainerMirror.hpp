// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_IMPL_CONTAINERMIRROR_HPP
#define KOKKOS_IMPL_CONTAINERMIRROR_HPP

/// \file
/// create_mirror, create_mirror_view and create_mirror_view_and_copy for all containers. They correspond to the
/// functions of copy/Kokkos_Mirror.hpp for views, and take the same arguments.

#include <Kokkos_Core.hpp>

#include <string>
#include <type_traits>

namespace Kokkos {
namespace Impl {

/// A container like a view: it declares the types of its mirrors, and creates a mirror of its own shape.
template <class C>
concept MirroredContainer = requires(C const& c) {
  typename C::host_mirror_type;
  typename C::template impl_mirror_in<HostSpace>;
  c.template impl_new_mirror<typename C::host_mirror_type>(view_alloc(), std::string());
};

/// Copies the elements of a container. A container that has a deep_copy of its own specializes it behind that function,
/// because a qualified call here finds only what has been declared before.
template <class C>
struct ContainerCopy {
  template <class Dst, class... Exec>
  static void run(Dst const& dst, C const& src, Exec const&... exec) {
    Kokkos::deep_copy(exec..., dst, src);
  }
};

template <class C, class Property>
struct ContainerMirror {
  using type = typename C::host_mirror_type;
};
template <class C, AnySpace Space>
struct ContainerMirror<C, Space> {
  using type = typename C::template impl_mirror_in<Space>;
};
template <class C, class Properties>
  requires(is_view_properties_v<Properties> && Properties::has_memory_space)
struct ContainerMirror<C, Properties> {
  using type = typename C::template impl_mirror_in<typename Properties::memory_space>;
};

template <class Mirror, class Properties, class C>
Mirror new_container_mirror(Properties const& properties, C const& src) {
  return src.template impl_new_mirror<Mirror>(properties, Impl::mirror_label(src.label()));
}

/// The container itself if it is in the requested memory, otherwise a new one.
template <class Mirror, bool OnHost, class Properties, class C>
auto container_mirror_view([[maybe_unused]] Properties const& properties, C const& src) {
  if constexpr (!same_memory_v<Mirror, C> ||
                (OnHost && !std::is_same_v<typename Mirror::value_type, typename C::value_type>))
    return Impl::new_container_mirror<Mirror>(properties, src);
  else if constexpr (OnHost)
    return Mirror(src);
  else
    return src;
}

}  // namespace Impl

/// @{
/// A new container of the same shape for the host, or in the memory of a space. Its elements are not copied. The
/// arguments before `src` are those of create_mirror for a View.
template <Impl::MirroredContainer C>
auto create_mirror(C const& src) {
  return Impl::new_container_mirror<typename C::host_mirror_type>(view_alloc(), src);
}
template <Impl::MirrorProperty Property, Impl::MirroredContainer C>
auto create_mirror(Property const& property, C const& src) {
  return Impl::new_container_mirror<typename Impl::ContainerMirror<C, Property>::type>(
      Impl::mirror_properties(property), src);
}
template <Impl::AnySpace Space, Impl::MirroredContainer C>
auto create_mirror(Impl::WithoutInitializing_t, Space const& space, C const& src) {
  auto const properties = Impl::with_default_properties(Impl::mirror_properties(space), WithoutInitializing);
  return Impl::new_container_mirror<typename C::template impl_mirror_in<Space>>(properties, src);
}
/// @}

/// @{
/// `src` itself if the host can access it, or with a space if it is in the memory of that space; otherwise the result
/// of create_mirror.
template <Impl::MirroredContainer C>
auto create_mirror_view(C const& src) {
  return Impl::container_mirror_view<typename C::host_mirror_type, true>(view_alloc(), src);
}
template <Impl::MirrorProperty Property, Impl::MirroredContainer C>
auto create_mirror_view(Property const& property, C const& src) {
  auto const properties = Impl::mirror_properties(property);
  return Impl::container_mirror_view<typename Impl::ContainerMirror<C, Property>::type,
                                     !decltype(properties)::has_memory_space>(properties, src);
}
template <Impl::AnySpace Space, Impl::MirroredContainer C>
auto create_mirror_view(Impl::WithoutInitializing_t, Space const& space, C const& src) {
  auto const properties = Impl::with_default_properties(Impl::mirror_properties(space), WithoutInitializing);
  return Impl::container_mirror_view<typename C::template impl_mirror_in<Space>, false>(properties, src);
}
/// @}

/// `src` itself if it is in the requested memory, otherwise a new container with its elements, with the label in
/// view_alloc or `name`, or that of `src`. With an execution space instance in `property`, the copy runs in its order;
/// otherwise it is complete when this returns.
template <Impl::MirrorProperty Property, Impl::MirroredContainer C>
auto create_mirror_view_and_copy(Property const& property, C const& src, std::string const& name = "") {
  auto const properties = Impl::mirror_properties<true>(property);
  using Properties      = std::remove_const_t<decltype(properties)>;
  using Mirror          = typename Impl::ContainerMirror<C, Property>::type;
  static_assert(Properties::has_memory_space,
                "Kokkos::create_mirror_view_and_copy: the destination space is missing; view_alloc must have a memory "
                "space.");
  if constexpr (Impl::same_memory_v<Mirror, C>) {
    if constexpr (!Properties::has_execution_space) Kokkos::fence("Kokkos::create_mirror_view_and_copy: fence");
    return src;
  } else {
    Mirror const mirror = src.template impl_new_mirror<Mirror>(
        Impl::with_default_properties(properties, WithoutInitializing), name.empty() ? src.label() : name);
    if constexpr (Properties::has_execution_space)
      Impl::ContainerCopy<C>::run(mirror, src, properties.exec);
    else
      Impl::ContainerCopy<C>::run(mirror, src);
    return mirror;
  }
}

}  // namespace Kokkos

#endif
