// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_IMPL_BITSETKERNELS_HPP
#define KOKKOS_IMPL_BITSETKERNELS_HPP

/// \file
/// Bits in blocks of 32: the number of blocks, the nearest set bit, and a kernel that counts.

#include <Kokkos_BitManipulation.hpp>
#include <Kokkos_Core.hpp>

#include <cstddef>

namespace Kokkos::Impl {

constexpr std::size_t bit_blocks(std::size_t bits) { return (bits + 31) / 32; }

/// The first set bit of `bits`, which must have one, from `offset` upwards (or downwards), wrapping around.
KOKKOS_FORCEINLINE_FUNCTION unsigned nearest_bit(unsigned bits, unsigned offset, bool downwards) {
  if (downwards) {
    // Rotated so that bit `offset` is the highest one
    unsigned const rotated = Kokkos::rotl(bits, static_cast<int>(31 - offset));
    return (offset + 32 - static_cast<unsigned>(Kokkos::countl_zero(rotated))) % 32;
  }
  unsigned const rotated = Kokkos::rotr(bits, static_cast<int>(offset));
  return (offset + static_cast<unsigned>(Kokkos::countr_zero(rotated))) % 32;
}

template <class Blocks>
struct CountBits {
  Blocks blocks;
  KOKKOS_FUNCTION void operator()(std::size_t i, unsigned& sum) const {
    sum += static_cast<unsigned>(Kokkos::popcount(static_cast<unsigned>(blocks(i))));
  }
};

template <class ExecSpace, class Blocks>
unsigned count_bits(Blocks const& blocks) {
  unsigned count = 0;
  Kokkos::parallel_reduce("Kokkos::Bitset::count", RangePolicy<ExecSpace, IndexType<std::size_t>>(0, blocks.extent(0)),
                          CountBits<Blocks>{blocks}, count);
  return count;
}

}  // namespace Kokkos::Impl

#endif
