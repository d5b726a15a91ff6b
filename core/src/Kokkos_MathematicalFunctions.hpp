// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_MATHEMATICAL_FUNCTIONS_HPP
#define KOKKOS_MATHEMATICAL_FUNCTIONS_HPP

/// \file
/// The functions of `<cmath>` as one overload set for host and device, plus `rsqrt` and `rcp`.
///
/// Each function accepts float, double, long double (on the host), any integer (as double), and half_t and bhalf_t
/// (computed in float). Functions of several numbers accept any mixture. `sqrtf` and `sqrtl` are the float and long
/// double forms. Each function calls the C function of the global namespace, because C, CUDA and HIP use the same
/// names.

#include <Kokkos_Macros.hpp>
#include <Kokkos_NumericTraits.hpp>
#include <impl/numerics/Kokkos_Promotion.hpp>

#include <cmath>
#include <limits>
#include <type_traits>

namespace Kokkos {

// The macros below write the overloads of one function. `EXTRA` contains trailing parameters that are not numbers of
// the promoted type, and `PASS` passes them on.

#define KOKKOS_IMPL_MATH_UNARY_WITH(R_FLOAT, R_DOUBLE, R_LONG_DOUBLE, R_HALF, NAME, EXTRA, PASS) \
  KOKKOS_INLINE_FUNCTION R_FLOAT NAME(float x EXTRA) { return ::NAME##f(x PASS); }               \
  KOKKOS_INLINE_FUNCTION R_FLOAT NAME##f(float x EXTRA) { return ::NAME##f(x PASS); }            \
  KOKKOS_INLINE_FUNCTION R_DOUBLE NAME(double x EXTRA) { return ::NAME(x PASS); }                \
  inline R_LONG_DOUBLE NAME(long double x EXTRA) { return ::NAME##l(x PASS); }                   \
  inline R_LONG_DOUBLE NAME##l(long double x EXTRA) { return ::NAME##l(x PASS); }                \
  template <Impl::Integral T>                                                                    \
  KOKKOS_INLINE_FUNCTION R_DOUBLE NAME(T x EXTRA) {                                              \
    return ::NAME(static_cast<double>(x) PASS);                                                  \
  }                                                                                              \
  template <Impl::HalfPrecision T>                                                               \
  KOKKOS_INLINE_FUNCTION R_HALF NAME(T x EXTRA) {                                                \
    return Impl::narrow_single<R_HALF>(::NAME##f(Impl::widen_single<float>(x) PASS));            \
  }

#define KOKKOS_IMPL_COMMA ,
#define KOKKOS_IMPL_MATH_UNARY(NAME) KOKKOS_IMPL_MATH_UNARY_WITH(float, double, long double, T, NAME, , )
#define KOKKOS_IMPL_MATH_UNARY_TO(RESULT, NAME) KOKKOS_IMPL_MATH_UNARY_WITH(RESULT, RESULT, RESULT, RESULT, NAME, , )
#define KOKKOS_IMPL_MATH_UNARY_AND(TYPE, NAME)                                                   \
  KOKKOS_IMPL_MATH_UNARY_WITH(float, double, long double, T, NAME, KOKKOS_IMPL_COMMA TYPE extra, \
                              KOKKOS_IMPL_COMMA extra)

// Mixed arguments are converted to their promoted type; computations in half precision use float.
#define KOKKOS_IMPL_MATH_MIXED2(NAME)                                                  \
  template <class T1, class T2>                                                        \
    requires Impl::PromotesOnDevice<T1, T2>                                            \
  KOKKOS_INLINE_FUNCTION Impl::promoted_t<T1, T2> NAME(T1 x, T2 y) {                   \
    using R        = Impl::promoted_t<T1, T2>;                                         \
    using W        = Impl::working_t<R>;                                               \
    W const result = Kokkos::NAME(Impl::widen_single<W>(x), Impl::widen_single<W>(y)); \
    return Impl::narrow_single<R>(result);                                             \
  }                                                                                    \
  template <class T1, class T2>                                                        \
    requires Impl::PromotesToLongDouble<T1, T2>                                        \
  inline long double NAME(T1 x, T2 y) {                                                \
    return Kokkos::NAME(static_cast<long double>(x), static_cast<long double>(y));     \
  }

#define KOKKOS_IMPL_MATH_BINARY(NAME)                                                  \
  KOKKOS_INLINE_FUNCTION float NAME(float x, float y) { return ::NAME##f(x, y); }      \
  KOKKOS_INLINE_FUNCTION float NAME##f(float x, float y) { return ::NAME##f(x, y); }   \
  KOKKOS_INLINE_FUNCTION double NAME(double x, double y) { return ::NAME(x, y); }      \
  inline long double NAME(long double x, long double y) { return ::NAME##l(x, y); }    \
  inline long double NAME##l(long double x, long double y) { return ::NAME##l(x, y); } \
  KOKKOS_IMPL_MATH_MIXED2(NAME)

// ---- basic operations ---------------------------------------------------------------------------------------------

KOKKOS_IMPL_MATH_UNARY(fabs)
KOKKOS_IMPL_MATH_BINARY(fmod)
KOKKOS_IMPL_MATH_BINARY(remainder)
KOKKOS_IMPL_MATH_BINARY(fmax)
KOKKOS_IMPL_MATH_BINARY(fmin)
KOKKOS_IMPL_MATH_BINARY(fdim)

/// @{
/// The absolute value. As in C, that of the lowest integer cannot be represented.
KOKKOS_INLINE_FUNCTION int abs(int x) { return x < 0 ? -x : x; }
KOKKOS_INLINE_FUNCTION long abs(long x) { return x < 0 ? -x : x; }
KOKKOS_INLINE_FUNCTION long long abs(long long x) { return x < 0 ? -x : x; }
KOKKOS_INLINE_FUNCTION float abs(float x) { return ::fabsf(x); }
KOKKOS_INLINE_FUNCTION double abs(double x) { return ::fabs(x); }
inline long double abs(long double x) { return ::fabsl(x); }
template <Impl::HalfPrecision T>
KOKKOS_INLINE_FUNCTION T abs(T x) {
  return Kokkos::fabs(x);
}
/// @}

/// @{
/// Remainder of x / y rounded to nearest; `*quotient` receives the sign and at least the last three bits of the
/// quotient.
KOKKOS_INLINE_FUNCTION float remquo(float x, float y, int* quotient) { return ::remquof(x, y, quotient); }
KOKKOS_INLINE_FUNCTION float remquof(float x, float y, int* quotient) { return ::remquof(x, y, quotient); }
KOKKOS_INLINE_FUNCTION double remquo(double x, double y, int* quotient) { return ::remquo(x, y, quotient); }
inline long double remquo(long double x, long double y, int* quotient) { return ::remquol(x, y, quotient); }
inline long double remquol(long double x, long double y, int* quotient) { return ::remquol(x, y, quotient); }
template <class T1, class T2>
  requires Impl::PromotesOnDevice<T1, T2>
KOKKOS_INLINE_FUNCTION Impl::promoted_t<T1, T2> remquo(T1 x, T2 y, int* quotient) {
  using R        = Impl::promoted_t<T1, T2>;
  using W        = Impl::working_t<R>;
  W const result = Kokkos::remquo(Impl::widen_single<W>(x), Impl::widen_single<W>(y), quotient);
  return Impl::narrow_single<R>(result);
}
template <class T1, class T2>
  requires Impl::PromotesToLongDouble<T1, T2>
inline long double remquo(T1 x, T2 y, int* quotient) {
  return ::remquol(static_cast<long double>(x), static_cast<long double>(y), quotient);
}
/// @}

#define KOKKOS_IMPL_MATH_MIXED3(NAME)                                                                  \
  template <class T1, class T2, class T3>                                                              \
    requires(Impl::PromotesOnDevice<T1, T2, T3> && !Impl::HalfPrecision<Impl::promoted_t<T1, T2, T3>>) \
  KOKKOS_INLINE_FUNCTION Impl::promoted_t<T1, T2, T3> NAME(T1 x, T2 y, T3 z) {                         \
    using R = Impl::promoted_t<T1, T2, T3>;                                                            \
    return Kokkos::NAME(static_cast<R>(x), static_cast<R>(y), static_cast<R>(z));                      \
  }                                                                                                    \
  template <class T1, class T2, class T3>                                                              \
    requires Impl::PromotesToLongDouble<T1, T2, T3>                                                    \
  inline long double NAME(T1 x, T2 y, T3 z) {                                                          \
    using R = long double;                                                                             \
    return Kokkos::NAME(static_cast<R>(x), static_cast<R>(y), static_cast<R>(z));                      \
  }

/// @{
/// x * y + z, rounded once. (For half_t and bhalf_t see Kokkos_Half.hpp.)
KOKKOS_INLINE_FUNCTION float fma(float x, float y, float z) { return ::fmaf(x, y, z); }
KOKKOS_INLINE_FUNCTION float fmaf(float x, float y, float z) { return ::fmaf(x, y, z); }
KOKKOS_INLINE_FUNCTION double fma(double x, double y, double z) { return ::fma(x, y, z); }
inline long double fma(long double x, long double y, long double z) { return ::fmal(x, y, z); }
inline long double fmal(long double x, long double y, long double z) { return ::fmal(x, y, z); }
KOKKOS_IMPL_MATH_MIXED3(fma)
/// @}

/// @{
/// A quiet NaN with the payload that the C function derives from the text.
KOKKOS_INLINE_FUNCTION double nan(char const* payload) { return ::nan(payload); }
KOKKOS_INLINE_FUNCTION float nanf(char const* payload) { return ::nanf(payload); }
inline long double nanl(char const* payload) { return ::nanl(payload); }
/// @}

// ---- exponential and power functions ------------------------------------------------------------------------------

KOKKOS_IMPL_MATH_UNARY(exp)
KOKKOS_IMPL_MATH_UNARY(exp2)
KOKKOS_IMPL_MATH_UNARY(expm1)
KOKKOS_IMPL_MATH_UNARY(log)
KOKKOS_IMPL_MATH_UNARY(log10)
KOKKOS_IMPL_MATH_UNARY(log2)
KOKKOS_IMPL_MATH_UNARY(log1p)
KOKKOS_IMPL_MATH_BINARY(pow)
KOKKOS_IMPL_MATH_UNARY(sqrt)
KOKKOS_IMPL_MATH_UNARY(cbrt)
KOKKOS_IMPL_MATH_BINARY(hypot)

/// @{
/// Length of (x, y, z). Where the sum of squares overflows, or its rounding errors are no normal numbers, through the
/// two-dimensional hypot, which neither overflows nor loses infinities.
KOKKOS_INLINE_FUNCTION float hypot(float x, float y, float z) {
  float const square = x * x + y * y + z * z;
  return square >= 0x1p-100f && square <= 0x1p126f ? ::sqrtf(square) : ::hypotf(::hypotf(x, y), z);
}
KOKKOS_INLINE_FUNCTION float hypotf(float x, float y, float z) { return Kokkos::hypot(x, y, z); }
KOKKOS_INLINE_FUNCTION double hypot(double x, double y, double z) {
  double const square = x * x + y * y + z * z;
  return square >= 0x1p-900 && square <= 0x1p1022 ? ::sqrt(square) : ::hypot(::hypot(x, y), z);
}
inline long double hypot(long double x, long double y, long double z) { return ::hypotl(::hypotl(x, y), z); }
inline long double hypotl(long double x, long double y, long double z) { return ::hypotl(::hypotl(x, y), z); }
KOKKOS_IMPL_MATH_MIXED3(hypot)
template <Impl::HalfPrecision T>
KOKKOS_INLINE_FUNCTION T hypot(T x, T y, T z) {
  return T::from_single_float(Kokkos::hypot(x.to_single_float(), y.to_single_float(), z.to_single_float()));
}
/// @}

// ---- trigonometric, hyperbolic, error and gamma functions ---------------------------------------------------------

KOKKOS_IMPL_MATH_UNARY(sin)
KOKKOS_IMPL_MATH_UNARY(cos)
KOKKOS_IMPL_MATH_UNARY(tan)
KOKKOS_IMPL_MATH_UNARY(asin)
KOKKOS_IMPL_MATH_UNARY(acos)
KOKKOS_IMPL_MATH_UNARY(atan)
KOKKOS_IMPL_MATH_BINARY(atan2)
KOKKOS_IMPL_MATH_UNARY(sinh)
KOKKOS_IMPL_MATH_UNARY(cosh)
KOKKOS_IMPL_MATH_UNARY(tanh)
KOKKOS_IMPL_MATH_UNARY(asinh)
KOKKOS_IMPL_MATH_UNARY(acosh)
KOKKOS_IMPL_MATH_UNARY(atanh)
KOKKOS_IMPL_MATH_UNARY(erf)
KOKKOS_IMPL_MATH_UNARY(erfc)
KOKKOS_IMPL_MATH_UNARY(tgamma)
KOKKOS_IMPL_MATH_UNARY(lgamma)

// ---- nearest integer ----------------------------------------------------------------------------------------------

KOKKOS_IMPL_MATH_UNARY(ceil)
KOKKOS_IMPL_MATH_UNARY(floor)
KOKKOS_IMPL_MATH_UNARY(trunc)
KOKKOS_IMPL_MATH_UNARY(round)
KOKKOS_IMPL_MATH_UNARY_TO(long, lround)
KOKKOS_IMPL_MATH_UNARY_TO(long long, llround)
KOKKOS_IMPL_MATH_UNARY(nearbyint)
KOKKOS_IMPL_MATH_UNARY(rint)
KOKKOS_IMPL_MATH_UNARY_TO(long, lrint)
KOKKOS_IMPL_MATH_UNARY_TO(long long, llrint)

// ---- manipulation -------------------------------------------------------------------------------------------------

KOKKOS_IMPL_MATH_UNARY_AND(int*, frexp)
KOKKOS_IMPL_MATH_UNARY_AND(int, ldexp)
KOKKOS_IMPL_MATH_UNARY_AND(int, scalbn)
KOKKOS_IMPL_MATH_UNARY_AND(long, scalbln)
KOKKOS_IMPL_MATH_UNARY_TO(int, ilogb)
KOKKOS_IMPL_MATH_UNARY(logb)
KOKKOS_IMPL_MATH_BINARY(copysign)

/// @{
/// Splits x into its integral part, which is stored in `*integral`, and its fraction, both with the sign of x.
KOKKOS_INLINE_FUNCTION float modf(float x, float* integral) { return ::modff(x, integral); }
KOKKOS_INLINE_FUNCTION float modff(float x, float* integral) { return ::modff(x, integral); }
KOKKOS_INLINE_FUNCTION double modf(double x, double* integral) { return ::modf(x, integral); }
inline long double modf(long double x, long double* integral) { return ::modfl(x, integral); }
inline long double modfl(long double x, long double* integral) { return ::modfl(x, integral); }
template <Impl::Integral T>
KOKKOS_INLINE_FUNCTION double modf(T x, double* integral) {
  return ::modf(static_cast<double>(x), integral);
}
template <Impl::HalfPrecision T>
KOKKOS_INLINE_FUNCTION T modf(T x, T* integral) {
  float whole          = 0;
  float const fraction = ::modff(x.to_single_float(), &whole);
  *integral            = T::from_single_float(whole);
  return T::from_single_float(fraction);
}
/// @}

/// @{
/// The neighbour of x in the direction of y. (For half_t and bhalf_t see Kokkos_Half.hpp: a neighbour in half precision
/// is not a neighbour in float.)
KOKKOS_INLINE_FUNCTION float nextafter(float x, float y) { return ::nextafterf(x, y); }
KOKKOS_INLINE_FUNCTION float nextafterf(float x, float y) { return ::nextafterf(x, y); }
KOKKOS_INLINE_FUNCTION double nextafter(double x, double y) { return ::nextafter(x, y); }
inline long double nextafter(long double x, long double y) { return ::nextafterl(x, y); }
inline long double nextafterl(long double x, long double y) { return ::nextafterl(x, y); }
template <class T1, class T2>
  requires(Impl::PromotesOnDevice<T1, T2> && !Impl::HalfPrecision<Impl::promoted_t<T1, T2>>)
KOKKOS_INLINE_FUNCTION Impl::promoted_t<T1, T2> nextafter(T1 x, T2 y) {
  using R = Impl::promoted_t<T1, T2>;
  return Kokkos::nextafter(static_cast<R>(x), static_cast<R>(y));
}
template <class T1, class T2>
  requires Impl::PromotesToLongDouble<T1, T2>
inline long double nextafter(T1 x, T2 y) {
  return ::nextafterl(static_cast<long double>(x), static_cast<long double>(y));
}
/// @}

/// @{
/// The neighbour of x in the direction of y. Only on the host, because of its long double argument.
inline float nexttoward(float x, long double y) { return ::nexttowardf(x, y); }
inline float nexttowardf(float x, long double y) { return ::nexttowardf(x, y); }
inline double nexttoward(double x, long double y) { return ::nexttoward(x, y); }
inline long double nexttoward(long double x, long double y) { return ::nexttowardl(x, y); }
inline long double nexttowardl(long double x, long double y) { return ::nexttowardl(x, y); }
template <Impl::Integral T>
inline double nexttoward(T x, long double y) {
  return ::nexttoward(static_cast<double>(x), y);
}
/// @}

// ---- classification -----------------------------------------------------------------------------------------------

// With -ffinite-math-only, clang warns about each call of std::isnan and the like: here, even if the program calls none.
#ifdef __clang__
#pragma clang diagnostic push
#if __has_warning("-Wnan-infinity-disabled")
#pragma clang diagnostic ignored "-Wnan-infinity-disabled"
#endif
#endif

// `INTEGER` is the result for every integer x.
#define KOKKOS_IMPL_MATH_CLASSIFY(NAME, INTEGER)           \
  KOKKOS_INLINE_FUNCTION bool NAME(float x) {              \
    KOKKOS_IMPL_IF_HOST_PASS((return std::NAME(x);))       \
    KOKKOS_IMPL_IF_DEVICE_PASS((return ::NAME(x);))        \
  }                                                        \
  KOKKOS_INLINE_FUNCTION bool NAME(double x) {             \
    KOKKOS_IMPL_IF_HOST_PASS((return std::NAME(x);))       \
    KOKKOS_IMPL_IF_DEVICE_PASS((return ::NAME(x);))        \
  }                                                        \
  inline bool NAME(long double x) { return std::NAME(x); } \
  template <Impl::Integral T>                              \
  KOKKOS_INLINE_FUNCTION bool NAME([[maybe_unused]] T x) { \
    return INTEGER;                                        \
  }                                                        \
  template <Impl::HalfPrecision T>                         \
  KOKKOS_INLINE_FUNCTION bool NAME(T x) {                  \
    return Kokkos::NAME(static_cast<float>(x));            \
  }

KOKKOS_IMPL_MATH_CLASSIFY(isfinite, true)
KOKKOS_IMPL_MATH_CLASSIFY(isinf, false)
KOKKOS_IMPL_MATH_CLASSIFY(isnan, false)
KOKKOS_IMPL_MATH_CLASSIFY(signbit, x < T(0))

namespace Impl {
/// Devices have no fpclassify; this uses only functions of both sides.
template <class T>
KOKKOS_INLINE_FUNCTION int classify(T x) {
  if (Kokkos::isnan(x)) return FP_NAN;
  if (Kokkos::isinf(x)) return FP_INFINITE;
  T const magnitude = Kokkos::fabs(x);
  if (magnitude >= norm_min_v<T>) return FP_NORMAL;
  return magnitude == T(0) ? FP_ZERO : FP_SUBNORMAL;
}
}  // namespace Impl

/// @{
/// One of FP_NAN, FP_INFINITE, FP_NORMAL, FP_SUBNORMAL and FP_ZERO.
KOKKOS_INLINE_FUNCTION int fpclassify(float x) { return Impl::classify(x); }
KOKKOS_INLINE_FUNCTION int fpclassify(double x) { return Impl::classify(x); }
inline int fpclassify(long double x) { return std::fpclassify(x); }
KOKKOS_INLINE_FUNCTION int fpclassifyf(float x) { return Kokkos::fpclassify(x); }
inline int fpclassifyl(long double x) { return Kokkos::fpclassify(x); }
template <Impl::Integral T>
KOKKOS_INLINE_FUNCTION int fpclassify(T x) {
  return x == T(0) ? FP_ZERO : FP_NORMAL;
}
template <Impl::HalfPrecision T>
KOKKOS_INLINE_FUNCTION int fpclassify(T x) {
  return Impl::classify(x);
}
/// @}

/// @{
/// Neither zero, subnormal, infinite nor NaN.
KOKKOS_INLINE_FUNCTION bool isnormal(float x) { return Impl::classify(x) == FP_NORMAL; }
KOKKOS_INLINE_FUNCTION bool isnormal(double x) { return Impl::classify(x) == FP_NORMAL; }
inline bool isnormal(long double x) { return std::isnormal(x); }
template <class T>
  requires(Impl::Integral<T> || Impl::HalfPrecision<T>)
KOKKOS_INLINE_FUNCTION bool isnormal(T x) {
  return Kokkos::fpclassify(x) == FP_NORMAL;
}
/// @}

// ---- comparison ---------------------------------------------------------------------------------------------------

// On the host these raise no floating-point exception for a quiet NaN, as the operators would.
#define KOKKOS_IMPL_MATH_COMPARE(NAME, ON_DEVICE)                                  \
  KOKKOS_INLINE_FUNCTION bool NAME(float x, float y) {                             \
    KOKKOS_IMPL_IF_HOST_PASS((return std::NAME(x, y);))                            \
    KOKKOS_IMPL_IF_DEVICE_PASS((return ON_DEVICE;))                                \
  }                                                                                \
  KOKKOS_INLINE_FUNCTION bool NAME(double x, double y) {                           \
    KOKKOS_IMPL_IF_HOST_PASS((return std::NAME(x, y);))                            \
    KOKKOS_IMPL_IF_DEVICE_PASS((return ON_DEVICE;))                                \
  }                                                                                \
  inline bool NAME(long double x, long double y) { return std::NAME(x, y); }       \
  template <class T1, class T2>                                                    \
    requires Impl::PromotesOnDevice<T1, T2>                                        \
  KOKKOS_INLINE_FUNCTION bool NAME(T1 x, T2 y) {                                   \
    using W = Impl::working_t<Impl::promoted_t<T1, T2>>;                           \
    return Kokkos::NAME(static_cast<W>(x), static_cast<W>(y));                     \
  }                                                                                \
  template <class T1, class T2>                                                    \
    requires Impl::PromotesToLongDouble<T1, T2>                                    \
  inline bool NAME(T1 x, T2 y) {                                                   \
    return Kokkos::NAME(static_cast<long double>(x), static_cast<long double>(y)); \
  }

KOKKOS_IMPL_MATH_COMPARE(isgreater, x > y)
KOKKOS_IMPL_MATH_COMPARE(isgreaterequal, x >= y)
KOKKOS_IMPL_MATH_COMPARE(isless, x < y)
KOKKOS_IMPL_MATH_COMPARE(islessequal, x <= y)
KOKKOS_IMPL_MATH_COMPARE(islessgreater, x<y || x> y)
KOKKOS_IMPL_MATH_COMPARE(isunordered, x != x || y != y)

#ifdef __clang__
#pragma clang diagnostic pop
#endif

// ---- not in the standard library ----------------------------------------------------------------------------------

#define KOKKOS_IMPL_MATH_RECIPROCAL(NAME, ON_DEVICE_FLOAT, ON_DEVICE_DOUBLE, ROOT) \
  KOKKOS_INLINE_FUNCTION float NAME(float x) {                                     \
    KOKKOS_IMPL_IF_HOST_PASS((return 1.0f / ROOT(x);))                             \
    KOKKOS_IMPL_IF_DEVICE_PASS((return ON_DEVICE_FLOAT;))                          \
  }                                                                                \
  KOKKOS_INLINE_FUNCTION float NAME##f(float x) { return Kokkos::NAME(x); }        \
  KOKKOS_INLINE_FUNCTION double NAME(double x) {                                   \
    KOKKOS_IMPL_IF_HOST_PASS((return 1.0 / ROOT(x);))                              \
    KOKKOS_IMPL_IF_DEVICE_PASS((return ON_DEVICE_DOUBLE;))                         \
  }                                                                                \
  inline long double NAME(long double x) { return 1.0l / ROOT(x); }                \
  inline long double NAME##l(long double x) { return Kokkos::NAME(x); }            \
  template <Impl::Integral T>                                                      \
  KOKKOS_INLINE_FUNCTION double NAME(T x) {                                        \
    return Kokkos::NAME(static_cast<double>(x));                                   \
  }                                                                                \
  template <Impl::HalfPrecision T>                                                 \
  KOKKOS_INLINE_FUNCTION T NAME(T x) {                                             \
    return static_cast<T>(Kokkos::NAME(static_cast<float>(x)));                    \
  }

// 1 / sqrt(x) and 1 / x.
KOKKOS_IMPL_MATH_RECIPROCAL(rsqrt, ::rsqrtf(x), ::rsqrt(x), Kokkos::sqrt)
KOKKOS_IMPL_MATH_RECIPROCAL(rcp, 1.0f / x, 1.0 / x, )

#undef KOKKOS_IMPL_MATH_RECIPROCAL
#undef KOKKOS_IMPL_MATH_COMPARE
#undef KOKKOS_IMPL_MATH_CLASSIFY
#undef KOKKOS_IMPL_MATH_MIXED3
#undef KOKKOS_IMPL_MATH_BINARY
#undef KOKKOS_IMPL_MATH_MIXED2
#undef KOKKOS_IMPL_MATH_UNARY_AND
#undef KOKKOS_IMPL_MATH_UNARY_TO
#undef KOKKOS_IMPL_MATH_UNARY
#undef KOKKOS_IMPL_COMMA
#undef KOKKOS_IMPL_MATH_UNARY_WITH

}  // namespace Kokkos

#endif
