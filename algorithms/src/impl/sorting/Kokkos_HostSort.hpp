// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_SORTING_HOST_SORT_HPP
#define KOKKOS_SORTING_HOST_SORT_HPP

/// \file
/// Sorts by host threads: the standard library's sort on one thread, merge sort with one run for each thread, and radix
/// sort of numbers. Kernels of host backends have ended when parallel_for returns, so intermediate steps run on the
/// calling thread.

#include <impl/sorting/Kokkos_HostMerge.hpp>
#include <impl/sorting/Kokkos_MergeSort.hpp>
#include <impl/sorting/Kokkos_SortOrder.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

namespace Kokkos::Impl {

/// For objects that own something: sorts positions, and then moves each object once. If the comparator throws, the
/// objects are as they were. If an assignment throws, they are in another order; none is lost, unless it throws a
/// second time when the object that was set aside is put back.
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

/// Fewer keys are compared, which takes less time than to sum the counts of 256 digits for each byte.
template <class T>
inline constexpr std::size_t min_count_of_byte_sort = 100 * sizeof(T);

/// Sorts unsigned integers by one byte after the other. The time does not depend on their order, which no processor
/// predicts in comparisons. The memory has 2 * count elements, count < 2^32; \return the first of the sorted ones.
template <class Bits>
Bits* sort_by_bytes(Bits* from, std::size_t count) {
  constexpr std::size_t digits = sizeof(Bits), bins = 256;
  auto const digit_of = [](Bits key, std::size_t digit) {
    return static_cast<std::size_t>(key >> (8 * digit)) & (bins - 1);
  };
  std::uint32_t counts[digits][bins] = {};
  Bits* to                           = from + count;
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t digit = 0; digit < digits; ++digit) ++counts[digit][digit_of(from[i], digit)];
  for (std::size_t digit = 0; digit < digits; ++digit) {
    auto& next = counts[digit];
    if (next[digit_of(from[0], digit)] == count) continue;  // all keys have this one
    std::uint32_t offset = 0;
    for (std::uint32_t& bin : next) offset += std::exchange(bin, offset);
    for (std::size_t i = 0; i < count; ++i) to[next[digit_of(from[i], digit)]++] = from[i];
    std::swap(from, to);
  }
  return from;
}

/// Sorts numbers by their radix keys: a comparison of integers is shorter than one of numbers that may be NaNs. Many
/// numbers are worth the conversions.
template <class T>
void sort_by_radix_keys(T* first, T* last) {
  using Bits       = typename RadixKey<T>::Bits;
  auto const count = static_cast<std::size_t>(last - first);
  if (count < (has_nan_v<T> ? 32 : min_count_of_byte_sort<T>)) return std::sort(first, last, Ascending());
  auto const keys = std::make_unique_for_overwrite<Bits[]>(2 * count);
  Bits* sorted    = keys.get();
  std::transform(first, last, sorted, [](T const& x) { return Impl::radix_key(x); });
  if (count < min_count_of_byte_sort<T> || count > 0xffffffffu)
    std::sort(sorted, sorted + count);
  else
    sorted = Impl::sort_by_bytes(sorted, count);
  std::transform(sorted, sorted + count, first, [](Bits key) { return std::bit_cast<T>(RadixKey<T>::to_bits(key)); });
}

/// Programs often sort what is sorted already, and a radix sort takes as long for that as for other orders. Ends at the
/// first two elements that are not in order.
template <class T, class Less>
bool is_sorted_on_host(T const* first, std::size_t count, Less const& less) {
  for (std::size_t i = 1; i < count; ++i) {
    if (less(first[i], first[i - 1])) return false;
  }
  return true;
}

/// std::sort may access memory outside its range if the comparator contradicts itself, and is slower than our merges.
/// The default comparison of numbers does not contradict itself.
template <class T, class Less>
void sort_on_one_thread(T* first, T* last, Less const& less) {
  if constexpr (!std::is_trivially_copyable_v<T>)
    Impl::sort_objects(first, static_cast<std::size_t>(last - first), less);
  else if constexpr (std::is_arithmetic_v<T> && has_radix_key_v<T> && is_ascending_v<Less>)
    Impl::sort_by_radix_keys(first, last);
  else if constexpr (std::is_arithmetic_v<T> && is_ascending_v<Less>)
    std::sort(first, last, less);
  else
    Impl::merge_sort_on_host(first, static_cast<std::size_t>(last - first), less);
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
  T* buffer;
  std::size_t count, run;
  Less less;
  void operator()(std::int64_t i) const {
    std::size_t const begin = static_cast<std::size_t>(i) * run, end = std::min(begin + run, count);
    Impl::merge_sort_on_host(data + begin, buffer + begin, end - begin, less);
  }
};

template <class ExecSpace, class T, class Less>
void merge_sort_by_threads(ExecSpace const& exec, T* data, std::size_t count, Less const& less) {
  std::size_t const threads = static_cast<std::size_t>(exec.impl_concurrency());
  // The chunk size must divide every run, and must keep all threads busy in the last pass, too.
  std::size_t const chunk = (count + 2 * threads - 1) / (2 * threads);
  std::size_t const run   = 2 * chunk;
  using Policy            = RangePolicy<ExecSpace, IndexType<std::int64_t>>;
  auto const buffer       = Impl::sort_buffer<T>(exec, count);
  Kokkos::parallel_for("Kokkos::sort::runs", Policy(exec, 0, (count + run - 1) / run),
                       SortRuns<T, Less>{data, buffer.data(), count, run, less});
  Impl::merge_runs(exec, data, buffer.data(), count, run, chunk, true, less);
}

// ---- radix sort ----------------------------------------------------------------------------------------------------

inline constexpr int max_radix_bits         = 9;
inline constexpr std::size_t max_radix_bins = std::size_t(1) << max_radix_bits;

/// Consecutive bits of the radix keys.
struct RadixDigit {
  int shift;
  std::size_t bins;

  template <class T>
  std::size_t operator()(T const& x) const {
    return static_cast<std::size_t>(Impl::radix_key(x) >> shift) & (bins - 1);
  }
};

/// The fewest bits for a digit with which `key_bits` bits take as few passes as possible.
constexpr int radix_digit_bits(int key_bits) {
  int const passes = (key_bits + max_radix_bits - 1) / max_radix_bits;
  return (key_bits + passes - 1) / passes;
}

/// Each thread counts the digits of its share.
template <class T>
struct CountDigits {
  T const* from;
  std::size_t count, workers;
  std::size_t* counts;  // [worker][digit]
  RadixDigit digit;
  void operator()(std::int64_t worker) const {
    HostShare const share(count, workers, static_cast<std::size_t>(worker));
    std::size_t own[max_radix_bins] = {};
    for (std::size_t i = share.begin; i < share.end; ++i) ++own[digit(from[i])];
    std::copy(own, own + digit.bins, counts + static_cast<std::size_t>(worker) * digit.bins);
  }
};

/// Each thread moves its share, in its order, to the start of its part of each digit.
template <class T>
struct MoveByDigit {
  T const* from;
  T* to;
  std::size_t count, workers;
  std::size_t const* offsets;  // [worker][digit]
  RadixDigit digit;
  void operator()(std::int64_t worker) const {
    HostShare const share(count, workers, static_cast<std::size_t>(worker));
    std::size_t next[max_radix_bins];
    std::copy_n(offsets + static_cast<std::size_t>(worker) * digit.bins, digit.bins, next);
    for (std::size_t i = share.begin; i < share.end; ++i) to[next[digit(from[i])]++] = from[i];
  }
};

/// Converts counts to offsets, ordered by digit and then by worker.
/// \return False if all elements have the same digit.
inline bool scan_digits(std::vector<std::size_t>& counts, std::size_t count, std::size_t workers, std::size_t bins) {
  std::size_t offset = 0;
  for (std::size_t digit = 0; digit < bins; ++digit) {
    std::size_t const begin = offset;
    for (std::size_t w = 0; w < workers; ++w) {
      std::size_t& cell = counts[w * bins + digit];
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
  auto const buffer         = Impl::sort_buffer<T>(exec, count);
  int const bits            = radix_digit_bits(key_bits);
  std::size_t const bins    = std::size_t(1) << bits;
  std::vector<std::size_t> counts(workers * bins);
  T* from = data;
  T* to   = buffer.data();
  for (int shift = 0; shift < key_bits; shift += bits) {
    RadixDigit const digit{shift, bins};
    Kokkos::parallel_for("Kokkos::sort::count_digits", Policy(exec, 0, workers),
                         CountDigits<T>{from, count, workers, counts.data(), digit});
    if (!scan_digits(counts, count, workers, bins)) continue;
    Kokkos::parallel_for("Kokkos::sort::move_by_digit", Policy(exec, 0, workers),
                         MoveByDigit<T>{from, to, count, workers, counts.data(), digit});
    std::swap(from, to);
  }
  if (from != data) Kokkos::parallel_for("Kokkos::sort::copy", Policy(exec, 0, count), CopyElements<T>{from, data});
}

}  // namespace Kokkos::Impl

#endif
