// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_SORTING_VENDOR_SORT_HPP
#define KOKKOS_SORTING_VENDOR_SORT_HPP

/// \file
/// Sorts from the libraries of GPU vendors: CUB, which is part of the CUDA toolkit, and rocPRIM if it is installed.
///
/// Both put NaNs with a sign before all numbers, so floating-point numbers are sorted by their RadixKey: CUB computes
/// it where it would flip bits itself, and rocPRIM reads it through an iterator, so that neither needs a pass for it.

#include <impl/Kokkos_VendorCall.hpp>
#include <impl/sorting/Kokkos_MergeSort.hpp>
#include <impl/sorting/Kokkos_SortOrder.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

#if defined(KOKKOS_ENABLE_CUDA) && defined(__CUDACC__)
#define KOKKOS_IMPL_SORT_BY_CUB
#include <cub/device/device_merge_sort.cuh>
#include <cub/device/device_radix_sort.cuh>
#elif defined(KOKKOS_ENABLE_HIP) && (defined(__HIPCC__) || defined(KOKKOS_IMPL_GPU_MODEL)) && \
    __has_include(<rocprim/rocprim.hpp>)
#define KOKKOS_IMPL_SORT_BY_ROCPRIM
#include <rocprim/rocprim.hpp>
#endif

namespace Kokkos::Impl {

/// The library's radix sorts for an execution space: types with radix keys in ascending order, alone or each with a
/// value, in place.
template <class ExecSpace>
struct VendorSort {
  static constexpr bool exists = false;
};

template <class ExecSpace, class Sort>
void run_vendor_sort(ExecSpace const& exec, Sort const& sort) {
  Impl::call_vendor(exec, "Kokkos::sort", "Kokkos::sort", sort);
}

}  // namespace Kokkos::Impl

#ifdef KOKKOS_IMPL_SORT_BY_CUB
namespace Kokkos::Impl {
/// A floating-point number that CUB sorts by its RadixKey.
template <class T>
struct NumberForCub {
  typename RadixKey<T>::Bits bits;
};
}  // namespace Kokkos::Impl

/// CUB's customisation point for keys. Its own names for what the keys are turned into and back: "twiddle".
template <class T>
struct cub::NumericTraits<Kokkos::Impl::NumberForCub<T>> {
  using Key          = Kokkos::Impl::RadixKey<T>;
  using UnsignedBits = typename Key::Bits;

  // Bits that come first and last.
  static constexpr UnsignedBits LOWEST_KEY = Key::to_bits(0);
  static constexpr UnsignedBits MAX_KEY    = Key::to_bits(static_cast<UnsignedBits>(~UnsignedBits(0)));

  KOKKOS_FUNCTION static constexpr UnsignedBits TwiddleIn(UnsignedBits bits) { return Key::of(bits); }
  KOKKOS_FUNCTION static constexpr UnsignedBits TwiddleOut(UnsignedBits key) { return Key::to_bits(key); }

  // For CUB's choice of parameters: as fast as a built-in type. Integers, because for floating-point numbers CUB would
  // also look for -0.
  static constexpr bool is_primitive = true;
#if CUB_VERSION < 300000
  static constexpr Category CATEGORY = UNSIGNED_INTEGER;
  enum { PRIMITIVE = true, NULL_TYPE = false };
#endif
};

namespace Kokkos::Impl {

/// How CUB sees a key. Integers of one size and sign share an instantiation of its kernels, and CUB does not support
/// all of their types.
template <class T>
using cub_key_t = std::conditional_t<
    std::is_integral_v<T>,
    std::conditional_t<std::is_signed_v<T>, std::make_signed_t<typename UnsignedOfSize<sizeof(T)>::type>,
                       typename UnsignedOfSize<sizeof(T)>::type>,
    NumberForCub<T>>;

template <>
struct VendorSort<Cuda> {
  static constexpr bool exists = true;

  template <class T>
  static void sort(Cuda const& exec, T* elements, std::size_t count) {
    using Key         = cub_key_t<T>;
    auto const buffer = sort_buffer<Key>(exec, count);
    auto* const keys  = reinterpret_cast<Key*>(elements);
    cub::DoubleBuffer<Key> both(keys, buffer.data());
    run_vendor_sort(exec, [&](void* memory, std::size_t& bytes) {
      return cub::DeviceRadixSort::SortKeys(memory, bytes, both, count, 0, 8 * sizeof(Key),
                                            exec.impl_instance().stream());
    });
    bring_back(exec, both, keys, count);
  }

  template <class T, class Value>
  static void sort_pairs(Cuda const& exec, T* elements, Value* values, std::size_t count, int key_bits) {
    using Key               = cub_key_t<T>;
    auto* const keys        = reinterpret_cast<Key*>(elements);
    auto const key_buffer   = sort_buffer<Key>(exec, count);
    auto const value_buffer = sort_buffer<Value>(exec, count);
    cub::DoubleBuffer<Key> both_keys(keys, key_buffer.data());
    cub::DoubleBuffer<Value> both_values(values, value_buffer.data());
    run_vendor_sort(exec, [&](void* memory, std::size_t& bytes) {
      return cub::DeviceRadixSort::SortPairs(memory, bytes, both_keys, both_values, count, 0, key_bits,
                                             exec.impl_instance().stream());
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
    static_assert(std::is_same_v<Key, cub_key_t<Key>>);
    cub::DoubleBuffer<Key> both_keys(keys, other_keys);
    cub::DoubleBuffer<Value> both_values(values, other_values);
    run_vendor_sort(exec, [&](void* memory, std::size_t& bytes) {
      return cub::DeviceRadixSort::SortPairs(memory, bytes, both_keys, both_values, count, 0, key_bits,
                                             exec.impl_instance().stream());
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

}  // namespace Kokkos::Impl
#endif

#ifdef KOKKOS_IMPL_SORT_BY_ROCPRIM
namespace Kokkos::Impl {

template <class T>
struct MakeRadixKey {
  KOKKOS_FUNCTION auto operator()(T const& x) const { return Impl::radix_key(x); }
};
template <class T>
struct TakeRadixKeys {
  typename RadixKey<T>::Bits const* keys;
  T* to;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const { to[i] = std::bit_cast<T>(RadixKey<T>::to_bits(keys[i])); }
};

/// The type in which rocPRIM moves keys: it reads integers without an iterator.
template <class T>
using rocprim_key_t = std::conditional_t<std::is_integral_v<T>, T, typename RadixKey<T>::Bits>;

template <>
struct VendorSort<HIP> {
  static constexpr bool exists = true;

  template <class T>
  static void sort(HIP const& exec, T* elements, std::size_t count) {
    auto const sorted_keys = Impl::sort_buffer<rocprim_key_t<T>>(exec, count);
    Impl::run_vendor_sort(exec, [&](void* memory, std::size_t& bytes) {
      return rocprim::radix_sort_keys(memory, bytes, keys_of(elements), sorted_keys.data(), count, 0, 8 * sizeof(T),
                                      exec.impl_instance().stream());
    });
    bring_back(exec, sorted_keys.data(), elements, count);
  }

  template <class T, class Value>
  static void sort_pairs(HIP const& exec, T* elements, Value* values, std::size_t count, int key_bits) {
    auto const sorted_keys   = Impl::sort_buffer<rocprim_key_t<T>>(exec, count);
    auto const sorted_values = Impl::sort_buffer<Value>(exec, count);
    Impl::run_vendor_sort(exec, [&](void* memory, std::size_t& bytes) {
      return rocprim::radix_sort_pairs(memory, bytes, keys_of(elements), sorted_keys.data(), values,
                                       sorted_values.data(), count, 0, key_bits, exec.impl_instance().stream());
    });
    bring_back(exec, sorted_keys.data(), elements, count);
    bring_back(exec, sorted_values.data(), values, count);
  }

  /// See VendorSort<Cuda>.
  static constexpr bool ends_in_first(int) { return false; }

  template <class Key, class Value>
  static Key* sort_new_pairs(HIP const& exec, Key* keys, Key* other_keys, Value* values, Value* other_values, Value*,
                             std::size_t count, int key_bits) {
    static_assert(std::is_unsigned_v<Key>);
    Impl::run_vendor_sort(exec, [&](void* memory, std::size_t& bytes) {
      return rocprim::radix_sort_pairs(memory, bytes, keys, other_keys, values, other_values, count, 0, key_bits,
                                       exec.impl_instance().stream());
    });
    return other_keys;
  }

 private:
  template <class T>
  static auto keys_of(T const* elements) {
    if constexpr (std::is_integral_v<T>)
      return elements;
    else
      return rocprim::make_transform_iterator(elements, MakeRadixKey<T>());
  }
  template <class Sorted, class T>
  static void bring_back(HIP const& exec, Sorted const* sorted, T* to, std::size_t count) {
    using Copy = std::conditional_t<std::is_same_v<Sorted, T>, CopyElements<T>, TakeRadixKeys<T>>;
    Kokkos::parallel_for("Kokkos::sort::copy", RangePolicy<HIP, IndexType<std::int64_t>>(exec, 0, count),
                         Copy{sorted, to});
  }
};

}  // namespace Kokkos::Impl
#endif

#endif
