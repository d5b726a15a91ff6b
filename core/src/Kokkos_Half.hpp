// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_HALF_HPP
#define KOKKOS_HALF_HPP

/// \file
/// `half_t` (IEEE 754 binary16) and `bhalf_t` (bfloat16), their casts, and the mathematical functions that cannot be
/// computed in float. All others are in Kokkos_MathematicalFunctions.hpp.

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

/// A number of the IEEE format binary16: 11 significant bits, up to 65504. Operators compute in float and round the
/// result.
using half_t = Kokkos::Impl::HalfNumber<Kokkos::Impl::Binary16>;
/// A number of the format bfloat16: 8 significant bits, and the range of float. Operators compute in float and round.
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
