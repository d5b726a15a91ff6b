// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_VENDOR_GRAPH_CALLS_HPP
#define KOKKOS_GPU_VENDOR_GRAPH_CALLS_HPP

/// \file
/// The calls for graphs and memory pools that differ only by prefix between CUDA and HIP.
///
/// See Kokkos_GPU_VendorCalls.hpp. `KOKKOS_IMPL_GPU_HAS_USER_OBJECTS` is 1 for runtimes whose graphs can own objects
/// of the program, and 0 for others.

#include <impl/GPU/Kokkos_GPU_Runtime.hpp>
#include <impl/GPU/portable/Kokkos_GPU_VendorCalls.hpp>

#include <cstddef>
#include <vector>

namespace Kokkos::Impl {

struct GPUVendorGraphCalls : GPUVendorCalls {
  using graph_t      = KOKKOS_IMPL_GPU_VENDOR(Graph_t);
  using graph_exec_t = KOKKOS_IMPL_GPU_VENDOR(GraphExec_t);
  using graph_node_t = KOKKOS_IMPL_GPU_VENDOR(GraphNode_t);

  /// Whether a graph of the runtime can own objects of the program.
  static constexpr bool graph_owns_objects = KOKKOS_IMPL_GPU_HAS_USER_OBJECTS;

  /// The capture that a stream belongs to.
  struct Capture {
    graph_t graph              = nullptr;
    graph_node_t const* before = nullptr;  ///< the nodes that the next node will follow
    std::size_t count          = 0;
  };

  static error_t malloc_device_async(void** p, std::size_t n, stream_t s) {
    return KOKKOS_IMPL_GPU_VENDOR(MallocAsync)(p, n, s);
  }
  static error_t free_device_async(void* p, stream_t s) { return KOKKOS_IMPL_GPU_VENDOR(FreeAsync)(p, s); }

  static error_t graph_create(graph_t* graph) { return KOKKOS_IMPL_GPU_VENDOR(GraphCreate)(graph, 0); }
  static error_t graph_destroy(graph_t graph) { return KOKKOS_IMPL_GPU_VENDOR(GraphDestroy)(graph); }
  static error_t graph_add_empty(graph_node_t* node, graph_t graph, graph_node_t const* before, std::size_t n) {
    return KOKKOS_IMPL_GPU_VENDOR(GraphAddEmptyNode)(node, graph, before, n);
  }
  static error_t graph_instantiate(graph_exec_t* exec, graph_t graph) {
    return KOKKOS_IMPL_GPU_VENDOR(GraphInstantiateWithFlags)(exec, graph, 0);
  }
  static error_t graph_exec_destroy(graph_exec_t exec) { return KOKKOS_IMPL_GPU_VENDOR(GraphExecDestroy)(exec); }
  static error_t graph_launch(graph_exec_t exec, stream_t s) { return KOKKOS_IMPL_GPU_VENDOR(GraphLaunch)(exec, s); }

 protected:
  static error_t add_child_graph(graph_node_t* node, graph_t graph, graph_node_t const* before, std::size_t n,
                                 graph_t child) {
    return KOKKOS_IMPL_GPU_VENDOR(GraphAddChildGraphNode)(node, graph, before, n, child);
  }

  /// Ends a capture in every case. A stream whose capture was invalidated may still be captured and then refuses
  /// everything else. `*recorded` is what the runtime returns; null if it returns nothing.
  static error_t end_capture(stream_t s, graph_t* recorded) {
    *recorded            = nullptr;
    error_t const error  = KOKKOS_IMPL_GPU_VENDOR(StreamEndCapture)(s, recorded);
    bool still_capturing = false;
    if (error != success && stream_is_capturing(s, &still_capturing) == success && still_capturing)
      (void)KOKKOS_IMPL_GPU_VENDOR(StreamEndCapture)(s, recorded);
    return error;
  }

  /// A recording into a separate graph, which becomes one node. Every runtime with graphs can do this.
  static error_t record_child_begin(stream_t s) {
    return KOKKOS_IMPL_GPU_VENDOR(StreamBeginCapture)(s, capture_mode_relaxed);
  }
  static error_t record_child_end(stream_t s, graph_t graph, graph_node_t const* before, std::size_t n,
                                  std::vector<graph_node_t>* ends) {
    graph_t recorded  = nullptr;
    graph_node_t node = nullptr;
    error_t error     = end_capture(s, &recorded);
    if (error == success) error = add_child_graph(&node, graph, before, n, recorded);
    if (error == success) ends->assign(1, node);
    if (recorded) (void)graph_destroy(recorded);  // the node has its own copy
    return error;
  }

#if KOKKOS_IMPL_GPU_HAS_USER_OBJECTS
  /// The graph destroys the object when it ends. If the graph refuses the object, the caller keeps it.
  static error_t retain_by_user_object(graph_t graph, void* object, void (*destroy)(void*)) {
    auto* held         = new GPUUserObject{object, destroy};
    auto owner         = KOKKOS_IMPL_GPU_VENDOR(UserObject_t)();
    auto const no_sync = KOKKOS_IMPL_GPU_VENDOR(UserObjectNoDestructorSync);
    error_t error      = KOKKOS_IMPL_GPU_VENDOR(UserObjectCreate)(&owner, held, &GPUUserObject::end, 1, no_sync);
    if (error != success) {
      delete held;
      return error;
    }
    error = KOKKOS_IMPL_GPU_VENDOR(GraphRetainUserObject)(graph, owner, 1, KOKKOS_IMPL_GPU_VENDOR(GraphUserObjectMove));
    if (error != success) {
      held->destroy = nullptr;
      (void)KOKKOS_IMPL_GPU_VENDOR(UserObjectRelease)(owner, 1);
    }
    return error;
  }
#endif
};

}  // namespace Kokkos::Impl

#endif
