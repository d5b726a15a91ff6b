// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_PATCHES_OLD_CALLS_OF_CUDA_13_HPP
#define KOKKOS_PATCHES_OLD_CALLS_OF_CUDA_13_HPP

/// \file
/// Three calls with the parameters that they had before CUDA 13. Upstream Kokkos up to 4.6.01 uses them, and 28848df
/// still uses two. Include this file before every source (`-include`) to build those versions, with or without patches,
/// with CUDA 13.

#if defined(__CUDACC__)
#include <cuda_runtime.h>

#if CUDART_VERSION >= 13000
inline cudaError_t cudaMemAdvise(void const* p, size_t bytes, cudaMemoryAdvise advice, int device) {
  cudaMemLocation where{};
  where.type = device == cudaCpuDeviceId ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
  where.id   = device == cudaCpuDeviceId ? 0 : device;
  return cudaMemAdvise(p, bytes, advice, where);
}

inline cudaError_t cudaMemPrefetchAsync(void const* p, size_t bytes, int device, cudaStream_t stream) {
  cudaMemLocation where{};
  where.type = device == cudaCpuDeviceId ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
  where.id   = device == cudaCpuDeviceId ? 0 : device;
  return cudaMemPrefetchAsync(p, bytes, where, 0, stream);
}

inline cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, cudaGraphNode_t const* from, cudaGraphNode_t const* to,
                                            size_t n) {
  return cudaGraphAddDependencies(graph, from, to, nullptr, n);
}
#endif
#endif

#endif
