// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// \file
/// The sizes and the bookkeeping of memory pools, without a GPU.

#include "PoolRuntime.hpp"

#include <impl/GPU/memory/Kokkos_GPU_MemoryPool.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

namespace {

using Kokkos::Impl::GPUMemoryBlock;
using Kokkos::Impl::GPUMemoryRegion;
using Kokkos::Impl::GPUMemoryRegions;
using Classes = Kokkos::Impl::GPUSizeClasses;

TEST(SizeClasses, AreThese) {
  const struct {
    std::size_t request, block;
  } table[] = {{1, 256},       {256, 256},         {257, 512},        {4096, 4096},     {4097, 5120},
               {5121, 6144},   {7169, 8192},       {8192, 8192},      {8193, 10240},    {65536, 65536},
               {65537, 81920}, {1000000, 1048576}, {917505, 1048576}, {917504, 917504}, {1048576, 1048576}};
  for (auto const& [request, block] : table) EXPECT_EQ(Classes::bytes_of(Classes::of(request)), block) << request;
}

TEST(SizeClasses, ServeEachRequestWithAtMostAQuarterMore) {
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

TEST(SizeClasses, OfASizeThatOverflowsWhenRounded) {
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

TEST_F(Regions, HandOutEachBlockOfASuperblockOnce) {
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

TEST_F(Regions, KnowWhichAreIdle) {
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

TEST_F(Regions, KnowWhichIsIdleForTheLongestTime) {
  auto* const first = region(std::size_t(64) << 20, GPUMemoryRegion::large);
  auto* const last  = region(std::size_t(72) << 20, GPUMemoryRegion::large);
  m_regions.put({first->base, first});
  auto const now = std::chrono::steady_clock::now();
  while (std::chrono::steady_clock::now() == now) {
  }
  m_regions.put({last->base, last});
  ASSERT_LT(first->idle_since, last->idle_since);
  EXPECT_EQ(m_regions.oldest_idle_since(), first->idle_since);
  void* const base = first->base;
  EXPECT_EQ(m_regions.remove_oldest_idle(), base);
  EXPECT_EQ(m_regions.oldest_idle_since(), last->idle_since);
}

TEST_F(Regions, TakeTheSmallestLargeOneThatFits) {
  auto* const small  = region(std::size_t(64) << 20, GPUMemoryRegion::large);
  auto* const medium = region(std::size_t(72) << 20, GPUMemoryRegion::large);
  auto* const huge   = region(std::size_t(256) << 20, GPUMemoryRegion::large);
  for (auto* r : {huge, small, medium}) m_regions.put({r->base, r});
  EXPECT_EQ(m_regions.take_large(std::size_t(65) << 20).region, medium);
  EXPECT_EQ(m_regions.take_large(std::size_t(65) << 20).region, nullptr) << "256 MiB are too many for 65";
  EXPECT_EQ(m_regions.take_large(std::size_t(60) << 20).region, small);
  for (auto* r : {small, medium}) {  // each for its own size, not for one more byte
    m_regions.put({r->base, r});
    EXPECT_EQ(m_regions.take_large(r->bytes + 1).region, nullptr);
    EXPECT_EQ(m_regions.take_large(r->bytes).region, r);
  }
  EXPECT_EQ(m_regions.remove_idle_above(std::size_t(300) << 20), nullptr);
  void* const base = huge->base;
  EXPECT_EQ(m_regions.remove_idle_above(std::size_t(100) << 20), base);
}

TEST_F(Regions, ForgetTheOneThatWasIdleLongest) {
  auto* const one = region(std::size_t(4) << 20, GPUMemoryRegion::large);
  auto* const two = region(std::size_t(4) << 20, GPUMemoryRegion::large);
  m_regions.put({two->base, two});
  m_regions.put({one->base, one});
  void* const first = two->base;
  EXPECT_EQ(m_regions.remove_oldest_idle(), first);
  EXPECT_EQ(m_regions.idle_bytes(), std::size_t(4) << 20);
  EXPECT_EQ(m_regions.find(first), nullptr);
}

// Also if the runtime has allocated what is before or behind it.
TEST_F(Regions, ContainTheirBytesAndNoOthers) {
  for (std::size_t const bytes : {std::size_t(2) << 20, std::size_t(300) << 20}) {
    auto* const one = region(bytes, GPUMemoryRegion::large);
    EXPECT_EQ(m_regions.find(one->base - 1), nullptr);
    EXPECT_EQ(m_regions.find(one->base), one);
    EXPECT_EQ(m_regions.find(one->base + bytes - 1), one);
    EXPECT_EQ(m_regions.find(one->base + bytes), nullptr);
  }
}

// Of several with the same size, only the one that is removed is forgotten: the one that was idle longest, or the last one.
TEST_F(Regions, OfTheSameSizeAreNotConfused) {
  std::vector<GPUMemoryRegion*> all;
  for (int i = 0; i < 6; ++i) all.push_back(region(std::size_t(4) << 20, GPUMemoryRegion::large));
  for (int const i : {3, 0, 4, 1, 5, 2}) m_regions.put({all[i]->base, all[i]});
  std::set<void*> left;
  for (auto const* one : all) left.insert(one->base);
  for (bool const largest : {true, false, true, false}) {
    void* const base = largest ? m_regions.remove_idle_above(std::size_t(2) << 20) : m_regions.remove_oldest_idle();
    EXPECT_EQ(left.erase(base), 1u);
  }
  for (int i = 0; i < 2; ++i) {
    GPUMemoryBlock const block = m_regions.take_large(std::size_t(4) << 20);
    EXPECT_EQ(left.erase(block.data), 1u);
  }
  EXPECT_EQ(m_regions.take_large(std::size_t(4) << 20).data, nullptr);
}

TEST_F(Regions, SlabsAreDividedIntoRunsOfGranules) {
  constexpr std::size_t MiB   = std::size_t(1) << 20;
  GPUMemoryRegion* const slab = region(16 * MiB, GPUMemoryRegion::slab);
  GPUMemoryBlock const whole  = m_regions.take_from_slab(16 * MiB);
  EXPECT_EQ(whole.data, slab->base);
  EXPECT_EQ(m_regions.take_from_slab(1).data, nullptr);
  m_regions.put(whole);
  GPUMemoryBlock blocks[5];
  for (GPUMemoryBlock& block : blocks) block = m_regions.take_from_slab(3 * MiB);
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(blocks[i].data, slab->base + i * 4 * MiB);
    EXPECT_EQ(m_regions.find(blocks[i].data + 4 * MiB - 1), slab);
    EXPECT_EQ(slab->block_bytes(blocks[i].data), 4 * MiB);
  }
  EXPECT_EQ(blocks[4].data, nullptr);
  EXPECT_EQ(m_regions.idle_bytes(), 0u);
  // Free neighbours form a longer run.
  m_regions.put(blocks[1]);
  m_regions.put(blocks[3]);
  EXPECT_EQ(m_regions.take_from_slab(5 * MiB).data, nullptr);
  m_regions.put(blocks[2]);
  GPUMemoryBlock const long_one = m_regions.take_from_slab(11 * MiB);
  EXPECT_EQ(long_one.data, slab->base + 4 * MiB);
  // A younger slab is used when the older ones are full, and becomes idle alone.
  GPUMemoryRegion* const second = region(8 * MiB, GPUMemoryRegion::slab);
  GPUMemoryBlock const other    = m_regions.take_from_slab(2 * MiB);
  EXPECT_EQ(other.region, second);
  m_regions.put(other);
  m_regions.put(long_one);
  EXPECT_EQ(m_regions.idle_bytes(), 8 * MiB);
  void* const base = second->base;
  EXPECT_EQ(m_regions.remove_oldest_idle(), base);
  EXPECT_EQ(m_regions.remove_oldest_idle(), nullptr);
  m_regions.put(blocks[0]);
  EXPECT_EQ(m_regions.take_from_slab(16 * MiB).data, slab->base);
}

TEST(Granules, OfTheLargestSlab) {
  Kokkos::Impl::GPUGranules all(64);
  EXPECT_EQ(all.take(64), 0);
  EXPECT_EQ(all.take(1), -1);
  all.put(0);
  EXPECT_EQ(all.take(1), 0);
  EXPECT_EQ(all.take(64), -1);
  EXPECT_EQ(all.take(63), 1);
  EXPECT_EQ(all.free_count(), 0);
}

// Random runs beside a plain array of granules.
TEST(Granules, RandomRunsAreFreeAndFirst) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    unsigned x      = seed;
    auto const next = [&](unsigned n) { return (x = x * 1664525u + 1013904223u) / 65536 % n; };
    int const count = 1 + static_cast<int>(next(64));
    Kokkos::Impl::GPUGranules granules(count);
    std::vector<bool> used(count);
    std::vector<int> taken;
    for (int i = 0; i < 300; ++i) {
      if (!taken.empty() && next(2) == 0) {
        std::size_t const k = next(static_cast<unsigned>(taken.size()));
        int const first     = taken[k];
        for (int g = 0; g < granules.length(first); ++g) used[first + g] = false;
        granules.put(first);
        taken.erase(taken.begin() + static_cast<std::ptrdiff_t>(k));
        continue;
      }
      int const length = 1 + static_cast<int>(next(12));
      int expected     = -1;
      for (int first = 0; expected < 0 && first + length <= count; ++first) {
        expected = first;
        for (int g = 0; g < length; ++g)
          if (used[first + g]) expected = -1;
      }
      ASSERT_EQ(granules.take(length), expected) << "seed " << seed << ", " << length << " of " << count;
      if (expected < 0) continue;
      for (int g = 0; g < length; ++g) used[expected + g] = true;
      taken.push_back(expected);
    }
  }
}

TEST(SizeClasses, OfSlabs) {
  constexpr std::size_t MiB = std::size_t(1) << 20;
  EXPECT_EQ(Classes::slab_bytes(3 * MiB, 0, 128 * MiB), 16 * MiB);  // four blocks
  EXPECT_EQ(Classes::slab_bytes(3 * MiB, 201 * MiB, 128 * MiB), 50 * MiB);
  EXPECT_EQ(Classes::slab_bytes(3 * MiB, 9999 * MiB, 128 * MiB), 128 * MiB);
  EXPECT_EQ(Classes::slab_bytes(32 * MiB, 0, 128 * MiB), 128 * MiB);
  EXPECT_EQ(Classes::slab_bytes(33 * MiB, 0, 128 * MiB), 0u);
  EXPECT_EQ(Classes::slab_bytes(2 * MiB, 0, 4 * MiB), 0u);
  EXPECT_EQ(Classes::slab_bytes(~std::size_t(0), 0, 128 * MiB), 0u);
}

// ---- how often a pool calls the runtime ---------------------------------------------------------------------------

using Kokkos::Testing::NoStreams;

/// Counts allocations and queries. Its memory is never accessed.
struct CountingRuntime : Kokkos::Testing::PoolRuntime {
  static constexpr bool default_stream_query_covers_ordered = true;

  static inline int allocations = 0, queries = 0;
  static inline std::uintptr_t next = 0;

  static int malloc_device(void** p, std::size_t bytes) {
    ++allocations;
    next += std::uintptr_t(1) << 32;
    *p = bytes > 0 ? reinterpret_cast<void*>(next) : nullptr;
    return success;
  }
  static int malloc_pinned(void** p, std::size_t bytes) { return malloc_device(p, bytes); }
  static int stream_query(stream_t) { return ++queries, success; }
  static int stream_create_unordered(stream_t* stream) { return *stream = nullptr, out_of_memory; }
};

class CountedPool : public ::testing::Test {
 protected:
  static constexpr std::size_t MiB = std::size_t(1) << 20;

  CountedPool() {
    m_pool.open({2560 * MiB, 512 * MiB, 0});
    restart();
  }
  static void restart() { CountingRuntime::allocations = CountingRuntime::queries = 0; }
  void* take(std::size_t bytes) {
    void* p = nullptr;
    EXPECT_EQ(m_pool.allocate(bytes, &p), 0);
    return p;
  }
  Kokkos::Impl::GPUMemoryPool<CountingRuntime, Kokkos::Impl::DeviceMemoryKind, NoStreams> m_pool{0};
};

TEST_F(CountedPool, GivesFewViewsTheirSizes) {
  for (int i = 0; i < 10; ++i) (void)take(6 * MiB);
  EXPECT_EQ(m_pool.usage().taken, 60 * MiB);
}

TEST_F(CountedPool, ServesRandomSizesWithFewCalls) {
  unsigned x      = 1;
  auto const next = [&](unsigned n) { return (x = x * 1664525u + 1013904223u) / 65536 % n; };
  std::vector<void*> blocks(64, nullptr);
  for (int i = 0; i < 5000; ++i) {
    void*& block = blocks[next(64)];
    if (block) (void)m_pool.deallocate(block);
    block = take(MiB + next(31 * 16) * (MiB / 16));
  }
  EXPECT_LE(CountingRuntime::allocations, 60);
  EXPECT_LE(m_pool.usage().taken, 2 * m_pool.usage().highest + 320 * MiB);
}

TEST_F(CountedPool, SeldomQueriesForBlocksThatComeAndGo) {
  for (std::size_t const bytes : {4 * MiB, 16 * MiB, 64 * MiB}) {
    for (int i = 0; i < 500; ++i) m_pool.deallocate(take(bytes));
    restart();
    for (int i = 0; i < 1000; ++i) m_pool.deallocate(take(bytes));
    EXPECT_LE(CountingRuntime::queries, 300) << bytes;
    EXPECT_LE(CountingRuntime::allocations, 2) << bytes;
  }
  EXPECT_LE(m_pool.usage().taken, (320 + 4 + 16 + 64) * MiB);
}

// Whatever else is free is taken first, so that each block needs a query.
TEST_F(CountedPool, AddsSpareMemoryOncePerSixteenQueries) {
  for (std::size_t const bytes : {std::size_t(300000), 6 * MiB}) {
    void* last = take(bytes);
    int spare  = 0;
    for (int i = 1; i <= 64; ++i) {
      m_pool.deallocate(last);
      restart();
      while (CountingRuntime::queries == 0) last = take(bytes);
      spare += CountingRuntime::allocations;
      EXPECT_EQ(spare, i / 16) << "after " << i << " queries for " << bytes << " bytes";
    }
  }
}

/// Two neighbouring superblocks, and a stock that clears all of their blocks. The runtime records its fills, and refuses
/// the fill with the number `refused`.
class NeighbouringRegions : public ::testing::Test {
 protected:
  struct Runtime : CountingRuntime {
    static inline std::vector<std::pair<std::uintptr_t, std::size_t>> fills;
    static inline std::size_t refused = ~std::size_t(0);
    static inline bool keeps_error    = false;

    static int stream_create_unordered(stream_t* stream) { return *stream = &fills, success; }
    static int memset_async(void* p, int, std::size_t bytes, stream_t) {
      if (fills.size() == refused) return keeps_error = true, out_of_memory;
      fills.emplace_back(reinterpret_cast<std::uintptr_t>(p), bytes);
      return success;
    }
    static void clear_last_error() { keeps_error = false; }
  };
  static constexpr int size_class    = Classes::cleared_count - 1;
  static constexpr std::size_t bytes = Classes::superblock_bytes(size_class);
  static constexpr std::size_t count = bytes / Classes::bytes_of(size_class);  // of blocks in a superblock
  static constexpr auto first        = std::uintptr_t(1) << 32;                // an address that is never dereferenced
  using Stock                        = Kokkos::Impl::GPUClearedBlocks<Runtime>;
  static_assert(2 * count <= Stock::batch);

  explicit NeighbouringRegions() {
    Runtime::fills.clear();
    Runtime::refused     = ~std::size_t(0);
    Runtime::keeps_error = false;
    for (unsigned i : {0u, 1u})
      m_region[i] = m_regions.add(reinterpret_cast<void*>(first + i * bytes), bytes, size_class);
  }

  GPUMemoryRegions m_regions;
  GPUMemoryRegion* m_region[2];
  Stock m_stock;
};

TEST_F(NeighbouringRegions, AreClearedOneByOne) {
  m_stock.refill(size_class, m_regions);
  std::vector<std::pair<std::uintptr_t, std::size_t>> const each{{first, bytes}, {first + bytes, bytes}};
  EXPECT_EQ(Runtime::fills, each) << "the runtime fills no more than one allocation";
  m_stock.poll();
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(m_stock.take(size_class).data), first);
  EXPECT_EQ(m_regions.free_blocks(size_class), 0u);
  m_stock.return_to(m_regions);
}

TEST_F(NeighbouringRegions, WhoseSecondFillIsRefusedLeaveNoError) {
  Runtime::refused = 1;
  m_stock.refill(size_class, m_regions);
  EXPECT_FALSE(Runtime::keeps_error) << "the program would take it for its own";
  EXPECT_EQ(m_regions.free_blocks(size_class), count) << "the blocks that were not cleared";
  m_stock.poll();
  for (std::size_t i = 0; i < count; ++i) {
    GPUMemoryBlock const block = m_stock.take(size_class);
    ASSERT_EQ(block.region, m_region[0]);
    m_regions.put(block);
  }
  EXPECT_TRUE(m_stock.take(size_class).data == nullptr);
}

}  // namespace
