// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_PATTERN_NESTEDLOOP_HPP
#define KOKKOS_PATTERN_NESTEDLOOP_HPP

/// \file
/// The loop over the calling worker's share of a nested range. All nested patterns use it.

#include <impl/policy/Kokkos_NestedMDRanges.hpp>
#include <impl/policy/Kokkos_NestedRanges.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace Kokkos::Impl {

/// Whether the compiler may treat the iterations of one worker as independent. Only the iterations of a vector lane are
/// independent. Successive iterations of a thread may use the thread's memory, and the iterations of a reduction update
/// one value.
enum class NestedIterations { in_order, independent };

/// A block of [start, end).
template <class Index>
struct NestedBlock {
  Index start;
  Index end;
};

/// The worker's part if [start, end) is divided into blocks whose lengths differ by at most one.
template <class Index>
KOKKOS_FORCEINLINE_FUNCTION NestedBlock<Index> nested_block(Index start, Index end, NestedWorker worker) {
  if (worker.size == 1) return {start, end};
  if (!(start < end)) return {start, start};
  auto const n       = static_cast<std::uint64_t>(end) - static_cast<std::uint64_t>(start);
  auto const workers = static_cast<std::uint64_t>(worker.size);
  auto const rank    = static_cast<std::uint64_t>(worker.rank);
  auto const length  = n / workers;
  auto const longer  = n % workers;
  auto const first   = rank * length + (rank < longer ? rank : longer);
  auto const last    = first + length + (rank < longer ? 1 : 0);
  return {static_cast<Index>(start + static_cast<Index>(first)), static_cast<Index>(start + static_cast<Index>(last))};
}

template <NestedIterations Kind, NestedLevel Level>
inline constexpr bool nested_is_vectorised = Kind == NestedIterations::independent && Level != NestedLevel::team_thread;

/// Calls call(first), call(first + stride), ... up to `last`.
///
/// Many iterations of a reduction by threads run in a loop whose number of iterations is known before it starts, so
/// that the compiler may unroll it: a short body several times, so that its loads overlap, a long body not at all. A
/// reduction by lanes runs in a plain loop: lanes mostly have a few iterations each, and on an H200 sparse products of
/// rows with 7 to 30 elements took up to 1.3 times as long with the second loop, which needs registers for all of them.
/// (With 60 iterations of each of 8 lanes, they take 1.4 times as long without it.) The iterations of a parallel_for
/// run in a plain loop, too. They store, and a compiler does not move the loads of an iteration before the stores of
/// another one, so copies of the body would only take registers.
template <bool Counted, class Count, class Call>
KOKKOS_FORCEINLINE_FUNCTION void nested_count(Count first, Count last, Count stride, Call const& call) {
  constexpr Count few = 4;  // fewer than these take less time than the division and the choice of an unrolled loop
  auto const plain    = [&] {
#if KOKKOS_IMPL_DEVICE_PASS
#pragma unroll 1
#endif
    for (Count at = first;; at += stride) {
      call(at);
      if (last - at < stride) return;
    }
  };
  if constexpr (!Counted || sizeof(Count) > 4) {
    plain();  // a division of 64 bits takes as long as many iterations
  } else if ((last - first) / few < stride) {
    plain();
  } else {
    Count const iterations = (last - first) / stride + 1;
    for (Count done = 0; done < iterations; ++done) call(first + done * stride);
  }
}

/// Neighbouring workers take neighbouring indices, which are counted from the start in 32 bits where these suffice:
/// that halves the number of instructions on GPUs. There is one copy of the body, two in a reduction by threads, and
/// one more for indices of 64 bits. There are no more, because copies multiply with each nested range.
template <NestedIterations Kind, NestedLevel Level, class Index, class Member, class Body>
KOKKOS_FORCEINLINE_FUNCTION void nested_for_each_strided(NestedRange<Level, Index, Member> const& range,
                                                         NestedWorker const& worker, Body const& body) {
  if (!(range.start < range.end)) return;
  using Unsigned   = std::conditional_t<(sizeof(Index) > 4), std::uint64_t, std::uint32_t>;
  auto const last  = static_cast<Unsigned>(range.end) - static_cast<Unsigned>(range.start) - 1;
  auto const first = static_cast<std::uint32_t>(worker.rank), stride = static_cast<std::uint32_t>(worker.size);
  if (first > last) return;
  auto const call = [&](auto at) {
    Index i = static_cast<Index>(range.start + static_cast<Index>(at));
    body(i);
  };
  constexpr bool counted = Kind == NestedIterations::in_order && Level != NestedLevel::thread_vector;
  if constexpr (sizeof(Index) > 4) {
    if (last > 0xffffffffu) return Impl::nested_count<counted, std::uint64_t>(first, last, stride, call);
  }
  Impl::nested_count<counted, std::uint32_t>(first, static_cast<std::uint32_t>(last), stride, call);
}

/// Calls body(i) for each index of the caller's share, in ascending order.
template <NestedIterations Kind, NestedLevel Level, class Index, class Member, class Body>
KOKKOS_FORCEINLINE_FUNCTION void nested_for_each(NestedRange<Level, Index, Member> const& range, Body const& body) {
  NestedWorker const worker = Impl::nested_worker<Level>(range.member);
  if constexpr (Member::impl_blocked) {
    NestedBlock<Index> const block = Impl::nested_block(range.start, range.end, worker);
    if constexpr (nested_is_vectorised<Kind, Level>) {
      KOKKOS_IMPL_IVDEP
      for (Index i = block.start; i < block.end; ++i) body(i);
    } else {
      for (Index i = block.start; i < block.end; ++i) body(i);
    }
  } else {
    Impl::nested_for_each_strided<Kind>(range, worker, body);
  }
}

/// The numbers of a worker's tuples: `first`, and those at distances of `step`, as far as there are `left` from `first` on.
struct NestedShare {
  std::uint32_t first, step;
  std::int64_t left;
};

/// The share of a worker if neighbouring lanes take neighbouring tuples. Each warp of `width` lanes visits a run of its
/// own, whose length is a multiple of the width, so that no warp takes more steps than if all shared one run. Then a warp
/// visits most lines of memory alone and one after the other, also where rows begin in the middle of a line: on an H200,
/// teams of 128 workers take 0.70 of the time for 7 by 100 doubles, and as long as before for 32 by 32.
KOKKOS_FORCEINLINE_FUNCTION NestedShare nested_share(std::int64_t size, NestedWorker const& worker, int width) {
  auto const rank = static_cast<std::uint32_t>(worker.rank), workers = static_cast<std::uint32_t>(worker.size);
  auto const lanes = static_cast<std::uint32_t>(width);
  if (workers <= lanes || workers % lanes != 0 || size >> 31 != 0) return {rank, workers, size - rank};
  std::uint32_t const run   = (static_cast<std::uint32_t>(size) + workers - 1) / workers * lanes;
  std::uint32_t const lane  = rank % lanes;
  std::uint32_t const start = rank / lanes * run;
  std::int64_t const rest   = size - start;
  return {start + lane, lanes, (rest < run ? rest : run) - lane};
}

/// An index tuple, the fastest index first, and its increment.
template <class Range>
struct NestedTuple {
  static constexpr int rank = Range::rank;
  using Index               = typename Range::index_type;

  Index index[static_cast<std::size_t>(rank)];

  /// The tuple with this number.
  template <class Number>
  KOKKOS_FORCEINLINE_FUNCTION NestedTuple(Range const& range, Number number) {
    for (int step = 0; step < rank - 1; ++step) {
      Number const extent = static_cast<Number>(range.extent_by_speed(step));
      index[step]         = static_cast<Index>(number % extent);
      number /= extent;
    }
    index[rank - 1] = static_cast<Index>(number);
  }

  /// Moves to the tuple whose number is the sum of both, which the range has. No division, and no sum beyond an extent.
  KOKKOS_FORCEINLINE_FUNCTION void add(Range const& range, NestedTuple const& other) {
    Index carry = 0;
    for (int step = 0; step < rank - 1; ++step) {
      Index const room = range.extent_by_speed(step) - other.index[step] - carry;
      if (index[step] >= room) {
        index[step] -= room;
        carry = 1;
      } else {
        index[step] += other.index[step] + carry;
        carry = 0;
      }
    }
    index[rank - 1] += other.index[rank - 1] + carry;
  }

  /// Moves to the first tuple of the next row by incrementing the slower indices.
  KOKKOS_FORCEINLINE_FUNCTION void next_row(Range const& range) {
    index[0] = 0;
    for (int step = 1; step < rank; ++step) {
      if (++index[step] < range.extent_by_speed(step)) return;
      index[step] = 0;
    }
  }
};

/// Calls body(i, j, ...) for fastest indices in [first, last) and the given other indices.
template <bool Vectorised, bool FirstIsFastest, class Index, class Body, class... Slower>
KOKKOS_FORCEINLINE_FUNCTION void nested_row(Index first, Index last, Body const& body, Slower... slower) {
  auto const call = [&](Index i) {
    if constexpr (FirstIsFastest) {
      body(i, slower...);
    } else {
      body(slower..., i);
    }
  };
  if constexpr (Vectorised) {
    KOKKOS_IMPL_IVDEP
    for (Index i = first; i < last; ++i) call(i);
  } else {
    for (Index i = first; i < last; ++i) call(i);
  }
}

template <bool Vectorised, class Range, class Body, std::size_t... Dimensions>
KOKKOS_FORCEINLINE_FUNCTION void nested_row(NestedTuple<Range> const& tuple, typename Range::index_type last,
                                            Body const& body, std::index_sequence<Dimensions...>) {
  constexpr int rank = Range::rank;
  Impl::nested_row<Vectorised, Range::first_is_fastest>(
      tuple.index[0], last, body,
      tuple.index[Range::first_is_fastest ? static_cast<int>(Dimensions) + 1
                                          : rank - 1 - static_cast<int>(Dimensions)]...);
}

/// Calls body(i, j, ...) for each index tuple of the caller's share.
template <NestedIterations Kind, NestedLevel Level, class RankType, class Member, class Body>
KOKKOS_FORCEINLINE_FUNCTION void nested_for_each(NestedMDRange<Level, RankType, Member> const& range,
                                                 Body const& body) {
  using Range               = NestedMDRange<Level, RankType, Member>;
  using Index               = typename Range::index_type;
  constexpr bool vectorised = nested_is_vectorised<Kind, Level>;
  constexpr auto slower     = std::make_index_sequence<Range::rank - 1>();
  std::int64_t const size   = range.size();
  NestedWorker const worker = Impl::nested_worker<Level>(range.member);
  if constexpr (Member::impl_blocked) {
    NestedBlock<std::int64_t> const block = nested_block(std::int64_t{0}, size, worker);
    if (!(block.start < block.end)) return;
    NestedTuple<Range> tuple(range, block.start);
    for (std::int64_t left = block.end - block.start; left > 0; tuple.next_row(range)) {
      Index const in_row = range.extent_by_speed(0) - tuple.index[0];
      Index const take   = left < in_row ? static_cast<Index>(left) : in_row;
      Impl::nested_row<vectorised>(tuple, tuple.index[0] + take, body, slower);
      left -= take;
    }
  } else {
    // Divisions take longer than most bodies, so there are only these, of 32 bits.
    int const width   = Level == NestedLevel::team_vector ? Member::impl_warp_size : worker.size;
    NestedShare share = Impl::nested_share(size, worker, width);
    if (share.left <= 0) return;
    NestedTuple<Range> tuple(range, share.first);
    NestedTuple<Range> const stride(range, share.step);
    while (true) {
      Impl::nested_row<false>(tuple, tuple.index[0] + 1, body, slower);
      if (share.left <= share.step) return;
      share.left -= share.step;
      tuple.add(range, stride);
    }
  }
}

}  // namespace Kokkos::Impl

#endif
