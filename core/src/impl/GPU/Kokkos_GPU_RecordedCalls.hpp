// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_RECORDED_CALLS_HPP
#define KOKKOS_GPU_RECORDED_CALLS_HPP

/// \file
/// Records the waits in the calls of a vendor's runtime.

#include <impl/GPU/portable/Kokkos_GPU_WaitNote.hpp>
#include <impl/runtime/Kokkos_WaitRecord.hpp>

#include <cstddef>

namespace Kokkos::Impl {

/// The calls of a vendor, of which those that can wait are inside a HostWait. GPU/ uses only this struct, so it contains
/// every wait in a call of the runtime; tests/structure/check.py checks that.
///
/// Allocating and freeing count, because the runtimes wait for the device in both, and loading a kernel, which may wait,
/// too. Copies do not: whether one waits depends on the kind of memory, which GPUCopyRequest knows.
template <class Calls>
struct GPURecordedCalls : Calls {
  using typename Calls::error_t;
  using typename Calls::event_t;
  using typename Calls::stream_t;

  static error_t device_synchronize() {
    HostWait const wait(WaitReason::other, "device_synchronize");
    return Calls::device_synchronize();
  }
  static error_t stream_synchronize(stream_t stream) {
    HostWait const wait(WaitReason::other, "stream_synchronize");
    return Calls::stream_synchronize(stream);
  }
  static error_t event_synchronize(event_t event) {
    HostWait const wait(WaitReason::other, "event_synchronize");
    return Calls::event_synchronize(event);
  }

  static error_t malloc_device(void** p, std::size_t bytes) {
    HostWait const wait(WaitReason::library_memory);
    return Calls::malloc_device(p, bytes);
  }
  static error_t free_device(void* p) {
    HostWait const wait(WaitReason::library_memory);
    return Calls::free_device(p);
  }
  static error_t malloc_pinned(void** p, std::size_t bytes) {
    HostWait const wait(WaitReason::library_memory);
    return Calls::malloc_pinned(p, bytes);
  }
  static error_t malloc_pinned_view(void** p, std::size_t bytes) {
    HostWait const wait(WaitReason::library_memory);
    return Calls::malloc_pinned_view(p, bytes);
  }
  static error_t free_pinned(void* p) {
    HostWait const wait(WaitReason::library_memory);
    return Calls::free_pinned(p);
  }
  static error_t malloc_managed(void** p, std::size_t bytes) {
    HostWait const wait(WaitReason::library_memory);
    return Calls::malloc_managed(p, bytes);
  }
  static error_t free_managed(void* p, std::size_t bytes) {
    HostWait const wait(WaitReason::library_memory);
    return Calls::free_managed(p, bytes);
  }

  static error_t memset(void* p, int byte, std::size_t bytes) {
    HostWait const wait(WaitReason::other, "memset");
    return Calls::memset(p, byte, bytes);
  }
  static error_t memcpy_to_symbol(void const* symbol, void const* from, std::size_t bytes) {
    HostWait const wait(WaitReason::first_launch);
    return Calls::memcpy_to_symbol(symbol, from, bytes);
  }
  static error_t kernel_limits(void const* kernel, int* max_threads, int* registers) {
    HostWait const wait(WaitReason::first_launch);
    return Calls::kernel_limits(kernel, max_threads, registers);
  }

  /// For GPU/portable, which uses no other folder.
  struct wait_note {
    explicit wait_note(GPUWaitKind kind) noexcept
        : scope(kind == GPUWaitKind::functor_slot ? WaitReason::functor_slot : WaitReason::background) {}
    WaitScope scope;
    HostWait wait;
  };
};

}  // namespace Kokkos::Impl

#endif
