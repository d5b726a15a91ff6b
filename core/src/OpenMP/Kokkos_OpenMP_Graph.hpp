// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_OPENMP_GRAPH_HPP
#define KOKKOS_OPENMP_GRAPH_HPP

/// \file
/// Graphs of Kokkos::OpenMP: the graphs of host backends.

#include <Host/Kokkos_Host_Graph.hpp>

namespace Kokkos::Impl {

template <>
class GraphBackend<OpenMP> : public HostGraph<OpenMP> {
 public:
  using HostGraph<OpenMP>::HostGraph;
};

}  // namespace Kokkos::Impl

#endif
