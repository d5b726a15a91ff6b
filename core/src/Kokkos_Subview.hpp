// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_SUBVIEW_HPP
#define KOKKOS_SUBVIEW_HPP

/// \file
/// subview: a part of a view, as a view.

#include <Kokkos_View.hpp>

namespace Kokkos {

namespace Impl {

template <class ViewType, class... Slices>
struct CheckedSubviewType {
  static_assert(is_view_v<ViewType>, "Kokkos::subview: the first argument must be a View.");
  static_assert(sizeof...(Slices) == ViewType::dimension::rank,
                "Kokkos::subview: there must be one slice for each dimension of the view.");
  static_assert(((slice_kind_v<Slices> != SliceKind::invalid) && ...),
                "Kokkos::subview: a slice is an index, a pair of indices (std::pair or Kokkos::pair) or Kokkos::ALL.");
  using type = typename SubviewType<ViewType, Slices...>::type;
};

}  // namespace Impl

/// The type of `subview(ViewType, Slices...)`.
template <class ViewType, class... Slices>
using Subview = typename Impl::CheckedSubviewType<Impl::unqualified_t<ViewType>, Impl::unqualified_t<Slices>...>::type;

/// The elements of `v` that the slices select, one slice for each dimension: an index removes the dimension, a pair
/// {begin, end} (std::pair or Kokkos::pair) keeps the indices [begin, end), ALL keeps every index.
///
/// The result has LayoutLeft or LayoutRight if the kinds of the slices guarantee it, and LayoutStride otherwise.
/// Extents in the data type are kept for ALL, as far as a data type can express the result. Slices must be within the
/// extents; KOKKOS_ENABLE_DEBUG_BOUNDS_CHECK checks that.
template <class D, class... P, class... Slices>
KOKKOS_FORCEINLINE_FUNCTION auto subview(View<D, P...> const& v, Slices... slices) {
  return Subview<View<D, P...>, Slices...>(Impl::MakeSubview{}, v, slices...);
}

#ifdef KOKKOS_ENABLE_DEPRECATED_CODE_4
/// Like `subview` above, with other memory traits.
template <class Traits, class D, class... P, class... Slices>
  requires is_memory_traits_v<Traits>
KOKKOS_DEPRECATED_WITH_COMMENT("Assign the subview to a view with these memory traits.")
KOKKOS_FUNCTION auto subview(View<D, P...> const& v, Slices... slices) {
  using Plain = Subview<View<D, P...>, Slices...>;
  return View<typename Plain::data_type, typename Plain::array_layout, typename Plain::device_type, Traits>(
      Plain(Impl::MakeSubview{}, v, slices...));
}
#endif

}  // namespace Kokkos

#endif
