// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Changes of executable graphs: updates by another graph, and disabled nodes.
#include "graph_edit.hpp"

using namespace hip_model;

namespace {

/// The reason why a node must not replace another; hipGraphExecUpdateSuccess if it may.
hipGraphExecUpdateResult compare(ExecNode const& old, ExecNode const& fresh) {
  if (old.operation.type != fresh.operation.type) return hipGraphExecUpdateErrorNodeTypeChanged;
  if (old.after != fresh.after) return hipGraphExecUpdateErrorTopologyChanged;
  if (old.operation.type == hipGraphNodeTypeGraph && !same_topology(old.child, fresh.child))
    return hipGraphExecUpdateErrorTopologyChanged;
  if (old.operation.type == hipGraphNodeTypeMemcpy && old.operation.copy.kind != fresh.operation.copy.kind)
    return hipGraphExecUpdateErrorParametersChanged;
  if (old.operation.kernel && old.operation.kernel->device != fresh.operation.kernel->device)
    return hipGraphExecUpdateErrorUnsupportedFunctionChange;
  if (old.operation.memory) return hipGraphExecUpdateErrorNotSupported;
  return hipGraphExecUpdateSuccess;
}

/// A node of an executable graph; null if the graph was not made with it.
ExecNode* find_in(GraphExec& exec, NodePtr const& node) {
  for (ExecNode& e : *exec.nodes)
    if (e.source.lock() == node) return &e;
  return nullptr;
}

bool may_be_disabled(ExecNode const& e) {
  return e.operation.type == hipGraphNodeTypeKernel || e.operation.type == hipGraphNodeTypeMemcpy ||
         e.operation.type == hipGraphNodeTypeMemset;
}

}  // namespace

extern "C" {

// An update must find the same nodes, of the same types, with the same edges.
hipError_t hipGraphExecUpdate(hipGraphExec_t handle, hipGraph_t graph_handle, hipGraphNode_t* error_node,
                              hipGraphExecUpdateResult* result) {
  return api("hipGraphExecUpdate", [&](Call& call) -> hipError_t {
    if (!result || !error_node) return hipErrorInvalidValue;
    Lock lock = Scheduler::get().lock();
    GraphExecPtr exec;
    GraphPtr graph;
    *error_node = nullptr;
    if (auto error = find_exec(call, handle, &exec)) return error;
    if (auto error = find_graph(call, graph_handle, &graph)) return error;
    bool cyclic = false;
    auto nodes  = std::make_shared<std::vector<ExecNode>>(in_order(*graph, &cyclic));
    *result     = cyclic || nodes->size() != exec->nodes->size() ? hipGraphExecUpdateErrorTopologyChanged
                                                                 : hipGraphExecUpdateSuccess;
    for (size_t i = 0; *result == hipGraphExecUpdateSuccess && i < nodes->size(); ++i) {
      ExecNode& fresh = (*nodes)[i];
      *result         = compare((*exec->nodes)[i], fresh);
      fresh.enabled   = (*exec->nodes)[i].enabled;
      NodePtr source  = fresh.source.lock();
      if (*result != hipGraphExecUpdateSuccess && source) *error_node = source->handle;
      fresh.source = (*exec->nodes)[i].source;  // still identified by the nodes that it was made from
    }
    if (*result != hipGraphExecUpdateSuccess) return hipErrorGraphExecUpdateFailure;
    exec->nodes    = nodes;
    exec->retained = graph->retained;
    return hipSuccess;
  });
}

hipError_t hipGraphNodeSetEnabled(hipGraphExec_t handle, hipGraphNode_t node_handle, unsigned enabled) {
  return api("hipGraphNodeSetEnabled", [&](Call& call) -> hipError_t {
    Lock lock = Scheduler::get().lock();
    GraphExecPtr exec;
    NodePtr node;
    if (auto error = find_exec(call, handle, &exec)) return error;
    if (auto error = find_node(call, node_handle, &node)) return error;
    exec->nodes =
        std::make_shared<std::vector<ExecNode>>(*exec->nodes);  // launches in progress keep the old parameters
    ExecNode* e = find_in(*exec, node);
    if (!e || !may_be_disabled(*e)) return hipErrorInvalidValue;
    e->enabled = enabled != 0;
    return hipSuccess;
  });
}
hipError_t hipGraphNodeGetEnabled(hipGraphExec_t handle, hipGraphNode_t node_handle, unsigned* enabled) {
  return api("hipGraphNodeGetEnabled", [&](Call& call) -> hipError_t {
    if (!enabled) return hipErrorInvalidValue;
    Lock lock = Scheduler::get().lock();
    GraphExecPtr exec;
    NodePtr node;
    if (auto error = find_exec(call, handle, &exec)) return error;
    if (auto error = find_node(call, node_handle, &node)) return error;
    ExecNode const* e = find_in(*exec, node);
    if (!e || !may_be_disabled(*e)) return hipErrorInvalidValue;
    *enabled = e->enabled;
    return hipSuccess;
  });
}
}
