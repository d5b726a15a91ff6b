// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_THREADS_GRAPH_HPP
#define KOKKOS_THREADS_GRAPH_HPP

/// \file
/// Graphs of Kokkos::Threads: the graphs of host backends.

#include <Host/Kokkos_Host_Graph.hpp>

namespace Kokkos::Impl {

template <>
class GraphBackend<Threads> : public HostGraph<Threads> {
 public:
  using HostGraph<Threads>::HostGraph;
};

}  // namespace Kokkos::Impl

#endif
