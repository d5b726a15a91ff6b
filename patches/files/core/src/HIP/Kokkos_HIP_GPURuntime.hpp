// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_HIP_GPU_RUNTIME_HPP
#define KOKKOS_HIP_GPU_RUNTIME_HPP

/// \file
/// HIP's runtime in the words of the headers in GPU/, which know no vendor: one static function per operation.

#include <GPU/Kokkos_GPU_StreamLifetime.hpp>

#include <hip/hip_runtime.h>

#include <cstddef>

namespace Kokkos::Impl {

/// What a thread of a kernel asks the hardware.
struct HIPGPUIntrinsics {
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

struct HIPGPURuntime {
  using intrinsics     = HIPGPUIntrinsics;
  using error_t        = hipError_t;
  using stream_t       = hipStream_t;
  using event_t        = hipEvent_t;
  using dim3_t         = dim3;
  using capture_mode_t = hipStreamCaptureMode;

  static constexpr error_t success                     = hipSuccess;
  static constexpr error_t not_ready                   = hipErrorNotReady;
  static constexpr capture_mode_t capture_mode_relaxed = hipStreamCaptureModeRelaxed;

  static const char* error_name(error_t e) { return hipGetErrorName(e); }
  static const char* error_string(error_t e) { return hipGetErrorString(e); }
  static void clear_last_error() { (void)hipGetLastError(); }

  static error_t device_count(int* n) { return hipGetDeviceCount(n); }
  static error_t get_device(int* device) { return hipGetDevice(device); }
  static error_t set_device(int device) { return hipSetDevice(device); }

  static error_t stream_create(stream_t* s) { return hipStreamCreate(s); }
  static error_t stream_destroy(stream_t s) { return hipStreamDestroy(s); }
  static error_t stream_synchronize(stream_t s) { return hipStreamSynchronize(s); }
  static error_t stream_create_unordered(stream_t* s) { return hipStreamCreateWithFlags(s, hipStreamNonBlocking); }
  static error_t stream_query(stream_t s) { return hipStreamQuery(s); }
  /// Writes to words in pinned memory, and waits for them, in the order of the stream; `Step` is GPUValueStep.
  template <class Step>
  static error_t stream_values(stream_t s, Step const* steps, int n) {
    error_t error = hipSuccess;
    for (int i = 0; i < n && error == hipSuccess; ++i)
      error = steps[i].what == Step::wait_at_least
                  ? hipStreamWaitValue32(s, steps[i].word, steps[i].value, hipStreamWaitValueGte, 0xffffffffu)
                  : hipStreamWriteValue32(s, steps[i].word, steps[i].value, 0);
    return error;
  }
  static error_t stream_is_capturing(stream_t s, bool* capturing) {
    hipStreamCaptureStatus status = hipStreamCaptureStatusNone;
    const error_t error           = hipStreamIsCapturing(s, &status);
    *capturing                    = status != hipStreamCaptureStatusNone;
    return error;
  }
  static error_t thread_exchange_capture_mode(capture_mode_t* mode) { return hipThreadExchangeStreamCaptureMode(mode); }

  /// The graph that `s` is being captured into destroys the object when it ends.
  static error_t graph_retain(stream_t s, void* object, void (*destroy)(void*)) {
#if HIP_VERSION >= 50300000
    hipStreamCaptureStatus status = hipStreamCaptureStatusNone;
    hipGraph_t graph              = nullptr;
    error_t error                 = hipStreamGetCaptureInfo_v2(s, &status, nullptr, &graph, nullptr, nullptr);
    if (error != hipSuccess) return error;
    hipUserObject_t owner = nullptr;
    error                 = hipUserObjectCreate(&owner, object, destroy, 1, hipUserObjectNoDestructorSync);
    if (error != hipSuccess) return error;
    return hipGraphRetainUserObject(graph, owner, 1, hipGraphUserObjectMove);
#else
    (void)s, (void)object, (void)destroy;
    return hipErrorNotSupported;  // objects of graphs came with ROCm 5.3
#endif
  }

  static error_t event_create(event_t* e) { return hipEventCreateWithFlags(e, hipEventDisableTiming); }
  static error_t event_destroy(event_t e) { return hipEventDestroy(e); }
  static error_t event_record(event_t e, stream_t s) { return hipEventRecord(e, s); }
  static error_t event_query(event_t e) { return hipEventQuery(e); }
  static error_t event_synchronize(event_t e) { return hipEventSynchronize(e); }

  static error_t malloc_device(void** p, std::size_t n) { return hipMalloc(p, n); }
  static error_t free_device(void* p) { return hipFree(p); }
  static error_t malloc_pinned(void** p, std::size_t n) { return hipHostMalloc(p, n, hipHostMallocPortable); }
  static error_t free_pinned(void* p) { return hipHostFree(p); }

  static error_t memcpy_async(void* dst, void const* src, std::size_t n, stream_t s) {
    return hipMemcpyAsync(dst, src, n, hipMemcpyDefault, s);
  }
  static error_t memcpy_2d_async(void* dst, std::size_t dst_pitch, void const* src, std::size_t src_pitch,
                                 std::size_t width, std::size_t rows, stream_t s) {
    return hipMemcpy2DAsync(dst, dst_pitch, src, src_pitch, width, rows, hipMemcpyDefault, s);
  }
  static error_t memset_async(void* p, int byte, std::size_t n, stream_t s) { return hipMemsetAsync(p, byte, n, s); }
  static error_t launch(void const* kernel, dim3 grid, dim3 block, void** arguments, std::size_t shared, stream_t s) {
    return hipLaunchKernel(kernel, grid, block, arguments, shared, s);
  }
  static error_t launch_host_function(stream_t s, void (*f)(void*), void* argument) {
#if HIP_VERSION >= 50300000
    return hipLaunchHostFunc(s, f, argument);
#else  // declared, but not in every library
    struct Call {
      void (*f)(void*);
      void* argument;
      static void run(hipStream_t, hipError_t, void* self) {
        const Call call = *static_cast<Call*>(self);
        delete static_cast<Call*>(self);
        call.f(call.argument);
      }
    };
    auto* const call    = new Call{f, argument};
    const error_t error = hipStreamAddCallback(s, &Call::run, call, 0);
    if (error != hipSuccess) delete call;
    return error;
#endif
  }
};

/// The stream of an instance: drained, and forgotten by everyone, when the object ends.
using HIPInstanceStream = InstanceStream<HIPGPURuntime>;

}  // namespace Kokkos::Impl

#endif
