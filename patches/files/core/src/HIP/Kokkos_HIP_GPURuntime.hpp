// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_HIP_GPU_RUNTIME_HPP
#define KOKKOS_HIP_GPU_RUNTIME_HPP

/// \file
/// The interface that the headers in GPU/, which are independent of the vendor, require, implemented by HIP: one static
/// function per operation.

#include <impl/GPU/portable/Kokkos_GPU_StreamLifetime.hpp>

#include <hip/hip_runtime.h>

#define KOKKOS_IMPL_GPU_VENDOR(name) hip##name
#include <impl/GPU/portable/Kokkos_GPU_VendorCalls.hpp>

#include <cstddef>

namespace Kokkos::Impl {

/// The position of a thread in its grid, and the operations of its block.
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

struct HIPGPURuntime : GPUVendorCalls {
  using intrinsics = HIPGPUIntrinsics;
  /// In ROCm, a wait for a word is a kernel that spins, and blocks the other streams of its hardware queue.
  static constexpr bool device_may_wait_for_host = false;
  /// The runtime reads the source of a copy of pageable memory to a device during the call, even in a busy stream, if
  /// the copy is not larger than this.
  static constexpr std::size_t read_during_call_bytes = std::size_t(64) << 10;

  /// hipEventSynchronize since ROCm 6.0.2 and hipEventQuery since 6.2.0 examine the stream of the event's last record, and
  /// invalidate a capture that is in progress there.
  static constexpr bool event_query_breaks_capture = true;

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

  /// Makes the graph into which `s` is being captured own the object: `destroy(object)` is called with its end.
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
    return hipErrorNotSupported;  // graphs own objects from ROCm 5.3
#endif
  }

  /// Coherent: the host polls for words that a running kernel writes, and kernels for words of the host.
  static error_t malloc_pinned(void** p, std::size_t n) {
    return hipHostMalloc(p, n, hipHostMallocPortable | hipHostMallocCoherent);
  }
  static error_t free_pinned(void* p) { return hipHostFree(p); }

  static error_t launch_host_function(stream_t s, void (*f)(void*), void* argument) {
#if HIP_VERSION >= 50300000
    return hipLaunchHostFunc(s, f, argument);
#else  // ROCm declares hipLaunchHostFunc earlier, but not every library contains it
    struct Call {
      void (*f)(void*);
      void* argument;
      static void run(hipStream_t, hipError_t, void* self) {
        Call const call = *static_cast<Call*>(self);
        delete static_cast<Call*>(self);
        call.f(call.argument);
      }
    };
    auto* const call    = new Call{f, argument};
    error_t const error = hipStreamAddCallback(s, &Call::run, call, 0);
    if (error != hipSuccess) delete call;
    return error;
#endif
  }
};

/// The stream of an instance. Its destructor drains the stream, then all objects that refer to the stream release it.
using HIPInstanceStream = InstanceStream<HIPGPURuntime>;

}  // namespace Kokkos::Impl

#endif
