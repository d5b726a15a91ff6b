// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "HipModelTest.hpp"

#include <algorithm>
#include <chrono>
#include <mutex>

using FaultsTest = HipModelTest;

TEST_F(FaultsTest, TheNthCallFailsAndDoesNothing) {
  hip_model::fail_call("hipStreamCreate", 2, hipErrorOutOfMemory);
  hipStream_t first, second, third;
  EXPECT_HIP(hipStreamCreate(&first));
  EXPECT_EQ(hipStreamCreate(&second), hipErrorOutOfMemory);
  EXPECT_EQ(hipGetLastError(), hipErrorOutOfMemory);
  EXPECT_HIP(hipStreamCreate(&third));
  EXPECT_EQ(hip_model::call_count("hipStreamCreate"), 3u);
  EXPECT_GE(hip_model::call_count("*"), 4u);
  EXPECT_HIP(hipStreamDestroy(first));
  EXPECT_HIP(hipStreamDestroy(third));
  hip_model::fail_call("*", 3, hipErrorUnknown);
  int device;
  EXPECT_HIP(hipGetDevice(&device));
  EXPECT_HIP(hipSetDevice(0));
  EXPECT_EQ(hipGetDevice(&device), hipErrorUnknown);
}

TEST_F(FaultsTest, SlowOperations) {
  hip_model::slow_call("operation", 20000);
  hipStream_t stream;
  ASSERT_HIP(hipStreamCreate(&stream));
  auto const begin = std::chrono::steady_clock::now();
  EXPECT_HIP(hipLaunchHostFunc(stream, [](void*) {}, nullptr));
  EXPECT_HIP(hipStreamSynchronize(stream));
  EXPECT_GE(std::chrono::steady_clock::now() - begin, std::chrono::milliseconds(20));
  EXPECT_HIP(hipStreamDestroy(stream));
}

namespace {
// The order in which work of three streams ran, for one seed.
std::string order(std::uint64_t seed) {
  struct Step {
    std::string* log;
    std::mutex* mutex;
    char name;
  };
  std::string log;
  std::mutex mutex;
  hip_model::use_seed(seed);
  hipStream_t streams[3];
  Step steps[3];
  for (int i = 0; i < 3; ++i) {
    EXPECT_HIP(hipStreamCreate(&streams[i]));
    steps[i] = {&log, &mutex, static_cast<char>('a' + i)};
  }
  for (int round = 0; round < 4; ++round)
    for (int i = 0; i < 3; ++i)
      EXPECT_HIP(hipLaunchHostFunc(
          streams[i],
          [](void* p) {
            Step& s = *static_cast<Step*>(p);
            std::lock_guard<std::mutex> lock(*s.mutex);
            s.log->push_back(s.name);
          },
          &steps[i]));
  for (auto s : streams) {
    EXPECT_HIP(hipStreamSynchronize(s));
    EXPECT_HIP(hipStreamDestroy(s));
  }
  EXPECT_HIP(hipDeviceSynchronize());
  hip_model::use_seed(0);
  return log;
}
}  // namespace

TEST_F(FaultsTest, ASeedReplaysASchedule) {
  std::vector<std::string> seen;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    std::string const first = order(seed);
    EXPECT_EQ(first.size(), 12u);
    EXPECT_EQ(first, order(seed)) << "seed " << seed;
    seen.push_back(first);
  }
  EXPECT_TRUE(std::any_of(seen.begin(), seen.end(), [&](auto const& s) { return s != seen[0]; }));
}
