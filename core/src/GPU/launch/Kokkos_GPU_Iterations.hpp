// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_ITERATIONS_HPP
#define KOKKOS_GPU_ITERATIONS_HPP

/// \file
/// Which indices a thread of a kernel works on, for ranges and index ranges. `visit(f)` calls f with each of them.

#include <Kokkos_Macros.hpp>
#include <policy/Kokkos_Rank.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace Kokkos::Impl {

/// [begin, end) dealt out to the threads of a one-dimensional grid, neighbours to neighbours.
template <class Intrinsics, class Index>
struct GPURange {
  Index begin;
  Index end;

  template <class F>
  KOKKOS_IMPL_DEVICE void visit(F const& f) const {
    const std::uint64_t n      = static_cast<std::uint64_t>(end) - static_cast<std::uint64_t>(begin);
    const std::uint64_t stride = static_cast<std::uint64_t>(Intrinsics::grid_dim_x()) * Intrinsics::block_dim_x();
    std::uint64_t i =
        static_cast<std::uint64_t>(Intrinsics::block_x()) * Intrinsics::block_dim_x() + Intrinsics::thread_x();
#pragma unroll 4
    for (; i < n; i += stride) f(static_cast<Index>(begin + static_cast<Index>(i)));
  }

  /// The same when every thread has one index at most, as the grid is large enough.
  template <class F>
  KOKKOS_IMPL_DEVICE void visit_one(F const& f) const {
    const std::uint64_t n = static_cast<std::uint64_t>(end) - static_cast<std::uint64_t>(begin);
    const std::uint64_t i =
        static_cast<std::uint64_t>(Intrinsics::block_x()) * Intrinsics::block_dim_x() + Intrinsics::thread_x();
    if (i < n) f(static_cast<Index>(begin + static_cast<Index>(i)));
  }
};

/// An index range of `Rank` dimensions, dealt out to blocks of up to three dimensions. Position 0 of `order` is the dimension
/// whose neighbours go to neighbouring threads; 1 is the next; from 2 on, dimensions are counted through as one.
///
/// Bounds may be negative whatever the policy's index type is, so Index is signed; what is counted from a lower bound
/// is not, and cannot overflow: a stride is at most a block longer than the extent.
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
  KOKKOS_FUNCTION Index extent(int position) const { return upper[order(position)] - lower[order(position)]; }
  /// Length of the third axis of the grid.
  KOKKOS_FUNCTION std::int64_t folded() const {
    std::int64_t n = 1;
    for (int p = 2; p < Rank; ++p) n *= static_cast<std::int64_t>(static_cast<Count>(extent(p)));
    return n;
  }

  /// The same when the grid covers the index range with one point a thread, and counts fit 32 bits: without loops the compiler
  /// needs fewer registers, and more threads are resident.
  template <class F>
  KOKKOS_IMPL_DEVICE void visit_one(F const& f) const {
    Index at[Rank];
    if (!place_in_plane(at)) return;
    if constexpr (Rank > 2) {
      const unsigned z = Intrinsics::block_z() * Intrinsics::block_dim_z() + Intrinsics::thread_z();
      if (z >= static_cast<unsigned>(folded())) return;
      unfold(z, at);
    }
    call(f, at);
  }

  /// The same where blocks are `depth` times as long along the third axis as they have threads there: a thread takes
  /// that many points one after the other, which share what there is to compute for the other indices.
  template <class F>
  KOKKOS_IMPL_DEVICE void visit_column(F const& f) const {
    static_assert(Rank > 2);
    Index at[Rank];
    if (!place_in_plane(at)) return;
    const unsigned step  = Intrinsics::block_dim_z();
    const unsigned first = Intrinsics::block_z() * step * depth;
    const unsigned all   = static_cast<unsigned>(folded());
    const unsigned last  = first + step * depth < all ? first + step * depth : all;
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
      const std::int64_t n = folded();
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
  /// The first two positions, of which each thread of the grid has one. False if that lies outside the index range.
  KOKKOS_IMPL_DEVICE bool place_in_plane(Index (&at)[Rank]) const {
    const unsigned x = Intrinsics::block_x() * Intrinsics::block_dim_x() + Intrinsics::thread_x();
    if (x >= static_cast<unsigned>(extent(0))) return false;
    at[order(0)] = lower[order(0)] + static_cast<Index>(x);
    if constexpr (Rank > 1) {
      const unsigned y = Intrinsics::block_y() * Intrinsics::block_dim_y() + Intrinsics::thread_y();
      if (y >= static_cast<unsigned>(extent(1))) return false;
      at[order(1)] = lower[order(1)] + static_cast<Index>(y);
    }
    return true;
  }

  template <class Number>
  KOKKOS_IMPL_DEVICE void unfold(Number k, Index (&at)[Rank]) const {
    if constexpr (Rank == 3) {
      at[order(2)] = lower[order(2)] + static_cast<Index>(k);
    } else {
      for (int p = 2; p < Rank; ++p) {
        const Number n = static_cast<Number>(extent(p));
        at[order(p)]   = lower[order(p)] + static_cast<Index>(k % n);
        k /= n;
      }
    }
  }

  /// What of [0, extent) in a position falls to the calling thread.
  template <class F>
  KOKKOS_IMPL_DEVICE void stride(int position, Count first, Count step, Index (&at)[Rank], F const& f) const {
    const Count n = static_cast<Count>(extent(position));
    for (Count k = first; k < n; k += step) {
      at[order(position)] = lower[order(position)] + static_cast<Index>(k);
      f();
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
