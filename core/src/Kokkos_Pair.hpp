// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_PAIR_HPP
#define KOKKOS_PAIR_HPP

/// \file
/// `Kokkos::pair`: std::pair for kernels. Unlike std::pair it is trivially copyable if its members are.

#include <Kokkos_Macros.hpp>

#include <utility>

namespace Kokkos {

/// Two members, of any two types. tie() creates a pair of references.
template <class T1, class T2>
struct pair {
  T1 first;   ///< the member with index 0
  T2 second;  ///< the member with index 1

  using first_type  = T1;  ///< type of first
  using second_type = T2;  ///< type of second

  KOKKOS_DEFAULTED_FUNCTION constexpr pair() = default;

  /// Copies the two arguments.
  KOKKOS_FORCEINLINE_FUNCTION constexpr pair(first_type const& f, second_type const& s) : first(f), second(s) {}

  /// Converts from a pair whose members convert.
  template <class U, class V>
  KOKKOS_FORCEINLINE_FUNCTION constexpr pair(pair<U, V> const& p) : first(p.first), second(p.second) {}

  /// Converts and assigns each member.
  template <class U, class V>
  KOKKOS_FORCEINLINE_FUNCTION constexpr pair& operator=(pair<U, V> const& p) {
    first  = p.first;
    second = p.second;
    return *this;
  }

  /// Host only, like the standard library's pair.
  template <class U, class V>
  constexpr pair(std::pair<U, V> const& p) : first(p.first), second(p.second) {}

  /// Host only.
  constexpr std::pair<T1, T2> to_std_pair() const { return std::pair<T1, T2>(first, second); }
};

/// The members have the types of the arguments, without references.
template <class T1, class T2>
KOKKOS_DEDUCTION_GUIDE pair(T1, T2) -> pair<T1, T2>;

/// Whether both members are equal.
template <class A1, class A2, class B1, class B2>
KOKKOS_FORCEINLINE_FUNCTION constexpr bool operator==(pair<A1, A2> const& a, pair<B1, B2> const& b) {
  return a.first == b.first && a.second == b.second;
}

/// Whether any members differ.
template <class A1, class A2, class B1, class B2>
KOKKOS_FORCEINLINE_FUNCTION constexpr bool operator!=(pair<A1, A2> const& a, pair<B1, B2> const& b) {
  return !(a == b);
}

/// Lexicographical; requires only `<` of the members.
template <class A1, class A2, class B1, class B2>
KOKKOS_FORCEINLINE_FUNCTION constexpr bool operator<(pair<A1, A2> const& a, pair<B1, B2> const& b) {
  if (a.first < b.first) return true;
  return !(b.first < a.first) && a.second < b.second;
}

/// Lexicographical; requires only `<` of the members.
template <class A1, class A2, class B1, class B2>
KOKKOS_FORCEINLINE_FUNCTION constexpr bool operator>(pair<A1, A2> const& a, pair<B1, B2> const& b) {
  return b < a;
}

/// Lexicographical; requires only `<` of the members.
template <class A1, class A2, class B1, class B2>
KOKKOS_FORCEINLINE_FUNCTION constexpr bool operator<=(pair<A1, A2> const& a, pair<B1, B2> const& b) {
  return !(b < a);
}

/// Lexicographical; requires only `<` of the members.
template <class A1, class A2, class B1, class B2>
KOKKOS_FORCEINLINE_FUNCTION constexpr bool operator>=(pair<A1, A2> const& a, pair<B1, B2> const& b) {
  return !(a < b);
}

/// A pair that holds copies of its arguments.
template <class T1, class T2>
KOKKOS_FORCEINLINE_FUNCTION constexpr pair<T1, T2> make_pair(T1 x, T2 y) {
  return pair<T1, T2>(x, y);
}

/// A pair of references, to assign a pair to two variables at once.
template <class T1, class T2>
KOKKOS_FORCEINLINE_FUNCTION constexpr pair<T1&, T2&> tie(T1& x, T2& y) {
  return pair<T1&, T2&>(x, y);
}

#ifdef KOKKOS_ENABLE_DEPRECATED_CODE_4

/// A pair without a second member.
template <class T1>
struct pair<T1, void> {
  using second_type = void;
  using first_type  = T1;

  first_type first;
  enum { second = 0 };

  KOKKOS_DEFAULTED_FUNCTION constexpr pair() = default;

  KOKKOS_FORCEINLINE_FUNCTION constexpr pair(first_type const& f) : first(f) {}
  KOKKOS_FORCEINLINE_FUNCTION constexpr pair(first_type const& f, int) : first(f) {}

  template <class U>
  KOKKOS_FORCEINLINE_FUNCTION constexpr pair(pair<U, void> const& p) : first(p.first) {}

  template <class U>
  KOKKOS_FORCEINLINE_FUNCTION constexpr pair& operator=(pair<U, void> const& p) {
    first = p.first;
    return *this;
  }
};

template <class T1>
KOKKOS_FORCEINLINE_FUNCTION constexpr pair<T1&, void> tie(T1& x) {
  return pair<T1&, void>(x);
}

#endif

namespace Impl {

template <class T>
inline constexpr bool is_pair_like_v = false;
template <class T1, class T2>
inline constexpr bool is_pair_like_v<pair<T1, T2>> = true;
template <class T1, class T2>
inline constexpr bool is_pair_like_v<std::pair<T1, T2>> = true;

}  // namespace Impl
}  // namespace Kokkos

#endif
