// expect: then_deep_copy: both views must have the same rank
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A node copies between views of the same rank.

#include <Kokkos_Graph.hpp>

void f(Kokkos::Experimental::Graph<> graph) {
  Kokkos::View<double*> line("line", 4);
  Kokkos::View<double**> plane("plane", 2, 2);
  graph.root_node().then_deep_copy(line, plane);
}
