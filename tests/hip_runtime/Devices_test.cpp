// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "HipModelTest.hpp"

#include <cstring>

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

TEST_F(DevicesTest, EachThreadHasItsCurrentOne) {
  int count = 0, device = -1;
  EXPECT_HIP(hipGetDeviceCount(&count));
  EXPECT_EQ(count, 2);
  EXPECT_HIP(hipSetDevice(1));
  std::thread([&] { EXPECT_HIP(hipGetDevice(&device)); }).join();
  EXPECT_EQ(device, 0);
  EXPECT_EQ(hipSetDevice(2), hipErrorInvalidDevice);
  EXPECT_EQ(hipSetDevice(-1), hipErrorInvalidDevice);
}

TEST_F(DevicesTest, StreamsEventsAndKernelsBelongToOne) {
  hipStream_t stream;
  hipEvent_t event;
  ASSERT_HIP(hipStreamCreate(&stream));
  EXPECT_HIP(hipSetDevice(1));
  ASSERT_HIP(hipEventCreate(&event));
  EXPECT_EQ(hipEventRecord(event, stream), hipErrorInvalidHandle);
  expect_violation("event-of-other-device");
  void const* entry = hip_model::kernel_entry<nothing>();
  EXPECT_EQ(hipLaunchKernel(entry, 1, 1, nullptr, 0, stream), hipErrorInvalidHandle);
  expect_violation("stream-of-other-device");
  EXPECT_HIP(hipEventDestroy(event));
  EXPECT_HIP(hipStreamDestroy(stream));
}

#if HIP_VERSION_MAJOR < 6
TEST_F(DevicesTest, HaveTheSamePropertiesForProgramsOfRocm6) {
  hipDeviceProp_t p;
  ASSERT_HIP(hipGetDeviceProperties(&p, 1));
  // A program compiled against ROCm 6 reads the members at these offsets, which are those of rocm-6.2.0.
  alignas(hipDeviceProp_tR0600) char memory[1472];
  static_assert(sizeof(hipDeviceProp_tR0600) == sizeof memory);
  ASSERT_HIP(hipGetDevicePropertiesR0600(reinterpret_cast<hipDeviceProp_tR0600*>(memory), 1));
  auto const number = [&memory](std::size_t offset) {
    int value;
    return std::memcpy(&value, memory + offset, sizeof value), value;
  };
  auto const size = [&memory](std::size_t offset) {
    std::size_t value;
    return std::memcpy(&value, memory + offset, sizeof value), value;
  };
  EXPECT_STREQ(memory, p.name);
  EXPECT_STREQ(memory + 256, "HIPmodel1");
  EXPECT_EQ(size(288), p.totalGlobalMem);
  EXPECT_EQ(number(308), p.warpSize);
  EXPECT_EQ(size(312), p.memPitch);
  EXPECT_EQ(size(368), p.textureAlignment);
  EXPECT_EQ(number(388), p.multiProcessorCount);
  EXPECT_EQ(number(576), p.concurrentKernels);
  EXPECT_EQ(number(584), p.pciBusID);
  EXPECT_EQ(number(652), p.managedMemory);
  EXPECT_STREQ(memory + 1160, p.gcnArchName);
  EXPECT_EQ(size(1416), p.maxSharedMemoryPerMultiProcessor);
  EXPECT_EQ(number(1464), p.isLargeBar);
  EXPECT_EQ(hipGetDevicePropertiesR0600(nullptr, 0), hipErrorInvalidValue);
  EXPECT_EQ(hipGetDevicePropertiesR0600(reinterpret_cast<hipDeviceProp_tR0600*>(memory), 2), hipErrorInvalidDevice);
  int device = -1;
  EXPECT_HIP(hipChooseDeviceR0600(&device, reinterpret_cast<hipDeviceProp_tR0600*>(memory)));
  EXPECT_EQ(device, 0);
}
#endif

TEST_F(DevicesTest, Peers) {
  int can = 0;
  hip_model::refuse_peer_access(0, 1);
  EXPECT_HIP(hipDeviceCanAccessPeer(&can, 1, 0));
  EXPECT_EQ(can, 1);
  EXPECT_HIP(hipDeviceCanAccessPeer(&can, 0, 1));
  EXPECT_EQ(can, 0);
  EXPECT_EQ(hipDeviceEnablePeerAccess(1, 0), hipErrorPeerAccessUnsupported);
  hip_model::refuse_peer_access(-1, -1);
  EXPECT_HIP(hipDeviceCanAccessPeer(&can, 0, 1));
  EXPECT_EQ(can, 1);
  EXPECT_EQ(hipDeviceDisablePeerAccess(1), hipErrorPeerAccessNotEnabled);
  EXPECT_HIP(hipDeviceEnablePeerAccess(1, 0));
  EXPECT_EQ(hipDeviceEnablePeerAccess(1, 0), hipErrorPeerAccessAlreadyEnabled);
  EXPECT_HIP(hipDeviceDisablePeerAccess(1));
  int *a, *b, to = 0;
  int const from = 77;
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
