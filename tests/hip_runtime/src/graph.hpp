// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_TEST_HIP_MODEL_GRAPH_HPP
#define KOKKOS_TEST_HIP_MODEL_GRAPH_HPP

/// \file
/// Operations, graphs of operations, and captures that create graphs. Guarded by Scheduler::lock.

#include "memory.hpp"
#include "work.hpp"

#include <functional>
#include <map>
#include <memory>
#include <vector>

namespace hip_model {

struct Graph;

// Types of nodes that ROCm 5.2's header has no names for.
#if HIP_VERSION_MAJOR >= 6
inline constexpr int node_type_mem_alloc = hipGraphNodeTypeMemAlloc, node_type_mem_free = hipGraphNodeTypeMemFree;
#else
inline constexpr int node_type_mem_alloc = 14, node_type_mem_free = 15;  // free numbers that the enumeration can hold
#endif

/// A launch, with its own copy of the arguments.
struct KernelCall {
  void const* entry = nullptr;
  dim3 grid, block;
  std::size_t shared = 0;
  std::vector<unsigned char> arguments;
  std::vector<std::size_t> offsets;  ///< the position of each argument in `arguments`
  std::uint64_t stream = 0;
  int device           = 0;
  std::vector<void*> pointers();
};

/// An operation of a stream or a graph.
struct Operation {
  hipGraphNodeType type = hipGraphNodeTypeEmpty;
  char const* what      = "";
  Engine engine         = Engine::queue;
  std::function<void()> run;
  std::vector<Touch> touches;
  // The source of the node, for functions that query its parameters.
  std::shared_ptr<KernelCall> kernel;
  hipMemcpy3DParms copy{};
  hipMemcpyKind copy_kind = hipMemcpyDefault;  ///< as the program gave it
  HIP_MEMCPY3D driver_copy{};
  hipMemsetParams set{};
  hipHostNodeParams host{};
  std::shared_ptr<Graph> child;
  EventPtr event;
  hipEvent_t event_handle = nullptr;
  AllocationPtr memory;  ///< of a memory node
  hipMemAllocNodeParams allocation{};
  std::map<int, hipKernelNodeAttrValue> attributes;  ///< of a kernel node
  void perform() const;
};

struct UserObject : Object {
  UserObject() : Object("user object") {}
  void* data             = nullptr;
  hipHostFn_t destroy    = nullptr;
  long references        = 0;
  hipUserObject_t handle = nullptr;
};
using UserObjectPtr = std::shared_ptr<UserObject>;
/// Adds references. False if the object has none left.
bool retain(UserObjectPtr const&, long count);
/// Releases references; the last one destroys the object later and on another thread. False if the object has fewer
/// references. May be called with or without the lock.
bool release(UserObjectPtr const&, long count);
/// Waits until the objects of released references have been destroyed. Without the lock.
void wait_for_releases();

struct Node : Object {
  Node() : Object("graph node") {}
  hipGraphNode_t handle = nullptr;
  Operation operation;
  std::weak_ptr<Graph> graph;
  std::vector<std::weak_ptr<Node>> after;
  std::weak_ptr<Node> original;  ///< the node that this one is a clone of
};
using NodePtr = std::shared_ptr<Node>;

/// References of a graph to user objects; released when the last graph and launch that share them end.
struct Retained {
  std::map<UserObjectPtr, long> counts;
  Retained()                = default;
  Retained(Retained const&) = delete;
  ~Retained();
};

struct Graph : Object {
  Graph() : Object("graph") {}
  hipGraph_t handle = nullptr;
  std::vector<NodePtr> nodes;
  std::shared_ptr<Retained> retained = std::make_shared<Retained>();
  bool owned_by_node                 = false;
  bool under_capture                 = false;
  bool instantiated                  = false;  ///< a graph with memory nodes may be so once at a time
};
using GraphPtr = std::shared_ptr<Graph>;

struct ExecNode {
  Operation operation;
  std::vector<std::size_t> after;
  std::weak_ptr<Node> source;
  std::vector<ExecNode> child;  ///< of a child graph, in an order that its edges allow
  bool enabled = true;          ///< hipGraphNodeSetEnabled
};
/// Whether the same types of nodes depend on each other in the same way.
bool same_topology(std::vector<ExecNode> const&, std::vector<ExecNode> const&);
struct GraphExec : Object {
  GraphExec() : Object("executable graph") {}
  std::shared_ptr<std::vector<ExecNode>> nodes;  ///< in a topological order; shared with launches in progress
  std::shared_ptr<Retained> retained;
  std::weak_ptr<Graph> graph;  ///< that it was made of
  CompletionPtr last;          ///< of the youngest launch: launches of one executable graph follow one another
};
using GraphExecPtr = std::shared_ptr<GraphExec>;

struct Capture {
  std::uint64_t id = 0;
  hipStreamCaptureMode mode;
  int thread = 0;
  GraphPtr graph;
  StreamPtr origin;
  std::vector<StreamPtr> streams;             ///< the origin and those that joined
  std::vector<std::shared_ptr<Node>> let_go;  ///< that hipStreamUpdateCaptureDependencies has taken out
  bool valid      = true;
  bool of_program = false;  ///< the graph was made by the program, not by the capture
  bool ended      = false;
  bool stays      = false;  ///< hipStreamEndCapture was called, but left the streams in the invalidated capture
};
using CapturePtr = std::shared_ptr<Capture>;

hipError_t find_graph(Call&, hipGraph_t, GraphPtr* out);
hipError_t find_node(Call&, hipGraphNode_t, NodePtr* out);
hipError_t find_exec(Call&, hipGraphExec_t, GraphExecPtr* out);
/// A graph with the same nodes, edges and references to user objects.
GraphPtr copy_graph(Call&, Graph const&);
NodePtr add_node(Graph&, GraphPtr const&, Operation, std::vector<NodePtr> const& after);
GraphPtr make_graph();
/// Invalidates a graph's handle and those of its nodes.
void destroy_graph(GraphPtr const&);
/// The nodes in a topological order; empty with `*cyclic` set if there is none.
std::vector<ExecNode> in_order(Graph const&, bool* cyclic);
/// The events that the event nodes of one launch record.
using Recordings = std::map<ExecNode const*, CompletionPtr>;
/// Executes the nodes, one after the other.
void perform(std::vector<ExecNode> const&, Recordings const& = {});
bool has_memory_node(Graph const&);
/// Called when the nodes are launched, before they run: from then on the program may submit work that uses memory which
/// they allocate and do not free. The caller has the scheduler's lock.
void hand_out_memory(std::vector<ExecNode> const&);

}  // namespace hip_model

#endif
