// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_HALF_HPP
#define KOKKOS_HALF_HPP

/// \file
/// `half_t` (IEEE 754 binary16) and `bhalf_t` (bfloat16), their casts, and the mathematical functions that cannot be
/// computed in float or that have a shorter way. All others are in Kokkos_MathematicalFunctions.hpp.

#include <Kokkos_Macros.hpp>
#include <Kokkos_BitManipulation.hpp>
#include <Kokkos_MathematicalFunctions.hpp>
#include <impl/numerics/Kokkos_HalfNumber.hpp>

#include <cstdint>

/// Both types have 16 bits on every backend; neither is an alias of float.
#define KOKKOS_HALF_T_IS_FLOAT false
/// See KOKKOS_HALF_T_IS_FLOAT.
#define KOKKOS_BHALF_T_IS_FLOAT false

namespace Kokkos {

namespace Experimental {

/// A number of the IEEE format binary16: 11 significant bits, up to 65504. Each operator rounds its result; NVIDIA's compiler
/// may round a product and a sum once, as it does for float.
using half_t = Kokkos::Impl::HalfNumber<Kokkos::Impl::Binary16>;
/// A number of the format bfloat16: 8 significant bits, and the range of float. Operators round as those of half_t.
using bhalf_t = Kokkos::Impl::HalfNumber<Kokkos::Impl::BFloat16>;

/// The nearest half_t, ties to even; infinity beyond the largest one.
template <Kokkos::Impl::Real T>
KOKKOS_INLINE_FUNCTION constexpr half_t cast_to_half(T value) {
  return static_cast<half_t>(value);
}

/// The nearest bhalf_t, ties to even; infinity beyond the largest one.
template <Kokkos::Impl::Real T>
KOKKOS_INLINE_FUNCTION constexpr bhalf_t cast_to_bhalf(T value) {
  return static_cast<bhalf_t>(value);
}

/// The value as a T, exact if T is float or double.
template <Kokkos::Impl::Real T>
KOKKOS_INLINE_FUNCTION constexpr T cast_from_half(half_t value) {
  return static_cast<T>(value);
}

/// The value as a T, exact if T is float or double.
template <Kokkos::Impl::Real T>
KOKKOS_INLINE_FUNCTION constexpr T cast_from_bhalf(bhalf_t value) {
  return static_cast<T>(value);
}

}  // namespace Experimental

/// x * y + z, rounded once.
template <class Format>
KOKKOS_INLINE_FUNCTION Impl::HalfNumber<Format> fma(Impl::HalfNumber<Format> x, Impl::HalfNumber<Format> y,
                                                    Impl::HalfNumber<Format> z) {
#ifdef KOKKOS_IMPL_HALF_INSTRUCTIONS
  using Instructions = Impl::HalfInstructions<Format>;
  if constexpr (Instructions::fuse)
    return Impl::HalfNumber<Format>::from_bits(Instructions::fma(x.bits(), y.bits(), z.bits()));
#endif
#ifdef KOKKOS_IMPL_FLOAT16_IS_NATIVE
  // One instruction, also for vectors.
  if constexpr (std::is_same_v<typename Format::Operand, _Float16>) {
    return Impl::HalfNumber<Format>::from_bits(Format::from_operand(
        __builtin_fmaf16(Format::to_operand(x.bits()), Format::to_operand(y.bits()), Format::to_operand(z.bits()))));
  }
#endif
  // The product is exact in double. The sum is rounded to odd (see to_float_for_rounding); Knuth's two-sum computes the
  // rounding error that this requires.
  double const product = static_cast<double>(x) * static_cast<double>(y);
  double const addend  = static_cast<double>(z);
  double const sum     = product + addend;
  double const kept    = sum - product;
  double const cut_off = (product - (sum - kept)) + (addend - kept);
  auto const bits      = Kokkos::bit_cast<std::uint64_t>(sum);
  if (!Kokkos::isfinite(sum) || cut_off == 0 || (bits & 1u) != 0) return Impl::HalfNumber<Format>(sum);
  return Impl::HalfNumber<Format>(Kokkos::bit_cast<double>((cut_off > 0) == (sum > 0) ? bits + 1 : bits - 1));
}

namespace Impl {
template <class Format>
KOKKOS_FORCEINLINE_FUNCTION constexpr std::uint16_t magnitude_bits(HalfNumber<Format> x) {
  return static_cast<std::uint16_t>(x.bits() & 0x7fffu);
}
}  // namespace Impl

/// @{
/// Functions of the bits.
template <class Format>
KOKKOS_FORCEINLINE_FUNCTION Impl::HalfNumber<Format> fabs(Impl::HalfNumber<Format> x) {
  return Impl::HalfNumber<Format>::from_bits(Impl::magnitude_bits(x));
}
template <class Format>
KOKKOS_FORCEINLINE_FUNCTION Impl::HalfNumber<Format> copysign(Impl::HalfNumber<Format> x, Impl::HalfNumber<Format> y) {
  return Impl::HalfNumber<Format>::from_bits(
      static_cast<std::uint16_t>(Impl::magnitude_bits(x) | (y.bits() & 0x8000u)));
}
template <class Format>
KOKKOS_FORCEINLINE_FUNCTION bool signbit(Impl::HalfNumber<Format> x) {
  return (x.bits() & 0x8000u) != 0;
}
template <class Format>
KOKKOS_FORCEINLINE_FUNCTION bool isnan(Impl::HalfNumber<Format> x) {
  return Impl::magnitude_bits(x) > Format::inf;
}
template <class Format>
KOKKOS_FORCEINLINE_FUNCTION bool isinf(Impl::HalfNumber<Format> x) {
  return Impl::magnitude_bits(x) == Format::inf;
}
template <class Format>
KOKKOS_FORCEINLINE_FUNCTION bool isfinite(Impl::HalfNumber<Format> x) {
  return Impl::magnitude_bits(x) < Format::inf;
}
/// @}

namespace Impl {
/// The nearest integers of a magnitude: toward zero, away from it, and the nearer one of both, at a tie the latter.
template <class Format>
struct NearestIntegers {
  int toward, away, nearest;
  explicit KOKKOS_FORCEINLINE_FUNCTION NearestIntegers(int magnitude) {
    constexpr int fraction_bits = Format::digits - 1, exponent_of_one = Format::one >> fraction_bits;
    int const exponent = (magnitude >> fraction_bits) - exponent_of_one;  // of infinity and NaN the largest one
    int const shift    = exponent < 0 ? 0 : exponent < fraction_bits ? exponent : fraction_bits;
    int const fraction = ((1 << fraction_bits) - 1) >> shift;
    // An overflow of the significand increments the exponent.
    bool const is_small = exponent < 0;
    toward              = is_small ? 0 : magnitude & ~fraction;
    away                = is_small ? (magnitude != 0 ? Format::one : 0) : (magnitude + fraction) & ~fraction;
    nearest = is_small ? (exponent == -1 ? Format::one : 0) : (magnitude + ((fraction + 1) >> 1)) & ~fraction;
  }
};
}  // namespace Impl

// On hosts of the bits: compilers make no vectors of the functions of float. GPUs have instructions for these.
#define KOKKOS_IMPL_HALF_NEAREST(NAME, IF_NEGATIVE, IF_POSITIVE)                                                \
  template <class Format>                                                                                       \
  KOKKOS_FORCEINLINE_FUNCTION Impl::HalfNumber<Format> NAME(Impl::HalfNumber<Format> x) {                       \
    using Number = Impl::HalfNumber<Format>;                                                                    \
    KOKKOS_IF_ON_DEVICE((return Number(Kokkos::NAME(static_cast<float>(x)));))                                  \
    KOKKOS_IF_ON_HOST((Impl::NearestIntegers<Format> const integers(Impl::magnitude_bits(x));                   \
                       int const sign = x.bits() & 0x8000; return Number::from_bits(static_cast<std::uint16_t>( \
                           (sign != 0 ? integers.IF_NEGATIVE : integers.IF_POSITIVE) | sign));))                \
  }
KOKKOS_IMPL_HALF_NEAREST(trunc, toward, toward)
KOKKOS_IMPL_HALF_NEAREST(floor, away, toward)
KOKKOS_IMPL_HALF_NEAREST(ceil, toward, away)
KOKKOS_IMPL_HALF_NEAREST(round, nearest, nearest)
#undef KOKKOS_IMPL_HALF_NEAREST

// The larger and the smaller one; the other number if one is NaN. g++ calls the C library for those of float.
#ifdef KOKKOS_IMPL_HALF_INSTRUCTIONS
#define KOKKOS_IMPL_HALF_SELECT(NAME)                   \
  if constexpr (Impl::HalfInstructions<Format>::select) \
    return Impl::HalfNumber<Format>::from_bits(Impl::HalfInstructions<Format>::NAME(x.bits(), y.bits()));
#else
#define KOKKOS_IMPL_HALF_SELECT(NAME)
#endif
#define KOKKOS_IMPL_HALF_EXTREME(NAME, COMPARED, SELECTED)                                                             \
  template <class Format>                                                                                              \
  KOKKOS_FORCEINLINE_FUNCTION Impl::HalfNumber<Format> NAME(Impl::HalfNumber<Format> x, Impl::HalfNumber<Format> y) {  \
    using Number = Impl::HalfNumber<Format>;                                                                           \
    KOKKOS_IMPL_HALF_SELECT(SELECTED)                                                                                  \
    KOKKOS_IF_ON_DEVICE((return Number(Kokkos::NAME(static_cast<float>(x), static_cast<float>(y)));))                  \
    KOKKOS_IF_ON_HOST(                                                                                                 \
        (bool const takes_y = COMPARED || Kokkos::isnan(x); return Number::from_bits(takes_y ? y.bits() : x.bits());)) \
  }
KOKKOS_IMPL_HALF_EXTREME(fmax, (x < y), larger)
KOKKOS_IMPL_HALF_EXTREME(fmin, (y < x), smaller)
#undef KOKKOS_IMPL_HALF_EXTREME
#undef KOKKOS_IMPL_HALF_SELECT

/// @{
/// Those of Kokkos_MinMax.hpp and Kokkos_Clamp.hpp, but numbers instead of references to them: g++ makes no vectors of a
/// choice between references to objects.
template <class Format>
[[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION constexpr Impl::HalfNumber<Format> min(Impl::HalfNumber<Format> a,
                                                                                 Impl::HalfNumber<Format> b) {
  return Impl::HalfNumber<Format>::from_bits(b < a ? b.bits() : a.bits());
}
template <class Format>
[[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION constexpr Impl::HalfNumber<Format> max(Impl::HalfNumber<Format> a,
                                                                                 Impl::HalfNumber<Format> b) {
  return Impl::HalfNumber<Format>::from_bits(a < b ? b.bits() : a.bits());
}
template <class Format>
[[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION constexpr Impl::HalfNumber<Format> clamp(Impl::HalfNumber<Format> value,
                                                                                   Impl::HalfNumber<Format> low,
                                                                                   Impl::HalfNumber<Format> high) {
  std::uint16_t const below = high < value ? high.bits() : value.bits();
  return Impl::HalfNumber<Format>::from_bits(value < low ? low.bits() : below);
}
/// @}

#ifndef __FAST_MATH__  // whose compilers cancel the sum
/// log(1 + x). The C library of Linux takes twice as long for log1p as for log. The logarithm of the rounded sum is
/// corrected in proportion, as Kahan does; it has more digits than the result needs.
template <class Format>
KOKKOS_INLINE_FUNCTION Impl::HalfNumber<Format> log1p(Impl::HalfNumber<Format> x) {
  using Number = Impl::HalfNumber<Format>;
  KOKKOS_IF_ON_DEVICE((return Number::from_single_float(Kokkos::log1p(x.to_single_float()));))
  KOKKOS_IF_ON_HOST((float const wide = x.to_single_float(), sum = 1 + wide, kept = sum - 1; if (kept == 0) return x;
                     float const result = Kokkos::log(sum);
                     return Number::from_single_float(kept == wide ? result : result * (wide / kept));))
}
#endif

/// The neighbour of x in the direction of y.
template <class Format>
KOKKOS_INLINE_FUNCTION Impl::HalfNumber<Format> nextafter(Impl::HalfNumber<Format> x, Impl::HalfNumber<Format> y) {
  using Number = Impl::HalfNumber<Format>;
  if (Kokkos::isnan(x) || Kokkos::isnan(y)) return quiet_NaN_v<Number>;
  if (x == y) return y;
  unsigned const bits = x.bits();
  if ((bits & 0x7fffu) == 0) return Number::from_bits(y > x ? 0x0001 : 0x8001);
  // Sign and magnitude: incrementing the bits moves one step away from zero.
  return Number::from_bits(static_cast<std::uint16_t>((x < y) == (bits < 0x8000u) ? bits + 1 : bits - 1));
}

}  // namespace Kokkos

#endif
