// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_NUMERICS_PROMOTION_HPP
#define KOKKOS_NUMERICS_PROMOTION_HPP

/// \file
/// The types that count as numbers, and the type in which a function of several numbers is evaluated.

#include <Kokkos_Macros.hpp>

#include <type_traits>

namespace Kokkos::Impl {

/// True for `half_t` and `bhalf_t`; specialised in Kokkos_Half.hpp.
template <class T>
inline constexpr bool is_half_precision_v = false;

template <class T>
concept HalfPrecision = is_half_precision_v<T>;
template <class T>
concept Integral = std::is_integral_v<T>;
template <class T>
concept Real = std::is_arithmetic_v<T> || HalfPrecision<T>;

/// The return type of a mathematical function of arguments Ts: integers count as double, otherwise the widest
/// floating-point type is used. If all arguments have the same half precision type, so does the result; a mixture of
/// both types gives float.
template <class T, class... Ts>
using promoted_t = std::conditional_t<
    (std::is_same_v<T, long double> || ... || std::is_same_v<Ts, long double>), long double,
    std::conditional_t<((std::is_same_v<T, double> || Integral<T>) || ... ||
                        (std::is_same_v<Ts, double> || Integral<Ts>)),
                       double, std::conditional_t<HalfPrecision<T> && (std::is_same_v<T, Ts> && ...), T, float>>>;

/// Computations on half precision numbers use float. A float has 24 binary digits, which is at least 2 p + 2 for the p
/// digits of half precision (11 or 8). So rounding the float result of + - * / and sqrt gives the correctly rounded
/// half precision result.
template <class T>
using working_t = std::conditional_t<HalfPrecision<T>, float, T>;

/// An argument for a function that no compiler makes vectors of, and the result of one: half precision numbers are
/// converted one at a time (see Kokkos_HalfFormats.hpp).
template <class W, class T>
KOKKOS_INLINE_FUNCTION W widen_single(T x) {
  if constexpr (HalfPrecision<T>)
    return static_cast<W>(x.to_single_float());
  else
    return static_cast<W>(x);
}
template <class R, class T>
KOKKOS_INLINE_FUNCTION R narrow_single(T x) {
  if constexpr (HalfPrecision<R>)
    return R::from_single_float(x);
  else
    return static_cast<R>(x);
}

template <class T, class... Ts>
concept PromotesToLongDouble = (Real<T> && ... && Real<Ts>) && std::is_same_v<promoted_t<T, Ts...>, long double>;
/// Mixtures of types that device code, which has no long double, can evaluate.
template <class T, class... Ts>
concept PromotesOnDevice = (Real<T> && ... && Real<Ts>) && !std::is_same_v<promoted_t<T, Ts...>, long double>;

}  // namespace Kokkos::Impl

#endif
