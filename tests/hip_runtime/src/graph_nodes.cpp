// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nodes of graphs: adding them, querying and changing their parameters.
#include "graph_edit.hpp"

#include <cstring>

namespace hip_model {

hipError_t make_kernel(Call& call, hipKernelNodeParams const* p, Operation* out) {
  if (!p || p->extra) return p ? hipErrorNotSupported : hipErrorInvalidValue;
  return make_launch(call, p->func, p->gridDim, p->blockDim, p->kernelParams, p->sharedMemBytes, 0, out);
}
// A node must write at least one byte.
hipError_t make_memset(Call& call, hipMemsetParams const* p, Operation* out) {
  if (!p || !p->dst || p->width == 0 || p->height == 0) return hipErrorInvalidValue;
  return make_fill(call, region_of(*p), out);
}
hipError_t make_memcpy(Call& call, hipMemcpy3DParms const* p, Operation* out) {
  CopyRegion range{};
  if (!p) return hipErrorInvalidValue;
  if (auto error = check_parameters(call, *p)) return error;
  if (auto error = region_of(*p, &range)) return error;
  if (auto error = make_copy(call, range, p->kind, out)) return error;
  out->copy_kind = p->kind;
  return hipSuccess;
}
hipError_t make_line(Call& call, void* dst, void const* src, std::size_t bytes, hipMemcpyKind kind, Operation* out) {
  if (!dst || !src || bytes == 0) return hipErrorInvalidValue;
  auto const to = reinterpret_cast<std::uintptr_t>(dst), from = reinterpret_cast<std::uintptr_t>(src);
  if (to < from + bytes && from < to + bytes) return hipErrorInvalidValue;  // overlapping ranges
  if (auto error = make_copy(call, {dst, src, bytes}, kind, out)) return error;
  out->copy_kind = kind;
  return hipSuccess;
}
hipError_t make_host(Call&, hipHostNodeParams const* p, Operation* out) {
  if (!p || !p->fn) return hipErrorInvalidValue;
  *out = host_operation(p->fn, p->userData);
  return hipSuccess;
}
hipError_t make_symbol(Call& call, void const* symbol, void* other, size_t n, size_t offset, hipMemcpyKind kind,
                       bool to, Operation* out) {
  CopyRegion range{};
  if (!symbol) return hipErrorInvalidSymbol;
  if (!other || n == 0) return hipErrorInvalidValue;
  if (auto error = symbol_box(call, symbol, other, n, offset, kind, to, &range)) return error;
  bool const pageable = !MemoryTable::get().find(other);
  if (pageable && kind == hipMemcpyDeviceToDevice) return hipErrorInvalidValue;
  if (auto error = make_copy(call, range, hipMemcpyDefault, out)) return error;
  out->copy_kind = kind;
  return hipSuccess;
}

bool same_direction(Operation const& a, Operation const& b) {
  auto on_device = [](Touch const& t) { return t.allocation && t.allocation->memory == MemoryKind::device; };
  if (a.type != hipGraphNodeTypeMemcpy) return true;
  return a.copy_kind == b.copy_kind &&
         std::equal(a.touches.begin(), a.touches.end(), b.touches.begin(), b.touches.end(),
                    [&](Touch const& x, Touch const& y) { return on_device(x) == on_device(y); });
}
hipError_t make_child(Call& call, hipGraph_t parent, hipGraph_t child, Operation* out) {
  GraphPtr original;
  if (auto error = find_graph(call, child, &original)) return error;
  (void)parent;  // may be the child, too: a node has a copy
  if (has_memory_node(*original)) return hipErrorNotSupported;
  out->type                 = hipGraphNodeTypeGraph;
  out->what                 = "a child graph";
  out->child                = copy_graph(call, *original);
  out->child->owned_by_node = true;
  return hipSuccess;
}

}  // namespace hip_model

using namespace hip_model;

extern "C" {

hipError_t hipGraphAddEmptyNode(hipGraphNode_t* out, hipGraph_t g, hipGraphNode_t const* d, size_t n) {
  return add_to_graph("hipGraphAddEmptyNode", out, g, d, n, [](Call&, Operation* o) {
    o->what = "an empty node";
    return hipSuccess;
  });
}
hipError_t hipGraphAddKernelNode(hipGraphNode_t* out, hipGraph_t g, hipGraphNode_t const* d, size_t n,
                                 hipKernelNodeParams const* p) {
  return add_to_graph("hipGraphAddKernelNode", out, g, d, n,
                      [&](Call& call, Operation* o) { return make_kernel(call, p, o); });
}
hipError_t hipGraphAddMemsetNode(hipGraphNode_t* out, hipGraph_t g, hipGraphNode_t const* d, size_t n,
                                 hipMemsetParams const* p) {
  return add_to_graph("hipGraphAddMemsetNode", out, g, d, n,
                      [&](Call& call, Operation* o) { return make_memset(call, p, o); });
}
hipError_t hipGraphAddMemcpyNode(hipGraphNode_t* out, hipGraph_t g, hipGraphNode_t const* d, size_t n,
                                 hipMemcpy3DParms const* p) {
  return add_to_graph("hipGraphAddMemcpyNode", out, g, d, n,
                      [&](Call& call, Operation* o) { return make_memcpy(call, p, o); });
}
hipError_t hipGraphAddMemcpyNode1D(hipGraphNode_t* out, hipGraph_t g, hipGraphNode_t const* d, size_t n, void* dst,
                                   void const* src, size_t bytes, hipMemcpyKind kind) {
  return add_to_graph("hipGraphAddMemcpyNode1D", out, g, d, n,
                      [&](Call& call, Operation* o) { return make_line(call, dst, src, bytes, kind, o); });
}
hipError_t hipGraphAddMemcpyNodeToSymbol(hipGraphNode_t* out, hipGraph_t g, hipGraphNode_t const* d, size_t n,
                                         void const* symbol, void const* src, size_t bytes, size_t offset,
                                         hipMemcpyKind kind) {
  return add_to_graph("hipGraphAddMemcpyNodeToSymbol", out, g, d, n, [&](Call& call, Operation* o) {
    return make_symbol(call, symbol, const_cast<void*>(src), bytes, offset, kind, true, o);
  });
}
hipError_t hipGraphAddMemcpyNodeFromSymbol(hipGraphNode_t* out, hipGraph_t g, hipGraphNode_t const* d, size_t n,
                                           void* dst, void const* symbol, size_t bytes, size_t offset,
                                           hipMemcpyKind kind) {
  return add_to_graph("hipGraphAddMemcpyNodeFromSymbol", out, g, d, n, [&](Call& call, Operation* o) {
    return make_symbol(call, symbol, dst, bytes, offset, kind, false, o);
  });
}
hipError_t hipGraphAddHostNode(hipGraphNode_t* out, hipGraph_t g, hipGraphNode_t const* d, size_t n,
                               hipHostNodeParams const* p) {
  return add_to_graph("hipGraphAddHostNode", out, g, d, n,
                      [&](Call& call, Operation* o) { return make_host(call, p, o); });
}
hipError_t hipGraphAddChildGraphNode(hipGraphNode_t* out, hipGraph_t g, hipGraphNode_t const* d, size_t n,
                                     hipGraph_t child) {
  return add_to_graph("hipGraphAddChildGraphNode", out, g, d, n,
                      [&](Call& call, Operation* o) { return make_child(call, g, child, o); });
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
hipError_t hipGraphKernelNodeSetParams(hipGraphNode_t node, hipKernelNodeParams const* p) {
  return change_node("hipGraphKernelNodeSetParams", node, hipGraphNodeTypeKernel,
                     [&](Call& call, Operation* o) { return make_kernel(call, p, o); });
}
hipError_t hipGraphExecKernelNodeSetParams(hipGraphExec_t exec, hipGraphNode_t node, hipKernelNodeParams const* p) {
  return change_in_exec("hipGraphExecKernelNodeSetParams", exec, node, hipGraphNodeTypeKernel,
                        [&](Call& call, Operation* o) { return make_kernel(call, p, o); });
}
hipError_t hipGraphMemsetNodeGetParams(hipGraphNode_t node, hipMemsetParams* p) {
  return on_node("hipGraphMemsetNodeGetParams", node, hipGraphNodeTypeMemset, [&](Call&, Node& n) -> hipError_t {
    if (!p) return hipErrorInvalidValue;
    *p = n.operation.set;
    return hipSuccess;
  });
}
hipError_t hipGraphMemsetNodeSetParams(hipGraphNode_t node, hipMemsetParams const* p) {
  return change_node("hipGraphMemsetNodeSetParams", node, hipGraphNodeTypeMemset,
                     [&](Call& call, Operation* o) { return make_memset(call, p, o); });
}
hipError_t hipGraphExecMemsetNodeSetParams(hipGraphExec_t exec, hipGraphNode_t node, hipMemsetParams const* p) {
  return change_in_exec("hipGraphExecMemsetNodeSetParams", exec, node, hipGraphNodeTypeMemset,
                        [&](Call& call, Operation* o) { return make_memset(call, p, o); });
}
hipError_t hipGraphMemcpyNodeGetParams(hipGraphNode_t node, hipMemcpy3DParms* p) {
  return on_node("hipGraphMemcpyNodeGetParams", node, hipGraphNodeTypeMemcpy, [&](Call&, Node& n) -> hipError_t {
    if (!p) return hipErrorInvalidValue;
    *p = n.operation.copy;
    return hipSuccess;
  });
}
hipError_t hipGraphMemcpyNodeSetParams(hipGraphNode_t node, hipMemcpy3DParms const* p) {
  return change_node("hipGraphMemcpyNodeSetParams", node, hipGraphNodeTypeMemcpy,
                     [&](Call& call, Operation* o) { return make_memcpy(call, p, o); });
}
hipError_t hipGraphMemcpyNodeSetParams1D(hipGraphNode_t node, void* dst, void const* src, size_t bytes,
                                         hipMemcpyKind kind) {
  return change_node("hipGraphMemcpyNodeSetParams1D", node, hipGraphNodeTypeMemcpy,
                     [&](Call& call, Operation* o) { return make_line(call, dst, src, bytes, kind, o); });
}
hipError_t hipGraphExecMemcpyNodeSetParams(hipGraphExec_t exec, hipGraphNode_t node, hipMemcpy3DParms* p) {
  return change_in_exec("hipGraphExecMemcpyNodeSetParams", exec, node, hipGraphNodeTypeMemcpy,
                        [&](Call& call, Operation* o) { return make_memcpy(call, p, o); });
}
hipError_t hipGraphExecMemcpyNodeSetParams1D(hipGraphExec_t exec, hipGraphNode_t node, void* dst, void const* src,
                                             size_t bytes, hipMemcpyKind kind) {
  return change_in_exec("hipGraphExecMemcpyNodeSetParams1D", exec, node, hipGraphNodeTypeMemcpy,
                        [&](Call& call, Operation* o) { return make_line(call, dst, src, bytes, kind, o); });
}
hipError_t hipGraphMemcpyNodeSetParamsToSymbol(hipGraphNode_t node, void const* symbol, void const* src, size_t bytes,
                                               size_t offset, hipMemcpyKind kind) {
  return change_node("hipGraphMemcpyNodeSetParamsToSymbol", node, hipGraphNodeTypeMemcpy,
                     [&](Call& call, Operation* o) {
                       return make_symbol(call, symbol, const_cast<void*>(src), bytes, offset, kind, true, o);
                     });
}
hipError_t hipGraphMemcpyNodeSetParamsFromSymbol(hipGraphNode_t node, void* dst, void const* symbol, size_t bytes,
                                                 size_t offset, hipMemcpyKind kind) {
  return change_node(
      "hipGraphMemcpyNodeSetParamsFromSymbol", node, hipGraphNodeTypeMemcpy,
      [&](Call& call, Operation* o) { return make_symbol(call, symbol, dst, bytes, offset, kind, false, o); });
}
hipError_t hipGraphExecMemcpyNodeSetParamsToSymbol(hipGraphExec_t exec, hipGraphNode_t node, void const* symbol,
                                                   void const* src, size_t bytes, size_t offset, hipMemcpyKind kind) {
  return change_in_exec("hipGraphExecMemcpyNodeSetParamsToSymbol", exec, node, hipGraphNodeTypeMemcpy,
                        [&](Call& call, Operation* o) {
                          return make_symbol(call, symbol, const_cast<void*>(src), bytes, offset, kind, true, o);
                        });
}
hipError_t hipGraphExecMemcpyNodeSetParamsFromSymbol(hipGraphExec_t exec, hipGraphNode_t node, void* dst,
                                                     void const* symbol, size_t bytes, size_t offset,
                                                     hipMemcpyKind kind) {
  return change_in_exec(
      "hipGraphExecMemcpyNodeSetParamsFromSymbol", exec, node, hipGraphNodeTypeMemcpy,
      [&](Call& call, Operation* o) { return make_symbol(call, symbol, dst, bytes, offset, kind, false, o); });
}
hipError_t hipGraphHostNodeGetParams(hipGraphNode_t node, hipHostNodeParams* p) {
  return on_node("hipGraphHostNodeGetParams", node, hipGraphNodeTypeHost, [&](Call&, Node& n) -> hipError_t {
    if (!p) return hipErrorInvalidValue;
    *p = n.operation.host;
    return hipSuccess;
  });
}
hipError_t hipGraphHostNodeSetParams(hipGraphNode_t node, hipHostNodeParams const* p) {
  return change_node("hipGraphHostNodeSetParams", node, hipGraphNodeTypeHost,
                     [&](Call& call, Operation* o) { return make_host(call, p, o); });
}
hipError_t hipGraphExecHostNodeSetParams(hipGraphExec_t exec, hipGraphNode_t node, hipHostNodeParams const* p) {
  return change_in_exec("hipGraphExecHostNodeSetParams", exec, node, hipGraphNodeTypeHost,
                        [&](Call& call, Operation* o) { return make_host(call, p, o); });
}
hipError_t hipGraphExecChildGraphNodeSetParams(hipGraphExec_t exec_handle, hipGraphNode_t node, hipGraph_t child) {
  return on_node("hipGraphExecChildGraphNodeSetParams", node, hipGraphNodeTypeGraph,
                 [&](Call& call, Node& n) -> hipError_t {
                   GraphExecPtr exec;
                   GraphPtr graph;
                   if (auto error = find_exec(call, exec_handle, &exec)) return error;
                   if (auto error = find_graph(call, child, &graph)) return error;
                   bool cyclic  = false;
                   auto changed = std::make_shared<std::vector<ExecNode>>(*exec->nodes);
                   auto nodes   = in_order(*graph, &cyclic);
                   for (ExecNode& e : *changed) {
                     if (e.source.lock().get() != &n) continue;
                     if (cyclic || !same_topology(e.child, nodes)) return hipErrorGraphExecUpdateFailure;
                     e.child     = std::move(nodes);
                     exec->nodes = changed;
                     return hipSuccess;
                   }
                   return hipErrorInvalidValue;
                 });
}
}
