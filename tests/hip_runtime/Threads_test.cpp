// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "HipModelTest.hpp"

using ThreadsTest = HipModelTest;
using I           = hip_model::Intrinsics;

namespace {

void add_to(int* counter, int n) { I::fetch_add(counter, n); }

// The calls of a library from each host thread: creates streams, uses its own memory, waits for other streams, and
// destroys streams.
void rounds(int count, int* counter) {
  void const* kernel = hip_model::kernel_entry<add_to>();
  for (int round = 0; round < count; ++round) {
    hipStream_t a, b;
    hipEvent_t event;
    void* memory      = nullptr;
    int one           = 1;
    void* arguments[] = {&counter, &one};
    EXPECT_HIP(hipStreamCreate(&a));
    EXPECT_HIP(hipStreamCreateWithFlags(&b, hipStreamNonBlocking));
    EXPECT_HIP(hipEventCreateWithFlags(&event, hipEventDisableTiming));
    EXPECT_HIP(hipMallocAsync(&memory, 256, a));
    EXPECT_HIP(hipMemsetAsync(memory, round, 256, a));
    EXPECT_HIP(hipLaunchKernel(kernel, 2, 8, arguments, 0, a));
    EXPECT_HIP(hipEventRecord(event, a));
    EXPECT_HIP(hipStreamWaitEvent(b, event, 0));
    EXPECT_HIP(hipLaunchKernel(kernel, 1, 4, arguments, 0, b));
    EXPECT_HIP(hipFreeAsync(memory, b));
    EXPECT_HIP(hipEventSynchronize(event));
    EXPECT_HIP(hipStreamSynchronize(b));
    EXPECT_HIP(hipEventDestroy(event));
    EXPECT_HIP(hipStreamDestroy(a));
    EXPECT_HIP(hipStreamDestroy(b));
  }
}

void rounds_from_threads(int threads, int count) {
  int* counter;
  ASSERT_HIP(hipHostMalloc(reinterpret_cast<void**>(&counter), 64, 0));
  *counter = 0;
  std::vector<std::thread> all;
  for (int t = 0; t < threads; ++t) all.emplace_back(rounds, count, counter);
  for (auto& t : all) t.join();
  EXPECT_EQ(*counter, threads * count * 20);
  EXPECT_HIP(hipHostFree(counter));
}

}  // namespace

TEST_F(ThreadsTest, FromOneAndFromMany) {
  rounds_from_threads(1, 500);
  rounds_from_threads(8, 100);
}

TEST_F(ThreadsTest, UnderSeeds) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    hip_model::use_seed(seed);
    rounds_from_threads(1, 10);
    rounds_from_threads(3, 5);
  }
  hip_model::use_seed(0);
}

// The thread that works by seed must not take a notification that is meant for a thread that works without one.
TEST_F(ThreadsTest, FreelyAfterASeed) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    hip_model::use_seed(seed);
    rounds_from_threads(1, 2);
    hip_model::use_seed(0);
    rounds_from_threads(1, 20);
  }
}

TEST_F(ThreadsTest, WhileHandlesComeBackAtOnce) {
  hip_model::reuse_handles(true);
  rounds_from_threads(4, 100);
  hip_model::reuse_handles(false);
}
