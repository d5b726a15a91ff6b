// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_SORTING_SORT_ORDER_HPP
#define KOKKOS_SORTING_SORT_ORDER_HPP

/// \file
/// The orders of sorts: the default order, keys with the position of their value, and keys as unsigned integers.

#include <Kokkos_Macros.hpp>
#include <Kokkos_NumericTraits.hpp>
#include <impl/numerics/Kokkos_HalfNumber.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace Kokkos::Impl {

/// Whether a T can be a NaN.
template <class T>
inline constexpr bool has_nan_v = std::is_floating_point_v<T> || is_half_precision_v<T>;

/// operator<, with NaNs after all numbers. NaNs are unordered for operator<, which would violate the sorts'
/// requirements.
struct Ascending {
  template <class T>
  KOKKOS_FUNCTION constexpr bool operator()(T const& a, T const& b) const {
    if constexpr (has_nan_v<T>)
      return a < b || (b != b && a == a);
    else
      return a < b;
  }
};

/// A key, and the position of its value before the sort.
template <class Key, class Index>
struct IndexedKey {
  Key key;
  Index index;
};

/// Compares keys; with `ByIndex`, equal keys by their index, which makes an unstable sort stable.
template <class Less, bool ByIndex>
struct CompareKeys {
  Less less;
  template <class Key, class Index>
  KOKKOS_FUNCTION bool operator()(IndexedKey<Key, Index> const& a, IndexedKey<Key, Index> const& b) const {
    if constexpr (ByIndex) return less(a.key, b.key) || (!less(b.key, a.key) && a.index < b.index);
    return less(a.key, b.key);
  }
};

/// Types whose default order is the order of the unsigned integers from radix_key.
template <class T>
inline constexpr bool has_radix_key_v = (std::is_integral_v<T> && sizeof(T) <= 8) || std::is_same_v<T, float> ||
                                        std::is_same_v<T, double> || is_half_precision_v<T>;
template <class Key, class Index>
inline constexpr bool has_radix_key_v<IndexedKey<Key, Index>> = has_radix_key_v<Key>;

template <class T>
inline constexpr bool is_ascending_v = std::is_same_v<T, Ascending>;
template <class Less, bool ByIndex>
inline constexpr bool is_ascending_v<CompareKeys<Less, ByIndex>> = is_ascending_v<Less>;

template <std::size_t Bytes>
struct UnsignedOfSize;
template <>
struct UnsignedOfSize<1> {
  using type = std::uint8_t;
};
template <>
struct UnsignedOfSize<2> {
  using type = std::uint16_t;
};
template <>
struct UnsignedOfSize<4> {
  using type = std::uint32_t;
};
template <>
struct UnsignedOfSize<8> {
  using type = std::uint64_t;
};

/// The unsigned integers whose order is that of numbers of type T, as a function of the numbers' bits and back.
/// Flipping the sign bit orders signed integers. Floating-point numbers are ordered by their bits, the negative ones in
/// reverse; the NaNs with a sign, which would come first, come last by subtracting their number modulo 2^bits. So
/// different bits have different keys, and -0 comes before 0.
template <class T>
struct RadixKey {
  using Bits                 = typename UnsignedOfSize<sizeof(T)>::type;
  static constexpr Bits sign = static_cast<Bits>(Bits(1) << (8 * sizeof(T) - 1));

  KOKKOS_FUNCTION static constexpr Bits of(Bits bits) {
    if constexpr (has_nan_v<T>)
      return static_cast<Bits>(((bits & sign) != 0 ? ~bits : bits | sign) - signed_nans());
    else
      return static_cast<Bits>(std::is_signed_v<T> ? bits ^ sign : bits);
  }
  KOKKOS_FUNCTION static constexpr Bits to_bits(Bits key) {
    if constexpr (has_nan_v<T>) {
      Bits const flipped = static_cast<Bits>(key + signed_nans());
      return static_cast<Bits>((flipped & sign) != 0 ? flipped ^ sign : ~flipped);
    } else {
      return of(key);
    }
  }

 private:
  /// The number of NaNs with a sign: their bits are between those of -infinity and those with all bits set.
  KOKKOS_FUNCTION static constexpr Bits signed_nans() {
    return static_cast<Bits>(~std::bit_cast<Bits>(-NumericLimits<T>::infinity()));
  }
};

template <class T>
KOKKOS_INLINE_FUNCTION auto radix_key(T const& x) {
  return RadixKey<T>::of(std::bit_cast<typename RadixKey<T>::Bits>(x));
}
template <class Key, class Index>
KOKKOS_INLINE_FUNCTION auto radix_key(IndexedKey<Key, Index> const& x) {
  return Impl::radix_key(x.key);
}

// ---- which sort ----------------------------------------------------------------------------------------------------

enum class SortMethod { nothing, one_thread, radix, merge, vendor };

struct SortFacts {
  std::size_t count;
  int threads;           // of a host backend
  bool on_host;          // whether host threads sort
  bool has_radix_key;    // whether the type has radix keys in its default order
  bool is_trivial;       // whether elements may be copied as bytes
  bool vendor_has_sort;  // whether a library of the GPU's vendor sorts this type in this order
};

// Below these counts, starting threads or counting digits costs more than it saves.
inline constexpr std::size_t min_count_of_radix_sort = 2048;
inline constexpr std::size_t min_count_of_merge_sort = 8192;

constexpr SortMethod choose_sort_method(SortFacts const& f) {
  if (f.count < 2) return SortMethod::nothing;
  if (!f.on_host) return f.vendor_has_sort ? SortMethod::vendor : SortMethod::merge;
  if (!f.is_trivial) return SortMethod::one_thread;
  if (f.has_radix_key && f.count >= min_count_of_radix_sort) return SortMethod::radix;
  return f.threads > 1 && f.count >= min_count_of_merge_sort ? SortMethod::merge : SortMethod::one_thread;
}

}  // namespace Kokkos::Impl

#endif
