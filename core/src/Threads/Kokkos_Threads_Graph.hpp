// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_THREADS_GRAPH_HPP
#define KOKKOS_THREADS_GRAPH_HPP

/// \file
/// Graphs of Kokkos::Threads: the implementation that all host backends share.

#include <impl/Host/Kokkos_Host_Graph.hpp>

#endif
