// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_CUDA_GRAPH_HPP
#define KOKKOS_CUDA_GRAPH_HPP

/// \file
/// Graphs of Kokkos::Cuda: CUDA graphs.

#include <Cuda/Kokkos_Cuda.hpp>
#include <impl/GPU/graph/Kokkos_GPU_Graph.hpp>

namespace Kokkos::Impl {

extern template class GPURecorder<CudaRuntime>;
extern template class GPUGraphStore<CudaRuntime>;
extern template class GPURecording<CudaRuntime>;
extern template class GraphSubmissions<CudaRuntime>;

template <class NodeRef>
struct GraphNodeExtensions<Cuda, NodeRef> {
  /// Adds a node with the work that functor(exec) enqueues in the stream of `exec`: calls of libraries, raw kernels and
  /// copies. The functor is called once, during this call, while the stream is captured. Nothing runs before the graph
  /// does. The graph keeps the functor. No other thread may use `exec` meanwhile, and CUDA's rules for captured streams
  /// apply.
  /// \throws std::runtime_error if the stream is already being captured, or a call invalidates the capture
  template <class Functor>
  NodeRef cuda_capture(Cuda const& exec, Functor const& functor) const {
    return static_cast<NodeRef const&>(*this).impl_capture("cuda_capture", exec, functor);
  }
};

}  // namespace Kokkos::Impl

#endif
