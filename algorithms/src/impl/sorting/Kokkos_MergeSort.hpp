// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_SORTING_MERGE_SORT_HPP
#define KOKKOS_SORTING_MERGE_SORT_HPP

/// \file
/// Merge sort with the patterns of Core, for every backend, type and order. Runs are sorted first; then each pass
/// merges neighbouring runs from one array into another. A work item writes one chunk of a pass's result, and itself
/// computes the start and end of its parts of the two runs (merge path; Green, McColl, Bader 2012).

#include <impl/sorting/Kokkos_HostMerge.hpp>
#include <impl/sorting/Kokkos_SortInPlace.hpp>
#include <impl/sorting/Kokkos_TileSort.hpp>

#include <Kokkos_ExecPolicy.hpp>
#include <Kokkos_Parallel.hpp>
#include <Kokkos_ScratchSpace.hpp>
#include <Kokkos_View.hpp>
#include <impl/copy/Kokkos_ElementKernels.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

namespace Kokkos::Impl {

/// Memory for `n` elements, in the order of `exec`. Trivial types are not initialized.
template <class T, class ExecSpace>
View<T*, typename ExecSpace::device_type> sort_buffer(ExecSpace const& exec, std::size_t n) {
  if constexpr (std::is_trivially_default_constructible_v<T>)
    return View<T*, typename ExecSpace::device_type>(
        Kokkos::view_alloc(exec, WithoutInitializing, "Kokkos::sort::buffer"), n);
  else
    return View<T*, typename ExecSpace::device_type>(Kokkos::view_alloc(exec, "Kokkos::sort::buffer"), n);
}

template <class T, class Less>
struct MergePass {
  T const* from;
  T* to;
  std::size_t count;
  std::size_t run;    // length of the runs in `from`
  std::size_t chunk;  // number of elements that an item writes; divides 2 * run
  bool by_halving;    // see find_parts
  Less less;

  KOKKOS_FUNCTION void operator()(std::int64_t item) const {
    std::size_t const begin = static_cast<std::size_t>(item) * chunk;
    std::size_t const pair  = begin / (2 * run) * (2 * run);
    std::size_t const limit = at_most(pair + 2 * run);
    Runs const runs{from + pair, from + at_most(pair + run), at_most(pair + run) - pair, limit - at_most(pair + run)};
    std::size_t const first = begin - pair, last = at_most(begin + chunk) - pair;
    std::size_t a = 0, a_end = 0;
    find_parts(runs, first, last, a, a_end);
    std::size_t const b = first - a, b_end = last - a_end;
    KOKKOS_IF_ON_HOST((Impl::merge_on_host(runs.a + a, a_end - a, runs.b + b, b_end - b, to + begin, less);))
    KOKKOS_IF_ON_DEVICE((merge_parts(runs, a, a_end, b, b_end, to + begin);))
  }

 private:
  struct Runs {
    T const* a;
    T const* b;
    std::size_t a_count, b_count;
  };

  KOKKOS_FUNCTION void merge_parts(Runs const& runs, std::size_t a, std::size_t a_end, std::size_t b, std::size_t b_end,
                                   T* out) const {
    while (a < a_end || b < b_end) {
      bool const take_b = a == a_end || (b < b_end && less(runs.b[b], runs.a[a]));
      *out++            = take_b ? runs.b[b++] : runs.a[a++];
    }
  }

  KOKKOS_FUNCTION std::size_t at_most(std::size_t i) const { return i < count ? i : count; }

  /// The number of elements from run a among the first `length` elements of the result; it is between `low` and `high`.
  KOKKOS_FUNCTION std::size_t part_of_a(Runs const& runs, std::size_t length, std::size_t low, std::size_t high) const {
    while (low < high) {
      std::size_t const middle = (low + high) / 2;
      if (less(runs.b[length - 1 - middle], runs.a[middle]))
        high = middle;
      else
        low = middle + 1;
    }
    return low;
  }

  /// The parts of a before `first` and `last`. If the order contradicts itself, the searches of two items could
  /// disagree on the boundary between their parts. By halving, all items cut the result at the same positions, each
  /// within the limits of the previous cut. Then parts never overlap, and each element is merged once. Halving needs
  /// more searches, which is affordable for a few large chunks. Otherwise, parts at least stay inside the runs.
  KOKKOS_FUNCTION void find_parts(Runs const& runs, std::size_t first, std::size_t last, std::size_t& a,
                                  std::size_t& a_end) const {
    if (by_halving) {
      a     = part_by_halving(runs, first);
      a_end = part_by_halving(runs, last);
    } else {
      a     = part_of_a(runs, first, min_part(runs, first), first < runs.a_count ? first : runs.a_count);
      a_end = part_of_a(runs, last, min_part(runs, last), last < runs.a_count ? last : runs.a_count);
      if (a_end < a) a_end = a;
      if (last - first < a_end - a) a_end = a + (last - first);
    }
  }
  KOKKOS_FUNCTION static std::size_t min_part(Runs const& runs, std::size_t length) {
    return length > runs.b_count ? length - runs.b_count : 0;
  }

  KOKKOS_FUNCTION std::size_t part_by_halving(Runs const& runs, std::size_t length) const {
    std::size_t const whole = runs.a_count + runs.b_count;
    // Lengths are multiples of the chunk, except for the total length.
    std::size_t low = 0, high = (whole + chunk - 1) / chunk;
    std::size_t low_part = 0, high_part = runs.a_count;
    if (length == 0) return 0;
    if (length == whole) return runs.a_count;
    for (;;) {
      std::size_t const middle = (low + high) / 2, at = middle * chunk;
      std::size_t const high_length = high * chunk < whole ? high * chunk : whole;
      // Between neighbouring cuts, the positions in a and b must be monotonic.
      std::size_t least = low_part, greatest = low_part + (at - low * chunk);
      if (high_part > high_length - at && least < high_part - (high_length - at))
        least = high_part - (high_length - at);
      if (greatest > high_part) greatest = high_part;
      std::size_t const part = part_of_a(runs, at, least, greatest);
      if (at == length) return part;
      if (at < length) {
        low      = middle;
        low_part = part;
      } else {
        high      = middle;
        high_part = part;
      }
    }
  }
};

template <class T>
struct CopyElements {
  T const* from;
  T* to;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const { to[i] = from[i]; }
};

/// Merges runs of `run` sorted elements until one is left, which is in `data`.
template <class ExecSpace, class T, class Less>
void merge_runs(ExecSpace const& exec, T* data, T* buffer, std::size_t count, std::size_t run, std::size_t max_chunk,
                bool by_halving, Less const& less) {
  using Policy = RangePolicy<ExecSpace, IndexType<std::int64_t>>;
  T* from      = data;
  T* to        = buffer;
  for (; run < count; run *= 2) {
    std::size_t const chunk = run < max_chunk ? run : max_chunk;
    Kokkos::parallel_for("Kokkos::sort::merge", Policy(exec, 0, (count + chunk - 1) / chunk),
                         MergePass<T, Less>{from, to, count, run, chunk, by_halving, less});
    T* const swapped = from;
    from             = to;
    to               = swapped;
  }
  if (from != data) Kokkos::parallel_for("Kokkos::sort::copy", Policy(exec, 0, count), CopyElements<T>{from, data});
}

// ---- devices -------------------------------------------------------------------------------------------------------

/// A team sorts a tile of large elements in scratch memory.
template <class ExecSpace, class T, class Less>
struct SortTiles {
  using Tile = View<T*, typename ExecSpace::scratch_memory_space, MemoryTraits<Unmanaged>>;

  T* data;
  std::size_t count;
  int length;
  Less less;

  template <class Member>
  KOKKOS_FUNCTION void operator()(Member const& member) const {
    std::size_t const first = static_cast<std::size_t>(member.league_rank()) * static_cast<std::size_t>(length);
    int const n = count - first < static_cast<std::size_t>(length) ? static_cast<int>(count - first) : length;
    Tile const tile(member.team_scratch(0), length);
    T* const elements = data + first;
    Kokkos::parallel_for(Kokkos::TeamVectorRange(member, n), [&](int i) { tile(i) = elements[i]; });
    member.team_barrier();
    Impl::sort_together(TeamSorters<Member>{member}, SortItems<Tile, NoValues, Less>{tile, NoValues(), less},
                        static_cast<std::size_t>(n));
    member.team_barrier();
    Kokkos::parallel_for(Kokkos::TeamVectorRange(member, n), [&](int i) { elements[i] = tile(i); });
  }
};

/// The largest power of two whose elements fit into 8 KiB, at most 1024.
template <class T>
constexpr std::size_t sort_tile_length() {
  std::size_t length = 1;
  while (length < 1024 && 2 * length * sizeof(T) <= 8192) length *= 2;
  return length;
}

/// For large elements, and types that cannot be copied as bytes.
template <class ExecSpace, class T, class Less>
void merge_sort_by_runs(ExecSpace const& exec, T* data, std::size_t count, Less const& less) {
  constexpr std::size_t tile = std::is_trivially_copyable_v<T> ? Impl::sort_tile_length<T>() : 1;
  if constexpr (tile > 1) {
    using Tiles     = SortTiles<ExecSpace, T, Less>;
    int const tiles = static_cast<int>((count + tile - 1) / tile);
    Kokkos::parallel_for(
        "Kokkos::sort::tiles",
        TeamPolicy<ExecSpace>(exec, tiles, AUTO).set_scratch_size(0, Kokkos::PerTeam(Tiles::Tile::shmem_size(tile))),
        Tiles{data, count, static_cast<int>(tile), less});
  }
  if (count <= tile) return;
  auto const buffer = Impl::sort_buffer<T>(exec, count);
  Impl::merge_runs(exec, data, buffer.data(), count, tile, 16, false, less);
}

template <class ExecSpace, class T, class Less>
void merge_sort_by_teams(ExecSpace const& exec, T* data, std::size_t count, Less const& less) {
  if constexpr (is_sorted_in_tiles_v<T>) {
    constexpr int threads      = runs_on_host_v<ExecSpace> ? 1 : 256;
    constexpr std::size_t tile = static_cast<std::size_t>(threads * Impl::tile_shape<T>(false).items);
    auto const buffer          = Impl::sort_buffer<T>(exec, count <= tile ? 0 : count);
    auto const cuts            = Impl::sort_buffer<std::size_t>(exec, (count + tile - 1) / tile);
    if constexpr (Impl::tile_shape<T>(true).items != Impl::tile_shape<T>(false).items) {
      if (count >= fewest_in_large_tiles)
        return Impl::sort_in_tiles<threads, true>(exec, data, buffer.data(), cuts.data(), count, less);
    }
    Impl::sort_in_tiles<threads, false>(exec, data, buffer.data(), cuts.data(), count, less);
  } else {
    Impl::merge_sort_by_runs(exec, data, count, less);
  }
}

}  // namespace Kokkos::Impl

#endif
