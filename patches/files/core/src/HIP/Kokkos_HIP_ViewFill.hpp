// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_HIP_VIEW_FILL_HPP
#define KOKKOS_HIP_VIEW_FILL_HPP

/// \file
/// deep_copy of a value to a contiguous view: a view of rank 1 and LayoutRight, which always is contiguous.

#include <HIP/Kokkos_HIP.hpp>
#include <HIP/Kokkos_HIP_Fill.hpp>
#include <impl/GPU/Kokkos_GPU_ViewFill.hpp>

namespace Kokkos::Impl {

template <class T, class... Properties, typename iType>
struct ViewFill<View<T*, LayoutRight, Properties...>, LayoutRight, HIP, 1, iType>
    : GPUViewFill<View<T*, LayoutRight, Properties...>, HIP, iType, &fill_with_hip> {
  using GPUViewFill<View<T*, LayoutRight, Properties...>, HIP, iType, &fill_with_hip>::GPUViewFill;
};

}  // namespace Kokkos::Impl

#endif
