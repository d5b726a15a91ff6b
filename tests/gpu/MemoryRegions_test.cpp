// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// \file
/// The sizes and the bookkeeping of memory pools, without a GPU.

#include <impl/GPU/memory/Kokkos_GPU_MemoryRegions.hpp>

#include <gtest/gtest.h>

#include <cstdint>

#include <set>
#include <vector>

namespace {

using Kokkos::Impl::GPUMemoryBlock;
using Kokkos::Impl::GPUMemoryRegion;
using Kokkos::Impl::GPUMemoryRegions;
using Classes = Kokkos::Impl::GPUSizeClasses;

TEST(SizeClasses, are_these) {
  const struct {
    std::size_t request, block;
  } table[] = {{1, 256},       {256, 256},         {257, 512},        {4096, 4096},     {4097, 5120},
               {5121, 6144},   {7169, 8192},       {8192, 8192},      {8193, 10240},    {65536, 65536},
               {65537, 81920}, {1000000, 1048576}, {917505, 1048576}, {917504, 917504}, {1048576, 1048576}};
  for (auto const& [request, block] : table) EXPECT_EQ(Classes::bytes_of(Classes::of(request)), block) << request;
}

TEST(SizeClasses, serve_each_request_with_at_most_a_quarter_more) {
  for (std::size_t bytes = 1; bytes <= Classes::largest_in_superblock; ++bytes) {
    int const c             = Classes::of(bytes);
    std::size_t const block = Classes::bytes_of(c);
    ASSERT_LT(c, Classes::count);
    ASSERT_GE(block, bytes);
    ASSERT_EQ(block % Classes::smallest, 0u);
    if (c > 0) {
      ASSERT_LT(Classes::bytes_of(c - 1), bytes);
    }
    if (bytes > Classes::last_power) {
      ASSERT_LE(4 * (block - bytes), bytes);
    }
    ASSERT_GE(Classes::superblock_bytes(c) / block, 2u);
  }
}

TEST(SizeClasses, of_a_size_that_overflows_when_rounded) {
  std::size_t const most = ~std::size_t(0);
  EXPECT_EQ(Classes::region_bytes(most), most);
  EXPECT_EQ(Classes::region_bytes((std::size_t(2) << 20) + 1), std::size_t(4) << 20);
}

class Regions : public ::testing::Test {
 protected:
  GPUMemoryRegion* region(std::size_t bytes, int size_class) {
    return m_regions.add(reinterpret_cast<char*>(m_next += std::uintptr_t(1) << 32), bytes, size_class);
  }
  GPUMemoryRegions m_regions;
  std::uintptr_t m_next = 0;  // addresses that are never dereferenced
};

TEST_F(Regions, hand_out_each_block_of_a_superblock_once) {
  int const c     = Classes::of(1000);
  auto* const one = region(Classes::superblock_bytes(c), c);
  std::set<char*> seen;
  for (std::size_t i = 0; i < Classes::superblock_bytes(c) / 1024; ++i) {
    GPUMemoryBlock const block = m_regions.take(c);
    ASSERT_NE(block.data, nullptr);
    EXPECT_EQ(block.region, one);
    EXPECT_EQ(m_regions.find(block.data + 1023), one);
    EXPECT_TRUE(seen.insert(block.data).second);
  }
  EXPECT_EQ(m_regions.take(c).data, nullptr);
  EXPECT_EQ(*seen.rbegin() - *seen.begin() + 1024, static_cast<std::ptrdiff_t>(one->bytes));
}

TEST_F(Regions, know_which_are_idle) {
  int const c = Classes::of(1 << 20);
  region(4 << 20, c);
  EXPECT_EQ(m_regions.idle_bytes(), 4u << 20);
  std::vector<GPUMemoryBlock> blocks;
  while (blocks.empty() || blocks.back().data) blocks.push_back(m_regions.take(c));
  blocks.pop_back();
  ASSERT_EQ(blocks.size(), 4u);
  EXPECT_EQ(m_regions.idle_bytes(), 0u);
  EXPECT_EQ(m_regions.remove_oldest_idle(), nullptr);
  for (int i = 0; i < 3; ++i) m_regions.put(blocks[i]);
  EXPECT_EQ(m_regions.idle_bytes(), 0u);
  m_regions.put(blocks[3]);
  EXPECT_EQ(m_regions.idle_bytes(), 4u << 20);
  void* const base = blocks[0].region->base;
  EXPECT_EQ(m_regions.remove_oldest_idle(), base);
  EXPECT_TRUE(m_regions.empty());
  EXPECT_EQ(m_regions.take(c).data, nullptr);
  EXPECT_EQ(m_regions.bytes(), 0u);
}

TEST_F(Regions, take_the_smallest_large_one_that_fits) {
  auto* const small  = region(std::size_t(64) << 20, GPUMemoryRegion::large);
  auto* const medium = region(std::size_t(72) << 20, GPUMemoryRegion::large);
  auto* const huge   = region(std::size_t(256) << 20, GPUMemoryRegion::large);
  for (auto* r : {huge, small, medium}) m_regions.put({r->base, r});
  EXPECT_EQ(m_regions.take_large(std::size_t(65) << 20).region, medium);
  EXPECT_EQ(m_regions.take_large(std::size_t(65) << 20).region, nullptr) << "256 MiB are too many for 65";
  EXPECT_EQ(m_regions.take_large(std::size_t(60) << 20).region, small);
  EXPECT_EQ(m_regions.remove_idle_above(std::size_t(300) << 20), nullptr);
  void* const base = huge->base;
  EXPECT_EQ(m_regions.remove_idle_above(std::size_t(100) << 20), base);
}

TEST_F(Regions, forget_the_one_that_was_idle_longest) {
  auto* const one = region(std::size_t(4) << 20, GPUMemoryRegion::large);
  auto* const two = region(std::size_t(4) << 20, GPUMemoryRegion::large);
  m_regions.put({two->base, two});
  m_regions.put({one->base, one});
  void* const first = two->base;
  EXPECT_EQ(m_regions.remove_oldest_idle(), first);
  EXPECT_EQ(m_regions.idle_bytes(), std::size_t(4) << 20);
  EXPECT_EQ(m_regions.find(first), nullptr);
}

}  // namespace
