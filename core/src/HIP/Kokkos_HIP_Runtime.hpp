// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_HIP_RUNTIME_HPP
#define KOKKOS_HIP_RUNTIME_HPP

/// \file
/// HIP's runtime, under the names that GPU/ uses.

#include <HIP/Kokkos_HIP_CopyPolicy.hpp>
#include <HIP/Kokkos_HIP_Intrinsics.hpp>

#define KOKKOS_IMPL_GPU_VENDOR(name) hip##name
#include <impl/GPU/Kokkos_GPU_RecordedCalls.hpp>
#include <impl/GPU/Kokkos_GPU_VendorGraphCalls.hpp>

#include <string>
#include <vector>

namespace Kokkos::Impl {

struct SlabCopy;

/// The calls themselves.
struct HIPCalls : GPUVendorGraphCalls {
  using intrinsics = HIPIntrinsics;

  static constexpr char const* vendor = "HIP";
  /// By default a wait for a word is a kernel that spins (ROCm), and blocks the streams of its hardware queue.
  static constexpr bool device_may_wait_for_host   = false;
  static constexpr CopyPolicy copy_policy          = hip_copy_policy;
  static constexpr char const* default_stream_name = "hipStreamLegacy";
  static constexpr error_t out_of_memory           = hipErrorOutOfMemory;
  /// Bytes of kernel arguments that every ROCm accepts.
  static constexpr std::size_t by_value_limit = 4096;
  /// AMD's compiler divides the registers among as many threads as a block may have: 1024, unless the kernel
  /// states fewer.
  static constexpr unsigned full_register_threads = 256;
  /// ROCm counts the threads along an axis of a grid in 32 bits.
  static constexpr std::uint64_t grid_threads = 0xffffffff;

  /// HIP's name for an operation of this struct, for messages.
  static std::string call_name(char const* operation);
  /// The meaning of an error whose name misleads, and what to do, as part of a sentence; null if the runtime's text
  /// suffices.
  static char const* explain(error_t e);
  /// Explains why no device is usable, and what to do, as a sentence. `e` is the result of device_count.
  static std::string why_no_device(error_t e);

  /// The default stream of the current device.
  static stream_t default_stream() { return nullptr; }
  /// No document states that a query of the default stream covers the streams that are ordered with it.
  static constexpr bool default_stream_query_covers_ordered = false;
  /// Nor that such an event does. Besides, hipEventSynchronize returns hipErrorCapturedEvent if the stream of the event's
  /// last record was destroyed.
  static constexpr bool ordered_event_covers_default_stream = false;
  /// clr, hip_event.cpp: hipEventSynchronize since ROCm 6.0.2 and hipEventQuery since 6.2.0 examine the stream of the
  /// event's last record, and invalidate a capture that is in progress there.
  static constexpr bool event_query_breaks_capture = true;

  static error_t device_properties(GPUProperties* out, int device);
  static error_t stream_device(stream_t s, int* device);
  static bool is_stale_stream(error_t e) { return e == hipErrorContextIsDestroyed || e == hipErrorInvalidHandle; }
  static error_t graph_retain(stream_t s, void* object, void (*destroy)(void*));
  static error_t launch_host_function(stream_t s, void (*f)(void*), void* argument);

  /// Coherent: the host sees the writes of a running kernel, which it requires when it polls for a result.
  static error_t malloc_pinned(void** p, std::size_t n);
  /// For views: coarse-grained, so that a GPU caches it and its floating-point atomics work on it. The host sees what
  /// a kernel has written when the kernel has ended.
  static error_t malloc_pinned_view(void** p, std::size_t n);
  static error_t free_pinned(void* p);
  /// Managed memory, which is made coarse-grained by an advice where the device supports it.
  static error_t malloc_managed(void** p, std::size_t n);
  /// Withdraws the advice first, because the runtime keeps it for the addresses after the memory is freed.
  static error_t free_managed(void* p, std::size_t n);
  /// HIP itself chooses a route between any two devices.
  static error_t memcpy_2d_between_devices(void* dst, std::size_t dst_pitch, int, void const* src,
                                           std::size_t src_pitch, int, std::size_t width, std::size_t rows,
                                           stream_t s) {
    return memcpy_2d_async(dst, dst_pitch, src, src_pitch, width, rows, s);
  }
  static error_t pointer_kind(void const* p, MemoryKind* kind, int* device);

  /// Kernels can use all 64 KB without a request.
  static error_t kernel_allow_shared(void const*, std::size_t) { return hipSuccess; }

  static error_t stream_values(stream_t s, GPUValueStep const* steps, int n);

  static error_t copy_slabs(SlabCopy const& copy, stream_t s);
  static error_t load_slab_kernel();
  static error_t launch_before_others(void const* kernel, dim3 grid, dim3 block, void** arguments, std::size_t shared,
                                      stream_t s) {
    return launch(kernel, grid, block, arguments, shared, s);
  }
  static bool repeats_kernels() { return false; }

  static error_t record_begin(stream_t s, graph_t graph, graph_node_t const* before, std::size_t n);
  static error_t record_end(stream_t s, graph_t graph, graph_node_t const* before, std::size_t n,
                            std::vector<graph_node_t>* ends);
  /// Adds a copy of the graph to the graph that the stream is being captured into.
  static error_t graph_capture(graph_t graph, stream_t s);

 private:
  static error_t capture_of(stream_t s, Capture* capture);
};

/// The calls with a record of their waits.
struct HIPRuntime : GPURecordedCalls<HIPCalls> {};

}  // namespace Kokkos::Impl

#endif
