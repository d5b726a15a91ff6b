// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "HipModelTest.hpp"

#include <numeric>

using KernelsTest = HipModelTest;
using I           = hip_model::Intrinsics;

namespace {

constexpr hip_model::Mask everyone = I::warp_size == 64 ? ~0ull : 0xffffffffull;

template <auto Kernel, class... A>
hipError_t run(dim3 grid, dim3 block, std::size_t shared, hipStream_t stream, A... a) {
  void* arguments[] = {&a..., nullptr};
  return hip_model::launch(hip_model::kernel_entry<Kernel>(), grid, block, arguments, shared, stream);
}

int thread_index() { return I::thread_x() + I::block_dim_x() * (I::thread_y() + I::block_dim_y() * I::thread_z()); }

void reverse_in_block(int* data) {
  int* shared = reinterpret_cast<int*>(I::shared());
  int const n = I::block_dim_x(), i = I::thread_x(), first = static_cast<int>(I::block_x()) * n;
  shared[i] = data[first + i];
  I::barrier();
  data[first + i] = shared[n - 1 - i];
}

void sum_of_wavefront(unsigned* sums) {
  unsigned value = static_cast<unsigned>(I::thread_x());
  for (int delta = I::warp_size / 2; delta > 0; delta /= 2)
    value += I::shuffle_down(everyone, value, delta, I::warp_size);
  if (I::thread_x() % I::warp_size == 0) sums[I::thread_x() / I::warp_size] = value;
}

void all_shuffles(unsigned* out) {
  unsigned const lane = static_cast<unsigned>(I::thread_x());
  out[lane * 4 + 0]   = I::shuffle_up(everyone, lane, 3, 16);
  out[lane * 4 + 1]   = I::shuffle_xor(everyone, lane, 5, 8);
  out[lane * 4 + 2]   = I::shuffle(everyone, lane, 2, 4);
  out[lane * 4 + 3]   = static_cast<unsigned>(I::first_set(I::ballot(everyone, lane >= 9)));
}

void count(int* counter) { I::fetch_add(counter, 1); }

void spin_until_last(unsigned* flag) {
  if (thread_index() == I::block_dim_x() - 1)
    I::store_release(flag, 1);
  else
    while (I::load_acquire(flag) == 0) I::pause();
}

void half_at_barrier(int*) {
  if (I::thread_x() < 10)
    I::barrier();
  else
    I::warp_barrier(everyone);
}

void who_is_here(unsigned long long* out) {
  if (I::thread_x() % 2) out[0] = I::active_mask();
}

struct Big {
  char bytes[3000];
};
void read_big(Big const big, char* out) { out[I::thread_x()] = big.bytes[I::thread_x() * 10]; }

void fails(int*) {
  if (I::thread_x() == 3) hip_model::trap("thread 3 has had enough");
  I::barrier();
}

}  // namespace

TEST_F(KernelsTest, BarriersAndSharedMemory) {
  int* data;
  ASSERT_HIP(hipMallocManaged(reinterpret_cast<void**>(&data), 4 * 1000, hipMemAttachGlobal));
  std::iota(data, data + 1000, 0);
  EXPECT_HIP((run<reverse_in_block>(10, 100, 400, nullptr, data)));
  EXPECT_HIP(hipDeviceSynchronize());
  for (int i = 0; i < 1000; ++i) ASSERT_EQ(data[i], i / 100 * 100 + 99 - i % 100);
  EXPECT_HIP(hipFree(data));
}

TEST_F(KernelsTest, ShufflesAndVotes) {
  unsigned* out;
  ASSERT_HIP(hipMallocManaged(reinterpret_cast<void**>(&out), 4096, hipMemAttachGlobal));
  EXPECT_HIP((run<sum_of_wavefront>(1, 2 * I::warp_size, 0, nullptr, out)));
  EXPECT_HIP(hipDeviceSynchronize());
  unsigned const w = I::warp_size;
  EXPECT_EQ(out[0], w * (w - 1) / 2);
  EXPECT_EQ(out[1], w * (w - 1) / 2 + w * w);
  EXPECT_HIP((run<all_shuffles>(1, I::warp_size, 0, nullptr, out)));
  EXPECT_HIP(hipDeviceSynchronize());
  for (unsigned lane = 0; lane < w; ++lane) {
    if (lane % 16 >= 3)
      EXPECT_EQ(out[lane * 4 + 0], lane - 3);
    else
      EXPECT_NE(out[lane * 4 + 0], lane);  // no kernel may rely on what CUDA and HIP's functions give here
    EXPECT_EQ(out[lane * 4 + 1], lane / 8 * 8 + ((lane % 8) ^ 5));
    EXPECT_EQ(out[lane * 4 + 2], lane / 4 * 4 + 2);
    EXPECT_EQ(out[lane * 4 + 3], 9u);
  }
  EXPECT_HIP(hipFree(out));
}

TEST_F(KernelsTest, AtomicsGridsAndStreams) {
  int* counter;
  ASSERT_HIP(hipMallocManaged(reinterpret_cast<void**>(&counter), 64, hipMemAttachGlobal));
  *counter = 0;
  hipStream_t streams[3];
  for (auto& s : streams) {
    ASSERT_HIP(hipStreamCreate(&s));
    EXPECT_HIP((run<count>(dim3(2, 3, 4), dim3(4, 2, 8), 0, s, counter)));
  }
  for (auto& s : streams) {
    EXPECT_HIP(hipStreamSynchronize(s));
    EXPECT_HIP(hipStreamDestroy(s));
  }
  EXPECT_EQ(*counter, 3 * 24 * 64);
  EXPECT_HIP(hipFree(counter));
}

TEST_F(KernelsTest, WaitingThreadsLetOthersRun) {
  unsigned* flag;
  ASSERT_HIP(hipMallocManaged(reinterpret_cast<void**>(&flag), 64, hipMemAttachGlobal));
  *flag = 0;
  EXPECT_HIP((run<spin_until_last>(1, 64, 0, nullptr, flag)));
  EXPECT_HIP(hipDeviceSynchronize());
  EXPECT_HIP(hipFree(flag));
}

TEST_F(KernelsTest, LanesThatAreTogether) {
  unsigned long long* mask;
  ASSERT_HIP(hipMallocManaged(reinterpret_cast<void**>(&mask), 64, hipMemAttachGlobal));
  EXPECT_HIP((run<who_is_here>(1, I::warp_size, 0, nullptr, mask)));
  EXPECT_HIP(hipDeviceSynchronize());
  EXPECT_EQ(*mask, 0xaaaaaaaaaaaaaaaaull & everyone);
  EXPECT_HIP(hipFree(mask));
}

TEST_F(KernelsTest, ArgumentsAreCopiedAtTheLaunch) {
  char* out;
  ASSERT_HIP(hipMallocManaged(reinterpret_cast<void**>(&out), 64, hipMemAttachGlobal));
  Big big{};
  for (int i = 0; i < 3000; ++i) big.bytes[i] = static_cast<char>(i / 10);
  {
    Gate gate(nullptr);
    EXPECT_HIP((run<read_big>(1, 64, 0, nullptr, big, out)));
    big = {};
  }
  EXPECT_HIP(hipDeviceSynchronize());
  for (int i = 0; i < 64; ++i) EXPECT_EQ(out[i], i);
  auto const launches = hip_model::launches();
  ASSERT_EQ(launches.size(), 2u);  // the gate is a kernel, too
  EXPECT_TRUE(launches[1].ran);
  EXPECT_EQ(launches[1].block[0], 64u);
  EXPECT_HIP(hipFree(out));
}

TEST_F(KernelsTest, ThreadsThatWaitInDifferentPlaces) {
  EXPECT_HIP((run<half_at_barrier>(1, I::warp_size, 0, nullptr, static_cast<int*>(nullptr))));
  EXPECT_EQ(hipDeviceSynchronize(), hipErrorLaunchFailure);
  expect_violation("kernel-failed");
  EXPECT_HIP(hipDeviceReset());
}

TEST_F(KernelsTest, AnErrorInAKernelStays) {
  EXPECT_HIP((run<fails>(1, 8, 0, nullptr, static_cast<int*>(nullptr))));
  EXPECT_EQ(hipDeviceSynchronize(), hipErrorLaunchFailure);
  EXPECT_NE(hip_model::last_report().message.find("thread 3"), std::string::npos);
  expect_violation("kernel-failed");
  void* p;
  EXPECT_EQ(hipMalloc(&p, 8), hipErrorLaunchFailure);
  EXPECT_EQ(hipGetLastError(), hipErrorLaunchFailure);
  EXPECT_EQ(hipGetLastError(), hipErrorLaunchFailure);  // a query does not reset it
  EXPECT_HIP(hipDeviceReset());
  EXPECT_HIP(hipGetLastError());
}

// However early a thread sees the error, the reason is available. Fifty rounds, because one may miss the moment between
// the report of the reason and the error.
TEST_F(KernelsTest, TheReasonOfAnErrorComesBeforeTheError) {
  for (int i = 0; i < 50; ++i) {
    EXPECT_HIP((run<fails>(1, 8, 0, nullptr, static_cast<int*>(nullptr))));
    while (hipPeekAtLastError() == hipSuccess) {
    }
    ASSERT_EQ(hip_model::violation_count(), 1u) << "in round " << i;
    expect_violation("kernel-failed");
    EXPECT_HIP(hipDeviceReset());
  }
}

TEST_F(KernelsTest, LaunchesThatAreRefused) {
  int* none = nullptr;
  EXPECT_EQ((run<count>(1, 1025, 0, nullptr, none)), hipErrorInvalidConfiguration);
  expect_violation("launch-configuration");
  EXPECT_EQ((run<count>(0, 1, 0, nullptr, none)), hipErrorInvalidConfiguration);
  expect_violation("launch-configuration");
  EXPECT_EQ((run<count>(1, 1, 70000, nullptr, none)), hipErrorInvalidValue);
  expect_violation("launch-configuration");
  EXPECT_EQ((run<count>(1u << 31, 2, 0, nullptr, none)), hipErrorInvalidConfiguration);
  expect_violation("launch-configuration");
  void* arguments[] = {&none};
  EXPECT_EQ(hipLaunchKernel(&none, 1, 1, arguments, 0, nullptr), hipErrorInvalidDeviceFunction);
  expect_violation("unknown-kernel");
  hip_model::set_wavefront_size(96 - I::warp_size);
  EXPECT_EQ((run<count>(1, 1, 0, nullptr, none)), hipErrorNoBinaryForGpu);
  expect_violation("launch-configuration");
  hip_model::set_wavefront_size(I::warp_size);
}

TEST_F(KernelsTest, OccupancyAndAttributes) {
  void const* entry = hip_model::kernel_entry<count>();
  hipFuncAttributes attributes;
  EXPECT_HIP(hipFuncGetAttributes(&attributes, entry));
  EXPECT_EQ(attributes.maxThreadsPerBlock, 1024);
  int blocks = 0, grid = 0, block = 0;
  EXPECT_HIP(hipOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, entry, 256, 0));
  EXPECT_EQ(blocks, 8);
  EXPECT_HIP(hipOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, entry, 256, 32 << 10));
  EXPECT_EQ(blocks, 2);
  EXPECT_HIP(hipOccupancyMaxPotentialBlockSize(&grid, &block, entry, 0, 0));
  EXPECT_EQ(block, 1024);
  hipDeviceProp_t p;
  EXPECT_HIP(hipGetDeviceProperties(&p, 0));
  EXPECT_EQ(p.warpSize, I::warp_size);
  int value = 0;
  EXPECT_HIP(hipDeviceGetAttribute(&value, hipDeviceAttributeWarpSize, 0));
  EXPECT_EQ(value, I::warp_size);
}

namespace {
int variable[4];
int not_found() { return 0; }
}  // namespace
TEST_F(KernelsTest, Variables) {
  int const from[2] = {5, 6};
  int to[2]         = {};
  EXPECT_HIP(hipMemcpyToSymbol(variable, from, 8, 8, hipMemcpyHostToDevice));
  EXPECT_EQ(variable[3], 6);
  EXPECT_HIP(hipMemcpyFromSymbol(to, variable, 8, 8, hipMemcpyDeviceToHost));
  EXPECT_EQ(to[0], 5);
  EXPECT_EQ(hipMemcpyToSymbol(from, from, 8, 0, hipMemcpyHostToDevice), hipErrorInvalidSymbol);  // on the stack
  expect_violation("unknown-symbol");
  (void)not_found;
}
