// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_SERIAL_GRAPH_HPP
#define KOKKOS_SERIAL_GRAPH_HPP

/// \file
/// Graphs of Kokkos::Serial: those of every host backend.

#include <Host/Kokkos_Host_Graph.hpp>

#endif
