// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GRAPH_GRAPH_ERRORS_HPP
#define KOKKOS_GRAPH_GRAPH_ERRORS_HPP

/// \file
/// The errors of graphs. Each function throws std::runtime_error with one sentence.

#include <string>

namespace Kokkos::Impl {

/// The program tried to add a node called `label` to a graph whose topology is locked.
[[noreturn]] void refuse_node_after_instantiation(std::string const& label);
/// The program called instantiate for a graph that was already instantiated, explicitly or by its first submission.
[[noreturn]] void refuse_second_instantiation();
/// The program used a node whose graph was destroyed, or that never belonged to one.
[[noreturn]] void refuse_node_without_graph(char const* what);
/// The program passed nodes of several graphs to when_all.
[[noreturn]] void refuse_nodes_of_several_graphs();
/// The program passed a reducer that refers to a variable to the reduction called `label`.
[[noreturn]] void refuse_scalar_in_graph(std::string const& label);
/// The recording of an earlier node failed, and left the graph with a part of it.
[[noreturn]] void refuse_spoiled_graph(std::string const& label);

}  // namespace Kokkos::Impl

#endif
