// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// MemoryPool: kernels allocate, and no two allocations share memory.

#include <TestSpaces.hpp>

#include <Kokkos_MemoryPool.hpp>

#include <sstream>
#include <stdexcept>

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
  EXPECT_EQ(pool.allocate_block_size(100), 128u);
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

TEST(MemoryPool, SizesThatContradictEachOther) {
  using HostPool = Pool<Kokkos::DefaultHostExecutionSpace>;
  EXPECT_THROW(HostPool(Kokkos::HostSpace(), 0), std::runtime_error);
  EXPECT_THROW(HostPool(Kokkos::HostSpace(), 4096, 1024, 512), std::runtime_error);
  EXPECT_EQ(HostPool(Kokkos::HostSpace(), 1000).capacity(), 1024u);
  EXPECT_EQ(HostPool().allocate(1), nullptr);
}

}  // namespace
