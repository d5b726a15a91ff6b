// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_TEST_GPU_POOLRUNTIME_HPP
#define KOKKOS_TEST_GPU_POOLRUNTIME_HPP

/// \file
/// What tests of memory pools have in common: a runtime of one idle device, and the streams of no instances.

#include <cstddef>

namespace Kokkos::Testing {

/// Every call succeeds and has no effect. A test derives its runtime and hides the functions that it observes.
struct PoolRuntime {
  using error_t        = int;
  using stream_t       = void*;
  using event_t        = void*;
  using capture_mode_t = int;

  static constexpr int success = 0, not_ready = 1, out_of_memory = 2, capture_mode_relaxed = 0;

  static int free_device(void*) { return success; }
  static int free_pinned(void*) { return success; }
  static int stream_query(stream_t) { return success; }
  static int stream_is_capturing(stream_t, bool* capturing) { return *capturing = false, success; }
  static stream_t default_stream() { return nullptr; }
  static int stream_synchronize(stream_t) { return success; }
  static int stream_destroy(stream_t) { return success; }
  static int event_create(event_t* event) { return *event = nullptr, success; }
  static int event_destroy(event_t) { return success; }
  static int event_record(event_t, stream_t) { return success; }
  static int event_query(event_t) { return success; }
  static int event_synchronize(event_t) { return success; }
  static int memset_async(void*, int, std::size_t, stream_t) { return success; }
  static int get_device(int* device) { return *device = 0, success; }
  static int set_device(int) { return success; }
  static int device_count(int* count) { return *count = 1, success; }
  static int thread_exchange_capture_mode(capture_mode_t*) { return success; }
  static void clear_last_error() {}
  static char const* error_name(int) { return ""; }
  static char const* error_string(int) { return ""; }
};

/// For a pool that no instance uses.
struct NoStreams {
  template <class F>
  static bool visit_default_stream(F const& f) {
    f();
    return true;
  }
  static void note_capture_in_default_stream() noexcept {}
  template <class F>
  static void visit_unordered(int, F const&) {}
};

}  // namespace Kokkos::Testing

#endif
