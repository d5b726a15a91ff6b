// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "HipModelTest.hpp"

using ProfilesTest = HipModelTest;

TEST_F(ProfilesTest, AreKnownByName) {
  EXPECT_EQ(hip_model::profile(), "strict");
  for (auto const& name : {"radeon-pro-vii-rocm-6.4", "mi300a-rocm-6.2", "mi300a-rocm-6.4", "mi250x-rocm-6.4",
                           "mi300x-rocm-7.0", "strict"})
    EXPECT_TRUE(hip_model::use_profile(name));
  EXPECT_FALSE(hip_model::use_profile("geforce"));
}

TEST_F(ProfilesTest, RadeonSpeaksOfCaptureWhereAStreamIsGone) {
  ASSERT_TRUE(hip_model::use_profile("radeon-pro-vii-rocm-6.4"));
  hipStream_t stream;
  hipEvent_t event;
  ASSERT_HIP(hipStreamCreate(&stream));
  ASSERT_HIP(hipEventCreate(&event));
  EXPECT_HIP(hipEventRecord(event, stream));
  EXPECT_HIP(hipStreamDestroy(stream));
  EXPECT_EQ(hipEventSynchronize(event), hipErrorCapturedEvent);
  EXPECT_EQ(hipStreamWaitEvent(nullptr, event, 0), hipSuccess);
  EXPECT_EQ(hipStreamSynchronize(stream), hipErrorContextIsDestroyed);
  hip_model::reset_reports();
  EXPECT_HIP(hipEventDestroy(event));
}

TEST_F(ProfilesTest, ApusReachPlainMemoryAndMemsetMayNot) {
  std::vector<char> plain(100, 1);
  void* d;
  ASSERT_TRUE(hip_model::use_profile("mi300a-rocm-6.2"));
  int reaches = 0;
  EXPECT_HIP(hipDeviceGetAttribute(&reaches, hipDeviceAttributePageableMemoryAccess, 0));
  EXPECT_EQ(reaches, 1);
  ASSERT_HIP(hipMalloc(&d, 100));
  EXPECT_HIP(hipMemcpy(plain.data(), d, 100, hipMemcpyDeviceToDevice));
  EXPECT_EQ(hipMemsetAsync(plain.data(), 0, 100, nullptr), hipErrorInvalidValue);
  expect_violation("memset-of-pageable-memory");
  ASSERT_TRUE(hip_model::use_profile("mi300a-rocm-6.4"));
  EXPECT_HIP(hipMemsetAsync(plain.data(), 0, 100, nullptr));
  EXPECT_HIP(hipDeviceSynchronize());
  EXPECT_EQ(plain[99], 0);
  EXPECT_HIP(hipFree(d));
}

TEST_F(ProfilesTest, RadeonHasNoManagedMemory) {
  ASSERT_TRUE(hip_model::use_profile("radeon-pro-vii-rocm-6.4"));
  int managed = 1, concurrent = 1;
  EXPECT_HIP(hipDeviceGetAttribute(&managed, hipDeviceAttributeManagedMemory, 0));
  EXPECT_HIP(hipDeviceGetAttribute(&concurrent, hipDeviceAttributeConcurrentManagedAccess, 0));
  EXPECT_EQ(managed + concurrent, 0);
  char* p;
  ASSERT_HIP(hipMallocManaged(reinterpret_cast<void**>(&p), 4096, hipMemAttachGlobal));  // pinned host memory
  hipPointerAttribute_t a;
  EXPECT_HIP(hipPointerGetAttributes(&a, p));
  EXPECT_EQ(a.memoryType, hipMemoryTypeHost);
  EXPECT_EQ(a.isManaged, 0);
  EXPECT_EQ(hipMemPrefetchAsync(p, 4096, 0, nullptr), hipErrorInvalidValue);
  EXPECT_EQ(hipMemAdvise(p, 4096, hipMemAdviseSetReadMostly, 0), hipErrorInvalidValue);
  EXPECT_HIP(hipMemset(p, 1, 4096));
  EXPECT_EQ(p[4095], 1);
  EXPECT_HIP(hipFree(p));
  ASSERT_TRUE(hip_model::use_profile("mi250x-rocm-6.4"));
  EXPECT_HIP(hipDeviceGetAttribute(&managed, hipDeviceAttributeManagedMemory, 0));
  EXPECT_EQ(managed, 1);
}

TEST_F(ProfilesTest, LastErrorOfRocm6IsThatOfTheLastCall) {
  EXPECT_EQ(hipSetDevice(-1), hipErrorInvalidDevice);
  EXPECT_HIP(hipSetDevice(0));
  EXPECT_EQ(hipPeekAtLastError(), hipErrorInvalidDevice);
  EXPECT_EQ(hipGetLastError(), hipErrorInvalidDevice);
  ASSERT_TRUE(hip_model::use_profile("mi250x-rocm-6.4"));
  EXPECT_EQ(hipSetDevice(-1), hipErrorInvalidDevice);
  EXPECT_HIP(hipSetDevice(0));
  EXPECT_EQ(hipGetLastError(), hipSuccess);
}
