// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_SIZE_CLASSES_HPP
#define KOKKOS_GPU_SIZE_CLASSES_HPP

/// \file
/// The sizes of a memory pool's blocks.
///
/// | request | block | allocated from |
/// |---|---|---|
/// | up to 4 KiB | the next power of two, at least 256 bytes | a superblock of 2 MiB |
/// | up to 1 MiB | the next of four equal steps between two powers of two | a superblock of 2 or 4 MiB |
/// | more | the next multiple of 2 MiB | a region of its own, or a slab of up to 128 MiB if the program has many of them |
///
/// So between 4 KiB and 1 MiB a block is at most a quarter larger than the request.

#include <bit>
#include <cstddef>

namespace Kokkos::Impl {

struct GPUSizeClasses {
  static constexpr std::size_t smallest              = 256;  ///< also the alignment of every block
  static constexpr std::size_t last_power            = 4096;
  static constexpr std::size_t largest_in_superblock = std::size_t(1) << 20;
  static constexpr std::size_t granule = std::size_t(2) << 20;  ///< the granularity of drivers' allocations
  static constexpr int powers          = 5;                     // 256 ... 4096
  static constexpr int count           = powers + 4 * 8;        // four steps for each of 8 doublings
  /// Classes whose blocks a pool keeps cleared.
  static constexpr int cleared_count = powers;

  /// The class of a request; `bytes` is from 1 to largest_in_superblock.
  static constexpr int of(std::size_t bytes) {
    if (bytes <= smallest) return 0;
    int const doublings = std::bit_width(bytes - 1) - std::bit_width(smallest - 1);  // 257 -> 1
    if (bytes <= last_power) return doublings;
    std::size_t const power = std::bit_floor(bytes - 1);  // power < bytes <= 2 * power
    int const step          = static_cast<int>((bytes - power - 1) / (power / 4));
    return powers + 4 * (doublings - powers) + step;
  }
  static constexpr std::size_t bytes_of(int size_class) {
    if (size_class < powers) return smallest << size_class;
    int const above         = size_class - powers;
    std::size_t const power = last_power << (above / 4);
    return power + (above % 4 + 1) * (power / 4);
  }
  static constexpr std::size_t superblock_bytes(int size_class) {
    return bytes_of(size_class) > granule / 4 ? 2 * granule : granule;
  }
  /// Size of a separate region for `bytes`; `bytes` itself if rounding up overflows.
  static constexpr std::size_t region_bytes(std::size_t bytes) {
    std::size_t const rounded = (bytes + granule - 1) / granule * granule;
    return rounded < bytes ? bytes : rounded;
  }
  /// Size of a slab for a request of `bytes`, in a pool with `in_use` bytes in use: at most a quarter of that, because
  /// views that stay may be all that a slab ever holds, but enough for four such blocks. 0 if `largest` has no space for
  /// them, and the block needs a region of its own.
  static constexpr std::size_t slab_bytes(std::size_t bytes, std::size_t in_use, std::size_t largest) {
    if (bytes > largest / 4) return 0;
    std::size_t const wanted = in_use / 4 < largest ? in_use / 4 / granule * granule : largest;
    std::size_t const four   = 4 * region_bytes(bytes);
    return four > largest ? 0 : wanted > four ? wanted : four;
  }
  /// Whether an idle region of `region` bytes suits a request of `bytes`.
  static constexpr bool fits(std::size_t region, std::size_t bytes) {
    return region >= bytes && region - bytes <= bytes / 4 + granule;
  }
};

}  // namespace Kokkos::Impl

#endif
