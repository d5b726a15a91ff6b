// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Creation, queries, instantiation and launches of graphs.
#include "modes.hpp"
#include "state.hpp"

#include <algorithm>
#include <bit>
#include <cstdio>

using namespace hip_model;

namespace hip_model {

hipError_t find_graph(Call& call, hipGraph_t handle, GraphPtr* out) {
  return find_object(call, State::get().graphs, handle, hipErrorInvalidValue, "graph", out);
}
hipError_t find_node(Call& call, hipGraphNode_t handle, NodePtr* out) {
  return find_object(call, State::get().nodes, handle, hipErrorInvalidValue, "graph node", out);
}
hipError_t find_exec(Call& call, hipGraphExec_t handle, GraphExecPtr* out) {
  return find_object(call, State::get().execs, handle, hipErrorInvalidValue, "executable graph", out);
}

GraphPtr copy_graph(Call& call, Graph const& from) {
  GraphPtr to = make_graph();
  to->history.add(call, "cloned");
  std::map<Node const*, NodePtr> copies;
  for (NodePtr const& node : from.nodes) {
    NodePtr copy = copies[node.get()] = add_node(*to, to, node->operation, {});
    copy->original                    = node;
    if (copy->operation.kernel) copy->operation.kernel = std::make_shared<KernelCall>(*copy->operation.kernel);
    if (copy->operation.child) {
      copy->operation.child                = copy_graph(call, *copy->operation.child);
      copy->operation.child->owned_by_node = true;
    }
  }
  for (NodePtr const& node : from.nodes)
    for (auto const& w : node->after)
      if (NodePtr before = w.lock()) copies[node.get()]->after.push_back(copies[before.get()]);
  for (auto const& [object, count] : from.retained->counts)
    if (retain(object, count)) to->retained->counts[object] += count;
  return to;
}

}  // namespace hip_model

namespace {

template <class Body>
hipError_t on_graph(char const* function, hipGraph_t handle, Body&& body) {
  return api(function, [&](Call& call) -> hipError_t {
    Lock lock = Scheduler::get().lock();
    GraphPtr graph;
    if (auto error = find_graph(call, handle, &graph)) return error;
    return body(call, lock, graph);
  });
}

// ROCm 6 counts the types of nodes from 0, ROCm 5 from 1.
hipGraphNodeType type_for_program(hipGraphNodeType type) {
#if defined(HIP_MODEL_ABI_6) && HIP_VERSION_MAJOR < 6
  constexpr int mem_alloc_of_rocm_6 = 10;
  bool const memory                 = type == node_type_mem_alloc || type == node_type_mem_free;
  return static_cast<hipGraphNodeType>(memory ? type - node_type_mem_alloc + mem_alloc_of_rocm_6 : type - 1);
#else
  return type;
#endif
}

// All functions that list handles return the number of handles if they are called without an array.
hipError_t list(std::vector<hipGraphNode_t> const& found, hipGraphNode_t* out, size_t* count) {
  if (!count) return hipErrorInvalidValue;
  if (out) {
    for (size_t i = 0; i < *count; ++i) out[i] = i < found.size() ? found[i] : nullptr;
    *count = std::min(*count, found.size());
  } else {
    *count = found.size();
  }
  return hipSuccess;
}

bool depends_on(NodePtr const& node, NodePtr const& before) {
  return std::any_of(node->after.begin(), node->after.end(), [&](auto const& w) { return w.lock() == before; });
}

hipError_t change_edges(char const* function, hipGraph_t graph_handle, hipGraphNode_t const* from,
                        hipGraphNode_t const* to, size_t count, bool add) {
  return on_graph(function, graph_handle, [&](Call& call, Lock&, GraphPtr const& graph) -> hipError_t {
    if (count == 0) return hipSuccess;
    if (!from || !to) return hipErrorInvalidValue;
    for (size_t i = 0; i < count; ++i) {
      NodePtr first, second;
      if (auto error = find_node(call, from[i], &first)) return error;
      if (auto error = find_node(call, to[i], &second)) return error;
      if (first->graph.lock() != graph || second->graph.lock() != graph || first == second)
        return call.violation(hipErrorInvalidValue, "edge-of-other-graph",
                              "both ends of an edge must be different nodes of the graph", graph.get());
      if (depends_on(second, first) == add) return hipErrorInvalidValue;
      if (add) {
        second->after.push_back(first);
      } else {
        auto& after = second->after;
        after.erase(std::remove_if(after.begin(), after.end(), [&](auto const& w) { return w.lock() == first; }),
                    after.end());
      }
    }
    return hipSuccess;
  });
}

hipError_t instantiate(char const* function, hipGraphExec_t* out, hipGraph_t handle, unsigned long long flags) {
  return on_graph(function, handle, [&](Call& call, Lock& lock, GraphPtr const& graph) -> hipError_t {
    constexpr unsigned long long last_flag = 8;
    if (!out || flags > last_flag || std::popcount(flags) > 1) return hipErrorInvalidValue;
    if (current_modes().captures_as_cuda)
      if (auto error = check_capture_allows(call, lock)) return error;
    if (graph->under_capture)
      return call.violation(hipErrorInvalidValue, "graph-under-capture", graph->name() + " is still being captured",
                            graph.get());
    bool cyclic = false;
    auto nodes  = std::make_shared<std::vector<ExecNode>>(in_order(*graph, &cyclic));
    if (cyclic)
      return call.violation(hipErrorInvalidValue, "cyclic-graph", graph->name() + " has a cycle", graph.get());
    if (has_memory_node(*graph)) {
      if (graph->instantiated) return hipErrorNotSupported;
      graph->instantiated = true;
    }
    auto exec      = std::make_shared<GraphExec>();
    exec->graph    = graph;
    exec->nodes    = nodes;
    exec->retained = graph->retained;
    exec->history.add(call, "made");
    *out = State::get().execs.add(exec);
    return hipSuccess;
  });
}

// The state of an event at the launch determines what is recorded or waited for. The whole graph waits, not only the
// nodes after the event node.
void prepare_events(std::vector<ExecNode> const& nodes, StreamPtr const& stream, Work* work, Recordings* recordings) {
  for (ExecNode const& node : nodes) {
    prepare_events(node.child, stream, work, recordings);
    EventPtr const& event = node.operation.event;
    if (!event || !node.enabled) continue;
    bool const records = node.operation.type == hipGraphNodeTypeEventRecord;
    bool const of_this_launch =
        std::any_of(recordings->begin(), recordings->end(), [&](auto const& r) { return r.second == event->recorded; });
    if (!records && event->recorded && !event->recorded->done && !of_this_launch)
      work->after.push_back(event->recorded);
    if (!records) continue;
    event->recorded = (*recordings)[&node] = std::make_shared<Completion>();
    event->stream                          = stream;
    event->capture                         = nullptr;
  }
}

bool has_kernel(std::vector<ExecNode> const& nodes) {
  return std::any_of(nodes.begin(), nodes.end(),
                     [](ExecNode const& n) { return n.operation.engine == Engine::kernel || has_kernel(n.child); });
}

// Launches of one executable graph run one after the other, even in different streams. A launch runs the graph as it
// was at the call, even if the graph is changed or destroyed later.
hipError_t launch(Call& call, Lock& lock, GraphExecPtr const& exec, StreamPtr const& stream) {
  exec->history.add(call, "launched");
  if (stream->capture)
    return call.violation(hipErrorNotSupported, "not-modelled",
                          "launching a graph into a stream that is being captured is not modelled", exec.get());
  if (auto error = check_no_implicit_capture(call, lock, *stream)) return error;
  Work work;
  work.what = "a graph";
  Recordings recordings;
  prepare_events(*exec->nodes, stream, &work, &recordings);
  hand_out_memory(*exec->nodes);
  if (has_kernel(*exec->nodes)) work.engine = Engine::kernel;
  work.run = [nodes = exec->nodes, keep = exec->retained, recordings] { perform(*nodes, recordings); };
  if (exec->last && !exec->last->done) work.after.push_back(exec->last);
  exec->last = enqueue_ordered(lock, stream, std::move(work));
  return hipSuccess;
}

}  // namespace

extern "C" {

hipError_t hipGraphCreate(hipGraph_t* out, unsigned flags) {
  return api("hipGraphCreate", [&](Call& call) -> hipError_t {
    if (!out || flags != 0) return hipErrorInvalidValue;
    Lock lock      = Scheduler::get().lock();
    GraphPtr graph = make_graph();
    graph->history.add(call, "created");
    *out = graph->handle;
    return hipSuccess;
  });
}
hipError_t hipGraphDestroy(hipGraph_t handle) {
  return on_graph("hipGraphDestroy", handle, [&](Call& call, Lock& lock, GraphPtr const& graph) -> hipError_t {
    if (graph->under_capture || graph->owned_by_node)
      return call.violation(hipErrorInvalidValue, "graph-in-use", graph->name() + " belongs to a capture or to a node",
                            graph.get());
    graph->history.add(call, "destroyed");
    destroy_graph(graph);
    lock.unlock();
    if (current_profile().user_objects_end_in_release) wait_for_releases();
    return hipSuccess;
  });
}
hipError_t hipGraphClone(hipGraph_t* out, hipGraph_t handle) {
  return on_graph("hipGraphClone", handle, [&](Call& call, Lock&, GraphPtr const& graph) -> hipError_t {
    if (!out) return hipErrorInvalidValue;
    if (has_memory_node(*graph)) return hipErrorNotSupported;
    *out = copy_graph(call, *graph)->handle;
    return hipSuccess;
  });
}
hipError_t hipGraphNodeFindInClone(hipGraphNode_t* out, hipGraphNode_t original, hipGraph_t clone) {
  return on_graph("hipGraphNodeFindInClone", clone, [&](Call& call, Lock&, GraphPtr const& graph) -> hipError_t {
    NodePtr wanted;
    if (!out) return hipErrorInvalidValue;
    if (auto error = find_node(call, original, &wanted)) return error;
    for (NodePtr const& node : graph->nodes)
      if (node->original.lock() == wanted) {
        *out = node->handle;
        return hipSuccess;
      }
    return hipErrorInvalidValue;
  });
}

hipError_t hipGraphAddDependencies(hipGraph_t g, hipGraphNode_t const* from, hipGraphNode_t const* to, size_t n) {
  return change_edges("hipGraphAddDependencies", g, from, to, n, true);
}
hipError_t hipGraphRemoveDependencies(hipGraph_t g, hipGraphNode_t const* from, hipGraphNode_t const* to, size_t n) {
  return change_edges("hipGraphRemoveDependencies", g, from, to, n, false);
}

hipError_t hipGraphGetNodes(hipGraph_t handle, hipGraphNode_t* nodes, size_t* count) {
  return on_graph("hipGraphGetNodes", handle, [&](Call&, Lock&, GraphPtr const& graph) {
    std::vector<hipGraphNode_t> found;
    for (NodePtr const& n : graph->nodes) found.push_back(n->handle);
    return list(found, nodes, count);
  });
}
hipError_t hipGraphGetRootNodes(hipGraph_t handle, hipGraphNode_t* nodes, size_t* count) {
  return on_graph("hipGraphGetRootNodes", handle, [&](Call&, Lock&, GraphPtr const& graph) {
    std::vector<hipGraphNode_t> found;
    for (NodePtr const& n : graph->nodes)
      if (n->after.empty()) found.push_back(n->handle);
    return list(found, nodes, count);
  });
}
hipError_t hipGraphGetEdges(hipGraph_t handle, hipGraphNode_t* from, hipGraphNode_t* to, size_t* count) {
  return on_graph("hipGraphGetEdges", handle, [&](Call&, Lock&, GraphPtr const& graph) -> hipError_t {
    if ((from == nullptr) != (to == nullptr) || !count) return hipErrorInvalidValue;
    std::vector<hipGraphNode_t> first, second;
    for (NodePtr const& n : graph->nodes)
      for (auto const& w : n->after)
        if (NodePtr before = w.lock()) {
          first.push_back(before->handle);
          second.push_back(n->handle);
        }
    size_t same = *count;
    (void)list(first, from, &same);
    return list(second, to, count);
  });
}
hipError_t hipGraphNodeGetDependencies(hipGraphNode_t handle, hipGraphNode_t* nodes, size_t* count) {
  return api("hipGraphNodeGetDependencies", [&](Call& call) -> hipError_t {
    Lock lock = Scheduler::get().lock();
    NodePtr node;
    if (auto error = find_node(call, handle, &node)) return error;
    std::vector<hipGraphNode_t> found;
    for (auto const& w : node->after)
      if (NodePtr before = w.lock()) found.push_back(before->handle);
    return list(found, nodes, count);
  });
}
hipError_t hipGraphNodeGetDependentNodes(hipGraphNode_t handle, hipGraphNode_t* nodes, size_t* count) {
  return api("hipGraphNodeGetDependentNodes", [&](Call& call) -> hipError_t {
    Lock lock = Scheduler::get().lock();
    NodePtr node;
    if (auto error = find_node(call, handle, &node)) return error;
    std::vector<hipGraphNode_t> found;
    if (GraphPtr graph = node->graph.lock())
      for (NodePtr const& n : graph->nodes)
        if (depends_on(n, node)) found.push_back(n->handle);
    return list(found, nodes, count);
  });
}
hipError_t hipGraphNodeGetType(hipGraphNode_t handle, hipGraphNodeType* type) {
  return api("hipGraphNodeGetType", [&](Call& call) -> hipError_t {
    Lock lock = Scheduler::get().lock();
    NodePtr node;
    if (!type) return hipErrorInvalidValue;
    if (auto error = find_node(call, handle, &node)) return error;
    *type = type_for_program(node->operation.type);
    return hipSuccess;
  });
}
hipError_t hipGraphDestroyNode(hipGraphNode_t handle) {
  return api("hipGraphDestroyNode", [&](Call& call) -> hipError_t {
    Lock lock = Scheduler::get().lock();
    NodePtr node;
    if (auto error = find_node(call, handle, &node)) return error;
    node->history.add(call, "destroyed");
    State::get().nodes.destroy(handle);
    GraphPtr graph = node->graph.lock();
    if (!graph) return hipSuccess;
    graph->nodes.erase(std::remove(graph->nodes.begin(), graph->nodes.end(), node), graph->nodes.end());
    for (NodePtr const& n : graph->nodes) {
      auto& after = n->after;
      after.erase(std::remove_if(after.begin(), after.end(), [&](auto const& w) { return w.lock() == node; }),
                  after.end());
    }
    return hipSuccess;
  });
}

hipError_t hipGraphInstantiate(hipGraphExec_t* out, hipGraph_t graph, hipGraphNode_t* error_node, char* log,
                               size_t log_bytes) {
  if (error_node) *error_node = nullptr;
  if (log && log_bytes) *log = '\0';
  return instantiate("hipGraphInstantiate", out, graph, 0);
}
hipError_t hipGraphInstantiateWithFlags(hipGraphExec_t* out, hipGraph_t graph, unsigned long long flags) {
  return instantiate("hipGraphInstantiateWithFlags", out, graph, flags);
}
hipError_t hipGraphLaunch(hipGraphExec_t handle, hipStream_t stream_handle) {
  return api("hipGraphLaunch", [&](Call& call) -> hipError_t {
    Lock lock = Scheduler::get().lock();
    GraphExecPtr exec;
    StreamPtr stream;
    if (auto error = find_exec(call, handle, &exec)) return error;
    if (auto error = find_stream(call, lock, stream_handle, &stream)) return error;
    return launch(call, lock, exec, stream);
  });
}
hipError_t hipGraphUpload(hipGraphExec_t handle, hipStream_t stream_handle) {
  return api("hipGraphUpload", [&](Call& call) -> hipError_t {
    Lock lock = Scheduler::get().lock();
    GraphExecPtr exec;
    StreamPtr stream;
    if (auto error = find_exec(call, handle, &exec)) return error;
    return find_stream(call, lock, stream_handle, &stream);
  });
}
hipError_t hipGraphExecDestroy(hipGraphExec_t handle) {
  return api("hipGraphExecDestroy", [&](Call& call) -> hipError_t {
    Lock lock = Scheduler::get().lock();
    GraphExecPtr exec;
    if (auto error = find_exec(call, handle, &exec)) return error;
    exec->history.add(call, "destroyed");
    State::get().execs.destroy(handle);
    exec->retained = nullptr;
    exec->nodes    = nullptr;
    if (GraphPtr graph = exec->graph.lock()) graph->instantiated = false;
    return hipSuccess;
  });
}
hipError_t hipGraphDebugDotPrint(hipGraph_t handle, char const* path, unsigned) {
  return on_graph("hipGraphDebugDotPrint", handle, [&](Call&, Lock&, GraphPtr const& graph) -> hipError_t {
    if (!path) return hipErrorInvalidValue;
    std::FILE* file = path ? std::fopen(path, "w") : nullptr;
    if (!file) return hipErrorOperatingSystem;
    std::fprintf(file, "digraph \"HIP model (a test instrument): %s\" {\n", graph->name().c_str());
    for (NodePtr const& n : graph->nodes) {
      std::fprintf(file, "  n%llu [label=\"%s\"];\n", static_cast<unsigned long long>(n->id), n->operation.what);
      for (auto const& w : n->after)
        if (NodePtr before = w.lock())
          std::fprintf(file, "  n%llu -> n%llu;\n", static_cast<unsigned long long>(before->id),
                       static_cast<unsigned long long>(n->id));
    }
    std::fputs("}\n", file);
    std::fclose(file);
    return hipSuccess;
  });
}
}
