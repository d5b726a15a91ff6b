// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_TEST_HIP_MODEL_GRAPH_EDIT_HPP
#define KOKKOS_TEST_HIP_MODEL_GRAPH_EDIT_HPP

/// \file Common parts of the functions that add nodes to graphs, query their parameters, and change them.

#include "copy.hpp"
#include "kernels.hpp"

#include <algorithm>

namespace hip_model {

// ---- the operation of a node, from the parameters of the program --------------------------------------------------

hipError_t make_kernel(Call&, hipKernelNodeParams const*, Operation* out);
hipError_t make_memset(Call&, hipMemsetParams const*, Operation* out);
hipError_t make_memcpy(Call&, hipMemcpy3DParms const*, Operation* out);
hipError_t make_line(Call&, void* dst, void const* src, std::size_t bytes, hipMemcpyKind, Operation* out);
hipError_t make_host(Call&, hipHostNodeParams const*, Operation* out);
hipError_t make_symbol(Call&, void const* symbol, void* other, std::size_t bytes, std::size_t offset, hipMemcpyKind,
                       bool to, Operation* out);
hipError_t make_child(Call&, hipGraph_t parent, hipGraph_t child, Operation* out);
hipError_t make_allocation(Call&, hipMemAllocNodeParams*, Operation* out);
hipError_t make_free(Call&, void*, Operation* out);
hipError_t make_event(Call&, hipEvent_t, hipGraphNodeType, Operation* out);

/// Whether two copies are between the same kinds of memory: an executable graph keeps the direction of its copies.
bool same_direction(Operation const&, Operation const&);

// ---- nodes --------------------------------------------------------------------------------------------------------

template <class Make>
hipError_t add_to_graph(char const* function, hipGraphNode_t* out, hipGraph_t graph_handle,
                        hipGraphNode_t const* dependencies, size_t count, Make&& make) {
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
      if (std::find(after.begin(), after.end(), node) != after.end()) return hipErrorInvalidValue;
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

/// Queries or changes a node of one type.
template <class Body>
hipError_t on_node(char const* function, hipGraphNode_t handle, hipGraphNodeType type, Body&& body) {
  return api(function, [&](Call& call) -> hipError_t {
    Lock lock = Scheduler::get().lock();
    NodePtr node;
    if (auto error = find_node(call, handle, &node)) return error;
    if (node->operation.type != type) return hipErrorInvalidValue;
    return body(call, *node);
  });
}

/// Changes a node of an executable graph; launches in progress keep the old parameters.
template <class Make>
hipError_t change_in_exec(char const* function, hipGraphExec_t exec_handle, hipGraphNode_t handle,
                          hipGraphNodeType type, Make&& make) {
  return on_node(function, handle, type, [&](Call& call, Node& node) -> hipError_t {
    GraphExecPtr exec;
    if (auto error = find_exec(call, exec_handle, &exec)) return error;
    auto changed = std::make_shared<std::vector<ExecNode>>(*exec->nodes);
    for (ExecNode& e : *changed)
      if (e.source.lock().get() == &node) {
        Operation operation;
        if (auto error = make(call, &operation)) return error;
        if (!same_direction(e.operation, operation)) return hipErrorInvalidValue;
        e.operation = std::move(operation);
        exec->nodes = changed;
        return hipSuccess;
      }
    return call.violation(hipErrorInvalidValue, "node-of-other-graph",
                          "the executable graph was not made with " + node.name(), &node);
  });
}

template <class Make>
hipError_t change_node(char const* function, hipGraphNode_t handle, hipGraphNodeType type, Make&& make) {
  return on_node(function, handle, type, [&](Call& call, Node& node) -> hipError_t {
    Operation operation;
    if (auto error = make(call, &operation)) return error;
    node.operation = std::move(operation);
    return hipSuccess;
  });
}

}  // namespace hip_model

#endif
