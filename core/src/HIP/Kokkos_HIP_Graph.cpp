// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <impl/GPU/graph/Kokkos_GPU_GraphStore_Impl.hpp>
#include <HIP/Kokkos_HIP_Runtime.hpp>

namespace Kokkos::Impl {

template class GPURecorder<HIPRuntime>;
template class GPUGraphStore<HIPRuntime>;
template class GPURecording<HIPRuntime>;
template class GraphSubmissions<HIPRuntime>;

}  // namespace Kokkos::Impl
