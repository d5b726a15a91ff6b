// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// choices: not-optimised own-program
/// \file
/// The sizes of a MemoryPool for each combination of requests, at their limits too, with the words of refusals, and its statistics:
/// tables in tests/journals.

#include "Journal.hpp"

#include <Kokkos_MemoryPool.hpp>
#include <gtest/gtest.h>

#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using Kokkos::Impl::MemoryPoolHead;
using Kokkos::Impl::MemoryPoolSizes;
using Kokkos::Testing::Journal;

std::string words_of(MemoryPoolSizes const& s) {
  std::ostringstream out;
  out << s.superblocks << " superblocks of 2^" << s.superblock_log2 << ", blocks of 2^" << s.min_block_log2 << " to 2^"
      << s.max_block_log2 << ", capacity " << s.capacity() << ", words " << s.words_per_superblock() << ", front "
      << s.front();
  return out.str();
}

std::string outcome(std::size_t total, std::size_t min_block, std::size_t max_block, std::size_t superblock) {
  try {
    return words_of(MemoryPoolSizes(total, min_block, max_block, superblock));
  } catch (std::runtime_error const& error) {
    return error.what();
  }
}

TEST(MemoryPoolSizes, OfEachRequest) {
  constexpr std::size_t KiB = 1024, MiB = KiB * KiB, GiB = KiB * MiB;
  for (std::size_t const total : {std::size_t(0), std::size_t(1), 4 * KiB + 1, 40 * MiB, 4 * GiB}) {
    std::string lines, before;
    for (std::size_t const min_block : {std::size_t(0), std::size_t(9), 2 * GiB + 1})
      for (std::size_t const max_block : {std::size_t(0), std::size_t(100), 2 * GiB, 2 * GiB + 1})
        for (std::size_t const superblock : {std::size_t(0), std::size_t(50), 128 * MiB, 256 * MiB, 2 * GiB + 1}) {
          std::string const text = outcome(total, min_block, max_block, superblock);
          if (text != before)  // the following combinations without a line have the same result
            lines += "  " + std::to_string(min_block) + ", " + std::to_string(max_block) + ", " +
                     std::to_string(superblock) + ": " + text + '\n';
          before = text;
        }
    Journal::of_this_test().add(std::to_string(total) + " bytes", lines);
  }
  Journal::of_this_test().expect_as_in("MemoryPoolSizes");
}

TEST(MemoryPoolSizes, StatisticsOfHeads) {
  MemoryPoolSizes const sizes(6 * 4096, 64, 1024, 4096);
  ASSERT_EQ(sizes.superblocks, 6u);
  std::vector<std::uint64_t> heads(sizes.superblocks * MemoryPoolSizes::head_spacing);
  auto const set = [&](std::size_t s, unsigned log2, std::uint64_t blocks, std::uint64_t threads) {
    heads[s * MemoryPoolSizes::head_spacing] = (log2 + 1) | blocks << 8 | threads << 32;
  };
  auto const add = [&](char const* title) {
    std::ostringstream text;
    sizes.print(text, heads.data());
    auto const s = sizes.statistics(heads.data());
    std::ostringstream numbers;
    for (std::size_t const n :
         {s.capacity_bytes, s.superblock_bytes, s.max_block_bytes, s.min_block_bytes, s.capacity_superblocks,
          s.consumed_superblocks, s.consumed_blocks, s.consumed_bytes, s.reserved_blocks, s.reserved_bytes})
      numbers << ' ' << n;
    std::string lines = " " + numbers.str() + '\n', line;
    for (std::istringstream in(text.str()); std::getline(in, line);) lines += "  " + line + '\n';
    Journal::of_this_test().add(title, lines);
  };
  add("empty");
  set(0, 6, 64, 0);
  set(1, 6, 1, 2);
  set(3, 10, 4, 0);
  set(5, 10, 0, 1);
  add("four in use");
  for (std::size_t s = 0; s < sizes.superblocks; ++s) set(s, 8, 16, 0);
  add("full");
  EXPECT_TRUE(MemoryPoolHead::is_unused(7) && !MemoryPoolHead::is_unused(0) && !MemoryPoolHead::is_unused(0x107));
  Journal::of_this_test().expect_as_in("MemoryPoolSizes");
}

}  // namespace
