// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_CUDA_VIEW_FILL_HPP
#define KOKKOS_CUDA_VIEW_FILL_HPP

/// \file
/// deep_copy of a value to a contiguous view: a view of rank 1 and LayoutRight, which always is contiguous.

#include <Cuda/Kokkos_Cuda.hpp>
#include <Cuda/Kokkos_Cuda_Fill.hpp>
#include <impl/GPU/Kokkos_GPU_ViewFill.hpp>

namespace Kokkos::Impl {

template <class T, class... Properties, typename iType>
struct ViewFill<View<T*, LayoutRight, Properties...>, LayoutRight, Cuda, 1, iType>
    : GPUViewFill<View<T*, LayoutRight, Properties...>, Cuda, iType, &fill_with_cuda> {
  using GPUViewFill<View<T*, LayoutRight, Properties...>, Cuda, iType, &fill_with_cuda>::GPUViewFill;
};

}  // namespace Kokkos::Impl

#endif
