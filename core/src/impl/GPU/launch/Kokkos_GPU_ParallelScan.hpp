// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_PARALLEL_SCAN_HPP
#define KOKKOS_GPU_PARALLEL_SCAN_HPP

/// \file
/// parallel_scan in one pass over memory, by decoupled look-back (D. Merrill and M. Garland, "Single-pass Parallel
/// Prefix Scan with Decoupled Look-back", NVIDIA Technical Report NVR-2016-002).
///
/// Iterations are cut into tiles, one for each block, in the order in which blocks start. A block
/// - calls the functor for its iterations with `final` false and joins the contributions,
/// - publishes the join as the tile's aggregate,
/// - looks back over the earlier tiles and joins aggregates until it reaches a tile with an inclusive prefix,
/// - publishes its own inclusive prefix,
/// - calls the functor again with `final` true.
///
/// A block waits only for tiles that running blocks took before it, so every wait ends.
///
/// The functor loads everything twice, the second time from the L2 cache. The second loads are serialized, because
/// the compiler must assume that a store with `final` changes what the next iteration loads. So as many threads as
/// possible are resident, and only the second calls remain to be done once the earlier tiles are known.

#include <impl/GPU/launch/Kokkos_GPU_ChunkScan.hpp>
#include <impl/GPU/launch/Kokkos_GPU_LookBack.hpp>
#include <impl/GPU/launch/Kokkos_GPU_ParallelFor.hpp>
#include <impl/GPU/launch/Kokkos_GPU_WideScan.hpp>

#include <cstddef>
#include <cstdint>

namespace Kokkos::Impl {

/// Values that a tile of many iterations keeps in shared memory.
template <class Scan>
inline constexpr bool scans_in_tiles =
    !std::is_pointer_v<typename Scan::reference_type> && sizeof(typename Scan::value_type) <= 64;

/// How a scan is cut: `items` iterations for each thread, of which `batch` are in flight at a time; `threads` for
/// each block, `blocks` of which should be resident on a multiprocessor.
struct GPUScanShape {
  int items;
  int batch;
  int threads;
  int blocks;
};

/// The rate is bounded by the loads in flight on a multiprocessor and by how many tiles look back at once. So blocks
/// are large, registers are few, and values leave shared memory for two blocks. `items` is odd, so that threads with
/// neighbouring runs of values use different banks. With 64 KiB of shared memory, values leave room for the 2048
/// threads of a compute unit, because the second calls of a thread have one load in flight at a time.
constexpr GPUScanShape gpu_scan_shape(std::size_t value_bytes, std::size_t shared_per_multiprocessor) {
  if (shared_per_multiprocessor < 96 * 1024) {
    if (value_bytes <= 4) return {7, 7, 512, 4};
    if (value_bytes <= 8) return {3, 3, 512, 4};
    if (value_bytes <= 16) return {1, 1, 512, 4};
    return {1, 1, 256, 4};
  }
  if (value_bytes <= 4) return {15, 5, 896, 2};
  if (value_bytes <= 8) return {9, 3, 896, 2};
  if (value_bytes <= 16) return {5, 5, 512, 2};
  return {3, 3, 128, 4};
}

template <class Intrinsics, class Scan, class Index>
struct GPUScanDriver {
  using T                          = typename Scan::value_type;
  static constexpr auto shape      = Impl::gpu_scan_shape(sizeof(T), Intrinsics::shared_per_multiprocessor);
  static constexpr int items       = shape.items;
  static constexpr int threads     = shape.threads;
  static constexpr int warp        = Intrinsics::warp_size;
  static constexpr int warps       = threads / warp;
  static constexpr unsigned length = items * threads;  // iterations in a tile
  using Tiles                      = GPUScanTiles<Intrinsics, Scan>;
  static_assert(threads % warp == 0 && items % shape.batch == 0);

  struct Shared {
    RawValue<T> value[length];
    RawValue<T> warp_totals[warps];
    RawValue<T> prefix;  // iterations in the tile
    unsigned tile;
  };

  Index begin;
  std::uint64_t count;
  Scan scan;
  Tiles tiles;

  // Each warp has a run of items * warp iterations. Neighbouring lanes call the functor for neighbouring iterations,
  // but join values of neighbouring iterations per lane. The values change lanes in shared memory. A warp reads only
  // what it wrote, so it does not wait for the others.
  KOKKOS_IMPL_DEVICE void operator()() const {
    Shared& shared            = *reinterpret_cast<Shared*>(Intrinsics::shared());
    int const thread          = Intrinsics::thread_x();
    int const lane            = thread % warp;
    unsigned const tile       = tiles.take(shared.tile, thread);
    std::uint64_t const start = std::uint64_t(tile) * length + thread / warp * (items * warp) + lane;
    bool const is_full        = std::uint64_t(tile) * length + length <= count;
    RawValue<T>* striped      = shared.value + thread / warp * (items * warp) + lane;
    if (is_full)
      contribute(striped, index(start));
    else
      contribute_partly(striped, start);
    Intrinsics::warp_barrier(Tiles::all_lanes());

    RawValue<T> lower;      // the join of the lanes before this one
    RawValue<T> aggregate;  // join of the tile, in the first warp
    exclusive_over_warp(shared, lower.get(), thread);
    Intrinsics::barrier();
    if (thread < warp) announce_aggregate(shared, aggregate.get(), tile, lane);  // first, because others wait for it
    RawValue<T> sum;  // join of the tile's iterations before this thread
    exclusive_over_threads(shared, sum.get(), lower.get(), thread);
    // While the other warps wait for the earlier tiles, compute the join before each iteration in the tile.
#pragma unroll
    for (int k = 0; k < items; ++k) {
      T* value = shared.value[thread * items + k].get();
      RawValue<T> own;
      Impl::copy_elements(own.get(), value, 1);
      Impl::copy_elements(value, sum.get(), 1);
      scan.join(sum.get(), own.get());
    }
    if (thread < warp)
      tiles.look_back(scan, tile, shared.prefix.get(), lane, [&](T* value) { scan.join(value, aggregate.get()); });
    Intrinsics::barrier();
    RawValue<T> prefix;
    Impl::copy_elements(prefix.get(), shared.prefix.get(), 1);
    if (is_full)
      complete(striped, prefix.get(), index(start));
    else
      complete_partly(striped, prefix.get(), start);
  }

 private:
  KOKKOS_IMPL_DEVICE Index index(std::uint64_t i) const { return static_cast<Index>(begin + static_cast<Index>(i)); }

  /// Calls the functor to collect its contributions. Nothing is stored between the calls of a batch, so the compiler
  /// can keep all their loads in flight.
  KOKKOS_IMPL_DEVICE void contribute(RawValue<T>* striped, Index start) const {
#pragma unroll
    for (int first = 0; first < items; first += shape.batch) {
      RawValue<T> value[shape.batch];
#pragma unroll
      for (int k = 0; k < shape.batch; ++k) {
        scan.init(value[k].get());
        scan(static_cast<Index>(start + (first + k) * warp), *value[k].get(), false);
      }
#pragma unroll
      for (int k = 0; k < shape.batch; ++k) Impl::copy_elements(striped[(first + k) * warp].get(), value[k].get(), 1);
    }
  }
  KOKKOS_IMPL_DEVICE void contribute_partly(RawValue<T>* striped, std::uint64_t start) const {
#pragma unroll 1
    for (int k = 0; k < items; ++k) {
      RawValue<T> value;
      scan.init(value.get());
      if (start + k * warp < count) scan(index(start + k * warp), *value.get(), false);
      Impl::copy_elements(striped[k * warp].get(), value.get(), 1);
    }
  }

  KOKKOS_IMPL_DEVICE void complete_one(RawValue<T>* before, T const* prefix, Index i) const {
    RawValue<T> value;
    Impl::copy_elements(value.get(), prefix, 1);
    scan.join(value.get(), before->get());
    scan(i, *value.get(), true);
  }
  KOKKOS_IMPL_DEVICE void complete(RawValue<T>* striped, T const* prefix, Index start) const {
#pragma unroll
    for (int k = 0; k < items; ++k) complete_one(striped + k * warp, prefix, static_cast<Index>(start + k * warp));
  }
  KOKKOS_IMPL_DEVICE void complete_partly(RawValue<T>* striped, T const* prefix, std::uint64_t start) const {
#pragma unroll 1
    for (int k = 0; k < items; ++k)
      if (start + k * warp < count) complete_one(striped + k * warp, prefix, index(start + k * warp));
  }

  /// `lower` of lane 0 is undefined. The join of each warp is written to shared memory.
  KOKKOS_IMPL_DEVICE void exclusive_over_warp(Shared& shared, T* lower, int thread) const {
    int const lane = thread % warp;
    RawValue<T> sum;
    scan.init(sum.get());
#pragma unroll
    for (int k = 0; k < items; ++k) scan.join(sum.get(), shared.value[thread * items + k].get());
    Impl::warp_inclusive_scan<Intrinsics>(scan, sum.get(), lane);
    if (lane == warp - 1) Impl::copy_elements(shared.warp_totals[thread / warp].get(), sum.get(), 1);
    Impl::shuffle_value(lower, sum.get(),
                        [&](unsigned word) { return Intrinsics::shuffle_up(Tiles::all_lanes(), word, 1, warp); });
  }

  /// `sum` becomes the join of the threads before this one.
  KOKKOS_IMPL_DEVICE void exclusive_over_threads(Shared& shared, T* sum, T const* lower, int thread) const {
    scan.init(sum);
#pragma unroll
    for (int w = 0; w < warps - 1; ++w)
      if (w < thread / warp) scan.join(sum, shared.warp_totals[w].get());
    if (thread % warp > 0) scan.join(sum, lower);
  }

  /// The first warp publishes the tile's aggregate.
  KOKKOS_IMPL_DEVICE void announce_aggregate(Shared& shared, T* aggregate, unsigned tile, int lane) const {
    scan.init(aggregate);
#pragma unroll
    for (int w = 0; w < warps; ++w) scan.join(aggregate, shared.warp_totals[w].get());
    if (lane == 0 && tile > 0) tiles.board.publish(tile, aggregate, tile_aggregate);
  }
};

template <class ExecSpace>
struct GPUParallelScan {
  using Runtime    = typename ExecSpace::runtime_type;
  using Intrinsics = typename Runtime::intrinsics;

  template <class... Properties, class Scan, class MemorySpace>
  static void run(RangePolicy<Properties...> const& policy, Scan const& scan,
                  ReductionTarget<typename Scan::value_type, MemorySpace> const& target) {
    using Index    = typename RangePolicy<Properties...>::index_type;
    using T        = typename Scan::value_type;
    auto& instance = policy.space().impl_instance();
    auto const n   = static_cast<std::uint64_t>(policy.end()) - static_cast<std::uint64_t>(policy.begin());
    GPUResultPath<ExecSpace, T, MemorySpace> path(instance, target, scan.value_count() * sizeof(T));
    // Launch bounds from the program mean that a large functor needs more registers.
    using Asked = typename RangePolicy<Properties...>::launch_bounds;
    if constexpr (scans_in_tiles<Scan>) {
      using Driver = GPUScanDriver<Intrinsics, Scan, Index>;
      using Bounds = LaunchBounds<Driver::threads, Asked::maxTperB == 0 ? Driver::shape.blocks : 1>;
      run_tiles<Driver, Bounds>(instance, path, policy.begin(), n, scan);
    } else if constexpr (scans_wide_values<Scan>) {
      using Driver = GPUWideScanDriver<Intrinsics, Scan, Index>;
      using Bounds = LaunchBounds<Driver::threads, Asked::maxTperB == 0 ? Driver::shape.blocks : 1>;
      run_tiles<Driver, Bounds>(instance, path, policy.begin(), n, scan);
    } else {
      std::size_t const bytes = scan.value_count() * sizeof(T);
      GPUChunkPlan const plan(n, bytes, instance.properties());
      constexpr auto base = GPUInstance<Runtime>::counter_bytes;
      std::byte* scratch  = path.scratch(base + plan.values() * bytes);
      Impl::gpu_scan_chunks(instance, plan, static_cast<Index>(policy.begin()), n, scan,
                            reinterpret_cast<T*>(scratch + base), path.result());
    }
    path.deliver();
  }

 private:
  template <class Driver, class Bounds, class Path, class Index, class Scan>
  static void run_tiles(GPUInstance<Runtime>& instance, Path& path, Index begin, std::uint64_t n, Scan const& scan) {
    constexpr auto base      = GPUInstance<Runtime>::counter_bytes;
    using Tiles              = typename Driver::Tiles;
    using Board              = typename Tiles::Board;
    auto const count         = static_cast<unsigned>(n == 0 ? 1 : (n + Driver::length - 1) / Driver::length);
    std::byte* const scratch = path.scratch(base + count * Board::bytes_per_tile + 512);
    // A single tile reads no other.
    if (count > 1)
      instance.errors().check(Runtime::memset_async(scratch + base, 0, Board::cleared_bytes(count), instance.stream()),
                              "memset_async", "clearing the tiles of a scan");
    Tiles const tiles{reinterpret_cast<unsigned*>(scratch), count, Board::at(scratch + base, count), path.result()};
    Impl::gpu_launch<Driver, Bounds>(instance, {dim3(count), dim3(Driver::threads), sizeof(typename Driver::Shared)},
                                     begin, n, scan, tiles);
  }
};

}  // namespace Kokkos::Impl

#endif
