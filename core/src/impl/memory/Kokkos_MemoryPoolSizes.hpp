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

struct MemoryPoolSizes {
  std::size_t superblocks  = 0;
  unsigned superblock_log2 = 0;
  unsigned min_block_log2  = 0;
  unsigned max_block_log2  = 0;

  MemoryPoolSizes() = default;
  /// 0 means the default.
  /// \throws std::runtime_error if the sizes contradict each other
  MemoryPoolSizes(std::size_t total, std::size_t min_block, std::size_t max_block, std::size_t superblock);

  KOKKOS_FUNCTION std::size_t capacity() const { return superblocks << superblock_log2; }
  /// Number of 32-bit words for the state of a superblock: one, and a bit for each of the smallest blocks.
  KOKKOS_FUNCTION std::size_t words_per_superblock() const {
    return 1 + ((std::size_t(1) << (superblock_log2 - min_block_log2)) + 31) / 32;
  }

  /// Number of different block sizes.
  KOKKOS_FUNCTION std::size_t block_sizes() const { return max_block_log2 - min_block_log2 + 1; }

  MemoryPoolStatistics statistics(std::uint32_t const* state) const;
  void print(std::ostream& stream, std::uint32_t const* state) const;
};

}  // namespace Kokkos::Impl

#endif
