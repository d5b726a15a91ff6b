// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_TEST_GPU_MODEL_RUNTIME_HPP
#define KOKKOS_TEST_GPU_MODEL_RUNTIME_HPP

/// \file
/// The HIP model in the words of GPU/, as far as the headers ask that patches carry: nothing of Kokkos is needed.

#include <GPU/Kokkos_GPU_ValueStep.hpp>
#include <hip_model.hpp>
#include <hip_model_rocm6.hpp>

#include <cstddef>

struct ModelRuntime {
  using error_t        = hipError_t;
  using stream_t       = hipStream_t;
  using event_t        = hipEvent_t;
  using capture_mode_t = hipStreamCaptureMode;
  using ValueStep      = Kokkos::Impl::GPUValueStep;

  static constexpr const char* vendor                  = "HIP";
  static constexpr error_t success                     = hipSuccess;
  static constexpr error_t not_ready                   = hipErrorNotReady;
  static constexpr capture_mode_t capture_mode_relaxed = hipStreamCaptureModeRelaxed;

  static const char* error_name(error_t e) { return hipGetErrorName(e); }
  static const char* error_string(error_t e) { return hipGetErrorString(e); }
  static void clear_last_error() { (void)hipGetLastError(); }

  static error_t device_count(int* n) { return hipGetDeviceCount(n); }
  static error_t get_device(int* device) { return hipGetDevice(device); }
  static error_t set_device(int device) { return hipSetDevice(device); }
  static error_t thread_exchange_capture_mode(capture_mode_t* m) { return hipThreadExchangeStreamCaptureMode(m); }

  static error_t stream_create(stream_t* s) { return hipStreamCreate(s); }
  static error_t stream_create_unordered(stream_t* s) { return hipStreamCreateWithFlags(s, hipStreamNonBlocking); }
  static error_t stream_destroy(stream_t s) { return hipStreamDestroy(s); }
  static error_t stream_synchronize(stream_t s) { return hipStreamSynchronize(s); }
  static error_t stream_query(stream_t s) { return hipStreamQuery(s); }
  static error_t stream_is_capturing(stream_t s, bool* capturing) {
    hipStreamCaptureStatus status = hipStreamCaptureStatusNone;
    const error_t error           = hipStreamIsCapturing(s, &status);
    *capturing                    = status != hipStreamCaptureStatusNone;
    return error;
  }
  static error_t launch_host_function(stream_t s, void (*f)(void*), void* argument) {
    return hipLaunchHostFunc(s, f, argument);
  }
  static error_t stream_values(stream_t s, ValueStep const* steps, int n) {
    for (int i = 0; i < n; ++i) {
      const error_t error =
          steps[i].what == ValueStep::write
              ? hipStreamWriteValue32(s, steps[i].word, steps[i].value, 0)
              : hipStreamWaitValue32(s, steps[i].word, steps[i].value, hipStreamWaitValueGte, 0xffffffffu);
      if (error != hipSuccess) return error;
    }
    return hipSuccess;
  }

  static error_t event_create(event_t* e) { return hipEventCreateWithFlags(e, hipEventDisableTiming); }
  static error_t event_destroy(event_t e) { return hipEventDestroy(e); }
  static error_t malloc_device(void** p, std::size_t n) { return hipMalloc(p, n); }
  static error_t free_device(void* p) { return hipFree(p); }
  static error_t malloc_pinned(void** p, std::size_t n) {
    return hipHostMalloc(p, n, hipHostMallocPortable | hipHostMallocMapped | hipHostMallocCoherent);
  }
  static error_t free_pinned(void* p) { return hipHostFree(p); }
  static error_t memcpy_async(void* dst, void const* src, std::size_t n, stream_t s) {
    return hipMemcpyAsync(dst, src, n, hipMemcpyDefault, s);
  }
  static error_t memcpy_2d_async(void* dst, std::size_t dst_pitch, void const* src, std::size_t src_pitch,
                                 std::size_t width, std::size_t rows, stream_t s) {
    return hipMemcpy2DAsync(dst, dst_pitch, src, src_pitch, width, rows, hipMemcpyDefault, s);
  }
  static error_t memset_async(void* p, int byte, std::size_t n, stream_t s) { return hipMemsetAsync(p, byte, n, s); }
};

#endif
