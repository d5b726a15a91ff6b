// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_NUMERICS_COMPLEX_MATH_HPP
#define KOKKOS_NUMERICS_COMPLEX_MATH_HPP

/// \file
/// Mathematical functions of complex numbers, on host and device.
///
/// Branch cuts, and the results for infinities and signed zeros, are those of C11 Annex G; if it leaves a sign
/// unspecified, either is returned. No intermediate result overflows or underflows unless the result does. The methods
/// are those of W. Kahan, "Branch Cuts for Complex Elementary Functions, or Much Ado About Nothing's Sign Bit", 1987.

#include <Kokkos_Complex.hpp>
#include <Kokkos_MathematicalConstants.hpp>
#include <Kokkos_MathematicalFunctions.hpp>
#include <Kokkos_NumericTraits.hpp>

#include <type_traits>

namespace Kokkos {

namespace Impl {

/// The types for which the functions below are written; half precision is converted to float.
template <class T>
concept ComputesDirectly = std::is_floating_point_v<T>;

/// i z and -i z.
template <class T>
KOKKOS_INLINE_FUNCTION complex<T> times_i(complex<T> const& z) {
  return complex<T>(-z.imag(), z.real());
}
template <class T>
KOKKOS_INLINE_FUNCTION complex<T> times_minus_i(complex<T> const& z) {
  return complex<T>(z.imag(), -z.real());
}

/// x^2 + y^2 - 1 to within about epsilon^2: products and sums are computed together with their rounding errors.
template <class T>
KOKKOS_INLINE_FUNCTION T norm_minus_one(T x, T y) {
  T const xx = x * x, yy = y * y;
  T const xx_error = Kokkos::fma(x, x, -xx), yy_error = Kokkos::fma(y, y, -yy);
  T const larger = xx > yy ? xx : yy, smaller = xx > yy ? yy : xx;
  T const head      = larger - T(1);
  T const head_kept = head + T(1);
  T const sum       = head + smaller;
  T const sum_kept  = sum - head;
  T const errors    = (larger - head_kept) + ((head - (sum - sum_kept)) + (smaller - sum_kept));
  return sum + (errors + xx_error + yy_error);
}

/// Whether the squares of two numbers, the larger of which has this magnitude, can be added without a loss of digits.
template <class T>
KOKKOS_INLINE_FUNCTION bool has_plain_square(T magnitude) {
  constexpr T least   = power_of_two<T>(min_exponent_v<T> / 2 + digits_v<T>);
  constexpr T largest = power_of_two<T>(max_exponent_v<T> / 2 - 1);
  return magnitude >= least && magnitude <= largest;
}

/// log(1 + x) for x > -1. The C library of Linux takes three times as long for log1p as for log.
template <class T>
KOKKOS_INLINE_FUNCTION T log_of_one_and(T x) {
  KOKKOS_IF_ON_DEVICE((return Kokkos::log1p(x);))
  KOKKOS_IF_ON_HOST((
      // The terms of the series that follow are less than 2^-60 of its sum.
      if (Kokkos::fabs(x) < T(0x1p-10)) {
        T const tail = T(1) / 4 - x * (T(1) / 5 - x * (T(1) / 6));
        return x - x * x * (T(0.5) - x * (T(1) / 3 - x * tail));
      }
      // The sum with 1 loses at most epsilon of its value, and log(1 + c) = c for such numbers.
      T const sum = T(1) + x;
      return Kokkos::log(sum) + (x - (sum - T(1))) / sum;))
}

/// log |z|, even if |z| itself overflows or underflows, and without cancellation if it is close to 1.
template <class T>
KOKKOS_INLINE_FUNCTION T log_abs(complex<T> const& z) {
  T const x = Kokkos::fabs(z.real()), y = Kokkos::fabs(z.imag());
  T const largest = x > y ? x : y;
  if (Impl::has_plain_square(largest)) {
    T const square = x * x + y * y;
    return (square > T(0.5) && square < T(2) ? Impl::log_of_one_and(norm_minus_one(x, y)) : Kokkos::log(square)) / T(2);
  }
  constexpr int up     = 2 * digits_v<T>;
  constexpr T scale_up = power_of_two<T>(up);
  constexpr T ln2      = numbers::ln2_v<T>;
  if (largest < T(1)) return Kokkos::log(Kokkos::hypot(x * scale_up, y * scale_up)) - T(up) * ln2;
  return Kokkos::log(Kokkos::hypot(x / T(4), y / T(4))) + T(2) * ln2;
}

/// The largest x whose exponential is finite, rounded down to an integer.
template <class T>
inline constexpr T max_log_v = static_cast<T>(static_cast<int>(max_exponent_v<T> * numbers::ln2_v<T>));

/// e^x times factor (re + i im), even if e^x overflows and the product does not. For a smaller x, the factor is 1.
template <class T>
KOKKOS_INLINE_FUNCTION complex<T> times_exp(T x, T re, T im, T factor = T(1)) {
  // re and im are at most 1, so the first product is finite; it is also a normal number if they are not, and only then is
  // the factor applied, because half of a subnormal number would lose a digit. After two steps and e^x = infinity, even
  // the smallest number is infinite.
  for (int step = 0; step < 2 && x > max_log_v<T>; ++step, x -= max_log_v<T>) {
    T const largest = Kokkos::exp(max_log_v<T>);
    re *= largest;
    im *= largest;
  }
  T const e = Kokkos::exp(x);
  return complex<T>(factor * re * e, factor * im * e);
}

/// Whether |z| is infinite, or so large that adding 1 does not change it.
template <class T>
KOKKOS_INLINE_FUNCTION bool dwarfs_one(complex<T> const& z) {
  constexpr T bound = T(4) / epsilon_v<T>;
  return Kokkos::fabs(z.real()) > bound || Kokkos::fabs(z.imag()) > bound;
}

}  // namespace Impl

// ---- magnitude, polar form, roots ---------------------------------------------------------------------------------

/// |x|
template <class T>
KOKKOS_INLINE_FUNCTION T abs(complex<T> const& x) {
  return Kokkos::hypot(x.real(), x.imag());
}

/// The complex number of magnitude rho at the angle theta, in radians.
template <class T>
KOKKOS_INLINE_FUNCTION complex<T> polar(T const& rho, T const& theta = T()) {
  if (theta == T(0)) return complex<T>(rho, theta);
  return complex<T>(rho * Kokkos::cos(theta), rho * Kokkos::sin(theta));
}

namespace Impl {
/// The square root of numbers that are zero, infinite or NaN, or whose square is not a normal number.
template <class T>
KOKKOS_INLINE_FUNCTION complex<T> sqrt_at_extremes(T x, T y) {
  if (x == T(0) && y == T(0)) return complex<T>(T(0), y);
  if (Kokkos::isinf(y)) return complex<T>(infinity_v<T>, y);
  if (Kokkos::isinf(x)) {
    T const other = Kokkos::isnan(y) ? y : T(0);
    return x > T(0) ? complex<T>(x, Kokkos::copysign(other, y)) : complex<T>(other, Kokkos::copysign(x, y));
  }
  // Scaling by powers of four, whose roots are powers of two, is exact.
  constexpr T up   = Impl::power_of_two<T>(2 * digits_v<T>);
  constexpr T down = Impl::power_of_two<T>(-digits_v<T>);
  T unscale        = 1;
  if (T const largest = Kokkos::fmax(Kokkos::fabs(x), Kokkos::fabs(y)); largest > finite_max_v<T> / T(8)) {
    x /= T(16);
    y /= T(16);
    unscale = T(4);
  } else if (largest < Impl::tiny_v<T>) {
    x *= up;
    y *= up;
    unscale = down;
  }
  T const u = Kokkos::sqrt((Kokkos::hypot(x, y) + Kokkos::fabs(x)) / T(2));
  T const v = Kokkos::fabs(y) / (T(2) * u);
  return x >= T(0) ? complex<T>(u * unscale, Kokkos::copysign(v, y) * unscale)
                   : complex<T>(v * unscale, Kokkos::copysign(u, y) * unscale);
}
}  // namespace Impl

/// The square root in the right half-plane; the branch cut is the negative real axis.
template <Impl::ComputesDirectly T>
KOKKOS_INLINE_FUNCTION complex<T> sqrt(complex<T> const& z) {
  T const x = z.real(), y = z.imag(), width = Kokkos::fabs(x), height = Kokkos::fabs(y);
  if (!Impl::has_plain_square(width > height ? width : height)) return Impl::sqrt_at_extremes(x, y);
  T const u        = Kokkos::sqrt((Kokkos::sqrt(x * x + y * y) + width) / T(2));
  T const v        = height / (T(2) * u);
  bool const right = x >= T(0);
  return complex<T>(right ? u : v, Kokkos::copysign(right ? v : u, y));
}

// ---- exponentials and logarithms ----------------------------------------------------------------------------------

/// e^z
template <Impl::ComputesDirectly T>
KOKKOS_INLINE_FUNCTION complex<T> exp(complex<T> const& z) {
  T const x = z.real(), y = z.imag();
  T const e = Kokkos::exp(x);
  if (y == T(0)) return complex<T>(e, y);
  // In one place for all branches, so that compilers call one function for both, here and below.
  T const cosine = Kokkos::cos(y), sine = Kokkos::sin(y);
  if (Kokkos::fabs(x) <= Impl::max_log_v<T> || x != x) return complex<T>(e * cosine, e * sine);
  if (Kokkos::isinf(x) && !Kokkos::isfinite(y)) {
    return x < T(0) ? complex<T>(T(0), Kokkos::copysign(T(0), y)) : complex<T>(x, quiet_NaN_v<T>);
  }
  return Impl::times_exp(x, cosine, sine);
}

/// Like `exp` above, for a std::complex; returns a Kokkos::complex.
template <Impl::StdComplex C>
inline auto exp(C const& z) {
  return Kokkos::exp(complex<typename C::value_type>(z));
}

/// The natural logarithm; the branch cut is the negative real axis.
template <Impl::ComputesDirectly T>
KOKKOS_INLINE_FUNCTION complex<T> log(complex<T> const& z) {
  return complex<T>(Impl::log_abs(z), Kokkos::atan2(z.imag(), z.real()));
}

/// The logarithm to base 10, with the branch cut of log.
template <Impl::ComputesDirectly T>
KOKKOS_INLINE_FUNCTION complex<T> log10(complex<T> const& z) {
  complex<T> const natural = Kokkos::log(z);
  return complex<T>(natural.real() / numbers::ln10_v<T>, natural.imag() / numbers::ln10_v<T>);
}

namespace Impl {
/// The direction of an infinite number, as one of the eight points of a compass; a finite number with 0 in place of NaN.
template <class T>
KOKKOS_INLINE_FUNCTION complex<T> direction_of(complex<T> const& z) {
  T const x = z.real(), y = z.imag();
  if (Impl::is_infinite(x) || Impl::is_infinite(y))
    return complex<T>(Impl::unit_if_infinite(x), Impl::unit_if_infinite(y));
  return complex<T>(Kokkos::isnan(x) ? T(0) : x, Kokkos::isnan(y) ? T(0) : y);
}

/// The product, which is infinite if a factor is, also where the usual formula gives NaN (C11, Annex G.5.1).
template <class T>
KOKKOS_INLINE_FUNCTION complex<T> multiply_infinities(complex<T> const& x, complex<T> const& y) {
  complex<T> const product = x * y;
  bool const infinite = Impl::is_infinite(x.real()) || Impl::is_infinite(x.imag()) || Impl::is_infinite(y.real()) ||
                        Impl::is_infinite(y.imag());
  if (!infinite || !Kokkos::isnan(product.real()) || !Kokkos::isnan(product.imag())) return product;
  complex<T> const direction = Impl::direction_of(x) * Impl::direction_of(y);
  return complex<T>(infinity_v<T> * direction.real(), infinity_v<T> * direction.imag());
}

/// x^y = exp(y log x). For a base of zero the result is 1 for y = 0, and 0 for an exponent with a positive real part.
template <class T>
KOKKOS_INLINE_FUNCTION complex<T> power(complex<T> const& x, complex<T> const& y) {
  if (x == T(0)) {
    if (y == T(0)) return complex<T>(T(1));
    if (y.real() > T(0)) return complex<T>();
  }
  return Kokkos::exp(Impl::multiply_infinities(y, Kokkos::log(x)));
}

/// |x|^y, even if |x| overflows or is a subnormal number, which has few digits.
template <class T>
KOKKOS_INLINE_FUNCTION T power_of_abs(complex<T> const& x, T y) {
  T const largest = Kokkos::fmax(Kokkos::fabs(x.real()), Kokkos::fabs(x.imag()));
  if (Impl::has_plain_square(largest)) return Kokkos::pow(x.real() * x.real() + x.imag() * x.imag(), y / T(2));
  // Scaling by a power of two is exact. The scaled length is still huge or tiny, so both factors of the result are above
  // 1 or both are below: none overflows or underflows unless the result does.
  T scale = 1;
  if (largest > finite_max_v<T> / T(2)) scale = T(0.25);
  if (largest < Impl::tiny_v<T>) scale = Impl::power_of_two<T>(2 * digits_v<T>);
  if (scale == T(1)) return Kokkos::pow(Kokkos::abs(x), y);
  return Kokkos::pow(Kokkos::hypot(x.real() * scale, x.imag() * scale), y) * Kokkos::pow(T(1) / scale, y);
}

/// For a real exponent y: the power of the magnitude, and the multiple of the angle.
template <class T>
KOKKOS_INLINE_FUNCTION complex<T> power(complex<T> const& x, T y) {
  if (x.imag() == T(0) && x.real() > T(0)) return complex<T>(Kokkos::pow(x.real(), y));
  if (x == T(0)) return complex<T>(Kokkos::pow(T(0), y));
  return Kokkos::polar(Impl::power_of_abs(x, y), y * Kokkos::atan2(x.imag(), x.real()));
}
}  // namespace Impl

/// @{
/// x raised to the power y. The result type is that of mathematical functions of numbers: float for two floats, long
/// double if either is, otherwise double.
template <class T1, class T2>
KOKKOS_INLINE_FUNCTION complex<Impl::promoted_t<T1, T2>> pow(complex<T1> const& x, complex<T2> const& y) {
  using R = Impl::promoted_t<T1, T2>;
  using W = Impl::working_t<R>;
  return complex<R>(Impl::power(complex<W>(x), complex<W>(y)));
}

template <class T1, Impl::Real T2>
KOKKOS_INLINE_FUNCTION complex<Impl::promoted_t<T1, T2>> pow(complex<T1> const& x, T2 const& y) {
  using R = Impl::promoted_t<T1, T2>;
  using W = Impl::working_t<R>;
  return complex<R>(Impl::power(complex<W>(x), static_cast<W>(y)));
}

template <Impl::Real T1, class T2>
KOKKOS_INLINE_FUNCTION complex<Impl::promoted_t<T1, T2>> pow(T1 const& x, complex<T2> const& y) {
  using R = Impl::promoted_t<T1, T2>;
  using W = Impl::working_t<R>;
  return complex<R>(Impl::power(complex<W>(static_cast<W>(x)), complex<W>(y)));
}
/// @}

// ---- hyperbolic and trigonometric functions -----------------------------------------------------------------------
// sin z = -i sinh iz, cos z = cosh iz, tan z = -i tanh iz; so only the hyperbolic functions are implemented.

namespace Impl {
template <class T>
struct SinhAndCosh {
  T sinh, cosh;
};
/// Both functions of a number whose magnitude is at most max_log_v. The C library of Linux takes as long for each as for
/// two or three exponentials.
template <class T>
KOKKOS_INLINE_FUNCTION SinhAndCosh<T> sinh_and_cosh(T x) {
  KOKKOS_IF_ON_DEVICE((return {Kokkos::sinh(x), Kokkos::cosh(x)};))
  KOKKOS_IF_ON_HOST(
      (T const magnitude = Kokkos::fabs(x), e = Kokkos::exp(magnitude), half = e / T(2), rest = T(0.5) / e;
       // The difference loses digits where its terms are nearly the same.
       return {magnitude < T(0.5) ? Kokkos::sinh(x) : Kokkos::copysign(half - rest, x), half + rest};))
}
}  // namespace Impl

/// @{
/// The hyperbolic function of a complex number; entire, except that tanh has poles at odd multiples of i pi/2.
template <Impl::ComputesDirectly T>
KOKKOS_INLINE_FUNCTION complex<T> sinh(complex<T> const& z) {
  T const x = z.real(), y = z.imag(), magnitude = Kokkos::fabs(x);
  if (y == T(0)) return complex<T>(Kokkos::sinh(x), y);
  T const cosine = Kokkos::cos(y), sine = Kokkos::sin(y);
  if (magnitude <= Impl::max_log_v<T> && x != T(0)) {
    Impl::SinhAndCosh<T> const of_x = Impl::sinh_and_cosh(x);
    return complex<T>(of_x.sinh * cosine, of_x.cosh * sine);
  }
  if (x == T(0)) return complex<T>(Kokkos::isfinite(y) ? x * cosine : x, sine);
  if (Kokkos::isinf(x) && !Kokkos::isfinite(y)) return complex<T>(x, quiet_NaN_v<T>);
  return Impl::times_exp(magnitude, x < T(0) ? -cosine : cosine, sine, T(0.5));
}

template <Impl::ComputesDirectly T>
KOKKOS_INLINE_FUNCTION complex<T> cosh(complex<T> const& z) {
  T const x = z.real(), y = z.imag(), magnitude = Kokkos::fabs(x);
  if (y == T(0)) return complex<T>(Kokkos::cosh(x), Kokkos::signbit(x) ? -y : y);
  T const cosine = Kokkos::cos(y), sine = Kokkos::sin(y);
  if (magnitude <= Impl::max_log_v<T> && x != T(0)) {
    Impl::SinhAndCosh<T> const of_x = Impl::sinh_and_cosh(x);
    return complex<T>(of_x.cosh * cosine, of_x.sinh * sine);
  }
  if (x == T(0)) return complex<T>(cosine, Kokkos::isfinite(y) ? x * sine : x);
  if (Kokkos::isinf(x) && !Kokkos::isfinite(y)) return complex<T>(Kokkos::fabs(x), quiet_NaN_v<T>);
  return Impl::times_exp(magnitude, cosine, x < T(0) ? -sine : sine, T(0.5));
}

template <Impl::ComputesDirectly T>
KOKKOS_INLINE_FUNCTION complex<T> tanh(complex<T> const& z) {
  T const x = z.real(), y = z.imag();
  if (y == T(0)) return complex<T>(Kokkos::tanh(x), y);
  if (x == T(0)) return complex<T>(x, Kokkos::tan(y));
  if (Kokkos::fabs(x) > Impl::max_log_v<T> / T(4)) {
    // cosh and sinh agree here to the last digit, and the remaining imaginary part is tiny.
    T const one = Kokkos::copysign(T(1), x);
    if (Kokkos::isinf(x) && !Kokkos::isfinite(y)) return complex<T>(one, Kokkos::copysign(T(0), y));
    if (!Kokkos::isfinite(y)) return complex<T>(quiet_NaN_v<T>, quiet_NaN_v<T>);
    return complex<T>(one, T(4) * Kokkos::sin(y) * Kokkos::cos(y) * Kokkos::exp(T(-2) * Kokkos::fabs(x)));
  }
  T const t = Kokkos::tan(y), s = Kokkos::sinh(x), secant2 = T(1) + t * t, denominator = T(1) + secant2 * s * s;
  return complex<T>(secant2 * Kokkos::sqrt(T(1) + s * s) * s / denominator, t / denominator);
}
/// @}

/// @{
/// The trigonometric function of a complex angle, in radians; tan has poles at odd multiples of pi/2.
template <Impl::ComputesDirectly T>
KOKKOS_INLINE_FUNCTION complex<T> sin(complex<T> const& z) {
  return Impl::times_minus_i(Kokkos::sinh(Impl::times_i(z)));
}

template <Impl::ComputesDirectly T>
KOKKOS_INLINE_FUNCTION complex<T> cos(complex<T> const& z) {
  return Kokkos::cosh(Impl::times_i(z));
}

template <Impl::ComputesDirectly T>
KOKKOS_INLINE_FUNCTION complex<T> tan(complex<T> const& z) {
  return Impl::times_minus_i(Kokkos::tanh(Impl::times_i(z)));
}
/// @}

// ---- inverse functions --------------------------------------------------------------------------------------------
// Branch cuts: asin, acos, atanh on the real axis outside [-1, 1]; asinh, atan on the imaginary axis outside [-i, i];
// acosh on the real axis below 1.

/// Inverse sine, with the real part in [-pi/2, pi/2]. Branch cuts: the real axis outside of [-1, 1].
template <Impl::ComputesDirectly T>
KOKKOS_INLINE_FUNCTION complex<T> asin(complex<T> const& z) {
  T const x = z.real(), y = z.imag();
  if (x == T(0)) return complex<T>(x, Kokkos::asinh(y));
  if (Impl::dwarfs_one(z)) {
    return complex<T>(Kokkos::copysign(Kokkos::atan2(Kokkos::fabs(x), Kokkos::fabs(y)), x),
                      Kokkos::copysign(Impl::log_abs(z) + numbers::ln2_v<T>, y));
  }
  complex<T> const minus = Kokkos::sqrt(complex<T>(T(1) - x, -y));
  complex<T> const plus  = Kokkos::sqrt(complex<T>(T(1) + x, y));
  T const re             = Kokkos::atan2(x, Kokkos::fabs(minus.real() * plus.real() - minus.imag() * plus.imag()));
  T const im             = Kokkos::asinh(minus.real() * plus.imag() - minus.imag() * plus.real());
  return complex<T>(re, Kokkos::copysign(im, y));
}

/// Inverse cosine, with the real part in [0, pi]. Branch cuts: the real axis outside of [-1, 1].
template <Impl::ComputesDirectly T>
KOKKOS_INLINE_FUNCTION complex<T> acos(complex<T> const& z) {
  T const x = z.real(), y = z.imag();
  if (x == T(0)) return complex<T>(numbers::pi_v<T> / T(2), Kokkos::asinh(-y));
  if (Impl::dwarfs_one(z)) {
    return complex<T>(Kokkos::atan2(Kokkos::fabs(y), x),
                      Kokkos::copysign(Impl::log_abs(z) + numbers::ln2_v<T>, Kokkos::signbit(y) ? T(1) : T(-1)));
  }
  complex<T> const minus = Kokkos::sqrt(complex<T>(T(1) - x, -y));
  complex<T> const plus  = Kokkos::sqrt(complex<T>(T(1) + x, y));
  T const im             = Kokkos::asinh(plus.real() * minus.imag() - plus.imag() * minus.real());
  return complex<T>(T(2) * Kokkos::atan2(minus.real(), plus.real()),
                    Kokkos::copysign(im, Kokkos::signbit(y) ? T(1) : T(-1)));
}

namespace Impl {
/// atanh of nonnegative parts where |1 - z|^2, which is `distance2`, is too small, too large or NaN.
template <class T>
KOKKOS_INLINE_FUNCTION complex<T> atanh_at_extremes(T x, T y, T distance2) {
  if (x == T(0)) return complex<T>(x, Kokkos::atan(y));
  if (x == T(1) && y == T(0)) return complex<T>(infinity_v<T>, y);
  if (distance2 < T(1)) {
    return complex<T>((numbers::ln2_v<T> - Impl::log_abs(complex<T>(T(1) - x, y))) / T(2),
                      Kokkos::atan2(T(2) * y, (T(1) - x) * (T(1) + x) - y * y) / T(2));
  }
  // The real part of 1 / z, which is zero for infinities of any direction.
  T const half_length = Kokkos::hypot(x / T(2), y / T(2));
  return complex<T>(Kokkos::isinf(half_length) ? T(0) : x / T(4) / half_length / half_length,
                    Kokkos::isnan(y) || (Kokkos::isnan(x) && !Kokkos::isinf(y)) ? x + y : numbers::pi_v<T> / T(2));
}
}  // namespace Impl

/// Inverse hyperbolic tangent, with the imaginary part in [-pi/2, pi/2]. Branch cuts: the real axis outside of (-1, 1).
template <Impl::ComputesDirectly T>
KOKKOS_INLINE_FUNCTION complex<T> atanh(complex<T> const& z) {
  // The function is odd and commutes with conjugation, so it is computed for nonnegative parts.
  T const x = Kokkos::fabs(z.real()), y = Kokkos::fabs(z.imag());
  T const distance2 = (T(1) - x) * (T(1) - x) + y * y;
  complex<T> value;
  if (distance2 > Impl::tiny_v<T> && distance2 < T(1) / (epsilon_v<T> * epsilon_v<T>)) {
    // |1 + z|^2 / |1 - z|^2 = 1 + 4 x / ((1 - x)^2 + y^2)
    value = complex<T>(Impl::log_of_one_and(T(4) * x / distance2) / T(4),
                       Kokkos::atan2(T(2) * y, (T(1) - x) * (T(1) + x) - y * y) / T(2));
  } else {
    value = Impl::atanh_at_extremes(x, y, distance2);
  }
  return complex<T>(Kokkos::copysign(value.real(), z.real()), Kokkos::copysign(value.imag(), z.imag()));
}

/// Inverse hyperbolic sine, with the imaginary part in [-pi/2, pi/2]. Branch cuts: the imaginary axis outside of [-i,
/// i].
template <Impl::ComputesDirectly T>
KOKKOS_INLINE_FUNCTION complex<T> asinh(complex<T> const& z) {
  return Impl::times_i(Kokkos::asin(Impl::times_minus_i(z)));
}

/// Inverse hyperbolic cosine, with a real part of at least 0 and the imaginary part in [-pi, pi]. Branch cut: the real
/// axis below 1.
template <Impl::ComputesDirectly T>
KOKKOS_INLINE_FUNCTION complex<T> acosh(complex<T> const& z) {
  complex<T> const w = Kokkos::acos(z);
  return complex<T>(Kokkos::fabs(w.imag()), Kokkos::copysign(w.real(), z.imag()));
}

/// Inverse tangent, with the real part in [-pi/2, pi/2]. Branch cuts: the imaginary axis outside of (-i, i).
template <Impl::ComputesDirectly T>
KOKKOS_INLINE_FUNCTION complex<T> atan(complex<T> const& z) {
  return Impl::times_minus_i(Kokkos::atanh(Impl::times_i(z)));
}

// ---- half precision: evaluated in float ---------------------------------------------------------------------------

namespace Impl {
template <HalfPrecision T>
KOKKOS_INLINE_FUNCTION complex<float> widen_single(complex<T> const& z) {
  return complex<float>(z.real().to_single_float(), z.imag().to_single_float());
}
template <HalfPrecision T>
KOKKOS_INLINE_FUNCTION complex<T> narrow_single(complex<float> const& z) {
  return complex<T>(T::from_single_float(z.real()), T::from_single_float(z.imag()));
}
}  // namespace Impl

#define KOKKOS_IMPL_COMPLEX_HALF(NAME)                                  \
  template <Impl::HalfPrecision T>                                      \
  KOKKOS_INLINE_FUNCTION complex<T> NAME(complex<T> const& z) {         \
    return Impl::narrow_single<T>(Kokkos::NAME(Impl::widen_single(z))); \
  }

KOKKOS_IMPL_COMPLEX_HALF(sqrt)
KOKKOS_IMPL_COMPLEX_HALF(exp)
KOKKOS_IMPL_COMPLEX_HALF(log)
KOKKOS_IMPL_COMPLEX_HALF(log10)
KOKKOS_IMPL_COMPLEX_HALF(sinh)
KOKKOS_IMPL_COMPLEX_HALF(cosh)
KOKKOS_IMPL_COMPLEX_HALF(tanh)
KOKKOS_IMPL_COMPLEX_HALF(sin)
KOKKOS_IMPL_COMPLEX_HALF(cos)
KOKKOS_IMPL_COMPLEX_HALF(tan)
KOKKOS_IMPL_COMPLEX_HALF(asin)
KOKKOS_IMPL_COMPLEX_HALF(acos)
KOKKOS_IMPL_COMPLEX_HALF(atan)
KOKKOS_IMPL_COMPLEX_HALF(asinh)
KOKKOS_IMPL_COMPLEX_HALF(acosh)
KOKKOS_IMPL_COMPLEX_HALF(atanh)

#undef KOKKOS_IMPL_COMPLEX_HALF

}  // namespace Kokkos

#endif
