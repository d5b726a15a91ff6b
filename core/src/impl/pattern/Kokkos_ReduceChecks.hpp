// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_PATTERN_REDUCE_CHECKS_HPP
#define KOKKOS_PATTERN_REDUCE_CHECKS_HPP

/// \file
/// Compile-time checks of a parallel_reduce's results. They precede all other instantiations, because a compiler prints
/// the whole chain of instantiations before the message.

#include <impl/pattern/Kokkos_Body.hpp>
#include <impl/pattern/Kokkos_FunctorValue.hpp>
#include <impl/pattern/Kokkos_ReduceResult.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>

namespace Kokkos::Impl {

/// Whether an argument of this type can receive a result. Reducers, views and pointers refer to the destination; any
/// other argument is itself the destination, and must be a variable.
template <class Result, class R = std::remove_cvref_t<Result>>
concept ReduceResult = is_reducer_v<R> || is_view_v<R> || std::is_pointer_v<R> ||
                       (std::is_lvalue_reference_v<Result> && !std::is_const_v<std::remove_reference_t<Result>>);

/// The type that a functor updates for a result R: T, or T[] for an array.
template <class R>
constexpr auto updated_type() {
  constexpr ResultForm form = Impl::result_form<R>();
  if constexpr (form == ResultForm::reducer) {
    return std::type_identity<typename R::value_type>{};
  } else if constexpr (form == ResultForm::view) {
    using T = typename R::non_const_value_type;
    return std::type_identity<std::conditional_t<R::rank == 0, T, T[]>>{};
  } else if constexpr (form == ResultForm::array) {
    return std::type_identity<std::remove_extent_t<R>[]>{};
  } else if constexpr (form == ResultForm::pointer) {
    return std::type_identity<std::remove_pointer_t<R>[]>{};
  } else if constexpr (form == ResultForm::pending) {
    return std::type_identity<typename R::value_type>{};
  } else {
    return std::type_identity<R>{};
  }
}
template <class R>
using updated_t = typename decltype(updated_type<R>())::type;

/// Whether a reducer, and not the functor, joins the values.
template <class R>
inline constexpr bool has_reducer = is_reducer_v<R>;
template <class R>
inline constexpr bool has_reducer<Experimental::PendingResult<R>> = is_reducer_v<R>;

template <class R>
constexpr bool is_result_view_refused() {
  if constexpr (is_view_v<R>) {
    return std::is_const_v<typename R::value_type> || R::rank > 1;
  } else {
    return false;
  }
}
template <class R>
constexpr bool can_join_by() {
  if constexpr (is_reducer_v<R>) {
    return can_join<ReducerCombiner<R>>;
  } else {
    return true;
  }
}

/// Whether the functor declares the type that belongs to this result. For a reducer, the reducer's type counts.
template <class Functor, class R>
constexpr bool declares_array_for() {
  using T = updated_t<R>;
  return !std::is_array_v<T> || std::is_same_v<typename DeclaredValue<Functor, void>::type, T>;
}
template <class Functor, class R>
constexpr bool declares_value_for() {
  using T = updated_t<R>;
  return has_reducer<R> || std::is_array_v<T> || std::is_same_v<typename DeclaredValue<Functor, T>::type, T>;
}

template <class Functor, class T, std::size_t FromEnd>
constexpr bool is_update_lost_for() {
  if constexpr (std::is_array_v<T>) {
    return false;
  } else {
    return Impl::update_is_lost<Functor, T, FromEnd>();
  }
}

/// The functor's parameter type for a T: T&, or a pointer for an array.
template <class T>
using update_t = std::conditional_t<std::is_array_v<T>, std::remove_extent_t<T>*, std::remove_extent_t<T>&>;

/// Without a reducer, values are joined by the functor or by addition.
template <class Functor, class Tag, class R>
constexpr bool has_join_or_sum() {
  using T = updated_t<R>;
  if constexpr (has_reducer<R> || std::is_array_v<T>) {
    return true;
  } else if constexpr (std::is_void_v<Tag>) {
    return HasJoin<Functor, T&, T const&> || HasSum<T>;
  } else {
    return HasJoin<Functor, Tag, T&, T const&> || HasSum<T>;
  }
}

template <class Policy, class Functor, class... R, std::size_t... K>
constexpr bool check_values(std::index_sequence<K...>) {
  constexpr bool views = !(Impl::is_result_view_refused<R>() || ...);
  static_assert(views,
                "Kokkos::parallel_reduce: a result view has rank 0, or rank 1 for an array; here it has a higher one, "
                "or the elements of the result view are const and cannot take the result.");
  constexpr bool joins = (Impl::can_join_by<R>() && ...);
  static_assert(joins,
                "A Kokkos reducer needs a member function join(value_type& into, value_type const& from) const, which "
                "updates the first value by the second one.");
  constexpr bool arrays = sizeof...(R) > 1 || (Impl::declares_array_for<Functor, R>() && ...);
  static_assert(arrays,
                "Kokkos::parallel_reduce: to reduce to an array the functor needs a member type value_type = T[], T "
                "being the type of the result's elements, and a member value_count.");
  constexpr bool types = sizeof...(R) > 1 || (Impl::declares_value_for<Functor, R>() && ...);
  static_assert(types, "Kokkos::parallel_reduce: the value_type of the functor is not the type of the result.");
  constexpr bool takes = Impl::takes_iterations_of<Functor, Policy, update_t<updated_t<R>>...>();
  static_assert(
      takes || sizeof...(R) > 1,
      "Kokkos::parallel_reduce: the functor has no const operator() that takes the work tag of the policy, if it "
      "has one, one index for each dimension of the policy or its team member, and value_type& (for an array "
      "value_type*) of the type that the result has.");
  static_assert(
      takes || sizeof...(R) == 1,
      "Kokkos::parallel_reduce: the functor has no const operator() that takes the work tag of the policy, if it "
      "has one, one index for each dimension of the policy or its team member, and one value_type& for each "
      "of the results, of its type.");
  constexpr bool kept = !takes || !(Impl::is_update_lost_for<Functor, updated_t<R>, sizeof...(R) - 1 - K>() || ...);
  static_assert(kept,
                "Kokkos::parallel_reduce: the functor takes the value that it updates as a copy or as const, so that "
                "its updates are lost. Take it by reference: value_type& update.");
  constexpr bool adds = (Impl::has_join_or_sum<Functor, typename Policy::work_tag, R>() && ...);
  static_assert(adds,
                "A Kokkos reduction or scan adds values by default, but this value type has no operator "
                "+=; give it one, or pass a reducer, or give the functor a member function join.");
  return views && joins && arrays && types && takes && kept && adds;
}

/// True, or a static assertion that explains the error in results of these types (references for variables).
template <class Policy, class Functor, class... Results>
constexpr bool check_reduction() {
  constexpr bool places = (ReduceResult<Results> && ...);
  static_assert(
      places,
      "Kokkos::parallel_reduce: a result is a variable or array that is not const, a view, or a reducer; one of "
      "those given is a constant or a temporary, which cannot take a value.");
  if constexpr (places && sizeof...(Results) > 0) {
    // g++ 14 quotes each line of this call above the sentence of an assertion in it, which users should see first.
    using Numbers = std::make_index_sequence<sizeof...(Results)>;
    return Impl::check_values<Policy, Functor, std::remove_cvref_t<Results>...>(Numbers());
  } else {
    return places;
  }
}

}  // namespace Kokkos::Impl

#endif
