// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_TEST_GPU_TEST_HPP
#define KOKKOS_TEST_GPU_TEST_HPP

/// \file
/// For tests of the headers of GPU/ that patches carry: with CUDA under nvcc, otherwise with the HIP model. Each call
/// can be made to fail, and some are counted.

#if defined(__CUDACC__)
#include <Cuda/Kokkos_Cuda_Runtime.hpp>
using PlainRuntime = Kokkos::Impl::CudaRuntime;
#else
#include "ModelRuntime.hpp"
using PlainRuntime = ModelRuntime;
#endif
#include <impl/GPU/portable/Kokkos_GPU_SlabCopy.hpp>
#include <impl/GPU/portable/Kokkos_GPU_StreamLifetime.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

/// A vendor's runtime in which a test can make some calls fail.
struct TestRuntime : PlainRuntime {
  static inline std::atomic<int> fail_at{0};  // 0: none
  static inline std::atomic<int> fail_count{1};
  static inline std::atomic<int> calls{0};
  static inline std::atomic<std::size_t> pinned{0}, peak_pinned{0};
  static inline std::atomic<bool> no_pinned{false}, no_registration{false}, no_values{false};

#if defined(__CUDACC__)
  static constexpr error_t failure = cudaErrorUnknown;
#else
  static constexpr error_t failure = hipErrorUnknown;
#endif
  static inline std::atomic<int> fail_every{0};  // 0: none
  static bool fails() {
    int const call = ++calls, first = fail_at.load(), each = fail_every.load();
    if (each > 0 && call % each == 0) return true;
    return first > 0 && call >= first && call < first + fail_count;
  }
  /// Makes the nth call from now on fail, and the count - 1 calls after it.
  static void fail_calls(int nth, int count = 1) {
    calls      = 0;
    fail_count = count;
    fail_at    = nth;
  }

  static error_t stream_synchronize(stream_t s) { return fails() ? failure : PlainRuntime::stream_synchronize(s); }
  static inline std::atomic<int> questions{0};  // queries of streams and of events
  static error_t event_query(event_t event) { return ++questions, PlainRuntime::event_query(event); }
  static error_t stream_query(stream_t s) {
    ++questions;
    if (auto const ask = query.load()) return ask(s);
    return fails() ? failure : PlainRuntime::stream_query(s);
  }
  static inline std::atomic<error_t (*)(stream_t)> query{nullptr};  // replaces the runtime's query if a test has set it
  static inline std::atomic<int> streams_made{0};
  static error_t stream_create_unordered(stream_t* s) {
    ++streams_made;
    return fails() ? failure : PlainRuntime::stream_create_unordered(s);
  }
  static inline std::atomic<int> streams_ended{0};
  static error_t stream_destroy(stream_t s) {
    ++streams_ended;
    return PlainRuntime::stream_destroy(s);
  }
  static inline std::atomic<std::size_t> min_copied{0}, max_copied{0};  // minimum and maximum size of a copied block,
                                                                        // in bytes
  static inline std::atomic<int> copies{0};
  static inline std::atomic<int> fail_copy{0};  // the number of the copy, from now on, that fails; 0: none
  static void forget_sizes() { min_copied = ~std::size_t(0), max_copied = 0; }
  static error_t memcpy_async(void* dst, void const* src, std::size_t n, stream_t s) {
    ++copies;
    if (n < min_copied) min_copied = n;
    if (n > max_copied) max_copied = n;
    if (fail_copy > 0 && --fail_copy == 0) return failure;
    return fails() ? failure : PlainRuntime::memcpy_async(dst, src, n, s);
  }
  static error_t memcpy_2d_async(void* dst, std::size_t dp, void const* src, std::size_t sp, std::size_t w,
                                 std::size_t rows, stream_t s) {
    if (fail_copy > 0 && --fail_copy == 0) return failure;
    return fails() ? failure : PlainRuntime::memcpy_2d_async(dst, dp, src, sp, w, rows, s);
  }
  static inline std::atomic<bool> no_functions{false};
  static inline std::atomic<int> refused_functions{0};
  static error_t launch_host_function(stream_t s, void (*f)(void*), void* argument) {
    if (no_functions) return ++refused_functions, failure;
    return PlainRuntime::launch_host_function(s, f, argument);
  }
  static inline std::atomic<bool> no_exchange{false};
  static error_t thread_exchange_capture_mode(capture_mode_t* mode) {
    return no_exchange ? failure : PlainRuntime::thread_exchange_capture_mode(mode);
  }
  static inline std::atomic<int> value_calls{0};
  static inline std::atomic<bool> no_writes{false};   // the stream takes the steps and does nothing
  static inline std::atomic<bool> only_waits{false};  // the stream takes the steps, and waits for what nothing writes
  static error_t stream_values(stream_t s, Kokkos::Impl::GPUValueStep const* steps, int n) {
    ++value_calls;
    if (only_waits) {
      for (int i = 0; i < n; ++i)
        if (steps[i].what != Kokkos::Impl::GPUValueStep::write) (void)PlainRuntime::stream_values(s, steps + i, 1);
      return success;
    }
    if (no_values || fails()) return failure;
    return no_writes ? success : PlainRuntime::stream_values(s, steps, n);
  }
#ifdef KOKKOS_TEST_RUNTIME_WITH_KERNELS  // a runtime of the library
  static inline std::atomic<int> slab_kernels{0};
  static error_t copy_slabs(Kokkos::Impl::SlabCopy const& copy, stream_t s) {
    ++slab_kernels;
    return fails() ? failure : KOKKOS_TEST_RUNTIME_WITH_KERNELS::copy_slabs(copy, s);
  }
  static error_t load_slab_kernel() { return KOKKOS_TEST_RUNTIME_WITH_KERNELS::load_slab_kernel(); }
#endif
  static error_t malloc_pinned(void** p, std::size_t n) {
    if (no_pinned || fails()) return failure;
    error_t const error = PlainRuntime::malloc_pinned(p, n);
    if (error == success) is_pinned(*p, n);
    return error;
  }
  static error_t free_pinned(void* p) {
    is_not_pinned(p);
    return PlainRuntime::free_pinned(p);
  }
  static error_t register_host(void* p, std::size_t n) {
    if (no_pinned || no_registration || fails()) return failure;
    error_t const error = PlainRuntime::register_host(p, n);
    if (error == success) is_pinned(p, n);
    return error;
  }
  static error_t unregister_host(void* p) {
    is_not_pinned(p);
    return PlainRuntime::unregister_host(p);
  }

 private:
  static void is_pinned(void* p, std::size_t n) {
    std::lock_guard<std::mutex> lock(sizes_mutex);
    sizes[p] = n;
    pinned += n;
    peak_pinned = std::max(peak_pinned.load(), pinned.load());
  }
  static void is_not_pinned(void* p) {
    std::lock_guard<std::mutex> lock(sizes_mutex);
    pinned -= sizes[p];
    sizes.erase(p);
  }

  static inline std::mutex sizes_mutex;
  static inline std::map<void*, std::size_t> sizes;
};

inline void check(TestRuntime::error_t error) {
  ASSERT_EQ(error, TestRuntime::success) << TestRuntime::error_string(error);
}

using TestStream = Kokkos::Impl::InstanceStream<TestRuntime>;

class DeviceBytes {
 public:
  explicit DeviceBytes(std::size_t n) : m_bytes(n) { check(TestRuntime::malloc_device(&m_data, n)); }
  ~DeviceBytes() { check(TestRuntime::free_device(m_data)); }
  DeviceBytes(DeviceBytes const&)            = delete;
  DeviceBytes& operator=(DeviceBytes const&) = delete;
  char* data() const { return static_cast<char*>(m_data); }

  /// Copies by the runtime itself, not by the tested code.
  void set(std::vector<char> const& from) const {
    check(PlainRuntime::memcpy_async(m_data, from.data(), m_bytes, nullptr));
    check(PlainRuntime::stream_synchronize(nullptr));
  }
  std::vector<char> get() const {
    std::vector<char> to(m_bytes);
    check(PlainRuntime::memcpy_async(to.data(), m_data, m_bytes, nullptr));
    check(PlainRuntime::stream_synchronize(nullptr));
    return to;
  }

 private:
  void* m_data = nullptr;
  std::size_t m_bytes;
};

/// Blocks a stream until it is opened.
class Gate {
 public:
  ~Gate() { open(); }
  void close(TestStream const& stream) { check(TestRuntime::launch_host_function(stream.get(), &Gate::wait, this)); }
  void open() {
    {
      std::lock_guard<std::mutex> lock(m_mutex);
      m_open = true;
    }
    m_opened.notify_all();
  }

 private:
  static void wait(void* self) {
    auto& gate = *static_cast<Gate*>(self);
    std::unique_lock<std::mutex> lock(gate.m_mutex);
    gate.m_opened.wait(lock, [&] { return gate.m_open; });
  }
  std::mutex m_mutex;
  std::condition_variable m_opened;
  bool m_open = false;
};

inline std::vector<char> bytes_of(std::size_t n, unsigned seed) {
  std::vector<char> v(n);
  std::uint32_t x = seed * 2654435761u + 1;
  for (char& c : v) {
    x = x * 1664525u + 1013904223u;
    c = static_cast<char>(x >> 24);
  }
  return v;
}

#endif
