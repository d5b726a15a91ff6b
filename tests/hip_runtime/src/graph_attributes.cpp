// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attributes of kernel nodes. They are stored and returned, and have no effect here.
#include "graph_edit.hpp"

using namespace hip_model;

namespace {
bool known_attribute(int attribute) {
  constexpr int priority_of_rocm_6 = 8;
  return attribute == hipKernelNodeAttributeAccessPolicyWindow || attribute == hipKernelNodeAttributeCooperative ||
         attribute == priority_of_rocm_6;
}
// A window of memory that the cache treats on its own. ROCm reports 0 bytes as its largest size.
bool valid_window(hipAccessPolicyWindow const& w) {
  return w.hitRatio >= 0 && w.hitRatio <= 1 && w.missProp != hipAccessPropertyPersisting && w.num_bytes == 0;
}
}  // namespace

extern "C" {

hipError_t hipGraphKernelNodeSetAttribute(hipGraphNode_t node, hipKernelNodeAttrID attribute,
                                          hipKernelNodeAttrValue const* value) {
  return on_node("hipGraphKernelNodeSetAttribute", node, hipGraphNodeTypeKernel, [&](Call&, Node& n) -> hipError_t {
    if (!value || !known_attribute(attribute)) return hipErrorInvalidValue;
    if (attribute == hipKernelNodeAttributeAccessPolicyWindow && !valid_window(value->accessPolicyWindow))
      return hipErrorInvalidValue;
    n.operation.attributes[attribute] = *value;
    return hipSuccess;
  });
}
hipError_t hipGraphKernelNodeGetAttribute(hipGraphNode_t node, hipKernelNodeAttrID attribute,
                                          hipKernelNodeAttrValue* value) {
  return on_node("hipGraphKernelNodeGetAttribute", node, hipGraphNodeTypeKernel, [&](Call&, Node& n) -> hipError_t {
    if (!value || !known_attribute(attribute)) return hipErrorInvalidValue;
    *value = n.operation.attributes[attribute];
    return hipSuccess;
  });
}
hipError_t hipGraphKernelNodeCopyAttributes(hipGraphNode_t from, hipGraphNode_t to) {
  return on_node("hipGraphKernelNodeCopyAttributes", from, hipGraphNodeTypeKernel,
                 [&](Call& call, Node& source) -> hipError_t {
                   NodePtr target;
                   if (auto error = find_node(call, to, &target)) return error;
                   if (target->operation.type != hipGraphNodeTypeKernel) return hipErrorInvalidValue;
                   target->operation.attributes = source.operation.attributes;
                   return hipSuccess;
                 });
}
}
