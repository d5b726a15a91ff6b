// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory that graphs allocate and free. Its address is known when the node is made, and stays the same for each launch.
#include "graph_edit.hpp"

#include <set>

namespace hip_model {

namespace {
constexpr auto type_alloc = static_cast<hipGraphNodeType>(node_type_mem_alloc);
constexpr auto type_free  = static_cast<hipGraphNodeType>(node_type_mem_free);

struct GraphMemory {
  std::size_t used = 0, used_high = 0, reserved = 0, reserved_high = 0;
};
std::map<int, GraphMemory>& graph_memory() {
  static auto* all = new std::map<int, GraphMemory>;
  return *all;
}

// Work of a node: makes the memory usable until a node of a graph, or the program, frees it.
void begin_use(AllocationPtr const& a) {
  Lock lock = Scheduler::get().lock();
  if (!a->alive) MemoryTable::get().revive(a);
  if (a->available && a->available->done) return;
  if (a->available) a->available->done = true;
  GraphMemory& all = graph_memory()[a->device];
  all.used += a->bytes;
  all.reserved      = std::max(all.reserved, all.used);
  all.used_high     = std::max(all.used_high, all.used);
  all.reserved_high = std::max(all.reserved_high, all.reserved);
  Scheduler::get().notify();
}
// Under the scheduler's lock.
void end_use(Allocation& a) {
  graph_memory_freed(a);
  a.available = std::make_shared<Completion>();
}
}  // namespace

void hand_out_memory(std::vector<ExecNode> const& nodes) {
  for (ExecNode const& node : nodes) {
    AllocationPtr const& a = node.operation.memory;
    if (node.operation.type == type_free) a->with_program = false;
    if (node.operation.type != type_alloc) continue;
    if (!a->alive) {
      MemoryTable::get().revive(a);
      a->available = std::make_shared<Completion>();
    }
    a->with_program = true;
    a->free_pending = false;
  }
}

void free_graph_memory(AllocationPtr const& a) {
  if (a->graph_is_gone && !a->with_program)
    MemoryTable::get().free(a);
  else
    end_use(*a);
}

void graph_memory_freed(Allocation& a) {
  if (!a.available || !a.available->done) return;
  std::size_t& used = graph_memory()[a.device].used;
  used -= std::min(used, a.bytes);
}

hipError_t make_allocation(Call& call, hipMemAllocNodeParams* p, Operation* out) {
  if (!p || p->bytesize == 0 || p->poolProps.allocType != hipMemAllocationTypePinned ||
      p->poolProps.location.type != hipMemLocationTypeDevice || !valid_device(p->poolProps.location.id))
    return hipErrorInvalidValue;
  if (p->accessDescCount && !p->accessDescs) return hipErrorInvalidValue;
  AllocationPtr a = MemoryTable::get().allocate(MemoryKind::device, p->poolProps.location.id, p->bytesize, 0);
  if (!a) return hipErrorOutOfMemory;
  a->of_graph = a->stream_ordered = true;
  a->internal                     = true;  // is freed with its graph
  a->available                    = std::make_shared<Completion>();
  a->history.add(call, "allocated by a graph");
  p->dptr         = a->base;
  out->type       = type_alloc;
  out->what       = "an allocation";
  out->memory     = a;
  out->allocation = *p;
  out->run        = [a] { begin_use(a); };
  return hipSuccess;
}

hipError_t make_free(Call&, void* p, Operation* out) {
  AllocationPtr a = p ? MemoryTable::get().find(p) : nullptr;
  if (!a || !a->of_graph || a->base != p) return hipErrorInvalidValue;
  out->type   = type_free;
  out->what   = "freeing memory";
  out->memory = a;
  out->run    = [a] {
    Lock lock = Scheduler::get().lock();
    free_graph_memory(a);
  };
  return hipSuccess;
}

}  // namespace hip_model

using namespace hip_model;

namespace {
template <class Body>
hipError_t on_graph_memory(char const* function, int device, Body&& body) {
  return api(function, [&](Call&) -> hipError_t {
    Lock lock = Scheduler::get().lock();
    if (!valid_device(device)) return hipErrorInvalidDevice;
    return body(graph_memory()[device]);
  });
}
}  // namespace

extern "C" {

hipError_t hipGraphAddMemAllocNode(hipGraphNode_t* out, hipGraph_t g, hipGraphNode_t const* d, size_t n,
                                   hipMemAllocNodeParams* p) {
  return add_to_graph("hipGraphAddMemAllocNode", out, g, d, n,
                      [&](Call& call, Operation* o) { return make_allocation(call, p, o); });
}
hipError_t hipGraphMemAllocNodeGetParams(hipGraphNode_t node, hipMemAllocNodeParams* p) {
  return on_node("hipGraphMemAllocNodeGetParams", node, type_alloc, [&](Call&, Node& n) -> hipError_t {
    if (!p) return hipErrorInvalidValue;
    *p = n.operation.allocation;
    return hipSuccess;
  });
}
hipError_t hipGraphAddMemFreeNode(hipGraphNode_t* out, hipGraph_t g, hipGraphNode_t const* d, size_t n, void* p) {
  return add_to_graph("hipGraphAddMemFreeNode", out, g, d, n, [&](Call& call, Operation* o) -> hipError_t {
    if (auto error = make_free(call, p, o)) return error;
    GraphPtr graph = State::get().graphs.find(g);
    for (NodePtr const& other : graph->nodes)
      if (other->operation.type == type_free && other->operation.memory == o->memory)
        return call.violation(hipErrorInvalidValue, "double-free", "another node of the graph frees the memory",
                              o->memory.get());
    return hipSuccess;
  });
}
hipError_t hipGraphMemFreeNodeGetParams(hipGraphNode_t node, void* p) {
  return on_node("hipGraphMemFreeNodeGetParams", node, type_free, [&](Call&, Node& n) -> hipError_t {
    if (!p) return hipErrorInvalidValue;
    *static_cast<void**>(p) = n.operation.memory->base;
    return hipSuccess;
  });
}

hipError_t hipDeviceGetGraphMemAttribute(int device, hipGraphMemAttributeType attribute, void* value) {
  return on_graph_memory("hipDeviceGetGraphMemAttribute", device, [&](GraphMemory& m) -> hipError_t {
    if (!value || unsigned(attribute) > 3u) return hipErrorInvalidValue;
    std::size_t const all[]           = {m.used, m.used_high, m.reserved, m.reserved_high};
    *static_cast<std::size_t*>(value) = all[attribute];
    return hipSuccess;
  });
}
// Only the high-water marks may be set, to zero.
hipError_t hipDeviceSetGraphMemAttribute(int device, hipGraphMemAttributeType attribute, void* value) {
  return on_graph_memory("hipDeviceSetGraphMemAttribute", device, [&](GraphMemory& m) -> hipError_t {
    bool const aligned = reinterpret_cast<std::uintptr_t>(value) % alignof(std::size_t) == 0;
    if (!value || !aligned || *static_cast<std::size_t*>(value) != 0) return hipErrorInvalidValue;
    if (attribute == hipGraphMemAttrUsedMemHigh)
      m.used_high = 0;
    else if (attribute == hipGraphMemAttrReservedMemHigh)
      m.reserved_high = 0;
    else
      return hipErrorInvalidValue;
    return hipSuccess;
  });
}
hipError_t hipDeviceGraphMemTrim(int device) {
  return on_graph_memory("hipDeviceGraphMemTrim", device, [&](GraphMemory& m) {
    m.reserved = m.used;
    return hipSuccess;
  });
}
}
