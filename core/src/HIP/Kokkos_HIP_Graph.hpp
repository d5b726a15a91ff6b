// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_HIP_GRAPH_HPP
#define KOKKOS_HIP_GRAPH_HPP

/// \file
/// Graphs of Kokkos::HIP: HIP graphs.

#include <impl/GPU/graph/Kokkos_GPU_Graph.hpp>
#include <HIP/Kokkos_HIP.hpp>

namespace Kokkos::Impl {

extern template class GPURecorder<HIPRuntime>;
extern template class GPUGraphStore<HIPRuntime>;
extern template class GPURecording<HIPRuntime>;
extern template class GraphSubmissions<HIPRuntime>;

template <class NodeRef>
struct GraphNodeExtensions<HIP, NodeRef> {
  /// Adds a node with the work that functor(exec) enqueues in the stream of `exec`: calls of libraries, raw kernels and
  /// copies. The functor is called once, during this call, while the stream is captured. Nothing runs before the graph
  /// does. The graph keeps the functor. No other thread may use `exec` meanwhile, and HIP's rules for captured streams
  /// apply.
  /// \throws std::runtime_error if the stream is already being captured, or a call invalidates the capture
  template <class Functor>
  NodeRef hip_capture(HIP const& exec, Functor const& functor) const {
    return static_cast<NodeRef const&>(*this).impl_capture("hip_capture", exec, functor);
  }
};

}  // namespace Kokkos::Impl

#endif
