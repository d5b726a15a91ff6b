// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Copies and fills of the memory spaces of CUDA.

#include <impl/GPU/copy/Kokkos_GPU_DeepCopy_Impl.hpp>
#include <impl/GPU/copy/Kokkos_GPU_SlabKernel.hpp>
#include <Kokkos_Core.hpp>

namespace Kokkos::Impl {

template struct GPUCopies<Cuda>;

using CudaSlabCopies = GPUSlabCopies<CudaRuntime, CudaIntrinsics>;
CudaCalls::error_t CudaCalls::copy_slabs(SlabCopy const& copy, stream_t stream) {
  return CudaSlabCopies::enqueue(copy, stream);
}
CudaCalls::error_t CudaCalls::load_slab_kernel() { return CudaSlabCopies::load(); }

}  // namespace Kokkos::Impl
