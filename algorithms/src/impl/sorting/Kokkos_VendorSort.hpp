// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_SORTING_VENDOR_SORT_HPP
#define KOKKOS_SORTING_VENDOR_SORT_HPP

/// \file
/// Sorts from the libraries of GPU vendors: CUB, which is part of the CUDA toolkit, and rocPRIM if it is installed.

#include <impl/sorting/Kokkos_MergeSort.hpp>
#include <impl/sorting/Kokkos_SortOrder.hpp>

#include <cstddef>
#include <string>
#include <type_traits>

#if defined(KOKKOS_ENABLE_CUDA) && defined(__CUDACC__)
#define KOKKOS_IMPL_SORT_BY_CUB
#include <cub/device/device_merge_sort.cuh>
#include <cub/device/device_radix_sort.cuh>
#elif defined(KOKKOS_ENABLE_HIP) && defined(__HIPCC__) && __has_include(<rocprim/rocprim.hpp>)
#define KOKKOS_IMPL_SORT_BY_ROCPRIM
#include <rocprim/rocprim.hpp>
#endif

namespace Kokkos::Impl {

[[noreturn]] void throw_runtime_exception(std::string const& sentence);

/// The library's radix sorts for an execution space: numbers in ascending order, alone or each with a value, in place.
template <class ExecSpace>
struct VendorSort {
  static constexpr bool exists = false;
};

/// Calls sort(nullptr, bytes), which sets `bytes` to the required memory, then sort(memory, bytes).
template <class ExecSpace, class Sort>
void run_vendor_sort(ExecSpace const& exec, Sort const& sort) {
  std::size_t bytes = 0;
  auto const check  = [](auto status) {
    if (static_cast<int>(status) != 0)
      throw_runtime_exception("Kokkos::sort: the sorting library of the GPU's vendor failed with error " +
                               std::to_string(static_cast<int>(status)) + ".");
  };
  check(sort(nullptr, bytes));
  auto const memory = Impl::sort_buffer<char>(exec, bytes + 1);
  check(sort(static_cast<void*>(memory.data()), bytes));
}

#ifdef KOKKOS_IMPL_SORT_BY_CUB
template <>
struct VendorSort<Cuda> {
  static constexpr bool exists = true;

  template <class Key>
  static void sort(Cuda const& exec, Key* keys, std::size_t count) {
    auto const buffer = sort_buffer<Key>(exec, count);
    cub::DoubleBuffer<Key> both(keys, buffer.data());
    run_vendor_sort(exec, [&](void* memory, std::size_t& bytes) {
      return cub::DeviceRadixSort::SortKeys(memory, bytes, both, count, 0, 8 * sizeof(Key), exec.cuda_stream());
    });
    bring_back(exec, both, keys, count);
  }

  template <class Key, class Value>
  static void sort_pairs(Cuda const& exec, Key* keys, Value* values, std::size_t count, int key_bits) {
    auto const key_buffer   = sort_buffer<Key>(exec, count);
    auto const value_buffer = sort_buffer<Value>(exec, count);
    cub::DoubleBuffer<Key> both_keys(keys, key_buffer.data());
    cub::DoubleBuffer<Value> both_values(values, value_buffer.data());
    run_vendor_sort(exec, [&](void* memory, std::size_t& bytes) {
      return cub::DeviceRadixSort::SortPairs(memory, bytes, both_keys, both_values, count, 0, key_bits,
                                             exec.cuda_stream());
    });
    bring_back(exec, both_keys, keys, count);
    bring_back(exec, both_values, values, count);
  }

  /// Whether sort_new_pairs will probably leave the values in the first array: it moves them once for every eight bits
  /// of the keys.
  static constexpr bool ends_in_first(int key_bits) { return (key_bits + 7) / 8 % 2 == 0; }

  /// Sorts pairs in either of two arrays. \returns the sorted keys, which are in either array
  template <class Key, class Value>
  static Key* sort_new_pairs(Cuda const& exec, Key* keys, Key* other_keys, Value* values, Value* other_values,
                             Value* sorted_values, std::size_t count, int key_bits) {
    cub::DoubleBuffer<Key> both_keys(keys, other_keys);
    cub::DoubleBuffer<Value> both_values(values, other_values);
    run_vendor_sort(exec, [&](void* memory, std::size_t& bytes) {
      return cub::DeviceRadixSort::SortPairs(memory, bytes, both_keys, both_values, count, 0, key_bits,
                                             exec.cuda_stream());
    });
    bring_back(exec, both_values, sorted_values, count);
    return both_keys.Current();
  }

 private:
  template <class T>
  static void bring_back(Cuda const& exec, cub::DoubleBuffer<T> const& both, T* to, std::size_t count) {
    T const* const sorted = both.d_buffers[both.selector];
    if (sorted != to)
      Kokkos::parallel_for("Kokkos::sort::copy", RangePolicy<Cuda, IndexType<std::int64_t>>(exec, 0, count),
                           CopyElements<T>{sorted, to});
  }
};
#endif

#ifdef KOKKOS_IMPL_SORT_BY_ROCPRIM
template <>
struct VendorSort<HIP> {
  static constexpr bool exists = true;

  template <class Key>
  static void sort(HIP const& exec, Key* keys, std::size_t count) {
    auto const buffer = sort_buffer<Key>(exec, count);
    run_vendor_sort(exec, [&](void* memory, std::size_t& bytes) {
      return rocprim::radix_sort_keys(memory, bytes, keys, buffer.data(), count, 0, 8 * sizeof(Key), exec.hip_stream());
    });
    bring_back(exec, buffer.data(), keys, count);
  }

  template <class Key, class Value>
  static void sort_pairs(HIP const& exec, Key* keys, Value* values, std::size_t count, int key_bits) {
    auto const key_buffer   = sort_buffer<Key>(exec, count);
    auto const value_buffer = sort_buffer<Value>(exec, count);
    run_vendor_sort(exec, [&](void* memory, std::size_t& bytes) {
      return rocprim::radix_sort_pairs(memory, bytes, keys, key_buffer.data(), values, value_buffer.data(), count, 0,
                                       key_bits, exec.hip_stream());
    });
    bring_back(exec, key_buffer.data(), keys, count);
    bring_back(exec, value_buffer.data(), values, count);
  }

  /// See VendorSort<Cuda>.
  static constexpr bool ends_in_first(int) { return false; }

  template <class Key, class Value>
  static Key* sort_new_pairs(HIP const& exec, Key* keys, Key* other_keys, Value* values, Value* other_values, Value*,
                             std::size_t count, int key_bits) {
    run_vendor_sort(exec, [&](void* memory, std::size_t& bytes) {
      return rocprim::radix_sort_pairs(memory, bytes, keys, other_keys, values, other_values, count, 0, key_bits,
                                       exec.hip_stream());
    });
    return other_keys;
  }

 private:
  template <class T>
  static void bring_back(HIP const& exec, T const* sorted, T* to, std::size_t count) {
    Kokkos::parallel_for("Kokkos::sort::copy", RangePolicy<HIP, IndexType<std::int64_t>>(exec, 0, count),
                         CopyElements<T>{sorted, to});
  }
};
#endif

}  // namespace Kokkos::Impl

#endif
