// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_SORTING_SORT_PUBLIC_API_HPP
#define KOKKOS_SORTING_SORT_PUBLIC_API_HPP

/// \file
/// Kokkos::sort.

#include <impl/sorting/Kokkos_SortArrays.hpp>

#include <Kokkos_Initialize.hpp>
#include <Kokkos_View.hpp>

#include <cstddef>
#include <string>

namespace Kokkos {
namespace Impl {

template <class ExecSpace, class ViewType>
constexpr void require_sortable() {
  if constexpr (is_view_v<ViewType>) static_assert(ViewType::rank() == 1, "Kokkos::sort: the view must have rank 1.");
  static_assert(!std::is_const_v<typename ViewType::value_type>, "Kokkos::sort: the elements must not be const.");
  static_assert(SpaceAccessibility<ExecSpace, typename ViewType::memory_space>::accessible,
                "Kokkos::sort: the execution space must be able to access the view's memory space.");
}

template <class ExecSpace, class ViewType, class Less>
void sort_range(ExecSpace const& exec, ViewType const& view, std::size_t begin, std::size_t end, Less const& less) {
  Impl::require_sortable<ExecSpace, ViewType>();
  if (begin > end || end > view.extent(0))
    Impl::throw_runtime_exception("Kokkos::sort: the range [" + std::to_string(begin) + ", " + std::to_string(end) +
                                  ") was requested for a view with " + std::to_string(view.extent(0)) +
                                  " elements. It must be inside the view, and its end must not come before its begin.");
  if (end - begin < 2) return;
  Impl::with_dense_elements(exec, view, begin, end - begin,
                            [&](auto* first) { Impl::sort_array(exec, first, end - begin, less); });
}

/// Runs `work` on the default instance, after all earlier work; it is complete when this returns.
template <class ExecSpace, class Work>
void run_between_fences(char const* what, Work const& work) {
  Kokkos::fence(std::string(what) + ": before");
  ExecSpace exec;
  work(exec);
  exec.fence(std::string(what) + ": after");
}

}  // namespace Impl

/// Sorts a view of rank 1 in ascending order, in the order of `exec`. NaNs come after all numbers. Equal elements may
/// change their order.
template <ExecutionSpace ExecSpace, class DataType, class... Properties>
void sort(ExecSpace const& exec, View<DataType, Properties...> const& view) {
  Impl::sort_range(exec, view, 0, view.extent(0), Impl::Ascending());
}
/// `comparator(a, b)` is true if a comes before b. If it is not a strict weak order, the order of the result is
/// unspecified. (For example, it is true for a and a, or for both a and b and b and a.) Memory outside the view is
/// never written, and on hosts the result is a permutation of the elements in any case.
template <ExecutionSpace ExecSpace, class Comparator, class DataType, class... Properties>
void sort(ExecSpace const& exec, View<DataType, Properties...> const& view, Comparator const& comparator) {
  Impl::sort_range(exec, view, 0, view.extent(0), comparator);
}

/// Like `sort` above, without an instance: runs after all earlier work, and is complete when this returns.
template <class DataType, class... Properties>
void sort(View<DataType, Properties...> const& view) {
  Impl::run_between_fences<typename View<DataType, Properties...>::execution_space>(
      "Kokkos::sort", [&](auto const& exec) { Kokkos::sort(exec, view); });
}
/// Like `sort` above, in the order of a comparator, without an instance.
template <class Comparator, class DataType, class... Properties>
void sort(View<DataType, Properties...> const& view, Comparator const& comparator) {
  Impl::run_between_fences<typename View<DataType, Properties...>::execution_space>(
      "Kokkos::sort", [&](auto const& exec) { Kokkos::sort(exec, view, comparator); });
}

/// Sorts view(begin), ..., view(end - 1); also for a DynamicView.
/// \throws std::runtime_error if this is not a valid range of the view.
template <ExecutionSpace ExecSpace, class ViewType>
void sort(ExecSpace const& exec, ViewType view, std::size_t begin, std::size_t end) {
  Impl::sort_range(exec, view, begin, end, Impl::Ascending());
}
/// Like `sort` above, without an instance: runs after all earlier work, and is complete when this returns.
template <class ViewType>
void sort(ViewType view, std::size_t begin, std::size_t end) {
  Impl::run_between_fences<typename ViewType::execution_space>(
      "Kokkos::sort", [&](auto const& exec) { Kokkos::sort(exec, view, begin, end); });
}

}  // namespace Kokkos

#endif
