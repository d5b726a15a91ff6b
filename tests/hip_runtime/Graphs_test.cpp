// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "HipModelTest.hpp"

namespace {

using I = hip_model::Intrinsics;
void append(unsigned char* data, int value) {
  if (I::thread_x() == 0) data[++data[0]] = static_cast<unsigned char>(value);
}

class GraphsTest : public HipModelTest {
 protected:
  void SetUp() override {
    HipModelTest::SetUp();
    ASSERT_HIP(hipHostMalloc(reinterpret_cast<void**>(&data), 64, 0));
    std::fill(data, data + 64, 0);
    ASSERT_HIP(hipGraphCreate(&graph, 0));
  }
  void TearDown() override {
    EXPECT_HIP(hipGraphDestroy(graph));
    EXPECT_HIP(hipHostFree(data));
    HipModelTest::TearDown();
  }
  hipKernelNodeParams params(int* value) {
    arguments[0] = &data;
    arguments[1] = value;
    hipKernelNodeParams p{};
    p.func         = const_cast<void*>(hip_model::kernel_entry<append>());
    p.gridDim      = dim3(1);
    p.blockDim     = dim3(4);
    p.kernelParams = arguments;
    return p;
  }
  hipGraphNode_t add(int value, std::vector<hipGraphNode_t> const& after = {}) {
    hipKernelNodeParams p = params(&value);
    hipGraphNode_t node   = nullptr;
    EXPECT_HIP(hipGraphAddKernelNode(&node, graph, after.data(), after.size(), &p));
    return node;
  }
  std::vector<int> run(hipGraphExec_t exec) {
    data[0] = 0;
    EXPECT_HIP(hipGraphLaunch(exec, nullptr));
    EXPECT_HIP(hipDeviceSynchronize());
    return {data + 1, data + 1 + data[0]};
  }
  unsigned char* data;
  void* arguments[2];
  hipGraph_t graph;
};

TEST_F(GraphsTest, NodesRunInTheOrderOfTheEdges) {
  auto c = add(3);
  auto a = add(1);
  auto b = add(2, {a});
  EXPECT_HIP(hipGraphAddDependencies(graph, &b, &c, 1));
  hipGraphExec_t exec;
  ASSERT_HIP(hipGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
  EXPECT_EQ(run(exec), (std::vector<int>{1, 2, 3}));
  int nine                    = 9;
  hipKernelNodeParams const p = params(&nine);
  EXPECT_HIP(hipGraphExecKernelNodeSetParams(exec, b, &p));
  EXPECT_EQ(run(exec), (std::vector<int>{1, 9, 3}));
  EXPECT_HIP(hipGraphExecDestroy(exec));
  EXPECT_EQ(hipGraphLaunch(exec, nullptr), hipErrorInvalidValue);
  expect_violation("destroyed-handle");
  EXPECT_HIP(hipGraphAddDependencies(graph, &c, &a, 1));
  EXPECT_EQ(hipGraphInstantiate(&exec, graph, nullptr, nullptr, 0), hipErrorInvalidValue);
  expect_violation("cyclic-graph");
}

TEST_F(GraphsTest, NodesOfAllKinds) {
  hipGraphNode_t fill, copy, host, empty, child;
  hipMemsetParams set{};
  set.dst         = data + 10;
  set.elementSize = 1;
  set.height      = 1;
  set.value       = 7;
  set.width       = 4;
  EXPECT_HIP(hipGraphAddMemsetNode(&fill, graph, nullptr, 0, &set));
  EXPECT_HIP(hipGraphAddMemcpyNode1D(&copy, graph, &fill, 1, data + 20, data + 10, 4, hipMemcpyDefault));
  EXPECT_HIP(hipGraphAddEmptyNode(&empty, graph, &copy, 1));
  hipHostNodeParams f{[](void* p) { static_cast<unsigned char*>(p)[30] = static_cast<unsigned char*>(p)[23]; }, data};
  EXPECT_HIP(hipGraphAddHostNode(&host, graph, &empty, 1, &f));
  hipGraph_t inner;
  ASSERT_HIP(hipGraphCreate(&inner, 0));
  hipGraphNode_t in_inner;
  EXPECT_HIP(hipGraphAddMemcpyNode1D(&in_inner, inner, nullptr, 0, data + 40, data + 30, 1, hipMemcpyDefault));
  EXPECT_HIP(hipGraphAddChildGraphNode(&child, graph, &host, 1, inner));
  EXPECT_HIP(hipGraphDestroy(inner));
  hipGraphNodeType type;
  EXPECT_HIP(hipGraphNodeGetType(child, &type));
  EXPECT_EQ(type, hipGraphNodeTypeGraph);
  hipGraph_t clone;
  ASSERT_HIP(hipGraphClone(&clone, graph));
  hipGraphExec_t exec;
  ASSERT_HIP(hipGraphInstantiate(&exec, clone, nullptr, nullptr, 0));
  EXPECT_HIP(hipGraphDestroy(clone));
  (void)run(exec);
  EXPECT_EQ(data[40], 7);
  EXPECT_HIP(hipGraphExecDestroy(exec));
}

TEST_F(GraphsTest, MemoryMustLiveWhenTheGraphIsLaunched) {
  void* p;
  ASSERT_HIP(hipMalloc(&p, 16));
  hipGraphNode_t node;
  EXPECT_HIP(hipGraphAddMemcpyNode1D(&node, graph, nullptr, 0, data, p, 16, hipMemcpyDefault));
  hipGraphExec_t exec;
  ASSERT_HIP(hipGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
  EXPECT_HIP(hipFree(p));
  (void)run(exec);
  expect_violation("freed-while-in-use");
  EXPECT_HIP(hipGraphExecDestroy(exec));
}

}  // namespace
