// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_HIP_RUNTIME_HPP
#define KOKKOS_HIP_RUNTIME_HPP

/// \file
/// HIP's runtime in the words of GPU/.

#include <HIP/Kokkos_HIP_Intrinsics.hpp>

#define KOKKOS_IMPL_GPU_VENDOR(name) hip##name
#include <GPU/Kokkos_GPU_VendorGraphCalls.hpp>

#include <string>
#include <vector>

namespace Kokkos::Impl {

struct HIPRuntime : GPUVendorGraphCalls {
  using intrinsics = HIPIntrinsics;

  static constexpr const char* vendor              = "HIP";
  /// By default a wait for a word is a kernel that spins (ROCm), and holds up the streams of its hardware queue.
  static constexpr bool device_may_wait_for_host = false;
  /// Up to here, a copy of pageable memory to a device reads its source during the call, also in a busy stream.
  static constexpr std::size_t read_during_call_bytes = std::size_t(64) << 10;
  static constexpr const char* default_stream_name = "hipStreamLegacy";
  static constexpr error_t out_of_memory           = hipErrorOutOfMemory;
  /// Bytes of kernel arguments that every ROCm takes.
  static constexpr std::size_t by_value_limit = 4096;

  /// HIP's name for an operation of this struct, for messages.
  static std::string call_name(const char* operation);
  /// The meaning of an error whose name misleads, and what to do, as part of a sentence; null where the runtime's text
  /// says it.
  static const char* explain(error_t e);
  /// Why there is no device to use, and what to do, as a sentence. `e` is what device_count said.
  static std::string why_no_device(error_t e);

  /// The default stream of the current device.
  static stream_t default_stream() { return nullptr; }
  /// No document says that a query of the default stream asks the streams that are ordered with it.
  static constexpr bool default_stream_query_covers_ordered = false;

  static error_t device_properties(GPUProperties* out, int device);
  static error_t stream_device(stream_t s, int* device);
  static bool is_stale_stream(error_t e) { return e == hipErrorContextIsDestroyed || e == hipErrorInvalidHandle; }
  static error_t graph_retain(stream_t s, void* object, void (*destroy)(void*));
  static error_t launch_host_function(stream_t s, void (*f)(void*), void* argument);

  /// Coherent: the host sees what a running kernel writes, as it must while it watches for a result.
  static error_t malloc_pinned(void** p, std::size_t n);
  static error_t free_pinned(void* p);
  /// HIP finds a way between any two devices by itself.
  static error_t memcpy_2d_between_devices(void* dst, std::size_t dst_pitch, int, void const* src,
                                           std::size_t src_pitch, int, std::size_t width, std::size_t rows, stream_t s) {
    return memcpy_2d_async(dst, dst_pitch, src, src_pitch, width, rows, s);
  }
  static error_t pointer_kind(void const* p, PointerKind* kind, int* device);

  /// Kernels have all 64 KB without asking.
  static error_t kernel_allow_shared(void const*, std::size_t) { return hipSuccess; }

  static error_t stream_values(stream_t s, GPUValueStep const* steps, int n);

  static error_t record_begin(stream_t s, graph_t graph, graph_node_t const* before, std::size_t n);
  static error_t record_end(stream_t s, graph_t graph, graph_node_t const* before, std::size_t n,
                            std::vector<graph_node_t>* ends);
  /// Puts a copy of the graph into the one that the stream is being captured into.
  static error_t graph_capture(graph_t graph, stream_t s);

 private:
  static error_t capture_of(stream_t s, Capture* capture);
};

}  // namespace Kokkos::Impl

#endif
