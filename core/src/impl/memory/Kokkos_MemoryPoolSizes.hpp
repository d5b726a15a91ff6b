// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_RUNTIME_MEMORYPOOLSIZES_HPP
#define KOKKOS_RUNTIME_MEMORYPOOLSIZES_HPP

/// \file
/// The division of a MemoryPool's memory, and the statistics of its state.

#include <Kokkos_Macros.hpp>

#include <cstddef>
#include <cstdint>
#include <iosfwd>

namespace Kokkos::Impl {

struct MemoryPoolStatistics {
  std::size_t capacity_bytes;
  std::size_t superblock_bytes;
  std::size_t max_block_bytes;
  std::size_t min_block_bytes;
  std::size_t capacity_superblocks;
  std::size_t consumed_superblocks;  ///< number of superblocks with allocations
  std::size_t consumed_blocks;
  std::size_t consumed_bytes;
  std::size_t reserved_blocks;  ///< number of free blocks in superblocks with allocations
  std::size_t reserved_bytes;
};

/// The state of a superblock in one word: 1 + log2 of the size of its blocks in bits 0 to 7, the number of reserved
/// blocks in bits 8 to 31, and the number of threads that are about to reserve one in bits 32 to 63. Without a size the
/// superblock is empty.
struct MemoryPoolHead {
  static constexpr std::uint64_t one_block = 0x100, one_thread = std::uint64_t(1) << 32;

  KOKKOS_FUNCTION static constexpr bool is_empty(std::uint64_t head) { return (head & 0xff) == 0; }
  KOKKOS_FUNCTION static constexpr bool is_unused(std::uint64_t head) { return head != 0 && head < one_block; }
  KOKKOS_FUNCTION static constexpr unsigned log2(std::uint64_t head) { return static_cast<unsigned>(head & 0xff) - 1; }
  KOKKOS_FUNCTION static constexpr std::uint64_t blocks(std::uint64_t head) { return (head & 0xffffffff) >> 8; }
  KOKKOS_FUNCTION static constexpr std::uint64_t threads(std::uint64_t head) { return head >> 32; }
};

struct MemoryPoolSizes {
  /// Distance of the heads of superblocks in words: each has a cache line.
  static constexpr std::size_t head_spacing = 8;

  std::size_t superblocks  = 0;
  unsigned superblock_log2 = 0;
  unsigned min_block_log2  = 0;
  unsigned max_block_log2  = 0;

  MemoryPoolSizes() = default;
  /// 0 means the default.
  /// \throws std::runtime_error if the sizes contradict each other
  MemoryPoolSizes(std::size_t total, std::size_t min_block, std::size_t max_block, std::size_t superblock);

  KOKKOS_FUNCTION std::size_t capacity() const { return superblocks << superblock_log2; }
  /// Number of 32-bit words for the state of a superblock: a bit for each of the smallest blocks.
  KOKKOS_FUNCTION std::size_t words_per_superblock() const {
    return ((std::size_t(1) << (superblock_log2 - min_block_log2)) + 31) / 32;
  }

  /// Number of different block sizes.
  KOKKOS_FUNCTION std::size_t block_sizes() const { return max_block_log2 - min_block_log2 + 1; }

  /// The number of superblocks, a power of two, from which threads start to search for a block of one size.
  KOKKOS_FUNCTION std::size_t front() const {
    std::size_t front = 1;
    while (2 * front * 8 * block_sizes() <= superblocks) front *= 2;
    return front;
  }
  /// The number of a superblock; those behind the last one continue at the first one.
  KOKKOS_FUNCTION std::size_t wrapped(std::size_t s) const { return s < superblocks ? s : s % superblocks; }

  MemoryPoolStatistics statistics(std::uint64_t const* heads) const;
  void print(std::ostream& stream, std::uint64_t const* heads) const;
};

}  // namespace Kokkos::Impl

#endif
