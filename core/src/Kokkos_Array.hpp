// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_ARRAY_HPP
#define KOKKOS_ARRAY_HPP

/// \file
/// `Kokkos::Array<T, N>`: std::array for kernels. An aggregate of exactly N elements that speaks the tuple protocol.

#include <Kokkos_Macros.hpp>
#include <Kokkos_Swap.hpp>
#ifdef KOKKOS_ENABLE_DEBUG_BOUNDS_CHECK
#include <Kokkos_Abort.hpp>
#endif

#include <cstddef>
#include <type_traits>
#include <utility>

namespace Kokkos {

namespace Impl {

/// Ends the program if `i` is no index of `size` elements, in builds with KOKKOS_ENABLE_DEBUG_BOUNDS_CHECK.
KOKKOS_FORCEINLINE_FUNCTION constexpr void check_array_index([[maybe_unused]] std::size_t i,
                                                             [[maybe_unused]] std::size_t size) {
#ifdef KOKKOS_ENABLE_DEBUG_BOUNDS_CHECK
  if (i >= size) Kokkos::abort("Kokkos::Array: the index is not less than the number of elements.");
#endif
}

}  // namespace Impl

template <class T, std::size_t N>
struct Array {
  // Public because an aggregate has no private members; not part of the interface.
  T impl_elements[N];

  using value_type      = T;
  using pointer         = T*;
  using const_pointer   = T const*;
  using reference       = T&;
  using const_reference = T const&;
  using size_type       = std::size_t;
  using difference_type = std::ptrdiff_t;
  using iterator        = pointer;
  using const_iterator  = const_pointer;

  KOKKOS_FUNCTION static constexpr bool empty() noexcept { return false; }
  KOKKOS_FUNCTION static constexpr size_type size() noexcept { return N; }
  KOKKOS_FUNCTION constexpr size_type max_size() const noexcept { return N; }

  KOKKOS_FUNCTION constexpr reference operator[](size_type i) {
    Impl::check_array_index(i, N);
    return impl_elements[i];
  }
  KOKKOS_FUNCTION constexpr const_reference operator[](size_type i) const {
    Impl::check_array_index(i, N);
    return impl_elements[i];
  }

  KOKKOS_FUNCTION constexpr pointer data() noexcept { return impl_elements; }
  KOKKOS_FUNCTION constexpr const_pointer data() const noexcept { return impl_elements; }

  KOKKOS_FUNCTION constexpr pointer begin() noexcept { return impl_elements; }
  KOKKOS_FUNCTION constexpr const_pointer begin() const noexcept { return impl_elements; }
  KOKKOS_FUNCTION constexpr const_pointer cbegin() const noexcept { return impl_elements; }
  KOKKOS_FUNCTION constexpr pointer end() noexcept { return impl_elements + N; }
  KOKKOS_FUNCTION constexpr const_pointer end() const noexcept { return impl_elements + N; }
  KOKKOS_FUNCTION constexpr const_pointer cend() const noexcept { return impl_elements + N; }
};

/// The array of no elements: an empty type, whose element type may be anything.
template <class T>
struct Array<T, 0> {
  using value_type      = T;
  using pointer         = T*;
  using const_pointer   = T const*;
  using reference       = T&;
  using const_reference = T const&;
  using size_type       = std::size_t;
  using difference_type = std::ptrdiff_t;
  using iterator        = pointer;
  using const_iterator  = const_pointer;

  KOKKOS_FUNCTION static constexpr bool empty() noexcept { return true; }
  KOKKOS_FUNCTION static constexpr size_type size() noexcept { return 0; }
  KOKKOS_FUNCTION constexpr size_type max_size() const noexcept { return 0; }

  KOKKOS_FUNCTION constexpr reference operator[](size_type i) {
    Impl::check_array_index(i, 0);
    return *data();
  }
  KOKKOS_FUNCTION constexpr const_reference operator[](size_type i) const {
    Impl::check_array_index(i, 0);
    return *data();
  }

  KOKKOS_FUNCTION constexpr pointer data() noexcept { return nullptr; }
  KOKKOS_FUNCTION constexpr const_pointer data() const noexcept { return nullptr; }

  KOKKOS_FUNCTION constexpr pointer begin() noexcept { return nullptr; }
  KOKKOS_FUNCTION constexpr const_pointer begin() const noexcept { return nullptr; }
  KOKKOS_FUNCTION constexpr const_pointer cbegin() const noexcept { return nullptr; }
  KOKKOS_FUNCTION constexpr pointer end() noexcept { return nullptr; }
  KOKKOS_FUNCTION constexpr const_pointer end() const noexcept { return nullptr; }
  KOKKOS_FUNCTION constexpr const_pointer cend() const noexcept { return nullptr; }
};

template <class T, class... U>
KOKKOS_DEDUCTION_GUIDE Array(T, U...) -> Array<T, 1 + sizeof...(U)>;

template <class T, std::size_t N>
KOKKOS_FUNCTION constexpr bool operator==(Array<T, N> const& a, Array<T, N> const& b) noexcept {
  for (std::size_t i = 0; i < N; ++i) {
    if (!(a[i] == b[i])) return false;
  }
  return true;
}

template <class T, std::size_t N>
KOKKOS_FUNCTION constexpr bool operator!=(Array<T, N> const& a, Array<T, N> const& b) noexcept {
  return !(a == b);
}

/// Swaps the elements, each with kokkos_swap.
template <class T, std::size_t N>
  requires(N == 0 || Impl::swappable<T>)
KOKKOS_FUNCTION constexpr void kokkos_swap(Array<T, N>& a,
                                           Array<T, N>& b) noexcept(N == 0 || Impl::nothrow_swappable<T>) {
  for (std::size_t i = 0; i < N; ++i) kokkos_swap(a[i], b[i]);
}

namespace Impl {

template <class T, std::size_t N, std::size_t... I>
KOKKOS_FUNCTION constexpr Array<std::remove_cv_t<T>, N> copy_to_array(T (&a)[N], std::index_sequence<I...>) {
  return {{a[I]...}};
}

template <class T, std::size_t N, std::size_t... I>
KOKKOS_FUNCTION constexpr Array<std::remove_cv_t<T>, N> move_to_array(T (&&a)[N], std::index_sequence<I...>) {
  return {{std::move(a[I])...}};
}

}  // namespace Impl

/// Copies a built-in array of one dimension.
template <class T, std::size_t N>
KOKKOS_FUNCTION constexpr Array<std::remove_cv_t<T>, N> to_array(T (&a)[N]) {
  return Impl::copy_to_array(a, std::make_index_sequence<N>{});
}

/// Moves the elements out of a built-in array of one dimension.
template <class T, std::size_t N>
KOKKOS_FUNCTION constexpr Array<std::remove_cv_t<T>, N> to_array(T (&&a)[N]) {
  return Impl::move_to_array(std::move(a), std::make_index_sequence<N>{});
}

template <std::size_t I, class T, std::size_t N>
KOKKOS_FUNCTION constexpr T& get(Array<T, N>& a) noexcept {
  static_assert(I < N, "Kokkos::get<I>(array): I must be less than the number of elements.");
  return a[I];
}

template <std::size_t I, class T, std::size_t N>
KOKKOS_FUNCTION constexpr T const& get(Array<T, N> const& a) noexcept {
  static_assert(I < N, "Kokkos::get<I>(array): I must be less than the number of elements.");
  return a[I];
}

template <std::size_t I, class T, std::size_t N>
KOKKOS_FUNCTION constexpr T&& get(Array<T, N>&& a) noexcept {
  static_assert(I < N, "Kokkos::get<I>(array): I must be less than the number of elements.");
  return std::move(a[I]);
}

template <std::size_t I, class T, std::size_t N>
KOKKOS_FUNCTION constexpr T const&& get(Array<T, N> const&& a) noexcept {
  static_assert(I < N, "Kokkos::get<I>(array): I must be less than the number of elements.");
  return std::move(a[I]);
}

template <class T, std::size_t N>
KOKKOS_FUNCTION constexpr T* begin(Array<T, N>& a) noexcept {
  return a.data();
}

template <class T, std::size_t N>
KOKKOS_FUNCTION constexpr T const* begin(Array<T, N> const& a) noexcept {
  return a.data();
}

template <class T, std::size_t N>
KOKKOS_FUNCTION constexpr T* end(Array<T, N>& a) noexcept {
  return a.data() + a.size();
}

template <class T, std::size_t N>
KOKKOS_FUNCTION constexpr T const* end(Array<T, N> const& a) noexcept {
  return a.data() + a.size();
}

}  // namespace Kokkos

template <class T, std::size_t N>
struct std::tuple_size<Kokkos::Array<T, N>> : std::integral_constant<std::size_t, N> {};

template <std::size_t I, class T, std::size_t N>
struct std::tuple_element<I, Kokkos::Array<T, N>> {
  static_assert(I < N, "The index of an element of Kokkos::Array must be less than the number of elements.");
  using type = T;
};

#endif
