// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_PATTERN_FUNCTOR_VALUE_HPP
#define KOKKOS_PATTERN_FUNCTOR_VALUE_HPP

/// \file
/// The type that a functor reduces or scans: its member type value_type, or the type of its call operator's reference
/// parameter. Also checks that the parameter can be updated.

#include <impl/policy/Kokkos_PolicyTraits.hpp>

#include <cstddef>
#include <initializer_list>
#include <type_traits>

namespace Kokkos::Impl {

template <class... Args>
using last_of = decltype((PropertyTag<void>{}, ..., PropertyTag<Args>{}));

// Overload resolution selects the operator: first a single one, then one that accepts this tag.
template <class R, class F, class... Args>
auto reduce_argument(R (F::*)(Args...) const) -> last_of<Args...>;

template <class Tag, class R, class F, class I, class V>
auto tagged_reduce_argument(R (F::*)(Tag, I, V) const) -> PropertyTag<V>;
template <class Tag, class R, class F, class I, class V>
auto tagged_reduce_argument(R (F::*)(Tag const&, I, V) const) -> PropertyTag<V>;

template <class R, class F, class I, class V, class B>
auto scan_argument(R (F::*)(I, V, B) const) -> PropertyTag<V>;

template <class Tag, class R, class F, class I, class V, class B>
auto tagged_scan_argument(R (F::*)(Tag, I, V, B) const) -> PropertyTag<V>;
template <class Tag, class R, class F, class I, class V, class B>
auto tagged_scan_argument(R (F::*)(Tag const&, I, V, B) const) -> PropertyTag<V>;

template <class V>
constexpr auto referenced(PropertyTag<V&>) -> PropertyTag<V>;
constexpr auto referenced(...) -> PropertyTag<void>;

template <class Functor, class Tag>
constexpr auto deduce_reduce_value() {
  if constexpr (requires { typename Functor::value_type; }) {
    return PropertyTag<typename Functor::value_type>{};
  } else if constexpr (requires { Impl::reduce_argument(&Functor::operator()); }) {
    return decltype(Impl::referenced(Impl::reduce_argument(&Functor::operator()))){};
  } else if constexpr (requires { Impl::tagged_reduce_argument<Tag>(&Functor::operator()); }) {
    return decltype(Impl::referenced(Impl::tagged_reduce_argument<Tag>(&Functor::operator()))){};
  } else {
    return PropertyTag<void>{};
  }
}

template <class Functor, class Tag>
constexpr auto deduce_scan_value() {
  if constexpr (requires { typename Functor::value_type; }) {
    return PropertyTag<typename Functor::value_type>{};
  } else if constexpr (std::is_void_v<Tag>) {
    if constexpr (requires { Impl::scan_argument(&Functor::operator()); }) {
      return decltype(Impl::referenced(Impl::scan_argument(&Functor::operator()))){};
    } else {
      return PropertyTag<void>{};
    }
  } else if constexpr (requires { Impl::tagged_scan_argument<Tag>(&Functor::operator()); }) {
    return decltype(Impl::referenced(Impl::tagged_scan_argument<Tag>(&Functor::operator()))){};
  } else {
    return PropertyTag<void>{};
  }
}

template <class T>
constexpr auto untagged(PropertyTag<T>) -> std::type_identity<T>;

/// The value type of the functor, T[] for an array; void if it cannot be determined.
template <class Functor, class Tag>
using reduce_value_t = typename decltype(Impl::untagged(deduce_reduce_value<Functor, Tag>()))::type;
template <class Functor, class Tag>
using scan_value_t = typename decltype(Impl::untagged(deduce_scan_value<Functor, Tag>()))::type;

/// The value type of the functor if it has that member, otherwise Result.
template <class Functor, class Result>
struct DeclaredValue {
  using type = Result;
};
template <class Functor, class Result>
  requires requires { typename Functor::value_type; }
struct DeclaredValue<Functor, Result> {
  using type = typename Functor::value_type;
};

// ---- is the value taken by reference? -----------------------------------------------------------------------------

/// Whether a parameter of type P receives a T as a copy or as const, so that updates are lost.
template <class P, class T>
inline constexpr bool loses_update =
    std::is_lvalue_reference_v<P>
        ? std::is_same_v<P, T const&>
        : std::is_same_v<std::remove_cv_t<P>, T> || (std::is_arithmetic_v<T> && std::is_arithmetic_v<P>);

constexpr bool at_from_end(std::size_t n, std::initializer_list<bool> list) {
  return n < list.size() && *(list.end() - 1 - n);
}
template <class T, std::size_t FromEnd, class R, class F, class... P>
auto loses_update_at(R (F::*)(P...) const) -> std::bool_constant<at_from_end(FromEnd, {loses_update<P, T>...})>;

/// Like `loses_update` above, for the functor's call operator and its parameter with number FromEnd, counted from the
/// last one. False for an overloaded or generic operator, because it does not have one type.
template <class Functor, class T, std::size_t FromEnd>
constexpr bool update_is_lost() {
  if constexpr (requires { Impl::loses_update_at<T, FromEnd>(&Functor::operator()); }) {
    return decltype(Impl::loses_update_at<T, FromEnd>(&Functor::operator()))::value;
  } else {
    return false;
  }
}

}  // namespace Kokkos::Impl

#endif
