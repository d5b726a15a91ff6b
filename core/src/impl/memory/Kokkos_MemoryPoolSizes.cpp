// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <impl/runtime/Kokkos_Error.hpp>
#include <impl/memory/Kokkos_MemoryPoolSizes.hpp>

#include <algorithm>
#include <bit>
#include <ostream>
#include <string>

namespace Kokkos::Impl {
namespace {

unsigned log2_of(std::size_t power) { return static_cast<unsigned>(std::countr_zero(power)); }

}  // namespace

MemoryPoolSizes::MemoryPoolSizes(std::size_t total, std::size_t min_block, std::size_t max_block,
                                 std::size_t superblock) {
  constexpr std::size_t largest = std::size_t(1) << 31;  // maximum size of a superblock: counts of blocks have 24 bits
  if (total == 0 || min_block > largest || max_block > largest || superblock > largest)
    throw_runtime_exception("Kokkos::MemoryPool: the pool was requested with " + std::to_string(total) +
                            " bytes, blocks of " + std::to_string(min_block) + " to " + std::to_string(max_block) +
                            " bytes and superblocks of " + std::to_string(superblock) +
                            " bytes. The pool must have bytes, and blocks and superblocks at most " +
                            std::to_string(largest) + ".");
  std::size_t const whole    = std::bit_ceil(std::min(total, largest));
  std::size_t const smallest = std::bit_ceil(min_block != 0 ? std::max<std::size_t>(min_block, 8) : 64);
  std::size_t const biggest =
      std::bit_ceil(max_block != 0 ? max_block : std::max(smallest, std::min<std::size_t>(whole, 4096)));
  std::size_t const super = std::bit_ceil(
      superblock != 0 ? superblock : std::max(biggest, std::min<std::size_t>(whole, std::size_t(1) << 20)));
  if (smallest > biggest || biggest > super)
    throw_runtime_exception("Kokkos::MemoryPool: rounded up to powers of two, the smallest block has " +
                            std::to_string(smallest) + " bytes, the largest " + std::to_string(biggest) +
                            " and a superblock " + std::to_string(super) + ". They must be in ascending order.");
  if (super / smallest > (std::size_t(1) << 24) - 1)
    throw_runtime_exception("Kokkos::MemoryPool: a superblock of " + std::to_string(super) +
                            " bytes has more than 2^24 - 1 "
                            "blocks of " +
                            std::to_string(smallest) + " bytes. Choose larger blocks or smaller superblocks.");
  superblock_log2 = log2_of(super);
  min_block_log2  = log2_of(smallest);
  max_block_log2  = log2_of(biggest);
  superblocks     = total / super + (total % super != 0);
}

MemoryPoolStatistics MemoryPoolSizes::statistics(std::uint64_t const* heads) const {
  MemoryPoolStatistics s{};
  s.capacity_bytes       = capacity();
  s.superblock_bytes     = std::size_t(1) << superblock_log2;
  s.max_block_bytes      = std::size_t(1) << max_block_log2;
  s.min_block_bytes      = std::size_t(1) << min_block_log2;
  s.capacity_superblocks = superblocks;
  for (std::size_t i = 0; i < superblocks; ++i) {
    std::uint64_t const head = heads[i * head_spacing];
    if (MemoryPoolHead::is_empty(head)) continue;
    unsigned const log2    = MemoryPoolHead::log2(head);
    std::size_t const used = MemoryPoolHead::blocks(head);
    std::size_t const free = (std::size_t(1) << (superblock_log2 - log2)) - used;
    s.consumed_superblocks += 1;
    s.consumed_blocks += used;
    s.consumed_bytes += used << log2;
    s.reserved_blocks += free;
    s.reserved_bytes += free << log2;
  }
  return s;
}

void MemoryPoolSizes::print(std::ostream& stream, std::uint64_t const* heads) const {
  stream << "Kokkos::MemoryPool of " << superblocks << " superblocks of " << (std::size_t(1) << superblock_log2)
         << " bytes\n";
  for (std::size_t i = 0; i < superblocks; ++i) {
    std::uint64_t const head = heads[i * head_spacing];
    if (MemoryPoolHead::is_empty(head)) continue;
    unsigned const log2 = MemoryPoolHead::log2(head);
    stream << "  superblock " << i << ": " << MemoryPoolHead::blocks(head) << " of "
           << (std::size_t(1) << (superblock_log2 - log2)) << " blocks of " << (std::size_t(1) << log2)
           << " bytes are allocated\n";
  }
}

}  // namespace Kokkos::Impl
