// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_IMPL_KOKKOS_UTILITIES_HPP
#define KOKKOS_IMPL_KOKKOS_UTILITIES_HPP

/// \file
/// Lists of types, for programs that take them from Kokkos::Impl; the library itself does not use them. Also the former
/// path of Kokkos_Concepts.hpp.

#include <Kokkos_Concepts.hpp>

#include <cstddef>
#include <type_traits>

namespace Kokkos::Impl {

/// A list of types.
template <class... T>
struct type_list {};

/// The number of types in a list.
template <class List>
inline constexpr std::size_t type_list_size_v = 0;
template <class... T>
inline constexpr std::size_t type_list_size_v<type_list<T...>> = sizeof...(T);
template <class List>
struct type_list_size : std::integral_constant<std::size_t, type_list_size_v<List>> {};

/// Whether a list has a type for which the predicate is true.
template <template <class> class Predicate, class List>
struct type_list_any;
template <template <class> class Predicate, class... T>
struct type_list_any<Predicate, type_list<T...>> : std::bool_constant<(bool(Predicate<T>::value) || ...)> {};
template <template <class> class Predicate, class List>
inline constexpr bool type_list_any_v = type_list_any<Predicate, List>::value;

/// The types of several lists in one list.
template <class... Lists>
struct concat_type_list {
  using type = type_list<>;
};
template <class... T>
struct concat_type_list<type_list<T...>> {
  using type = type_list<T...>;
};
template <class... T, class... U, class... Lists>
struct concat_type_list<type_list<T...>, type_list<U...>, Lists...>
    : concat_type_list<type_list<T..., U...>, Lists...> {};
template <class... Lists>
using concat_type_list_t = typename concat_type_list<Lists...>::type;

/// The types for which the predicate has the given value, in the order of the list.
template <template <class> class Predicate, class List, bool Value = true>
struct filter_type_list;
template <template <class> class Predicate, class... T, bool Value>
struct filter_type_list<Predicate, type_list<T...>, Value>
    : concat_type_list<std::conditional_t<bool(Predicate<T>::value) == Value, type_list<T>, type_list<>>...> {};
template <template <class> class Predicate, class List, bool Value = true>
using filter_type_list_t = typename filter_type_list<Predicate, List, Value>::type;

}  // namespace Kokkos::Impl

#endif
