// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_CUDA_GPU_RUNTIME_HPP
#define KOKKOS_CUDA_GPU_RUNTIME_HPP

/// \file
/// The interface that the headers in GPU/, which are independent of the vendor, require, implemented by CUDA: one
/// static function per operation.

#include <cuda.h>
#include <cuda_runtime.h>

#define KOKKOS_IMPL_GPU_VENDOR(name) cuda##name
#include <impl/GPU/portable/Kokkos_GPU_VendorCalls.hpp>

#include <cstddef>

namespace Kokkos::Impl {

/// The position of a thread in its grid, and the operations of its block.
struct CudaGPUIntrinsics {
  __device__ static unsigned thread_x() { return threadIdx.x; }
  __device__ static unsigned block_dim_x() { return blockDim.x; }
  __device__ static unsigned block_x() { return blockIdx.x; }
  __device__ static unsigned grid_dim_x() { return gridDim.x; }
  __device__ static void barrier() { __syncthreads(); }
  /// The block's dynamic shared memory, aligned to 16 bytes.
  __device__ static char* shared() {
    extern __shared__ __attribute__((aligned(16))) char kokkos_impl_gpu_shared_memory[];
    return kokkos_impl_gpu_shared_memory;
  }
};

struct CudaGPURuntime : GPUVendorCalls {
  using intrinsics = CudaGPUIntrinsics;
  /// Streams may wait for words that threads of the host write.
  static constexpr bool device_may_wait_for_host = true;
  /// The runtime reads the source of a copy of pageable memory to a device during the call, even in a busy stream, if
  /// the copy is not larger than this.
  static constexpr std::size_t read_during_call_bytes = std::size_t(1) << 20;

  /// Writes to words in pinned memory, and waits for them, in the order of the stream; `Step` is GPUValueStep.
  template <class Step>
  static error_t stream_values(stream_t s, Step const* steps, int n) {
    CUresult error = CUDA_SUCCESS;
    for (int i = 0; i < n && error == CUDA_SUCCESS; ++i) {
      auto const word = reinterpret_cast<CUdeviceptr>(steps[i].word);
      error           = steps[i].what == Step::wait_at_least
                            ? cuStreamWaitValue32(s, word, steps[i].value, CU_STREAM_WAIT_VALUE_GEQ)
                            : cuStreamWriteValue32(s, word, steps[i].value, CU_STREAM_WRITE_VALUE_DEFAULT);
    }
    return static_cast<cudaError_t>(error);  // the driver's numbers are the runtime's
  }

  /// Makes the graph into which `s` is being captured own the object: `destroy(object)` is called with its end.
  static error_t graph_retain(stream_t s, void* object, void (*destroy)(void*)) {
#if CUDART_VERSION >= 11030
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    cudaGraph_t graph              = nullptr;
#if CUDART_VERSION >= 13000
    error_t error = cudaStreamGetCaptureInfo(s, &status, nullptr, &graph, nullptr, nullptr, nullptr);
#else
    error_t error = cudaStreamGetCaptureInfo_v2(s, &status, nullptr, &graph, nullptr, nullptr);
#endif
    if (error != cudaSuccess) return error;
    cudaUserObject_t owner = nullptr;
    error                  = cudaUserObjectCreate(&owner, object, destroy, 1, cudaUserObjectNoDestructorSync);
    if (error != cudaSuccess) return error;
    return cudaGraphRetainUserObject(graph, owner, 1, cudaGraphUserObjectMove);
#else
    (void)s, (void)object, (void)destroy;
    return cudaErrorNotSupported;  // graphs own objects from CUDA 11.3
#endif
  }

  static error_t malloc_pinned(void** p, std::size_t n) { return cudaHostAlloc(p, n, cudaHostAllocPortable); }
  static error_t free_pinned(void* p) { return cudaFreeHost(p); }
  /// Fails if the device would use a different address for the memory.
  static error_t register_host(void* p, std::size_t n) {
    int device = 0, same_address = 0;
    error_t error = cudaGetDevice(&device);
    if (error == cudaSuccess)
      error = cudaDeviceGetAttribute(&same_address, cudaDevAttrCanUseHostPointerForRegisteredMem, device);
    if (error != cudaSuccess) return error;
    if (!same_address) return cudaErrorNotSupported;
    return cudaHostRegister(p, n, cudaHostRegisterPortable | cudaHostRegisterMapped);
  }
  static error_t unregister_host(void* p) { return cudaHostUnregister(p); }
  static error_t launch_host_function(stream_t s, void (*f)(void*), void* argument) {
    return cudaLaunchHostFunc(s, f, argument);
  }
};

}  // namespace Kokkos::Impl

#endif
