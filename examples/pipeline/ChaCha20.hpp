// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PIPELINE_CHACHA20_HPP
#define PIPELINE_CHACHA20_HPP

/// \file
/// The stream cipher ChaCha20 (D. J. Bernstein, 2008; as RFC 8439, but with a 64-bit block counter in place of its
/// first nonce word). Each block of 64 bytes is enciphered independently, so blocks are the iterations of a kernel.
/// Applying it twice restores the data. It hides the data, but does not detect modifications.

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>

struct ChaCha20 {
  static constexpr std::size_t words_per_block = 16;

  std::uint32_t key[8];
  std::uint32_t nonce[2];
  std::uint64_t first_block;  ///< number of the block at the begin of the data

  /// Enciphers the 16 words at `data`, which are block number `block` of the data.
  KOKKOS_FUNCTION void apply(std::uint32_t* data, std::uint64_t block) const {
    std::uint64_t const counter                = first_block + block;
    std::uint32_t const start[words_per_block] = {0x61707865,
                                                  0x3320646e,
                                                  0x79622d32,
                                                  0x6b206574,  // "expand 32-byte k"
                                                  key[0],
                                                  key[1],
                                                  key[2],
                                                  key[3],
                                                  key[4],
                                                  key[5],
                                                  key[6],
                                                  key[7],
                                                  static_cast<std::uint32_t>(counter),
                                                  static_cast<std::uint32_t>(counter >> 32),
                                                  nonce[0],
                                                  nonce[1]};
    std::uint32_t x[words_per_block];
    for (std::size_t i = 0; i < words_per_block; ++i) x[i] = start[i];
    for (int twice = 0; twice < 10; ++twice) {
      mix(x[0], x[4], x[8], x[12]);  // columns
      mix(x[1], x[5], x[9], x[13]);
      mix(x[2], x[6], x[10], x[14]);
      mix(x[3], x[7], x[11], x[15]);
      mix(x[0], x[5], x[10], x[15]);  // diagonals
      mix(x[1], x[6], x[11], x[12]);
      mix(x[2], x[7], x[8], x[13]);
      mix(x[3], x[4], x[9], x[14]);
    }
    for (std::size_t i = 0; i < words_per_block; ++i) data[i] ^= x[i] + start[i];
  }

 private:
  KOKKOS_FUNCTION static std::uint32_t rotate(std::uint32_t v, int by) { return v << by | v >> (32 - by); }

  KOKKOS_FUNCTION static void mix(std::uint32_t& a, std::uint32_t& b, std::uint32_t& c, std::uint32_t& d) {
    a += b, d = rotate(d ^ a, 16);
    c += d, b = rotate(b ^ c, 12);
    a += b, d = rotate(d ^ a, 8);
    c += d, b = rotate(b ^ c, 7);
  }
};

#endif
