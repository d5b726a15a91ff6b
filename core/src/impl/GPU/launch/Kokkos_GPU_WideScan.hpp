// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_WIDE_SCAN_HPP
#define KOKKOS_GPU_WIDE_SCAN_HPP

/// \file
/// parallel_scan of structs that fill many registers, in one pass as in GPUScanDriver.
///
/// A thread has a few neighbouring iterations of a tile: joins with other threads move whole values, so they should be
/// few. It has two or three values at a time. Those of up to 256 bytes stay in registers; larger ones are spilled, which
/// still takes less time than GPUScanChunks. Shared memory contains only one value for each warp, so that the L1 cache
/// keeps what the functor loads again.

#include <impl/GPU/launch/Kokkos_GPU_LookBack.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace Kokkos::Impl {

template <class Scan>
inline constexpr bool scans_wide_values =
    !std::is_pointer_v<typename Scan::reference_type> && sizeof(typename Scan::value_type) <= 512;

/// `threads` for each block, `blocks` of which should be resident on a multiprocessor.
struct GPUWideScanShape {
  int threads;
  int blocks;
};
constexpr GPUWideScanShape gpu_wide_scan_shape(std::size_t value_bytes) {
  if (value_bytes <= 128) return {128, 4};
  if (value_bytes <= 256) return {128, 2};
  return {64, 4};
}

template <class Intrinsics, class Scan, class Index>
struct GPUWideScanDriver {
  using T                          = typename Scan::value_type;
  using Tiles                      = GPUScanTiles<Intrinsics, Scan>;
  static constexpr auto shape      = gpu_wide_scan_shape(sizeof(T));
  static constexpr int threads     = shape.threads;
  static constexpr int warp        = Intrinsics::warp_size;
  static constexpr int warps       = threads / warp;
  static constexpr int each        = 8;               // iterations of a thread
  static constexpr unsigned length = threads * each;  // iterations in a tile
  static_assert(threads % warp == 0);

  struct Shared {
    RawValue<T> warp_totals[warps];
    RawValue<T> prefix;  // iterations before the tile
    unsigned tile;
  };

  Index begin;
  std::uint64_t count;
  Scan scan;
  Tiles tiles;

  KOKKOS_IMPL_DEVICE void operator()() const {
    Shared& shared        = *reinterpret_cast<Shared*>(Intrinsics::shared());
    int const thread      = Intrinsics::thread_x();
    int const lane        = thread % warp;
    unsigned const tile   = tiles.take(shared.tile, thread);
    std::uint64_t const i = std::uint64_t(tile) * length + std::uint64_t(thread) * each;

    RawValue<T> before;  // the join of the lanes before this one
    contribute(shared, before.get(), i, thread);
    Intrinsics::barrier();
    if (thread < warp) {
      if (lane == 0 && tile < tiles.count - 1 && tile > 0) announce_aggregate(shared, tile);
      tiles.look_back(scan, tile, shared.prefix.get(), lane, [&](T* value) { append_tile(shared, value); });
    } else {
      // Meanwhile, the other warps join the warps before them.
      append_lower(shared, before.get(), thread);
    }
    Intrinsics::barrier();
    if (i >= count) return;
    RawValue<T> value;
    Impl::copy_elements(value.get(), shared.prefix.get(), 1);
    if (thread > 0) scan.join(value.get(), before.get());
#pragma unroll
    for (int k = 0; k < each; ++k)
      if (i + k < count) scan(index(i + k), *value.get(), true);
  }

 private:
  KOKKOS_IMPL_DEVICE Index index(std::uint64_t i) const { return static_cast<Index>(begin + static_cast<Index>(i)); }

  /// Calls the functor to collect the thread's contribution, from iteration i on, and scans the contributions of the
  /// warp. `before` of lane 0 is undefined. The join of each warp goes to shared memory.
  KOKKOS_IMPL_DEVICE void contribute(Shared& shared, T* before, std::uint64_t i, int thread) const {
    RawValue<T> own;
    scan.init(own.get());
#pragma unroll
    for (int k = 0; k < each; ++k)
      if (i + k < count) scan(index(i + k), *own.get(), false);
    Impl::warp_inclusive_scan<Intrinsics>(scan, own.get(), thread % warp);
    if (thread % warp == warp - 1) Impl::copy_elements(shared.warp_totals[thread / warp].get(), own.get(), 1);
    Impl::shuffle_value(before, own.get(),
                        [&](unsigned word) { return Intrinsics::shuffle_up(Tiles::all_lanes(), word, 1, warp); });
  }

  KOKKOS_IMPL_DEVICE void append_lower(Shared& shared, T* before, int thread) const {
    RawValue<T> sum;
    Impl::copy_elements(sum.get(), shared.warp_totals[0].get(), 1);
    for (int w = 1; w < thread / warp; ++w) scan.join(sum.get(), shared.warp_totals[w].get());
    if (thread % warp > 0) scan.join(sum.get(), before);
    Impl::copy_elements(before, sum.get(), 1);
  }

  KOKKOS_IMPL_DEVICE void append_tile(Shared& shared, T* value) const {
    for (int w = 0; w < warps; ++w) scan.join(value, shared.warp_totals[w].get());
  }

  KOKKOS_IMPL_DEVICE void announce_aggregate(Shared& shared, unsigned tile) const {
    RawValue<T> aggregate;
    scan.init(aggregate.get());
    append_tile(shared, aggregate.get());
    tiles.board.publish(tile, aggregate.get(), tile_aggregate);
  }
};

}  // namespace Kokkos::Impl

#endif
