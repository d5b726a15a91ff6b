// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_SORTING_TILE_SORT_HPP
#define KOKKOS_SORTING_TILE_SORT_HPP

/// \file
/// Merge sort for devices, for any order of small trivial elements. A team sorts or merges one tile: its threads access
/// global memory together, and keep a few elements each in registers. Between two such steps the tile is in scratch
/// memory, where each thread finds its parts of two sorted runs by a search (merge path; Green, McColl, Bader 2012).
///
/// An order that contradicts itself cannot lead to an access outside the array: the bounds of a team's parts are
/// limited to its runs and its tile, and each thread derives its parts from these bounds alone.

#include <Kokkos_ExecPolicy.hpp>
#include <Kokkos_Parallel.hpp>
#include <Kokkos_ScratchSpace.hpp>
#include <Kokkos_View.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

// A thread's elements stay in registers only if each index is a constant.
#if defined(__CUDACC__) || defined(__clang__)
#define KOKKOS_IMPL_UNROLL _Pragma("unroll")
#else
#define KOKKOS_IMPL_UNROLL
#endif

namespace Kokkos::Impl {

template <class T>
inline constexpr bool is_sorted_in_tiles_v =
    std::is_trivially_copyable_v<T> && std::is_trivially_default_constructible_v<T> && sizeof(T) <= 64;

/// How a team sorts or merges a tile. `items`, the elements of a thread, is odd: then neighbouring threads access
/// different banks of scratch memory. The other two limit the registers of a thread, so that so many teams run on a
/// multiprocessor.
struct TileShape {
  int items;
  unsigned sorting_teams;
  unsigned merging_teams;
};

/// Large tiles need fewer passes over many elements, and small ones are sorted faster. On an H100, 10^8 elements of 4
/// bytes take 5.97 ms in large tiles and 6.35 ms in small ones.
template <class T>
constexpr TileShape tile_shape(bool large) {
  if (sizeof(T) <= 4) return large ? TileShape{25, 3, 4} : TileShape{17, 4, 5};
  return {sizeof(T) <= 8 ? 9 : sizeof(T) <= 16 ? 5 : sizeof(T) <= 32 ? 3 : 1, 4, 5};
}
inline constexpr std::size_t fewest_in_large_tiles = std::size_t(1) << 23;

/// The number of elements from run a among the first `length` elements of two merged runs; between `low` and `high`.
template <class T, class Index, class Less>
KOKKOS_FORCEINLINE_FUNCTION Index merge_path(T const* a, T const* b, Index length, Index low, Index high,
                                             Less const& less) {
  while (low < high) {
    Index const middle = low + (high - low) / 2;
    if (less(b[length - 1 - middle], a[middle]))
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

/// The elements of one thread, and the tile of its team.
template <class T, class Less, int Threads, int Items>
struct TileThread {
  static constexpr int items  = Items;
  static constexpr int length = Threads * items;
  static constexpr int stored = length + items;  // with elements that merge() reads, but does not use

  T* tile;
  Less const& less;
  int rank;   // of the thread
  int count;  // of elements in the tile
  T own[static_cast<std::size_t>(items)];

  KOKKOS_FORCEINLINE_FUNCTION TileThread(T* tile_, Less const& less_, int rank_, int count_)
      : tile(tile_), less(less_), rank(rank_), count(count_), own{} {}

  KOKKOS_FORCEINLINE_FUNCTION int first() const { return rank * items; }

  /// Element i of the tile becomes from(i). First all loads, then all stores, so that the loads overlap.
  template <class From>
  KOKKOS_FORCEINLINE_FUNCTION void load(From const& from) {
    KOKKOS_IMPL_UNROLL
    for (int k = 0; k < items; ++k)
      if (k * Threads + rank < count) own[k] = from(k * Threads + rank);
    KOKKOS_IMPL_UNROLL
    for (int k = 0; k < items; ++k)
      if (k * Threads + rank < count) tile[k * Threads + rank] = own[k];
  }
  KOKKOS_FORCEINLINE_FUNCTION void store(T* to) const {
    KOKKOS_IMPL_UNROLL
    for (int k = 0; k < items; ++k)
      if (k * Threads + rank < count) to[k * Threads + rank] = tile[k * Threads + rank];
  }

  KOKKOS_FORCEINLINE_FUNCTION void take() {
    KOKKOS_IMPL_UNROLL
    for (int k = 0; k < items; ++k)
      if (first() + k < count) own[k] = tile[first() + k];
  }
  KOKKOS_FORCEINLINE_FUNCTION void put() const {
    KOKKOS_IMPL_UNROLL
    for (int k = 0; k < items; ++k)
      if (first() + k < count) tile[first() + k] = own[k];
  }

  /// Sorts the thread's elements by comparing neighbours (odd-even transposition).
  KOKKOS_FORCEINLINE_FUNCTION void sort_own() {
    KOKKOS_IMPL_UNROLL
    for (int round = 0; round < items; ++round) {
      KOKKOS_IMPL_UNROLL
      for (int k = round % 2; k + 1 < items; k += 2)
        if (first() + k + 1 < count && less(own[k + 1], own[k])) {
          T const moved = own[k];
          own[k]        = own[k + 1];
          own[k + 1]    = moved;
        }
    }
  }

  /// Takes this thread's part of the merged runs tile[a, a_end) and tile[a_end, b_end). Thread `start` writes the first
  /// of the merged elements.
  KOKKOS_FORCEINLINE_FUNCTION void merge(int a, int a_end, int b_end, int start) {
    int const whole = b_end - a, skipped = (rank - start) * items;
    int const before = skipped < whole ? skipped : whole;
    int const b_size = b_end - a_end, a_size = a_end - a;
    int const part = Impl::merge_path(tile + a, tile + a_end, before, before > b_size ? before - b_size : 0,
                                      before < a_size ? before : a_size, less);
    int b          = a_end + (before - part);
    a += part;
    T head_a{}, head_b{};
    if (a < a_end) head_a = tile[a];
    if (b < b_end) head_b = tile[b];
    KOKKOS_IMPL_UNROLL
    for (int k = 0; k < items; ++k) {
      bool const takes_b = a >= a_end || (b < b_end && less(head_b, head_a));
      own[k]             = takes_b ? head_b : head_a;
      // Past the end of run b, this reads elements that are never used. That is faster than a test for the end.
      T const head = tile[takes_b ? ++b : ++a];
      if (takes_b)
        head_b = head;
      else
        head_a = head;
    }
  }
};

/// A team sorts a tile.
template <class T, class Less, int Threads, int Items>
struct SortTile {
  using Thread = TileThread<T, Less, Threads, Items>;

  T const* from;
  T* to;
  std::size_t count;
  Less less;

  template <class Member>
  KOKKOS_FUNCTION void operator()(Member const& member) const {
    std::size_t const first = static_cast<std::size_t>(member.league_rank()) * Thread::length;
    std::size_t const rest  = count - first;
    T* const tile           = tile_of(member);
    T const* const elements = from + first;
    Thread thread(tile, less, static_cast<int>(member.team_rank()),
                  rest < Thread::length ? static_cast<int>(rest) : Thread::length);
    thread.load([&](int i) { return elements[i]; });
    member.team_barrier();
    thread.take();
    thread.sort_own();
    for (int threads = 2; threads <= Threads; threads *= 2) {
      member.team_barrier();
      thread.put();
      member.team_barrier();
      int const start = thread.rank & -threads;  // a power of two
      auto const at   = [&](int rank) {
        return rank * Thread::items < thread.count ? rank * Thread::items : thread.count;
      };
      thread.merge(at(start), at(start + threads / 2), at(start + threads), start);
    }
    member.team_barrier();
    thread.put();
    member.team_barrier();
    thread.store(to + first);
  }

  template <class Member>
  KOKKOS_FORCEINLINE_FUNCTION static T* tile_of(Member const& member) {
    return static_cast<T*>(member.team_scratch(0).get_shmem_aligned(sizeof(T) * Thread::stored, alignof(T)));
  }
};

/// Pairs of neighbouring sorted runs. Run a of a pair is followed by run b. All runs but the last consist of
/// 2^doublings tiles, so that the pair of a tile is found by shifts; a division would take as long as merging several
/// elements.
struct RunPairs {
  std::size_t count;
  std::size_t length;  // of a tile
  std::size_t run;     // elements of each run except the last
  int doublings;

  struct Pair {
    std::size_t begin, a_count, b_count;
  };
  KOKKOS_FORCEINLINE_FUNCTION Pair pair_of(std::uint32_t tile) const {
    std::size_t const begin = (std::uint64_t(tile) >> (doublings + 1) << (doublings + 1)) * length;
    std::size_t const rest  = count - begin;
    std::size_t const a     = rest < run ? rest : run;
    return {begin, a, rest - a < run ? rest - a : run};
  }
};

/// The number of elements from run a before each tile.
template <class T, class Less>
struct FindTileCuts {
  T const* from;
  std::size_t* cuts;
  RunPairs runs;
  Less less;

  KOKKOS_FUNCTION void operator()(std::int64_t item) const {
    std::size_t const begin = static_cast<std::size_t>(item) * runs.length;
    auto const pair         = runs.pair_of(static_cast<std::uint32_t>(item));
    std::size_t const first = begin - pair.begin;
    T const* const a        = from + pair.begin;
    cuts[item] = Impl::merge_path(a, a + pair.a_count, first, first > pair.b_count ? first - pair.b_count : 0,
                                  first < pair.a_count ? first : pair.a_count, less);
  }
};

/// A team merges the parts of two runs that make up one tile of the result.
template <class T, class Less, int Threads, int Items>
struct MergeTile {
  using Thread = TileThread<T, Less, Threads, Items>;

  T const* from;
  T* to;
  std::size_t const* cuts;
  RunPairs runs;
  Less less;

  template <class Member>
  KOKKOS_FUNCTION void operator()(Member const& member) const {
    std::size_t const rank = static_cast<std::size_t>(member.league_rank()), begin = rank * Thread::length;
    auto const pair         = runs.pair_of(static_cast<std::uint32_t>(rank));
    std::size_t const first = begin - pair.begin, whole = pair.a_count + pair.b_count;
    std::size_t const length = whole - first < Thread::length ? whole - first : Thread::length;
    // Searches in an order that contradicts itself may put this tile's end before its begin, or too far behind it.
    std::size_t const a = cuts[rank];
    std::size_t a_end   = first + length == whole ? pair.a_count : cuts[rank + 1];
    if (a_end < a) a_end = a;
    if (a_end > a + length) a_end = a + length;
    int const a_size = static_cast<int>(a_end - a), size = static_cast<int>(length);

    T const* const part_a = from + pair.begin + a;
    T const* const part_b = from + pair.begin + pair.a_count + (first - a);
    Thread thread(SortTile<T, Less, Threads, Items>::tile_of(member), less, static_cast<int>(member.team_rank()), size);
    thread.load([&](int i) { return i < a_size ? part_a[i] : part_b[i - a_size]; });
    member.team_barrier();
    thread.merge(0, a_size, size, 0);
    member.team_barrier();
    thread.put();
    member.team_barrier();
    thread.store(to + begin);
  }
};

/// Sorts `data`, with a buffer of the same size, and a number for each tile. `Threads`: in a team.
template <int Threads, bool Large, class ExecSpace, class T, class Less>
void sort_in_tiles(ExecSpace const& exec, T* data, T* buffer, std::size_t* cuts, std::size_t count, Less const& less) {
  constexpr TileShape shape    = Impl::tile_shape<T>(Large);
  using Sort                   = SortTile<T, Less, Threads, shape.items>;
  using Merge                  = MergeTile<T, Less, Threads, shape.items>;
  constexpr std::size_t length = Sort::Thread::length;
  std::size_t const tiles      = (count + length - 1) / length;
  using SortPolicy   = TeamPolicy<ExecSpace, LaunchBounds<static_cast<unsigned>(Threads), shape.sorting_teams>>;
  using MergePolicy  = TeamPolicy<ExecSpace, LaunchBounds<static_cast<unsigned>(Threads), shape.merging_teams>>;
  auto const scratch = PerTeam(static_cast<int>(sizeof(T) * Sort::Thread::stored + alignof(T)));
  int passes         = 0;
  for (std::size_t run = length; run < count; run *= 2) ++passes;
  T* from = passes % 2 == 0 ? data : buffer;  // the last pass writes into `data`
  Kokkos::parallel_for("Kokkos::sort::tiles",
                       SortPolicy(exec, static_cast<int>(tiles), Threads).set_scratch_size(0, scratch),
                       Sort{data, from, count, less});
  int doublings = 0;
  for (std::size_t run = length; run < count; run *= 2) {
    RunPairs const runs{count, length, run, doublings++};
    T* const to = from == data ? buffer : data;
    Kokkos::parallel_for("Kokkos::sort::cuts", RangePolicy<ExecSpace, IndexType<std::int64_t>>(exec, 0, tiles),
                         FindTileCuts<T, Less>{from, cuts, runs, less});
    Kokkos::parallel_for("Kokkos::sort::merge",
                         MergePolicy(exec, static_cast<int>(tiles), Threads).set_scratch_size(0, scratch),
                         Merge{from, to, cuts, runs, less});
    from = to;
  }
}

}  // namespace Kokkos::Impl

#undef KOKKOS_IMPL_UNROLL

#endif
