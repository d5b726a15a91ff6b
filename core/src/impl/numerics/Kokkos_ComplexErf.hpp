// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_NUMERICS_COMPLEXERF_HPP
#define KOKKOS_NUMERICS_COMPLEXERF_HPP

/// \file
/// Error functions of a complex number.

#include <Kokkos_Complex.hpp>
#include <Kokkos_MathematicalConstants.hpp>
#include <Kokkos_MathematicalFunctions.hpp>
#include <Kokkos_NumericTraits.hpp>

#include <concepts>

namespace Kokkos {
namespace Impl {

/// Faddeeva's function w for a number with nonnegative parts, by modified trapezoidal rules: M. Al Azah, S. N.
/// Chandler-Wilde, Computation of the complex error function using modified trapezoidal rules, SIAM J. Numer. Anal. 59
/// (2021). Eleven nodes suffice for double precision.
template <class T>
KOKKOS_INLINE_FUNCTION complex<T> faddeeva_of_first_quadrant(complex<T> const& z) {
  constexpr int nodes = 11;
  T const step        = Kokkos::sqrt(T(numbers::pi_v<T>) / T(nodes + 1));
  T const x = z.real(), y = z.imag(), turns = x / step;
  T const fraction = turns - Kokkos::floor(turns);
  bool const high  = y >= (x > T(numbers::pi_v<T>) / step ? x : T(numbers::pi_v<T>) / step);
  // The rule whose nodes are farther from z: at half steps, or at whole steps.
  bool const half     = high || y >= x || fraction < T(0.25) || fraction > T(0.75);
  complex<T> const z2 = z * z, i(0, 1);
  complex<T> sum      = half ? complex<T>(0) : T(0.5) / z2;
  for (int k = half ? 0 : 1; k <= nodes; ++k) {
    T const node = (half ? T(k) + T(0.5) : T(k)) * step;
    sum += Kokkos::exp(-node * node) / (z2 - node * node);
  }
  complex<T> value = i * z * sum * (T(2) * step / T(numbers::pi_v<T>));
  if (!high) {
    complex<T> const turn = exp(i * z * (T(-2) * T(numbers::pi_v<T>) / step));
    value += T(2) * exp(-z2) / (half ? T(1) + turn : T(1) - turn);
  }
  return value;
}

/// w(z) = exp(-z^2) erfc(-iz).
template <class T>
KOKKOS_INLINE_FUNCTION complex<T> faddeeva(complex<T> const& z) {
  complex<T> const folded(Kokkos::fabs(z.real()), Kokkos::fabs(z.imag()));
  complex<T> value = folded == T(0) ? complex<T>(1) : faddeeva_of_first_quadrant(folded);
  if (z.imag() < T(0)) value = T(2) * exp(-(folded * folded)) - value;  // w(-z)
  // The value is now w of a number with the real part |x|, or of its negative.
  bool const mirrored = (z.real() < T(0)) != (z.imag() < T(0));
  return mirrored ? conj(value) : value;
}

/// The power series of erf, for numbers of at most about 1.
template <class T>
KOKKOS_INLINE_FUNCTION complex<T> erf_by_series(complex<T> const& z) {
  complex<T> const z2 = z * z;
  complex<T> power = z, sum = z;
  for (int k = 1; k < 60; ++k) {
    power *= -z2 / T(k);
    complex<T> const term = power / T(2 * k + 1);
    sum += term;
    if (abs(term) <= abs(sum) * Experimental::epsilon_v<T>) break;
  }
  return sum * (T(2) * T(numbers::inv_sqrtpi_v<T>));
}

}  // namespace Impl

namespace Experimental {

/// @{
/// exp(z^2) erfc(z).
template <class T>
KOKKOS_INLINE_FUNCTION complex<T> erfcx(complex<T> const& z) {
  return Kokkos::Impl::faddeeva(complex<T>(-z.imag(), z.real()));
}
template <std::floating_point T>
KOKKOS_INLINE_FUNCTION T erfcx(T x) {
  if (x < T(0)) {
    T const large = Kokkos::exp(x * x);  // infinity far below 0
    return large + (large - erfcx(-x));
  }
  return x <= finite_max_v<T> ? erfcx(complex<T>(x)).real() : T(1) / x;
}
/// @}

/// The error function.
template <class T>
KOKKOS_INLINE_FUNCTION complex<T> erf(complex<T> const& z) {
  if (abs(z) < T(1)) return Kokkos::Impl::erf_by_series(z);
  complex<T> const right = z.real() < T(0) ? -z : z;
  complex<T> const value = T(1) - exp(-(right * right)) * erfcx(right);
  return z.real() < T(0) ? -value : value;
}

}  // namespace Experimental
}  // namespace Kokkos

#endif
