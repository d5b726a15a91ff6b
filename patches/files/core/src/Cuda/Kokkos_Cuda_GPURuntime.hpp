// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_CUDA_GPU_RUNTIME_HPP
#define KOKKOS_CUDA_GPU_RUNTIME_HPP

/// \file
/// CUDA's runtime in the words of the headers in GPU/, which know no vendor: one static function per operation.

#include <cuda.h>
#include <cuda_runtime.h>

#include <cstddef>

namespace Kokkos::Impl {

/// What a thread of a kernel asks the hardware.
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

struct CudaGPURuntime {
  using intrinsics     = CudaGPUIntrinsics;
  using error_t        = cudaError_t;
  using stream_t       = cudaStream_t;
  using event_t        = cudaEvent_t;
  using dim3_t         = dim3;
  using capture_mode_t = cudaStreamCaptureMode;

  static constexpr error_t success                     = cudaSuccess;
  static constexpr error_t not_ready                   = cudaErrorNotReady;
  static constexpr capture_mode_t capture_mode_relaxed = cudaStreamCaptureModeRelaxed;

  static const char* error_name(error_t e) { return cudaGetErrorName(e); }
  static const char* error_string(error_t e) { return cudaGetErrorString(e); }
  static void clear_last_error() { (void)cudaGetLastError(); }

  static error_t device_count(int* n) { return cudaGetDeviceCount(n); }
  static error_t get_device(int* device) { return cudaGetDevice(device); }
  static error_t set_device(int device) { return cudaSetDevice(device); }

  static error_t stream_create(stream_t* s) { return cudaStreamCreate(s); }
  static error_t stream_destroy(stream_t s) { return cudaStreamDestroy(s); }
  static error_t stream_synchronize(stream_t s) { return cudaStreamSynchronize(s); }
  static error_t stream_create_unordered(stream_t* s) { return cudaStreamCreateWithFlags(s, cudaStreamNonBlocking); }
  static error_t stream_query(stream_t s) { return cudaStreamQuery(s); }
  /// Writes to words in pinned memory, and waits for them, in the order of the stream; `Step` is GPUValueStep.
  template <class Step>
  static error_t stream_values(stream_t s, Step const* steps, int n) {
    CUresult error = CUDA_SUCCESS;
    for (int i = 0; i < n && error == CUDA_SUCCESS; ++i) {
      const auto word = reinterpret_cast<CUdeviceptr>(steps[i].word);
      error           = steps[i].what == Step::wait_at_least
                            ? cuStreamWaitValue32(s, word, steps[i].value, CU_STREAM_WAIT_VALUE_GEQ)
                            : cuStreamWriteValue32(s, word, steps[i].value, CU_STREAM_WRITE_VALUE_DEFAULT);
    }
    return static_cast<cudaError_t>(error);  // the driver's numbers are the runtime's
  }
  static error_t stream_is_capturing(stream_t s, bool* capturing) {
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    const error_t error            = cudaStreamIsCapturing(s, &status);
    *capturing                     = status != cudaStreamCaptureStatusNone;
    return error;
  }
  static error_t thread_exchange_capture_mode(capture_mode_t* mode) {
    return cudaThreadExchangeStreamCaptureMode(mode);
  }

  /// The graph that `s` is being captured into destroys the object when it ends.
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
    return cudaErrorNotSupported;  // objects of graphs came with CUDA 11.3
#endif
  }

  static error_t event_create(event_t* e) { return cudaEventCreateWithFlags(e, cudaEventDisableTiming); }
  static error_t event_destroy(event_t e) { return cudaEventDestroy(e); }
  static error_t event_record(event_t e, stream_t s) { return cudaEventRecord(e, s); }
  static error_t event_query(event_t e) { return cudaEventQuery(e); }
  static error_t event_synchronize(event_t e) { return cudaEventSynchronize(e); }

  static error_t malloc_device(void** p, std::size_t n) { return cudaMalloc(p, n); }
  static error_t free_device(void* p) { return cudaFree(p); }
  static error_t malloc_pinned(void** p, std::size_t n) { return cudaHostAlloc(p, n, cudaHostAllocPortable); }
  static error_t free_pinned(void* p) { return cudaFreeHost(p); }

  static error_t memcpy_async(void* dst, void const* src, std::size_t n, stream_t s) {
    return cudaMemcpyAsync(dst, src, n, cudaMemcpyDefault, s);
  }
  static error_t memcpy_2d_async(void* dst, std::size_t dst_pitch, void const* src, std::size_t src_pitch,
                                 std::size_t width, std::size_t rows, stream_t s) {
    return cudaMemcpy2DAsync(dst, dst_pitch, src, src_pitch, width, rows, cudaMemcpyDefault, s);
  }
  static error_t memset_async(void* p, int byte, std::size_t n, stream_t s) { return cudaMemsetAsync(p, byte, n, s); }
  static error_t launch(void const* kernel, dim3 grid, dim3 block, void** arguments, std::size_t shared, stream_t s) {
    return cudaLaunchKernel(kernel, grid, block, arguments, shared, s);
  }
  static error_t launch_host_function(stream_t s, void (*f)(void*), void* argument) {
    return cudaLaunchHostFunc(s, f, argument);
  }
};

}  // namespace Kokkos::Impl

#endif
