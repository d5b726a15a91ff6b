// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Copies and fills of the memory spaces of HIP.

#include <impl/GPU/copy/Kokkos_GPU_DeepCopy_Impl.hpp>
#include <impl/GPU/copy/Kokkos_GPU_SlabKernel.hpp>
#include <Kokkos_Core.hpp>

namespace Kokkos::Impl {

template struct GPUCopies<HIP>;

using HIPSlabCopies = GPUSlabCopies<HIPRuntime, HIPIntrinsics>;
HIPCalls::error_t HIPCalls::copy_slabs(SlabCopy const& copy, stream_t stream) {
  return HIPSlabCopies::enqueue(copy, stream);
}
HIPCalls::error_t HIPCalls::load_slab_kernel() { return HIPSlabCopies::load(); }

}  // namespace Kokkos::Impl
