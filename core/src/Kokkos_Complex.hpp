// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_COMPLEX_HPP
#define KOKKOS_COMPLEX_HPP

/// \file
/// Complex numbers for host and device: the class and its arithmetic. The mathematical functions of complex numbers are
/// in numerics/Kokkos_ComplexMath.hpp, which this header includes.

#include <Kokkos_Macros.hpp>
#include <Kokkos_NumericTraits.hpp>
#include <impl/numerics/Kokkos_Promotion.hpp>

#include <concepts>
#include <cstddef>
#include <iosfwd>
#include <type_traits>
#include <utility>

namespace Kokkos {

template <class T>
class complex;

namespace Impl {

// Recognises std::complex by its shape: a class template of one parameter T with the members of std::complex<T>. Its
// name would require <complex>, which greatly increases the compile time of every program that uses this library.
template <class C>
inline constexpr bool is_std_complex_v = false;
template <template <class> class C, class T>
inline constexpr bool is_std_complex_v<C<T>> =
    std::is_floating_point_v<T> && !std::is_same_v<C<T>, Kokkos::complex<T>> && requires(C<T> const& z, T x) {
      { z.real() } -> std::convertible_to<T>;
      { z.imag() } -> std::convertible_to<T>;
      requires std::is_same_v<typename C<T>::value_type, T>;
      C<T>(x, x);
    };

template <class C>
concept StdComplex = is_std_complex_v<C>;

/// The type in which numbers of two types are added and multiplied: their common type, except that half precision
/// converts to any wider floating-point type.
template <class T1, class T2>
using arithmetic_t = decltype(T1{} * T2{});

/// The type of the parts of a real number.
template <class T>
using floating_t = std::conditional_t<std::is_integral_v<T>, double, T>;

}  // namespace Impl

/// A complex number. With Kokkos_ENABLE_COMPLEX_ALIGN it is aligned so that both parts are loaded and stored together.
///
/// \tparam T float, double, long double (on the host), half_t or bhalf_t
template <class T>
#ifdef KOKKOS_ENABLE_COMPLEX_ALIGN
class alignas(2 * sizeof(T)) complex {
#else
class complex {
#endif
  static_assert(std::is_floating_point_v<T> || Impl::HalfPrecision<T>,
                "Kokkos::complex<T> needs a floating-point type T: float, double, long double, half_t or bhalf_t.");
  static_assert(!std::is_const_v<T> && !std::is_volatile_v<T>,
                "Kokkos::complex<T> needs a T without const and volatile; qualify the complex number instead.");

 public:
  using value_type = T;  ///< the type of both parts

  /// Zero.
  constexpr complex() noexcept = default;
  /// A real number.
  KOKKOS_FUNCTION constexpr complex(T r) noexcept : re_(r) {}
  /// The number r + i * I, for the imaginary unit I.
  KOKKOS_FUNCTION constexpr complex(T r, T i) noexcept : re_(r), im_(i) {}

  /// Converts both parts; implicit if U converts to T implicitly.
  template <class U>
    requires(!std::is_same_v<U, T> && std::is_constructible_v<T, U>)
  KOKKOS_FUNCTION constexpr explicit(!std::is_convertible_v<U, T>) complex(complex<U> const& z) noexcept
      : re_(static_cast<T>(z.real())), im_(static_cast<T>(z.imag())) {}

  /// From std::complex; implicit if it has the same value type.
  template <Impl::StdComplex C>
  constexpr explicit(!std::is_same_v<typename C::value_type, T>) complex(C const& z) noexcept
      : re_(static_cast<T>(z.real())), im_(static_cast<T>(z.imag())) {}

  /// To std::complex<T>.
  template <template <class> class C>
    requires Impl::StdComplex<C<T>>
  constexpr operator C<T>() const noexcept {
    return C<T>(re_, im_);
  }

  /// Becomes a real number.
  KOKKOS_FUNCTION constexpr complex& operator=(T r) noexcept {
    re_ = r;
    im_ = T();
    return *this;
  }
  /// Assigns from a std::complex with the same type of parts. Host only.
  template <Impl::StdComplex C>
    requires std::is_same_v<typename C::value_type, T>
  constexpr complex& operator=(C const& z) noexcept {
    return *this = complex(z);
  }

  /// The real part.
  KOKKOS_FUNCTION constexpr T& real() noexcept { return re_; }
  /// The imaginary part.
  KOKKOS_FUNCTION constexpr T& imag() noexcept { return im_; }
  /// The real part.
  KOKKOS_FUNCTION constexpr T real() const noexcept { return re_; }
  /// The imaginary part.
  KOKKOS_FUNCTION constexpr T imag() const noexcept { return im_; }
  /// Sets the real part.
  KOKKOS_FUNCTION constexpr void real(T r) noexcept { re_ = r; }
  /// Sets the imaginary part.
  KOKKOS_FUNCTION constexpr void imag(T i) noexcept { im_ = i; }

  /// Adds a complex number.
  KOKKOS_FUNCTION constexpr complex& operator+=(complex v) noexcept { return *this = *this + v; }
  /// Subtracts a complex number.
  KOKKOS_FUNCTION constexpr complex& operator-=(complex v) noexcept { return *this = *this - v; }
  /// Multiplies by a complex number, as operator* does.
  KOKKOS_FUNCTION constexpr complex& operator*=(complex v) noexcept { return *this = *this * v; }
  /// Divides by a complex number, as operator/ does.
  KOKKOS_FUNCTION constexpr complex& operator/=(complex v) noexcept { return *this = *this / v; }
  /// Adds to the real part.
  KOKKOS_FUNCTION constexpr complex& operator+=(T v) noexcept { return *this = *this + v; }
  /// Subtracts from the real part.
  KOKKOS_FUNCTION constexpr complex& operator-=(T v) noexcept { return *this = *this - v; }
  /// Multiplies both parts.
  KOKKOS_FUNCTION constexpr complex& operator*=(T v) noexcept { return *this = *this * v; }
  /// Divides both parts.
  KOKKOS_FUNCTION constexpr complex& operator/=(T v) noexcept { return *this = *this / v; }

#ifdef KOKKOS_ENABLE_DEPRECATED_CODE_4
  // Members for volatile objects. Assignments are templates so that they are not copy assignments, which would prevent
  // the class from being trivially copyable.
  template <class U>
    requires std::is_convertible_v<U, T>
  KOKKOS_DEPRECATED KOKKOS_FUNCTION complex(complex<U> const volatile& z) noexcept
      : re_(static_cast<T>(z.re_)), im_(static_cast<T>(z.im_)) {}

  template <class C>
    requires std::is_same_v<C, complex>
  KOKKOS_DEPRECATED KOKKOS_FUNCTION void operator=(C const& z) volatile noexcept {
    re_ = z.re_;
    im_ = z.im_;
  }
  template <class C>
    requires std::is_same_v<C, complex>
  KOKKOS_DEPRECATED KOKKOS_FUNCTION complex volatile& operator=(C const volatile& z) volatile noexcept {
    re_ = z.re_;
    im_ = z.im_;
    return *this;
  }
  template <class C>
    requires std::is_same_v<C, complex>
  KOKKOS_DEPRECATED KOKKOS_FUNCTION complex& operator=(C const volatile& z) noexcept {
    return *this = complex(z.re_, z.im_);
  }
  KOKKOS_DEPRECATED KOKKOS_FUNCTION void operator=(T const& r) volatile noexcept {
    re_ = r;
    im_ = T();
  }

  KOKKOS_DEPRECATED KOKKOS_FUNCTION T volatile& real() volatile noexcept { return re_; }
  KOKKOS_DEPRECATED KOKKOS_FUNCTION T volatile& imag() volatile noexcept { return im_; }
  KOKKOS_DEPRECATED KOKKOS_FUNCTION T real() const volatile noexcept { return re_; }
  KOKKOS_DEPRECATED KOKKOS_FUNCTION T imag() const volatile noexcept { return im_; }

#define KOKKOS_IMPL_COMPLEX_VOLATILE(OP)                                                               \
  KOKKOS_DEPRECATED KOKKOS_FUNCTION void operator OP##=(complex const volatile& v) volatile noexcept { \
    assign_volatile(complex(re_, im_) OP complex(v.re_, v.im_));                                       \
  }                                                                                                    \
  KOKKOS_DEPRECATED KOKKOS_FUNCTION void operator OP##=(T v) volatile noexcept {                       \
    assign_volatile(complex(re_, im_) OP v);                                                           \
  }
  KOKKOS_IMPL_COMPLEX_VOLATILE(+)
  KOKKOS_IMPL_COMPLEX_VOLATILE(-)
  KOKKOS_IMPL_COMPLEX_VOLATILE(*)
  KOKKOS_IMPL_COMPLEX_VOLATILE(/)
#undef KOKKOS_IMPL_COMPLEX_VOLATILE

 private:
  KOKKOS_FUNCTION void assign_volatile(complex z) volatile noexcept {
    re_ = z.re_;
    im_ = z.im_;
  }
#endif

 private:
  template <class>
  friend class complex;
  template <std::size_t I, class U>
  friend KOKKOS_FUNCTION constexpr U& get(complex<U>&) noexcept;
  template <std::size_t I, class U>
  friend KOKKOS_FUNCTION constexpr U const& get(complex<U> const&) noexcept;

  T re_ = T();
  T im_ = T();
};

// ---- parts --------------------------------------------------------------------------------------------------------

/// The real part.
template <class T>
KOKKOS_INLINE_FUNCTION constexpr T real(complex<T> const& x) noexcept {
  return x.real();
}

/// The imaginary part.
template <class T>
KOKKOS_INLINE_FUNCTION constexpr T imag(complex<T> const& x) noexcept {
  return x.imag();
}

/// A real number is its own real part. Integers become double, as in the functions of `<complex>`.
template <Impl::Real T>
KOKKOS_INLINE_FUNCTION constexpr Impl::floating_t<T> real(T const& x) noexcept {
  return static_cast<Impl::floating_t<T>>(x);
}

/// The imaginary part of a real number: 0.
template <Impl::Real T>
KOKKOS_INLINE_FUNCTION constexpr Impl::floating_t<T> imag(T const&) noexcept {
  return Impl::floating_t<T>(0);
}

/// The conjugate of a real number: the same number, as a complex one.
template <Impl::Real T>
KOKKOS_INLINE_FUNCTION constexpr complex<Impl::floating_t<T>> conj(T const& x) noexcept {
  return complex<Impl::floating_t<T>>(static_cast<Impl::floating_t<T>>(x));
}

/// The square of the absolute value.
template <class T>
KOKKOS_INLINE_FUNCTION constexpr T norm(complex<T> const& x) noexcept {
  return x.real() * x.real() + x.imag() * x.imag();
}

/// The complex conjugate.
template <class T>
KOKKOS_INLINE_FUNCTION constexpr complex<T> conj(complex<T> const& x) noexcept {
  return complex<T>(x.real(), -x.imag());
}

/// The real part for I == 0, the imaginary part for I == 1.
template <std::size_t I, class T>
KOKKOS_FUNCTION constexpr T& get(complex<T>& z) noexcept {
  static_assert(I < 2, "Kokkos::get<I> of a complex number: I is 0 (real part) or 1 (imaginary part).");
  if constexpr (I == 0) {
    return z.re_;
  } else {
    return z.im_;
  }
}

/// The real part (I = 0) or the imaginary part (I = 1).
template <std::size_t I, class T>
KOKKOS_FUNCTION constexpr T const& get(complex<T> const& z) noexcept {
  static_assert(I < 2, "Kokkos::get<I> of a complex number: I is 0 (real part) or 1 (imaginary part).");
  if constexpr (I == 0) {
    return z.re_;
  } else {
    return z.im_;
  }
}

/// Like `get` above, for an rvalue.
template <std::size_t I, class T>
KOKKOS_FUNCTION constexpr T&& get(complex<T>&& z) noexcept {
  return static_cast<T&&>(Kokkos::get<I>(z));
}

/// Like `get` above, for a const rvalue.
template <std::size_t I, class T>
KOKKOS_FUNCTION constexpr T const&& get(complex<T> const&& z) noexcept {
  return static_cast<T const&&>(Kokkos::get<I>(z));
}

// ---- comparison ---------------------------------------------------------------------------------------------------

// The language adds the forms with swapped operands, and !=.
/// Whether both parts are equal. The types of the parts may differ.
template <class T1, class T2>
KOKKOS_INLINE_FUNCTION constexpr bool operator==(complex<T1> const& x, complex<T2> const& y) noexcept {
  return x.real() == y.real() && x.imag() == y.imag();
}

/// Whether the real part equals y and the imaginary part is 0.
template <class T1, Impl::Real T2>
KOKKOS_INLINE_FUNCTION constexpr bool operator==(complex<T1> const& x, T2 const& y) noexcept {
  return x.real() == y && x.imag() == T1(0);
}

/// Whether both parts equal those of a std::complex. Host only.
template <class T1, Impl::StdComplex C>
constexpr bool operator==(complex<T1> const& x, C const& y) noexcept {
  return x.real() == y.real() && x.imag() == y.imag();
}

// ---- arithmetic ---------------------------------------------------------------------------------------------------

namespace Impl {

/// The absolute value, also in constant expressions. The builtin functions are one instruction; the comparison is three,
/// because it keeps the sign of -0. nvcc compiles the comparison, since the builtin functions are the host compiler's.
template <class T>
KOKKOS_INLINE_FUNCTION constexpr T magnitude(T x) {
#if !defined(__CUDACC__)
  if constexpr (std::is_same_v<T, double>) return __builtin_fabs(x);
  if constexpr (std::is_same_v<T, float>) return __builtin_fabsf(x);
#endif
  return x < T(0) ? -x : x;
}

template <class T>
KOKKOS_INLINE_FUNCTION constexpr bool is_infinite(T x) {
  return x - x != x - x && x == x;
}

/// 1 or -1 for an infinity, 0 for all other numbers.
template <class T>
KOKKOS_INLINE_FUNCTION constexpr T unit_if_infinite(T x) {
  return Impl::is_infinite(x) ? (x < T(0) ? T(-1) : T(1)) : T(0);
}

/// Quotients that the usual formula turns into NaN although one operand is infinite (C11, Annex G.5.1).
template <class T>
KOKKOS_INLINE_FUNCTION constexpr complex<T> divide_infinities(T a, T b, T c, T d, complex<T> const& otherwise) {
  bool const numerator   = Impl::is_infinite(a) || Impl::is_infinite(b);
  bool const denominator = Impl::is_infinite(c) || Impl::is_infinite(d);
  if (numerator && !denominator && c == c && d == d) {
    T const inf = Impl::is_infinite(a) ? Impl::magnitude(a) : Impl::magnitude(b);
    a           = Impl::unit_if_infinite(a);
    b           = Impl::unit_if_infinite(b);
    return complex<T>(inf * (a * c + b * d), inf * (b * c - a * d));
  }
  if (denominator && !numerator && a == a && b == b) {
    c = Impl::unit_if_infinite(c);
    d = Impl::unit_if_infinite(d);
    return complex<T>(T(0) * (a * c + b * d), T(0) * (b * c - a * d));
  }
  return otherwise;
}

/// 2^n, exactly.
template <class T>
KOKKOS_INLINE_FUNCTION constexpr T power_of_two(int n) {
  T result = 1;
  for (; n > 0; --n) result *= T(2);
  for (; n < 0; ++n) result /= T(2);
  return result;
}

/// Below this value, squares and their rounding errors are no longer normal numbers.
template <class T>
inline constexpr T tiny_v = Impl::power_of_two<T>(min_exponent_v<T> + digits_v<T>);

/// (x + iy) / (large + i small), where |large| >= |small|, by Smith's method in the form of Baudin and Smith
/// (arXiv:1210.4539). If `swapped`, the divisor is small + i large and the dividend y + ix.
template <class T>
KOKKOS_INLINE_FUNCTION constexpr complex<T> divide_by_larger(T x, T y, T large, T small, bool swapped) {
  T const ratio       = small / large;
  T const denominator = large + small * ratio;
  // If the ratio underflows to zero, small * (y / large) keeps the digits that y * ratio would lose. If small is zero,
  // that could be the product of zero and infinity.
  bool const underflows = ratio == T(0) && small != T(0);
  T const re            = (underflows ? x + small * (y / large) : x + y * ratio) / denominator;
  T const im            = (underflows ? y - small * (x / large) : y - x * ratio) / denominator;
  return complex<T>(re, swapped ? -im : im);
}

/// Divides where an operand is so large that a sum of its parts overflows, or so small that products have few digits.
/// Scaling by powers of two is exact, and if the quotient of the scaled numbers overflows, so does the result.
template <class T>
KOKKOS_INLINE_FUNCTION constexpr complex<T> divide_scaled(T x, T y, T large, T small, bool swapped) {
  constexpr T huge = finite_max_v<T> / T(4), up = Impl::power_of_two<T>(2 * digits_v<T>), down = T(1) / up;
  T const larger   = Impl::magnitude(x) > Impl::magnitude(y) ? x : y;
  T const dividend = Impl::magnitude(larger), divisor = Impl::magnitude(large);
  T unscale = 1;
  if (dividend < tiny_v<T>) x *= up, y *= up, unscale *= down;
  if (dividend > huge && !Impl::is_infinite(dividend)) x /= T(4), y /= T(4), unscale *= T(4);
  if (divisor < tiny_v<T>) large *= up, small *= up, unscale *= up;
  if (divisor > huge && !Impl::is_infinite(divisor)) large /= T(4), small /= T(4), unscale /= T(4);
  complex<T> const quotient = Impl::divide_by_larger(x, y, large, small, swapped);
  return complex<T>(quotient.real() * unscale, quotient.imag() * unscale);
}

/// (a + ib) / (c + id) for zeros, infinities, NaN and numbers whose squares are not normal.
template <class T>
#if !KOKKOS_IMPL_DEVICE_PASS
[[gnu::noinline]]  // else compilers merge the common case with it
#endif
KOKKOS_FUNCTION constexpr complex<T>
divide_extremes(T a, T b, T c, T d) {
  bool const swapped = Impl::magnitude(d) > Impl::magnitude(c);
  T const large = swapped ? d : c, small = swapped ? c : d;
  T const x = swapped ? b : a, y = swapped ? a : b;
  if (c == T(0) && d == T(0)) return complex<T>(a / large, b / large);
  complex<T> const quotient = Impl::divide_scaled(x, y, large, small, swapped);
  return quotient.real() != quotient.real() && quotient.imag() != quotient.imag()
             ? Impl::divide_infinities(a, b, c, d, quotient)
             : quotient;
}

/// (x + iy) / divisor.
template <class T>
KOKKOS_INLINE_FUNCTION constexpr complex<T> divide_both(T x, T y, T divisor) {
#if defined(__GNUC__) && !defined(__CUDACC__)
  // g++ does not find out by itself that one instruction can divide both.
  if constexpr (std::is_same_v<T, double>) {
    if (!std::is_constant_evaluated()) {
      using Pair __attribute__((vector_size(2 * sizeof(double)))) = double;
      Pair const quotients                                        = Pair{x, y} / Pair{divisor, divisor};
      return complex<T>(quotients[0], quotients[1]);
    }
  }
#endif
  return complex<T>(x / divisor, y / divisor);
}

/// (a + ib) / (c + id) without intermediate overflow or underflow. Division by zero divides both parts by it.
template <class T>
KOKKOS_INLINE_FUNCTION constexpr complex<T> divide(T a, T b, T c, T d) {
  bool const swapped = Impl::magnitude(d) > Impl::magnitude(c);
  T const large = swapped ? d : c, small = swapped ? c : d;
  T const x = swapped ? b : a, y = swapped ? a : b;
  T const ratio = small / large;
  // The sum is NaN or infinite if a part is, so two comparisons select the operands that need no scaling.
  T const dividend = Impl::magnitude(x) + Impl::magnitude(y), divisor = Impl::magnitude(large) + Impl::magnitude(small);
  if (dividend + divisor <= finite_max_v<T> / T(4) && (divisor < dividend ? divisor : dividend) >= tiny_v<T> &&
      (ratio != T(0) || small == T(0))) {
    T const denominator = large + small * ratio;
    return Impl::divide_both(x + y * ratio, swapped ? x * ratio - y : y - x * ratio, denominator);
  }
  return Impl::divide_extremes(a, b, c, d);
}

/// Rounds both parts of a result; W differs from R only for half precision.
template <class R, class W>
KOKKOS_INLINE_FUNCTION constexpr complex<R> rounded(W re, W im) {
  return complex<R>(static_cast<R>(re), static_cast<R>(im));
}

}  // namespace Impl

/// The number itself.
template <class T>
KOKKOS_INLINE_FUNCTION constexpr complex<T> operator+(complex<T> const& x) noexcept {
  return x;
}

/// Negates both parts.
template <class T>
KOKKOS_INLINE_FUNCTION constexpr complex<T> operator-(complex<T> const& x) noexcept {
  return complex<T>(-x.real(), -x.imag());
}

// One operator for two complex numbers, and for a complex and a real number in either order. A real operand is not
// converted to a complex number with imaginary part zero, because that would cost time and turn infinities into NaN.
// The expressions use the parts a, b of the first operand and c, d of the second.
#define KOKKOS_IMPL_COMPLEX_OPERATOR(OP, BOTH, REAL_SECOND, REAL_FIRST)                                             \
  template <class T1, class T2>                                                                                     \
  KOKKOS_INLINE_FUNCTION constexpr complex<Impl::arithmetic_t<T1, T2>> operator OP(complex<T1> const& x,            \
                                                                                   complex<T2> const& y) noexcept { \
    using R   = Impl::arithmetic_t<T1, T2>;                                                                         \
    using W   = Impl::working_t<R>;                                                                                 \
    const W a = static_cast<W>(x.real()), b = static_cast<W>(x.imag());                                             \
    const W c = static_cast<W>(y.real()), d = static_cast<W>(y.imag());                                             \
    return BOTH;                                                                                                    \
  }                                                                                                                 \
  template <class T1, Impl::Real T2>                                                                                \
  KOKKOS_INLINE_FUNCTION constexpr complex<Impl::arithmetic_t<T1, T2>> operator OP(complex<T1> const& x,            \
                                                                                   T2 const& y) noexcept {          \
    using R   = Impl::arithmetic_t<T1, T2>;                                                                         \
    using W   = Impl::working_t<R>;                                                                                 \
    const W a = static_cast<W>(x.real()), b = static_cast<W>(x.imag()), c = static_cast<W>(y);                      \
    return REAL_SECOND;                                                                                             \
  }                                                                                                                 \
  template <Impl::Real T1, class T2>                                                                                \
  KOKKOS_INLINE_FUNCTION constexpr complex<Impl::arithmetic_t<T1, T2>> operator OP(T1 const& x,                     \
                                                                                   complex<T2> const& y) noexcept { \
    using R   = Impl::arithmetic_t<T1, T2>;                                                                         \
    using W   = Impl::working_t<R>;                                                                                 \
    const W a = static_cast<W>(x), c = static_cast<W>(y.real()), d = static_cast<W>(y.imag());                      \
    return REAL_FIRST;                                                                                              \
  }

KOKKOS_IMPL_COMPLEX_OPERATOR(+, Impl::rounded<R>(a + c, b + d), Impl::rounded<R>(a + c, b), Impl::rounded<R>(a + c, d))
KOKKOS_IMPL_COMPLEX_OPERATOR(-, Impl::rounded<R>(a - c, b - d), Impl::rounded<R>(a - c, b), Impl::rounded<R>(a - c, -d))
// The simple formula, so that loops over products vectorise: an infinite factor may give NaN.
KOKKOS_IMPL_COMPLEX_OPERATOR(*, Impl::rounded<R>(a* c - b * d, a* d + b * c), Impl::rounded<R>(a* c, b* c),
                             Impl::rounded<R>(a* c, a* d))
KOKKOS_IMPL_COMPLEX_OPERATOR(/, complex<R>(Impl::divide(a, b, c, d)), Impl::rounded<R>(a / c, b / c),
                             complex<R>(Impl::divide(a, W(0), c, d)))

#undef KOKKOS_IMPL_COMPLEX_OPERATOR

/// With a std::complex as the first factor.
template <Impl::StdComplex C, class T>
constexpr auto operator*(C const& x, complex<T> const& y) noexcept {
  return complex<typename C::value_type>(x) * y;
}

// ---- input and output ---------------------------------------------------------------------------------------------

/// Writes `(re,im)`, the format of std::complex. Instantiated in the library for float, double and long double.
template <class T>
std::ostream& operator<<(std::ostream& stream, complex<T> const& x);

/// Reads `re`, `(re)` or `(re,im)`; for other input sets failbit and leaves x unchanged.
template <class T>
std::istream& operator>>(std::istream& stream, complex<T>& x);

}  // namespace Kokkos

/// The tuple protocol of a complex number: real part, imaginary part.
template <class T>
struct std::tuple_size<Kokkos::complex<T>> : std::integral_constant<std::size_t, 2> {};

/// The tuple protocol of a complex number: real part, imaginary part.
template <std::size_t I, class T>
struct std::tuple_element<I, Kokkos::complex<T>> {
  static_assert(I < 2, "std::tuple_element of a complex number: the index is 0 (real part) or 1 (imaginary part).");
  using type = T;  ///< the type of either part
};

#include <impl/numerics/Kokkos_ComplexMath.hpp>

#endif
