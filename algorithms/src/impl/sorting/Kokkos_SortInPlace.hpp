// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_SORTING_SORT_IN_PLACE_HPP
#define KOKKOS_SORTING_SORT_IN_PLACE_HPP

/// \file
/// Sorts that need no memory: by one thread, and by the threads of a team or the lanes of a thread. They access
/// elements only by number: `items.less(i, j)` compares two of them, `items.swap(i, j)` swaps them. Elements are only
/// swapped, so the result is a permutation for any comparator.

#include <Kokkos_NestedPatterns.hpp>
#include <Kokkos_Swap.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace Kokkos::Impl {

struct NoValues {};

/// The elements of a view of keys, or of a view of keys and one of values.
template <class Keys, class Values, class Less>
struct SortItems {
  Keys const& keys;
  Values const& values;
  Less const& comparator;

  KOKKOS_FUNCTION bool less(std::size_t i, std::size_t j) const { return comparator(keys(i), keys(j)); }
  KOKKOS_FUNCTION void swap(std::size_t i, std::size_t j) const {
    Kokkos::kokkos_swap(keys(i), keys(j));
    if constexpr (!std::is_same_v<Values, NoValues>) Kokkos::kokkos_swap(values(i), values(j));
  }
  /// Swaps both elements if the second one is less. Loads a number once: the compiler would load it again for the swap,
  /// because the comparator might change it.
  template <class Index>
  KOKKOS_FUNCTION void put_in_order(Index i, Index j) const {
    using Key = typename Keys::non_const_value_type;
    if constexpr (std::is_arithmetic_v<Key>) {
      Key const first = keys(i), second = keys(j);
      if (!comparator(second, first)) return;
      keys(i) = second;
      keys(j) = first;
      if constexpr (!std::is_same_v<Values, NoValues>) Kokkos::kokkos_swap(values(i), values(j));
    } else {
      if (less(j, i)) swap(i, j);
    }
  }
};

/// Insertion sort of up to 16 elements, heap sort of more: no recursion, so it runs on devices.
template <class Items>
KOKKOS_FUNCTION void sort_alone(Items const& items, std::size_t n) {
  if (n <= 16) {
    for (std::size_t i = 1; i < n; ++i)
      for (std::size_t j = i; j > 0 && items.less(j, j - 1); --j) items.swap(j, j - 1);
    return;
  }
  auto const sift_down = [&](std::size_t root, std::size_t end) {
    for (std::size_t child = 2 * root + 1; child < end; child = 2 * root + 1) {
      if (child + 1 < end && items.less(child, child + 1)) ++child;
      if (!items.less(root, child)) return;
      items.swap(root, child);
      root = child;
    }
  };
  for (std::size_t root = n / 2; root-- > 0;) sift_down(root, n);
  for (std::size_t end = n - 1; end > 0; --end) {
    items.swap(0, end);
    sift_down(0, end);
  }
}

/// The threads and lanes of a team.
template <class Member>
struct TeamSorters {
  Member const& member;
  KOKKOS_FUNCTION int count() const { return member.team_size() * member.impl_vector_length(); }
  KOKKOS_FUNCTION bool is_first() const { return member.team_rank() == 0 && member.impl_vector_rank() == 0; }
  KOKKOS_FUNCTION void barrier() const { member.team_barrier(); }
  template <class Index>
  KOKKOS_FUNCTION auto range(Index n) const {
    return Kokkos::TeamVectorRange(member, n);
  }
};

/// The lanes of a thread.
template <class Member>
struct ThreadSorters {
  Member const& member;
  KOKKOS_FUNCTION int count() const { return member.impl_vector_length(); }
  KOKKOS_FUNCTION bool is_first() const { return member.impl_vector_rank() == 0; }
  // A parallel_for over the lanes ends with a barrier of these.
  KOKKOS_FUNCTION void barrier() const {}
  template <class Index>
  KOKKOS_FUNCTION auto range(Index n) const {
    return Kokkos::ThreadVectorRange(member, n);
  }
};

/// Positions of the sort below have 32 bits, and it computes some beyond the end of the range.
KOKKOS_FORCEINLINE_FUNCTION constexpr bool one_worker_sorts(int workers, std::size_t n) {
  return workers == 1 || n > std::size_t(1) << 30;
}

/// Bitonic sort (Batcher 1968). Two runs of 2^run elements become one by comparing mirrored elements, then elements at
/// decreasing distances 2^step. All comparators point upwards, so elements beyond n, which would be greater than all
/// others, need not exist. Positions are computed by shifts, because a GPU divides integers in software, and have 32 bits,
/// which takes half of the instructions.
template <class Sorters, class Items>
KOKKOS_FUNCTION void sort_together(Sorters const& sorters, Items const& items, std::size_t n) {
  using Index = std::uint32_t;
  if (Impl::one_worker_sorts(sorters.count(), n)) {
    Kokkos::parallel_for(sorters.range(1), [&](int) { Impl::sort_alone(items, n); });
    sorters.barrier();
    return;
  }
  auto const size = static_cast<Index>(n);
  Index padded    = 1;
  while (padded < size) padded *= 2;
  auto const put_in_order = [&](Index i, Index j) {
    if (j < size) items.put_in_order(i, j);
  };
  for (unsigned run = 0; (Index(1) << run) < padded; ++run) {
    Kokkos::parallel_for(sorters.range(padded / 2), [&](Index pair) {
      Index const number = pair >> run, first = number << (run + 1), offset = pair - (number << run);
      put_in_order(first + offset, first + (Index(2) << run) - 1 - offset);
    });
    sorters.barrier();
    for (unsigned step = run; step-- > 0;) {
      Kokkos::parallel_for(sorters.range(padded / 2), [&](Index pair) {
        Index const i = pair + (pair >> step << step);
        put_in_order(i, i + (Index(1) << step));
      });
      sorters.barrier();
    }
  }
}

}  // namespace Kokkos::Impl

#endif
