// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_PARALLEL_SCAN_HPP
#define KOKKOS_GPU_PARALLEL_SCAN_HPP

/// \file
/// parallel_scan in one pass over memory, by decoupled look-back (D. Merrill and M. Garland, "Single-pass Parallel
/// Prefix Scan with Decoupled Look-back", NVIDIA Technical Report NVR-2016-002).
///
/// Iterations are cut into tiles, one for each block, taken in the order in which blocks start. A block calls the
/// functor for its iterations with `final` false and joins what they contribute; publishes that as the tile's
/// aggregate; looks back over the tiles before it, joining aggregates until it meets one that already knows its
/// inclusive prefix; publishes its own; and calls the functor again with `final` true. A block waits only for tiles
/// taken before its own, by blocks that are running, so the wait ends.

#include <GPU/Kokkos_GPU_BlockReduce.hpp>
#include <GPU/Kokkos_GPU_ParallelFor.hpp>
#include <GPU/Kokkos_GPU_ResultMailbox.hpp>

#include <cstddef>
#include <cstdint>

namespace Kokkos::Impl {

/// What a tile has published. `state` is written after the value that it speaks of; 0 before anything is.
enum GPUTileState : unsigned { tile_empty = 0, tile_aggregate = 1, tile_inclusive = 2 };

/// What the tiles have published, where a value and its state fit what the machine stores and loads as one: no order is
/// needed between the two, so no fence, and the cache keeps what the functor will read again.
template <class Intrinsics, class T, bool Paired = (sizeof(T) <= 8 && Intrinsics::has_paired_access)>
struct GPUTileBoard {
  unsigned long long (*entry)[2];  // value, state; aligned to 16 bytes

  static constexpr std::size_t bytes_per_tile = 16;
  static GPUTileBoard at(void* memory, unsigned) { return {static_cast<unsigned long long(*)[2]>(memory)}; }

  KOKKOS_IMPL_DEVICE void publish(unsigned tile, T const* value, GPUTileState state) const {
    unsigned long long word = 0;
    memcpy(&word, static_cast<void const*>(value), sizeof(T));
    Intrinsics::store_pair(entry[tile], word, static_cast<unsigned long long>(state));
  }
  /// Waits until the tile has published something.
  KOKKOS_IMPL_DEVICE unsigned wait(std::int64_t tile, T* value) const {
    unsigned long long word, state;
    for (;;) {
      Intrinsics::load_pair(entry[tile], word, state);
      if (state != tile_empty) break;
      Intrinsics::pause();
    }
    memcpy(static_cast<void*>(value), &word, sizeof(T));
    return static_cast<unsigned>(state);
  }
};

/// The same for other values: a state is written after its value, and read before it.
template <class Intrinsics, class T>
struct GPUTileBoard<Intrinsics, T, false> {
  unsigned* states;
  T* aggregates;
  T* inclusives;

  static constexpr std::size_t bytes_per_tile = sizeof(unsigned) + 2 * sizeof(T) + 2 * 64;
  static GPUTileBoard at(void* memory, unsigned tiles) {
    auto* states     = static_cast<unsigned*>(memory);
    auto* aggregates = reinterpret_cast<T*>(static_cast<char*>(memory) + (tiles * sizeof(unsigned) + 255) / 256 * 256);
    return {states, aggregates, aggregates + tiles};
  }

  KOKKOS_IMPL_DEVICE void publish(unsigned tile, T const* value, GPUTileState state) const {
    copy_elements((state == tile_aggregate ? aggregates : inclusives) + tile, value, 1);
    Intrinsics::store_release(states + tile, static_cast<unsigned>(state));
  }
  KOKKOS_IMPL_DEVICE unsigned wait(std::int64_t tile, T* value) const {
    unsigned state;
    while ((state = Intrinsics::load_acquire(states + tile)) == tile_empty) Intrinsics::pause();
    copy_elements(value, (state == tile_inclusive ? inclusives : aggregates) + tile, 1);
    return state;
  }
};

/// Scans values of a warp: afterwards each lane has the join of all lanes up to its own.
template <class Intrinsics, class Scan, class T>
KOKKOS_IMPL_DEVICE void warp_inclusive_scan(Scan const& scan, T* value, int lane) {
  const auto mask = static_cast<typename Intrinsics::mask_type>(~0ull >> (64 - Intrinsics::warp_size));
#pragma unroll
  for (int delta = 1; delta < Intrinsics::warp_size; delta *= 2) {
    RawValue<T> lower;
    shuffle_value(lower.get(), value, [&](unsigned word) {
      return Intrinsics::shuffle_up(mask, word, delta, Intrinsics::warp_size);
    });
    if (lane >= delta) {
      scan.join(lower.get(), value);
      copy_elements(value, lower.get(), 1);
    }
  }
}

template <class Intrinsics, class Scan, class Index, int Items, int Threads>
struct GPUScanDriver {
  using T                     = typename Scan::value_type;
  static constexpr int warp   = Intrinsics::warp_size;
  static constexpr int warps  = Threads / warp;
  static constexpr int length = Items * Threads;  // iterations of a tile
  using mask_type             = typename Intrinsics::mask_type;
  using Board                 = GPUTileBoard<Intrinsics, T>;

  struct Shared {
    RawValue<T> value[length];
    RawValue<T> warp_totals[warps];
    RawValue<T> prefix;
    unsigned tile;
  };

  Index begin;
  std::uint64_t count;
  Scan scan;
  unsigned* next_tile;
  Board board;
  unsigned tiles;
  GPUResult<T> total;

  // The functor is called for neighbouring iterations by neighbouring threads; values are joined by threads that have
  // neighbouring iterations each. They change hands in shared memory. Items is odd, so that banks do not collide.
  KOKKOS_IMPL_DEVICE void operator()() const {
    Shared& shared   = *reinterpret_cast<Shared*>(Intrinsics::shared());
    const int thread = Intrinsics::thread_x();
    if (thread == 0) shared.tile = Intrinsics::fetch_add(next_tile, 1u);
    Intrinsics::barrier();
    const unsigned tile       = shared.tile;
    const std::uint64_t first = std::uint64_t(tile) * length + thread;
#pragma unroll
    for (int k = 0; k < Items; ++k) {
      T* value = shared.value[k * Threads + thread].get();
      scan.init(value);
      const std::uint64_t i = first + k * Threads;
      if (i < count) scan(static_cast<Index>(begin + static_cast<Index>(i)), *value, false);
    }
    Intrinsics::barrier();

    RawValue<T> sum;  // of this thread's items; then of what stands before them
    scan.init(sum.get());
#pragma unroll
    for (int k = 0; k < Items; ++k) scan.join(sum.get(), shared.value[thread * Items + k].get());
    exclusive_over_threads(shared, sum.get(), thread);
    look_back(shared, tile, thread);

    RawValue<T> before;
    copy_elements(before.get(), shared.prefix.get(), 1);
    scan.join(before.get(), sum.get());
#pragma unroll
    for (int k = 0; k < Items; ++k) {
      T* value = shared.value[thread * Items + k].get();
      RawValue<T> own;
      copy_elements(own.get(), value, 1);
      copy_elements(value, before.get(), 1);
      scan.join(before.get(), own.get());
    }
    Intrinsics::barrier();
#pragma unroll
    for (int k = 0; k < Items; ++k) {
      const std::uint64_t i = first + k * Threads;
      if (i < count)
        scan(static_cast<Index>(begin + static_cast<Index>(i)), *shared.value[k * Threads + thread].get(), true);
    }
  }

 private:
  /// `sum` becomes the join of the threads before this one; the tile's aggregate goes to shared.prefix.
  KOKKOS_IMPL_DEVICE void exclusive_over_threads(Shared& shared, T* sum, int thread) const {
    const int lane      = thread % warp;
    const auto all_mask = static_cast<mask_type>(~0ull >> (64 - warp));
    warp_inclusive_scan<Intrinsics>(scan, sum, lane);
    if (lane == warp - 1) copy_elements(shared.warp_totals[thread / warp].get(), sum, 1);
    RawValue<T> lower;
    shuffle_value(lower.get(), sum,
                  [&](unsigned word) { return Intrinsics::shuffle_up(all_mask, word, 1, warp); });
    Intrinsics::barrier();
    scan.init(sum);
    for (int w = 0; w < thread / warp; ++w) scan.join(sum, shared.warp_totals[w].get());
    if (thread == Threads - 1) {
      copy_elements(shared.prefix.get(), sum, 1);
      scan.join(shared.prefix.get(), shared.warp_totals[warps - 1].get());
    }
    if (lane > 0) scan.join(sum, lower.get());
    Intrinsics::barrier();
  }

  /// The first warp finds the join of all earlier tiles, a warp's width of them at a time, and puts it into
  /// shared.prefix in place of the tile's aggregate.
  KOKKOS_IMPL_DEVICE void look_back(Shared& shared, unsigned tile, int thread) const {
    if (thread < warp) {
      RawValue<T> aggregate, prefix;
      copy_elements(aggregate.get(), shared.prefix.get(), 1);
      Intrinsics::warp_barrier(static_cast<mask_type>(~0ull >> (64 - warp)));  // all have read what is replaced below
      scan.init(prefix.get());
      if (tile > 0) {
        if (thread == 0) board.publish(tile, aggregate.get(), tile_aggregate);
        for (std::int64_t last = std::int64_t(tile) - 1; last >= 0; last -= warp)
          if (join_window(last, prefix.get(), thread)) break;
      }
      if (thread == 0) {
        RawValue<T> inclusive;
        copy_elements(inclusive.get(), prefix.get(), 1);
        scan.join(inclusive.get(), aggregate.get());
        board.publish(tile, inclusive.get(), tile_inclusive);
        copy_elements(shared.prefix.get(), prefix.get(), 1);
        if (tile == tiles - 1) finish(inclusive.get());
      }
    }
    Intrinsics::barrier();
  }

  /// Joins tiles last, last - 1, ... to the left of `prefix`, down to one that is inclusive. True if there was one.
  KOKKOS_IMPL_DEVICE bool join_window(std::int64_t last, T* prefix, int lane) const {
    const auto all          = static_cast<mask_type>(~0ull >> (64 - warp));
    const std::int64_t tile = last - lane;
    unsigned state          = tile_inclusive;  // what stands before the first tile is the identity
    RawValue<T> value;
    scan.init(value.get());
    if (tile >= 0) state = board.wait(tile, value.get());
    const unsigned long long ends = Intrinsics::ballot(all, state == tile_inclusive);
    const int stop                = ends ? Intrinsics::first_set(ends) : warp - 1;  // lanes beyond add nothing
    if (lane > stop) scan.init(value.get());
    // Lane 0 has the latest tile: higher lanes stand to the left.
#pragma unroll
    for (int delta = 1; delta < warp; delta *= 2) {
      RawValue<T> left;
      shuffle_value(left.get(), value.get(),
                    [&](unsigned word) { return Intrinsics::shuffle_down(all, word, delta, warp); });
      if (lane + delta < warp) {
        scan.join(left.get(), value.get());
        copy_elements(value.get(), left.get(), 1);
      }
    }
    RawValue<T> window;
    shuffle_value(window.get(), value.get(), [&](unsigned word) { return Intrinsics::shuffle(all, word, 0, warp); });
    scan.join(window.get(), prefix);
    copy_elements(prefix, window.get(), 1);
    return ends != 0;
  }

  KOKKOS_IMPL_DEVICE void finish(T* inclusive) const {
    *next_tile = 0;  // every tile has been taken
    if (!total.data) return;
    scan.final(inclusive);
    copy_elements(total.data, inclusive, 1);
    total.template announce<Intrinsics>();
  }
};

/// For values that do not travel through registers: one thread does everything. Slow, and right.
template <class Intrinsics, class Scan, class Index>
struct GPUSerialScanDriver {
  using T = typename Scan::value_type;

  Index begin;
  std::uint64_t count;
  Scan scan;
  T* value;
  GPUResult<T> total;

  KOKKOS_IMPL_DEVICE void operator()() const {
    scan.init(value);
    for (std::uint64_t i = 0; i < count; ++i)
      scan(static_cast<Index>(begin + static_cast<Index>(i)), Scan::reference(value), true);
    if (!total.data) return;
    scan.final(value);
    copy_elements(total.data, value, scan.value_count());
    total.template announce<Intrinsics>();
  }
};

template <class ExecSpace>
struct GPUParallelScan {
  using Runtime    = typename ExecSpace::runtime_type;
  using Intrinsics = typename Runtime::intrinsics;

  template <class... Properties, class Scan, class MemorySpace>
  static void run(RangePolicy<Properties...> const& policy, Scan const& scan,
                  ReductionTarget<typename Scan::value_type, MemorySpace> const& target) {
    using Index         = typename RangePolicy<Properties...>::index_type;
    using T             = typename Scan::value_type;
    constexpr auto base = GPUInstance<Runtime>::counter_bytes;
    auto& instance      = policy.space().impl_instance();
    const auto n        = static_cast<std::uint64_t>(policy.end()) - static_cast<std::uint64_t>(policy.begin());
    GPUResultPath<ExecSpace, T, MemorySpace> path(instance, target, scan.value_count() * sizeof(T));
    if constexpr (reduces_in_registers<Scan>) {
      // About 24 KiB of values a block, so that a multiprocessor holds enough blocks to hide their waits.
      constexpr int threads  = sizeof(T) <= 16 ? 256 : 64;
      constexpr int items    = sizeof(T) <= 4 ? 15 : sizeof(T) <= 8 ? 11 : 5;
      using Driver           = GPUScanDriver<Intrinsics, Scan, Index, items, threads>;
      const auto tiles       = static_cast<unsigned>(n == 0 ? 1 : (n + Driver::length - 1) / Driver::length);
      const auto bytes       = tiles * Driver::Board::bytes_per_tile + 512;
      std::byte* scratch     = path.scratch(base + bytes);
      gpu_check<Runtime>(Runtime::memset_async(scratch + base, 0, bytes, instance.stream()), "memset_async",
                         "clearing the tiles of a scan");
      gpu_launch<Driver>(instance, {dim3(tiles), dim3(threads), sizeof(typename Driver::Shared)}, policy.begin(), n,
                         scan, reinterpret_cast<unsigned*>(scratch), Driver::Board::at(scratch + base, tiles), tiles,
                         path.result());
    } else {
      std::byte* scratch = path.scratch(base + scan.value_count() * sizeof(T));
      gpu_launch<GPUSerialScanDriver<Intrinsics, Scan, Index>>(instance, {dim3(1), dim3(1)}, policy.begin(), n, scan,
                                                               reinterpret_cast<T*>(scratch + base), path.result());
    }
    path.deliver();
  }
};

}  // namespace Kokkos::Impl

#endif
