// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How a scan of values that do not fit registers is cut into chunks.

#include <impl/GPU/launch/Kokkos_GPU_ChunkScan.hpp>

#include <gtest/gtest.h>

using Kokkos::Impl::GPUChunkPlan;
using Kokkos::Impl::GPUProperties;

namespace {

GPUProperties device_with(int multiprocessors) {
  GPUProperties device;
  device.multiprocessors = multiprocessors;
  return device;
}

}  // namespace

TEST(ChunkPlan, covers_every_iteration_and_keeps_its_limits) {
  for (std::size_t bytes : {std::size_t(72), std::size_t(8000), std::size_t(40) << 20}) {
    for (std::uint64_t count : {0ull, 1ull, 5ull, 511ull, 512ull, 100003ull, 10000000019ull}) {
      GPUChunkPlan const plan(count, bytes, device_with(100));
      std::uint64_t const chunks = std::uint64_t(plan.blocks) * plan.threads;
      EXPECT_GE(chunks, 1u);
      EXPECT_GE(chunks * plan.length, count);
      EXPECT_LE(plan.threads, GPUChunkPlan::max_threads);
      EXPECT_LE(plan.blocks, 100 * GPUChunkPlan::blocks_each);
      EXPECT_TRUE(chunks == 1 || 2 * chunks * bytes <= GPUChunkPlan::max_scratch) << bytes << " bytes, " << count;
    }
  }
}

TEST(ChunkPlan, fills_the_device_if_there_is_work) {
  GPUChunkPlan const plan(100000000, 72, device_with(100));
  EXPECT_EQ(plan.threads, GPUChunkPlan::max_threads);
  EXPECT_EQ(plan.blocks, 100 * GPUChunkPlan::blocks_each);
}
