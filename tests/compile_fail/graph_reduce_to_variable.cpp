// expect: The result of a reduction or scan in a graph must be a Kokkos::View
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A graph runs later, when the variable may have been destroyed.

#include <Kokkos_Graph.hpp>

void f(Kokkos::Experimental::Graph<> graph) {
  double sum = 0;
  graph.root_node().then_parallel_reduce(1, KOKKOS_LAMBDA(int, double& s) { s += 1; }, sum);
}
