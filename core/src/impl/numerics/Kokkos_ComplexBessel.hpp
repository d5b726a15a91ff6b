// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_NUMERICS_COMPLEXBESSEL_HPP
#define KOKKOS_NUMERICS_COMPLEXBESSEL_HPP

/// \file
/// Bessel, Neumann, Hankel and modified Bessel functions of orders 0 and 1 of a complex number.
///
/// Up to |z| = 25, J is computed by the downward recurrence over its orders, and Y by Neumann's series of the same
/// values. For larger |z|, both are computed by Hankel's asymptotic expansions. K is computed by Neumann's series up to
/// |z| = 2, and by Temme's continued fraction for larger |z|. I is J of iz. Where J and Y would cancel, the Hankel
/// functions are computed as K of -iz.

#include <Kokkos_Complex.hpp>
#include <Kokkos_MathematicalConstants.hpp>
#include <Kokkos_MathematicalFunctions.hpp>
#include <Kokkos_NumericTraits.hpp>

namespace Kokkos {
namespace Impl {

/// A function of order 0 and the same function of order 1.
template <class T>
struct BesselPair {
  complex<T> zero, one;
};
template <class T>
struct BesselFunctions {
  BesselPair<T> j, y;
};

template <class T>
KOKKOS_INLINE_FUNCTION complex<T> turned(complex<T> const& z, T sign = T(1)) {
  return complex<T>(-sign * z.imag(), sign * z.real());
}

/// J_n(z) up to a common factor, downward from an order where it vanishes. The factor follows from exp(-isz) = J_0 + 2
/// sum of (-is)^n J_n with s = 1 or -1. The terms do not cancel if s has the sign of Im z.
template <class T>
KOKKOS_INLINE_FUNCTION BesselFunctions<T> bessel_near(complex<T> const& z) {
  T const s     = z.imag() < T(0) ? T(-1) : T(1);
  int const top = 2 * (static_cast<int>(abs(z)) / 2) + 40;
  // Sums over the values f_n, from the highest order down. The phase is that of (-is)^n, which for n = top is 1 or -1.
  complex<T> phase = top % 4 == 0 ? complex<T>(1) : complex<T>(-1);
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
    complex<T> const before = f * (T(2 * n) / z) - after;
    after                   = f;
    f                       = before;
    phase                   = turned(phase, s);  // divided by -is
  }
  complex<T> const scale = exp(turned(z, -s)) / (total + f);
  BesselFunctions<T> result;
  result.j           = {f * scale, one * scale};
  complex<T> const l = log(z * T(0.5)) + T(numbers::egamma_v<T>);
  T const two_by_pi  = T(2) * T(numbers::inv_pi_v<T>);
  result.y.zero      = two_by_pi * (l * result.j.zero - T(2) * even * scale);
  result.y.one       = two_by_pi * (l * result.j.one - result.j.zero / z + odd * scale);
  return result;
}

/// The asymptotic expansions of the two Hankel functions of this order, in the right half of the plane.
template <class T>
KOKKOS_INLINE_FUNCTION void hankel_far(complex<T> const& z, int order, complex<T>* first, complex<T>* second) {
  complex<T> term(1), sum1(1), sum2(1);
  T const mu = T(4 * order * order);
  for (int k = 1; k < 60; ++k) {
    T const m                = T(2 * k - 1);
    complex<T> const smaller = turned(term * ((mu - m * m) / (T(8) * T(k))) / z);
    if (abs(smaller) >= abs(term)) break;
    term = smaller;
    sum1 += term;
    sum2 += k % 2 == 0 ? term : -term;
    if (abs(term) <= Experimental::epsilon_v<T>) break;
  }
  complex<T> const root  = sqrt(T(2) / (T(numbers::pi_v<T>) * z));
  complex<T> const angle = z - T(order) * (T(numbers::pi_v<T>) / T(2)) - T(numbers::pi_v<T>) / T(4);
  *first                 = root * exp(turned(angle)) * sum1;
  *second                = root * exp(turned(angle, T(-1))) * sum2;
}

template <class T>
KOKKOS_INLINE_FUNCTION BesselFunctions<T> bessel_far(complex<T> const& z) {
  bool const left     = z.real() < T(0);
  complex<T> const w  = left ? -z : z;
  complex<T> const i2 = complex<T>(0, 2);
  complex<T> first, second;
  BesselFunctions<T> result;
  hankel_far(w, 0, &first, &second);
  result.j.zero = (first + second) / T(2);
  result.y.zero = (first - second) / i2;
  hankel_far(w, 1, &first, &second);
  result.j.one = (first + second) / T(2);
  result.y.one = (first - second) / i2;
  if (left) {  // z is w rotated by half a turn, to the upper side for Im z >= 0
    T const turn = z.imag() < T(0) ? T(-1) : T(1);
    result.y.zero += turn * i2 * result.j.zero;
    result.y.one = -(result.y.one + turn * i2 * result.j.one);
    result.j.one = -result.j.one;
  }
  return result;
}

template <class T>
KOKKOS_INLINE_FUNCTION BesselFunctions<T> bessel(complex<T> const& z) {
  return abs(z) < T(25) ? bessel_near(z) : bessel_far(z);
}

/// I_0 and I_1.
template <class T>
KOKKOS_INLINE_FUNCTION BesselPair<T> bessel_i(complex<T> const& z) {
  if (z == T(0)) return {complex<T>(1), complex<T>(0)};
  BesselPair<T> const j = bessel(turned(z)).j;
  return {j.zero, turned(j.one, T(-1))};
}

/// K_0 and K_1 for |z| < 2: with f_n = J_n(iz), I_2k = (-1)^k f_2k.
template <class T>
KOKKOS_INLINE_FUNCTION BesselPair<T> bessel_k_near(complex<T> const& z) {
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
  return {k0, (T(1) / z - i1 * k0) / i0};  // the Wronskian; I_0 has no zero there
}

/// Like `bessel_k_near` above, in the right half of the plane for |z| >= 2, by Temme's form of the continued fraction:
/// N. M. Temme, On the numerical evaluation of the modified Bessel function of the third kind, J. Comput. Phys. 19
/// (1975).
template <class T>
KOKKOS_INLINE_FUNCTION BesselPair<T> bessel_k_right(complex<T> const& z) {
  T const quarter = T(0.25);
  complex<T> b = T(2) * (T(1) + z), d = T(1) / b, step = d, h = d;
  complex<T> q_before(0), q_now(1), q(quarter), s             = T(1) + q * step;
  T a = -quarter, c = quarter;
  for (int k = 2; k < 1000; ++k) {
    a -= T(2 * (k - 1));
    c *= -a / T(k);
    complex<T> const q_next = (q_before - b * q_now) / a;
    q_before                = q_now;
    q_now                   = q_next;
    q += c * q_next;
    b += T(2);
    d = T(1) / (b + a * d);
    step *= b * d - T(1);
    h += step;
    complex<T> const change = q * step;
    s += change;
    if (abs(change) <= abs(s) * Experimental::epsilon_v<T>) break;
  }
  complex<T> const zero = sqrt(T(numbers::pi_v<T>) / (T(2) * z)) * exp(-z) / s;
  return {zero, zero * (z + T(0.5) - quarter * h) / z};
}

/// K_0 and K_1, with a cut along the negative real axis.
template <class T>
KOKKOS_INLINE_FUNCTION BesselPair<T> bessel_k(complex<T> const& z) {
  if (abs(z) < T(2)) return bessel_k_near(z);
  if (z.real() >= T(0)) return bessel_k_right(z);
  BesselPair<T> const k = bessel_k_right(-z), i = bessel_i(-z);
  T const turn = (z.imag() < T(0) ? T(-1) : T(1)) * T(numbers::pi_v<T>);
  return {k.zero - turned(i.zero, turn), -k.one - turned(i.one, turn)};
}

/// The first Hankel functions. They are small in the upper half-plane, where J + iY would cancel.
template <class T>
KOKKOS_INLINE_FUNCTION BesselPair<T> hankel_1(complex<T> const& z) {
  T const two_by_pi = T(2) * T(numbers::inv_pi_v<T>);
  if (z.imag() >= T(0)) {
    BesselPair<T> const k = bessel_k(turned(z, T(-1)));
    return {turned(k.zero, -two_by_pi), -two_by_pi * k.one};
  }
  BesselFunctions<T> const b = bessel(z);
  return {b.j.zero + turned(b.y.zero), b.j.one + turned(b.y.one)};
}

/// The second ones are the conjugates of the first ones at the conjugate number; they are small in the lower
/// half-plane.
template <class T>
KOKKOS_INLINE_FUNCTION BesselPair<T> hankel_2(complex<T> const& z) {
  if (z.imag() < T(0)) {
    BesselPair<T> const h = hankel_1(conj(z));
    return {conj(h.zero), conj(h.one)};
  }
  BesselFunctions<T> const b = bessel(z);
  return {b.j.zero - turned(b.y.zero), b.j.one - turned(b.y.one)};
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

KOKKOS_IMPL_BESSEL(j0, Complex(1), Kokkos::Impl::bessel(z).j.zero)
KOKKOS_IMPL_BESSEL(j1, Complex(0), Kokkos::Impl::bessel(z).j.one)
KOKKOS_IMPL_BESSEL(y0, Complex(-infinity_v<T>), Kokkos::Impl::bessel(z).y.zero)
KOKKOS_IMPL_BESSEL(y1, Complex(-infinity_v<T>), Kokkos::Impl::bessel(z).y.one)
KOKKOS_IMPL_BESSEL(i0, Complex(1), Kokkos::Impl::bessel_i(z).zero)
KOKKOS_IMPL_BESSEL(i1, Complex(0), Kokkos::Impl::bessel_i(z).one)
KOKKOS_IMPL_BESSEL(k0, Complex(infinity_v<T>), Kokkos::Impl::bessel_k(z).zero)
KOKKOS_IMPL_BESSEL(k1, Complex(infinity_v<T>), Kokkos::Impl::bessel_k(z).one)
KOKKOS_IMPL_BESSEL(h10, Complex(1, -infinity_v<T>), Kokkos::Impl::hankel_1(z).zero)
KOKKOS_IMPL_BESSEL(h11, Complex(0, -infinity_v<T>), Kokkos::Impl::hankel_1(z).one)
KOKKOS_IMPL_BESSEL(h20, Complex(1, infinity_v<T>), Kokkos::Impl::hankel_2(z).zero)
KOKKOS_IMPL_BESSEL(h21, Complex(0, infinity_v<T>), Kokkos::Impl::hankel_2(z).one)

#undef KOKKOS_IMPL_BESSEL

}  // namespace Experimental
}  // namespace Kokkos

#endif
