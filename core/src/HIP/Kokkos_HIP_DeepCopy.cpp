// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Copies and fills of the memory spaces of HIP.

#include <GPU/copy/Kokkos_GPU_DeepCopy_Impl.hpp>
#include <Kokkos_Core.hpp>

namespace Kokkos::Impl {

template struct GPUCopies<HIP>;
template class GPUCopyBuffer<HIP>;

}  // namespace Kokkos::Impl
