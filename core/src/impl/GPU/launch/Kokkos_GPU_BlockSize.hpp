// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_BLOCK_SIZE_HPP
#define KOKKOS_GPU_BLOCK_SIZE_HPP

/// \file
/// How many threads a block has, if the program does not specify it. Only numbers: tests are tables.

#include <impl/GPU/Kokkos_GPU_Runtime.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace Kokkos::Impl {

/// The resources that a kernel needs.
struct GPUKernelNeeds {
  int max_threads    = 1024;  ///< in a block, as its registers and launch bounds allow
  int registers      = 0;     ///< of a thread; 0 if unknown
  std::size_t shared = 0;     ///< bytes of a block
};

/// The number of blocks of `threads` threads that are resident on a multiprocessor. Registers are allocated to warps
/// in units of 256 and in four partitions, which is what every NVIDIA GPU since compute capability 5.0 does; with other
/// sizes of a warp they are taken to suffice.
inline int gpu_resident_blocks(GPUProperties const& device, GPUKernelNeeds const& kernel, int threads) {
  int const warps = (threads + device.warp_size - 1) / device.warp_size;
  int blocks =
      std::min(device.threads_per_multiprocessor / (warps * device.warp_size), device.blocks_per_multiprocessor);
  if (kernel.registers > 0 && device.warp_size == 32) {
    int const of_warp = (kernel.registers * 32 + 255) / 256 * 256;
    blocks            = std::min(blocks, device.registers_per_block / 4 / of_warp * 4 / warps);
  }
  if (kernel.shared > 0)
    blocks =
        std::min(blocks, static_cast<int>(device.shared_per_multiprocessor / (kernel.shared + device.shared_reserved)));
  return std::max(blocks, 1);
}

/// The threads of a block for `n` independent iterations. Of `most`, its half, its quarter and so on, the number with
/// the most resident threads; then as few as needed to give each multiprocessor `blocks_each` blocks, but at least
/// `least`.
///
/// \param bound the maximum that the program set, or with which the kernel was compiled; 0 if there is none
inline int gpu_block_threads(GPUProperties const& device, GPUKernelNeeds const& kernel, std::uint64_t n, unsigned bound,
                             int most = 256, int blocks_each = 4, int least = 0) {
  int const warp    = device.warp_size;
  auto const halved = [&](int threads) { return (threads / 2 + warp - 1) / warp * warp; };
  most              = std::min(most, kernel.max_threads);
  if (bound > 0) most = std::min(most, static_cast<int>(std::min(bound, 1024u)));
  least           = std::max(least, warp);
  int threads     = most;
  auto const busy = [&](int size) { return gpu_resident_blocks(device, kernel, size) * size; };
  for (int fewer = most; fewer > 2 * warp;) {
    fewer = halved(fewer);
    if (busy(fewer) > busy(threads)) threads = fewer;
  }
  std::uint64_t const wanted = static_cast<std::uint64_t>(device.multiprocessors) * static_cast<unsigned>(blocks_each);
  while (threads > least && n < wanted * static_cast<unsigned>(threads)) threads = std::max(halved(threads), least);
  return threads;
}

/// The number of threads that keeps a multiprocessor busy: 7/8 of the maximum. On an H100, whose maximum is 2048,
/// kernels with 8 to 90 KB of scratch memory for each team took up to 1.17 times as long with 1024 as with 1536.
inline int gpu_busy_threads(GPUProperties const& device) { return device.threads_per_multiprocessor / 8 * 7; }

/// The size of a team in a league, for threads of `lanes` vector lanes, at most `most`: the smallest with which a
/// multiprocessor is busy. If scratch memory lets only a few teams run at once, each has more threads, as far as the
/// registers of the kernel allow them to run. Without such limits a team has 64 threads, because two warps have the
/// shortest barriers. It has 128, vector lanes included, in a short league, where a multiprocessor gets few teams, and with
/// several lanes. On an H200, sums of rows by 8 lanes each took 0.92 of the time with 128 threads where rows have 100
/// elements, and 1.21 where they have 16.
///
/// \param shared_of(size) bytes of shared memory of a team
template <class Shared>
int gpu_team_size(GPUProperties const& device, GPUKernelNeeds const& kernel, int league_size, int lanes, int most,
                  Shared const& shared_of) {
  constexpr int small = 64, medium = 128;
  int const busy     = gpu_busy_threads(device);
  auto const running = [&](int size) {
    int const by_scratch = static_cast<int>(device.shared_per_multiprocessor / shared_of(size));
    return std::min(by_scratch, Impl::gpu_resident_blocks(device, kernel, size * lanes)) * size * lanes;
  };
  bool const is_short = league_size / device.multiprocessors < busy / small;
  int size            = std::max((is_short || lanes > 1 ? medium : small) / lanes, 1);
  while (2 * size <= most && running(size) < busy && running(size) < running(2 * size)) size *= 2;
  return std::min(size, most);
}

}  // namespace Kokkos::Impl

#endif
