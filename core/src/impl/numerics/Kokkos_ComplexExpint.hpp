// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_NUMERICS_COMPLEXEXPINT_HPP
#define KOKKOS_NUMERICS_COMPLEXEXPINT_HPP

/// \file
/// The exponential integral E1 of a complex number.

#include <Kokkos_Complex.hpp>
#include <Kokkos_MathematicalConstants.hpp>
#include <Kokkos_MathematicalFunctions.hpp>
#include <Kokkos_NumericTraits.hpp>

#include <concepts>

namespace Kokkos {
namespace Impl {

/// The power series, for small numbers and near the negative real axis, where its terms do not cancel.
template <class T>
KOKKOS_INLINE_FUNCTION complex<T> expint1_by_series(complex<T> const& z) {
  complex<T> power(1), sum(0);
  for (int k = 1; k < 200; ++k) {
    power *= -z / T(k);
    complex<T> const term = power / T(k);
    sum += term;
    if (abs(term) <= abs(sum) * Experimental::epsilon_v<T>) break;
  }
  return -T(numbers::egamma_v<T>) - log(z) - sum;
}

/// The continued fraction e^-z / (z + 1 - 1/(z + 3 - 4/(z + 5 - 9/(...)))), front to back (modified Lentz).
template <class T>
KOKKOS_INLINE_FUNCTION complex<T> expint1_by_fraction(complex<T> const& z) {
  complex<T> b = z + T(1);
  complex<T> c(T(1) / Experimental::norm_min_v<T>), d = T(1) / b, value = d;
  for (int k = 1; k < 500; ++k) {
    T const a = -T(k) * T(k);
    b += T(2);
    d                       = T(1) / (b + a * d);
    c                       = b + a / c;
    complex<T> const factor = c * d;
    value *= factor;
    if (abs(factor - T(1)) <= Experimental::epsilon_v<T>) break;
  }
  return value * exp(-z);
}

/// The continued fraction above from back to front, which rounds less; for real numbers of at least 1.
template <class T>
KOKKOS_INLINE_FUNCTION T expint1_of_real(T x) {
  int const terms = 20 + static_cast<int>(T(80) / x);
  T b             = x + T(2 * terms + 1);
  for (int k = terms; k >= 1; --k) b = x + T(2 * k - 1) - T(k) * T(k) / b;
  return Kokkos::exp(-x) / b;
}

/// e^-z / z times the sum of k! / (-z)^k, for large numbers in the left half of the plane.
template <class T>
KOKKOS_INLINE_FUNCTION complex<T> expint1_far_left(complex<T> const& z) {
  complex<T> term(1), sum(1);
  for (int k = 1; k < 40; ++k) {
    term *= -T(k) / z;
    sum += term;
    if (abs(term) <= abs(sum) * Experimental::epsilon_v<T>) break;
  }
  complex<T> value = exp(-z) / z * sum;
  if (z.imag() == T(0)) value -= complex<T>(0, T(numbers::pi_v<T>));  // the upper side of the cut
  return value;
}

}  // namespace Impl

namespace Experimental {

/// The exponential integral E1(z), the integral of exp(-t)/t from z to infinity, with a cut along the negative real
/// axis; infinity for 0.
template <class T>
KOKKOS_INLINE_FUNCTION complex<T> expint1(complex<T> const& z) {
  T const size = abs(z);
  if (size == T(0)) return complex<T>(infinity_v<T>);
  // The distance from the negative axis: the series loses a factor exp(apart) in accuracy.
  T const apart = size + z.real();
  if (size < T(2) || (z.real() < T(0) && apart < T(3) && size < T(40))) return Kokkos::Impl::expint1_by_series(z);
  if (z.real() < T(0) && size >= T(40)) return Kokkos::Impl::expint1_far_left(z);
  return Kokkos::Impl::expint1_by_fraction(z);
}

/// E1 of a real number; minus infinity below 0, where E1 is not real.
template <std::floating_point T>
KOKKOS_INLINE_FUNCTION T expint1(T x) {
  if (x < T(0)) return -infinity_v<T>;
  return x <= T(1) ? expint1(complex<T>(x)).real() : Kokkos::Impl::expint1_of_real(x);
}

}  // namespace Experimental
}  // namespace Kokkos

#endif
