// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOSEXP_INTEROP_HPP
#define KOKKOSEXP_INTEROP_HPP

/// \file
/// The view type that stands for all types of the same view, for bindings of other languages: pykokkos-base registers
/// it.

#include <Kokkos_Core.hpp>
#include <impl/Kokkos_Utilities.hpp>

#include <type_traits>
#include <utility>

namespace Kokkos {

template <class DataType, class... Properties>
class DynRankView;

namespace Impl {

template <template <class, class...> class ViewTemplate, class DataType, class Traits>
struct NamedView {
  using layout = typename Traits::array_layout;
  using space  = typename Traits::memory_space;
  using traits = typename Traits::memory_traits;
  using type   = std::conditional_t<std::is_same_v<traits, MemoryTraits<>>, ViewTemplate<DataType, layout, space>,
                                    ViewTemplate<DataType, layout, space, traits>>;
};

}  // namespace Impl

namespace Experimental {

/// A View or DynRankView with its layout and memory space written out, with its memory traits only if it has any, and
/// without its execution space: `View<double*, HostSpace>` becomes `View<double*, LayoutRight, HostSpace>`.
template <class ViewType>
struct python_view_type;
template <class D, class... P>
struct python_view_type<View<D, P...>> : Kokkos::Impl::NamedView<View, D, ViewTraits<D, P...>> {};
template <class D, class... P>
struct python_view_type<DynRankView<D, P...>> : Kokkos::Impl::NamedView<DynRankView, D, ViewTraits<D, P...>> {};
template <class ViewType>
using python_view_type_t = typename python_view_type<ViewType>::type;

/// The view as an object of its python_view_type: another reference to the same elements.
template <class ViewType>
python_view_type_t<std::remove_cvref_t<ViewType>> as_python_type(ViewType&& view) {
  return python_view_type_t<std::remove_cvref_t<ViewType>>(std::forward<ViewType>(view));
}

}  // namespace Experimental
}  // namespace Kokkos

#endif
