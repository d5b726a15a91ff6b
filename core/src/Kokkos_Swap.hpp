// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_SWAP_HPP
#define KOKKOS_SWAP_HPP

/// \file
/// `kokkos_swap`: `std::swap`, also in kernels. The name avoids ambiguity with `std::swap` under argument-dependent
/// lookup.

#include <Kokkos_Macros.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>

namespace Kokkos {

/// Exchanges the values of two objects.
template <class T>
  requires(std::is_move_constructible_v<T> && std::is_move_assignable_v<T>)
KOKKOS_FUNCTION constexpr void kokkos_swap(T& a, T& b) noexcept(std::is_nothrow_move_constructible_v<T> &&
                                                                std::is_nothrow_move_assignable_v<T>) {
  T held(std::move(a));
  a = std::move(b);
  b = std::move(held);
}

namespace Impl {

// Applied to the element type of an array of any rank, because a constraint of the array overload could not find that
// overload itself.
template <class T>
concept swappable_value = requires(T& a, T& b) { Kokkos::kokkos_swap(a, b); };

template <class T>
concept nothrow_swappable_value = requires(T& a, T& b) {
  { Kokkos::kokkos_swap(a, b) } noexcept;
};

}  // namespace Impl

/// Exchanges two arrays element by element.
template <class T, std::size_t N>
  requires Impl::swappable_value<std::remove_all_extents_t<T>>
KOKKOS_FUNCTION constexpr void kokkos_swap(T (&a)[N], T (&b)[N]) noexcept(
    Impl::nothrow_swappable_value<std::remove_all_extents_t<T>>) {
  for (std::size_t i = 0; i < N; ++i) Kokkos::kokkos_swap(a[i], b[i]);
}

namespace Impl {

/// Whether `kokkos_swap(a, b)` is well formed for two lvalues of type T.
template <class T>
concept swappable = swappable_value<std::remove_all_extents_t<T>>;
template <class T>
concept nothrow_swappable = nothrow_swappable_value<std::remove_all_extents_t<T>>;

// The same, under the names that programs take from Kokkos::Impl.
template <class T>
struct is_swappable : std::bool_constant<swappable<T>> {};
template <class T>
inline constexpr bool is_nothrow_swappable_v = nothrow_swappable<T>;

}  // namespace Impl
}  // namespace Kokkos

#endif
