// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_NUMERICS_PROMOTION_HPP
#define KOKKOS_NUMERICS_PROMOTION_HPP

/// \file
/// Which types count as numbers, and in which type a function of several numbers is evaluated.

#include <Kokkos_Macros.hpp>

#include <type_traits>

namespace Kokkos::Impl {

/// True for `half_t` and `bhalf_t`, which say so in Kokkos_Half.hpp.
template <class T>
inline constexpr bool is_half_precision_v = false;

template <class T>
concept HalfPrecision = is_half_precision_v<T>;
template <class T>
concept Integral = std::is_integral_v<T>;
template <class T>
concept Real = std::is_arithmetic_v<T> || HalfPrecision<T>;

/// The type that a mathematical function of arguments Ts returns: integers count as double, otherwise the widest
/// floating-point type wins. Arguments of one half precision type stay in it; both of them together give float.
template <class T, class... Ts>
using promoted_t = std::conditional_t<
    (std::is_same_v<T, long double> || ... || std::is_same_v<Ts, long double>), long double,
    std::conditional_t<
        ((std::is_same_v<T, double> || Integral<T>) || ... || (std::is_same_v<Ts, double> || Integral<Ts>)), double,
        std::conditional_t<HalfPrecision<T> && (std::is_same_v<T, Ts> && ...), T, float>>>;

/// Half precision numbers are computed with in float: its 24 digits are more than twice as many as theirs plus two, so
/// that rounding the float result of + - * / and sqrt gives the correctly rounded half precision result.
template <class T>
using working_t = std::conditional_t<HalfPrecision<T>, float, T>;

template <class T, class... Ts>
concept PromotesToLongDouble = (Real<T> && ... && Real<Ts>) && std::is_same_v<promoted_t<T, Ts...>, long double>;
/// Mixtures that device code can evaluate, where there is no long double.
template <class T, class... Ts>
concept PromotesOnDevice = (Real<T> && ... && Real<Ts>) && !std::is_same_v<promoted_t<T, Ts...>, long double>;

}  // namespace Kokkos::Impl

#endif
