// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Cuda/Kokkos_Cuda_Runtime.hpp>
#include <impl/GPU/graph/Kokkos_GPU_GraphStore_Impl.hpp>

namespace Kokkos::Impl {

template class GPURecorder<CudaRuntime>;
template class GPUGraphStore<CudaRuntime>;
template class GPURecording<CudaRuntime>;
template class GraphSubmissions<CudaRuntime>;

}  // namespace Kokkos::Impl
