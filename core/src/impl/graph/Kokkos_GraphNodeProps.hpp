// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GRAPH_GRAPH_NODE_PROPS_HPP
#define KOKKOS_GRAPH_GRAPH_NODE_PROPS_HPP

/// \file
/// node_props, ThenPolicy and get_device_handle: what a node can be given beside its work.

#include <Kokkos_Graph_fwd.hpp>

#include <concepts>
#include <string>
#include <type_traits>
#include <utility>

namespace Kokkos::Impl {

/// The device of an instance, for graphs.
template <class Exec>
struct DeviceHandle {
  Exec m_exec;
  friend bool operator==(DeviceHandle const&, DeviceHandle const&) = default;
};

template <class T>
inline constexpr bool is_device_handle_v = false;
template <class Exec>
inline constexpr bool is_device_handle_v<DeviceHandle<Exec>> = true;

/// In place of a device handle: the node runs where its policy says, or where the graph does.
struct NoDeviceHandle {};

/// The properties of a node; `Device` is a DeviceHandle or NoDeviceHandle.
template <class Device>
struct GraphNodeProps {
  std::string label;
  Device device;
};

template <class T>
inline constexpr bool is_graph_node_props_v = false;
template <class Device>
inline constexpr bool is_graph_node_props_v<GraphNodeProps<Device>> = true;
template <class T>
concept NodeProperties = is_graph_node_props_v<T>;

/// The last of a list of properties that is a device handle.
template <class Last, class... Args>
struct DeviceAmong {
  using type = Last;
};
template <class Last, class First, class... Others>
struct DeviceAmong<Last, First, Others...>
    : DeviceAmong<std::conditional_t<is_device_handle_v<First>, First, Last>, Others...> {};

}  // namespace Kokkos::Impl

namespace Kokkos::Experimental {

/// A handle of the instance's device, from which a graph can be made. Its members are for the library.
template <class Exec>
  requires is_execution_space_v<std::remove_cvref_t<Exec>>
auto get_device_handle(Exec&& exec) {
  return Impl::DeviceHandle<std::remove_cvref_t<Exec>>{std::forward<Exec>(exec)};
}

/// The properties of a node: a label, and a handle of the device that runs the node; each at most once, in any order.
///
///     graph.root_node().then(node_props("report", get_device_handle(exec)), functor);
template <class... Args>
auto node_props(Args&&... args) {
  constexpr int devices = (0 + ... + int(Impl::is_device_handle_v<std::remove_cvref_t<Args>>));
  constexpr int labels  = (0 + ... + int(std::is_convertible_v<Args, std::string>));
  static_assert(
      devices + labels == sizeof...(Args),
      "Kokkos::Experimental::node_props: a property of a node is a label or the result of get_device_handle.");
  static_assert(devices <= 1 && labels <= 1,
                "Kokkos::Experimental::node_props: a node has at most one label and one device.");
  Impl::GraphNodeProps<typename Impl::DeviceAmong<Impl::NoDeviceHandle, std::remove_cvref_t<Args>...>::type> props{};
  [[maybe_unused]] auto const set = [&props]<class Arg>(Arg&& arg) {
    if constexpr (Impl::is_device_handle_v<std::remove_cvref_t<Arg>>) {
      props.device = std::forward<Arg>(arg);
    } else {
      props.label = std::forward<Arg>(arg);
    }
  };
  (set(std::forward<Args>(args)), ...);
  return props;
}

/// How GraphNodeRef::then calls its functor: with a WorkTag, or without an argument.
template <class WorkTag>
struct ThenPolicy {
  static_assert(std::is_void_v<WorkTag> || std::is_empty_v<WorkTag>,
                "Kokkos::Experimental::ThenPolicy: the tag is an empty class, or void.");
  using work_tag = WorkTag;  ///< the type of the functor's argument, or void
};

}  // namespace Kokkos::Experimental

#endif
