// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// MemoryPool: kernels allocate, and no two allocations share memory.

#include <Deadline.hpp>
#include <Messages.hpp>
#include <TestSpaces.hpp>

#include <Kokkos_MemoryPool.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <chrono>
#include <cstdlib>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>

namespace {

template <class Space>
class MemoryPoolTest : public ::testing::Test {};
TYPED_TEST_SUITE(MemoryPoolTest, Kokkos::Testing::ExecutionSpaces, Kokkos::Testing::SpaceName);

template <class Space>
using Pool = Kokkos::MemoryPool<typename Space::device_type>;

template <class Space>
void allocate_all(Pool<Space> const& pool, Kokkos::View<int**, Space> const& blocks) {
  Kokkos::parallel_for(
      Kokkos::RangePolicy<Space>(0, static_cast<int>(blocks.extent(0))), KOKKOS_LAMBDA(int i) {
        int* const p = static_cast<int*>(pool.allocate(100));
        blocks(i, 0) = p != nullptr;
        if (p == nullptr) return;
        for (int k = 0; k < 25; ++k) p[k] = i;
        int same = 0;
        for (int k = 0; k < 25; ++k) same += p[k] == i;
        blocks(i, 1) = same;
        if (i % 2 == 1) pool.deallocate(p, 100);
      });
  Space().fence();
}

TYPED_TEST(MemoryPoolTest, KernelsAllocate) {
  constexpr int n = 256;
  Pool<TypeParam> const pool(typename TypeParam::memory_space(), n * 128, 32, 1024, 4096);
  EXPECT_EQ(pool.capacity(), n * 128u);
  EXPECT_EQ(pool.min_block_size(), 32u);
  EXPECT_EQ(pool.max_block_size(), 1024u);
  for (std::uint32_t bytes = 1; bytes <= 1024; ++bytes)
    ASSERT_EQ(pool.allocate_block_size(bytes), std::max(32u, std::bit_ceil(bytes))) << bytes;
  EXPECT_EQ(pool.allocate_block_size(1025), 0u);
  EXPECT_EQ(pool.number_of_superblocks(), 8);
  Kokkos::View<int**, TypeParam> const blocks("blocks", n, 2);
  allocate_all<TypeParam>(pool, blocks);
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), blocks);
  for (int i = 0; i < n; ++i) {
    EXPECT_EQ(host(i, 0), 1) << i;
    EXPECT_EQ(host(i, 1), 25) << i;
  }
  typename Pool<TypeParam>::usage_statistics s;
  pool.get_usage_statistics(s);
  EXPECT_EQ(s.consumed_blocks, n / 2u);
  EXPECT_EQ(s.consumed_bytes, n / 2u * 128);
  EXPECT_EQ(s.reserved_bytes, s.consumed_superblocks * 4096 - s.consumed_bytes);
  std::ostringstream state;
  pool.print_state(state);
  EXPECT_NE(state.str().find("blocks of 128 bytes are allocated"), std::string::npos) << state.str();
}

/// Fills the pool with blocks of one size, frees them, and fills it with blocks of another size. Returns the sums of
/// the allocated sizes.
template <class Space>
Kokkos::View<int[3], Space> use_again(Pool<Space> const& pool) {
  Kokkos::View<int[3], Space> const counts("counts");
  Kokkos::parallel_for(
      Kokkos::RangePolicy<Space>(0, 1), KOKKOS_LAMBDA(int) {
        void* taken[64];
        for (int i = 0; i < 64; ++i) counts(0) += (taken[i] = pool.allocate(64)) != nullptr;
        counts(1) = pool.allocate(64) != nullptr || pool.allocate(256) != nullptr;
        for (int i = 0; i < 64; ++i) pool.deallocate(taken[i], 64);
        for (int i = 0; i < 16; ++i) counts(2) += pool.allocate(256) != nullptr;
      });
  Space().fence();
  return counts;
}

TYPED_TEST(MemoryPoolTest, EmptySuperblocksAreDividedAnew) {
  Pool<TypeParam> const pool(typename TypeParam::memory_space(), 4096, 64, 1024, 1024);
  auto const counts = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), use_again<TypeParam>(pool));
  EXPECT_EQ(counts(0), 64);
  EXPECT_EQ(counts(1), 0);
  EXPECT_EQ(counts(2), 16);
}

TEST(MemoryPool, ReportsTheBlocksOfEachSuperblock) {
  Pool<Kokkos::DefaultHostExecutionSpace> const pool(Kokkos::HostSpace(), 3 * 1024, 64, 1024, 1024);
  auto const state = [&](int superblock) {
    std::array<int, 3> s{};
    pool.superblock_state(superblock, s[0], s[1], s[2]);
    return s;
  };
  using State = std::array<int, 3>;  // size, maximum and number of blocks
  for (int s : {-1, 0, 1, 2, 3}) EXPECT_EQ(state(s), (State{0, 0, 0})) << s;
  void* const small        = pool.allocate(64);
  void* const more         = pool.allocate(50);
  void* const whole        = pool.allocate(1024);
  auto const superblock_of = [&](int size) { return state(0)[0] == size ? 0 : state(1)[0] == size ? 1 : 2; };
  int const first          = superblock_of(64);
  EXPECT_EQ(state(first), (State{64, 16, 2}));
  EXPECT_EQ(state(superblock_of(1024)), (State{1024, 1, 1}));
  pool.deallocate(small, 64);
  EXPECT_EQ(state(first), (State{64, 16, 1}));
  pool.deallocate(more, 50);
  pool.deallocate(whole, 1024);
  for (int s : {0, 1, 2}) EXPECT_EQ(state(s), (State{0, 0, 0})) << s;
}

/// Each item allocates a block and writes its number to it, and reads it after all have written.
/// \return how many items had a block of their own
template <class Space>
int blocks_of_items(Pool<Space> const& pool, int items, int bytes) {
  Kokkos::View<int*, Space> const own("own", items);
  Kokkos::View<unsigned long long*, Space> const blocks("blocks", items);
  Kokkos::parallel_for(
      Kokkos::RangePolicy<Space>(0, items), KOKKOS_LAMBDA(int i) {
        int* const p = static_cast<int*>(pool.allocate(static_cast<std::size_t>(bytes)));
        if (p != nullptr) *p = i;
        blocks(i) = reinterpret_cast<unsigned long long>(p);
      });
  Kokkos::parallel_for(
      Kokkos::RangePolicy<Space>(0, items), KOKKOS_LAMBDA(int i) {
        int* const p = reinterpret_cast<int*>(blocks(i));
        own(i)       = p != nullptr && *p == i;
        pool.deallocate(p, static_cast<std::size_t>(bytes));
      });
  int sum = 0;
  Kokkos::parallel_reduce(Kokkos::RangePolicy<Space>(0, items), KOKKOS_LAMBDA(int i, int& s) { s += own(i); }, sum);
  return sum;
}

// Several threads at once, and more blocks of one size than its part of the pool has. A superblock has fewer blocks than a
// word has bits, as many, or more.
TYPED_TEST(MemoryPoolTest, EveryBlockIsFoundWhoeverContends) {
  constexpr int superblocks = 16;
  Pool<TypeParam> const pool(typename TypeParam::memory_space(), superblocks * 2048, 16, 2048, 2048);
  for (int bytes : {64, 2048, 16, 256, 32, 128, 16}) {
    int const all = superblocks * 2048 / bytes;
    EXPECT_EQ(blocks_of_items<TypeParam>(pool, all, bytes), all) << bytes;
    EXPECT_EQ(blocks_of_items<TypeParam>(pool, all + 5, bytes), all) << bytes;
  }
}

/// One item allocates all blocks of 64 bytes, frees the one in the middle and allocates again.
/// \return the numbers of blocks that were allocated at first, and afterwards
template <class Space>
Kokkos::View<int[2], Space> refill(Pool<Space> const& pool, Kokkos::View<unsigned long long*, Space> const& blocks) {
  Kokkos::View<int[2], Space> const counts("counts");
  Kokkos::parallel_for(
      Kokkos::RangePolicy<Space>(0, 1), KOKKOS_LAMBDA(int) {
        int const n = static_cast<int>(blocks.extent(0));
        for (int i = 0; i < n; ++i) {
          void* const p = pool.allocate(64);
          blocks(i)     = reinterpret_cast<unsigned long long>(p);
          counts(0) += p != nullptr;
        }
        pool.deallocate(reinterpret_cast<void*>(blocks(n / 2)), 64);
        counts(1) = pool.allocate(64) != nullptr;
      });
  Space().fence();
  return counts;
}

// A search that found no block of a size in use is not repeated until one is freed. Then that block is found, although
// there are empty superblocks.
TYPED_TEST(MemoryPoolTest, AFreedBlockIsUsedBeforeAnEmptySuperblock) {
  constexpr int superblocks = 160, used = 100, blocks_each = 16;
  Pool<TypeParam> const pool(typename TypeParam::memory_space(), superblocks * 1024, 64, 1024, 1024);
  Kokkos::View<unsigned long long*, TypeParam> const blocks("blocks", used * blocks_each);
  auto const counts = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), refill<TypeParam>(pool, blocks));
  EXPECT_EQ(counts(0), used * blocks_each);
  EXPECT_EQ(counts(1), 1);
  typename Pool<TypeParam>::usage_statistics s;
  pool.get_usage_statistics(s);
  EXPECT_EQ(s.consumed_blocks, static_cast<std::size_t>(used * blocks_each));
  EXPECT_EQ(s.consumed_superblocks, static_cast<std::size_t>(used));
}

/// Each item takes a block, until it gets one, alone writes to it, and gives it back. The loop's end depends on memory: if
/// a compiler sees which pass is an item's last one, it may move what follows in that pass out of the loop, and the other
/// lanes of an AMD wavefront then wait for ever for a block that is given back behind the loop (docs/hip.md).
/// \return the number of items that had a block at the same time as another item
template <class Space>
int share_blocks(Pool<Space> const& pool, Kokkos::View<int*, Space> const& turns, int items) {
  int shared = 0;
  Kokkos::parallel_reduce(
      Kokkos::RangePolicy<Space>(0, items),
      KOKKOS_LAMBDA(int i, int& s) {
        while (Kokkos::atomic_load(&turns(i)) == 0) {
          int* const user = static_cast<int*>(pool.allocate(64));
          if (user == nullptr) continue;  // at that moment, other items had all blocks
          Kokkos::atomic_store(user, i);
          Kokkos::atomic_inc(&turns(i));
          s += Kokkos::atomic_load(user) != i;
          pool.deallocate(user, 64);
        }
      },
      shared);
  return shared;
}

// On a GPU, thousands of threads search for the few blocks at the same time.
TYPED_TEST(MemoryPoolTest, ManyThreadsShareFewBlocks) {
  Kokkos::Testing::Deadline const deadline("threads still search for a block, and none gets one");
#ifdef KOKKOS_IMPL_GPU_MODEL
  constexpr int items = 1000;  // its blocks run one after another
#else
  // With HIP_MODEL_ISA an interpreter runs the kernels, which takes more than a minute for 20000 items.
  int const items = TypeParam().concurrency() <= 1000 ? 200 : std::getenv("HIP_MODEL_ISA") ? 3000 : 20000;
#endif
  for (int blocks : {1, 8, 32}) {
    Pool<TypeParam> const pool(typename TypeParam::memory_space(), blocks * 64, 64, 64, blocks * 64);
    ASSERT_EQ(pool.number_of_superblocks(), 1);
    Kokkos::View<int*, TypeParam> const turns("turns", items);
    EXPECT_EQ(share_blocks<TypeParam>(pool, turns, items), 0) << blocks;
    auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), turns);
    for (int i = 0; i < items; ++i) ASSERT_EQ(host(i), 1) << blocks << " blocks, item " << i;
    typename Pool<TypeParam>::usage_statistics s;
    pool.get_usage_statistics(s);
    EXPECT_EQ(s.consumed_blocks, 0u) << blocks;
    EXPECT_EQ(blocks_of_items<TypeParam>(pool, blocks + 1, 64), blocks);  // none is lost
  }
}

// A thread that another one inside a superblock keeps from the last blocks searches without entering it. If it entered again,
// and all such threads did, there could always be too many inside, and no thread would get the last blocks.
TEST(MemoryPool, AThreadThatContendsDoesNotEnterAgain) {
  using HostPool = Pool<Kokkos::DefaultHostExecutionSpace>;
  using Head     = Kokkos::Impl::MemoryPoolHead;
  Kokkos::Testing::Deadline const deadline("the thread still searches for a block, although no other one is inside");
  static void* heads = nullptr;
  Kokkos::Tools::Experimental::set_allocate_data_callback(
      [](Kokkos_Profiling_SpaceHandle, char const* label, void const* data, std::uint64_t) {
        if (std::string(label) == "Kokkos::MemoryPool heads") heads = const_cast<void*>(data);
      });
  HostPool const pool(Kokkos::HostSpace(), 64, 64, 64, 64);
  Kokkos::Tools::Experimental::set_allocate_data_callback(nullptr);
  ASSERT_NE(heads, nullptr);
  auto* const head = static_cast<std::uint64_t*>(heads);
  Kokkos::atomic_add(head, Head::one_thread);  // as if a thread were inside that does not continue
  void* block = nullptr;
  std::atomic<bool> has_ended{false};
  std::thread searching([&] {
    block     = pool.allocate(64);
    has_ended = true;
  });
  // A thread enters at most five times in its first searches, and as often as it can if it enters again and again.
  constexpr int most    = 8;
  int entries           = 0;
  std::uint64_t threads = 1;
  for (int i = 0; i < 40 && entries <= most; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));  // on one core, the other thread runs now
    for (int k = 0; k < 200; ++k) {
      std::uint64_t const now = Head::threads(Kokkos::atomic_load(head));
      entries += now > threads ? 1 : 0;
      threads = now;
    }
  }
  EXPECT_FALSE(has_ended) << "the block may be that of the thread inside";
  Kokkos::atomic_sub(head, Head::one_thread);
  searching.join();
  EXPECT_NE(block, nullptr);
  EXPECT_LE(entries, most);
}

// A head changes again and again while a thread reserves from outside: it expects the state that it has seen last. Each
// state is another one, so an exchange that expects an earlier one never succeeds. Many rounds, because the moment is
// short.
TEST(MemoryPool, AThreadOutsideSeesEachChange) {
  using HostPool = Pool<Kokkos::DefaultHostExecutionSpace>;
  using Head     = Kokkos::Impl::MemoryPoolHead;
  Kokkos::Testing::Deadline const deadline("the thread still expects a state of the superblock that has changed", 30);
  static void* heads = nullptr;
  Kokkos::Tools::Experimental::set_allocate_data_callback(
      [](Kokkos_Profiling_SpaceHandle, char const* label, void const* data, std::uint64_t) {
        if (std::string(label) == "Kokkos::MemoryPool heads") heads = const_cast<void*>(data);
      });
  constexpr int blocks = 32;
  HostPool const pool(Kokkos::HostSpace(), 64 * blocks, 64, 64 * blocks, 64 * blocks);
  Kokkos::Tools::Experimental::set_allocate_data_callback(nullptr);
  ASSERT_NE(heads, nullptr);
  auto* const head = static_cast<std::uint64_t*>(heads);
  // Without a free core, a round takes a time slice of the operating system.
  auto const end = std::chrono::steady_clock::now() + std::chrono::seconds(1);
  for (int round = 0; round < 2000 && std::chrono::steady_clock::now() < end; ++round) {
    // Simulates as many threads inside as there are blocks, which leave one after the other.
    Kokkos::atomic_add(head, blocks * Head::one_thread);
    std::atomic<bool> begun{false};
    void* block = nullptr;
    std::thread searching([&] {
      begun = true;
      block = pool.allocate(64);
    });
    while (!begun) std::this_thread::yield();
    std::this_thread::sleep_for(std::chrono::microseconds(50));
    for (int i = 0; i < blocks; ++i) Kokkos::atomic_sub(head, Head::one_thread);
    searching.join();
    EXPECT_NE(block, nullptr);
    pool.deallocate(block, 64);
  }
  EXPECT_EQ(Head::blocks(Kokkos::atomic_load(head)), 0u);
}

TEST(MemoryPool, SizesThatContradictEachOther) {
  using HostPool     = Pool<Kokkos::DefaultHostExecutionSpace>;
  auto const message = [](std::size_t bytes, std::size_t min_block, std::size_t max_block, std::size_t superblock) {
    return Kokkos::Testing::thrown_message(
        [&] { HostPool(Kokkos::HostSpace(), bytes, min_block, max_block, superblock); });
  };
  constexpr std::size_t largest = std::size_t(1) << 31;
  Kokkos::Testing::expect_all(message(0, 0, 0, 0), {"the pool was requested with 0 bytes", "at most 2147483648."});
  Kokkos::Testing::expect_all(message(1000, largest + 1, 0, 0), {"the pool was requested with 1000 bytes"});
  Kokkos::Testing::expect_all(message(1000, 0, largest + 1, 0), {"the pool was requested with 1000 bytes"});
  Kokkos::Testing::expect_all(message(1000, 0, 0, largest + 1), {"the pool was requested with 1000 bytes"});
  Kokkos::Testing::expect_all(message(4096, 1024, 512, 0), {"the smallest block has 1024 bytes, the largest 512"});
  Kokkos::Testing::expect_all(message(4096, 64, 1024, 512), {"the largest 1024 and a superblock 512"});
  Kokkos::Testing::expect_all(message(4096, 64, 1024, std::size_t(1) << 30),
                              {"bytes has more than 2^24 - 1 blocks of 64 bytes"});
  EXPECT_EQ(HostPool(Kokkos::HostSpace(), 1000).capacity(), 1024u);
  EXPECT_EQ(HostPool().allocate(1), nullptr);
}

// Blocks of 64 to 4096 bytes in superblocks of 1 MiB, or less if the pool is smaller.
TEST(MemoryPool, SizesThatAreNotGiven) {
  struct Row {
    std::size_t bytes, capacity;
    int superblocks;
    std::size_t smallest, largest;
  };
  constexpr std::size_t KiB = 1024, MiB = 1024 * KiB;
  for (Row const& row :
       {Row{100, 128, 1, 64, 128}, Row{4 * KiB, 4 * KiB, 1, 64, 4 * KiB}, Row{MiB - 1, MiB, 1, 64, 4 * KiB},
        Row{MiB, MiB, 1, 64, 4 * KiB}, Row{MiB + 1, 2 * MiB, 2, 64, 4 * KiB}, Row{3 * MiB, 3 * MiB, 3, 64, 4 * KiB}}) {
    Pool<Kokkos::DefaultHostExecutionSpace> const pool(Kokkos::HostSpace(), row.bytes);
    EXPECT_EQ(pool.capacity(), row.capacity) << row.bytes;
    EXPECT_EQ(pool.number_of_superblocks(), row.superblocks) << row.bytes;
    EXPECT_EQ(pool.min_block_size(), row.smallest) << row.bytes;
    EXPECT_EQ(pool.max_block_size(), row.largest) << row.bytes;
  }
}

TEST(MemoryPool, RefusesBlocksThatItHasNotGivenDeathTest) {
  ::testing::FLAGS_gtest_death_test_style = "threadsafe";
  Pool<Kokkos::DefaultHostExecutionSpace> const pool(Kokkos::HostSpace(), 4096, 64, 1024, 1024);
  void* const block = pool.allocate(64);
  ASSERT_NE(block, nullptr);
  int elsewhere = 0;
  EXPECT_DEATH(pool.deallocate(&elsewhere, 64), "the pointer does not come from this pool");
  void* const other = pool.allocate(64);
  pool.deallocate(block, 64);
  EXPECT_DEATH(pool.deallocate(block, 64), "the block is not allocated");
  pool.deallocate(other, 64);  // from here on, the superblock is empty
  EXPECT_DEATH(pool.deallocate(block, 64), "the block is not allocated");
}

}  // namespace
