// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_SERIAL_GRAPH_HPP
#define KOKKOS_SERIAL_GRAPH_HPP

/// \file
/// Graphs of Kokkos::Serial: the graphs of host backends.

#include <Host/Kokkos_Host_Graph.hpp>

namespace Kokkos::Impl {

template <>
class GraphBackend<Serial> : public HostGraph<Serial> {
 public:
  using HostGraph<Serial>::HostGraph;
};

}  // namespace Kokkos::Impl

#endif
