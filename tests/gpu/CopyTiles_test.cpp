// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The tiles in which GPUs transpose: their sides, and their rows in shared memory. Only numbers.

#include "DeviceTest.hpp"

#include <impl/GPU/copy/Kokkos_GPU_PackKernels.hpp>

#include <algorithm>
#include <cstddef>

namespace {

using Kokkos::Impl::gpu_tile_pitch;
using Kokkos::Impl::gpu_tile_words;
using Kokkos::Impl::GPUTileWords;

TEST(CopyTiles, Sides) {
  struct Case {
    std::size_t extent_f, extent_g, word_bytes;
    GPUTileWords expected;
  };
  for (Case const& c : {
           Case{7000, 7000, 8, {32, 32}},
           Case{7000, 7000, 16, {32, 32}},
           Case{7000, 7000, 2, {64, 64}},
           Case{7000, 33, 8, {32, 32}},
           Case{4000000, 12, 4, {80, 12}},  // 85 are 5 sectors and a part
           Case{12, 4000000, 8, {12, 80}},
           Case{20, 7000, 8, {20, 48}},
           Case{7000, 3, 8, {256, 3}},  // 341 are one block of threads and a part
           Case{2, 7000, 8, {2, 512}},
           Case{2, 300, 8, {2, 300}},
           Case{100, 3, 8, {100, 3}},
           Case{7000, 7, 1, {512, 7}},
           Case{20, 20, 8, {20, 20}},
           Case{8, 16, 8, {8, 16}},
           Case{7, 16, 8, {0, 0}},
           Case{40, 3, 8, {0, 0}},
       }) {
    GPUTileWords const words = gpu_tile_words(c.extent_f, c.extent_g, c.word_bytes);
    EXPECT_EQ(words.f, c.expected.f) << c.extent_f << " " << c.extent_g << " " << c.word_bytes;
    EXPECT_EQ(words.g, c.expected.g) << c.extent_f << " " << c.extent_g << " " << c.word_bytes;
  }
}

/// The most lanes of a warp whose words are in one bank when they store what they loaded. Words of 8 bytes or more take
/// the banks several times, each time with as many lanes as fill them once.
unsigned lanes_in_a_bank(GPUTileWords words, std::size_t word_bytes) {
  unsigned const pitch = gpu_tile_pitch(words, word_bytes), lanes = word_bytes <= 4 ? 32 : 128 / word_bytes;
  unsigned in_bank[32] = {};
  for (unsigned lane = 0; lane < lanes; ++lane) ++in_bank[(lane % words.g * pitch + lane / words.g) % lanes];
  return *std::max_element(in_bank, in_bank + lanes);
}

TEST(CopyTiles, LanesOfAWarpHaveBanksOfTheirOwn) {
  for (std::size_t const bytes : {4, 8, 16})
    for (std::size_t extent = 2; extent <= 40; ++extent)
      for (bool const is_g : {false, true}) {
        GPUTileWords const words = is_g ? gpu_tile_words(100000, extent, bytes) : gpu_tile_words(extent, 100000, bytes);
        EXPECT_GE(gpu_tile_pitch(words, bytes), words.f);
        EXPECT_LE(lanes_in_a_bank(words, bytes), 2u) << words.f << " by " << words.g << ", " << bytes << " bytes";
        if (32 % words.g == 0 || words.g % 32 == 0)
          EXPECT_EQ(lanes_in_a_bank(words, bytes), 1u) << words.f << " by " << words.g;
      }
}

}  // namespace
