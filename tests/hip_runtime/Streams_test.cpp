// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "HipModelTest.hpp"

using StreamsTest = HipModelTest;

TEST_F(StreamsTest, WorkIsAsynchronousAndInOrder) {
  hipStream_t stream;
  ASSERT_HIP(hipStreamCreate(&stream));
  int* data;
  ASSERT_HIP(hipHostMalloc(reinterpret_cast<void**>(&data), 64, 0));
  data[0] = 0;
  {
    Gate gate(stream);
    EXPECT_HIP(hipMemsetAsync(data, 1, 4, stream));
    EXPECT_HIP(hipMemsetAsync(data, 2, 2, stream));
    EXPECT_EQ(hipStreamQuery(stream), hipErrorNotReady);
    EXPECT_EQ(hipGetLastError(), hipSuccess);  // not ready is not an error
  }
  EXPECT_HIP(hipStreamSynchronize(stream));
  EXPECT_HIP(hipStreamQuery(stream));
  EXPECT_EQ(data[0], 0x01010202);
  EXPECT_HIP(hipHostFree(data));
  EXPECT_HIP(hipStreamDestroy(stream));
}

TEST_F(StreamsTest, StreamsGoOnBesideEachOther) {
  hipStream_t one, two;
  ASSERT_HIP(hipStreamCreate(&one));
  ASSERT_HIP(hipStreamCreate(&two));
  {
    Gate gate(one);
    EXPECT_HIP(hipLaunchHostFunc(two, [](void*) {}, nullptr));
    EXPECT_HIP(hipStreamSynchronize(two));  // would wait for ever if one stream blocked the other
    EXPECT_EQ(hipStreamQuery(one), hipErrorNotReady);
  }
  EXPECT_HIP(hipStreamDestroy(one));
  EXPECT_HIP(hipStreamDestroy(two));
}

TEST_F(StreamsTest, DefaultStreamWaitsForOrderedStreamsAndTheyForIt) {
  hipStream_t ordered, free_running;
  ASSERT_HIP(hipStreamCreate(&ordered));
  ASSERT_HIP(hipStreamCreateWithFlags(&free_running, hipStreamNonBlocking));
  {
    Gate gate(ordered);
    EXPECT_HIP(hipLaunchHostFunc(nullptr, [](void*) {}, nullptr));
    EXPECT_EQ(hipStreamQuery(nullptr), hipErrorNotReady);
    EXPECT_HIP(hipStreamSynchronize(free_running));
  }
  EXPECT_HIP(hipStreamSynchronize(nullptr));
  {
    Gate gate(nullptr);
    EXPECT_HIP(hipLaunchHostFunc(ordered, [](void*) {}, nullptr));
    EXPECT_HIP(hipLaunchHostFunc(free_running, [](void*) {}, nullptr));
    EXPECT_HIP(hipStreamSynchronize(free_running));
    EXPECT_EQ(hipStreamQuery(ordered), hipErrorNotReady);
  }
  {
    Gate gate(free_running);
    EXPECT_HIP(hipStreamSynchronize(nullptr));
    EXPECT_EQ(hipStreamQuery(free_running), hipErrorNotReady);
  }
  EXPECT_HIP(hipStreamDestroy(ordered));
  EXPECT_HIP(hipStreamDestroy(free_running));
}

TEST_F(StreamsTest, DestroyedStreamsEndTheirWorkAndAreNotUsedAgain) {
  hipStream_t stream;
  ASSERT_HIP(hipStreamCreate(&stream));
  std::atomic<int> ran{0};
  EXPECT_HIP(hipLaunchHostFunc(stream, [](void* p) { ++*static_cast<std::atomic<int>*>(p); }, &ran));
  EXPECT_HIP(hipStreamDestroy(stream));
  EXPECT_HIP(hipDeviceSynchronize());
  EXPECT_EQ(ran, 1);
  EXPECT_EQ(hipStreamSynchronize(stream), hipErrorInvalidHandle);
  EXPECT_NE(hip_model::last_report().message.find("hipStreamDestroy"), std::string::npos);  // the history contains the
                                                                                            // call
  expect_violation("destroyed-handle");
  EXPECT_EQ(hipStreamDestroy(stream), hipErrorInvalidHandle);
  expect_violation("destroyed-handle");
  int nobody;
  EXPECT_EQ(hipStreamQuery(reinterpret_cast<hipStream_t>(&nobody)), hipErrorInvalidHandle);
  expect_violation("unknown-handle");
}

TEST_F(StreamsTest, HandlesComeBackWhenAskedTo) {
  hipStream_t first, second;
  ASSERT_HIP(hipStreamCreate(&first));
  EXPECT_HIP(hipStreamDestroy(first));
  ASSERT_HIP(hipStreamCreate(&second));
  EXPECT_NE(first, second);
  hip_model::reuse_handles(true);
  EXPECT_HIP(hipStreamDestroy(second));
  ASSERT_HIP(hipStreamCreate(&first));
  EXPECT_EQ(first, second);
  hip_model::reuse_handles(false);
  EXPECT_HIP(hipStreamDestroy(first));
}

TEST_F(StreamsTest, FlagsPrioritiesDevices) {
  int least = 9, greatest = 9, priority = 9;
  EXPECT_HIP(hipDeviceGetStreamPriorityRange(&least, &greatest));
  EXPECT_GT(least, greatest);
  hipStream_t stream;
  ASSERT_HIP(hipStreamCreateWithPriority(&stream, hipStreamNonBlocking, greatest - 100));
  EXPECT_HIP(hipStreamGetPriority(stream, &priority));
  EXPECT_EQ(priority, greatest);
  unsigned flags = 9;
  EXPECT_HIP(hipStreamGetFlags(stream, &flags));
  EXPECT_EQ(flags, unsigned(hipStreamNonBlocking));
  hipDevice_t device = 9;
  EXPECT_HIP(hipStreamGetDevice(stream, &device));
  EXPECT_EQ(device, 0);
  EXPECT_HIP(hipStreamDestroy(stream));
  EXPECT_EQ(hipStreamCreateWithFlags(&stream, 0x80), hipErrorInvalidValue);
  EXPECT_EQ(hipStreamDestroy(nullptr), hipErrorInvalidHandle);
}

TEST_F(StreamsTest, ValuesInMemory) {
  hipStream_t one, two;
  ASSERT_HIP(hipStreamCreate(&one));
  ASSERT_HIP(hipStreamCreate(&two));
  std::uint32_t* flag;
  ASSERT_HIP(hipHostMalloc(reinterpret_cast<void**>(&flag), 8, 0));
  *flag = 0;
  EXPECT_HIP(hipStreamWaitValue32(one, flag, 7, hipStreamWaitValueEq, 0xffffffff));
  EXPECT_EQ(hipStreamQuery(one), hipErrorNotReady);
  EXPECT_HIP(hipStreamWriteValue32(two, flag, 7, 0));
  EXPECT_HIP(hipStreamSynchronize(one));
  EXPECT_HIP(hipHostFree(flag));
  EXPECT_HIP(hipStreamDestroy(one));
  EXPECT_HIP(hipStreamDestroy(two));
}

TEST_F(StreamsTest, HostFunctionsMustNotCallHip) {
  static int device;
  EXPECT_HIP(hipLaunchHostFunc(nullptr, [](void*) { (void)hipGetDevice(&device); }, nullptr));
  EXPECT_HIP(hipDeviceSynchronize());
  expect_violation("call-in-host-function");
}
