// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_VIEW_FILL_HPP
#define KOKKOS_GPU_VIEW_FILL_HPP

/// \file
/// Fills of contiguous views by a kernel that is independent of the element type. Each vendor's ViewFill derives from
/// this.

#include <Kokkos_Core_fwd.hpp>

#include <cstddef>
#include <type_traits>

namespace Kokkos::Impl {

/// `Fill` is the vendor's fill_with_... function. Values that are not trivially copyable, and elements of views whose
/// accesses are not plain references (atomic and customized views), are assigned one by one.
template <class ViewType, class ExecSpace, class iType, auto Fill>
struct GPUViewFill {
  using value_type = typename ViewType::non_const_value_type;
  ViewType a;
  value_type val;

  GPUViewFill(ViewType const& a_, value_type const& val_, ExecSpace const& space) : a(a_), val(val_) {
    if constexpr (std::is_trivially_copyable_v<value_type> &&
                  std::is_same_v<typename ViewType::reference_type, value_type&>)
      Fill(space, a.data(), a.extent(0), &val, sizeof(value_type));
    else
      Kokkos::parallel_for("Kokkos::ViewFill-1D",
                           Kokkos::RangePolicy<ExecSpace, Kokkos::IndexType<iType>>(space, 0, a.extent(0)), *this);
  }

  KOKKOS_FUNCTION void operator()(iType const& i) const { a(i) = val; }
};

}  // namespace Kokkos::Impl

#endif
