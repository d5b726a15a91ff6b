// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GRAPH_HPP
#define KOKKOS_GRAPH_HPP

/// \file
/// Graphs: work that is described once, with its dependencies, and submitted many times. Not part of Kokkos_Core.hpp.

#include <Kokkos_Core.hpp>
#include <Kokkos_Graph_fwd.hpp>

#include <KokkosCore_BackendsGraphs.hpp>
#include <graph/Kokkos_GraphNode.hpp>

#include <memory>
#include <type_traits>
#include <utility>

namespace Kokkos {

namespace Impl {

/// Are the nodes kept in a graph of the vendor's runtime?
template <class ExecSpace>
concept HasNativeGraph = requires {
  typename GraphBackend<ExecSpace>::native_graph_type;
};
template <class Native, class ExecSpace>
concept NativeGraphOf =
    HasNativeGraph<ExecSpace> && std::is_convertible_v<Native, typename GraphBackend<ExecSpace>::native_graph_type>;

}  // namespace Impl

namespace Experimental {

/// Work organised as a directed acyclic graph: it is defined, instantiated once, and submitted as often as wanted.
///
/// A handle; copies refer to the same graph. When the last one goes, it waits for the submissions that have not ended,
/// and the functors of the nodes are destroyed.
template <class ExecutionSpace>
struct Graph {
  static_assert(is_execution_space_v<ExecutionSpace>,
                "Kokkos::Experimental::Graph: the template argument is no execution space.");

  using execution_space = ExecutionSpace;

  /// A graph of no nodes but its root. `exec` says on which device nodes run whose policy names no instance, and where
  /// the graph is submitted by default.
  Graph(ExecutionSpace const& exec = ExecutionSpace())
      : m_definition(std::make_shared<Impl::GraphDefinition<ExecutionSpace>>(exec)) {}

  /// A graph that adds to one of the vendor's runtime, of the type of native_graph(), and owns it. What is in that
  /// already does not depend on the nodes added here, nor these on that.
  template <Impl::NativeGraphOf<ExecutionSpace> Native>
  Graph(ExecutionSpace const& exec, Native native)
      : m_definition(std::make_shared<Impl::GraphDefinition<ExecutionSpace>>(
            exec, static_cast<typename Impl::GraphBackend<ExecutionSpace>::native_graph_type>(native))) {}

  ExecutionSpace const& get_execution_space() const { return m_definition->space(); }

  /// The node that all others come after.
  GraphNodeRef<ExecutionSpace> root_node() const {
    return GraphNodeRef<ExecutionSpace>(m_definition, m_definition->root());
  }

  /// Locks the topology and makes the graph executable.
  /// \throws std::runtime_error if that has been done before, or if the backend refuses the graph
  void instantiate() { m_definition->instantiate(); }

  /// Runs the nodes, each after those it depends on, in the order of the instance `exec`: after what was put in there
  /// before, and before what is put in later. Instantiates the graph if that has not been done. Asynchronous.
  ///
  /// Several threads may submit the same graph. Submissions of one graph do not overlap on a device; on the host those
  /// to different instances may.
  void submit(ExecutionSpace const& exec) const { m_definition->submit(exec); }
  void submit() const { submit(get_execution_space()); }

  /// The graph in the vendor's runtime; only for backends that have one. It belongs to this object.
  auto native_graph() const requires Impl::HasNativeGraph<ExecutionSpace> {
    return m_definition->backend().native_graph();
  }
  /// The executable graph in the vendor's runtime; null before the graph is instantiated.
  auto native_graph_exec() const requires Impl::HasNativeGraph<ExecutionSpace> {
    return m_definition->backend().native_graph_exec();
  }

 private:
  std::shared_ptr<Impl::GraphDefinition<ExecutionSpace>> m_definition;
};

/// A graph that `closure(root)` puts together; `root` is its root node.
template <class ExecutionSpace, class Closure>
requires is_execution_space_v<ExecutionSpace>
[[nodiscard]] Graph<ExecutionSpace> create_graph(ExecutionSpace const& exec, Closure&& closure) {
  Graph<ExecutionSpace> graph(exec);
  std::forward<Closure>(closure)(graph.root_node());
  return graph;
}

/// The same on the default instance.
template <class ExecutionSpace = DefaultExecutionSpace, class Closure>
requires(!is_execution_space_v<std::remove_cvref_t<Closure>>)
    [[nodiscard]] Graph<ExecutionSpace> create_graph(Closure&& closure) {
  return create_graph(ExecutionSpace(), std::forward<Closure>(closure));
}

}  // namespace Experimental

// The guide writes these names both with and without Experimental.
using Experimental::create_graph;
using Experimental::Graph;
using Experimental::when_all;

}  // namespace Kokkos

#endif
