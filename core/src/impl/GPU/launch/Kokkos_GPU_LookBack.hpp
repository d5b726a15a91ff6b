// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_LOOK_BACK_HPP
#define KOKKOS_GPU_LOOK_BACK_HPP

/// \file
/// The common part of the kernels of parallel_scan: tiles publish values, and each tile looks back over those of
/// earlier tiles.

#include <impl/GPU/launch/Kokkos_GPU_BlockReduce.hpp>
#include <impl/GPU/launch/Kokkos_GPU_ResultMailbox.hpp>

#include <cstddef>
#include <cstdint>

namespace Kokkos::Impl {

/// The published values of a tile. `state` is written after its value and is 0 before anything is published.
enum GPUTileState : unsigned { tile_empty = 0, tile_aggregate = 1, tile_inclusive = 2 };

/// Published values that fit one load and store together with their state. The two need no order, so no fence, and
/// the cache keeps what the functor reads again.
template <class Intrinsics, class T, bool Paired = (sizeof(T) <= 8 && Intrinsics::has_paired_access)>
struct GPUTileBoard {
  unsigned long long (*entry)[2];  // value, state; aligned to 16 bytes

  static constexpr std::size_t bytes_per_tile = 16;
  /// The first bytes are 0 when the kernel begins.
  static std::size_t cleared_bytes(unsigned tiles) { return tiles * bytes_per_tile; }
  static GPUTileBoard at(void* memory, unsigned) { return {static_cast<unsigned long long(*)[2]>(memory)}; }

  KOKKOS_IMPL_DEVICE void publish(unsigned tile, T const* value, GPUTileState state) const {
    unsigned long long word = 0;
    Impl::copy_bytes(&word, static_cast<void const*>(value), sizeof(T));
    Intrinsics::store_pair(entry[tile], word, static_cast<unsigned long long>(state));
  }
  /// Waits until the tile has published a value.
  KOKKOS_IMPL_DEVICE unsigned wait(std::int64_t tile, T* value) const {
    unsigned long long word, state;
    for (;;) {
      Intrinsics::load_pair(entry[tile], word, state);
      if (state != tile_empty) break;
      Intrinsics::pause();
    }
    Impl::copy_bytes(static_cast<void*>(value), &word, sizeof(T));
    return static_cast<unsigned>(state);
  }
};

/// Published values that do not fit one store with their state: the state is written after its value and read before
/// it.
template <class Intrinsics, class T>
struct GPUTileBoard<Intrinsics, T, false> {
  unsigned* states;
  T* aggregates;
  T* inclusives;

  static constexpr std::size_t bytes_per_tile = sizeof(unsigned) + 2 * sizeof(T);
  static std::size_t cleared_bytes(unsigned tiles) { return tiles * sizeof(unsigned); }
  static GPUTileBoard at(void* memory, unsigned tiles) {
    auto* states     = static_cast<unsigned*>(memory);
    auto* aggregates = reinterpret_cast<T*>(static_cast<char*>(memory) + (tiles * sizeof(unsigned) + 255) / 256 * 256);
    return {states, aggregates, aggregates + tiles};
  }

  KOKKOS_IMPL_DEVICE void publish(unsigned tile, T const* value, GPUTileState state) const {
    Impl::copy_elements((state == tile_aggregate ? aggregates : inclusives) + tile, value, 1);
    Intrinsics::store_release(states + tile, static_cast<unsigned>(state));
  }
  KOKKOS_IMPL_DEVICE unsigned wait(std::int64_t tile, T* value) const {
    unsigned state;
    while ((state = Intrinsics::load_acquire(states + tile)) == tile_empty) Intrinsics::pause();
    Impl::copy_elements(value, (state == tile_inclusive ? inclusives : aggregates) + tile, 1);
    return state;
  }
};

/// Scans the values of a warp: afterwards each lane has the join of all lanes up to itself.
template <class Intrinsics, class Scan, class T>
KOKKOS_IMPL_DEVICE void warp_inclusive_scan(Scan const& scan, T* value, int lane) {
  auto const mask = static_cast<typename Intrinsics::mask_type>(~0ull >> (64 - Intrinsics::warp_size));
#pragma unroll
  for (int delta = 1; delta < Intrinsics::warp_size; delta *= 2) {
    RawValue<T> lower;
    Impl::shuffle_value(lower.get(), value, [&](unsigned word) {
      return Intrinsics::shuffle_up(mask, word, delta, Intrinsics::warp_size);
    });
    if (lane >= delta) {
      scan.join(lower.get(), value);
      Impl::copy_elements(value, lower.get(), 1);
    }
  }
}

/// The tiles of a scan.
template <class Intrinsics, class Scan>
struct GPUScanTiles {
  using T                   = typename Scan::value_type;
  using Board               = GPUTileBoard<Intrinsics, T>;
  using mask_type           = typename Intrinsics::mask_type;
  static constexpr int warp = Intrinsics::warp_size;

  unsigned* next;  // the number of tiles that blocks have taken; 0 between kernels
  unsigned count;
  Board board;
  GPUResult<T> total;

  KOKKOS_IMPL_DEVICE static mask_type all_lanes() { return static_cast<mask_type>(~0ull >> (64 - warp)); }

  /// Called by all threads of a block, after a barrier that follows their last read of `shared_tile`.
  KOKKOS_IMPL_DEVICE unsigned take(unsigned& shared_tile, int thread) const {
    if (thread == 0) shared_tile = Intrinsics::fetch_add(next, 1u);
    Intrinsics::barrier();
    return shared_tile;
  }

  /// Called by one warp. `prefix`, which only lane 0 accesses, becomes the join of all earlier tiles. `append(value)`
  /// joins this tile to the right of a value.
  template <class Append>
  KOKKOS_IMPL_DEVICE void look_back(Scan const& scan, unsigned tile, T* prefix, int lane, Append const& append) const {
    if (lane == 0) scan.init(prefix);
    for (std::int64_t last = std::int64_t(tile) - 1; last >= 0; last -= warp)
      if (join_window(scan, last, prefix, lane)) break;
    if (lane != 0) return;
    RawValue<T> inclusive;
    Impl::copy_elements(inclusive.get(), prefix, 1);
    append(inclusive.get());
    if (tile < count - 1)
      board.publish(tile, inclusive.get(), tile_inclusive);
    else
      finish(scan, inclusive.get());
  }

 private:
  /// Joins the tiles last, last - 1, ... to the left of `prefix` until one is inclusive. Returns whether one was.
  KOKKOS_IMPL_DEVICE bool join_window(Scan const& scan, std::int64_t last, T* prefix, int lane) const {
    mask_type const all     = all_lanes();
    std::int64_t const tile = last - lane;
    unsigned state          = tile_inclusive;  // before the first tile is the identity
    RawValue<T> value;
    scan.init(value.get());
    if (tile >= 0) state = board.wait(tile, value.get());
    unsigned long long const ends = Intrinsics::ballot(all, state == tile_inclusive);
    int const stop                = ends ? Intrinsics::first_set(ends) : warp - 1;  // lanes beyond contribute nothing
    if (lane > stop) scan.init(value.get());
    // Lane 0 has the latest tile; higher lanes have earlier ones.
#pragma unroll
    for (int delta = 1; delta < warp; delta *= 2) {
      RawValue<T> left;
      Impl::shuffle_value(left.get(), value.get(),
                          [&](unsigned word) { return Intrinsics::shuffle_down(all, word, delta, warp); });
      if (lane + delta < warp) {
        scan.join(left.get(), value.get());
        Impl::copy_elements(value.get(), left.get(), 1);
      }
    }
    if (lane == 0) {
      scan.join(value.get(), prefix);
      Impl::copy_elements(prefix, value.get(), 1);
    }
    return ends != 0;
  }

  KOKKOS_IMPL_DEVICE void finish(Scan const& scan, T* inclusive) const {
    *next = 0;  // every tile has been taken
    if (!total.data) return;
    scan.final(inclusive);
    Impl::copy_elements(total.data, inclusive, 1);
    total.template announce<Intrinsics>();
  }
};

}  // namespace Kokkos::Impl

#endif
