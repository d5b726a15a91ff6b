// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_CUDA_RUNTIME_HPP
#define KOKKOS_CUDA_RUNTIME_HPP

/// \file
/// CUDA's runtime in the words of GPU/.

#include <Cuda/Kokkos_Cuda_Intrinsics.hpp>
#include <GPU/Kokkos_GPU_Runtime.hpp>

#include <cuda.h>
#include <cuda_runtime.h>

#include <string>
#include <vector>

namespace Kokkos::Impl {

struct CudaRuntime {
  using intrinsics     = CudaIntrinsics;
  using error_t        = cudaError_t;
  using stream_t       = cudaStream_t;
  using event_t        = cudaEvent_t;
  using dim3_t         = dim3;
  using capture_mode_t = cudaStreamCaptureMode;
  using graph_t        = cudaGraph_t;
  using graph_exec_t   = cudaGraphExec_t;
  using graph_node_t   = cudaGraphNode_t;

  static constexpr const char* vendor                 = "CUDA";
  static constexpr const char* default_stream_name    = "cudaStreamLegacy";
  static constexpr error_t success                    = cudaSuccess;
  static constexpr error_t not_ready                  = cudaErrorNotReady;
  static constexpr error_t out_of_memory              = cudaErrorMemoryAllocation;
  static constexpr capture_mode_t capture_mode_relaxed = cudaStreamCaptureModeRelaxed;
  /// On an H200 a functor of 64 KB goes out every 7.5 us beside the kernels, and every 12.7 us between them.
  static constexpr bool sends_functors_beside = true;
  // From CUDA 12.1 on, sm_70 and newer take 32,764 bytes of parameters; before, 4,096.
#if CUDART_VERSION >= 12010
  static constexpr std::size_t by_value_limit = 32764;
#else
  static constexpr std::size_t by_value_limit = 4096;
#endif

  static const char* error_name(error_t e) { return cudaGetErrorName(e); }
  static const char* error_string(error_t e) { return cudaGetErrorString(e); }
  /// What an error means for the program and what to do, as part of a sentence; null where the runtime's text says it.
  static const char* explain(error_t e);
  /// Why there is no device to use, and what to do, as a sentence. `e` is what device_count said.
  static std::string why_no_device(error_t e);
  static void clear_last_error() { (void)cudaGetLastError(); }
  static error_t last_error() { return cudaGetLastError(); }

  static error_t device_count(int* n) { return cudaGetDeviceCount(n); }
  static error_t get_device(int* device) { return cudaGetDevice(device); }
  static error_t set_device(int device) { return cudaSetDevice(device); }
  static error_t device_properties(GPUProperties* out, int device);
  static error_t device_synchronize() { return cudaDeviceSynchronize(); }
  static error_t memory_info(std::size_t* free, std::size_t* total) { return cudaMemGetInfo(free, total); }

  static error_t stream_create(stream_t* s) { return cudaStreamCreate(s); }
  static error_t stream_destroy(stream_t s) { return cudaStreamDestroy(s); }
  static error_t stream_synchronize(stream_t s) { return cudaStreamSynchronize(s); }
  static error_t stream_query(stream_t s) { return cudaStreamQuery(s); }
  static error_t stream_wait_event(stream_t s, event_t e) { return cudaStreamWaitEvent(s, e, 0); }
  static error_t stream_device(stream_t s, int* device);
  static error_t stream_is_capturing(stream_t s, bool* capturing) {
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    const error_t error            = cudaStreamIsCapturing(s, &status);
    *capturing                     = status != cudaStreamCaptureStatusNone;
    return error;
  }
  static bool is_stale_stream(error_t e) {
    return e == cudaErrorContextIsDestroyed || e == cudaErrorInvalidResourceHandle;
  }
  static error_t thread_exchange_capture_mode(capture_mode_t* mode) {
    return cudaThreadExchangeStreamCaptureMode(mode);
  }
  static error_t graph_retain(stream_t s, void* object, void (*destroy)(void*));
  static error_t launch_host_function(stream_t s, void (*f)(void*), void* argument) {
    return cudaLaunchHostFunc(s, f, argument);
  }

  static error_t event_create(event_t* e) { return cudaEventCreateWithFlags(e, cudaEventDisableTiming); }
  static error_t event_destroy(event_t e) { return cudaEventDestroy(e); }
  static error_t event_record(event_t e, stream_t s) { return cudaEventRecord(e, s); }
  static error_t event_query(event_t e) { return cudaEventQuery(e); }
  static error_t event_synchronize(event_t e) { return cudaEventSynchronize(e); }

  static error_t malloc_device(void** p, std::size_t n) { return cudaMalloc(p, n); }
  static error_t free_device(void* p) { return cudaFree(p); }
  static error_t malloc_device_async(void** p, std::size_t n, stream_t s) { return cudaMallocAsync(p, n, s); }
  static error_t free_device_async(void* p, stream_t s) { return cudaFreeAsync(p, s); }
  static error_t malloc_pinned(void** p, std::size_t n) {
    return cudaHostAlloc(p, n, cudaHostAllocPortable | cudaHostAllocMapped);
  }
  static error_t free_pinned(void* p) { return cudaFreeHost(p); }
  static error_t malloc_managed(void** p, std::size_t n) { return cudaMallocManaged(p, n, cudaMemAttachGlobal); }
  static error_t pointer_kind(void const* p, PointerKind* kind, int* device);

  static error_t memcpy_async(void* dst, void const* src, std::size_t n, stream_t s) {
    return cudaMemcpyAsync(dst, src, n, cudaMemcpyDefault, s);
  }
  /// Copies `rows` rows of `width` bytes whose starts lie `dst_pitch` and `src_pitch` bytes apart.
  static error_t memcpy_2d_async(void* dst, std::size_t dst_pitch, void const* src, std::size_t src_pitch,
                                 std::size_t width, std::size_t rows, stream_t s) {
    return cudaMemcpy2DAsync(dst, dst_pitch, src, src_pitch, width, rows, cudaMemcpyDefault, s);
  }
  static error_t memset(void* p, int byte, std::size_t n) { return cudaMemset(p, byte, n); }
  /// Does not go by way of the default stream, which would spoil a capture under way.
  static error_t memcpy_to_symbol(void const* symbol, void const* from, std::size_t n);
  static error_t memset_async(void* p, int byte, std::size_t n, stream_t s) { return cudaMemsetAsync(p, byte, n, s); }
  static error_t kernel_limits(void const* kernel, int* max_threads, int* registers) {
    cudaFuncAttributes attributes{};
    const error_t error = cudaFuncGetAttributes(&attributes, kernel);
    *max_threads        = attributes.maxThreadsPerBlock;
    *registers          = attributes.numRegs;
    return error;
  }
  static error_t kernel_allow_shared(void const* kernel, std::size_t bytes) {
    return cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes));
  }
  static error_t launch(void const* kernel, dim3 grid, dim3 block, void** arguments, std::size_t shared, stream_t s) {
    return cudaLaunchKernel(kernel, grid, block, arguments, shared, s);
  }

  static error_t stream_values(stream_t s, GPUValueStep const* steps, int n);

  static error_t stream_create_unordered(stream_t* s) { return cudaStreamCreateWithFlags(s, cudaStreamNonBlocking); }
  static error_t graph_create(graph_t* graph) { return cudaGraphCreate(graph, 0); }
  static error_t graph_destroy(graph_t graph) { return cudaGraphDestroy(graph); }
  static error_t graph_add_empty(graph_node_t* node, graph_t graph, graph_node_t const* before, std::size_t n) {
    return cudaGraphAddEmptyNode(node, graph, before, n);
  }
  static error_t record_begin(stream_t s, graph_t graph, graph_node_t const* before, std::size_t n);
  static error_t record_end(stream_t s, graph_t graph, graph_node_t const* before, std::size_t n,
                            std::vector<graph_node_t>* ends);
  static error_t graph_instantiate(graph_exec_t* exec, graph_t graph) {
    return cudaGraphInstantiateWithFlags(exec, graph, 0);
  }
  static error_t graph_exec_destroy(graph_exec_t exec) { return cudaGraphExecDestroy(exec); }
  static error_t graph_launch(graph_exec_t exec, stream_t s) { return cudaGraphLaunch(exec, s); }
  /// Puts a copy of the graph into the one that the stream is being captured into.
  static error_t graph_capture(graph_t graph, stream_t s);
};

}  // namespace Kokkos::Impl

#endif
