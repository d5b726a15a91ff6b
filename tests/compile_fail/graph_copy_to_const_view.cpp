// expect: then_deep_copy: the elements of the destination are const
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A node cannot change const elements.

#include <Kokkos_Graph.hpp>

void f(Kokkos::Experimental::Graph<> graph) {
  Kokkos::View<double*> from("from", 4);
  Kokkos::View<double const*> to = from;
  graph.root_node().then_deep_copy(to, from);
}
