// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nodes of graphs: adding them, querying and changing their operations.
#include "copy.hpp"
#include "kernels.hpp"

#include <cstring>

using namespace hip_model;

namespace {

template <class Make>
hipError_t add(const char* function, hipGraphNode_t* out, hipGraph_t graph_handle, const hipGraphNode_t* dependencies,
               size_t count, Make&& make) {
  return api(function, [&](Call& call) -> hipError_t {
    if (!out || (count && !dependencies)) return hipErrorInvalidValue;
    Lock lock = Scheduler::get().lock();
    GraphPtr graph;
    if (auto error = find_graph(call, graph_handle, &graph)) return error;
    std::vector<NodePtr> after;
    for (size_t i = 0; i < count; ++i) {
      NodePtr node;
      if (auto error = find_node(call, dependencies[i], &node)) return error;
      if (node->graph.lock() != graph) return hipErrorInvalidValue;
      after.push_back(node);
    }
    Operation operation;
    if (auto error = make(call, &operation)) return error;
    NodePtr node = add_node(*graph, graph, std::move(operation), after);
    node->history.add(call, "added");
    *out = node->handle;
    return hipSuccess;
  });
}

hipError_t make_kernel(Call& call, const hipKernelNodeParams* p, Operation* out) {
  if (!p || p->extra) return p ? hipErrorNotSupported : hipErrorInvalidValue;
  return make_launch(call, p->func, p->gridDim, p->blockDim, p->kernelParams, p->sharedMemBytes, 0, out);
}
hipError_t make_memset(Call& call, const hipMemsetParams* p, Operation* out) {
  return p ? make_fill(call, region_of(*p), out) : hipErrorInvalidValue;
}
hipError_t make_memcpy(Call& call, const hipMemcpy3DParms* p, Operation* out) {
  CopyRegion range{};
  if (!p) return hipErrorInvalidValue;
  if (auto error = region_of(*p, &range)) return error;
  return make_copy(call, range, p->kind, out);
}
hipError_t make_host(Call&, const hipHostNodeParams* p, Operation* out) {
  if (!p || !p->fn) return hipErrorInvalidValue;
  *out = host_operation(p->fn, p->userData);
  return hipSuccess;
}
hipError_t make_symbol(Call& call, const void* symbol, void* other, size_t n, size_t offset, hipMemcpyKind kind,
                       bool to, Operation* out) {
  CopyRegion range{};
  if (auto error = symbol_box(call, symbol, other, n, offset, kind, to, &range)) return error;
  return make_copy(call, range, hipMemcpyDefault, out);
}

/// Queries or changes a node of one type.
template <class Body>
hipError_t on_node(const char* function, hipGraphNode_t handle, hipGraphNodeType type, Body&& body) {
  return api(function, [&](Call& call) -> hipError_t {
    Lock lock = Scheduler::get().lock();
    NodePtr node;
    if (auto error = find_node(call, handle, &node)) return error;
    if (node->operation.type != type) return hipErrorInvalidValue;
    return body(call, *node);
  });
}

/// Changes a node of an executable graph; launches in progress are not affected.
template <class Make>
hipError_t change_exec(const char* function, hipGraphExec_t exec_handle, hipGraphNode_t handle, hipGraphNodeType type,
                       Make&& make) {
  return on_node(function, handle, type, [&](Call& call, Node& node) -> hipError_t {
    GraphExecPtr exec;
    if (auto error = find_exec(call, exec_handle, &exec)) return error;
    auto changed = std::make_shared<std::vector<ExecNode>>(*exec->nodes);
    for (ExecNode& e : *changed)
      if (e.source.lock().get() == &node) {
        Operation operation;
        if (auto error = make(call, &operation)) return error;
        e.operation = std::move(operation);
        exec->nodes = changed;
        return hipSuccess;
      }
    return call.violation(hipErrorInvalidValue, "node-of-other-graph",
                          "the executable graph was not made with " + node.name(), &node);
  });
}

template <class Make>
hipError_t change(const char* function, hipGraphNode_t handle, hipGraphNodeType type, Make&& make) {
  return on_node(function, handle, type, [&](Call& call, Node& node) -> hipError_t {
    Operation operation;
    if (auto error = make(call, &operation)) return error;
    node.operation = std::move(operation);
    return hipSuccess;
  });
}

}  // namespace

extern "C" {

hipError_t hipGraphAddEmptyNode(hipGraphNode_t* out, hipGraph_t g, const hipGraphNode_t* d, size_t n) {
  return add("hipGraphAddEmptyNode", out, g, d, n, [](Call&, Operation* o) {
    o->what = "an empty node";
    return hipSuccess;
  });
}
hipError_t hipGraphAddKernelNode(hipGraphNode_t* out, hipGraph_t g, const hipGraphNode_t* d, size_t n,
                                 const hipKernelNodeParams* p) {
  return add("hipGraphAddKernelNode", out, g, d, n, [&](Call& call, Operation* o) { return make_kernel(call, p, o); });
}
hipError_t hipGraphAddMemsetNode(hipGraphNode_t* out, hipGraph_t g, const hipGraphNode_t* d, size_t n,
                                 const hipMemsetParams* p) {
  return add("hipGraphAddMemsetNode", out, g, d, n, [&](Call& call, Operation* o) { return make_memset(call, p, o); });
}
hipError_t hipGraphAddMemcpyNode(hipGraphNode_t* out, hipGraph_t g, const hipGraphNode_t* d, size_t n,
                                 const hipMemcpy3DParms* p) {
  return add("hipGraphAddMemcpyNode", out, g, d, n, [&](Call& call, Operation* o) { return make_memcpy(call, p, o); });
}
hipError_t hipGraphAddMemcpyNode1D(hipGraphNode_t* out, hipGraph_t g, const hipGraphNode_t* d, size_t n, void* dst,
                                   const void* src, size_t bytes, hipMemcpyKind kind) {
  return add("hipGraphAddMemcpyNode1D", out, g, d, n, [&](Call& call, Operation* o) {
    return make_copy(call, {dst, src, bytes}, kind, o);
  });
}
hipError_t hipGraphAddMemcpyNodeToSymbol(hipGraphNode_t* out, hipGraph_t g, const hipGraphNode_t* d, size_t n,
                                         const void* symbol, const void* src, size_t bytes, size_t offset,
                                         hipMemcpyKind kind) {
  return add("hipGraphAddMemcpyNodeToSymbol", out, g, d, n, [&](Call& call, Operation* o) {
    return make_symbol(call, symbol, const_cast<void*>(src), bytes, offset, kind, true, o);
  });
}
hipError_t hipGraphAddMemcpyNodeFromSymbol(hipGraphNode_t* out, hipGraph_t g, const hipGraphNode_t* d, size_t n,
                                           void* dst, const void* symbol, size_t bytes, size_t offset,
                                           hipMemcpyKind kind) {
  return add("hipGraphAddMemcpyNodeFromSymbol", out, g, d, n,
             [&](Call& call, Operation* o) { return make_symbol(call, symbol, dst, bytes, offset, kind, false, o); });
}
hipError_t hipGraphAddHostNode(hipGraphNode_t* out, hipGraph_t g, const hipGraphNode_t* d, size_t n,
                               const hipHostNodeParams* p) {
  return add("hipGraphAddHostNode", out, g, d, n, [&](Call& call, Operation* o) { return make_host(call, p, o); });
}
hipError_t hipGraphAddChildGraphNode(hipGraphNode_t* out, hipGraph_t g, const hipGraphNode_t* d, size_t n,
                                     hipGraph_t child) {
  return add("hipGraphAddChildGraphNode", out, g, d, n, [&](Call& call, Operation* o) -> hipError_t {
    GraphPtr original;
    if (auto error = find_graph(call, child, &original)) return error;
    if (child == g) return hipErrorInvalidValue;
    o->type                 = hipGraphNodeTypeGraph;
    o->what                 = "a child graph";
    o->child                = copy_graph(call, *original);
    o->child->owned_by_node = true;
    return hipSuccess;
  });
}
hipError_t hipGraphChildGraphNodeGetGraph(hipGraphNode_t node, hipGraph_t* out) {
  return on_node("hipGraphChildGraphNodeGetGraph", node, hipGraphNodeTypeGraph, [&](Call&, Node& n) -> hipError_t {
    if (!out) return hipErrorInvalidValue;
    *out = n.operation.child->handle;
    return hipSuccess;
  });
}

// The returned pointers are valid as long as the node is not changed.
hipError_t hipGraphKernelNodeGetParams(hipGraphNode_t node, hipKernelNodeParams* p) {
  return on_node("hipGraphKernelNodeGetParams", node, hipGraphNodeTypeKernel, [&](Call&, Node& n) -> hipError_t {
    if (!p) return hipErrorInvalidValue;
    KernelCall& k = *n.operation.kernel;
    thread_local std::vector<void*> pointers;
    pointers          = k.pointers();
    *p                = {};
    p->func           = const_cast<void*>(k.entry);
    p->gridDim        = k.grid;
    p->blockDim       = k.block;
    p->sharedMemBytes = static_cast<unsigned>(k.shared);
    p->kernelParams   = pointers.data();
    return hipSuccess;
  });
}
hipError_t hipGraphKernelNodeSetParams(hipGraphNode_t node, const hipKernelNodeParams* p) {
  return change("hipGraphKernelNodeSetParams", node, hipGraphNodeTypeKernel,
                [&](Call& call, Operation* o) { return make_kernel(call, p, o); });
}
hipError_t hipGraphExecKernelNodeSetParams(hipGraphExec_t exec, hipGraphNode_t node, const hipKernelNodeParams* p) {
  return change_exec("hipGraphExecKernelNodeSetParams", exec, node, hipGraphNodeTypeKernel,
                     [&](Call& call, Operation* o) { return make_kernel(call, p, o); });
}
hipError_t hipGraphMemsetNodeGetParams(hipGraphNode_t node, hipMemsetParams* p) {
  return on_node("hipGraphMemsetNodeGetParams", node, hipGraphNodeTypeMemset, [&](Call&, Node& n) -> hipError_t {
    if (!p) return hipErrorInvalidValue;
    *p = n.operation.set;
    return hipSuccess;
  });
}
hipError_t hipGraphMemsetNodeSetParams(hipGraphNode_t node, const hipMemsetParams* p) {
  return change("hipGraphMemsetNodeSetParams", node, hipGraphNodeTypeMemset,
                [&](Call& call, Operation* o) { return make_memset(call, p, o); });
}
hipError_t hipGraphExecMemsetNodeSetParams(hipGraphExec_t exec, hipGraphNode_t node, const hipMemsetParams* p) {
  return change_exec("hipGraphExecMemsetNodeSetParams", exec, node, hipGraphNodeTypeMemset,
                     [&](Call& call, Operation* o) { return make_memset(call, p, o); });
}
hipError_t hipGraphMemcpyNodeGetParams(hipGraphNode_t node, hipMemcpy3DParms* p) {
  return on_node("hipGraphMemcpyNodeGetParams", node, hipGraphNodeTypeMemcpy, [&](Call&, Node& n) -> hipError_t {
    if (!p) return hipErrorInvalidValue;
    *p = n.operation.copy;
    return hipSuccess;
  });
}
hipError_t hipGraphMemcpyNodeSetParams(hipGraphNode_t node, const hipMemcpy3DParms* p) {
  return change("hipGraphMemcpyNodeSetParams", node, hipGraphNodeTypeMemcpy,
                [&](Call& call, Operation* o) { return make_memcpy(call, p, o); });
}
hipError_t hipGraphMemcpyNodeSetParams1D(hipGraphNode_t node, void* dst, const void* src, size_t bytes,
                                         hipMemcpyKind kind) {
  return change("hipGraphMemcpyNodeSetParams1D", node, hipGraphNodeTypeMemcpy, [&](Call& call, Operation* o) {
    return make_copy(call, {dst, src, bytes}, kind, o);
  });
}
hipError_t hipGraphExecMemcpyNodeSetParams(hipGraphExec_t exec, hipGraphNode_t node, hipMemcpy3DParms* p) {
  return change_exec("hipGraphExecMemcpyNodeSetParams", exec, node, hipGraphNodeTypeMemcpy,
                     [&](Call& call, Operation* o) { return make_memcpy(call, p, o); });
}
hipError_t hipGraphExecMemcpyNodeSetParams1D(hipGraphExec_t exec, hipGraphNode_t node, void* dst, const void* src,
                                             size_t bytes, hipMemcpyKind kind) {
  return change_exec("hipGraphExecMemcpyNodeSetParams1D", exec, node, hipGraphNodeTypeMemcpy,
                     [&](Call& call, Operation* o) {
                       return make_copy(call, {dst, src, bytes}, kind, o);
                     });
}
hipError_t hipGraphHostNodeGetParams(hipGraphNode_t node, hipHostNodeParams* p) {
  return on_node("hipGraphHostNodeGetParams", node, hipGraphNodeTypeHost, [&](Call&, Node& n) -> hipError_t {
    if (!p) return hipErrorInvalidValue;
    *p = n.operation.host;
    return hipSuccess;
  });
}
hipError_t hipGraphHostNodeSetParams(hipGraphNode_t node, const hipHostNodeParams* p) {
  return change("hipGraphHostNodeSetParams", node, hipGraphNodeTypeHost,
                [&](Call& call, Operation* o) { return make_host(call, p, o); });
}
hipError_t hipGraphExecHostNodeSetParams(hipGraphExec_t exec, hipGraphNode_t node, const hipHostNodeParams* p) {
  return change_exec("hipGraphExecHostNodeSetParams", exec, node, hipGraphNodeTypeHost,
                     [&](Call& call, Operation* o) { return make_host(call, p, o); });
}
}
