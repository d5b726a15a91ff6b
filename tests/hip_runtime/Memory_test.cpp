// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "HipModelTest.hpp"

#include <cstring>
#include <numeric>

class MemoryTest : public HipModelTest {
 protected:
  template <class T = char>
  static T* device(std::size_t n) {
    void* p = nullptr;
    EXPECT_HIP(hipMalloc(&p, n * sizeof(T)));
    return static_cast<T*>(p);
  }
};

TEST_F(MemoryTest, KindsAreToldApart) {
  void *d, *h, *m;
  std::vector<char> plain(256), registered(256);
  ASSERT_HIP(hipMalloc(&d, 64));
  ASSERT_HIP(hipHostMalloc(&h, 64, 0));
  ASSERT_HIP(hipMallocManaged(&m, 64, hipMemAttachGlobal));
  ASSERT_HIP(hipHostRegister(registered.data(), 256, 0));
  hipPointerAttribute_t a;
  EXPECT_HIP(hipPointerGetAttributes(&a, static_cast<char*>(d) + 63));
  EXPECT_EQ(a.memoryType, hipMemoryTypeDevice);
  EXPECT_EQ(a.isManaged, 0);
  EXPECT_HIP(hipPointerGetAttributes(&a, h));
  EXPECT_EQ(a.memoryType, hipMemoryTypeHost);
  EXPECT_HIP(hipPointerGetAttributes(&a, m));
  EXPECT_EQ(a.isManaged, 1);
  EXPECT_HIP(hipPointerGetAttributes(&a, registered.data()));
  EXPECT_EQ(a.memoryType, hipMemoryTypeHost);
  EXPECT_EQ(hipPointerGetAttributes(&a, plain.data()), hipErrorInvalidValue);
  EXPECT_EQ(hipHostRegister(registered.data() + 8, 8, 0), hipErrorInvalidValue);
  expect_violation("registered-twice");
  EXPECT_HIP(hipHostUnregister(registered.data()));
  EXPECT_EQ(hipHostUnregister(registered.data()), hipErrorHostMemoryNotRegistered);
  expect_violation("not-registered");
  EXPECT_EQ(hipFree(h), hipErrorInvalidDevicePointer);
  expect_violation("free-by-wrong-function");
  EXPECT_EQ(hipHostFree(d), hipErrorInvalidValue);
  expect_violation("free-by-wrong-function");
  EXPECT_EQ(hipFree(static_cast<char*>(d) + 1), hipErrorInvalidDevicePointer);
  expect_violation("free-of-inner-pointer");
  EXPECT_EQ(hipFree(plain.data()), hipErrorInvalidDevicePointer);
  expect_violation("free-of-unknown-memory");
  EXPECT_HIP(hipFree(d));
  EXPECT_HIP(hipFree(m));
  EXPECT_HIP(hipHostFree(h));
  EXPECT_EQ(hipFree(d), hipErrorInvalidDevicePointer);
  expect_violation("double-free");
  EXPECT_EQ(hipPointerGetAttributes(&a, d), hipErrorInvalidValue);
  expect_violation("use-after-free");
}

TEST_F(MemoryTest, CopiesAndFills) {
  std::vector<int> from(1000), to(1000);
  std::iota(from.begin(), from.end(), 7);
  int *a = device<int>(1000), *b = device<int>(1000);
  EXPECT_HIP(hipMemcpy(a, from.data(), 4000, hipMemcpyHostToDevice));
  EXPECT_HIP(hipMemcpy(b, a, 4000, hipMemcpyDeviceToDevice));
  EXPECT_HIP(hipMemcpy(to.data(), b, 4000, hipMemcpyDefault));
  EXPECT_EQ(from, to);
  EXPECT_HIP(hipMemset(b, 0, 4000));
  EXPECT_HIP(hipMemsetD32Async(b, 5, 10, nullptr));
  EXPECT_HIP(hipMemcpyAsync(to.data(), b, 4000, hipMemcpyDeviceToHost, nullptr));  // pageable memory: the copy has
                                                                                   // completed
  EXPECT_EQ(to[9], 5);
  EXPECT_EQ(to[10], 0);
  EXPECT_HIP(hipFree(a));
  EXPECT_HIP(hipFree(b));
}

TEST_F(MemoryTest, SmallPlainSourcesAreTakenAlong) {
  hipStream_t stream;
  ASSERT_HIP(hipStreamCreate(&stream));
  int* a   = device<int>(1);
  int from = 42, to = 0;
  {
    Gate gate(stream);
    EXPECT_HIP(hipMemcpyAsync(a, &from, 4, hipMemcpyHostToDevice, stream));
    from = 1;  // allowed: the copy has its own value
  }
  EXPECT_HIP(hipMemcpyAsync(&to, a, 4, hipMemcpyDeviceToHost, stream));
  EXPECT_EQ(to, 42);
  EXPECT_HIP(hipFree(a));
  EXPECT_HIP(hipStreamDestroy(stream));
}

TEST_F(MemoryTest, Ranges) {
  char* d = device(10 * 16);
  std::vector<char> from(60), to(60, 'x');
  std::iota(from.begin(), from.end(), 'A');
  EXPECT_HIP(hipMemset2D(d, 16, '-', 16, 10));
  EXPECT_HIP(hipMemcpy2D(d, 16, from.data(), 6, 6, 10, hipMemcpyHostToDevice));
  EXPECT_HIP(hipMemcpy2DAsync(to.data(), 6, d, 16, 6, 10, hipMemcpyDeviceToHost, nullptr));
  EXPECT_EQ(from, to);
  hipMemcpy3DParms p{};
  p.srcPtr = make_hipPitchedPtr(from.data(), 6, 6, 5);
  p.dstPtr = make_hipPitchedPtr(d, 16, 16, 5);
  p.extent = make_hipExtent(6, 5, 2);
  p.kind   = hipMemcpyHostToDevice;
  EXPECT_HIP(hipMemcpy3D(&p));
  std::swap(p.srcPtr, p.dstPtr);
  std::fill(to.begin(), to.end(), 0);
  p.dstPtr.ptr = to.data();
  p.kind       = hipMemcpyDeviceToHost;
  EXPECT_HIP(hipMemcpy3DAsync(&p, nullptr));
  EXPECT_EQ(from, to);
  EXPECT_EQ(hipMemcpy2D(d, 4, from.data(), 6, 6, 10, hipMemcpyHostToDevice), hipErrorInvalidPitchValue);
  expect_violation("pitch");
  hipDeviceProp_t properties;
  EXPECT_HIP(hipGetDeviceProperties(&properties, 0));
  EXPECT_EQ(hipMemcpy2D(d, properties.memPitch + 1, from.data(), 6, 6, 2, hipMemcpyHostToDevice),
            hipErrorInvalidPitchValue);
  expect_violation("pitch");
  EXPECT_HIP(hipFree(d));
}

TEST_F(MemoryTest, WhatIsRefused) {
  char *a = device(100), *b = device(100);
  std::vector<char> plain(100);
  EXPECT_EQ(hipMemcpy(a, b, 101, hipMemcpyDeviceToDevice), hipErrorInvalidValue);
  expect_violation("out-of-bounds");
  EXPECT_EQ(hipMemset(a + 50, 0, 51), hipErrorInvalidValue);
  expect_violation("out-of-bounds");
  EXPECT_EQ(hipMemcpy(plain.data(), a, 10, hipMemcpyHostToDevice), hipErrorInvalidMemcpyDirection);
  expect_violation("copy-direction");
  EXPECT_EQ(hipMemset(plain.data(), 0, 10), hipErrorInvalidValue);
  expect_violation("memset-of-pageable-memory");
  EXPECT_HIP(hipFree(b));
  EXPECT_EQ(hipMemcpy(a, b, 10, hipMemcpyDeviceToDevice), hipErrorInvalidValue);
  expect_violation("use-after-free");
  EXPECT_EQ(hipMemcpy(nullptr, a, 10, hipMemcpyDeviceToDevice), hipErrorInvalidValue);
  EXPECT_HIP(hipFree(a));
}

TEST_F(MemoryTest, Limits) {
  hip_model::set_device_memory(1000);
  void *a, *b;
  EXPECT_HIP(hipMalloc(&a, 600));
  EXPECT_EQ(hipMalloc(&b, 401), hipErrorOutOfMemory);
  EXPECT_EQ(b, nullptr);
  EXPECT_EQ(hipGetLastError(), hipErrorOutOfMemory);
  EXPECT_EQ(hipGetLastError(), hipSuccess);
  std::size_t free = 0, total = 0;
  EXPECT_HIP(hipMemGetInfo(&free, &total));
  EXPECT_EQ(free, 400u);
  EXPECT_HIP(hipFree(a));
  EXPECT_HIP(hipMalloc(&b, 1000));
  EXPECT_HIP(hipFree(b));
}

TEST_F(MemoryTest, AllocationInTheOrderOfAStream) {
  hipStream_t one, two;
  hipEvent_t event;
  ASSERT_HIP(hipStreamCreate(&one));
  ASSERT_HIP(hipStreamCreate(&two));
  ASSERT_HIP(hipEventCreateWithFlags(&event, hipEventDisableTiming));
  void* p = nullptr;
  {
    Gate gate(one);
    EXPECT_HIP(hipMallocAsync(&p, 64, one));
    EXPECT_HIP(hipEventRecord(event, one));
    EXPECT_HIP(hipMemsetAsync(p, 1, 64, two));  // not ordered after the allocation
    EXPECT_HIP(hipStreamSynchronize(two));
    expect_violation("use-before-allocation");
    EXPECT_HIP(hipStreamWaitEvent(two, event, 0));
    EXPECT_HIP(hipMemsetAsync(p, 2, 64, two));
  }
  EXPECT_HIP(hipStreamSynchronize(two));
  EXPECT_HIP(hipFreeAsync(p, one));
  EXPECT_EQ(hipMemsetAsync(p, 3, 64, one), hipErrorInvalidValue);
  expect_violation("use-after-free");
  EXPECT_EQ(hipFreeAsync(p, one), hipErrorInvalidValue);
  expect_violation("double-free");
  EXPECT_HIP(hipStreamSynchronize(one));
  EXPECT_HIP(hipEventDestroy(event));
  EXPECT_HIP(hipStreamDestroy(one));
  EXPECT_HIP(hipStreamDestroy(two));
}

TEST_F(MemoryTest, MemoryFreedWhileAStreamUsesIt) {
  hipStream_t one, two;
  ASSERT_HIP(hipStreamCreate(&one));
  ASSERT_HIP(hipStreamCreate(&two));
  void* p = nullptr;
  EXPECT_HIP(hipMallocAsync(&p, 64, one));
  EXPECT_HIP(hipStreamSynchronize(one));
  {
    Gate gate(two);
    EXPECT_HIP(hipMemsetAsync(p, 1, 64, two));
    EXPECT_HIP(hipFreeAsync(p, one));  // not ordered after the fill
    EXPECT_HIP(hipStreamSynchronize(one));
  }
  EXPECT_HIP(hipStreamSynchronize(two));
  expect_violation("freed-while-in-use");
  EXPECT_HIP(hipStreamDestroy(one));
  EXPECT_HIP(hipStreamDestroy(two));
}

TEST_F(MemoryTest, ALeakOfMemorySaysWhoseItIs) {
  char* const held = device(64);
  EXPECT_EQ(hip_model::check_leaks(), 1u);
  std::string const message = hip_model::last_report().message;
  EXPECT_NE(message.find("64 bytes of device memory was never given back. The program"), std::string::npos) << message;
  EXPECT_NE(message.find("this is harmless"), std::string::npos) << message;
  expect_violation("leak");
  EXPECT_HIP(hipFree(held));
}
