// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_IMPL_MURMURHASH_HPP
#define KOKKOS_IMPL_MURMURHASH_HPP

/// \file
/// MurmurHash3 (the 32-bit variant, an algorithm in the public domain), and comparison of bytes.

#include <Kokkos_Macros.hpp>
#include <impl/atomic/Kokkos_CopyBytes.hpp>

#include <cstddef>
#include <cstdint>

namespace Kokkos::Impl {

KOKKOS_FORCEINLINE_FUNCTION constexpr std::uint32_t rotate_left(std::uint32_t x, int n) {
  return (x << n) | (x >> (32 - n));
}

/// Makes every bit of the result depend on every bit of a hash.
KOKKOS_FORCEINLINE_FUNCTION constexpr std::uint32_t mix_hash(std::uint32_t h) {
  h = (h ^ (h >> 16)) * 0x85ebca6bu;
  h = (h ^ (h >> 13)) * 0xc2b2ae35u;
  return h ^ (h >> 16);
}

/// Hash of `Bytes` bytes, of which groups of four are little-endian numbers.
template <std::size_t Bytes>
KOKKOS_FORCEINLINE_FUNCTION std::uint32_t murmur_hash(void const* object, std::uint32_t seed) {
  auto const* bytes           = static_cast<unsigned char const*>(object);
  auto const scramble         = [](std::uint32_t k) { return rotate_left(k * 0xcc9e2d51u, 15) * 0x1b873593u; };
  std::uint32_t h             = seed;
  constexpr std::size_t whole = Bytes / 4 * 4;
  for (std::size_t i = 0; i < whole; i += 4) {
    std::uint32_t word;
    Kokkos::Impl::copy_bytes(&word, bytes + i, 4);
    h = Impl::rotate_left(h ^ scramble(word), 13) * 5 + 0xe6546b64u;
  }
  if constexpr (whole < Bytes) {
    std::uint32_t rest = 0;
    for (std::size_t i = Bytes; i > whole; --i) rest = rest << 8 | bytes[i - 1];
    h ^= scramble(rest);
  }
  return mix_hash(h ^ static_cast<std::uint32_t>(Bytes));
}

template <std::size_t Bytes>
KOKKOS_FORCEINLINE_FUNCTION bool equal_bytes(void const* a, void const* b) {
  auto const* x = static_cast<unsigned char const*>(a);
  auto const* y = static_cast<unsigned char const*>(b);
  std::size_t i = 0;
  bool equal    = true;
  for (; i + 4 <= Bytes; i += 4) {
    std::uint32_t v, w;
    Kokkos::Impl::copy_bytes(&v, x + i, 4);
    Kokkos::Impl::copy_bytes(&w, y + i, 4);
    equal &= v == w;
  }
  for (; i < Bytes; ++i) equal &= x[i] == y[i];
  return equal;
}

}  // namespace Kokkos::Impl

#endif
