// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_VIEW_VIEWELEMENTS_HPP
#define KOKKOS_VIEW_VIEWELEMENTS_HPP

/// \file
/// The result of `View::impl_map()`, an undocumented function of upstream Kokkos that public programs call.

#include <Kokkos_Macros.hpp>

#include <cstddef>

namespace Kokkos::Impl {

/// The elements of a view by their indices: `&view.impl_map().reference(i, j)` is the address of `view(i, j)`.
/// The object refers to the view, and must not outlive it. Use `view(i, j)` in new code.
template <class ViewType>
class ViewElements {
 public:
  KOKKOS_FUNCTION constexpr explicit ViewElements(ViewType const& view) : view_(&view) {}

  /// The element with these indices, one for each dimension.
  template <class... Index>
  KOKKOS_FORCEINLINE_FUNCTION constexpr typename ViewType::reference_type reference(Index... i) const {
    return (*view_)(i...);
  }
  /// The address of the first element.
  KOKKOS_FUNCTION constexpr typename ViewType::pointer_type data() const { return view_->data(); }
  /// \copydoc data
  KOKKOS_FUNCTION constexpr typename ViewType::pointer_type handle() const { return view_->data(); }
  /// A layout object with the extents, and for LayoutStride the strides.
  KOKKOS_FUNCTION constexpr typename ViewType::array_layout layout() const { return view_->layout(); }
  /// Number of elements between the first and the last, both included.
  KOKKOS_FUNCTION constexpr std::size_t span() const { return view_->span(); }
  /// Extent of dimension r.
  KOKKOS_FUNCTION constexpr std::size_t extent(std::size_t r) const { return view_->extent(r); }

 private:
  ViewType const* view_;
};

}  // namespace Kokkos::Impl

#endif
