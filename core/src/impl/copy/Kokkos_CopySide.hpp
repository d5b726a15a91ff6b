// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_COPY_COPYSIDE_HPP
#define KOKKOS_COPY_COPYSIDE_HPP

/// \file
/// The description of a view for copy plans. Later stages do not depend on the view's type.

#include <Kokkos_View.hpp>
#include <impl/copy/Kokkos_CopyPlan.hpp>

#include <type_traits>

namespace Kokkos::Impl {

template <class ViewType>
CopySide copy_side(ViewType const& view) {
  CopySide side;
  side.data  = view.data();
  side.label = view.impl_track().label();
  side.space = ViewType::memory_space::name();
  if constexpr (std::is_same_v<std::remove_cvref_t<decltype(view.impl_track())>, AllocationTracker>) {
    if (view.impl_track().has_record()) side.owner = &view.impl_track();
  }
  side.rank = ViewType::rank();
  for (std::size_t r = 0; r < ViewType::rank(); ++r) {
    side.extent[r] = view.extent(r);
    side.stride[r] = view.stride(r);
  }
  return side;
}

/// A single value on the host.
inline CopySide copy_side_of_value(void const* value) {
  CopySide side;
  side.data        = value;
  side.label       = "Scalar";
  side.is_variable = true;
  side.space       = HostSpace::name();
  return side;
}

}  // namespace Kokkos::Impl

#endif
