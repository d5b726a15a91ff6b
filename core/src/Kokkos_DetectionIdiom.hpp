// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_DETECTION_IDIOM_HPP
#define KOKKOS_DETECTION_IDIOM_HPP

/// \file
/// The detection idiom of the C++ Library Fundamentals TS (version 2): asks whether `Op<Args...>` names a type.

#include <Kokkos_Macros.hpp>

#include <type_traits>

namespace Kokkos {

/// What `detected_t` is when nothing was detected; no object of this type can exist.
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

/// `std::true_type` if `Op<Args...>` is a valid type, otherwise `std::false_type`.
template <template <class...> class Op, class... Args>
using is_detected = typename Impl::DetectedOr<nonesuch, Op, Args...>::value_t;

/// `Op<Args...>`, or `nonesuch`.
template <template <class...> class Op, class... Args>
using detected_t = typename Impl::DetectedOr<nonesuch, Op, Args...>::type;

/// Both answers in one: `value_t` says whether, `type` is `Op<Args...>` or `Default`.
template <class Default, template <class...> class Op, class... Args>
using detected_or = Impl::DetectedOr<Default, Op, Args...>;

/// `Op<Args...>`, or `Default`.
template <class Default, template <class...> class Op, class... Args>
using detected_or_t = typename detected_or<Default, Op, Args...>::type;

/// Whether `Op<Args...>` is exactly the type `Expected`.
template <class Expected, template <class...> class Op, class... Args>
using is_detected_exact = std::is_same<Expected, detected_t<Op, Args...>>;

/// Whether `Op<Args...>` is a type that converts to `To`.
template <class To, template <class...> class Op, class... Args>
using is_detected_convertible = std::is_convertible<detected_t<Op, Args...>, To>;

template <template <class...> class Op, class... Args>
inline constexpr bool is_detected_v = is_detected<Op, Args...>::value;

template <class Expected, template <class...> class Op, class... Args>
inline constexpr bool is_detected_exact_v = is_detected_exact<Expected, Op, Args...>::value;

template <class To, template <class...> class Op, class... Args>
inline constexpr bool is_detected_convertible_v = is_detected_convertible<To, Op, Args...>::value;

}  // namespace Kokkos

#endif
