// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_DETECTION_IDIOM_HPP
#define KOKKOS_DETECTION_IDIOM_HPP

/// \file
/// The detection idiom of the C++ Library Fundamentals TS (version 2): checks whether `Op<Args...>` is a valid type.

#include <Kokkos_Macros.hpp>

#include <type_traits>

namespace Kokkos {

/// The value of `detected_t` if nothing was detected; no object of this type can exist.
struct nonesuch {
  nonesuch(nonesuch&&) = delete;
  ~nonesuch()          = delete;
};

namespace Impl {

template <template <class...> class Op, class... Args>
concept names_a_type = requires { typename Op<Args...>; };

template <class Default, template <class...> class Op, class... Args>
struct DetectedOr {
  using value_t = std::false_type;
  using type    = Default;
};

template <class Default, template <class...> class Op, class... Args>
  requires names_a_type<Op, Args...>
struct DetectedOr<Default, Op, Args...> {
  using value_t = std::true_type;
  using type    = Op<Args...>;
};

}  // namespace Impl

/// Both results: `value_t` is whether `Op<Args...>` is valid, `type` is `Op<Args...>` or `Default`.
template <class Default, template <class...> class Op, class... Args>
using detected_or = Impl::DetectedOr<Default, Op, Args...>;

/// `Op<Args...>`, or `Default`.
template <class Default, template <class...> class Op, class... Args>
using detected_or_t = typename detected_or<Default, Op, Args...>::type;

/// @{
/// Whether `Op<Args...>` is a valid type.
template <template <class...> class Op, class... Args>
inline constexpr bool is_detected_v = Impl::names_a_type<Op, Args...>;
template <template <class...> class Op, class... Args>
using is_detected = std::bool_constant<is_detected_v<Op, Args...>>;
/// @}

/// `Op<Args...>`, or `nonesuch`.
template <template <class...> class Op, class... Args>
using detected_t = detected_or_t<nonesuch, Op, Args...>;

/// @{
/// Whether `Op<Args...>` is a type that converts to `To`.
template <class To, template <class...> class Op, class... Args>
inline constexpr bool is_detected_convertible_v = std::is_convertible_v<detected_t<Op, Args...>, To>;
template <class To, template <class...> class Op, class... Args>
using is_detected_convertible = std::bool_constant<is_detected_convertible_v<To, Op, Args...>>;
/// @}

/// @{
/// Whether `Op<Args...>` is exactly the type `Expected`.
template <class Expected, template <class...> class Op, class... Args>
inline constexpr bool is_detected_exact_v = std::is_same_v<Expected, detected_t<Op, Args...>>;
template <class Expected, template <class...> class Op, class... Args>
using is_detected_exact = std::bool_constant<is_detected_exact_v<Expected, Op, Args...>>;
/// @}

}  // namespace Kokkos

#endif
