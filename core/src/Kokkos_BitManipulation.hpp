// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_BIT_MANIPULATION_HPP
#define KOKKOS_BIT_MANIPULATION_HPP

/// \file
/// The functions of `<bit>` for host and device. Each also exists as `Experimental::<name>_builtin`, for programs that
/// call that. Both names use the compiler's intrinsics if these are faster, and are usable in constant expressions.

#include <Kokkos_Macros.hpp>

#include <climits>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace Kokkos {

namespace Impl {
template <class T>
inline constexpr bool is_character_v =
    std::is_same_v<T, char> || std::is_same_v<T, wchar_t> || std::is_same_v<T, char8_t> ||
    std::is_same_v<T, char16_t> || std::is_same_v<T, char32_t>;

/// An unsigned integer type in the standard's sense: neither bool nor a character type.
template <class T>
concept UnsignedInteger = std::is_unsigned_v<T> && std::is_integral_v<T> && !std::is_same_v<T, bool> &&
                          !is_character_v<T> && std::is_same_v<T, std::remove_cv_t<T>> && sizeof(T) <= 8;

template <class To, class From>
concept SameBytes =
    sizeof(To) == sizeof(From) && std::is_trivially_copyable_v<To> && std::is_trivially_copyable_v<From>;

template <class T>
inline constexpr int bits_of = static_cast<int>(sizeof(T) * CHAR_BIT);

// The three counts for 64 bits. The branches for constant expressions and for devices are necessary because device code
// cannot use the host compiler's intrinsics, and constant expressions cannot use the device's.

KOKKOS_INLINE_FUNCTION constexpr int count_ones(std::uint64_t x) {
#if KOKKOS_IMPL_DEVICE_PASS
  if (!__builtin_is_constant_evaluated()) return __popcll(x);
  int n = 0;
  for (; x != 0; x &= x - 1) ++n;
  return n;
#else
  return __builtin_popcountll(x);
#endif
}

/// \pre x != 0
KOKKOS_INLINE_FUNCTION constexpr int count_leading_zeros(std::uint64_t x) {
#if KOKKOS_IMPL_DEVICE_PASS
  if (!__builtin_is_constant_evaluated()) return __clzll(static_cast<long long>(x));
  int n = 0;
  for (; x >> 63 == 0; x <<= 1) ++n;
  return n;
#else
  return __builtin_clzll(x);
#endif
}

/// \pre x != 0
KOKKOS_INLINE_FUNCTION constexpr int count_trailing_zeros(std::uint64_t x) {
#if KOKKOS_IMPL_DEVICE_PASS
  return 63 - count_leading_zeros(x & (~x + 1));
#else
  return __builtin_ctzll(x);
#endif
}
}  // namespace Impl

/// The value of type To whose bytes are those of `from`.
template <class To, class From>
  requires Impl::SameBytes<To, From>
KOKKOS_INLINE_FUNCTION constexpr To bit_cast(From const& from) noexcept {
  return __builtin_bit_cast(To, from);
}

/// The value with its bytes in reverse order.
template <class T>
  requires(std::is_integral_v<T> && sizeof(T) <= 8)
KOKKOS_INLINE_FUNCTION constexpr T byteswap(T value) noexcept {
#if !KOKKOS_IMPL_DEVICE_PASS
  if constexpr (sizeof(T) == 2) return static_cast<T>(__builtin_bswap16(static_cast<std::uint16_t>(value)));
  if constexpr (sizeof(T) == 4) return static_cast<T>(__builtin_bswap32(static_cast<std::uint32_t>(value)));
  if constexpr (sizeof(T) == 8) return static_cast<T>(__builtin_bswap64(static_cast<std::uint64_t>(value)));
#endif
  std::uint64_t source = static_cast<std::uint64_t>(value), reversed = 0;
  for (std::size_t i = 0; i < sizeof(T); ++i, source >>= CHAR_BIT) reversed = reversed << CHAR_BIT | (source & 0xffu);
  return static_cast<T>(reversed);
}

/// Number of 1 bits.
template <Impl::UnsignedInteger T>
KOKKOS_INLINE_FUNCTION constexpr int popcount(T x) noexcept {
#if !KOKKOS_IMPL_DEVICE_PASS
  if constexpr (sizeof(T) <= 4) return __builtin_popcount(x);  // more numbers fit in a vector
#endif
  return Impl::count_ones(x);
}

/// Number of consecutive 0 bits, starting from the most significant one.
template <Impl::UnsignedInteger T>
KOKKOS_INLINE_FUNCTION constexpr int countl_zero(T x) noexcept {
  return x == 0 ? Impl::bits_of<T> : Impl::count_leading_zeros(x) - (64 - Impl::bits_of<T>);
}

/// Number of consecutive 1 bits, starting from the most significant one.
template <Impl::UnsignedInteger T>
KOKKOS_INLINE_FUNCTION constexpr int countl_one(T x) noexcept {
  return Kokkos::countl_zero(static_cast<T>(~x));
}

/// Number of consecutive 0 bits, starting from the least significant one.
template <Impl::UnsignedInteger T>
KOKKOS_INLINE_FUNCTION constexpr int countr_zero(T x) noexcept {
  return x == 0 ? Impl::bits_of<T> : Impl::count_trailing_zeros(x);
}

/// Number of consecutive 1 bits, starting from the least significant one.
template <Impl::UnsignedInteger T>
KOKKOS_INLINE_FUNCTION constexpr int countr_one(T x) noexcept {
  return Kokkos::countr_zero(static_cast<T>(~x));
}

/// Whether x is a power of two.
template <Impl::UnsignedInteger T>
KOKKOS_INLINE_FUNCTION constexpr bool has_single_bit(T x) noexcept {
  return x != 0 && (x & (x - 1)) == 0;
}

/// Smallest number of bits that can represent x; 0 for 0.
template <Impl::UnsignedInteger T>
KOKKOS_INLINE_FUNCTION constexpr int bit_width(T x) noexcept {
  return Impl::bits_of<T> - Kokkos::countl_zero(x);
}

/// Smallest power of two that is not less than x. \pre it is representable in T
template <Impl::UnsignedInteger T>
KOKKOS_INLINE_FUNCTION constexpr T bit_ceil(T x) noexcept {
  // Without a branch, so that compilers make vectors of loops
  return static_cast<T>(T(1) << (Kokkos::bit_width(static_cast<T>(x - T(x != 0))) & (Impl::bits_of<T> - 1)));
}

/// Largest power of two that is not greater than x; 0 for 0.
template <Impl::UnsignedInteger T>
KOKKOS_INLINE_FUNCTION constexpr T bit_floor(T x) noexcept {
  return x == 0 ? T(0) : static_cast<T>(T(1) << (Kokkos::bit_width(x) - 1));
}

/// x rotated by s bits to the left; to the right if s is negative.
template <Impl::UnsignedInteger T>
KOKKOS_INLINE_FUNCTION constexpr T rotl(T x, int s) noexcept {
  // Unsigned arithmetic reduces a negative s modulo the width, which is a power of two, so no shift is undefined.
  constexpr unsigned mask = Impl::bits_of<T> - 1;
  unsigned const r        = static_cast<unsigned>(s);
  return static_cast<T>(static_cast<T>(x << (r & mask)) | static_cast<T>(x >> ((0u - r) & mask)));
}

/// x rotated by s bits to the right; to the left if s is negative.
template <Impl::UnsignedInteger T>
KOKKOS_INLINE_FUNCTION constexpr T rotr(T x, int s) noexcept {
  constexpr unsigned mask = Impl::bits_of<T> - 1;
  unsigned const r        = static_cast<unsigned>(s);
  return static_cast<T>(static_cast<T>(x >> (r & mask)) | static_cast<T>(x << ((0u - r) & mask)));
}

namespace Experimental {

/// The same as Kokkos::bit_cast.
template <class To, class From>
  requires Impl::SameBytes<To, From>
KOKKOS_INLINE_FUNCTION To bit_cast_builtin(From const& from) noexcept {
  return Kokkos::bit_cast<To>(from);
}

/// The same as Kokkos::byteswap.
template <class T>
  requires(std::is_integral_v<T> && sizeof(T) <= 8)
KOKKOS_INLINE_FUNCTION T byteswap_builtin(T value) noexcept {
  return Kokkos::byteswap(value);
}

#define KOKKOS_IMPL_BIT_BUILTIN(NAME)                                                                       \
  template <Impl::UnsignedInteger T, class... Shift>                                                        \
  KOKKOS_INLINE_FUNCTION auto NAME##_builtin(T x, Shift... s) noexcept -> decltype(Kokkos::NAME(x, s...)) { \
    return Kokkos::NAME(x, s...);                                                                           \
  }

KOKKOS_IMPL_BIT_BUILTIN(popcount)
KOKKOS_IMPL_BIT_BUILTIN(countl_zero)
KOKKOS_IMPL_BIT_BUILTIN(countl_one)
KOKKOS_IMPL_BIT_BUILTIN(countr_zero)
KOKKOS_IMPL_BIT_BUILTIN(countr_one)
KOKKOS_IMPL_BIT_BUILTIN(bit_width)
KOKKOS_IMPL_BIT_BUILTIN(has_single_bit)
KOKKOS_IMPL_BIT_BUILTIN(bit_ceil)
KOKKOS_IMPL_BIT_BUILTIN(bit_floor)
KOKKOS_IMPL_BIT_BUILTIN(rotl)
KOKKOS_IMPL_BIT_BUILTIN(rotr)

#undef KOKKOS_IMPL_BIT_BUILTIN

}  // namespace Experimental
}  // namespace Kokkos

#endif
