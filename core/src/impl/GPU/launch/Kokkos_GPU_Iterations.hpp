// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_ITERATIONS_HPP
#define KOKKOS_GPU_ITERATIONS_HPP

/// \file
/// The indices that each thread of a kernel visits, for ranges and multi-dimensional ranges. `visit(f)` calls f with
/// each index.

#include <Kokkos_Macros.hpp>
#include <impl/policy/Kokkos_Rank.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace Kokkos::Impl {

/// [begin, end) distributed over the threads of a one-dimensional grid. Neighbouring threads get neighbouring
/// indices. `visit` calls f for `Batch` indices without a branch between the calls, so that the compiler can start all
/// their loads first.
template <class Intrinsics, class Index, int Batch = 4>
struct GPURange {
  Index begin;
  Index end;

  template <class F>
  KOKKOS_IMPL_DEVICE void visit(F const& f) const {
    std::uint64_t const n      = static_cast<std::uint64_t>(end) - static_cast<std::uint64_t>(begin);
    std::uint64_t const stride = static_cast<std::uint64_t>(Intrinsics::grid_dim_x()) * Intrinsics::block_dim_x();
    std::uint64_t i =
        static_cast<std::uint64_t>(Intrinsics::block_x()) * Intrinsics::block_dim_x() + Intrinsics::thread_x();
    if constexpr (Batch > 1) {
      std::uint64_t const ahead = (Batch - 1) * stride;
      if (n > ahead)
        for (; i < n - ahead; i += Batch * stride) {
#pragma unroll
          for (int k = 0; k < Batch; ++k) f(index(i + static_cast<unsigned>(k) * stride));
        }
#pragma unroll 1
      for (; i < n; i += stride) f(index(i));
    } else {
#pragma unroll 4
      for (; i < n; i += stride) f(index(i));
    }
  }

  /// Like visit, for a grid that is large enough to give each thread at most one index.
  template <class F>
  KOKKOS_IMPL_DEVICE void visit_one(F const& f) const {
    std::uint64_t const n = static_cast<std::uint64_t>(end) - static_cast<std::uint64_t>(begin);
    std::uint64_t const i =
        static_cast<std::uint64_t>(Intrinsics::block_x()) * Intrinsics::block_dim_x() + Intrinsics::thread_x();
    if (i < n) f(index(i));
  }

 private:
  KOKKOS_IMPL_DEVICE Index index(std::uint64_t i) const { return static_cast<Index>(begin + static_cast<Index>(i)); }
};

/// A range of `Rank` dimensions, distributed over blocks of up to three dimensions. Position 0 of `order` is the
/// dimension whose neighbouring indices go to neighbouring threads, position 1 is the next one, and the dimensions
/// from position 2 on are counted as one.
///
/// Bounds may be negative for every index type of a policy, so Index is signed. Extents and offsets from a lower bound
/// are unsigned: from -2e9 to 2e9 there are more indices than a signed type of 32 bits can count.
template <class Intrinsics, class Index, int Rank, Iterate Direction>
struct GPUIndexRange {
  static constexpr int rank = Rank;
  using Count               = std::make_unsigned_t<Index>;

  Index lower[Rank];
  Index upper[Rank];
  unsigned depth = 1;  // see visit_column

  KOKKOS_FUNCTION static constexpr int order(int position) {
    return Direction == Iterate::Left ? position : Rank - 1 - position;
  }
  KOKKOS_FUNCTION Count extent(int position) const {
    return static_cast<Count>(upper[order(position)]) - static_cast<Count>(lower[order(position)]);
  }
  /// Length of the third axis of the grid.
  KOKKOS_FUNCTION std::int64_t folded() const {
    std::int64_t n = 1;
    for (int p = 2; p < Rank; ++p) n *= static_cast<std::int64_t>(extent(p));
    return n;
  }

  /// Like visit, for a grid with one thread for each point and counts that fit 32 bits. Without loops the compiler
  /// needs fewer registers, so more threads are resident.
  template <class F>
  KOKKOS_IMPL_DEVICE void visit_one(F const& f) const {
    Index at[Rank];
    if (!place_in_plane(at)) return;
    if constexpr (Rank > 2) {
      unsigned const z = Intrinsics::block_z() * Intrinsics::block_dim_z() + Intrinsics::thread_z();
      if (z >= static_cast<unsigned>(folded())) return;
      unfold(z, at);
    }
    call(f, at);
  }

  /// Like visit_one, for blocks that cover `depth` times as many points along the third axis as they have threads. A
  /// thread visits `depth` points one after the other, and computes only once what depends on the other indices.
  template <class F>
  KOKKOS_IMPL_DEVICE void visit_column(F const& f) const {
    static_assert(Rank > 2);
    Index at[Rank];
    if (!place_in_plane(at)) return;
    unsigned const step  = Intrinsics::block_dim_z();
    unsigned const first = Intrinsics::block_z() * step * depth;
    unsigned const all   = static_cast<unsigned>(folded());
    unsigned const last  = first + step * depth < all ? first + step * depth : all;
#pragma unroll 1
    for (unsigned z = first + Intrinsics::thread_z(); z < last; z += step) {
      unfold(z, at);
      call(f, at);
    }
  }

  template <class F>
  KOKKOS_IMPL_DEVICE void visit(F const& f) const {
    Index at[Rank];
    if constexpr (Rank > 2) {
      std::int64_t const n = folded();
      for (std::int64_t k = std::int64_t(Intrinsics::block_z()) * Intrinsics::block_dim_z() + Intrinsics::thread_z();
           k < n; k += std::int64_t(Intrinsics::grid_dim_z()) * Intrinsics::block_dim_z()) {
        unfold(k, at);
        visit_plane(at, f);
      }
    } else {
      visit_plane(at, f);
    }
  }

 private:
  /// The index with this offset from the lower bound. The signed sum could overflow.
  KOKKOS_IMPL_DEVICE Index index(int dimension, Count offset) const {
    return static_cast<Index>(static_cast<Count>(lower[dimension]) + offset);
  }
  /// The first two positions, of which each thread has one. False if the point is outside the range.
  KOKKOS_IMPL_DEVICE bool place_in_plane(Index (&at)[Rank]) const {
    unsigned const x = Intrinsics::block_x() * Intrinsics::block_dim_x() + Intrinsics::thread_x();
    if (x >= static_cast<unsigned>(extent(0))) return false;
    at[order(0)] = lower[order(0)] + static_cast<Index>(x);
    if constexpr (Rank > 1) {
      unsigned const y = Intrinsics::block_y() * Intrinsics::block_dim_y() + Intrinsics::thread_y();
      if (y >= static_cast<unsigned>(extent(1))) return false;
      at[order(1)] = lower[order(1)] + static_cast<Index>(y);
    }
    return true;
  }

  template <class Number>
  KOKKOS_IMPL_DEVICE void unfold(Number k, Index (&at)[Rank]) const {
    if constexpr (Rank == 3) {
      at[order(2)] = index(order(2), static_cast<Count>(k));
    } else {
      for (int p = 2; p < Rank; ++p) {
        Number const n = static_cast<Number>(extent(p));
        at[order(p)]   = index(order(p), static_cast<Count>(k % n));
        k /= n;
      }
    }
  }

  /// The part of [0, extent) that the calling thread visits in one position. Adds a step only to an offset that is
  /// followed by another one, because the sum could wrap around.
  template <class F>
  KOKKOS_IMPL_DEVICE void stride(int position, Count first, Count step, Index (&at)[Rank], F const& f) const {
    Count const n = extent(position);
    if (first >= n) return;
    Count const last = n > step ? n - step : 0;  // from here on no other offset follows
    for (Count k = first;; k += step) {
      at[order(position)] = index(order(position), k);
      f();
      if (k >= last) return;
    }
  }

  template <class F>
  KOKKOS_IMPL_DEVICE void visit_plane(Index (&at)[Rank], F const& f) const {
    if constexpr (Rank > 1) {
      stride(1, Count(Intrinsics::block_y()) * Intrinsics::block_dim_y() + Intrinsics::thread_y(),
             Count(Intrinsics::grid_dim_y()) * Intrinsics::block_dim_y(), at, [&] { visit_line(at, f); });
    } else {
      visit_line(at, f);
    }
  }

  template <class F>
  KOKKOS_IMPL_DEVICE void visit_line(Index (&at)[Rank], F const& f) const {
    stride(0, Count(Intrinsics::block_x()) * Intrinsics::block_dim_x() + Intrinsics::thread_x(),
           Count(Intrinsics::grid_dim_x()) * Intrinsics::block_dim_x(), at, [&] { call(f, at); });
  }

  template <class F>
  KOKKOS_IMPL_DEVICE static void call(F const& f, Index const (&at)[Rank]) {
    if constexpr (Rank == 1) f(at[0]);
    if constexpr (Rank == 2) f(at[0], at[1]);
    if constexpr (Rank == 3) f(at[0], at[1], at[2]);
    if constexpr (Rank == 4) f(at[0], at[1], at[2], at[3]);
    if constexpr (Rank == 5) f(at[0], at[1], at[2], at[3], at[4]);
    if constexpr (Rank == 6) f(at[0], at[1], at[2], at[3], at[4], at[5]);
  }
};

}  // namespace Kokkos::Impl

#endif
