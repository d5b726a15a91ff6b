// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_HOST_WRITES_HPP
#define KOKKOS_GPU_HOST_WRITES_HPP

/// \file
/// The number of functions in streams and graphs that may write host memory. While it is not zero, no copy reads its
/// source before the earlier work of its stream has ended.

#include <impl/GPU/portable/Kokkos_GPU_FunctorTransport.hpp>

#include <atomic>
#include <utility>

namespace Kokkos::Impl {

struct GPUHostWrites {
  static std::atomic<int>& pending() {
    static std::atomic<int> n{0};
    return n;
  }
  static void begin_one() { pending().fetch_add(1, std::memory_order_relaxed); }
  static bool none_pending() { return pending().load(std::memory_order_acquire) == 0; }
  static void end_one(void* = nullptr) { pending().fetch_sub(1, std::memory_order_release); }
};

/// Counts one function while it exists.
class GPUHostWrite {
 public:
  GPUHostWrite() { GPUHostWrites::begin_one(); }
  GPUHostWrite(GPUHostWrite&& other) noexcept : m_counts(std::exchange(other.m_counts, false)) {}
  ~GPUHostWrite() {
    if (m_counts) GPUHostWrites::end_one();
  }

 private:
  bool m_counts = true;
};

/// The functions of a graph may run at any time, so they are counted until the graph has ended.
struct GPUHostWritesOfGraph final : GraphKept {
  GPUHostWrite counted;
};

}  // namespace Kokkos::Impl

#endif
