// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "HipModelTest.hpp"

namespace {
void nothing() {}
}  // namespace

class DevicesTest : public HipModelTest {
 protected:
  static void SetUpTestSuite() { hip_model::set_device_count(2); }
  void TearDown() override {
    EXPECT_HIP(hipSetDevice(0));
    HipModelTest::TearDown();
  }
};

TEST_F(DevicesTest, each_thread_has_its_current_one) {
  int count = 0, device = -1;
  EXPECT_HIP(hipGetDeviceCount(&count));
  EXPECT_EQ(count, 2);
  EXPECT_HIP(hipSetDevice(1));
  std::thread([&] { EXPECT_HIP(hipGetDevice(&device)); }).join();
  EXPECT_EQ(device, 0);
  EXPECT_EQ(hipSetDevice(2), hipErrorInvalidDevice);
  EXPECT_EQ(hipSetDevice(-1), hipErrorInvalidDevice);
}

TEST_F(DevicesTest, streams_events_and_kernels_belong_to_one) {
  hipStream_t stream;
  hipEvent_t event;
  ASSERT_HIP(hipStreamCreate(&stream));
  EXPECT_HIP(hipSetDevice(1));
  ASSERT_HIP(hipEventCreate(&event));
  EXPECT_EQ(hipEventRecord(event, stream), hipErrorInvalidHandle);
  expect_violation("event-of-other-device");
  const void* entry = hip_model::kernel_entry<nothing>();
  EXPECT_EQ(hipLaunchKernel(entry, 1, 1, nullptr, 0, stream), hipErrorInvalidHandle);
  expect_violation("stream-of-other-device");
  EXPECT_HIP(hipEventDestroy(event));
  EXPECT_HIP(hipStreamDestroy(stream));
}

TEST_F(DevicesTest, peers) {
  int can = 0;
  EXPECT_HIP(hipDeviceCanAccessPeer(&can, 0, 1));
  EXPECT_EQ(can, 1);
  EXPECT_EQ(hipDeviceDisablePeerAccess(1), hipErrorPeerAccessNotEnabled);
  EXPECT_HIP(hipDeviceEnablePeerAccess(1, 0));
  EXPECT_EQ(hipDeviceEnablePeerAccess(1, 0), hipErrorPeerAccessAlreadyEnabled);
  EXPECT_HIP(hipDeviceDisablePeerAccess(1));
  int *a, *b, to = 0;
  const int from = 77;
  ASSERT_HIP(hipMalloc(reinterpret_cast<void**>(&a), 4));
  EXPECT_HIP(hipSetDevice(1));
  ASSERT_HIP(hipMalloc(reinterpret_cast<void**>(&b), 4));
  hipPointerAttribute_t attributes;
  EXPECT_HIP(hipPointerGetAttributes(&attributes, b));
  EXPECT_EQ(attributes.device, 1);
  EXPECT_HIP(hipMemcpy(a, &from, 4, hipMemcpyHostToDevice));
  EXPECT_HIP(hipMemcpyPeer(b, 1, a, 0, 4));
  EXPECT_HIP(hipMemcpy(&to, b, 4, hipMemcpyDeviceToHost));
  EXPECT_EQ(to, 77);
  EXPECT_EQ(hipMemcpyPeer(b, 0, a, 0, 4), hipErrorInvalidValue);
  expect_violation("memory-of-other-device");
  EXPECT_HIP(hipFree(a));
  EXPECT_HIP(hipFree(b));
}
