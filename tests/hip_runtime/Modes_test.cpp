// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Undocumented behaviour of ROCm: each mode compared with the model without it.
#include "HipModelTest.hpp"

#include <future>

namespace {

class ModesTest : public HipModelTest {
 protected:
  void SetUp() override {
    HipModelTest::SetUp();
    for (hipStream_t& s : m_streams) ASSERT_HIP(hipStreamCreateWithFlags(&s, hipStreamNonBlocking));
    ASSERT_HIP(hipExtMallocWithFlags(reinterpret_cast<void**>(&m_signal), 8, hipMallocSignalMemory));
    *m_signal = 0;
  }
  void TearDown() override {
    EXPECT_HIP(hipFree(m_signal));
    for (hipStream_t s : m_streams) {
      EXPECT_HIP(hipStreamSynchronize(s));
      EXPECT_HIP(hipStreamDestroy(s));
    }
    hip_model::use_modes({});
    HipModelTest::TearDown();
  }
  // Waits until the model's threads have taken all work that may begin. The remaining work waits for something else.
  static hip_model::WorkCount settled() {
    while (true) {
      auto const count = hip_model::work_count();
      if (count.ready == 0) return count;
      std::this_thread::yield();
    }
  }
  static constexpr int streams = 5;
  hipStream_t m_streams[streams]{};
  std::uint64_t* m_signal = nullptr;
};

void nothing() {}
hipError_t launch_nothing(hipStream_t stream) {
  return hipLaunchKernel(hip_model::kernel_entry<&nothing>(), 1, 1, nullptr, 0, stream);
}

std::thread::id thread_of_host_function, thread_of_kernel;
void note_host_thread(void* p) { *static_cast<std::thread::id*>(p) = std::this_thread::get_id(); }
void note_kernel_thread() { thread_of_kernel = std::this_thread::get_id(); }

}  // namespace

TEST_F(ModesTest, KernelsOfStreamsRunBesideEachOtherWithoutAMode) {
  Gate first(m_streams[0]), second(m_streams[1]);
  EXPECT_EQ(settled().running, 2);
  EXPECT_EQ(settled().held_up, 0);
}

TEST_F(ModesTest, OneKernelAtATimeHoldsUpTheOthers) {
  hip_model::use_modes({.one_kernel = true});
  Gate first(m_streams[0]), second(m_streams[1]);
  EXPECT_HIP(hipMemsetAsync(m_signal, 0, 8, m_streams[2]));  // fills are kernels
  EXPECT_HIP(hipLaunchHostFunc(m_streams[3], note_host_thread, &thread_of_host_function));
  EXPECT_HIP(hipStreamSynchronize(m_streams[3]));  // host functions are none
  EXPECT_EQ(settled().running, 1);
  EXPECT_EQ(settled().held_up, 2);
  first.open();
  second.open();
  EXPECT_HIP(hipDeviceSynchronize());
}

TEST_F(ModesTest, AGraphWithAKernelCountsAsOne) {
  hip_model::use_modes({.one_kernel = true});
  hipGraph_t graph;
  hipGraphExec_t exec;
  ASSERT_HIP(hipStreamBeginCapture(m_streams[0], hipStreamCaptureModeRelaxed));
  EXPECT_HIP(launch_nothing(m_streams[0]));
  ASSERT_HIP(hipStreamEndCapture(m_streams[0], &graph));
  ASSERT_HIP(hipGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
  {
    Gate gate(m_streams[1]);
    EXPECT_HIP(hipGraphLaunch(exec, m_streams[0]));
    EXPECT_EQ(settled().held_up, 1);
  }
  EXPECT_HIP(hipDeviceSynchronize());
  EXPECT_HIP(hipGraphExecDestroy(exec));
  EXPECT_HIP(hipGraphDestroy(graph));
}

TEST_F(ModesTest, AWaitForAValueIsAKernelWhenKernelsRunOneAtATime) {
  hip_model::use_modes({.one_kernel = true});
  EXPECT_HIP(hipStreamWaitValue64(m_streams[0], m_signal, 1, hipStreamWaitValueEq, ~0ull));
  EXPECT_HIP(launch_nothing(m_streams[1]));
  EXPECT_EQ(settled().running, 1);
  EXPECT_EQ(settled().held_up, 1);
  std::atomic_ref<std::uint64_t>(*m_signal).store(1);
  EXPECT_HIP(hipDeviceSynchronize());
}

TEST_F(ModesTest, StreamsThatShareAQueueHoldEachOtherUp) {
  hip_model::use_modes({.queues = 1});
  Gate gate(m_streams[0]);
  for (int i = 1; i < streams; ++i) EXPECT_HIP(launch_nothing(m_streams[i]));
  EXPECT_EQ(settled().running, 1);
  EXPECT_EQ(settled().held_up, streams - 1);
  gate.open();
  EXPECT_HIP(hipDeviceSynchronize());
}

TEST_F(ModesTest, OfFiveStreamsTwoShareOneOfFourQueues) {
  hip_model::use_modes({.queues = hip_model::rocm_queues});
  Gate gates[]{Gate(m_streams[0]), Gate(m_streams[1]), Gate(m_streams[2]), Gate(m_streams[3]), Gate(m_streams[4])};
  EXPECT_EQ(settled().running, 4);
  EXPECT_EQ(settled().held_up, 1);
}

TEST_F(ModesTest, AWaitForAnEventHoldsUpTheQueue) {
  hip_model::use_modes({.queues = hip_model::rocm_queues});
  hipEvent_t event;
  ASSERT_HIP(hipEventCreateWithFlags(&event, hipEventDisableTiming));
  {
    Gate gate(m_streams[1]);
    EXPECT_HIP(hipEventRecord(event, m_streams[1]));
    EXPECT_HIP(hipStreamWaitEvent(m_streams[0], event, 0));
    EXPECT_HIP(launch_nothing(m_streams[4]));  // behind the barrier packet of the first stream
    EXPECT_EQ(hipStreamQuery(m_streams[4]), hipErrorNotReady);
    EXPECT_EQ(settled().running, 1);
    EXPECT_EQ(settled().held_up, 2);
  }
  EXPECT_HIP(hipDeviceSynchronize());
  EXPECT_HIP(hipEventDestroy(event));
}

TEST_F(ModesTest, HostFunctionsShareOneThread) {
  std::thread::id ids[streams];
  for (int i = 0; i < streams; ++i) {
    EXPECT_HIP(hipLaunchKernel(hip_model::kernel_entry<&note_kernel_thread>(), 1, 1, nullptr, 0, m_streams[i]));
    EXPECT_HIP(hipLaunchHostFunc(m_streams[i], note_host_thread, &ids[i]));
    EXPECT_HIP(hipStreamSynchronize(m_streams[i]));
    EXPECT_EQ(ids[i], ids[0]);
    EXPECT_NE(ids[i], thread_of_kernel);
  }
  hipGraph_t graph;
  hipGraphNode_t node;
  hipGraphExec_t exec;
  hipHostNodeParams function{note_host_thread, &thread_of_host_function};
  ASSERT_HIP(hipGraphCreate(&graph, 0));
  EXPECT_HIP(hipGraphAddHostNode(&node, graph, nullptr, 0, &function));
  ASSERT_HIP(hipGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
  EXPECT_HIP(hipGraphLaunch(exec, m_streams[0]));
  EXPECT_HIP(hipStreamSynchronize(m_streams[0]));
  EXPECT_EQ(thread_of_host_function, ids[0]);
  EXPECT_HIP(hipGraphExecDestroy(exec));
  EXPECT_HIP(hipGraphDestroy(graph));
}

TEST_F(ModesTest, ValuesAreComparedUnsigned) {
  *m_signal = ~0ull;  // -1 if it had a sign
  EXPECT_HIP(hipStreamWaitValue64(m_streams[0], m_signal, 1, hipStreamWaitValueGte, ~0ull));
  EXPECT_HIP(hipStreamWaitValue32(m_streams[1], m_signal, 0x7fffffffu, hipStreamWaitValueGte, ~0u));
  EXPECT_HIP(hipStreamSynchronize(m_streams[0]));
  EXPECT_HIP(hipStreamSynchronize(m_streams[1]));
  *m_signal = 1;
  EXPECT_HIP(hipStreamWaitValue64(m_streams[0], m_signal, ~0ull, hipStreamWaitValueGte, ~0ull));
  EXPECT_EQ(settled().held_up, 1);
  std::atomic_ref<std::uint64_t>(*m_signal).store(~0ull);
  EXPECT_HIP(hipStreamSynchronize(m_streams[0]));
}

TEST_F(ModesTest, AStreamIsLockedWhileAThreadSynchronizesIt) {
  for (bool const locked : {false, true}) {
    hip_model::use_modes({.locked_streams = locked});
    Gate gate(m_streams[0]);
    auto synchronizes = std::async(std::launch::async, [&] { return hipStreamSynchronize(m_streams[0]); });
    while (hip_model::work_count().callers < 1) std::this_thread::yield();
    auto query = std::async(std::launch::async, [&] { return hipStreamQuery(m_streams[0]); });
    if (locked) {  // waits until the stream is free, so the work is done; without the mode it would return at once
      while (hip_model::work_count().callers < 2 &&
             query.wait_for(std::chrono::seconds(0)) != std::future_status::ready)
        std::this_thread::yield();
      gate.open();
      EXPECT_HIP(query.get());
    } else {
      EXPECT_EQ(query.get(), hipErrorNotReady);
      gate.open();
    }
    EXPECT_HIP(synchronizes.get());
  }
}

TEST_F(ModesTest, WorkMayEndBeforeItsCallReturns) {
  hip_model::use_modes({.at_once = true});
  hipEvent_t event;
  ASSERT_HIP(hipEventCreateWithFlags(&event, hipEventDisableTiming));
  hip_model::slow_call("operation", 1000);
  for (hipStream_t stream : m_streams) {
    EXPECT_HIP(launch_nothing(stream));
    EXPECT_HIP(hipStreamQuery(stream));
    EXPECT_HIP(hipEventRecord(event, stream));
    EXPECT_HIP(hipEventQuery(event));
  }
  hip_model::clear_faults();
  EXPECT_HIP(hipEventDestroy(event));
}

TEST_F(ModesTest, WaitsForValuesMayRequireSignalMemory) {
  std::uint64_t* pinned;
  ASSERT_HIP(hipHostMalloc(reinterpret_cast<void**>(&pinned), 8, 0));
  *pinned = 1;
  EXPECT_HIP(hipStreamWaitValue64(m_streams[0], pinned, 1, hipStreamWaitValueEq, ~0ull));
  hip_model::use_modes({.signal_memory = true});
  EXPECT_EQ(hipStreamWaitValue64(m_streams[0], pinned, 1, hipStreamWaitValueEq, ~0ull), hipErrorInvalidValue);
  expect_violation("wait-without-signal-memory");
  *m_signal = 1;
  EXPECT_HIP(hipStreamWaitValue64(m_streams[0], m_signal, 1, hipStreamWaitValueEq, ~0ull));
  EXPECT_HIP(hipDeviceSynchronize());
  EXPECT_HIP(hipHostFree(pinned));
}

namespace {
void add_one(int* p) { ++*p; }
}  // namespace

TEST_F(ModesTest, DeviceMemoryIsClosedToHostCodeUnlessWorkRuns) {
  hip_model::use_modes({.protects_memory = true});
  int *p = nullptr, *later = nullptr, value = 41;
  ASSERT_HIP(hipMalloc(reinterpret_cast<void**>(&p), 10000));
  EXPECT_HIP(hipMemcpy(p, &value, sizeof value, hipMemcpyHostToDevice));
  void* arguments[] = {&p};
  EXPECT_HIP(hipLaunchKernel(hip_model::kernel_entry<&add_one>(), 1, 1, arguments, 0, m_streams[0]));
  EXPECT_HIP(hipStreamSynchronize(m_streams[0]));
  EXPECT_DEATH(*p = 5, "host code accesses device memory while no work runs");
  {
    Gate running(m_streams[1]);
    while (hip_model::work_count().running == 0) std::this_thread::yield();
    EXPECT_HIP(hipMemcpyAsync(&value, p, sizeof value, hipMemcpyDeviceToHost, m_streams[0]));
    // Memory that is new while other work runs.
    ASSERT_HIP(hipMalloc(reinterpret_cast<void**>(&later), 10000));
    EXPECT_HIP(hipMemcpyAsync(later, p, 10000, hipMemcpyDeviceToDevice, m_streams[0]));
    EXPECT_HIP(hipStreamSynchronize(m_streams[0]));
  }
  EXPECT_EQ(value, 42);
  EXPECT_HIP(hipDeviceSynchronize());
  EXPECT_DEATH(*later = 5, "host code accesses device memory while no work runs");
  EXPECT_HIP(hipMemcpy(&value, later, sizeof value, hipMemcpyDeviceToHost));
  EXPECT_EQ(value, 42);
  EXPECT_HIP(hipFree(later));
  EXPECT_HIP(hipFree(p));
}
