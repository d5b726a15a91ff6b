// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "HipModelTest.hpp"

class CapturesTest : public HipModelTest {
 protected:
  void SetUp() override {
    HipModelTest::SetUp();
    ASSERT_HIP(hipStreamCreate(&stream));
    ASSERT_HIP(hipStreamCreate(&other));
    ASSERT_HIP(hipEventCreateWithFlags(&event, hipEventDisableTiming));
    ASSERT_HIP(hipHostMalloc(reinterpret_cast<void**>(&data), 64, 0));
    data[0] = 0;
  }
  void TearDown() override {
    EXPECT_HIP(hipHostFree(data));
    EXPECT_HIP(hipEventDestroy(event));
    EXPECT_HIP(hipStreamDestroy(other));
    EXPECT_HIP(hipStreamDestroy(stream));
    HipModelTest::TearDown();
  }
  void end_invalid() {
    hipGraph_t graph;
    EXPECT_EQ(hipStreamEndCapture(stream, &graph), hipErrorStreamCaptureInvalidated);
    EXPECT_EQ(graph, nullptr);
  }
  hipStream_t stream, other;
  hipEvent_t event;
  unsigned char* data;
};

TEST_F(CapturesTest, WhatIsCapturedRunsWhenLaunched) {
  hipGraph_t graph;
  hipGraphExec_t exec;
  ASSERT_HIP(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal));
  EXPECT_HIP(hipMemsetAsync(data, 1, 1, stream));
  EXPECT_HIP(hipEventRecord(event, stream));
  EXPECT_HIP(hipStreamWaitEvent(other, event, 0));  // `other` joins the capture
  EXPECT_HIP(hipMemsetAsync(data + 1, 2, 1, other));
  EXPECT_HIP(hipEventRecord(event, other));
  EXPECT_HIP(hipMemsetAsync(data + 2, 3, 1, stream));
  EXPECT_HIP(hipStreamWaitEvent(stream, event, 0));  // and returns
  hipStreamCaptureStatus status;
  EXPECT_HIP(hipStreamIsCapturing(other, &status));
  EXPECT_EQ(status, hipStreamCaptureStatusActive);
  size_t count = 0;
  hipGraph_t under_way;
  EXPECT_HIP(hipStreamGetCaptureInfo_v2(stream, &status, nullptr, &under_way, nullptr, &count));
  EXPECT_EQ(count, 2u);
  ASSERT_HIP(hipStreamEndCapture(stream, &graph));
  EXPECT_EQ(graph, under_way);
  EXPECT_HIP(hipStreamIsCapturing(other, &status));
  EXPECT_EQ(status, hipStreamCaptureStatusNone);
  EXPECT_EQ(data[0], 0);
  size_t nodes = 0, edges = 0, roots = 0;
  EXPECT_HIP(hipGraphGetNodes(graph, nullptr, &nodes));
  EXPECT_HIP(hipGraphGetEdges(graph, nullptr, nullptr, &edges));
  EXPECT_HIP(hipGraphGetRootNodes(graph, nullptr, &roots));
  EXPECT_EQ(nodes, 3u);
  EXPECT_EQ(edges, 2u);
  EXPECT_EQ(roots, 1u);
  ASSERT_HIP(hipGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
  EXPECT_HIP(hipGraphDestroy(graph));
  EXPECT_HIP(hipGraphLaunch(exec, stream));
  EXPECT_HIP(hipGraphExecDestroy(exec));  // the launch continues
  EXPECT_HIP(hipStreamSynchronize(stream));
  EXPECT_EQ(data[0] * 100 + data[1] * 10 + data[2], 123);
}

TEST_F(CapturesTest, StreamsThatJoinedMustComeBack) {
  hipGraph_t graph;
  ASSERT_HIP(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal));
  EXPECT_HIP(hipEventRecord(event, stream));
  EXPECT_HIP(hipStreamWaitEvent(other, event, 0));
  EXPECT_HIP(hipMemsetAsync(data, 2, 1, other));
  EXPECT_EQ(hipStreamEndCapture(other, &graph), hipErrorStreamCaptureUnmatched);
  expect_violation("capture-unmatched");
  EXPECT_EQ(hipStreamEndCapture(stream, &graph), hipErrorStreamCaptureUnjoined);
  expect_violation("capture-unjoined");
}

// ROCm from 6.2 on looks at the stream of an event's last record.
TEST_F(CapturesTest, OlderEventMustNotBeQueriedDuringACapture) {
  hipGraph_t graph;
  for (auto const& query : {hipEventQuery, hipEventSynchronize}) {
    ASSERT_HIP(hipEventRecord(event, stream));
    ASSERT_HIP(hipStreamSynchronize(stream));
    ASSERT_HIP(hipStreamBeginCapture(stream, hipStreamCaptureModeRelaxed));
    EXPECT_EQ(query(event), hipErrorCapturedEvent);
    expect_violation("event-of-captured-stream");
    end_invalid();
  }
  // Another stream cannot wait for the event during the capture; the attempt is harmless.
  ASSERT_HIP(hipEventRecord(event, stream));
  ASSERT_HIP(hipStreamBeginCapture(stream, hipStreamCaptureModeRelaxed));
  EXPECT_EQ(hipStreamWaitEvent(other, event, 0), hipErrorStreamCaptureIsolation);
  ASSERT_HIP(hipStreamEndCapture(stream, &graph));
  EXPECT_HIP(hipGraphDestroy(graph));
  EXPECT_HIP(hipStreamWaitEvent(other, event, 0));
  EXPECT_HIP(hipEventSynchronize(event));
}

TEST_F(CapturesTest, AModeHasTheStricterRulesOfCuda) {
  hipGraph_t graph, empty;
  hipGraphExec_t exec = nullptr;
  ASSERT_HIP(hipGraphCreate(&empty, 0));
  auto const record      = [&] { return hipEventRecord(event, stream); };
  auto const instantiate = [&] { return hipGraphInstantiateWithFlags(&exec, empty, 0); };
  auto const elsewhere   = [&](auto const& call) {
    hipError_t result = hipSuccess;
    std::thread([&] { result = call(); }).join();
    return result;
  };
  ASSERT_HIP(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal));
  EXPECT_HIP(elsewhere(record));
  EXPECT_HIP(elsewhere(instantiate));
  ASSERT_HIP(hipStreamEndCapture(stream, &graph));
  EXPECT_HIP(hipGraphDestroy(graph));
  EXPECT_HIP(hipGraphExecDestroy(exec));

  hip_model::use_modes({.captures_as_cuda = true});
  ASSERT_HIP(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal));
  EXPECT_HIP(record());
  EXPECT_EQ(elsewhere(record), hipErrorStreamCaptureWrongThread);
  expect_violation("capture-by-other-thread");
  end_invalid();
  ASSERT_HIP(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal));
  EXPECT_EQ(elsewhere(instantiate), hipErrorStreamCaptureUnsupported);
  expect_violation("capture-forbids");
  end_invalid();
  hip_model::use_modes({});
  EXPECT_HIP(hipGraphDestroy(empty));
}

TEST_F(CapturesTest, UnsafeCallsOfAnyThreadSpoilAGlobalCapture) {
  void* p;
  ASSERT_HIP(hipEventRecord(event, other));
  ASSERT_HIP(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal));
  EXPECT_EQ(hipMalloc(&p, 8), hipErrorStreamCaptureUnsupported);
  expect_violation("capture-forbids");
  end_invalid();
  ASSERT_HIP(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal));
  std::thread([&] { EXPECT_EQ(hipEventSynchronize(event), hipErrorStreamCaptureUnsupported); }).join();
  expect_violation("capture-forbids");
  end_invalid();
  ASSERT_HIP(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal));
  EXPECT_EQ(hipStreamSynchronize(stream), hipErrorStreamCaptureUnsupported);
  expect_violation("capture-forbids");
  end_invalid();
}

TEST_F(CapturesTest, OtherModesLeaveOthersAlone) {
  hipGraph_t graph;
  ASSERT_HIP(hipStreamBeginCapture(stream, hipStreamCaptureModeThreadLocal));
  std::thread([&] {
    EXPECT_HIP(hipEventRecord(event, other));
    EXPECT_HIP(hipEventSynchronize(event));
    void* p;
    EXPECT_HIP(hipMalloc(&p, 8));
    EXPECT_HIP(hipFree(p));
    EXPECT_EQ(hipStreamEndCapture(stream, &graph), hipErrorStreamCaptureWrongThread);
    expect_violation("capture-wrong-thread");
  }).join();
  ASSERT_HIP(hipStreamEndCapture(stream, &graph));
  EXPECT_HIP(hipGraphDestroy(graph));

  void* p;
  ASSERT_HIP(hipStreamBeginCapture(stream, hipStreamCaptureModeRelaxed));
  EXPECT_HIP(hipMalloc(&p, 8));
  EXPECT_HIP(hipFree(p));
  std::thread([&] { ASSERT_HIP(hipStreamEndCapture(stream, &graph)); }).join();
  EXPECT_HIP(hipGraphDestroy(graph));
}

TEST_F(CapturesTest, AThreadMayRelaxWhatItAsksFor) {
  hipGraph_t graph;
  ASSERT_HIP(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal));
  hipStreamCaptureMode mode = hipStreamCaptureModeRelaxed;
  EXPECT_HIP(hipThreadExchangeStreamCaptureMode(&mode));
  EXPECT_EQ(mode, hipStreamCaptureModeGlobal);
  EXPECT_HIP(hipEventRecord(event, other));
  EXPECT_HIP(hipEventSynchronize(event));
  EXPECT_HIP(hipThreadExchangeStreamCaptureMode(&mode));
  EXPECT_EQ(mode, hipStreamCaptureModeRelaxed);
  ASSERT_HIP(hipStreamEndCapture(stream, &graph));
  EXPECT_HIP(hipGraphDestroy(graph));
}

TEST_F(CapturesTest, TheDefaultStreamTakesNoPart) {
  EXPECT_EQ(hipStreamBeginCapture(nullptr, hipStreamCaptureModeGlobal), hipErrorStreamCaptureUnsupported);
  expect_violation("capture-default-stream");
  ASSERT_HIP(hipStreamBeginCapture(stream, hipStreamCaptureModeRelaxed));
  EXPECT_EQ(hipMemsetAsync(data, 0, 1, nullptr), hipErrorStreamCaptureImplicit);
  expect_violation("capture-implicit");
  end_invalid();
}

TEST_F(CapturesTest, EventsCrossTheBorderNeitherWay) {
  ASSERT_HIP(hipEventRecord(event, other));
  ASSERT_HIP(hipStreamBeginCapture(stream, hipStreamCaptureModeRelaxed));
  EXPECT_EQ(hipStreamWaitEvent(stream, event, 0), hipErrorStreamCaptureIsolation);
  expect_violation("capture-isolation");
  EXPECT_HIP(hipEventRecord(event, stream));
  EXPECT_EQ(hipEventSynchronize(event), hipErrorCapturedEvent);
  expect_violation("captured-event");
  end_invalid();
}

TEST_F(CapturesTest, GraphsKeepUserObjects) {
  static std::atomic<int> destroyed{0};
  destroyed = 0;
  hipGraph_t graph;
  hipGraphExec_t exec;
  hipUserObject_t object;
  ASSERT_HIP(hipUserObjectCreate(&object, &destroyed, [](void*) { ++destroyed; }, 1, hipUserObjectNoDestructorSync));
  ASSERT_HIP(hipStreamBeginCapture(stream, hipStreamCaptureModeRelaxed));
  hipStreamCaptureStatus status;
  EXPECT_HIP(hipStreamGetCaptureInfo_v2(stream, &status, nullptr, &graph, nullptr, nullptr));
  EXPECT_HIP(hipGraphRetainUserObject(graph, object, 1, hipGraphUserObjectMove));
  EXPECT_HIP(hipMemsetAsync(data, 9, 1, stream));
  ASSERT_HIP(hipStreamEndCapture(stream, &graph));
  ASSERT_HIP(hipGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
  EXPECT_HIP(hipGraphDestroy(graph));
  {
    Gate gate(stream);
    EXPECT_HIP(hipGraphLaunch(exec, stream));
    EXPECT_HIP(hipGraphExecDestroy(exec));
    EXPECT_EQ(destroyed, 0);  // the launch in progress needs it
  }
  EXPECT_HIP(hipStreamSynchronize(stream));
  EXPECT_EQ(hip_model::check_leaks(), 4u);  // the fixture's streams, event and memory, and no user object
  hip_model::reset_reports();
  EXPECT_EQ(destroyed, 1);
}

TEST_F(CapturesTest, AStreamDestroyedWhileCaptured) {
  hipStream_t gone;
  ASSERT_HIP(hipStreamCreate(&gone));
  ASSERT_HIP(hipStreamBeginCapture(gone, hipStreamCaptureModeGlobal));
  EXPECT_HIP(hipStreamDestroy(gone));
  expect_violation("destroyed-while-captured");
  void* p;
  EXPECT_HIP(hipMalloc(&p, 1));  // no remaining capture forbids it
  EXPECT_HIP(hipFree(p));
}

// ---- ROCm 7.0 -----------------------------------------------------------------------------------------------------

TEST_F(CapturesTest, Rocm7CapturesNoHostFunctions) {
  ASSERT_TRUE(hip_model::use_profile("mi300x-rocm-7.0"));
  hipStream_t captured;
  hipStreamCaptureStatus status;
  ASSERT_HIP(hipStreamCreate(&captured));
  ASSERT_HIP(hipStreamBeginCapture(captured, hipStreamCaptureModeRelaxed));
  EXPECT_EQ(hipLaunchHostFunc(captured, [](void*) {}, nullptr), hipErrorStreamCaptureUnsupported);
  expect_violation("capture-forbids");
  EXPECT_HIP(hipStreamIsCapturing(captured, &status));
  EXPECT_EQ(status, hipStreamCaptureStatusInvalidated);
  hipGraph_t graph;
  EXPECT_EQ(hipStreamEndCapture(captured, &graph), hipErrorStreamCaptureInvalidated);
  EXPECT_HIP(hipStreamDestroy(captured));
  EXPECT_HIP(hipLaunchHostFunc(stream, [](void*) {}, nullptr));  // outside of a capture
  EXPECT_HIP(hipStreamSynchronize(stream));
}

TEST_F(CapturesTest, Rocm7DisregardsTheModeOfAThreadThatQueriesEvents) {
  EXPECT_HIP(hipEventRecord(event, other));
  for (bool const rocm_7 : {false, true}) {
    ASSERT_TRUE(hip_model::use_profile(rocm_7 ? "mi300x-rocm-7.0" : "strict"));
    hipStream_t captured;
    ASSERT_HIP(hipStreamCreate(&captured));
    ASSERT_HIP(hipStreamBeginCapture(captured, hipStreamCaptureModeGlobal));
    hipError_t found[2];
    std::thread([&] {
      hipStreamCaptureMode mode = hipStreamCaptureModeRelaxed;
      EXPECT_HIP(hipThreadExchangeStreamCaptureMode(&mode));
      found[0] = hipEventSynchronize(event);
      found[1] = hipEventQuery(event);
    }).join();
    hipError_t const wanted = rocm_7 ? hipErrorStreamCaptureUnsupported : hipSuccess;
    EXPECT_EQ(found[0], wanted);
    EXPECT_EQ(found[1], wanted);
    if (rocm_7) expect_violation("capture-forbids", 2);
    hipGraph_t graph = nullptr;
    EXPECT_EQ(hipStreamEndCapture(captured, &graph), rocm_7 ? hipErrorStreamCaptureInvalidated : hipSuccess);
    if (graph) EXPECT_HIP(hipGraphDestroy(graph));
    EXPECT_HIP(hipStreamDestroy(captured));
  }
}

TEST_F(CapturesTest, Rocm7LeavesAStreamInAnInvalidatedCapture) {
  for (bool const rocm_7 : {false, true}) {
    ASSERT_TRUE(hip_model::use_profile(rocm_7 ? "mi300x-rocm-7.0" : "strict"));
    hipStream_t captured;
    hipGraph_t graph;
    void* p = nullptr;
    hipStreamCaptureStatus status;
    ASSERT_HIP(hipStreamCreate(&captured));
    ASSERT_HIP(hipStreamBeginCapture(captured, hipStreamCaptureModeGlobal));
    EXPECT_EQ(hipMalloc(&p, 64), hipErrorStreamCaptureUnsupported);
    EXPECT_EQ(hipStreamEndCapture(captured, &graph), hipErrorStreamCaptureInvalidated);
    expect_violation("capture-forbids");
    EXPECT_HIP(hipStreamIsCapturing(captured, &status));
    EXPECT_EQ(status, rocm_7 ? hipStreamCaptureStatusInvalidated : hipStreamCaptureStatusNone);
    EXPECT_EQ(hipMalloc(&p, 64), rocm_7 ? hipErrorStreamCaptureUnsupported : hipSuccess);
    EXPECT_HIP(hipFree(p));
    if (rocm_7) expect_violation("capture-forbids");
    EXPECT_HIP(hipStreamDestroy(captured));  // ends it
    EXPECT_HIP(hipMalloc(&p, 64));
    EXPECT_HIP(hipFree(p));
  }
}
