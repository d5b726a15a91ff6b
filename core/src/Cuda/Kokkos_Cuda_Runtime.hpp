// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_CUDA_RUNTIME_HPP
#define KOKKOS_CUDA_RUNTIME_HPP

/// \file
/// CUDA's runtime, under the names that GPU/ uses.

#include <Cuda/Kokkos_Cuda_CopyPolicy.hpp>
#include <Cuda/Kokkos_Cuda_Intrinsics.hpp>

#include <cuda.h>
#include <cuda_runtime.h>

#define KOKKOS_IMPL_GPU_VENDOR(name) cuda##name
#define KOKKOS_IMPL_GPU_HAS_USER_OBJECTS 1
#include <impl/GPU/Kokkos_GPU_RecordedCalls.hpp>
#include <impl/GPU/Kokkos_GPU_VendorGraphCalls.hpp>

#include <string>
#include <vector>

namespace Kokkos::Impl {

struct SlabCopy;

/// The calls themselves.
struct CudaCalls : GPUVendorGraphCalls {
  using intrinsics = CudaIntrinsics;

  static constexpr char const* vendor = "CUDA";
  /// By default the copy engine lets streams wait for words that staging threads write.
  static constexpr bool device_may_wait_for_host   = true;
  static constexpr CopyPolicy copy_policy          = cuda_copy_policy;
  static constexpr char const* default_stream_name = "cudaStreamLegacy";
  static constexpr error_t out_of_memory           = cudaErrorMemoryAllocation;
  /// On an H200, functors of 64 KB are launched every 7.5 us with a separate stream for the copies, and every 12.7 us
  /// without.
  static constexpr bool uses_transfer_stream = true;
  // Since CUDA 12.1, sm_70 and newer accept 32,764 bytes of parameters; earlier versions accept 4,096.
#if CUDART_VERSION >= 12010
  static constexpr std::size_t by_value_limit = 32764;
#else
  static constexpr std::size_t by_value_limit = 4096;
#endif
  /// A kernel without bounds has as many registers as nvcc wants; the driver limits its blocks.
  static constexpr unsigned full_register_threads = 0;
  /// The number of threads along an axis of a grid has no limit besides that of blocks.
  static constexpr std::uint64_t grid_threads = ~std::uint64_t(0);

  /// CUDA's name for an operation of this struct, for messages.
  static std::string call_name(char const* operation);
  /// The meaning of an error and what to do, as part of a sentence; null if the runtime's text suffices.
  static char const* explain(error_t e);
  /// Explains why no device is usable, and what to do, as a sentence. `e` is the result of device_count.
  static std::string why_no_device(error_t e);

  /// The legacy default stream of the current device.
  static stream_t default_stream() { return cudaStreamLegacy; }
  /// A query of the default stream reports whether all streams that are ordered with it are idle, and orders nothing
  /// (seen with driver 580 on an H200).
  static constexpr bool default_stream_query_covers_ordered = true;
  /// An event in a stream that is ordered with the default stream ends after the work that the default stream has when it is
  /// recorded: all ordered streams wait for that work (CUDA's programming guide; seen with driver 580 on an H200). It may be
  /// synchronised after its stream was destroyed (CUDA's reference).
  static constexpr bool ordered_event_covers_default_stream = true;

  static error_t device_properties(GPUProperties* out, int device);
  static error_t stream_device(stream_t s, int* device);
  /// Enables each of two devices to access the other's memory, including its pool for scratch memory; an error if the
  /// hardware cannot. Copies require this, too: a copy in a stream of one device fails on memory of another device's
  /// pool, whether or not peer access is enabled.
  static error_t share_memory_pools(int one, int other);
  /// Copies rows between the memories of two devices, through the host if they cannot access one another. Managed
  /// memory counts as memory of the stream's device. Cannot be captured.
  static error_t memcpy_2d_between_devices(void* dst, std::size_t dst_pitch, int dst_device, void const* src,
                                           std::size_t src_pitch, int src_device, std::size_t width, std::size_t rows,
                                           stream_t s);
  static bool is_stale_stream(error_t e) {
    return e == cudaErrorContextIsDestroyed || e == cudaErrorInvalidResourceHandle;
  }
  static error_t graph_retain(stream_t s, void* object, void (*destroy)(void*));
  static error_t launch_host_function(stream_t s, void (*f)(void*), void* argument) {
    return cudaLaunchHostFunc(s, f, argument);
  }

  static error_t malloc_pinned(void** p, std::size_t n) {
    return cudaHostAlloc(p, n, cudaHostAllocPortable | cudaHostAllocMapped);
  }
  static error_t malloc_pinned_view(void** p, std::size_t n) { return malloc_pinned(p, n); }
  static error_t free_pinned(void* p) { return cudaFreeHost(p); }
  static error_t free_managed(void* p, std::size_t) { return free_device(p); }
  /// Fails if the device would use a different address for the memory.
  static error_t register_host(void* p, std::size_t n);
  static error_t unregister_host(void* p) { return cudaHostUnregister(p); }
  static error_t pointer_kind(void const* p, MemoryKind* kind, int* device);

  static error_t kernel_allow_shared(void const* kernel, std::size_t bytes) {
    return cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes));
  }

  static error_t stream_values(stream_t s, GPUValueStep const* steps, int n);

  static error_t copy_slabs(SlabCopy const& copy, stream_t s);
  static error_t load_slab_kernel();
  /// Like launch(). As soon as there is room for a block, it starts before the blocks of kernels that wait for room.
  static error_t launch_before_others(void const* kernel, dim3 grid, dim3 block, void** arguments, std::size_t shared,
                                      stream_t s);
  /// Whether Nsight Compute measures this process. It runs a kernel several times, and restores only the device's
  /// memory.
  static bool repeats_kernels();

  static error_t record_begin(stream_t s, graph_t graph, graph_node_t const* before, std::size_t n);
  static error_t record_end(stream_t s, graph_t graph, graph_node_t const* before, std::size_t n,
                            std::vector<graph_node_t>* ends);
  /// Adds a copy of the graph to the graph that the stream is being captured into.
  static error_t graph_capture(graph_t graph, stream_t s);

 private:
  static error_t capture_of(stream_t s, Capture* capture);
};

/// The calls with a record of their waits.
struct CudaRuntime : GPURecordedCalls<CudaCalls> {};

}  // namespace Kokkos::Impl

#endif
