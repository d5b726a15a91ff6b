// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// ScratchMemorySpace as a type and as a handle of given memory: alignment, levels, exhaustion.

#include "TeamTest.hpp"

#include <cstddef>
#include <cstdint>

namespace {

using Space = Kokkos::DefaultHostExecutionSpace::scratch_memory_space;

bool is_aligned(void* p, std::size_t alignment) { return reinterpret_cast<std::uintptr_t>(p) % alignment == 0; }

TEST(ScratchSpaceTest, IsAMemorySpace) {
  static_assert(Kokkos::is_memory_space_v<Space>);
  static_assert(std::is_same_v<Space, Kokkos::ScratchMemorySpace<Kokkos::DefaultHostExecutionSpace>>);
  static_assert(std::is_same_v<Space::execution_space, Kokkos::DefaultHostExecutionSpace>);
  static_assert(std::is_same_v<Space::device_type, Kokkos::Device<Kokkos::DefaultHostExecutionSpace, Space>>);
  static_assert(Kokkos::SpaceAccessibility<Kokkos::DefaultHostExecutionSpace, Space>::accessible);
  static_assert(Space::ALIGN == 8);
  EXPECT_NE(Space::name(), nullptr);
}

TEST(ScratchSpaceTest, HandsOutMemoryFrontToBack) {
  alignas(64) char memory[128];
  Space const scratch(memory, sizeof memory);
  EXPECT_EQ(scratch.get_shmem(3), memory);
  EXPECT_EQ(scratch.get_shmem(1), memory + 8);
  EXPECT_EQ(scratch.get_shmem_aligned(16, 32), memory + 32);
  EXPECT_EQ(scratch.get_shmem_aligned(1, 1), memory + 48);
  EXPECT_EQ(scratch.get_shmem(80), nullptr) << "one byte too much";
  EXPECT_EQ(scratch.get_shmem(std::size_t{1} << 62), nullptr);
  EXPECT_EQ(scratch.get_shmem(72), memory + 56) << "what failed has taken nothing";
  EXPECT_EQ(scratch.get_shmem(1), nullptr);
}

TEST(ScratchSpaceTest, AlignsMemoryThatStartsAnywhere) {
  alignas(64) char memory[64];
  Space const scratch(memory + 3, 40);
  void* const p = scratch.get_shmem(8);
  EXPECT_TRUE(is_aligned(p, 8));
  EXPECT_EQ(p, memory + 8);
  EXPECT_EQ(scratch.get_shmem_aligned(4, 16), memory + 16);
}

TEST(ScratchSpaceTest, KeepsLevelsApart) {
  alignas(64) char near[64], far[64];
  Space const scratch(near, 64, far, 64);
  EXPECT_EQ(scratch.get_shmem(16), near);
  EXPECT_EQ(scratch.get_shmem(16, 1), far);
  EXPECT_EQ(scratch.get_shmem(16, 0), near + 16);
  EXPECT_EQ(scratch.get_shmem_aligned(16, 8, 1), far + 16);
}

TEST(ScratchSpaceTest, WithoutMemoryGivesNone) {
  Space const nothing;
  EXPECT_EQ(nothing.get_shmem(1), nullptr);
  EXPECT_EQ(nothing.get_shmem(0), nullptr);
  EXPECT_EQ(nothing.get_shmem(1, 1), nullptr);
}

TEST(ScratchSpaceTest, MakesViews) {
  alignas(64) char memory[256];
  Space const scratch(memory, sizeof memory);
  using View = Kokkos::View<double**, Space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  View const a(scratch, 2, 3);
  View const b(scratch, 4, 4);
  View const c(scratch, 4, 4);
  EXPECT_EQ(static_cast<void*>(a.data()), memory);
  EXPECT_EQ(a.extent(1), 3u);
  EXPECT_EQ(static_cast<void*>(b.data()), memory + 48);
  EXPECT_EQ(c.data(), nullptr);
  EXPECT_GE(View::shmem_size(2, 3), 48u);
}

}  // namespace
