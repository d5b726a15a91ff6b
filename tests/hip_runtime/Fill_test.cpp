// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kokkos_GPU_Fill.hpp with the model. Every kind of memory, under every profile.
#define KOKKOS_IMPL_GPU_MODEL 1
#include "HipModelTest.hpp"
#include "ModelRuntime.hpp"

#include <impl/GPU/portable/Kokkos_GPU_Fill.hpp>

#include <cstdlib>
#include <set>
#include <string>
#include <utility>

namespace {

struct Runtime : ModelRuntime {
  using intrinsics = hip_model::Intrinsics;

  static error_t graph_retain(stream_t s, void* object, void (*destroy)(void*)) {
    hipStreamCaptureStatus status = hipStreamCaptureStatusNone;
    unsigned long long id         = 0;
    hipGraph_t graph              = nullptr;
    error_t error                 = hipStreamGetCaptureInfo_v2(s, &status, &id, &graph, nullptr, nullptr);
    hipUserObject_t handle        = nullptr;
    if (error == hipSuccess) error = hipUserObjectCreate(&handle, object, destroy, 1, hipUserObjectNoDestructorSync);
    return error == hipSuccess ? hipGraphRetainUserObject(graph, handle, 1, hipGraphUserObjectMove) : error;
  }
};

using Kokkos::Impl::gpu_fill_method;
using Kokkos::Impl::GPUFillJob;
using Kokkos::Impl::GPUFillMethod;
using Fill = Kokkos::Impl::GPUFill<Runtime>;

enum class Memory { device, managed, pinned, plain };

struct Block {
  Block(Memory given, std::size_t n) : memory(given), bytes(n) {
    void* p = nullptr;
    switch (memory) {
      case Memory::device:
        EXPECT_HIP(hipMalloc(&p, n));
        break;
      case Memory::managed:
        EXPECT_HIP(hipMallocManaged(&p, n, hipMemAttachGlobal));
        break;
      case Memory::pinned:
        EXPECT_HIP(hipHostMalloc(&p, n, 0));
        break;
      case Memory::plain:
        p = std::calloc(n, 1);
    }
    data = static_cast<unsigned char*>(p);
  }
  ~Block() {
    switch (memory) {
      case Memory::plain:
        std::free(data);
        break;
      case Memory::pinned:
        EXPECT_HIP(hipHostFree(data));
        break;
      default:
        EXPECT_HIP(hipFree(data));
    }
  }
  Memory memory;
  std::size_t bytes;
  unsigned char* data = nullptr;
};

/// Bytes that differ from one another and from the guard bytes.
std::vector<unsigned char> value_of(std::size_t bytes) {
  std::vector<unsigned char> value(bytes);
  for (std::size_t i = 0; i < bytes; ++i) value[i] = static_cast<unsigned char>(1 + (i * 37 + i / 256) % 254);
  return value;
}

class FillTest : public HipModelTest {
 protected:
  void SetUp() override {
    HipModelTest::SetUp();
    ASSERT_HIP(hipStreamCreate(&stream));
  }
  void TearDown() override {
    EXPECT_HIP(hipStreamDestroy(stream));
    HipModelTest::TearDown();
  }

  GPUFillMethod method_of(Memory memory) {
    int accessible = 0;
    EXPECT_HIP(hipDeviceGetAttribute(&accessible, hipDeviceAttributePageableMemoryAccess, 0));
    return gpu_fill_method(memory != Memory::plain, accessible != 0);
  }

  /// Fills a part of a block and compares the whole block with the result of a loop.
  void expect_filled(Memory memory, GPUFillJob job, std::size_t offset, std::size_t span) {
    constexpr std::size_t guard = 40;
    Block block(memory, offset + span + guard);
    std::vector<unsigned char> wanted(block.bytes, 0xff);
    EXPECT_HIP(hipMemcpy(block.data, wanted.data(), block.bytes, hipMemcpyDefault));
    job.dst = block.data + offset;
    Fill::enqueue(stream, 0, method_of(memory), job);
    for (std::size_t r = 0; r < job.rows(); ++r) {
      std::size_t rest = r, at = offset;
      for (int d = 0; d < job.rank; ++d) {
        at += rest % job.dimension[d].extent * job.dimension[d].stride;
        rest /= job.dimension[d].extent;
      }
      for (std::size_t i = 0; i < job.row; ++i)
        std::memcpy(wanted.data() + at + i * job.value_bytes, job.value, job.value_bytes);
    }
    EXPECT_HIP(hipStreamSynchronize(stream));
    std::vector<unsigned char> found(block.bytes);
    EXPECT_HIP(hipMemcpy(found.data(), block.data, block.bytes, hipMemcpyDefault));
    EXPECT_TRUE(found == wanted) << "value of " << job.value_bytes << " bytes, row of " << job.row << ", rank "
                                 << job.rank << ", offset " << offset << ", memory " << int(memory);
  }
  void expect_row_filled(Memory memory, std::size_t value_bytes, std::size_t n, std::size_t offset) {
    auto const value = value_of(value_bytes);
    expect_filled(memory, {nullptr, value.data(), value_bytes, n}, offset, n * value_bytes);
  }

  hipStream_t stream = nullptr;
};

TEST_F(FillTest, ValuesOfAllSizes) {
  for (std::size_t bytes = 1; bytes <= 70; ++bytes) expect_row_filled(Memory::device, bytes, 301, 0);
  for (std::size_t bytes : {96u, 100u, 128u, 224u, 225u, 241u, 256u, 1000u, 1001u, 3584u, 3585u, 3600u, 4096u, 10007u})
    expect_row_filled(Memory::device, bytes, 9, 0);
}

TEST_F(FillTest, MoreThanABlockOfThreadsWrites) {
  for (std::size_t bytes : {1u, 4u, 8u, 12u, 16u, 20u, 24u, 7u}) expect_row_filled(Memory::device, bytes, 70001, 0);
}

// So many words that a mistake in the words of a block, times the number of blocks, is more than a block.
TEST_F(FillTest, MoreThanAThousandBlocksWrite) {
  for (std::size_t bytes : {16u, 48u}) expect_row_filled(Memory::device, bytes, (std::size_t(18) << 20) / bytes + 1, 8);
}

TEST_F(FillTest, AnyBeginningAndAnyLength) {
  for (std::size_t offset = 0; offset < 16; ++offset)
    for (std::size_t n = 0; n < 20; ++n)
      for (std::size_t bytes : {1u, 3u, 4u, 8u, 24u}) expect_row_filled(Memory::device, bytes, n, offset);
  expect_row_filled(Memory::device, 4000, 5, 3);
}

// A stride that is no multiple of the row's size leaves smaller words, and each size has a kernel.
TEST_F(FillTest, WordsDivideTheStridesOfRows) {
  auto const value = value_of(4);
  std::set<std::string> kernels;
  for (std::size_t stride : {17u, 18u, 20u, 24u, 32u}) {
    expect_filled(Memory::device, {nullptr, value.data(), 4, 4, 1, {{17, stride}}}, 16, 17 * stride);
    kernels.insert(hip_model::launches().back().kernel);
  }
  EXPECT_EQ(kernels.size(), 5u);
}

TEST_F(FillTest, RowsAtStrides) {
  for (std::size_t bytes : {1u, 2u, 4u, 8u, 12u, 16u, 24u, 48u, 5u, 4000u, 3600u, 4001u}) {
    auto const value = value_of(bytes);
    expect_filled(Memory::device, {nullptr, value.data(), bytes, 1, 1, {{17, 2 * bytes}}}, 0, 34 * bytes);
    expect_filled(Memory::device, {nullptr, value.data(), bytes, 3, 1, {{17, 5 * bytes}}}, 8, 85 * bytes);
    expect_filled(Memory::device,
                  {nullptr, value.data(), bytes, 2, 3, {{3, 3 * bytes}, {4, 10 * bytes}, {5, 41 * bytes}}}, 16,
                  205 * bytes);
  }
  double const value = 1.5;
  expect_filled(Memory::device, {nullptr, &value, 8, 1, 1, {{3000, 24}}}, 0, 3000 * 24);
}

// Each length uses a different number of threads for a row, and the pattern restarts in each row.
TEST_F(FillTest, RowsOfManyLengths) {
  for (std::size_t bytes : {1u, 8u, 12u, 20u, 3600u})
    for (std::size_t n : {7u, 31u, 32u, 33u, 500u, 513u, 1025u, 2049u, 3000u, 5000u}) {
      if (bytes * n > 100000) continue;
      auto const value = value_of(bytes);
      expect_filled(Memory::device,
                    {nullptr, value.data(), bytes, n, 2, {{5, (n + 1) * bytes}, {3, (6 * n + 7) * bytes}}}, 4,
                    3 * (6 * n + 7) * bytes);
    }
}

TEST_F(FillTest, EveryMemoryUnderEveryProfile) {
  EXPECT_HIP(hipStreamDestroy(stream));
  double const one_and_a_half = 1.5;
  long const zero             = 0;
  for (auto const& profile : hip_model::profiles()) {
    ASSERT_TRUE(hip_model::use_profile(profile.c_str()));
    ASSERT_HIP(hipStreamCreate(&stream));
    for (Memory memory : {Memory::device, Memory::managed, Memory::pinned, Memory::plain})
      for (void const* value : {static_cast<void const*>(&one_and_a_half), static_cast<void const*>(&zero)}) {
        expect_filled(memory, {nullptr, value, 8, 3001}, 0, 3001 * 8);
        expect_filled(memory, {nullptr, value, 8, 30, 1, {{20, 320}}}, 8, 20 * 320);
      }
    expect_row_filled(Memory::plain, 4001, 5, 1);
    EXPECT_EQ(hip_model::violation_count(), 0u) << profile;
    EXPECT_HIP(hipStreamDestroy(stream));
  }
  ASSERT_TRUE(hip_model::use_profile("strict"));
  ASSERT_HIP(hipStreamCreate(&stream));
}

TEST_F(FillTest, WaitsForNothing) {
  auto const large = value_of(20000);
  Block block(Memory::device, 400000), plain(Memory::plain, 4000);
  {
    Gate gate(stream);
    Fill::enqueue(stream, 0, GPUFillMethod::runtime, {block.data, large.data(), large.size(), 20});
    Fill::enqueue(stream, 0, GPUFillMethod::host, {plain.data, large.data(), 40, 100});
    EXPECT_EQ(hipStreamQuery(stream), hipErrorNotReady);
    EXPECT_EQ(plain.data[0], 0);
  }
  EXPECT_HIP(hipStreamSynchronize(stream));
  EXPECT_EQ(std::memcmp(plain.data + 3960, large.data(), 40), 0);
}

TEST_F(FillTest, MayBeCaptured) {
  auto const value = value_of(12);
  auto const large = value_of(5000);
  Block plain(Memory::plain, 1200), device(Memory::device, 50000);
  hipGraph_t graph;
  hipGraphExec_t exec;
  ASSERT_HIP(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal));
  {
    auto gone = value, gone_too = large;  // the values need not outlive the calls
    Fill::enqueue(stream, 0, GPUFillMethod::host, {plain.data, gone.data(), 12, 100});
    Fill::enqueue(stream, 0, GPUFillMethod::runtime, {device.data, gone_too.data(), 5000, 10});
  }
  ASSERT_HIP(hipStreamEndCapture(stream, &graph));
  ASSERT_HIP(hipGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
  for (int run = 0; run < 2; ++run) {
    std::memset(plain.data, 0, 1200);
    EXPECT_HIP(hipMemset(device.data, 0, 50000));
    EXPECT_HIP(hipGraphLaunch(exec, stream));
    EXPECT_HIP(hipStreamSynchronize(stream));
    for (int i = 0; i < 100; ++i) EXPECT_EQ(std::memcmp(plain.data + 12 * i, value.data(), 12), 0);
    std::vector<unsigned char> found(50000);
    EXPECT_HIP(hipMemcpy(found.data(), device.data, 50000, hipMemcpyDefault));
    for (int i = 0; i < 10; ++i) EXPECT_EQ(std::memcmp(found.data() + 5000 * i, large.data(), 5000), 0);
  }
  EXPECT_HIP(hipGraphExecDestroy(exec));
  EXPECT_HIP(hipGraphDestroy(graph));
  Kokkos::Impl::GraphKeeper<Runtime>::collect();
}

// A kernel of the whole row would have 2^32 threads, which HIP refuses. The capture checks each launch and runs none.
TEST_F(FillTest, NoKernelHasMoreThreadsThanHipCounts) {
  Block block(Memory::device, 4096);
  for (std::size_t bytes : {8u, 12u}) {
    auto const value    = value_of(bytes);
    std::size_t const n = (std::size_t(600) << 30) / bytes;
    hipGraph_t graph;
    ASSERT_HIP(hipStreamBeginCapture(stream, hipStreamCaptureModeRelaxed));
    EXPECT_NO_THROW(Fill::enqueue(stream, 0, GPUFillMethod::kernel, {block.data, value.data(), bytes, n}));
    ASSERT_HIP(hipStreamEndCapture(stream, &graph));
    EXPECT_EQ(hip_model::violation_count(), 0u);
    hipGraphNode_t nodes[4];
    std::size_t count = 4;
    ASSERT_HIP(hipGraphGetNodes(graph, nodes, &count));
    ASSERT_EQ(count, 3u);
    // The parameters of both kinds of kernels begin with the address and the number of 16-byte words.
    auto const row_of = [](hipGraphNode_t node) {
      hipKernelNodeParams parameters{};
      EXPECT_HIP(hipGraphKernelNodeGetParams(node, &parameters));
      auto const* const of_kernel = static_cast<std::size_t const*>(parameters.kernelParams[0]);
      return std::pair(of_kernel[0], of_kernel[1]);
    };
    auto const [first, words] = row_of(nodes[0]);
    EXPECT_EQ(row_of(nodes[1]).first, first + 16 * words);
    EXPECT_EQ(16 * words % bytes, 0u);
    EXPECT_HIP(hipGraphDestroy(graph));
  }
}

TEST_F(FillTest, SaysWhatFailed) {
  Block block(Memory::device, 4096);
  double const value = 2.5;
  hip_model::fail_call("hipLaunchKernel", 1, hipErrorOutOfMemory);
  try {
    Fill::enqueue(stream, 0, GPUFillMethod::runtime, {block.data, &value, 8, 512});
    FAIL();
  } catch (Kokkos::Impl::GPUError const& e) {
    EXPECT_NE(std::string(e.what()).find("filling a view"), std::string::npos);
  }
  hip_model::reset_reports();
}

}  // namespace
