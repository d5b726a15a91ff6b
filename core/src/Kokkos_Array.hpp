// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_ARRAY_HPP
#define KOKKOS_ARRAY_HPP

/// \file
/// `Kokkos::Array<T, N>`: std::array for kernels. An aggregate of exactly N elements that supports the tuple protocol.

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

/// Ends the program if `i` is not a valid index of `size` elements, in builds with KOKKOS_ENABLE_DEBUG_BOUNDS_CHECK.
KOKKOS_FORCEINLINE_FUNCTION constexpr void check_array_index([[maybe_unused]] std::size_t i,
                                                             [[maybe_unused]] std::size_t size) {
#ifdef KOKKOS_ENABLE_DEBUG_BOUNDS_CHECK
  if (i >= size) Kokkos::abort("Kokkos::Array: the index is not less than the number of elements.");
#endif
}

}  // namespace Impl

/// Ends the program if i is not less than N, in builds with KOKKOS_ENABLE_DEBUG_BOUNDS_CHECK; in others it evaluates
/// nothing. For arrays of programs.
#ifdef KOKKOS_ENABLE_DEBUG_BOUNDS_CHECK
#define KOKKOS_ARRAY_BOUNDS_CHECK(i, N) \
  ::Kokkos::Impl::check_array_index(static_cast<std::size_t>(i), static_cast<std::size_t>(N))
#else
#define KOKKOS_ARRAY_BOUNDS_CHECK(i, N) (void)0
#endif

/// The last parameter is void, except for the proxies of Kokkos 4, see numerics/Kokkos_ArrayProxies.hpp.
template <class T = void, std::size_t N = ~std::size_t(0), class Proxy = void>
struct Array;

/// An array of N elements, N > 0. Aggregate initialization: `Array<int, 2> a{{1, 2}}`, or `Array a{1, 2}`.
template <class T, std::size_t N>
struct Array<T, N, void> {
  // Public because an aggregate has no private members; not part of the interface.
  T impl_elements[N];

  using value_type      = T;               ///< type of an element
  using pointer         = T*;              ///< points to an element
  using const_pointer   = T const*;        ///< points to a const element
  using reference       = T&;              ///< an element
  using const_reference = T const&;        ///< a const element
  using size_type       = std::size_t;     ///< type of indices and sizes
  using difference_type = std::ptrdiff_t;  ///< difference of two iterators
  using iterator        = pointer;         ///< pointers are iterators
  using const_iterator  = const_pointer;   ///< iterator of const elements

  KOKKOS_FUNCTION static constexpr bool empty() noexcept { return false; }     ///< false
  KOKKOS_FUNCTION static constexpr size_type size() noexcept { return N; }     ///< number of elements
  KOKKOS_FUNCTION constexpr size_type max_size() const noexcept { return N; }  ///< number of elements

  /// Element i, which must be less than size(). Checked only in builds with KOKKOS_ENABLE_DEBUG_BOUNDS_CHECK.
  KOKKOS_FUNCTION constexpr reference operator[](size_type i) {
    Impl::check_array_index(i, N);
    return impl_elements[i];
  }
  /// Like `operator[]` above, for a const array.
  KOKKOS_FUNCTION constexpr const_reference operator[](size_type i) const {
    Impl::check_array_index(i, N);
    return impl_elements[i];
  }

  /// Address of the first element.
  KOKKOS_FUNCTION constexpr pointer data() noexcept { return impl_elements; }
  KOKKOS_FUNCTION constexpr const_pointer data() const noexcept { return impl_elements; }  ///< the same

  /// The iterator of the first element.
  KOKKOS_FUNCTION constexpr pointer begin() noexcept { return impl_elements; }
  KOKKOS_FUNCTION constexpr const_pointer begin() const noexcept { return impl_elements; }   ///< the same
  KOKKOS_FUNCTION constexpr const_pointer cbegin() const noexcept { return impl_elements; }  ///< the same
  /// The iterator after the last element.
  KOKKOS_FUNCTION constexpr pointer end() noexcept { return impl_elements + N; }
  KOKKOS_FUNCTION constexpr const_pointer end() const noexcept { return impl_elements + N; }   ///< the same
  KOKKOS_FUNCTION constexpr const_pointer cend() const noexcept { return impl_elements + N; }  ///< the same
};

/// The array of no elements: an empty type, with any element type.
template <class T>
struct Array<T, 0, void> {
  using value_type      = T;               ///< type of an element
  using pointer         = T*;              ///< points to an element
  using const_pointer   = T const*;        ///< points to a const element
  using reference       = T&;              ///< an element
  using const_reference = T const&;        ///< a const element
  using size_type       = std::size_t;     ///< type of indices and sizes
  using difference_type = std::ptrdiff_t;  ///< difference of two iterators
  using iterator        = pointer;         ///< pointers are iterators
  using const_iterator  = const_pointer;   ///< iterator of const elements

  KOKKOS_FUNCTION static constexpr bool empty() noexcept { return true; }      ///< true
  KOKKOS_FUNCTION static constexpr size_type size() noexcept { return 0; }     ///< 0
  KOKKOS_FUNCTION constexpr size_type max_size() const noexcept { return 0; }  ///< 0

  /// Must not be called, because no index is valid.
  KOKKOS_FUNCTION constexpr reference operator[](size_type i) {
    Impl::check_array_index(i, 0);
    return *data();
  }
  /// Must not be called, because no index is valid.
  KOKKOS_FUNCTION constexpr const_reference operator[](size_type i) const {
    Impl::check_array_index(i, 0);
    return *data();
  }

  KOKKOS_FUNCTION constexpr pointer data() noexcept { return nullptr; }              ///< null
  KOKKOS_FUNCTION constexpr const_pointer data() const noexcept { return nullptr; }  ///< null

  KOKKOS_FUNCTION constexpr pointer begin() noexcept { return nullptr; }               ///< equals end()
  KOKKOS_FUNCTION constexpr const_pointer begin() const noexcept { return nullptr; }   ///< equals end()
  KOKKOS_FUNCTION constexpr const_pointer cbegin() const noexcept { return nullptr; }  ///< equals cend()
  KOKKOS_FUNCTION constexpr pointer end() noexcept { return nullptr; }                 ///< null
  KOKKOS_FUNCTION constexpr const_pointer end() const noexcept { return nullptr; }     ///< null
  KOKKOS_FUNCTION constexpr const_pointer cend() const noexcept { return nullptr; }    ///< null
};

/// The element type is that of the first argument: `Array{1, 2, 3}` is an `Array<int, 3>`.
template <class T, class... U>
KOKKOS_DEDUCTION_GUIDE Array(T, U...) -> Array<T, 1 + sizeof...(U)>;

/// Whether all elements are equal.
template <class T, std::size_t N>
KOKKOS_FUNCTION constexpr bool operator==(Array<T, N> const& a, Array<T, N> const& b) noexcept {
  for (std::size_t i = 0; i < N; ++i) {
    if (!(a[i] == b[i])) return false;
  }
  return true;
}

/// Whether any elements differ.
template <class T, std::size_t N>
KOKKOS_FUNCTION constexpr bool operator!=(Array<T, N> const& a, Array<T, N> const& b) noexcept {
  return !(a == b);
}

/// Swaps the elements, each with kokkos_swap.
template <class T, std::size_t N>
  requires(N == 0 || Impl::swappable<T>)
KOKKOS_FUNCTION constexpr void kokkos_swap(Array<T, N>& a,
                                           Array<T, N>& b) noexcept(N == 0 || Impl::nothrow_swappable<T>) {
  for (std::size_t i = 0; i < N; ++i) Kokkos::kokkos_swap(a[i], b[i]);
}

namespace Impl {

template <class A>
inline constexpr bool is_kokkos_array_v = false;
template <class T, std::size_t N>
inline constexpr bool is_kokkos_array_v<Array<T, N>> = true;
template <class T, std::size_t N>
inline constexpr bool is_kokkos_array_v<Array<T, N> const> = true;

/// An Array of the results of a function that is called with 0, 1, ..., N-1 as integral constants.
template <class Value, std::size_t... I, class Element>
KOKKOS_FUNCTION constexpr auto generate_array(std::index_sequence<I...>, Element const& element) {
  return Array<std::remove_cv_t<Value>, sizeof...(I)>{{element(I)...}};
}

}  // namespace Impl

/// Copies a built-in array of one dimension.
template <class T, std::size_t N>
KOKKOS_FUNCTION constexpr Array<std::remove_cv_t<T>, N> to_array(T (&from)[N]) {
  return Impl::generate_array<T>(std::make_index_sequence<N>{}, [&](std::size_t i) -> T& { return from[i]; });
}

/// Moves the elements out of a built-in array of one dimension.
template <class T, std::size_t N>
KOKKOS_FUNCTION constexpr Array<std::remove_cv_t<T>, N> to_array(T (&&from)[N]) {
  return Impl::generate_array<T>(std::make_index_sequence<N>{},
                                 [&](std::size_t i) -> T&& { return static_cast<T&&>(from[i]); });
}

/// Element I with the value category of the array, as structured bindings require.
template <std::size_t I, class A>
  requires Impl::is_kokkos_array_v<std::remove_reference_t<A>>
KOKKOS_FUNCTION constexpr auto&& get(A&& array) noexcept {
  static_assert(I < std::remove_reference_t<A>::size(),
                "Kokkos::get<I>(array): I must be less than the number of elements.");
  if constexpr (std::is_lvalue_reference_v<A>) {
    return array[I];
  } else {
    return std::move(array[I]);
  }
}

/// The iterator of the first element, for generic code: array.begin().
template <class A>
  requires Impl::is_kokkos_array_v<A>
KOKKOS_FUNCTION constexpr auto begin(A& array) noexcept {
  return array.begin();
}

/// The iterator after the last element: array.end().
template <class A>
  requires Impl::is_kokkos_array_v<A>
KOKKOS_FUNCTION constexpr auto end(A& array) noexcept {
  return array.end();
}

}  // namespace Kokkos

/// Supports structured bindings of a Kokkos::Array.
template <class Element, std::size_t Length>
struct std::tuple_size<Kokkos::Array<Element, Length>> {
  /// Number of elements.
  static constexpr std::size_t value = Length;
};

/// Supports structured bindings of a Kokkos::Array.
template <std::size_t I, class Element, std::size_t Length>
struct std::tuple_element<I, Kokkos::Array<Element, Length>> {
  static_assert(I < Length, "The index of an element of Kokkos::Array must be less than the number of elements.");
  using type = Element;  ///< type of an element
};

#ifdef KOKKOS_ENABLE_DEPRECATED_CODE_4
#include <impl/numerics/Kokkos_ArrayProxies.hpp>
#endif

#endif
