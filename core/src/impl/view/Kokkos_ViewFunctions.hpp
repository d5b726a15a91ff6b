// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_VIEW_VIEWFUNCTIONS_HPP
#define KOKKOS_VIEW_VIEWFUNCTIONS_HPP

/// \file
/// Comparison, assignability and type deduction of views. Included by Kokkos_View.hpp.

#include <Kokkos_Macros.hpp>
#include <Kokkos_Core_fwd.hpp>
#include <impl/view/Kokkos_ViewArguments.hpp>
#include <impl/view/Kokkos_ViewAssignment.hpp>

#include <cstdint>
#include <type_traits>

namespace Kokkos {

// ---- comparison ----------

/// True if both refer to the same elements in the same way: the same value type, layout, memory space, rank, pointer
/// and extents.
template <class LT, class... LP, class RT, class... RP>
KOKKOS_FUNCTION constexpr bool operator==(View<LT, LP...> const& a, View<RT, RP...> const& b) {
  using L = View<LT, LP...>;
  using R = View<RT, RP...>;
  if constexpr (std::is_same_v<typename L::const_value_type, typename R::const_value_type> &&
                std::is_same_v<typename L::array_layout, typename R::array_layout> &&
                std::is_same_v<typename L::memory_space, typename R::memory_space> && L::rank() == R::rank()) {
    if (a.data() != b.data()) return false;
    for (std::size_t r = 0; r < L::rank(); ++r)
      if (a.extent(r) != b.extent(r)) return false;
    return true;
  } else {
    return false;
  }
}

/// Number of dimensions.
template <class D, class... P>
KOKKOS_FUNCTION constexpr unsigned rank(View<D, P...> const&) {
  return static_cast<unsigned>(View<D, P...>::rank());
}

// ---- assignability ----------

/// True if every view of type Src can be assigned to a view of type Dst, for all extents and strides. Nothing can be
/// assigned to a `const View`; its elements do not matter for that.
template <class Dst, class Src>
inline constexpr bool is_always_assignable_v =
    !std::is_const_v<std::remove_reference_t<Dst>> &&
    Impl::ViewAssignment<typename std::remove_cvref_t<Dst>::traits,
                         typename std::remove_cvref_t<Src>::traits>::always();
template <class Dst, class Src>
struct is_always_assignable : std::bool_constant<is_always_assignable_v<Dst, Src>> {};
/// is_always_assignable under a name that programs use in spite of its ending.
template <class Dst, class Src>
struct is_always_assignable_impl : is_always_assignable<Dst, Src> {};

/// True if src can be assigned to dst. If the types leave it open, this checks the extents and strides of src.
template <class... DstT, class... SrcT>
bool is_assignable([[maybe_unused]] View<DstT...> const& dst, [[maybe_unused]] View<SrcT...> const& src) {
  using Assignment = Impl::ViewAssignment<ViewTraits<DstT...>, ViewTraits<SrcT...>>;
  if constexpr (Assignment::possible()) {
    if (Assignment::checks_alignment && reinterpret_cast<std::uintptr_t>(src.data()) % KOKKOS_MEMORY_ALIGNMENT != 0)
      return false;
    return Impl::mapping_converts<Assignment>(src.impl_mapping());
  } else {
    return false;
  }
}

// ---- deduction ----------

/// A pointer and extents: an unmanaged view with as many dimensions as there are extents.
template <class T, class... N>
  requires(Impl::IndexLike<N> && ...)
KOKKOS_DEDUCTION_GUIDE View(T*, N...) -> View<typename Impl::MakeViewDataType<T, sizeof...(N)>::type>;

}  // namespace Kokkos

#endif
