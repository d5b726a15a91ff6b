// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_HIP_RUNTIME_HPP
#define KOKKOS_HIP_RUNTIME_HPP

/// \file
/// HIP's runtime in the words of GPU/.

#include <GPU/Kokkos_GPU_Runtime.hpp>
#include <HIP/Kokkos_HIP_Intrinsics.hpp>

#include <string>
#include <vector>

namespace Kokkos::Impl {

struct HIPRuntime {
  using intrinsics     = HIPIntrinsics;
  using error_t        = hipError_t;
  using stream_t       = hipStream_t;
  using event_t        = hipEvent_t;
  using dim3_t         = dim3;
  using capture_mode_t = hipStreamCaptureMode;
  using graph_t        = hipGraph_t;
  using graph_exec_t   = hipGraphExec_t;
  using graph_node_t   = hipGraphNode_t;

  static constexpr const char* vendor                  = "HIP";
  static constexpr const char* default_stream_name     = "hipStreamLegacy";
  static constexpr error_t success                     = hipSuccess;
  static constexpr error_t not_ready                   = hipErrorNotReady;
  static constexpr error_t out_of_memory               = hipErrorOutOfMemory;
  static constexpr capture_mode_t capture_mode_relaxed = hipStreamCaptureModeRelaxed;
  /// Bytes of kernel arguments that every ROCm takes.
  static constexpr std::size_t by_value_limit = 4096;

  static const char* error_name(error_t e) { return hipGetErrorName(e); }
  static const char* error_string(error_t e) { return hipGetErrorString(e); }
  /// What an error means where its name misleads, and what to do, as part of a sentence; null where the runtime's text
  /// says it.
  static const char* explain(error_t e);
  /// Why there is no device to use, and what to do, as a sentence. `e` is what device_count said.
  static std::string why_no_device(error_t e);
  static void clear_last_error() { (void)hipGetLastError(); }
  static error_t last_error() { return hipGetLastError(); }

  static error_t device_count(int* n) { return hipGetDeviceCount(n); }
  static error_t get_device(int* device) { return hipGetDevice(device); }
  static error_t set_device(int device) { return hipSetDevice(device); }
  static error_t device_properties(GPUProperties* out, int device);
  static error_t device_synchronize() { return hipDeviceSynchronize(); }
  static error_t memory_info(std::size_t* free, std::size_t* total) { return hipMemGetInfo(free, total); }

  static error_t stream_create(stream_t* s) { return hipStreamCreate(s); }
  static error_t stream_destroy(stream_t s) { return hipStreamDestroy(s); }
  static error_t stream_synchronize(stream_t s) { return hipStreamSynchronize(s); }
  static error_t stream_query(stream_t s) { return hipStreamQuery(s); }
  static error_t stream_wait_event(stream_t s, event_t e) { return hipStreamWaitEvent(s, e, 0); }
  static error_t stream_device(stream_t s, int* device);
  static error_t stream_is_capturing(stream_t s, bool* capturing) {
    hipStreamCaptureStatus status = hipStreamCaptureStatusNone;
    const error_t error           = hipStreamIsCapturing(s, &status);
    *capturing                    = status != hipStreamCaptureStatusNone;
    return error;
  }
  static bool is_stale_stream(error_t e) { return e == hipErrorContextIsDestroyed || e == hipErrorInvalidHandle; }
  static error_t thread_exchange_capture_mode(capture_mode_t* mode) {
    return hipThreadExchangeStreamCaptureMode(mode);
  }
  static error_t graph_retain(stream_t s, void* object, void (*destroy)(void*));
  static error_t launch_host_function(stream_t s, void (*f)(void*), void* argument);

  static error_t event_create(event_t* e) { return hipEventCreateWithFlags(e, hipEventDisableTiming); }
  static error_t event_destroy(event_t e) { return hipEventDestroy(e); }
  static error_t event_record(event_t e, stream_t s) { return hipEventRecord(e, s); }
  static error_t event_query(event_t e) { return hipEventQuery(e); }
  static error_t event_synchronize(event_t e) { return hipEventSynchronize(e); }

  static error_t malloc_device(void** p, std::size_t n) { return hipMalloc(p, n); }
  static error_t free_device(void* p) { return hipFree(p); }
  static error_t malloc_device_async(void** p, std::size_t n, stream_t s) { return hipMallocAsync(p, n, s); }
  static error_t free_device_async(void* p, stream_t s) { return hipFreeAsync(p, s); }
  /// Coherent: the host sees what a running kernel writes, as it must while it watches for a result.
  static error_t malloc_pinned(void** p, std::size_t n);
  static error_t free_pinned(void* p);
  static error_t malloc_managed(void** p, std::size_t n) { return hipMallocManaged(p, n, hipMemAttachGlobal); }
  static error_t pointer_kind(void const* p, PointerKind* kind, int* device);

  static error_t memcpy_async(void* dst, void const* src, std::size_t n, stream_t s) {
    return hipMemcpyAsync(dst, src, n, hipMemcpyDefault, s);
  }
  /// Copies `rows` rows of `width` bytes whose starts lie `dst_pitch` and `src_pitch` bytes apart.
  static error_t memcpy_2d_async(void* dst, std::size_t dst_pitch, void const* src, std::size_t src_pitch,
                                 std::size_t width, std::size_t rows, stream_t s) {
    return hipMemcpy2DAsync(dst, dst_pitch, src, src_pitch, width, rows, hipMemcpyDefault, s);
  }
  static error_t memset(void* p, int byte, std::size_t n) { return hipMemset(p, byte, n); }
  /// Does not go by way of the default stream, which would spoil a capture under way.
  static error_t memcpy_to_symbol(void const* symbol, void const* from, std::size_t n);
  static error_t memset_async(void* p, int byte, std::size_t n, stream_t s) { return hipMemsetAsync(p, byte, n, s); }
  static error_t kernel_limits(void const* kernel, int* max_threads, int* registers) {
    hipFuncAttributes attributes{};
    const error_t error = hipFuncGetAttributes(&attributes, kernel);
    *max_threads        = attributes.maxThreadsPerBlock;
    *registers          = attributes.numRegs;
    return error;
  }
  /// Kernels have all 64 KB without asking.
  static error_t kernel_allow_shared(void const*, std::size_t) { return hipSuccess; }
  static error_t launch(void const* kernel, dim3 grid, dim3 block, void** arguments, std::size_t shared, stream_t s) {
    return hipLaunchKernel(kernel, grid, block, arguments, shared, s);
  }

  static error_t stream_values(stream_t s, GPUValueStep const* steps, int n);

  static error_t stream_create_unordered(stream_t* s) { return hipStreamCreateWithFlags(s, hipStreamNonBlocking); }
  static error_t graph_create(graph_t* graph) { return hipGraphCreate(graph, 0); }
  static error_t graph_destroy(graph_t graph) { return hipGraphDestroy(graph); }
  static error_t graph_add_empty(graph_node_t* node, graph_t graph, graph_node_t const* before, std::size_t n) {
    return hipGraphAddEmptyNode(node, graph, before, n);
  }
  static error_t record_begin(stream_t s, graph_t graph, graph_node_t const* before, std::size_t n);
  static error_t record_end(stream_t s, graph_t graph, graph_node_t const* before, std::size_t n,
                            std::vector<graph_node_t>* ends);
  static error_t graph_instantiate(graph_exec_t* exec, graph_t graph) {
    return hipGraphInstantiateWithFlags(exec, graph, 0);
  }
  static error_t graph_exec_destroy(graph_exec_t exec) { return hipGraphExecDestroy(exec); }
  static error_t graph_launch(graph_exec_t exec, stream_t s) { return hipGraphLaunch(exec, s); }
  /// Puts a copy of the graph into the one that the stream is being captured into.
  static error_t graph_capture(graph_t graph, stream_t s);
};

}  // namespace Kokkos::Impl

#endif
