// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_SORTING_HOST_MERGE_HPP
#define KOKKOS_SORTING_HOST_MERGE_HPP

/// \file
/// Stable merges, and a merge sort, of trivially copyable elements by one host thread.
///
/// Which of two runs has the next element is unpredictable, so a branch on it is expensive. The merges here select by
/// arithmetic instead. A selection then waits for the comparison before it. So each merge is cut into two halves, which
/// advance alternately, independently of each other.
///
/// If an order contradicts itself, the result is another permutation: every element is still merged exactly once.

#include <algorithm>
#include <cstddef>
#include <memory>
#include <new>
#include <utility>

namespace Kokkos::Impl {

/// The rest of a merge of the runs [a, a_end) and [b, b_end) into `out`.
template <class T>
struct HostMerge {
  T const *a, *a_end;
  T const *b, *b_end;
  T* out;

  /// The number of steps before one of the runs may have ended.
  std::size_t safe_steps() const { return static_cast<std::size_t>(std::min(a_end - a, b_end - b)); }

  template <class Less>
  void step(Less const& less) {
    bool const takes_b  = less(*b, *a);
    T const* const next = takes_b ? b : a;
    *out++              = *next;
    b += takes_b;
    a += !takes_b;
  }
  template <class Less>
  void finish(Less const& less) {
    while (a != a_end && b != b_end) step(less);
    std::copy(b, b_end, std::copy(a, a_end, out));
  }
};

/// The number of elements of run a among the first `length` elements of the result.
template <class T, class Less>
std::size_t host_part_of_a(T const* a, std::size_t a_count, T const* b, std::size_t b_count, std::size_t length,
                           Less const& less) {
  std::size_t low = length > b_count ? length - b_count : 0, high = std::min(length, a_count);
  while (low < high) {
    std::size_t const middle = (low + high) / 2;
    if (less(b[length - 1 - middle], a[middle]))
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

/// Merges two runs into `out`, which does not overlap them.
template <class T, class Less>
void merge_on_host(T const* a, std::size_t a_count, T const* b, std::size_t b_count, T* out, Less const& less) {
  if (a_count == 0 || b_count == 0 || !less(b[0], a[a_count - 1])) {
    std::copy(b, b + b_count, std::copy(a, a + a_count, out));
    return;
  }
  std::size_t const half   = (a_count + b_count) / 2;
  std::size_t const a_half = Impl::host_part_of_a(a, a_count, b, b_count, half, less), b_half = half - a_half;
  HostMerge<T> low{a, a + a_half, b, b + b_half, out};
  HostMerge<T> high{a + a_half, a + a_count, b + b_half, b + b_count, out + half};
  while (std::size_t steps = std::min(low.safe_steps(), high.safe_steps())) {
    for (; steps > 0; --steps) {
      low.step(less);
      high.step(less);
    }
  }
  low.finish(less);
  high.finish(less);
}

template <class T, class Less>
void insertion_sort_on_host(T* first, T* last, Less const& less) {
  for (T* next = first; next != last; ++next) {
    T const value = *next;
    T* hole       = next;
    for (; hole != first && less(value, hole[-1]); --hole) *hole = hole[-1];
    *hole = value;
  }
}

/// Merges neighbouring runs of `run` elements until they have `length` elements, alternately into `to` and `from`.
/// Afterwards `from` is the array with the result.
template <class T, class Less>
void merge_runs_on_host(T*& from, T*& to, std::size_t count, std::size_t run, std::size_t length, Less const& less) {
  for (; run < length; run *= 2) {
    for (std::size_t begin = 0; begin < count; begin += 2 * run) {
      std::size_t const middle = std::min(count, begin + run), end = std::min(count, begin + 2 * run);
      Impl::merge_on_host(from + begin, middle - begin, from + middle, end - middle, to + begin, less);
    }
    std::swap(from, to);
  }
}

/// Stable. `buffer` has as many elements as `data`.
template <class T, class Less>
void merge_sort_on_host(T* data, T* buffer, std::size_t count, Less const& less) {
  constexpr std::size_t run = 16;
  // A block and its copy fit into a core's cache, so several passes over a block read memory once. The number of passes
  // over a whole block is even, so their result is in `data` again.
  constexpr std::size_t block = run * (sizeof(T) > 64 ? 4 : sizeof(T) > 16 ? 64 : 1024);
  for (std::size_t begin = 0; begin < count; begin += block) {
    std::size_t const length = std::min(block, count - begin);
    for (std::size_t i = 0; i < length; i += run)
      Impl::insertion_sort_on_host(data + begin + i, data + begin + std::min(length, i + run), less);
    T* from = data + begin;
    T* to   = buffer + begin;
    Impl::merge_runs_on_host(from, to, length, run, length, less);
    if (from != data + begin) std::copy(from, from + length, data + begin);
  }
  T* from = data;
  T* to   = buffer;
  Impl::merge_runs_on_host(from, to, count, block, count, less);
  if (from != data) std::copy(from, from + count, data);
}

/// Like `merge_sort_on_host` above, with a buffer of its own; without enough memory for one, by the standard library.
template <class T, class Less>
void merge_sort_on_host(T* data, std::size_t count, Less const& less) {
  struct Free {
    void operator()(void* p) const { ::operator delete(p, std::align_val_t(alignof(T))); }
  };
  std::unique_ptr<void, Free> const buffer(
      ::operator new(count * sizeof(T), std::align_val_t(alignof(T)), std::nothrow));
  if (buffer)
    Impl::merge_sort_on_host(data, static_cast<T*>(buffer.get()), count, less);
  else
    std::stable_sort(data, data + count, less);
}

}  // namespace Kokkos::Impl

#endif
