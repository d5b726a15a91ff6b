// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nodes that record events or wait for them. hipGraphLaunch connects them with the events as they are then.
#include "graph_edit.hpp"

namespace hip_model {

hipError_t make_event(Call& call, hipEvent_t handle, hipGraphNodeType type, Operation* out) {
  EventPtr event;
  if (!handle) return hipErrorInvalidValue;
  if (auto error = find_object(call, State::get().events, handle, hipErrorInvalidValue, "event", &event)) return error;
  out->type         = type;
  out->what         = type == hipGraphNodeTypeEventRecord ? "recording an event" : "waiting for an event";
  out->event        = event;
  out->event_handle = handle;
  return hipSuccess;
}

namespace {

hipError_t add_event(char const* function, hipGraphNode_t* out, hipGraph_t g, hipGraphNode_t const* d, std::size_t n,
                     hipEvent_t event, hipGraphNodeType type) {
  return add_to_graph(function, out, g, d, n,
                      [&](Call& call, Operation* o) { return make_event(call, event, type, o); });
}
hipError_t get_event(char const* function, hipGraphNode_t node, hipEvent_t* out, hipGraphNodeType type) {
  return on_node(function, node, type, [&](Call&, Node& n) -> hipError_t {
    if (!out) return hipErrorInvalidValue;
    *out = n.operation.event_handle;
    return hipSuccess;
  });
}
hipError_t set_event(char const* function, hipGraphNode_t node, hipEvent_t event, hipGraphNodeType type) {
  return change_node(function, node, type, [&](Call& call, Operation* o) { return make_event(call, event, type, o); });
}
hipError_t set_event_in_exec(char const* function, hipGraphExec_t exec, hipGraphNode_t node, hipEvent_t event,
                             hipGraphNodeType type) {
  return change_in_exec(function, exec, node, type,
                        [&](Call& call, Operation* o) { return make_event(call, event, type, o); });
}
constexpr auto record = hipGraphNodeTypeEventRecord;
constexpr auto wait   = hipGraphNodeTypeWaitEvent;

}  // namespace
}  // namespace hip_model

using namespace hip_model;

extern "C" {

hipError_t hipGraphAddEventRecordNode(hipGraphNode_t* out, hipGraph_t g, hipGraphNode_t const* d, size_t n,
                                      hipEvent_t e) {
  return add_event("hipGraphAddEventRecordNode", out, g, d, n, e, record);
}
hipError_t hipGraphAddEventWaitNode(hipGraphNode_t* out, hipGraph_t g, hipGraphNode_t const* d, size_t n,
                                    hipEvent_t e) {
  return add_event("hipGraphAddEventWaitNode", out, g, d, n, e, hip_model::wait);
}
hipError_t hipGraphEventRecordNodeGetEvent(hipGraphNode_t node, hipEvent_t* out) {
  return get_event("hipGraphEventRecordNodeGetEvent", node, out, record);
}
hipError_t hipGraphEventWaitNodeGetEvent(hipGraphNode_t node, hipEvent_t* out) {
  return get_event("hipGraphEventWaitNodeGetEvent", node, out, hip_model::wait);
}
hipError_t hipGraphEventRecordNodeSetEvent(hipGraphNode_t node, hipEvent_t e) {
  return set_event("hipGraphEventRecordNodeSetEvent", node, e, record);
}
hipError_t hipGraphEventWaitNodeSetEvent(hipGraphNode_t node, hipEvent_t e) {
  return set_event("hipGraphEventWaitNodeSetEvent", node, e, hip_model::wait);
}
hipError_t hipGraphExecEventRecordNodeSetEvent(hipGraphExec_t exec, hipGraphNode_t node, hipEvent_t e) {
  return set_event_in_exec("hipGraphExecEventRecordNodeSetEvent", exec, node, e, record);
}
hipError_t hipGraphExecEventWaitNodeSetEvent(hipGraphExec_t exec, hipGraphNode_t node, hipEvent_t e) {
  return set_event_in_exec("hipGraphExecEventWaitNodeSetEvent", exec, node, e, hip_model::wait);
}
}
