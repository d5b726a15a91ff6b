// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GRAPH_GRAPH_NODE_HPP
#define KOKKOS_GRAPH_GRAPH_NODE_HPP

/// \file
/// GraphNodeRef and when_all: the construction of a graph.

#include <impl/graph/Kokkos_GraphCopies.hpp>
#include <impl/graph/Kokkos_GraphDefinition.hpp>
#include <impl/graph/Kokkos_GraphNodeProps.hpp>
#include <impl/graph/Kokkos_GraphWork.hpp>

#include <concepts>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

namespace Kokkos {

namespace Experimental {

/// A node of a graph, to which other nodes are added as its successors. A small handle that is cheap to copy. It does
/// not keep the graph alive.
///
/// Each `then_...` takes the arguments of the pattern of that name and returns the new node, which runs when this one
/// has ended. Until the graph is destroyed, it keeps a copy of the functor, including its views. The instance of a
/// policy selects the device on which the node runs; the submission selects the stream.
///
/// All of them throw std::runtime_error if the graph has been instantiated or destroyed, or if the backend refuses the
/// node. Only one thread at a time may add nodes to a graph.
template <class ExecutionSpace, class Kernel, class Predecessor>
class GraphNodeRef
    : public Impl::GraphNodeExtensions<ExecutionSpace, GraphNodeRef<ExecutionSpace, Kernel, Predecessor>> {
  static_assert(std::is_same_v<Kernel, TypeErasedTag> && std::is_same_v<Predecessor, TypeErasedTag>,
                "Kokkos::Experimental::GraphNodeRef: the type of a node contains neither its kernel nor its "
                "predecessor; write GraphNodeRef<ExecutionSpace>.");
  using Definition = Impl::GraphDefinition<ExecutionSpace>;
  using Range      = RangePolicy<ExecutionSpace>;

 public:
  using execution_space   = ExecutionSpace;  ///< the space that runs the node
  using graph_kernel      = Kernel;          ///< no meaning here: always TypeErasedTag
  using graph_predecessor = Predecessor;     ///< no meaning here: always TypeErasedTag

  /// No node of any graph.
  GraphNodeRef() = default;
  /// For the library: a handle to an existing node.
  GraphNodeRef(std::shared_ptr<Definition> const& graph, typename Definition::Node node, GraphNodeKind kind)
      : m_graph(graph), m_node(std::move(node)), m_kind(kind) {}

  /// The kind that the type names: none, because one type serves all nodes.
  static constexpr GraphNodeKind node_kind = GraphNodeKind::TypeErased;
  /// The kind of the node; TypeErased for no node.
  GraphNodeKind get_node_kind() const noexcept { return m_kind; }

  // ---- parallel_for -----------------------------------------------------------------------------------------------

  /// A node that runs parallel_for with a policy.
  template <Impl::KernelPolicy Policy, class Functor>
  GraphNodeRef then_parallel_for(std::string const& label, Policy const& policy, Functor const& functor) const {
    check_policy<Policy>();
    return add("then_parallel_for", policy.space(),
               [&] { return Impl::GraphFor<Policy, Functor>{label, policy, functor}; });
  }
  /// Like `then_parallel_for` above, without a label.
  template <Impl::KernelPolicy Policy, class Functor>
  GraphNodeRef then_parallel_for(Policy const& policy, Functor const& functor) const {
    return then_parallel_for(std::string(), policy, functor);
  }
  /// Like `then_parallel_for` above, for the iterations [0, count).
  template <Impl::KernelCount Count, class Functor>
  GraphNodeRef then_parallel_for(std::string const& label, Count count, Functor const& functor) const {
    return then_parallel_for(label, range("then_parallel_for", count), functor);
  }
  /// Like `then_parallel_for` above, without a label.
  template <Impl::KernelCount Count, class Functor>
  GraphNodeRef then_parallel_for(Count count, Functor const& functor) const {
    return then_parallel_for(std::string(), count, functor);
  }

  /// Like `then_parallel_for` above, with properties: node_props. A device among them replaces that of the policy.
  template <Impl::NodeProperties Props, Impl::KernelPolicy Policy, class Functor>
  GraphNodeRef then_parallel_for(Props const& props, Policy const& policy, Functor const& functor) const {
    return then_parallel_for(props.label, on_device(props, policy), functor);
  }

  // ---- parallel_reduce --------------------------------------------------------------------------------------------

  /// A node that runs parallel_reduce with a policy.
  /// \param result a view that the execution space can access, or a reducer that refers to one. The graph keeps it
  /// alive.
  template <Impl::KernelPolicy Policy, class Functor, class Result>
  GraphNodeRef then_parallel_reduce(std::string const& label, Policy const& policy, Functor const& functor,
                                    Result const& result) const {
    check_policy<Policy>();
    if constexpr (!Impl::check_graph_result<ExecutionSpace, Result>()) {
      return {};
    } else {
      Impl::require_view_behind(label, result);
      return add("then_parallel_reduce", policy.space(),
                 [&] { return Impl::GraphReduce<Policy, Functor, Result>{label, policy, functor, result}; });
    }
  }
  /// Like `then_parallel_reduce` above, without a label.
  template <Impl::KernelPolicy Policy, class Functor, class Result>
  GraphNodeRef then_parallel_reduce(Policy const& policy, Functor const& functor, Result const& result) const {
    return then_parallel_reduce(std::string(), policy, functor, result);
  }
  /// Like `then_parallel_reduce` above, for the iterations [0, count).
  template <Impl::KernelCount Count, class Functor, class Result>
  GraphNodeRef then_parallel_reduce(std::string const& label, Count count, Functor const& functor,
                                    Result const& result) const {
    return then_parallel_reduce(label, range("then_parallel_reduce", count), functor, result);
  }
  /// Like `then_parallel_reduce` above, without a label.
  template <Impl::KernelCount Count, class Functor, class Result>
  GraphNodeRef then_parallel_reduce(Count count, Functor const& functor, Result const& result) const {
    return then_parallel_reduce(std::string(), count, functor, result);
  }

  /// Like `then_parallel_reduce` above, with properties: node_props. A device among them replaces that of the policy.
  template <Impl::NodeProperties Props, Impl::KernelPolicy Policy, class Functor, class Result>
  GraphNodeRef then_parallel_reduce(Props const& props, Policy const& policy, Functor const& functor,
                                    Result const& result) const {
    return then_parallel_reduce(props.label, on_device(props, policy), functor, result);
  }

  // ---- parallel_scan ----------------------------------------------------------------------------------------------

  /// A node that runs parallel_scan with a policy.
  template <Impl::KernelPolicy Policy, class Functor>
  GraphNodeRef then_parallel_scan(std::string const& label, Policy const& policy, Functor const& functor) const {
    check_policy<Policy>();
    return add("then_parallel_scan", policy.space(),
               [&] { return Impl::GraphScan<Policy, Functor>{label, policy, functor}; });
  }
  /// Like `then_parallel_scan` above; `total` receives the sum of all iterations.
  /// \param total a view of rank 0 that the execution space can access; receives the value after the last iteration
  template <Impl::KernelPolicy Policy, class Functor, class View>
  GraphNodeRef then_parallel_scan(std::string const& label, Policy const& policy, Functor const& functor,
                                  View const& total) const {
    check_policy<Policy>();
    static_assert(is_view_v<View>, "Kokkos::Experimental::GraphNodeRef::then_parallel_scan: the total goes to a view.");
    if constexpr (!is_view_v<View>) {
      return {};
    } else if constexpr (!Impl::check_graph_result<ExecutionSpace, View>()) {
      return {};
    } else {
      return add("then_parallel_scan", policy.space(),
                 [&] { return Impl::GraphScanTotal<Policy, Functor, View>{label, policy, functor, total}; });
    }
  }
  /// Like `then_parallel_scan` above, without a label.
  template <Impl::KernelPolicy Policy, class Functor, class... Total>
  GraphNodeRef then_parallel_scan(Policy const& policy, Functor const& functor, Total const&... total) const {
    return then_parallel_scan(std::string(), policy, functor, total...);
  }
  /// Like `then_parallel_scan` above, for the iterations [0, count).
  template <Impl::KernelCount Count, class Functor, class... Total>
  GraphNodeRef then_parallel_scan(std::string const& label, Count count, Functor const& functor,
                                  Total const&... total) const {
    return then_parallel_scan(label, range("then_parallel_scan", count), functor, total...);
  }
  /// Like `then_parallel_scan` above, without a label.
  template <Impl::KernelCount Count, class Functor, class... Total>
  GraphNodeRef then_parallel_scan(Count count, Functor const& functor, Total const&... total) const {
    return then_parallel_scan(std::string(), count, functor, total...);
  }

  // ---- copies and fills: additions of this library ----------------------------------------------------------------

  /// A node that copies all elements of `src` to `dst`, like deep_copy(exec, dst, src): between any two memories, layouts
  /// and types of elements. Each submission copies what the source contains when the predecessors have ended. The graph
  /// keeps both views; the memory of unmanaged views must outlive the graph.
  /// \param exec selects the device that copies
  /// \throws std::runtime_error with both labels if the extents differ, or if contiguous views overlap without being the
  /// same elements
  template <class DT, class... DP, class ST, class... SP>
    requires(!Impl::HasElement<View<DT, DP...>, View<ST, SP...>>)
  GraphNodeRef then_deep_copy(std::string const& label, ExecutionSpace const& exec, View<DT, DP...> const& dst,
                              View<ST, SP...> const& src) const {
    Impl::require_copyable_by_graph(dst, src);
    return add(
        "then_deep_copy", exec, [&] { return Impl::graph_copy(label, exec, dst, src); }, GraphNodeKind::DeepCopy);
  }
  /// A node that assigns `value`, which is read now, to every element of `dst`, like deep_copy(exec, dst, value).
  template <class DT, class... DP>
  GraphNodeRef then_fill(std::string const& label, ExecutionSpace const& exec, View<DT, DP...> const& dst,
                         typename ViewTraits<DT, DP...>::const_value_type& value) const {
    Impl::require_memory(Impl::copy_side(dst));
    return add("then_fill", exec, [&] { return Impl::graph_fill(label, exec, dst, value); }, GraphNodeKind::DeepCopy);
  }
  /// Like `then_fill` above.
  template <class DT, class... DP>
  GraphNodeRef then_deep_copy(std::string const& label, ExecutionSpace const& exec, View<DT, DP...> const& dst,
                              typename ViewTraits<DT, DP...>::const_value_type& value) const {
    return then_fill(label, exec, dst, value);
  }

  /// @{
  /// Like the functions above, in the graph's instance, and with a label made of the views' labels.
  template <class DT, class... DP, class Source>
  GraphNodeRef then_deep_copy(std::string const& label, View<DT, DP...> const& dst, Source const& src) const {
    return then_deep_copy(label, graph("then_deep_copy")->space(), dst, src);
  }
  template <class DT, class... DP, class Source>
  GraphNodeRef then_deep_copy(ExecutionSpace const& exec, View<DT, DP...> const& dst, Source const& src) const {
    return then_deep_copy(copy_label(dst, src), exec, dst, src);
  }
  template <class DT, class... DP, class Source>
  GraphNodeRef then_deep_copy(View<DT, DP...> const& dst, Source const& src) const {
    return then_deep_copy(graph("then_deep_copy")->space(), dst, src);
  }
  template <class DT, class... DP>
  GraphNodeRef then_fill(std::string const& label, View<DT, DP...> const& dst,
                         typename ViewTraits<DT, DP...>::const_value_type& value) const {
    return then_fill(label, graph("then_fill")->space(), dst, value);
  }
  template <class DT, class... DP>
  GraphNodeRef then_fill(ExecutionSpace const& exec, View<DT, DP...> const& dst,
                         typename ViewTraits<DT, DP...>::const_value_type& value) const {
    return then_fill(Impl::graph_fill_label(dst), exec, dst, value);
  }
  template <class DT, class... DP>
  GraphNodeRef then_fill(View<DT, DP...> const& dst, typename ViewTraits<DT, DP...>::const_value_type& value) const {
    return then_fill(graph("then_fill")->space(), dst, value);
  }
  /// @}

  // ---- single calls -----------------------------------------------------------------------------------------------

  /// Calls functor() once, in a kernel.
  template <class Functor>
  GraphNodeRef then(std::string const& label, ExecutionSpace const& exec, Functor const& functor) const {
    return then_parallel_for(label, Range(exec, 0, 1), Impl::CallOnce<Functor>{functor});
  }
  /// Like `then` above, in the graph's instance.
  template <class Functor>
  GraphNodeRef then(std::string const& label, Functor const& functor) const {
    return then(label, graph("then")->space(), functor);
  }

  /// Like `then` above, with properties: node_props.
  template <Impl::NodeProperties Props, class Functor>
  GraphNodeRef then(Props const& props, Functor const& functor) const {
    return then(props, ThenPolicy<>(), functor);
  }
  /// Like `then` above. With a tag in its policy, calls functor(tag).
  template <Impl::NodeProperties Props, class WorkTag, class Functor>
  GraphNodeRef then(Props const& props, ThenPolicy<WorkTag>, Functor const& functor) const {
    return then_parallel_for(props.label, on_device(props, range("then", 1)),
                             Impl::CallOnce<Functor, WorkTag>{functor});
  }
  /// Like `then` above, with a label.
  template <class WorkTag, class Functor>
  GraphNodeRef then(std::string const& label, ThenPolicy<WorkTag> policy, Functor const& functor) const {
    return then(Experimental::node_props(label), policy, functor);
  }
  /// Like `then` above, without a label.
  template <class WorkTag, class Functor>
  GraphNodeRef then(ThenPolicy<WorkTag> policy, Functor const& functor) const {
    return then(Experimental::node_props(), policy, functor);
  }
  /// Like `then` above, without a label.
  template <class Functor>
  GraphNodeRef then(Functor const& functor) const {
    return then(Experimental::node_props(), functor);
  }

  /// Calls functor() once on the host, when all predecessors have ended. On a device the call comes from a thread of
  /// the vendor's runtime: it must start no work, call no function of the runtime, and throw nothing.
  template <class Functor>
  GraphNodeRef then_host(std::string const& label, Functor const& functor) const {
    static_assert(
        Impl::FunctorTakes<Functor>,
        "Kokkos::Experimental::GraphNodeRef::then_host: the functor has no const operator() without arguments.");
    auto const& space = graph("then_host")->space();
    return add(
        "then_host", space, [&] { return Impl::GraphHostCall<ExecutionSpace, Functor>{label, space, functor}; },
        GraphNodeKind::Host);
  }

  // ---- for the library --------------------------------------------------------------------------------------------

  /// Adds the work that functor(exec) enqueues in the native stream of `exec`. Backends with captures give this their
  /// own name.
  template <class Functor>
  GraphNodeRef impl_capture(char const* what, ExecutionSpace const& exec, Functor const& functor) const {
    return add(what, exec, [&] { return Impl::GraphCapture<Functor>{what, functor}; }, GraphNodeKind::Capture);
  }

  /// For the library: when_all() calls this.
  template <class... Others>
  static GraphNodeRef impl_when_all(GraphNodeRef const& first, Others const&... others) {
    auto const definition = first.graph("when_all");
    if (((others.graph("when_all") != definition) || ...)) Impl::refuse_nodes_of_several_graphs();
    return GraphNodeRef(definition, definition->join(first.m_node, others.m_node...), GraphNodeKind::Aggregate);
  }

 private:
  template <class Policy>
  static constexpr void check_policy() {
    static_assert(
        std::is_same_v<typename Policy::execution_space, ExecutionSpace>,
        "Kokkos::Experimental::GraphNodeRef: the policy of a node is for another execution space than that of "
        "the graph. Name the graph's execution space in the policy.");
  }

  template <class Dst, class Source>
  static std::string copy_label(Dst const& dst, [[maybe_unused]] Source const& src) {
    if constexpr (is_view_v<Source>) {
      if constexpr (!Impl::HasElement<Dst, Source>) return Impl::graph_copy_label(dst, src);
    }
    return Impl::graph_fill_label(dst);
  }

  std::shared_ptr<Definition> graph(char const* what) const {
    if (auto graph = m_graph.lock()) return graph;
    Impl::refuse_node_without_graph(what);
  }

  template <class Count>
  Range range(char const* what, Count count) const {
    return Range(graph(what)->space(), 0, count);
  }

  /// The policy in the instance of the properties' device.
  template <class Props, class Policy>
  static Policy on_device([[maybe_unused]] Props const& props, Policy const& policy) {
    using Device = decltype(props.device);
    if constexpr (std::is_same_v<Device, Impl::NoDeviceHandle>) {
      return policy;
    } else {
      static_assert(std::is_same_v<Device, Impl::DeviceHandle<ExecutionSpace>>,
                    "Kokkos::Experimental::GraphNodeRef: the device among the properties of a node is for another "
                    "execution space than that of the graph.");
      return Impl::on_instance(policy, props.device.m_exec);
    }
  }

  template <class MakeWork>
  GraphNodeRef add(char const* what, ExecutionSpace const& where, MakeWork const& make_work,
                   GraphNodeKind kind = GraphNodeKind::Kernel) const {
    auto const definition = graph(what);
    return GraphNodeRef(definition, definition->add(m_node, where, make_work), kind);
  }

  std::weak_ptr<Definition> m_graph;
  typename Definition::Node m_node{};
  GraphNodeKind m_kind = GraphNodeKind::TypeErased;
};

/// A node whose successors run after all of the given nodes, which must belong to one graph. A node may be given twice,
/// and nodes may depend on each other.
/// \throws std::runtime_error if the nodes belong to several graphs, or to one that has been instantiated
template <class ExecutionSpace, std::same_as<GraphNodeRef<ExecutionSpace>>... Others>
GraphNodeRef<ExecutionSpace> when_all(GraphNodeRef<ExecutionSpace> const& first, Others const&... others) {
  return GraphNodeRef<ExecutionSpace>::impl_when_all(first, others...);
}

}  // namespace Experimental
}  // namespace Kokkos

#endif
