// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nodes for events and memory, disabled nodes, and the changes that an update refuses.
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
  static hipMemAllocNodeParams allocation_of(std::size_t bytes) {
    hipMemAllocNodeParams p{};
    p.poolProps.allocType = hipMemAllocationTypePinned;
    p.poolProps.location  = {hipMemLocationTypeDevice, 0};
    p.bytesize            = bytes;
    return p;
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

TEST_F(GraphNodesTest, AnEventNodeRecordsWhenTheGraphGetsThere) {
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

TEST_F(GraphNodesTest, AWaitNodeHoldsTheGraphUp) {
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
    EXPECT_HIP(hipGraphExecEventWaitNodeSetEvent(m_exec, node, other));  // a launch in progress keeps its event
    EXPECT_EQ(hipStreamQuery(m_stream), hipErrorNotReady);
  }
  EXPECT_HIP(hipStreamSynchronize(m_stream));
  EXPECT_HIP(hipEventDestroy(event));
  EXPECT_HIP(hipEventDestroy(other));
  EXPECT_HIP(hipStreamDestroy(elsewhere));
}

TEST_F(GraphNodesTest, MemoryOfAGraphHasOneAddressInAllLaunches) {
  hipGraphNode_t allocate, fill, release;
  hipMemAllocNodeParams p = allocation_of(0);
  EXPECT_EQ(hipGraphAddMemAllocNode(&allocate, m_graph, nullptr, 0, &p), hipErrorInvalidValue);  // no bytes
  p.bytesize = 64;
  ASSERT_HIP(hipGraphAddMemAllocNode(&allocate, m_graph, nullptr, 0, &p));
  ASSERT_NE(p.dptr, nullptr);
  hipMemsetParams set{};
  set.dst = p.dptr, set.elementSize = 1, set.height = 1, set.pitch = 64, set.width = 64;
  ASSERT_HIP(hipGraphAddMemsetNode(&fill, m_graph, &allocate, 1, &set));
  EXPECT_EQ(hipGraphAddMemFreeNode(&release, m_graph, &fill, 1, m_data), hipErrorInvalidValue);
  ASSERT_HIP(hipGraphAddMemFreeNode(&release, m_graph, &fill, 1, p.dptr));
  hipGraphNode_t second_release;
  EXPECT_EQ(hipGraphAddMemFreeNode(&second_release, m_graph, &fill, 1, p.dptr), hipErrorInvalidValue);
  expect_violation("double-free");
  void* freed = nullptr;
  EXPECT_HIP(hipGraphMemFreeNodeGetParams(release, &freed));
  EXPECT_EQ(freed, p.dptr);
  hipGraph_t copy;
  EXPECT_EQ(hipGraphClone(&copy, m_graph), hipErrorNotSupported);
  hipGraph_t parent;
  hipGraphNode_t child;
  ASSERT_HIP(hipGraphCreate(&parent, 0));
  EXPECT_EQ(hipGraphAddChildGraphNode(&child, parent, nullptr, 0, m_graph), hipErrorNotSupported);
  EXPECT_HIP(hipGraphDestroy(parent));
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

TEST_F(GraphNodesTest, FreedMemoryReturnsWithTheNextLaunch) {
  hipGraphNode_t allocate;
  hipMemAllocNodeParams p = allocation_of(64);
  ASSERT_HIP(hipGraphAddMemAllocNode(&allocate, m_graph, nullptr, 0, &p));
  auto const use_and_free = [&] {
    launch();
    EXPECT_HIP(hipMemsetAsync(p.dptr, 0, 64, m_stream));
    EXPECT_HIP(hipFreeAsync(p.dptr, m_stream));
  };
  for (int round = 0; round < 3; ++round) {
    Gate gate(m_stream);  // all is submitted before any of it runs
    use_and_free();
    if (round == 1) use_and_free();
    gate.open();
    EXPECT_HIP(hipStreamSynchronize(m_stream));
  }
  launch();
  EXPECT_HIP(hipFree(p.dptr));
  Gate gate(m_stream);
  use_and_free();
}

TEST_F(GraphNodesTest, MemoryThatTheProgramHasNotFreedOutlivesItsGraph) {
  hipGraphNode_t allocate;
  hipMemAllocNodeParams p = allocation_of(64);
  hipGraph_t graph;
  ASSERT_HIP(hipGraphCreate(&graph, 0));
  ASSERT_HIP(hipGraphAddMemAllocNode(&allocate, graph, nullptr, 0, &p));
  ASSERT_HIP(hipGraphInstantiate(&m_exec, graph, nullptr, nullptr, 0));
  {
    Gate gate(m_stream);
    launch();
    EXPECT_HIP(hipGraphDestroy(graph));
    EXPECT_HIP(hipMemsetAsync(p.dptr, 0, 64, m_stream));
    EXPECT_HIP(hipFreeAsync(p.dptr, m_stream));
  }
  EXPECT_HIP(hipStreamSynchronize(m_stream));
  EXPECT_EQ(hipMemsetAsync(p.dptr, 0, 64, m_stream), hipErrorInvalidValue);
  expect_violation("use-after-free");
}

TEST_F(GraphNodesTest, StreamOrderedAllocationBecomesNodes) {
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

TEST_F(GraphNodesTest, ANodeThatIsSwitchedOffDoesNothing) {
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
  {
    Gate gate(m_stream);
    launch();
    EXPECT_HIP(hipGraphNodeSetEnabled(m_exec, node, 0));  // a launch in progress keeps its nodes
  }
  EXPECT_HIP(hipStreamSynchronize(m_stream));
  EXPECT_EQ(m_data[0], 7);
}

TEST_F(GraphNodesTest, OnlyKernelsCopiesAndFillsCanBeSwitchedOff) {
  hipGraphNode_t node;
  unsigned enabled = 1;
  ASSERT_HIP(hipGraphAddEmptyNode(&node, m_graph, nullptr, 0));
  ASSERT_HIP(hipGraphInstantiate(&m_exec, m_graph, nullptr, nullptr, 0));
  EXPECT_EQ(hipGraphNodeSetEnabled(m_exec, node, 0), hipErrorInvalidValue);
  EXPECT_EQ(hipGraphNodeGetEnabled(m_exec, node, &enabled), hipErrorInvalidValue);
}

TEST_F(GraphNodesTest, ADependencyCannotBeNamedTwice) {
  hipGraphNode_t before[3], node;
  for (hipGraphNode_t& one : before) ASSERT_HIP(hipGraphAddEmptyNode(&one, m_graph, nullptr, 0));
  before[2] = before[0];
  EXPECT_EQ(hipGraphAddEmptyNode(&node, m_graph, before, 3), hipErrorInvalidValue);
  EXPECT_HIP(hipGraphAddEmptyNode(&node, m_graph, before, 2));
}

TEST_F(GraphNodesTest, AnUpdateSaysWhatItRefuses) {
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

TEST_F(GraphNodesTest, AnUpdateRefusesOtherEdgesDirectionsAndMemory) {
  auto const refusal = [&](auto&& build) {
    hipGraph_t graphs[2];
    hipGraphExec_t exec;
    hipGraphNode_t wrong;
    hipGraphExecUpdateResult result = hipGraphExecUpdateSuccess;
    for (int k = 0; k < 2; ++k) {
      EXPECT_HIP(hipGraphCreate(&graphs[k], 0));
      build(graphs[k], k);
    }
    EXPECT_HIP(hipGraphInstantiate(&exec, graphs[0], nullptr, nullptr, 0));
    EXPECT_EQ(hipGraphExecUpdate(exec, graphs[1], &wrong, &result), hipErrorGraphExecUpdateFailure);
    EXPECT_HIP(hipGraphExecDestroy(exec));
    for (hipGraph_t graph : graphs) EXPECT_HIP(hipGraphDestroy(graph));
    return result;
  };
  EXPECT_EQ(refusal([&](hipGraph_t graph, int k) {
              hipGraphNode_t const first = fill(graph, 0, 7), second = fill(graph, 1, 8);
              if (k == 1) {
                EXPECT_HIP(hipGraphAddDependencies(graph, &first, &second, 1));
              }
            }),
            hipGraphExecUpdateErrorTopologyChanged);
  EXPECT_EQ(refusal([&](hipGraph_t graph, int k) {
              hipGraphNode_t node;
              EXPECT_HIP(hipGraphAddMemcpyNode1D(&node, graph, nullptr, 0, m_data, m_data + 4, 4,
                                                 k == 0 ? hipMemcpyHostToHost : hipMemcpyDefault));
            }),
            hipGraphExecUpdateErrorParametersChanged);
  EXPECT_EQ(refusal([&](hipGraph_t graph, int) {
              hipGraphNode_t node;
              hipMemAllocNodeParams p = allocation_of(64);
              EXPECT_HIP(hipGraphAddMemAllocNode(&node, graph, nullptr, 0, &p));
            }),
            hipGraphExecUpdateErrorNotSupported);
}

TEST_F(GraphNodesTest, UpdateKeepsDisabledNodesAndNames) {
  hipGraphNode_t node = fill(m_graph, 0, 7), wrong;
  hipGraph_t other;
  hipGraphExecUpdateResult result;
  ASSERT_HIP(hipGraphInstantiate(&m_exec, m_graph, nullptr, nullptr, 0));
  EXPECT_HIP(hipGraphNodeSetEnabled(m_exec, node, 0));
  ASSERT_HIP(hipGraphCreate(&other, 0));
  (void)fill(other, 1, 8);
  EXPECT_HIP(hipGraphExecUpdate(m_exec, other, &wrong, &result));
  launch();
  EXPECT_HIP(hipStreamSynchronize(m_stream));
  EXPECT_EQ(m_data[1], 0);
  EXPECT_HIP(hipGraphNodeSetEnabled(m_exec, node, 1));
  launch();
  EXPECT_HIP(hipStreamSynchronize(m_stream));
  EXPECT_EQ(m_data[1], 8);
  EXPECT_HIP(hipGraphDestroy(other));
}

TEST_F(GraphNodesTest, ParametersOfCopiesAndFillsAreChecked) {
  hipGraphNode_t node;
  hipMemsetParams set{};
  set.dst = m_data, set.elementSize = 4, set.pitch = 4, set.width = 1;  // no rows
  EXPECT_EQ(hipGraphAddMemsetNode(&node, m_graph, nullptr, 0, &set), hipErrorInvalidValue);
  int plain  = 0;
  set.height = 1, set.dst = &plain;
  EXPECT_EQ(hipGraphAddMemsetNode(&node, m_graph, nullptr, 0, &set), hipErrorInvalidValue);
  expect_violation("memset-of-pageable-memory");
  EXPECT_EQ(hipGraphAddMemcpyNode1D(&node, m_graph, nullptr, 0, m_data, m_data + 4, 0, hipMemcpyDefault),
            hipErrorInvalidValue);
  EXPECT_EQ(hipGraphAddMemcpyNode1D(&node, m_graph, nullptr, 0, m_data, m_data + 1, 8, hipMemcpyDefault),
            hipErrorInvalidValue);  // they overlap
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

void do_nothing() {}

TEST_F(GraphNodesTest, AttributesOfKernelNodesAreKept) {
  hipGraphNode_t nodes[2];
  hipKernelNodeParams p{};
  p.func    = const_cast<void*>(hip_model::kernel_entry<&do_nothing>());
  p.gridDim = p.blockDim = dim3(1, 1, 1);
  for (auto& node : nodes) ASSERT_HIP(hipGraphAddKernelNode(&node, m_graph, nullptr, 0, &p));
  hipKernelNodeAttrValue value{}, found{};
  value.cooperative = 1;
  EXPECT_HIP(hipGraphKernelNodeSetAttribute(nodes[0], hipKernelNodeAttributeCooperative, &value));
  EXPECT_HIP(hipGraphKernelNodeCopyAttributes(nodes[0], nodes[1]));
  EXPECT_HIP(hipGraphKernelNodeGetAttribute(nodes[1], hipKernelNodeAttributeCooperative, &found));
  EXPECT_EQ(found.cooperative, 1);
}

TEST_F(GraphNodesTest, AWindowOfTheCacheHasNoBytes) {
  hipGraphNode_t node;
  hipKernelNodeParams p{};
  p.func    = const_cast<void*>(hip_model::kernel_entry<&do_nothing>());
  p.gridDim = p.blockDim = dim3(1, 1, 1);
  ASSERT_HIP(hipGraphAddKernelNode(&node, m_graph, nullptr, 0, &p));
  auto const set = [&](std::size_t bytes, float ratio, hipAccessProperty miss) {
    hipKernelNodeAttrValue value{};
    value.accessPolicyWindow.num_bytes = bytes, value.accessPolicyWindow.hitRatio = ratio;
    value.accessPolicyWindow.missProp = miss;
    return hipGraphKernelNodeSetAttribute(node, hipKernelNodeAttributeAccessPolicyWindow, &value);
  };
  int largest = -1;
  EXPECT_HIP(hipDeviceGetAttribute(&largest, hipDeviceAttributeAccessPolicyMaxWindowSize, 0));
  EXPECT_EQ(largest, 0);
  EXPECT_HIP(set(0, 0.8f, hipAccessPropertyStreaming));
  EXPECT_EQ(set(1, 0.8f, hipAccessPropertyStreaming), hipErrorInvalidValue);
  EXPECT_EQ(set(0, 1.4f, hipAccessPropertyStreaming), hipErrorInvalidValue);
  EXPECT_EQ(set(0, 0.8f, hipAccessPropertyPersisting), hipErrorInvalidValue);
}

TEST_F(GraphNodesTest, ExecutableCopyKeepsItsDirection) {
  hipGraphNode_t node;
  int *to = m_data, *from = m_data + 4;
  ASSERT_HIP(hipGraphAddMemcpyNode1D(&node, m_graph, nullptr, 0, to, from, 4, hipMemcpyHostToHost));
  ASSERT_HIP(hipGraphInstantiate(&m_exec, m_graph, nullptr, nullptr, 0));
  EXPECT_HIP(hipGraphExecMemcpyNodeSetParams1D(m_exec, node, to + 1, from, 4, hipMemcpyHostToHost));
  EXPECT_EQ(hipGraphExecMemcpyNodeSetParams1D(m_exec, node, to, from, 4, hipMemcpyDefault), hipErrorInvalidValue);
}

TEST_F(GraphNodesTest, CopiesOfVariablesNeedBytesAndAFittingDirection) {
  static int variable[4];
  int pageable[4] = {};
  hip_model::describe_variable(variable, sizeof variable, "variable");
  hipGraphNode_t node;
  ASSERT_HIP(hipGraphAddMemcpyNodeToSymbol(&node, m_graph, nullptr, 0, variable, m_data, 16, 0, hipMemcpyHostToDevice));
  auto const set = [&](void const* from, std::size_t bytes, hipMemcpyKind kind) {
    return hipGraphMemcpyNodeSetParamsToSymbol(node, variable, from, bytes, 0, kind);
  };
  EXPECT_HIP(set(pageable, 16, hipMemcpyHostToDevice));
  EXPECT_EQ(set(m_data, 0, hipMemcpyHostToDevice), hipErrorInvalidValue);
  EXPECT_EQ(set(pageable, 16, hipMemcpyDeviceToDevice), hipErrorInvalidValue);
}
