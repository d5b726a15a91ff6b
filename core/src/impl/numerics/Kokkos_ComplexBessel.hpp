// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_NUMERICS_COMPLEXBESSEL_HPP
#define KOKKOS_NUMERICS_COMPLEXBESSEL_HPP

/// \file
/// Bessel, Neumann, Hankel and modified Bessel functions of orders 0 and 1 of a complex number.
///
/// Up to |z| = 25, J is computed by the downward recurrence over its orders, and Y by Neumann's series of the same
/// values. For larger |z|, both are computed by Hankel's asymptotic expansions. K is computed by Neumann's series up to
/// |z| = 2, by Temme's continued fraction up to 25, and by the expansion for larger |z|. I is J of iz. Where J and Y
/// would cancel, the Hankel functions are computed as K of -iz.
///
/// Loops divide by no complex number and take no root: they multiply by a reciprocal, and compare squares.

#include <Kokkos_Complex.hpp>
#include <Kokkos_MathematicalConstants.hpp>
#include <Kokkos_MathematicalFunctions.hpp>
#include <Kokkos_NumericTraits.hpp>

namespace Kokkos {
namespace Impl {

/// The functions J and Y of an order, which is 0 or 1 in this file.
template <class T>
struct BesselFunctions {
  complex<T> j, y;
};

template <class T>
KOKKOS_INLINE_FUNCTION complex<T> turned(complex<T> const& z, T sign = T(1)) {
  return complex<T>(-sign * z.imag(), sign * z.real());
}

/// 1 / z of a number whose square is normal; 0 if the square overflows.
template <class T>
KOKKOS_INLINE_FUNCTION complex<T> reciprocal(complex<T> const& z) {
  T const scale = T(1) / Kokkos::norm(z);
  return complex<T>(z.real() * scale, -z.imag() * scale);
}

/// J_n(z) up to a common factor, downward from an order where it vanishes. The factor follows from exp(-isz) = J_0 + 2
/// sum of (-is)^n J_n with s = 1 or -1. The terms do not cancel if s has the sign of Im z.
template <class T>
KOKKOS_INLINE_FUNCTION BesselFunctions<T> bessel_near(complex<T> const& z, int order) {
  T const s     = z.imag() < T(0) ? T(-1) : T(1);
  int const top = 2 * (static_cast<int>(abs(z)) / 2) + 40;
  // Sums over the values f_n, from the highest order down. The phase is that of (-is)^n, which for n = top is 1 or -1.
  complex<T> phase          = top % 4 == 0 ? complex<T>(1) : complex<T>(-1);
  complex<T> const two_by_z = T(2) / z;
  complex<T> after(0), f(Experimental::norm_min_v<T> / Experimental::epsilon_v<T>);
  complex<T> total(0), even(0), odd(0), one(0), above_even(0);
  for (int n = top; n >= 1; --n) {
    total += T(2) * phase * f;
    T const sign = n / 2 % 2 == 0 ? T(1) : T(-1);
    if (n % 2 == 0) {
      even += sign * f / T(n / 2);
      // (f_{n-1} - f_{n+1}) / (n/2); the next step adds f_{n-1}
      odd -= sign * above_even / T(n / 2);
    } else {
      T const next = (n + 1) / 2 % 2 == 0 ? T(1) : T(-1);
      if (n < top) odd += next * f / T((n + 1) / 2);
      above_even = f;
    }
    if (n == 1) one = f;
    complex<T> const before = f * (T(n) * two_by_z) - after;
    after                   = f;
    f                       = before;
    phase                   = turned(phase, s);  // divided by -is
  }
  complex<T> const scale = exp(turned(z, -s)) / (total + f);
  complex<T> const j0 = f * scale, j1 = one * scale;
  complex<T> const l = log(z * T(0.5)) + T(numbers::egamma_v<T>);
  T const two_by_pi  = T(2) * T(numbers::inv_pi_v<T>);
  if (order == 0) return {j0, two_by_pi * (l * j0 - T(2) * even * scale)};
  return {j1, two_by_pi * (l * j1 - j0 / z + odd * scale)};
}

/// The sums of Hankel's asymptotic expansions, in powers of w / 8 and of -w / 8: w is 1/z for K, and i/z for the first
/// Hankel function.
template <class T>
struct HankelSums {
  complex<T> plus, minus;
};
template <class T>
KOKKOS_INLINE_FUNCTION HankelSums<T> hankel_sums(complex<T> const& w, int order) {
  complex<T> const eighth = w * T(0.125);
  complex<T> term(1), plus(1), minus(1);
  T const mu = T(4 * order * order);
  T size     = 1;  // of the term, squared
  for (int k = 1; k < 60; ++k) {
    T const m                = T(2 * k - 1);
    complex<T> const smaller = term * eighth * ((mu - m * m) / T(k));
    T const smaller_size     = Kokkos::norm(smaller);
    if (smaller_size >= size) break;
    term = smaller;
    size = smaller_size;
    plus += term;
    minus += k % 2 == 0 ? term : -term;
    if (size <= Experimental::epsilon_v<T> * Experimental::epsilon_v<T>) break;
  }
  return {plus, minus};
}

template <class T>
KOKKOS_INLINE_FUNCTION BesselFunctions<T> bessel_far(complex<T> const& z, int order) {
  bool const left           = z.real() < T(0);
  complex<T> const w        = left ? -z : z;
  HankelSums<T> const sums  = Impl::hankel_sums(turned(reciprocal(w)), order);
  complex<T> const root     = sqrt(T(2) / (T(numbers::pi_v<T>) * w));
  complex<T> const angle    = w - T(order) * (T(numbers::pi_v<T>) / T(2)) - T(numbers::pi_v<T>) / T(4);
  complex<T> const first    = root * exp(turned(angle)) * sums.plus;
  complex<T> const second   = root * exp(turned(angle, T(-1))) * sums.minus;
  BesselFunctions<T> result = {(first + second) / T(2), turned(first - second, T(-1)) / T(2)};
  if (left) {  // z is w rotated by half a turn, to the upper side for Im z >= 0
    result.y += turned(result.j, z.imag() < T(0) ? T(-2) : T(2));
    if (order == 1) result = {-result.j, -result.y};
  }
  return result;
}

template <class T>
KOKKOS_INLINE_FUNCTION BesselFunctions<T> bessel(complex<T> const& z, int order) {
  return abs(z) < T(25) ? Impl::bessel_near(z, order) : Impl::bessel_far(z, order);
}

template <class T>
KOKKOS_INLINE_FUNCTION complex<T> bessel_i(complex<T> const& z, int order) {
  if (z == T(0)) return complex<T>(T(1 - order));
  complex<T> const j = Impl::bessel(turned(z), order).j;
  return order == 0 ? j : turned(j, T(-1));
}

/// K for |z| < 2: with f_n = J_n(iz), I_2k = (-1)^k f_2k.
template <class T>
KOKKOS_INLINE_FUNCTION complex<T> bessel_k_near(complex<T> const& z, int order) {
  complex<T> const quarter = z * z / T(4);
  // The power series: K_0 = sum of (z^2/4)^k / (k!)^2 (harmonic(k) - log(z/2) - gamma)
  complex<T> const l = log(z * T(0.5)) + T(numbers::egamma_v<T>);
  complex<T> power(1), i0(1), i1 = z / T(2), k0 = -l, odd = i1;
  T harmonic = T(0);
  for (int k = 1; k < 40; ++k) {
    harmonic += T(1) / T(k);
    power *= quarter / (T(k) * T(k));
    odd *= quarter / (T(k) * T(k + 1));
    i0 += power;
    i1 += odd;
    complex<T> const term = power * (harmonic - l);
    k0 += term;
    if (abs(term) <= abs(k0) * Experimental::epsilon_v<T>) break;
  }
  return order == 0 ? k0 : (T(1) / z - i1 * k0) / i0;  // the Wronskian; I_0 has no zero there
}

/// Like `bessel_k_near` above, in the right half of the plane for |z| >= 2, by Temme's form of the continued fraction:
/// N. M. Temme, On the numerical evaluation of the modified Bessel function of the third kind, J. Comput. Phys. 19
/// (1975).
template <class T>
KOKKOS_INLINE_FUNCTION complex<T> bessel_k_right(complex<T> const& z, int order) {
  T const quarter = T(0.25);
  complex<T> b = T(2) * (T(1) + z), d = Impl::reciprocal(b), step = d, h = d;
  complex<T> q_before(0), q_now(1), q(quarter), s                        = T(1) + q * step;
  T a = -quarter, c = quarter;
  for (int k = 2; k < 1000; ++k) {
    a -= T(2 * (k - 1));
    c *= -a / T(k);
    complex<T> const q_next = (q_before - b * q_now) * (T(1) / a);
    q_before                = q_now;
    q_now                   = q_next;
    q += c * q_next;
    b += T(2);
    d = Impl::reciprocal(b + a * d);
    step *= b * d - T(1);
    h += step;
    complex<T> const change = q * step;
    s += change;
    if (Kokkos::norm(change) <= Kokkos::norm(s) * (Experimental::epsilon_v<T> * Experimental::epsilon_v<T>)) break;
  }
  complex<T> const zero = sqrt(T(numbers::pi_v<T>) / (T(2) * z)) * exp(-z) / s;
  return order == 0 ? zero : zero * (z + T(0.5) - quarter * h) / z;
}

/// K, with a cut along the negative real axis.
template <class T>
KOKKOS_INLINE_FUNCTION complex<T> bessel_k(complex<T> const& z, int order) {
  T const size = abs(z);
  if (size < T(2)) return Impl::bessel_k_near(z, order);
  bool const left    = z.real() < T(0);
  complex<T> const w = left ? -z : z;
  complex<T> const k = size < T(25) ? Impl::bessel_k_right(w, order)
                                    : sqrt(T(numbers::pi_v<T>) / (T(2) * w)) * exp(-w) *
                                          Impl::hankel_sums(Impl::reciprocal(w), order).plus;
  if (!left) return k;
  T const turn = (z.imag() < T(0) ? T(-1) : T(1)) * T(numbers::pi_v<T>);
  return (order == 0 ? k : -k) - turned(Impl::bessel_i(w, order), turn);
}

/// The first Hankel function. It is small in the upper half-plane, where J + iY would cancel.
template <class T>
KOKKOS_INLINE_FUNCTION complex<T> hankel_1(complex<T> const& z, int order) {
  T const two_by_pi = T(2) * T(numbers::inv_pi_v<T>);
  if (z.imag() >= T(0)) {
    complex<T> const k = Impl::bessel_k(turned(z, T(-1)), order);
    return order == 0 ? turned(k, -two_by_pi) : -two_by_pi * k;
  }
  BesselFunctions<T> const b = Impl::bessel(z, order);
  return b.j + turned(b.y);
}

/// The second one is the conjugate of the first one at the conjugate number; it is small in the lower half-plane.
template <class T>
KOKKOS_INLINE_FUNCTION complex<T> hankel_2(complex<T> const& z, int order) {
  if (z.imag() < T(0)) return conj(Impl::hankel_1(conj(z), order));
  BesselFunctions<T> const b = Impl::bessel(z, order);
  return b.j - turned(b.y);
}

}  // namespace Impl

namespace Experimental {

// The second and third argument are accepted but not used. Other implementations take from them the limits of their
// methods and the start of their recurrences.
#define KOKKOS_IMPL_BESSEL(NAME, AT_ZERO, VALUE)                                                        \
  template <class Complex, class Real = double, class Int = int>                                        \
  KOKKOS_INLINE_FUNCTION Complex cyl_bessel_##NAME(Complex const& z, Real const& = 0, Int const& = 0) { \
    using T = typename Complex::value_type;                                                             \
    if (z == T(0)) return AT_ZERO;                                                                      \
    return VALUE;                                                                                       \
  }

KOKKOS_IMPL_BESSEL(j0, Complex(1), Kokkos::Impl::bessel(z, 0).j)
KOKKOS_IMPL_BESSEL(j1, Complex(0), Kokkos::Impl::bessel(z, 1).j)
KOKKOS_IMPL_BESSEL(y0, Complex(-infinity_v<T>), Kokkos::Impl::bessel(z, 0).y)
KOKKOS_IMPL_BESSEL(y1, Complex(-infinity_v<T>), Kokkos::Impl::bessel(z, 1).y)
KOKKOS_IMPL_BESSEL(i0, Complex(1), Kokkos::Impl::bessel_i(z, 0))
KOKKOS_IMPL_BESSEL(i1, Complex(0), Kokkos::Impl::bessel_i(z, 1))
KOKKOS_IMPL_BESSEL(k0, Complex(infinity_v<T>), Kokkos::Impl::bessel_k(z, 0))
KOKKOS_IMPL_BESSEL(k1, Complex(infinity_v<T>), Kokkos::Impl::bessel_k(z, 1))
KOKKOS_IMPL_BESSEL(h10, Complex(1, -infinity_v<T>), Kokkos::Impl::hankel_1(z, 0))
KOKKOS_IMPL_BESSEL(h11, Complex(0, -infinity_v<T>), Kokkos::Impl::hankel_1(z, 1))
KOKKOS_IMPL_BESSEL(h20, Complex(1, infinity_v<T>), Kokkos::Impl::hankel_2(z, 0))
KOKKOS_IMPL_BESSEL(h21, Complex(0, infinity_v<T>), Kokkos::Impl::hankel_2(z, 1))

#undef KOKKOS_IMPL_BESSEL

}  // namespace Experimental
}  // namespace Kokkos

#endif
