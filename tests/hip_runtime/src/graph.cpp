// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "graph.hpp"

#include "state.hpp"

#include <algorithm>
#include <unordered_map>

namespace hip_model {

std::vector<void*> KernelCall::pointers() {
  std::vector<void*> all;
  for (std::size_t offset : offsets) all.push_back(arguments.data() + offset);
  return all;
}

void Operation::perform() const {
  for (Touch const& t : touches) check_touch(what, t);
  if (run) run();
}

GraphPtr make_graph() {
  auto graph    = std::make_shared<Graph>();
  graph->handle = State::get().graphs.add(graph);
  return graph;
}

NodePtr add_node(Graph& graph, GraphPtr const& self, Operation operation, std::vector<NodePtr> const& after) {
  auto node       = std::make_shared<Node>();
  node->operation = std::move(operation);
  node->graph     = self;
  for (NodePtr const& n : after)
    if (std::none_of(node->after.begin(), node->after.end(), [&](auto const& known) { return known.lock() == n; }))
      node->after.push_back(n);
  node->internal = true;  // destroyed with its graph
  node->handle   = State::get().nodes.add(node);
  graph.nodes.push_back(node);
  return node;
}

void destroy_graph(GraphPtr const& graph) {
  for (NodePtr const& node : graph->nodes) {
    if (node->operation.child && node->operation.child->owned_by_node) destroy_graph(node->operation.child);
    // Memory that no node frees belongs to the program, like memory of hipMallocAsync.
    if (node->operation.memory && node->operation.type == node_type_mem_alloc) {
      node->operation.memory->graph_is_gone = true;
      if (!node->operation.memory->with_program) MemoryTable::get().free(node->operation.memory);
    }
    State::get().nodes.destroy(node->handle);
  }
  State::get().graphs.destroy(graph->handle);
  graph->retained = nullptr;  // executable graphs share it
}

// Kahn's algorithm; among possible next nodes, the one that was added first.
std::vector<ExecNode> in_order(Graph const& graph, bool* cyclic) {
  std::unordered_map<Node const*, std::size_t> position;
  std::vector<ExecNode> order;
  std::vector<NodePtr> left = graph.nodes;
  while (!left.empty()) {
    auto next = std::find_if(left.begin(), left.end(), [&](NodePtr const& n) {
      return std::all_of(n->after.begin(), n->after.end(), [&](auto const& w) {
        NodePtr before = w.lock();
        return !before || position.count(before.get());
      });
    });
    if (next == left.end()) {
      *cyclic = true;
      return {};
    }
    ExecNode node{(*next)->operation, {}, *next, {}};
    for (auto const& w : (*next)->after)
      if (NodePtr before = w.lock()) node.after.push_back(position[before.get()]);
    if (node.operation.child) node.child = in_order(*node.operation.child, cyclic);
    // The launch is ordered in the stream; arguments may change while an earlier launch is in progress.
    if (node.operation.kernel) node.operation.kernel = std::make_shared<KernelCall>(*node.operation.kernel);
    position[next->get()] = order.size();
    order.push_back(std::move(node));
    left.erase(next);
  }
  return order;
}

bool same_topology(std::vector<ExecNode> const& a, std::vector<ExecNode> const& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](ExecNode const& x, ExecNode const& y) {
    return x.operation.type == y.operation.type && x.after == y.after && same_topology(x.child, y.child);
  });
}

void perform(std::vector<ExecNode> const& nodes, Recordings const& recordings) {
  for (ExecNode const& node : nodes) {
    if (!node.enabled) continue;
    if (node.operation.type == hipGraphNodeTypeGraph)
      perform(node.child, recordings);
    else
      node.operation.perform();
    if (auto recording = recordings.find(&node); recording != recordings.end()) {
      Lock lock               = Scheduler::get().lock();
      recording->second->done = true;
      recording->second->when = std::chrono::steady_clock::now();
      Scheduler::get().notify();
    }
  }
}

bool has_memory_node(Graph const& graph) {
  return std::any_of(graph.nodes.begin(), graph.nodes.end(), [](NodePtr const& n) {
    return n->operation.memory || (n->operation.child && has_memory_node(*n->operation.child));
  });
}

}  // namespace hip_model
