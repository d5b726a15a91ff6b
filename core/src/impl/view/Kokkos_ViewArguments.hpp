// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_VIEW_VIEWARGUMENTS_HPP
#define KOKKOS_VIEW_VIEWARGUMENTS_HPP

/// \file
/// Concepts for the arguments of a View's constructors and operators; and is_view.

#include <Kokkos_Macros.hpp>
#include <Kokkos_Core_fwd.hpp>
#include <impl/view/Kokkos_ViewAlloc.hpp>
#include <impl/view/Kokkos_ViewTraits.hpp>

#include <cstddef>
#include <type_traits>

namespace Kokkos {

/// @{
/// Whether T is a View, possibly a const one. False for references to views.
template <class T>
inline constexpr bool is_view_v = false;
template <class D, class... P>
inline constexpr bool is_view_v<View<D, P...>> = true;
template <class D, class... P>
inline constexpr bool is_view_v<View<D, P...> const> = true;
/// @}
template <class T>
struct is_view : std::bool_constant<is_view_v<T>> {};

namespace Impl {

/// A number that is also callable without arguments: `V::rank` and `V::rank()`.
template <std::size_t N>
struct RankConstant {
  using value_type                   = std::size_t;
  static constexpr std::size_t value = N;
  KOKKOS_FUNCTION constexpr operator std::size_t() const noexcept { return N; }
  KOKKOS_FUNCTION constexpr std::size_t operator()() const noexcept { return N; }
};

template <class T>
concept IndexLike = std::is_convertible_v<T, std::size_t> && !std::is_floating_point_v<std::remove_cvref_t<T>>;

// Some programs compute extents as floating-point numbers and rely on the conversion.
template <class T>
concept ExtentLike = std::is_convertible_v<T, std::size_t>;

// A string literal is a label even if it could be a pointer to elements, in View<const char*>.
template <class T, class Pointer>
concept LabelFor = AllocationLabel<std::remove_reference_t<T>> &&
                   (!std::is_convertible_v<T, Pointer> ||
                    (std::is_array_v<std::remove_reference_t<T>> && std::is_const_v<std::remove_reference_t<T>>));
template <class T, class Pointer>
concept PointerFor = std::is_convertible_v<T, Pointer> && !LabelFor<T, Pointer> &&
                     !std::is_same_v<std::remove_cvref_t<T>, std::nullptr_t>;

template <class Traits>
inline constexpr bool owns_memory_v = Traits::is_managed && !is_scratch_space_v<typename Traits::memory_space>;

}  // namespace Impl

}  // namespace Kokkos

#endif
