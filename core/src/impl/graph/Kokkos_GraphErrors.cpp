// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <impl/graph/Kokkos_GraphErrors.hpp>

#include <impl/runtime/Kokkos_Error.hpp>

namespace Kokkos::Impl {

namespace {
std::string named(std::string const& label) { return label.empty() ? "without a label" : "\"" + label + "\""; }
}  // namespace

void refuse_node_after_instantiation(std::string const& label) {
  throw_runtime_exception("Kokkos::Experimental::Graph: the node " + named(label) +
                          " was added to a graph that has been instantiated, by instantiate() or by its first "
                          "submission, which locks the topology. Add all nodes before that, or create another graph.");
}

void refuse_second_instantiation() {
  throw_runtime_exception(
      "Kokkos::Experimental::Graph::instantiate() was called for a graph that has been instantiated, by an earlier "
      "call or by its first submission. Call it once, after the last node has been added and before submit().");
}

void refuse_node_without_graph(char const* what) {
  throw_runtime_exception(std::string("Kokkos::Experimental::") + what +
                          " was called for a node that belongs to no graph: it was default-constructed, or its graph "
                          "has been destroyed. A node does not keep its graph alive; the Graph object does.");
}

void refuse_nodes_of_several_graphs() {
  throw_runtime_exception(
      "Kokkos::Experimental::when_all was given nodes of different graphs. Dependencies exist only within one graph; "
      "to order "
      "graphs, submit them one after the other on the same execution space instance.");
}

void refuse_scalar_in_graph(std::string const& label) {
  throw_runtime_exception("Kokkos::Experimental::GraphNodeRef::then_parallel_reduce: the reducer of the node " +
                          named(label) +
                          " refers to a variable. The node runs later, when the variable may no longer exist: give the "
                          "reducer a Kokkos::View of rank 0, which the graph keeps alive.");
}

void refuse_spoiled_graph(std::string const& label) {
  throw_runtime_exception("Kokkos::Experimental::Graph: the recording of the node " + named(label) +
                          " failed earlier, and the graph may contain a part of it. Create a new graph.");
}

}  // namespace Kokkos::Impl
