// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_IMPL_DUALSIDES_HPP
#define KOKKOS_IMPL_DUALSIDES_HPP

/// \file
/// The two sides of a DualView: which one a space selects, and how an execution space instance orders its allocation.

#include <Kokkos_Core.hpp>

#include <string>
#include <type_traits>

namespace Kokkos::Impl {

enum class DualSide : int { host = 0, device = 1, neither = -1 };

/// The side of a DualView that `Space` selects: a Device, a memory space, an execution space, or a view's type.
template <class Space, class DeviceSide, class HostSide>
constexpr DualSide dual_side() {
  using DeviceMemory = typename DeviceSide::memory_space;
  using HostMemory   = typename HostSide::memory_space;
  using Memory       = typename Space::memory_space;
  using Exec         = typename Space::execution_space;
  if (std::is_same_v<typename Space::device_type, typename DeviceSide::device_type>) return DualSide::device;
  if (std::is_same_v<typename Space::device_type, typename HostSide::device_type>) return DualSide::host;
  if (!std::is_same_v<DeviceMemory, HostMemory>) {
    if (std::is_same_v<Memory, DeviceMemory>) return DualSide::device;
    if (std::is_same_v<Memory, HostMemory>) return DualSide::host;
  }
  if (std::is_same_v<Exec, typename DeviceSide::execution_space>) return DualSide::device;
  if (std::is_same_v<Exec, typename HostSide::execution_space>) return DualSide::host;
  if (std::is_same_v<Memory, DeviceMemory>) return DualSide::device;
  // Any other host space, if the host can access the device's memory.
  if (SpaceAccessibility<HostSpace, Memory>::accessible) return DualSide::host;
  return DualSide::neither;
}

/// Whether the instance of the properties, if there is one, can access the memory of a side.
template <class Side, class Properties>
constexpr bool orders_side() {
  if constexpr (Properties::has_execution_space)
    return SpaceAccessibility<typename Properties::execution_space, typename Side::memory_space>::accessible;
  else
    return true;
}

/// The properties without an instance that cannot access the memory of a side.
template <class Side, class L, class E, class M, class P, bool I, bool S, bool A>
auto properties_of_side(ViewProperties<L, E, M, P, I, S, A> const& properties) {
  if constexpr (Impl::orders_side<Side, ViewProperties<L, E, M, P, I, S, A>>())
    return properties;
  else
    return ViewProperties<L, None, M, P, I, S, A>{properties.label, {}, properties.space, properties.pointer};
}

template <class Properties>
void fence_instance([[maybe_unused]] Properties const& properties, [[maybe_unused]] char const* name) {
  if constexpr (Properties::has_execution_space) properties.exec.fence(name);
}

/// Resizes one side. Work of an instance that cannot access its memory may still copy from or to that memory, so it has
/// to end first. The side is complete on return then, and with it before anything that the instance runs later.
template <class Properties, class Side, class... N>
void resize_side(Properties const& properties, Side& side, N... n) {
  if constexpr (!Impl::orders_side<Side, Properties>())
    Impl::fence_instance(properties, "Kokkos::DualView::resize: before the side that the instance cannot access");
  Kokkos::resize(Impl::properties_of_side<Side>(properties), side, n...);
}
/// Like `resize_side` above, for realloc.
template <class Properties, class Side, class... N>
void realloc_side(Properties const& properties, Side& side, N... n) {
  if constexpr (!Impl::orders_side<Side, Properties>())
    Impl::fence_instance(properties, "Kokkos::DualView::realloc: before the side that the instance cannot access");
  Kokkos::realloc(Impl::properties_of_side<Side>(properties), side, n...);
}

}  // namespace Kokkos::Impl

#endif
