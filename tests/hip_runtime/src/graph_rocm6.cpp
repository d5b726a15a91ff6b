// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of ROCm 6 whose types ROCm 5.2's header does not have: only in a build against a newer one.
#include "graph_edit.hpp"

#if HIP_VERSION_MAJOR >= 6

using namespace hip_model;

extern "C" {

hipError_t hipGraphAddNode(hipGraphNode_t* out, hipGraph_t g, hipGraphNode_t const* d, size_t n,
                           hipGraphNodeParams* p) {
  return add_to_graph("hipGraphAddNode", out, g, d, n, [&](Call& call, Operation* o) -> hipError_t {
    if (!p) return hipErrorInvalidValue;
    switch (p->type) {
      case hipGraphNodeTypeKernel:
        return make_kernel(call, &p->kernel, o);
      case hipGraphNodeTypeMemcpy:
        return make_memcpy(call, &p->memcpy.copyParams, o);
      case hipGraphNodeTypeMemset:
        return make_memset(call, &p->memset, o);
      case hipGraphNodeTypeHost:
        return make_host(call, &p->host, o);
      case hipGraphNodeTypeGraph:
        return make_child(call, g, p->graph.graph, o);
      case hipGraphNodeTypeWaitEvent:
        return make_event(call, p->eventWait.event, hipGraphNodeTypeWaitEvent, o);
      case hipGraphNodeTypeEventRecord:
        return make_event(call, p->eventRecord.event, hipGraphNodeTypeEventRecord, o);
      case hipGraphNodeTypeMemAlloc:
        return make_allocation(call, &p->alloc, o);
      case hipGraphNodeTypeMemFree:
        return make_free(call, p->free.dptr, o);
      case hipGraphNodeTypeEmpty:
        o->what = "an empty node";
        return hipSuccess;
      default:
        return hipErrorInvalidValue;
    }
  });
}

hipError_t hipGraphInstantiateWithParams(hipGraphExec_t* out, hipGraph_t graph, hipGraphInstantiateParams* p) {
  if (!p) return api("hipGraphInstantiateWithParams", [](Call&) { return hipErrorInvalidValue; });
  p->errNode_out        = nullptr;
  hipError_t const made = hipGraphInstantiateWithFlags(out, graph, p->flags);
  p->result_out         = made == hipSuccess ? hipGraphInstantiateSuccess : hipGraphInstantiateError;
  if (made != hipSuccess || !(p->flags & hipGraphInstantiateFlagUpload)) return made;
  return hipGraphUpload(*out, p->uploadStream);
}

// Adds the nodes of the capture to a graph of the program, after given nodes of that graph.
hipError_t hipStreamBeginCaptureToGraph(hipStream_t stream, hipGraph_t graph_handle, hipGraphNode_t const* dependencies,
                                        hipGraphEdgeData const*, size_t count, hipStreamCaptureMode mode) {
  return api("hipStreamBeginCaptureToGraph", [&](Call& call) -> hipError_t {
    if (count && !dependencies) return hipErrorInvalidValue;
    Lock lock = Scheduler::get().lock();
    GraphPtr graph;
    std::vector<NodePtr> after;
    if (auto error = find_graph(call, graph_handle, &graph)) return error;
    for (size_t i = 0; i < count; ++i) {
      NodePtr node;
      if (auto error = find_node(call, dependencies[i], &node)) return error;
      if (node->graph.lock() != graph) return hipErrorInvalidValue;
      after.push_back(node);
    }
    return begin_capture(call, lock, stream, mode, graph, after);
  });
}
}
#endif
