// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "HipModelTest.hpp"

using EventsTest = HipModelTest;

TEST_F(EventsTest, HappenWhenEarlierWorkIsDone) {
  hipStream_t stream, other;
  hipEvent_t event;
  ASSERT_HIP(hipStreamCreate(&stream));
  ASSERT_HIP(hipStreamCreate(&other));
  ASSERT_HIP(hipEventCreateWithFlags(&event, hipEventDisableTiming));
  EXPECT_HIP(hipEventQuery(event));  // never recorded: nothing to wait for
  EXPECT_HIP(hipEventSynchronize(event));
  {
    Gate gate(stream);
    EXPECT_HIP(hipEventRecord(event, stream));
    EXPECT_EQ(hipEventQuery(event), hipErrorNotReady);
    EXPECT_HIP(hipStreamWaitEvent(other, event, 0));
    EXPECT_EQ(hipStreamQuery(other), hipErrorNotReady);
  }
  EXPECT_HIP(hipEventSynchronize(event));
  EXPECT_HIP(hipEventQuery(event));
  EXPECT_HIP(hipStreamSynchronize(other));
  EXPECT_HIP(hipEventDestroy(event));
  EXPECT_HIP(hipStreamDestroy(stream));
  EXPECT_HIP(hipStreamDestroy(other));
}

TEST_F(EventsTest, AnEventOfADestroyedStreamIsNothingToWaitFor) {
  hipStream_t stream;
  hipEvent_t event;
  ASSERT_HIP(hipStreamCreate(&stream));
  ASSERT_HIP(hipEventCreate(&event));
  EXPECT_HIP(hipEventRecord(event, stream));
  EXPECT_HIP(hipStreamSynchronize(stream));
  EXPECT_HIP(hipStreamDestroy(stream));
  EXPECT_EQ(hipEventSynchronize(event), hipErrorInvalidHandle);
  expect_violation("event-of-destroyed-stream");
  EXPECT_EQ(hipEventQuery(event), hipErrorInvalidHandle);
  expect_violation("event-of-destroyed-stream");
  EXPECT_EQ(hipStreamWaitEvent(nullptr, event, 0), hipErrorInvalidHandle);
  expect_violation("event-of-destroyed-stream");
  // Recording the event in another stream makes it an event of that stream.
  EXPECT_HIP(hipEventRecord(event, nullptr));
  EXPECT_HIP(hipEventSynchronize(event));
  EXPECT_HIP(hipEventDestroy(event));
  EXPECT_EQ(hipEventDestroy(event), hipErrorInvalidHandle);
  expect_violation("destroyed-handle");
  EXPECT_EQ(hipEventRecord(event, nullptr), hipErrorInvalidHandle);
  expect_violation("destroyed-handle");
}

TEST_F(EventsTest, ElapsedTime) {
  hipEvent_t start, stop, timeless;
  ASSERT_HIP(hipEventCreate(&start));
  ASSERT_HIP(hipEventCreate(&stop));
  ASSERT_HIP(hipEventCreateWithFlags(&timeless, hipEventDisableTiming));
  float ms = -1;
  EXPECT_EQ(hipEventElapsedTime(&ms, start, stop), hipErrorInvalidHandle);  // not recorded
  EXPECT_HIP(hipEventRecord(start, nullptr));
  {
    Gate gate(nullptr);
    EXPECT_HIP(hipEventRecord(stop, nullptr));
    EXPECT_EQ(hipEventElapsedTime(&ms, start, stop), hipErrorNotReady);
  }
  EXPECT_HIP(hipEventSynchronize(stop));
  EXPECT_HIP(hipEventElapsedTime(&ms, start, stop));
  EXPECT_GE(ms, 0.f);
  EXPECT_HIP(hipEventRecord(timeless, nullptr));
  EXPECT_HIP(hipEventSynchronize(timeless));
  EXPECT_EQ(hipEventElapsedTime(&ms, start, timeless), hipErrorInvalidHandle);
  for (auto event : {start, stop, timeless}) EXPECT_HIP(hipEventDestroy(event));
}

TEST_F(EventsTest, LeaksAreReportedWithTheirHistory) {
  hipEvent_t event;
  ASSERT_HIP(hipEventCreate(&event));
  EXPECT_EQ(hip_model::check_leaks(), 1u);
  EXPECT_NE(hip_model::last_report().message.find("hipEventCreate"), std::string::npos);
  expect_violation("leak");
  EXPECT_HIP(hipEventDestroy(event));
}
