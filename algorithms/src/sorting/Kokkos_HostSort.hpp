// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_SORTING_HOST_SORT_HPP
#define KOKKOS_SORTING_HOST_SORT_HPP

/// \file
/// Sorts by host threads: the standard library's sort on one thread, merge sort with one run for each thread, and radix
/// sort of numbers. Kernels of host backends have ended when parallel_for returns, so intermediate steps run on the
/// calling thread.

#include <sorting/Kokkos_MergeSort.hpp>
#include <sorting/Kokkos_SortOrder.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace Kokkos::Impl {

/// Objects that own something: positions are sorted, and each object moves once. If the comparator throws, the objects
/// are as they were. If an assignment throws, they are in another order; none is lost, unless it throws a second time
/// when the object that was set aside is put back.
template <class T, class Less>
void sort_objects(T* first, std::size_t count, Less const& less) {
  std::vector<std::size_t> from(count);  // position i gets the object at from[i]
  std::iota(from.begin(), from.end(), std::size_t(0));
  std::stable_sort(from.begin(), from.end(), [&](std::size_t a, std::size_t b) { return less(first[a], first[b]); });
  for (std::size_t i = 0; i < count; ++i) {
    if (from[i] == i) continue;
    T aside          = std::move(first[i]);
    std::size_t hole = i;
    try {
      while (from[hole] != i) {
        first[hole] = std::move(first[from[hole]]);
        hole        = std::exchange(from[hole], hole);
      }
      first[hole] = std::move(aside);
      from[hole]  = hole;
    } catch (...) {
      first[hole] = std::move(aside);
      throw;
    }
  }
}

/// std::sort may access memory outside its range if the comparator contradicts itself; std::stable_sort does not. The
/// default comparison of numbers does not contradict itself.
template <class T, class Less>
void sort_on_one_thread(T* first, T* last, Less const& less) {
  if constexpr (!std::is_trivially_copyable_v<T>)
    sort_objects(first, static_cast<std::size_t>(last - first), less);
  else if constexpr (std::is_arithmetic_v<T> && is_ascending_v<Less>)
    std::sort(first, last, less);
  else
    std::stable_sort(first, last, less);
}

/// The share of `worker` if `count` elements are divided evenly.
struct HostShare {
  std::size_t begin, end;
  HostShare(std::size_t count, std::size_t workers, std::size_t worker)
      : begin(count / workers * worker + std::min(worker, count % workers)),
        end(count / workers * (worker + 1) + std::min(worker + 1, count % workers)) {}
};

template <class T, class Less>
struct SortRuns {
  T* data;
  std::size_t count, run;
  Less less;
  void operator()(std::int64_t i) const {
    std::size_t const begin = static_cast<std::size_t>(i) * run;
    sort_on_one_thread(data + std::min(begin, count), data + std::min(begin + run, count), less);
  }
};

template <class ExecSpace, class T, class Less>
void merge_sort_by_threads(ExecSpace const& exec, T* data, std::size_t count, Less const& less) {
  std::size_t const threads = static_cast<std::size_t>(exec.impl_concurrency());
  // The chunk size must divide every run, and must keep all threads busy in the last pass, too.
  std::size_t const chunk = (count + 2 * threads - 1) / (2 * threads);
  std::size_t const run   = 2 * chunk;
  using Policy            = RangePolicy<ExecSpace, IndexType<std::int64_t>>;
  Kokkos::parallel_for("Kokkos::sort::runs", Policy(exec, 0, (count + run - 1) / run),
                       SortRuns<T, Less>{data, count, run, less});
  auto const buffer = sort_buffer<T>(exec, count);
  merge_runs(exec, data, buffer.data(), count, run, chunk, true, less);
}

// ---- radix sort ----------------------------------------------------------------------------------------------------

inline constexpr int radix_bits               = 8;
inline constexpr std::size_t radix_bins_count = std::size_t(1) << radix_bits;

template <class T>
std::size_t radix_digit(T const& x, int shift) {
  return static_cast<std::size_t>(radix_key(x) >> shift) & (radix_bins_count - 1);
}

/// Each thread counts the digits of its share.
template <class T>
struct CountDigits {
  T const* from;
  std::size_t count, workers;
  std::size_t* counts;  // [worker][digit]
  int shift;
  void operator()(std::int64_t worker) const {
    HostShare const share(count, workers, static_cast<std::size_t>(worker));
    std::size_t own[radix_bins_count] = {};
    for (std::size_t i = share.begin; i < share.end; ++i) ++own[radix_digit(from[i], shift)];
    std::copy(own, own + radix_bins_count, counts + static_cast<std::size_t>(worker) * radix_bins_count);
  }
};

/// Each thread moves its share, in its order, to the start of its part of each digit.
template <class T>
struct MoveByDigit {
  T const* from;
  T* to;
  std::size_t count, workers;
  std::size_t const* offsets;  // [worker][digit]
  int shift;
  void operator()(std::int64_t worker) const {
    HostShare const share(count, workers, static_cast<std::size_t>(worker));
    std::size_t next[radix_bins_count];
    std::copy_n(offsets + static_cast<std::size_t>(worker) * radix_bins_count, radix_bins_count, next);
    for (std::size_t i = share.begin; i < share.end; ++i) to[next[radix_digit(from[i], shift)]++] = from[i];
  }
};

/// Converts counts to offsets, ordered by digit and then by worker.
/// \return False if all elements have the same digit.
inline bool scan_digits(std::vector<std::size_t>& counts, std::size_t count, std::size_t workers) {
  std::size_t offset = 0;
  for (std::size_t digit = 0; digit < radix_bins_count; ++digit) {
    std::size_t const begin = offset;
    for (std::size_t w = 0; w < workers; ++w) {
      std::size_t& cell = counts[w * radix_bins_count + digit];
      offset += std::exchange(cell, offset);
    }
    if (offset - begin == count) return false;
  }
  return true;
}

/// Sorts by the lowest `key_bits` bits of the radix keys; the other bits are equal. Stable.
template <class ExecSpace, class T>
void radix_sort_by_threads(ExecSpace const& exec, T* data, std::size_t count, int key_bits) {
  using Policy              = RangePolicy<ExecSpace, IndexType<std::int64_t>>;
  std::size_t const workers = std::min(static_cast<std::size_t>(exec.impl_concurrency()), count / 1024 + 1);
  auto const buffer         = sort_buffer<T>(exec, count);
  std::vector<std::size_t> counts(workers * radix_bins_count);
  T* from = data;
  T* to   = buffer.data();
  for (int shift = 0; shift < key_bits; shift += radix_bits) {
    Kokkos::parallel_for("Kokkos::sort::count_digits", Policy(exec, 0, workers),
                         CountDigits<T>{from, count, workers, counts.data(), shift});
    if (!scan_digits(counts, count, workers)) continue;
    Kokkos::parallel_for("Kokkos::sort::move_by_digit", Policy(exec, 0, workers),
                         MoveByDigit<T>{from, to, count, workers, counts.data(), shift});
    std::swap(from, to);
  }
  if (from != data) Kokkos::parallel_for("Kokkos::sort::copy", Policy(exec, 0, count), CopyElements<T>{from, data});
}

}  // namespace Kokkos::Impl

#endif
