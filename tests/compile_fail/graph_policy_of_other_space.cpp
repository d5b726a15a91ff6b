// expect: the policy of a node is for another execution space than that of
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// All nodes of a graph run in one execution space.

#include <Kokkos_Graph.hpp>

struct Other : Kokkos::DefaultExecutionSpace {
  using execution_space = Other;
};
void f(Kokkos::Experimental::Graph<> graph) {
  graph.root_node().then_parallel_for(Kokkos::RangePolicy<Other>(Other(), 0, 1), KOKKOS_LAMBDA(int){});
}
