// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GRAPH_GRAPH_ERRORS_HPP
#define KOKKOS_GRAPH_GRAPH_ERRORS_HPP

/// \file
/// The errors of graphs. Each function throws std::runtime_error with a sentence.

#include <string>

namespace Kokkos::Impl {

/// A node called `label` was to be added to a graph whose topology is locked.
[[noreturn]] void refuse_node_after_instantiation(std::string const& label);
/// instantiate was called for a graph that has been instantiated, by a call or by its first submission.
[[noreturn]] void refuse_second_instantiation();
/// A node was used whose graph is gone, or that never belonged to one.
[[noreturn]] void refuse_node_without_graph(const char* what);
/// when_all was given nodes of several graphs.
[[noreturn]] void refuse_nodes_of_several_graphs();
/// The reduction called `label` was given a reducer that refers to a variable.
[[noreturn]] void refuse_scalar_in_graph(std::string const& label);
/// The recording of an earlier node failed, and left the graph with a part of it.
[[noreturn]] void refuse_spoiled_graph(std::string const& label);

}  // namespace Kokkos::Impl

#endif
