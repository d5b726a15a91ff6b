// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_NUMERICS_HALF_FORMATS_HPP
#define KOKKOS_NUMERICS_HALF_FORMATS_HPP

/// \file
/// The two 16-bit formats, and rounding to them: IEEE 754 binary16 and bfloat16 (the upper half of a binary32).
///
/// All conversions round to nearest, ties to even, and are usable in constant expressions. They use the processor's
/// instructions if the compiler reports them, except where it cannot use these for several numbers at once: conversions
/// without branches, of which it can make vectors, then take less time in loops.
///
/// The conversions of a `single` number are for code of which no compiler makes vectors, because it calls a function.

#include <Kokkos_Macros.hpp>
#include <Kokkos_BitManipulation.hpp>
#include <Kokkos_NumericTraits.hpp>
#include <impl/numerics/Kokkos_HalfInstructions.hpp>

#include <cstdint>
#include <type_traits>

#if !defined(KOKKOS_COMPILER_NVCC) && (defined(__F16C__) || defined(__HIP_DEVICE_COMPILE__))
#define KOKKOS_IMPL_COMPILER_HAS_FLOAT16
#endif

// Before version 14, g++ makes no vectors of conversions between _Float16 and float. With AVX512FP16, the instruction for
// one number keeps the rest of its register, so each conversion waits for the one before it. Arithmetic is as fast as
// that of float.
#if defined(KOKKOS_IMPL_COMPILER_HAS_FLOAT16) && defined(__AVX512FP16__) && defined(__GNUC__) && !defined(__clang__)
#define KOKKOS_IMPL_FLOAT16_IS_NATIVE
#if __GNUC__ < 14
#define KOKKOS_IMPL_FLOAT16_CONVERTS_ALONE
#endif
#endif

namespace Kokkos::Impl {

/// 1 sign bit, 5 bits of exponent, 10 bits of significand.
struct Binary16 {
  static constexpr int digits            = 11;
  static constexpr int digits10          = 3;
  static constexpr int max_digits10      = 5;
  static constexpr int min_exponent      = -13;
  static constexpr int min_exponent10    = -4;
  static constexpr int max_exponent      = 16;
  static constexpr int max_exponent10    = 4;
  static constexpr std::uint16_t inf     = 0x7c00;
  static constexpr std::uint16_t one     = 0x3c00;
  static constexpr std::uint16_t half    = 0x3800;
  static constexpr std::uint16_t epsilon = 0x1400;

  KOKKOS_FORCEINLINE_FUNCTION static constexpr std::uint16_t from_float(float value) {
    if (!__builtin_is_constant_evaluated()) {
#if defined(KOKKOS_IMPL_FLOAT16_CONVERTS_ALONE)
      return round_in_vectors(value);
#elif defined(KOKKOS_IMPL_COMPILER_HAS_FLOAT16)
      return __builtin_bit_cast(std::uint16_t, static_cast<_Float16>(value));
#elif defined(KOKKOS_IMPL_HALF_INSTRUCTIONS)
      return HalfInstructions<Binary16>::round(value);
#endif
    }
    return round_in_software(value);
  }

  KOKKOS_FORCEINLINE_FUNCTION static constexpr float to_float(std::uint16_t bits) {
    if (!__builtin_is_constant_evaluated()) {
#if defined(KOKKOS_IMPL_FLOAT16_CONVERTS_ALONE)
      return widen_in_software(bits);
#elif defined(KOKKOS_IMPL_COMPILER_HAS_FLOAT16)
      return static_cast<float>(__builtin_bit_cast(_Float16, bits));
#elif defined(__CUDA_ARCH__)
      float result;
      asm("cvt.f32.f16 %0, %1;" : "=f"(result) : "h"(bits));
      return result;
#endif
    }
    return widen_in_software(bits);
  }

  KOKKOS_FORCEINLINE_FUNCTION static constexpr std::uint16_t from_single_float(float value) {
#if defined(KOKKOS_IMPL_FLOAT16_IS_NATIVE)
    if (!__builtin_is_constant_evaluated()) {
      using Floats = float __attribute__((vector_size(16)));
      return static_cast<std::uint16_t>(__builtin_ia32_vcvtps2ph(Floats{value}, 0)[0]);
    }
#endif
    return from_float(value);
  }
  KOKKOS_FORCEINLINE_FUNCTION static constexpr float to_single_float(std::uint16_t bits) {
#if defined(KOKKOS_IMPL_FLOAT16_IS_NATIVE)
    if (!__builtin_is_constant_evaluated()) {
      using Halves = short __attribute__((vector_size(16)));
      return __builtin_ia32_vcvtph2ps(Halves{static_cast<short>(bits)})[0];
    }
#endif
    return to_float(bits);
  }

  /// The type in which an operation on two numbers is computed. Its result is rounded as a float would be.
#if defined(KOKKOS_IMPL_FLOAT16_IS_NATIVE)
  using Operand = _Float16;
  static constexpr Operand to_operand(std::uint16_t bits) { return __builtin_bit_cast(Operand, bits); }
  static constexpr std::uint16_t from_operand(Operand value) { return __builtin_bit_cast(std::uint16_t, value); }
#else
  using Operand = float;
  KOKKOS_FORCEINLINE_FUNCTION static constexpr Operand to_operand(std::uint16_t bits) { return to_float(bits); }
  KOKKOS_FORCEINLINE_FUNCTION static constexpr std::uint16_t from_operand(Operand value) { return from_float(value); }
#endif
  /// Whether hosts compare bits instead of operands.
  static constexpr bool compares_bits = std::is_same_v<Operand, float>;

  // The functions below choose between values instead of branches, and are inlined everywhere, because compilers make
  // no vectors of loops with branches or calls. Magnitudes are signed, because more processors compare such vectors.

  /// Exponents are rebased from 127 to 15, and 13 of the 23 bits of the significand are rounded away.
  KOKKOS_FORCEINLINE_FUNCTION static constexpr std::uint16_t round_in_software(float value) {
    std::uint32_t const bits     = Kokkos::bit_cast<std::uint32_t>(value);
    std::int32_t const magnitude = static_cast<std::int32_t>(bits & 0x7fffffffu);
    // Below 2^-14 results are multiples of 2^-24. That is the spacing of floats just above 1/2, so the floating-point
    // unit rounds this sum to it, and the lowest bits of the sum contain the multiple.
    std::int32_t const subnormal =
        Kokkos::bit_cast<std::int32_t>(Kokkos::bit_cast<float>(magnitude) + 0.5f) - 0x3f000000;
    std::int32_t const normal = (magnitude - (112 << 23) + 0xfff + (magnitude >> 13 & 1)) >> 13;
    // NaN: keeps the upper bits of its payload and becomes quiet
    std::int32_t const nan    = 0x7e00 | (magnitude >> 13 & 0x3ff);
    std::int32_t const finite = magnitude < 0x38800000 ? subnormal : normal;
    // From 65520 on, the midpoint above the largest number: infinity
    std::int32_t const number = magnitude < 0x477ff000 ? finite : inf;
    std::int32_t const result = magnitude > 0x7f800000 ? nan : number;
    return static_cast<std::uint16_t>((bits >> 16 & 0x8000u) | static_cast<std::uint32_t>(result));
  }

  /// The same with fewer instructions, which take longer one after the other. The spacing of the result's digits, times
  /// 2^23, is added: the floating-point unit rounds the sum to that spacing, so that its lowest bits contain the
  /// significand. Minima and maxima instead of comparisons treat the smallest and the largest numbers.
  KOKKOS_FORCEINLINE_FUNCTION static constexpr std::uint16_t round_in_vectors(float value) {
    std::uint32_t const bits     = Kokkos::bit_cast<std::uint32_t>(value);
    std::int32_t const magnitude = static_cast<std::int32_t>(bits & 0x7fffffffu);
    // 65536 becomes infinity, as 65520 does, the midpoint above the largest number.
    std::int32_t const finite = magnitude < 0x47800000 ? magnitude : 0x47800000;
    // Below 2^-14 the spacing stays the same.
    std::int32_t const own_power = finite & 0x7f800000, least_power = 113 << 23;
    std::int32_t const power = own_power > least_power ? own_power : least_power;
    // The exponent is rebased by a multiple of the spacing, which is part of the number that is added.
    constexpr std::int32_t rebased = -(113 << 10) & 0xffff;
    std::int32_t const sum         = Kokkos::bit_cast<std::int32_t>(Kokkos::bit_cast<float>(finite) +
                                                                    Kokkos::bit_cast<float>(power + (13 << 23) + rebased));
    std::int32_t const number      = sum + (power >> 13);  // in the lower 16 bits
    // NaN: keeps the upper bits of its payload and becomes quiet
    std::int32_t const nan    = 0x7e00 | (magnitude >> 13 & 0x3ff);
    std::int32_t const result = magnitude > 0x7f800000 ? nan : number;
    return static_cast<std::uint16_t>((bits >> 16 & 0x8000u) | static_cast<std::uint32_t>(result));
  }

  KOKKOS_FORCEINLINE_FUNCTION static constexpr float widen_in_software(std::uint16_t bits) {
    // The sign is in the upper 16 bits of `moved`, which some processors load at no cost.
    std::uint32_t const moved    = static_cast<std::uint32_t>(static_cast<std::int16_t>(bits)) << 13;
    std::int32_t const magnitude = static_cast<std::int32_t>(moved & 0x0fffe000u);
    std::int32_t const normal = magnitude + (112 << 23), not_finite = magnitude + (224 << 23);
    // A subnormal number is what the significand adds to 2^-14.
    std::int32_t const subnormal =
        Kokkos::bit_cast<std::int32_t>(Kokkos::bit_cast<float>(magnitude + (113 << 23)) - 0x1p-14f);
    std::int32_t const finite = magnitude < 1 << 23 ? subnormal : normal;
    std::int32_t const result = magnitude < inf << 13 ? finite : not_finite;
    return Kokkos::bit_cast<float>(static_cast<std::uint32_t>(result) | (moved & 0x80000000u));
  }
};

/// 1 sign bit, 8 bits of exponent, 7 bits of significand.
struct BFloat16 {
  static constexpr int digits            = 8;
  static constexpr int digits10          = 2;
  static constexpr int max_digits10      = 4;
  static constexpr int min_exponent      = -125;
  static constexpr int min_exponent10    = -37;
  static constexpr int max_exponent      = 128;
  static constexpr int max_exponent10    = 38;
  static constexpr std::uint16_t inf     = 0x7f80;
  static constexpr std::uint16_t one     = 0x3f80;
  static constexpr std::uint16_t half    = 0x3f00;
  static constexpr std::uint16_t epsilon = 0x3c00;

  KOKKOS_FORCEINLINE_FUNCTION static constexpr std::uint16_t from_float(float value) {
#if defined(KOKKOS_IMPL_HALF_INSTRUCTIONS)
    if constexpr (HalfInstructions<BFloat16>::round_floats)
      if (!__builtin_is_constant_evaluated()) return HalfInstructions<BFloat16>::round(value);
#endif
    std::uint32_t const bits   = Kokkos::bit_cast<std::uint32_t>(value);
    std::uint32_t const number = (bits + 0x7fffu + (bits >> 16 & 1u)) >> 16, nan = bits >> 16 | 0x40u;
    return static_cast<std::uint16_t>(value != value ? nan : number);
  }

  KOKKOS_FORCEINLINE_FUNCTION static constexpr float to_float(std::uint16_t bits) {
    return Kokkos::bit_cast<float>(std::uint32_t(bits) << 16);
  }

  KOKKOS_FORCEINLINE_FUNCTION static constexpr std::uint16_t from_single_float(float value) {
#if defined(KOKKOS_IMPL_HALF_INSTRUCTIONS)
    return from_float(value);
#endif
    std::uint32_t const bits = Kokkos::bit_cast<std::uint32_t>(value);
    if ((bits & 0x7fffffffu) > 0x7f800000u) return static_cast<std::uint16_t>(bits >> 16 | 0x40u);
    return static_cast<std::uint16_t>((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
  }
  KOKKOS_FORCEINLINE_FUNCTION static constexpr float to_single_float(std::uint16_t bits) { return to_float(bits); }
  using Operand                       = float;
  static constexpr bool compares_bits = false;
  KOKKOS_FORCEINLINE_FUNCTION static constexpr Operand to_operand(std::uint16_t bits) { return to_float(bits); }
  KOKKOS_FORCEINLINE_FUNCTION static constexpr std::uint16_t from_operand(Operand value) {
#if defined(__x86_64__) && !defined(__CUDA_ARCH__) && !defined(__HIP_DEVICE_COMPILE__)
    // The lower half of a NaN that results from two operands is zero: it is the processor's own, or an operand's. So
    // rounding does not change its upper half.
    std::uint32_t const bits = Kokkos::bit_cast<std::uint32_t>(value);
    return static_cast<std::uint16_t>((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
#else
    return from_float(value);
#endif
  }
};

/// Converts x to a float that, when rounded once more to fewer digits, gives the same result as rounding x directly.
/// Inexact results are rounded to odd: the last bit records that digits were cut off, so no false tie arises.
template <class T>
  requires std::is_floating_point_v<T>
KOKKOS_INLINE_FUNCTION constexpr float to_float_for_rounding(T x) {
  if constexpr (std::is_same_v<T, float>) {
    return x;
  } else {
    constexpr float huge = finite_max_v<float>;
    if (x > T(huge)) return huge;  // rounds to infinity in both formats, like any larger number
    if (x < -T(huge)) return -huge;
    float const nearest      = static_cast<float>(x);
    std::uint32_t const bits = Kokkos::bit_cast<std::uint32_t>(nearest);
    if (T(nearest) == x || x != x || (bits & 1u) != 0) return nearest;
    bool const toward_zero = x < T(0) ? T(nearest) > x : T(nearest) < x;
    return Kokkos::bit_cast<float>(toward_zero ? bits + 1 : bits - 1);
  }
}

template <class T>
  requires std::is_integral_v<T>
KOKKOS_INLINE_FUNCTION constexpr float to_float_for_rounding(T x) {
  if constexpr (sizeof(T) <= 2) {
    return static_cast<float>(x);
  } else {
    bool const negative     = x < T(0);
    std::uint64_t magnitude = static_cast<std::uint64_t>(x);
    if (negative) magnitude = std::uint64_t(0) - magnitude;
    float scale = 1;
    if (int const excess = Kokkos::bit_width(magnitude) - 24; excess > 0) {
      std::uint64_t const unit = std::uint64_t(1) << excess;
      magnitude                = magnitude >> excess | std::uint64_t((magnitude & (unit - 1)) != 0);
      scale                    = static_cast<float>(unit);
    }
    float const result = static_cast<float>(magnitude) * scale;
    return negative ? -result : result;
  }
}

/// The bits of the nearest number of a format, ties to even.
template <class Format, class T>
KOKKOS_FORCEINLINE_FUNCTION constexpr std::uint16_t half_bits(T value) {
#ifdef KOKKOS_IMPL_HALF_INSTRUCTIONS
  if constexpr (HalfInstructions<Format>::round_all && (std::is_integral_v<T> || std::is_same_v<T, double>))
    if (!__builtin_is_constant_evaluated()) return HalfInstructions<Format>::round(value);
#endif
  if constexpr (std::is_same_v<T, bool>) {
    return value ? Format::one : std::uint16_t(0);
  } else if constexpr (std::is_integral_v<T> && sizeof(T) > 2 && Format::max_exponent < 24) {
    // Larger magnitudes are infinite, as this one is, up to which floats are exact. So compilers make vectors.
    constexpr int bound = 1 << (Format::max_exponent + 1);
    T clamped           = value < T(bound) ? value : T(bound);
    if constexpr (std::is_signed_v<T>) clamped = clamped > T(-bound) ? clamped : T(-bound);
    return Format::from_float(static_cast<float>(static_cast<std::int32_t>(clamped)));
  } else {
    return Format::from_float(Impl::to_float_for_rounding(value));
  }
}

// Comparisons by the bits alone. Vectors of these have twice as many numbers as vectors of floats, and need no conversion,
// of which g++ makes no vectors on processors without AVX512FP16.

/// Whether neither number is NaN.
template <class Format>
KOKKOS_FORCEINLINE_FUNCTION constexpr bool half_ordered_by_bits(std::uint16_t a, std::uint16_t b) {
  auto const a_size = static_cast<std::int16_t>(a & 0x7fffu), b_size = static_cast<std::int16_t>(b & 0x7fffu);
  return (a_size > b_size ? a_size : b_size) <= static_cast<std::int16_t>(Format::inf);
}
/// The magnitude with the number's sign, in the order of the numbers; 0 for both zeros.
KOKKOS_FORCEINLINE_FUNCTION constexpr std::int16_t half_order_by_bits(std::uint16_t bits) {
  auto const size = static_cast<std::int16_t>(bits & 0x7fffu);
  return static_cast<std::int16_t>(static_cast<std::int16_t>(bits) < 0 ? -size : size);
}

// Operations on the bits of two numbers.
#ifdef KOKKOS_IMPL_HALF_INSTRUCTIONS
#define KOKKOS_IMPL_HALF_BY_INSTRUCTION(CALL)        \
  if constexpr (HalfInstructions<Format>::calculate) \
    if (!__builtin_is_constant_evaluated()) return HalfInstructions<Format>::CALL;
#else
#define KOKKOS_IMPL_HALF_BY_INSTRUCTION(CALL)
#endif
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
#define KOKKOS_IMPL_HALF_COMPARE_BITS(OP, IF_UNORDERED)
#else
#define KOKKOS_IMPL_HALF_COMPARE_BITS(OP, IF_UNORDERED)                                                    \
  if constexpr (Format::compares_bits)                                                                     \
    return Impl::half_ordered_by_bits<Format>(a, b) ? Impl::half_order_by_bits(a) OP half_order_by_bits(b) \
                                                    : IF_UNORDERED;
#endif
#define KOKKOS_IMPL_HALF_CALCULATION(NAME, OP, INSTRUCTION)                                           \
  template <class Format>                                                                             \
  KOKKOS_FORCEINLINE_FUNCTION constexpr std::uint16_t half_##NAME(std::uint16_t a, std::uint16_t b) { \
    INSTRUCTION                                                                                       \
    return Format::from_operand(Format::to_operand(a) OP Format::to_operand(b));                      \
  }
#define KOKKOS_IMPL_HALF_RELATION(NAME, OP, IF_UNORDERED, CALL)                              \
  template <class Format>                                                                    \
  KOKKOS_FORCEINLINE_FUNCTION constexpr bool half_##NAME(std::uint16_t a, std::uint16_t b) { \
    KOKKOS_IMPL_HALF_BY_INSTRUCTION(CALL)                                                    \
    KOKKOS_IMPL_HALF_COMPARE_BITS(OP, IF_UNORDERED)                                          \
    return Format::to_operand(a) OP Format::to_operand(b);                                   \
  }
KOKKOS_IMPL_HALF_CALCULATION(add, +, KOKKOS_IMPL_HALF_BY_INSTRUCTION(add(a, b)))
KOKKOS_IMPL_HALF_CALCULATION(subtract, -, KOKKOS_IMPL_HALF_BY_INSTRUCTION(subtract(a, b)))
KOKKOS_IMPL_HALF_CALCULATION(multiply, *, KOKKOS_IMPL_HALF_BY_INSTRUCTION(multiply(a, b)))
KOKKOS_IMPL_HALF_CALCULATION(divide, /, )
KOKKOS_IMPL_HALF_RELATION(equal, ==, false, equal(a, b))
KOKKOS_IMPL_HALF_RELATION(unequal, !=, true, unequal(a, b))
KOKKOS_IMPL_HALF_RELATION(less, <, false, less(a, b))
KOKKOS_IMPL_HALF_RELATION(less_or_equal, <=, false, less_or_equal(a, b))
KOKKOS_IMPL_HALF_RELATION(greater, >, false, less(b, a))
KOKKOS_IMPL_HALF_RELATION(greater_or_equal, >=, false, less_or_equal(b, a))
#undef KOKKOS_IMPL_HALF_RELATION
#undef KOKKOS_IMPL_HALF_CALCULATION
#undef KOKKOS_IMPL_HALF_COMPARE_BITS
#undef KOKKOS_IMPL_HALF_BY_INSTRUCTION

}  // namespace Kokkos::Impl

#endif
