// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arguments that functions refuse, the errors that they return, and the values that they store, as AMD's hip-tests
// expect.
#include "HipModelTest.hpp"

using ArgumentsTest = HipModelTest;

TEST_F(ArgumentsTest, FlagsOfMemory) {
  void* p = nullptr;
  EXPECT_EQ(hipHostMalloc(&p, 64, 0x100), hipErrorInvalidValue);
  EXPECT_EQ(hipHostMalloc(&p, 64, hipHostMallocCoherent | hipHostMallocNonCoherent), hipErrorInvalidValue);
  EXPECT_EQ(hipExtMallocWithFlags(&p, 64, 100), hipErrorInvalidValue);
  EXPECT_EQ(hipExtMallocWithFlags(&p, 16, hipMallocSignalMemory), hipErrorInvalidValue);  // it has 8 bytes
  EXPECT_EQ(hipMallocManaged(&p, 0, hipMemAttachGlobal), hipErrorInvalidValue);
  int plain[4];
  EXPECT_EQ(hipHostRegister(plain, sizeof plain, 16), hipErrorInvalidValue);
  EXPECT_EQ(hipHostUnregister(plain), hipErrorHostMemoryNotRegistered);
  expect_violation("not-registered");
}

TEST_F(ArgumentsTest, FlagsOfEventsAndStreams) {
  hipEvent_t event;
  unsigned flags                          = 0;
  constexpr unsigned disable_system_fence = 0x20000000;
  EXPECT_EQ(hipEventCreateWithFlags(&event, hipEventReleaseToDevice | hipEventReleaseToSystem), hipErrorInvalidValue);
  ASSERT_HIP(hipEventCreateWithFlags(&event, disable_system_fence));
  EXPECT_HIP(hipEventDestroy(event));
  EXPECT_EQ(hipStreamGetFlags(nullptr, &flags), hipErrorInvalidValue);
}

TEST_F(ArgumentsTest, ErrorsThatDifferBetweenVersions) {
  struct Row {
    char const* profile;
    hipError_t destroyed_event, foreign_pointer, direction;
  };
  for (Row const& row :
       {Row{"strict", hipErrorInvalidHandle, hipErrorInvalidDevicePointer, hipErrorInvalidMemcpyDirection},
        Row{"mi250x-rocm-6.4", hipErrorContextIsDestroyed, hipErrorInvalidValue, hipSuccess}}) {
    ASSERT_TRUE(hip_model::use_profile(row.profile));
    hipEvent_t event;
    ASSERT_HIP(hipEventCreate(&event));
    ASSERT_HIP(hipEventDestroy(event));
    EXPECT_EQ(hipEventDestroy(event), row.destroyed_event);
    expect_violation("destroyed-handle");
    int plain = 0;
    EXPECT_EQ(hipFree(&plain), row.foreign_pointer);
    expect_violation("free-of-unknown-memory");
    int* device;
    ASSERT_HIP(hipMalloc(reinterpret_cast<void**>(&device), 4));
    EXPECT_EQ(hipMemcpy(device, &plain, 4, hipMemcpyDeviceToHost), row.direction);
    expect_violation("copy-direction");
    EXPECT_HIP(hipFree(device));
  }
}

TEST_F(ArgumentsTest, DefaultStreamIsBusyWithOrderedStreams) {
  hipStream_t ordered, independent;
  ASSERT_HIP(hipStreamCreate(&ordered));
  ASSERT_HIP(hipStreamCreateWithFlags(&independent, hipStreamNonBlocking));
  {
    Gate gate(ordered);
    EXPECT_EQ(hipStreamQuery(nullptr), hipErrorNotReady);
  }
  EXPECT_HIP(hipStreamSynchronize(ordered));
  {
    Gate gate(independent);
    EXPECT_HIP(hipStreamQuery(nullptr));
  }
  EXPECT_HIP(hipStreamDestroy(ordered));
  EXPECT_HIP(hipStreamDestroy(independent));
}

TEST_F(ArgumentsTest, AskingTheDefaultStreamAboutCapturesSpoilsNone) {
  hipStream_t stream;
  hipGraph_t graph;
  hipStreamCaptureStatus status;
  unsigned long long id;
  ASSERT_HIP(hipStreamCreate(&stream));
  ASSERT_HIP(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal));
  EXPECT_EQ(hipStreamGetCaptureInfo(nullptr, &status, &id), hipErrorStreamCaptureImplicit);
  EXPECT_HIP(hipStreamEndCapture(stream, &graph));
  EXPECT_HIP(hipGraphDestroy(graph));
  EXPECT_HIP(hipStreamDestroy(stream));
}

TEST_F(ArgumentsTest, NodesTakenOutOfACaptureNeedNoJoin) {
  hipStream_t stream;
  hipGraph_t graph;
  int* data;
  ASSERT_HIP(hipStreamCreate(&stream));
  ASSERT_HIP(hipHostMalloc(reinterpret_cast<void**>(&data), 8, 0));
  ASSERT_HIP(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal));
  EXPECT_HIP(hipMemsetAsync(data, 0, 4, stream));
  EXPECT_HIP(hipStreamUpdateCaptureDependencies(stream, nullptr, 0, hipStreamSetCaptureDependencies));
  EXPECT_HIP(hipMemsetAsync(data + 1, 0, 4, stream));
  EXPECT_HIP(hipStreamEndCapture(stream, &graph));
  std::size_t count = 0;
  EXPECT_HIP(hipGraphGetRootNodes(graph, nullptr, &count));
  EXPECT_EQ(count, 2u);
  EXPECT_HIP(hipGraphDestroy(graph));
  EXPECT_HIP(hipHostFree(data));
  EXPECT_HIP(hipStreamDestroy(stream));
}

TEST_F(ArgumentsTest, AdviceAboutManagedMemoryIsKept) {
  void* p;
  int value = 7, by[2] = {7, 7};
  ASSERT_HIP(hipMallocManaged(&p, 4096, hipMemAttachGlobal));
  EXPECT_HIP(hipMemRangeGetAttribute(&value, 4, hipMemRangeAttributePreferredLocation, p, 4096));
  EXPECT_EQ(value, hipInvalidDeviceId);
  EXPECT_HIP(hipMemAdvise(p, 4096, hipMemAdviseSetReadMostly, 0));
  EXPECT_HIP(hipMemAdvise(p, 4096, hipMemAdviseSetPreferredLocation, hipCpuDeviceId));
  EXPECT_HIP(hipMemAdvise(p, 4096, hipMemAdviseSetAccessedBy, 0));
  EXPECT_HIP(hipMemPrefetchAsync(p, 4096, 0, nullptr));
  EXPECT_HIP(hipMemRangeGetAttribute(&value, 4, hipMemRangeAttributeReadMostly, p, 4096));
  EXPECT_EQ(value, 1);
  EXPECT_HIP(hipMemRangeGetAttribute(&value, 4, hipMemRangeAttributePreferredLocation, p, 4096));
  EXPECT_EQ(value, hipCpuDeviceId);
  EXPECT_HIP(hipMemRangeGetAttribute(&value, 4, hipMemRangeAttributeLastPrefetchLocation, p, 4096));
  EXPECT_EQ(value, 0);
  EXPECT_HIP(hipMemRangeGetAttribute(by, 8, hipMemRangeAttributeAccessedBy, p, 4096));
  EXPECT_TRUE(by[0] == 0 && by[1] == hipInvalidDeviceId);
  EXPECT_EQ(hipMemRangeGetAttribute(by, 8, hipMemRangeAttributeReadMostly, p, 4096), hipErrorInvalidValue);
  EXPECT_EQ(hipMemRangeGetAttribute(by, 6, hipMemRangeAttributeAccessedBy, p, 4096), hipErrorInvalidValue);
  EXPECT_HIP(hipFree(p));
}

TEST_F(ArgumentsTest, AdviceIsKeptForEachPage) {
  constexpr std::size_t page = 4096;
  char* p;
  int value = 7, by[2] = {7, 7};
  ASSERT_HIP(hipMallocManaged(reinterpret_cast<void**>(&p), 4 * page, hipMemAttachGlobal));
  auto const get = [&](hipMemRangeAttribute attribute, std::size_t first, std::size_t pages) {
    EXPECT_HIP(hipMemRangeGetAttribute(&value, 4, attribute, p + first * page, pages * page));
    return value;
  };
  EXPECT_HIP(hipMemAdvise(p + page + 8, 8, hipMemAdviseSetReadMostly, 0));  // of the whole page
  EXPECT_EQ(get(hipMemRangeAttributeReadMostly, 1, 1), 1);
  EXPECT_EQ(get(hipMemRangeAttributeReadMostly, 0, 1), 0);
  EXPECT_EQ(get(hipMemRangeAttributeReadMostly, 2, 1), 0);
  EXPECT_EQ(get(hipMemRangeAttributeReadMostly, 1, 2), 0);
  EXPECT_HIP(hipMemRangeGetAttribute(&value, 4, hipMemRangeAttributeReadMostly, p + page, page + 1));
  EXPECT_EQ(value, 0);
  EXPECT_HIP(hipMemAdvise(p, 2 * page, hipMemAdviseSetPreferredLocation, 0));
  EXPECT_HIP(hipMemAdvise(p + 2 * page, page, hipMemAdviseSetPreferredLocation, hipCpuDeviceId));
  EXPECT_EQ(get(hipMemRangeAttributePreferredLocation, 0, 2), 0);
  EXPECT_EQ(get(hipMemRangeAttributePreferredLocation, 2, 1), hipCpuDeviceId);
  EXPECT_EQ(get(hipMemRangeAttributePreferredLocation, 0, 3), hipInvalidDeviceId);
  EXPECT_HIP(hipMemPrefetchAsync(p + page - 1, 2, 0, nullptr));  // across the border of two pages
  EXPECT_EQ(get(hipMemRangeAttributeLastPrefetchLocation, 0, 2), 0);
  EXPECT_EQ(get(hipMemRangeAttributeLastPrefetchLocation, 0, 4), hipInvalidDeviceId);
  EXPECT_HIP(hipMemAdvise(p, 4 * page, hipMemAdviseSetAccessedBy, 0));
  EXPECT_HIP(hipMemAdvise(p, page, hipMemAdviseSetAccessedBy, hipCpuDeviceId));
  EXPECT_HIP(hipMemRangeGetAttribute(by, 8, hipMemRangeAttributeAccessedBy, p, 4 * page));
  EXPECT_TRUE(by[0] == 0 && by[1] == hipInvalidDeviceId);  // devices that access all of it
  EXPECT_HIP(hipMemAdvise(p, page, hipMemAdviseSetCoarseGrain, 0));
  EXPECT_EQ(get(hipMemRangeAttributeCoherencyMode, 0, 1), hipMemRangeCoherencyModeCoarseGrain);
  EXPECT_EQ(get(hipMemRangeAttributeCoherencyMode, 1, 3), hipMemRangeCoherencyModeFineGrain);
  EXPECT_EQ(get(hipMemRangeAttributeCoherencyMode, 0, 4), hipMemRangeCoherencyModeIndeterminate);
  EXPECT_HIP(hipFree(p));
}

TEST_F(ArgumentsTest, PoolsCountWhatTheyGaveAndKeepTheirAttributes) {
  hipMemPoolProps properties{};
  hipMemPool_t pool;
  properties.allocType = hipMemAllocationTypePinned;
  EXPECT_EQ(hipMemPoolCreate(&pool, &properties), hipErrorInvalidValue);  // no device
  properties.location = {hipMemLocationTypeDevice, 0};
  ASSERT_HIP(hipMemPoolCreate(&pool, &properties));
  void* p;
  std::uint64_t bytes = 1;
  ASSERT_HIP(hipMallocFromPoolAsync(&p, 1000, pool, nullptr));
  EXPECT_HIP(hipMemPoolGetAttribute(pool, hipMemPoolAttrUsedMemCurrent, &bytes));
  EXPECT_EQ(bytes, 1000u);
  EXPECT_EQ(hipMemPoolSetAttribute(pool, hipMemPoolAttrUsedMemCurrent, &bytes), hipErrorInvalidValue);
  EXPECT_EQ(hipMemPoolSetAttribute(pool, hipMemPoolAttrUsedMemHigh, &bytes), hipErrorInvalidValue);  // only to zero
  EXPECT_HIP(hipFreeAsync(p, nullptr));
  EXPECT_HIP(hipStreamSynchronize(nullptr));
  EXPECT_HIP(hipMemPoolGetAttribute(pool, hipMemPoolAttrUsedMemHigh, &bytes));
  EXPECT_EQ(bytes, 1000u);
  EXPECT_HIP(hipMemPoolGetAttribute(pool, hipMemPoolAttrUsedMemCurrent, &bytes));
  EXPECT_EQ(bytes, 0u);
  hipMemLocation location{hipMemLocationTypeDevice, 0};
  hipMemAccessFlags access;
  EXPECT_HIP(hipMemPoolGetAccess(&access, pool, &location));
  EXPECT_EQ(access, hipMemAccessFlagsProtReadWrite);
  hipMemAccessDesc none{location, hipMemAccessFlagsProtNone};
  EXPECT_EQ(hipMemPoolSetAccess(pool, &none, 1), hipErrorInvalidDevice);  // a device always reaches its own pool
  EXPECT_HIP(hipMemPoolDestroy(pool));
}

TEST_F(ArgumentsTest, AttributesOfPointers) {
  char *device, *pinned;
  void* start    = nullptr;
  unsigned bytes = 0, kind = 0;
  ASSERT_HIP(hipMalloc(reinterpret_cast<void**>(&device), 100));
  ASSERT_HIP(hipHostMalloc(reinterpret_cast<void**>(&pinned), 100, 0));
  EXPECT_HIP(hipPointerGetAttribute(&start, HIP_POINTER_ATTRIBUTE_RANGE_START_ADDR, device + 10));
  EXPECT_HIP(hipPointerGetAttribute(&bytes, HIP_POINTER_ATTRIBUTE_RANGE_SIZE, device + 10));
  EXPECT_TRUE(start == device && bytes == 100);
  EXPECT_HIP(hipPointerGetAttribute(&kind, HIP_POINTER_ATTRIBUTE_MEMORY_TYPE, pinned));
  EXPECT_EQ(kind, unsigned(hipMemoryTypeHost));
  EXPECT_EQ(hipPointerGetAttribute(&start, HIP_POINTER_ATTRIBUTE_HOST_POINTER, device), hipErrorInvalidValue);
  EXPECT_EQ(hipPointerGetAttribute(&kind, HIP_POINTER_ATTRIBUTE_MEMORY_TYPE, &kind), hipErrorInvalidValue);
  EXPECT_HIP(hipFree(device));
  EXPECT_HIP(hipHostFree(pinned));
}

TEST_F(ArgumentsTest, CopiesBetweenDeviceMemoryDoNotWait) {
  char *a, *b;
  ASSERT_HIP(hipMalloc(reinterpret_cast<void**>(&a), 64));
  ASSERT_HIP(hipMalloc(reinterpret_cast<void**>(&b), 64));
  {
    Gate gate(nullptr);
    EXPECT_HIP(hipMemcpyPeer(a, 0, b, 0, 64));  // would wait for ever
    EXPECT_HIP(hipMemcpy(a, b, 64, hipMemcpyDeviceToDevice));
    EXPECT_EQ(hipStreamQuery(nullptr), hipErrorNotReady);
  }
  EXPECT_HIP(hipFree(a));
  EXPECT_HIP(hipFree(b));
}

// HIP has deprecated contexts, but programs still call them.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
TEST_F(ArgumentsTest, ContextsStandForTheirDevices) {
  hipCtx_t context, found = nullptr;
  EXPECT_EQ(hipCtxCreate(&context, 0, 99), hipErrorInvalidDevice);
  ASSERT_HIP(hipCtxCreate(&context, 0, 0));
  EXPECT_HIP(hipCtxGetCurrent(&found));
  EXPECT_EQ(found, context);
  EXPECT_HIP(hipCtxPopCurrent(&found));
  EXPECT_EQ(hipCtxPopCurrent(&found), hipErrorInvalidContext);
  EXPECT_HIP(hipCtxDestroy(context));
}
#pragma GCC diagnostic pop

TEST_F(ArgumentsTest, EveryErrorHasAName) {
  char const* name = nullptr;
  EXPECT_HIP(hipDrvGetErrorName(hipErrorProfilerAlreadyStopped, &name));
  EXPECT_STREQ(name, "hipErrorProfilerAlreadyStopped");
  EXPECT_STREQ(hipGetErrorString(hipErrorFileNotFound), "file not found");
  EXPECT_STREQ(hipGetErrorName(hipErrorLaunchTimeOut), "hipErrorLaunchTimeOut");
}

TEST_F(ArgumentsTest, SlicesOfACopyWithoutAHeightHaveThatOfTheRegion) {
  int from[12] = {}, to[12] = {};
  for (int i = 0; i < 12; ++i) from[i] = i;
  HIP_MEMCPY3D p{};
  p.WidthInBytes = 8, p.Height = 2, p.Depth = 1;
  p.srcMemoryType = p.dstMemoryType = hipMemoryTypeHost;
  p.srcHost = from, p.dstHost = to, p.srcZ = 1;
  EXPECT_HIP(hipDrvMemcpy3D(&p));
  EXPECT_EQ(to[0], 4);
  EXPECT_EQ(to[3], 7);
}

TEST_F(ArgumentsTest, RegionsOfACopyBeginInTheMemoryThatTheyName) {
  char *from, *to;
  ASSERT_HIP(hipMalloc(reinterpret_cast<void**>(&from), 64));
  ASSERT_HIP(hipMalloc(reinterpret_cast<void**>(&to), 64));
  hip_Memcpy2D p{};
  p.srcMemoryType = p.dstMemoryType = hipMemoryTypeDevice;
  p.srcDevice = from, p.dstDevice = to, p.srcPitch = p.dstPitch = 8;
  p.WidthInBytes = 8, p.Height = 1;
  p.srcY = 7, p.dstY = 7;
  EXPECT_HIP(hipDrvMemcpy2DUnaligned(&p));
  p.srcY = 8;  // behind the last byte
  EXPECT_EQ(hipDrvMemcpy2DUnaligned(&p), hipErrorInvalidValue);
  expect_violation("out-of-bounds");
  p.srcY = 0, p.dstY = 100;
  EXPECT_EQ(hipMemcpyParam2D(&p), hipErrorInvalidValue);
  expect_violation("out-of-bounds");
  p.srcMemoryType = hipMemoryTypeArray, p.dstY = 0;
  EXPECT_EQ(hipMemcpyParam2D(&p), hipErrorInvalidValue);  // there is no array
  p.srcMemoryType = hipMemoryTypeDevice, p.srcDevice = nullptr;
  EXPECT_EQ(hipMemcpyParam2D(&p), hipErrorInvalidValue);
  EXPECT_HIP(hipFree(from));
  EXPECT_HIP(hipFree(to));
}

TEST_F(ArgumentsTest, ManagedVariablesAreManagedMemory) {
  alignas(4096) static int variable[4];
  int copy[4] = {};
  void* address;
  hip_model::describe_managed_variable(variable, sizeof variable, "variable");
  EXPECT_HIP(hipMemset(variable, 1, sizeof variable));
  EXPECT_HIP(hipStreamSynchronize(nullptr));
  EXPECT_EQ(variable[3], 0x01010101);
  EXPECT_HIP(hipGetSymbolAddress(&address, variable));
  EXPECT_EQ(address, variable);
  EXPECT_HIP(hipMemcpyFromSymbol(copy, variable, sizeof variable, 0, hipMemcpyDeviceToHost));
  EXPECT_EQ(copy[0], 0x01010101);
  EXPECT_HIP(hipMemPrefetchAsync(variable, sizeof variable, 0, nullptr));
  EXPECT_HIP(hipStreamAttachMemAsync(nullptr, variable, 0, hipMemAttachHost));
  EXPECT_EQ(hipMemset(variable, 0, sizeof variable + 1), hipErrorInvalidValue);
  expect_violation("out-of-bounds");
  EXPECT_NE(hipFree(variable), hipSuccess);
  expect_violation("free-of-unknown-memory");
}

TEST_F(ArgumentsTest, DescriptorsOfChannelsKeepTheirBits) {
  hipChannelFormatDesc const format = hipCreateChannelDesc(8, 16, 32, 0, hipChannelFormatKindUnsigned);
  EXPECT_EQ(format.x, 8);
  EXPECT_EQ(format.y, 16);
  EXPECT_EQ(format.z, 32);
  EXPECT_EQ(format.w, 0);
  EXPECT_EQ(format.f, hipChannelFormatKindUnsigned);
}
