// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How launches are cut: the threads of a block, and the chunks of a scan of values that do not fit registers.

#include <impl/GPU/launch/Kokkos_GPU_BlockSize.hpp>
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

/// The properties that the runtime reports of an H100.
GPUProperties h100() {
  GPUProperties device              = device_with(132);
  device.warp_size                  = 32;
  device.threads_per_block          = 1024;
  device.threads_per_multiprocessor = 2048;
  device.blocks_per_multiprocessor  = 32;
  device.registers_per_block        = 65536;
  device.shared_per_block           = 232448;
  device.shared_per_multiprocessor  = 233472;
  device.shared_reserved            = 1024;
  return device;
}

}  // namespace

TEST(BlockSize, ResidentBlocks) {
  struct {
    int registers;
    std::size_t shared;
    int threads, blocks;
  } const table[] = {
      {0, 0, 256, 8},      {32, 0, 256, 8},  {33, 0, 256, 6},  {64, 0, 256, 4},    {96, 0, 256, 2},
      {96, 0, 128, 5},     {104, 0, 128, 4}, {255, 0, 64, 4},  {255, 0, 256, 1},   {255, 0, 1024, 1},
      {32, 0, 32, 32},     {32, 0, 40, 32},  {32, 0, 100, 16}, {32, 1024, 64, 32}, {32, 48 * 1024, 256, 4},
      {32, 232448, 32, 1}, {0, 0, 1024, 2},
  };
  for (auto const& row : table)
    EXPECT_EQ(Kokkos::Impl::gpu_resident_blocks(h100(), {1024, row.registers, row.shared}, row.threads), row.blocks)
        << row.registers << " registers, " << row.shared << " bytes, " << row.threads << " threads";
}

TEST(BlockSize, ThreadsOfABlock) {
  struct {
    int max_threads, registers;
    std::uint64_t n;
    unsigned bound;
    int threads;
  } const table[] = {
      // long ranges: as many resident threads as possible
      {1024, 32, 1000000, 0, 256},
      {1024, 40, 1000000, 0, 256},
      {640, 96, 1000000, 0, 128},
      {512, 104, 1000000, 0, 256},
      {256, 255, 1000000, 0, 256},
      {1024, 32, 10000000000, 0, 256},
      // limits of the program and of the kernel
      {1024, 32, 1000000, 100, 64},
      {1024, 32, 1000000, 1024, 256},
      {192, 32, 1000000, 0, 64},
      {1024, 32, 1000000, 16, 16},
      // short ranges: all multiprocessors
      {1024, 32, 132 * 4 * 256, 0, 256},
      {1024, 32, 132 * 4 * 256 - 1, 0, 128},
      {1024, 32, 20000, 0, 32},
      {1024, 32, 2000, 0, 32},
      {1024, 32, 1, 0, 32},
      {1024, 32, 0, 0, 32},
      {1024, 32, 2000, 100, 32},
  };
  for (auto const& row : table)
    EXPECT_EQ(Kokkos::Impl::gpu_block_threads(h100(), {row.max_threads, row.registers, 0}, row.n, row.bound),
              row.threads)
        << row.registers << " registers, " << row.n << " iterations, bound " << row.bound;
}

TEST(BlockSize, SizeOfATeam) {
  constexpr int long_league = 132 * 28, short_league = 132 * 28 - 1;
  struct {
    int registers, league, lanes, most;
    std::size_t per_team, per_thread;
    int size;
  } const table[] = {
      {32, long_league, 1, 1024, 2048, 0, 64},
      {32, short_league, 1, 1024, 2048, 0, 128},
      {32, long_league, 8, 128, 2048, 0, 16},
      {32, long_league, 32, 32, 2048, 0, 4},
      {32, 10, 32, 32, 2048, 0, 4},
      {255, long_league, 1, 256, 2048, 0, 64},
      {32, long_league, 1, 32, 2048, 0, 32},
      // two teams, or four, by their scratch memory
      {32, long_league, 1, 1024, 110 * 1024, 0, 1024},
      {32, long_league, 1, 1024, 56 * 1024, 0, 512},
      // of four teams with these registers, those of 256 threads run no more threads than those of 128
      {96, long_league, 1, 640, 56 * 1024, 0, 128},
      // scratch memory that grows with the team
      {32, long_league, 1, 1024, 2048, 1024, 64},
  };
  for (auto const& row : table)
    EXPECT_EQ(Kokkos::Impl::gpu_team_size(h100(), {1024, row.registers, 0}, row.league, row.lanes, row.most,
                                          [&](int size) { return row.per_team + row.per_thread * size; }),
              row.size)
        << row.registers << " registers, " << row.league << " teams, " << row.per_team << " bytes";
}

TEST(ChunkPlan, CoversEveryIterationAndKeepsItsLimits) {
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

TEST(ChunkPlan, FillsTheDeviceIfThereIsWork) {
  GPUChunkPlan const plan(100000000, 72, device_with(100));
  EXPECT_EQ(plan.threads, GPUChunkPlan::max_threads);
  EXPECT_EQ(plan.blocks, 100 * GPUChunkPlan::blocks_each);
}
