// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GRAPH_HPP
#define KOKKOS_GRAPH_HPP

/// \file
/// Graphs: work that is defined once, with its dependencies, and submitted many times. Not part of Kokkos_Core.hpp.

#include <Kokkos_Core.hpp>
#include <Kokkos_Graph_fwd.hpp>

#include <KokkosCore_BackendsGraphs.hpp>
#include <impl/graph/Kokkos_GraphNode.hpp>

#include <memory>
#include <type_traits>
#include <utility>
#ifndef KOKKOS_ENABLE_LEAN_HEADERS
#include <set>  // which programs get from this header in other releases
#endif

namespace Kokkos {

namespace Impl {

/// Whether the nodes are stored in a graph of the vendor's runtime.
template <class ExecSpace>
concept HasNativeGraph = requires { typename GraphBackend<ExecSpace>::native_graph_type; };
template <class Native, class ExecSpace>
concept NativeGraphOf =
    HasNativeGraph<ExecSpace> && std::is_convertible_v<Native, typename GraphBackend<ExecSpace>::native_graph_type>;

}  // namespace Impl

namespace Experimental {

/// A policy whose execution space is Exec.
template <class Policy, class Exec>
concept ExecutionPolicyOn = ExecutionPolicy<Policy> && std::is_same_v<typename Policy::execution_space, Exec>;

/// Work organised as a directed acyclic graph: it is defined, instantiated once, and submitted any number of times.
///
/// A handle; copies refer to the same graph. The destructor of the last copy waits for all submissions and destroys the
/// functors of the nodes.
template <class ExecutionSpace>
struct Graph {
  static_assert(is_execution_space_v<ExecutionSpace>,
                "Kokkos::Experimental::Graph: the template argument is no execution space.");

  using execution_space = ExecutionSpace;  ///< the space that runs the nodes

  /// A graph with only a root node. `exec` selects the device of nodes whose policy contains no instance, and the
  /// default instance for submissions.
  Graph(ExecutionSpace const& exec = ExecutionSpace())
      : m_definition(std::make_shared<Impl::GraphDefinition<ExecutionSpace>>(exec)) {}

  /// Like the constructor above, for a device.
  Graph(Impl::DeviceHandle<ExecutionSpace> const& device) : Graph(device.m_exec) {}

  /// A graph that owns a graph of the vendor's runtime, of the type of native_graph(), and adds nodes to it. The
  /// existing nodes and the nodes added here do not depend on each other.
  template <Impl::NativeGraphOf<ExecutionSpace> Native>
  Graph(ExecutionSpace const& exec, Native native)
      : m_definition(std::make_shared<Impl::GraphDefinition<ExecutionSpace>>(
            exec, static_cast<typename Impl::GraphBackend<ExecutionSpace>::native_graph_type>(native))) {}

  /// The device that was passed to the constructor, or that of the instance.
  Impl::DeviceHandle<ExecutionSpace> get_device_handle() const {
    return Experimental::get_device_handle(get_execution_space());
  }
  /// The instance that was passed to the constructor.
  ExecutionSpace const& get_execution_space() const { return m_definition->space(); }

  /// The node that all others follow.
  GraphNodeRef<ExecutionSpace> root_node() const {
    return GraphNodeRef<ExecutionSpace>(m_definition, m_definition->root(), GraphNodeKind::Root);
  }

  /// Locks the topology and makes the graph executable.
  /// \throws std::runtime_error if the graph has already been instantiated, or if the backend refuses it
  void instantiate() { m_definition->instantiate(); }

  /// Runs each node after its predecessors, in the order of the instance `exec`: after its earlier work and before its
  /// later work. Instantiates the graph if necessary. Asynchronous.
  ///
  /// Several threads may submit the same graph. Submissions of one graph do not overlap on a device; on the host,
  /// submissions to different instances may.
  void submit(ExecutionSpace const& exec) const { m_definition->submit(exec); }
  /// Like `submit` above, in the graph's instance.
  void submit() const { submit(get_execution_space()); }

  /// The graph in the vendor's runtime, for backends that have one. This object owns it.
  auto native_graph() const
    requires Impl::HasNativeGraph<ExecutionSpace>
  {
    return m_definition->backend().native_graph();
  }
  /// The executable graph in the vendor's runtime; null before instantiation.
  auto native_graph_exec() const
    requires Impl::HasNativeGraph<ExecutionSpace>
  {
    return m_definition->backend().native_graph_exec();
  }

 private:
  std::shared_ptr<Impl::GraphDefinition<ExecutionSpace>> m_definition;
};

/// A graph that `closure(root)` constructs; `root` is its root node.
template <class ExecutionSpace, class Closure>
  requires is_execution_space_v<ExecutionSpace>
[[nodiscard]] Graph<ExecutionSpace> create_graph(ExecutionSpace const& exec, Closure&& closure) {
  Graph<ExecutionSpace> graph(exec);
  std::forward<Closure>(closure)(graph.root_node());
  return graph;
}

/// Like `create_graph` above, on the instance of the handle that `get_device_handle(exec)` returns (Kokkos 5).
template <class ExecutionSpace, class Closure>
[[nodiscard]] Graph<ExecutionSpace> create_graph(Impl::DeviceHandle<ExecutionSpace> const& device, Closure&& closure) {
  return Experimental::create_graph(device.m_exec, std::forward<Closure>(closure));
}

/// Like `create_graph` above, on the default instance.
template <class ExecutionSpace = DefaultExecutionSpace, class Closure>
  requires(!is_execution_space_v<std::remove_cvref_t<Closure>>)
[[nodiscard]] Graph<ExecutionSpace> create_graph(Closure&& closure) {
  return Experimental::create_graph(ExecutionSpace(), std::forward<Closure>(closure));
}

}  // namespace Experimental

// The documentation uses these names with and without Experimental.
using Experimental::create_graph;
using Experimental::Graph;
using Experimental::when_all;

}  // namespace Kokkos

#endif
