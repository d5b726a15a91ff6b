// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nodes for events and memory, nodes that are switched off, and what an update refuses.
#include "HipModelTest.hpp"

namespace {

class GraphNodesTest : public HipModelTest {
 protected:
  void SetUp() override {
    HipModelTest::SetUp();
    ASSERT_HIP(hipStreamCreate(&m_stream));
    ASSERT_HIP(hipGraphCreate(&m_graph, 0));
    ASSERT_HIP(hipHostMalloc(reinterpret_cast<void**>(&m_data), 64, 0));
    std::fill(m_data, m_data + 16, 0);
  }
  void TearDown() override {
    EXPECT_HIP(hipStreamSynchronize(m_stream));
    if (m_exec) EXPECT_HIP(hipGraphExecDestroy(m_exec));
    EXPECT_HIP(hipGraphDestroy(m_graph));
    EXPECT_HIP(hipStreamDestroy(m_stream));
    EXPECT_HIP(hipHostFree(m_data));
    HipModelTest::TearDown();
  }
  hipGraphNode_t fill(hipGraph_t graph, int which, int value) {
    hipGraphNode_t node = nullptr;
    hipMemsetParams p{};
    p.dst = m_data + which, p.elementSize = 4, p.height = 1, p.pitch = 4, p.value = unsigned(value), p.width = 1;
    EXPECT_HIP(hipGraphAddMemsetNode(&node, graph, nullptr, 0, &p));
    return node;
  }
  void launch() {
    if (!m_exec) EXPECT_HIP(hipGraphInstantiate(&m_exec, m_graph, nullptr, nullptr, 0));
    EXPECT_HIP(hipGraphLaunch(m_exec, m_stream));
  }
  hipStream_t m_stream  = nullptr;
  hipGraph_t m_graph    = nullptr;
  hipGraphExec_t m_exec = nullptr;
  int* m_data           = nullptr;
};

}  // namespace

TEST_F(GraphNodesTest, an_event_node_records_when_the_graph_gets_there) {
  hipEvent_t event, found = nullptr;
  hipGraphNode_t node;
  ASSERT_HIP(hipEventCreate(&event));
  EXPECT_EQ(hipGraphAddEventRecordNode(&node, m_graph, nullptr, 0, nullptr), hipErrorInvalidValue);
  ASSERT_HIP(hipGraphAddEventRecordNode(&node, m_graph, nullptr, 0, event));
  EXPECT_HIP(hipGraphEventRecordNodeGetEvent(node, &found));
  EXPECT_EQ(found, event);
  EXPECT_EQ(hipGraphEventWaitNodeGetEvent(node, &found), hipErrorInvalidValue);
  {
    Gate gate(m_stream);
    launch();
    EXPECT_EQ(hipEventQuery(event), hipErrorNotReady);
  }
  EXPECT_HIP(hipEventSynchronize(event));
  EXPECT_HIP(hipEventDestroy(event));
}

TEST_F(GraphNodesTest, a_wait_node_holds_the_graph_up) {
  hipEvent_t event, other;
  hipStream_t elsewhere;
  hipGraphNode_t node;
  ASSERT_HIP(hipEventCreate(&event));
  ASSERT_HIP(hipEventCreate(&other));
  ASSERT_HIP(hipStreamCreateWithFlags(&elsewhere, hipStreamNonBlocking));
  ASSERT_HIP(hipGraphAddEventWaitNode(&node, m_graph, nullptr, 0, other));
  EXPECT_HIP(hipGraphEventWaitNodeSetEvent(node, event));
  {
    Gate gate(elsewhere);
    EXPECT_HIP(hipEventRecord(event, elsewhere));
    launch();
    EXPECT_EQ(hipStreamQuery(m_stream), hipErrorNotReady);
    EXPECT_HIP(hipGraphExecEventWaitNodeSetEvent(m_exec, node, other));  // what is launched keeps its event
    EXPECT_EQ(hipStreamQuery(m_stream), hipErrorNotReady);
  }
  EXPECT_HIP(hipStreamSynchronize(m_stream));
  EXPECT_HIP(hipEventDestroy(event));
  EXPECT_HIP(hipEventDestroy(other));
  EXPECT_HIP(hipStreamDestroy(elsewhere));
}

TEST_F(GraphNodesTest, memory_of_a_graph_has_one_address_in_all_launches) {
  hipGraphNode_t allocate, fill, release;
  hipMemAllocNodeParams p{};
  p.poolProps.allocType = hipMemAllocationTypePinned;
  p.poolProps.location  = {hipMemLocationTypeDevice, 0};
  EXPECT_EQ(hipGraphAddMemAllocNode(&allocate, m_graph, nullptr, 0, &p), hipErrorInvalidValue);  // no bytes
  p.bytesize = 64;
  ASSERT_HIP(hipGraphAddMemAllocNode(&allocate, m_graph, nullptr, 0, &p));
  ASSERT_NE(p.dptr, nullptr);
  hipMemsetParams set{};
  set.dst = p.dptr, set.elementSize = 1, set.height = 1, set.pitch = 64, set.width = 64;
  ASSERT_HIP(hipGraphAddMemsetNode(&fill, m_graph, &allocate, 1, &set));
  EXPECT_EQ(hipGraphAddMemFreeNode(&release, m_graph, &fill, 1, m_data), hipErrorInvalidValue);
  ASSERT_HIP(hipGraphAddMemFreeNode(&release, m_graph, &fill, 1, p.dptr));
  void* freed = nullptr;
  EXPECT_HIP(hipGraphMemFreeNodeGetParams(release, &freed));
  EXPECT_EQ(freed, p.dptr);
  hipGraph_t copy;
  EXPECT_EQ(hipGraphClone(&copy, m_graph), hipErrorNotSupported);
  launch();
  launch();
  hipGraphExec_t second;
  EXPECT_EQ(hipGraphInstantiate(&second, m_graph, nullptr, nullptr, 0), hipErrorNotSupported);
  EXPECT_HIP(hipStreamSynchronize(m_stream));
  std::size_t used = 1, high = 0;
  EXPECT_HIP(hipDeviceGetGraphMemAttribute(0, hipGraphMemAttrUsedMemCurrent, &used));
  EXPECT_HIP(hipDeviceGetGraphMemAttribute(0, hipGraphMemAttrUsedMemHigh, &high));
  EXPECT_EQ(used, 0u);
  EXPECT_EQ(high, 64u);
}

TEST_F(GraphNodesTest, allocation_in_the_order_of_a_captured_stream_becomes_nodes) {
  void* p = nullptr;
  hipGraph_t captured;
  ASSERT_HIP(hipStreamBeginCapture(m_stream, hipStreamCaptureModeRelaxed));
  EXPECT_HIP(hipMallocAsync(&p, 64, m_stream));
  EXPECT_HIP(hipMemsetAsync(p, 0, 64, m_stream));
  EXPECT_HIP(hipFreeAsync(p, m_stream));
  ASSERT_HIP(hipStreamEndCapture(m_stream, &captured));
  std::size_t count = 0;
  EXPECT_HIP(hipGraphGetNodes(captured, nullptr, &count));
  EXPECT_EQ(count, 3u);
  ASSERT_HIP(hipGraphInstantiate(&m_exec, captured, nullptr, nullptr, 0));
  launch();
  EXPECT_HIP(hipStreamSynchronize(m_stream));
  EXPECT_HIP(hipGraphDestroy(captured));
}

TEST_F(GraphNodesTest, a_node_that_is_switched_off_does_nothing) {
  hipGraphNode_t node = fill(m_graph, 0, 7);
  launch();
  EXPECT_HIP(hipStreamSynchronize(m_stream));
  m_data[0]        = 0;
  unsigned enabled = 1;
  EXPECT_HIP(hipGraphNodeSetEnabled(m_exec, node, 0));
  EXPECT_HIP(hipGraphNodeGetEnabled(m_exec, node, &enabled));
  EXPECT_EQ(enabled, 0u);
  launch();
  EXPECT_HIP(hipStreamSynchronize(m_stream));
  EXPECT_EQ(m_data[0], 0);
  EXPECT_HIP(hipGraphNodeSetEnabled(m_exec, node, 1));
  launch();
  EXPECT_HIP(hipStreamSynchronize(m_stream));
  EXPECT_EQ(m_data[0], 7);
}

TEST_F(GraphNodesTest, an_update_says_what_it_refuses) {
  (void)fill(m_graph, 0, 7);
  ASSERT_HIP(hipGraphInstantiate(&m_exec, m_graph, nullptr, nullptr, 0));
  hipGraph_t other;
  hipGraphNode_t node, wrong;
  hipGraphExecUpdateResult result;
  ASSERT_HIP(hipGraphCreate(&other, 0));
  ASSERT_HIP(hipGraphAddEmptyNode(&node, other, nullptr, 0));
  EXPECT_EQ(hipGraphExecUpdate(m_exec, other, &wrong, &result), hipErrorGraphExecUpdateFailure);
  EXPECT_EQ(result, hipGraphExecUpdateErrorNodeTypeChanged);
  EXPECT_EQ(wrong, node);
  (void)fill(other, 1, 8);
  EXPECT_EQ(hipGraphExecUpdate(m_exec, other, &wrong, &result), hipErrorGraphExecUpdateFailure);
  EXPECT_EQ(result, hipGraphExecUpdateErrorTopologyChanged);
  EXPECT_EQ(hipGraphExecUpdate(m_exec, other, nullptr, &result), hipErrorInvalidValue);
  EXPECT_HIP(hipGraphDestroyNode(node));
  EXPECT_HIP(hipGraphExecUpdate(m_exec, other, &wrong, &result));
  launch();
  EXPECT_HIP(hipStreamSynchronize(m_stream));
  EXPECT_EQ(m_data[1], 8);
  EXPECT_HIP(hipGraphDestroy(other));
}

TEST_F(GraphNodesTest, parameters_of_copies_and_fills_are_checked) {
  hipGraphNode_t node;
  hipMemsetParams set{};
  set.dst = m_data, set.elementSize = 4, set.pitch = 4, set.width = 1;  // no rows
  EXPECT_EQ(hipGraphAddMemsetNode(&node, m_graph, nullptr, 0, &set), hipErrorInvalidValue);
  int plain  = 0;
  set.height = 1, set.dst = &plain;
  EXPECT_EQ(hipGraphAddMemsetNode(&node, m_graph, nullptr, 0, &set), hipErrorInvalidValue);
  expect_violation("memset-of-plain-memory");
  EXPECT_EQ(hipGraphAddMemcpyNode1D(&node, m_graph, nullptr, 0, m_data, m_data + 4, 0, hipMemcpyDefault),
            hipErrorInvalidValue);
  hipMemcpy3DParms copy{};
  copy.srcPtr = make_hipPitchedPtr(m_data, 16, 16, 1);
  copy.extent = make_hipExtent(16, 1, 1);
  copy.kind   = hipMemcpyDefault;
  EXPECT_EQ(hipGraphAddMemcpyNode(&node, m_graph, nullptr, 0, &copy), hipErrorInvalidValue);  // no destination
  copy.dstPtr = make_hipPitchedPtr(m_data + 8, 8, 8, 1);
  EXPECT_EQ(hipGraphAddMemcpyNode(&node, m_graph, nullptr, 0, &copy),
            hipErrorInvalidValue);  // rows longer than the pitch
  copy.dstPtr = make_hipPitchedPtr(m_data + 8, 16, 16, 1);
  EXPECT_HIP(hipGraphAddMemcpyNode(&node, m_graph, nullptr, 0, &copy));
}

TEST_F(GraphNodesTest, attributes_of_kernel_nodes_are_kept) {
  hipGraphNode_t nodes[2];
  hipKernelNodeParams p{};
  p.func    = const_cast<void*>(hip_model::kernel_entry<+[] {}>());
  p.gridDim = p.blockDim = dim3(1, 1, 1);
  for (auto& node : nodes) ASSERT_HIP(hipGraphAddKernelNode(&node, m_graph, nullptr, 0, &p));
  hipKernelNodeAttrValue value{}, found{};
  value.cooperative = 1;
  EXPECT_HIP(hipGraphKernelNodeSetAttribute(nodes[0], hipKernelNodeAttributeCooperative, &value));
  EXPECT_HIP(hipGraphKernelNodeCopyAttributes(nodes[0], nodes[1]));
  EXPECT_HIP(hipGraphKernelNodeGetAttribute(nodes[1], hipKernelNodeAttributeCooperative, &found));
  EXPECT_EQ(found.cooperative, 1);
}
