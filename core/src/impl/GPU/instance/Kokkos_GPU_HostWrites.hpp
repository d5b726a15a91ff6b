// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_HOST_WRITES_HPP
#define KOKKOS_GPU_HOST_WRITES_HPP

/// \file
/// The number of functions in streams and graphs that may write host memory. While it is not zero, no copy reads its
/// source before the earlier work of its stream has ended.

#include <impl/GPU/portable/Kokkos_GPU_FunctorTransport.hpp>

#include <atomic>

namespace Kokkos::Impl {

struct GPUHostWrites {
  static std::atomic<int>& pending() {
    static std::atomic<int> n{0};
    return n;
  }
  static void begin_one() { pending().fetch_add(1, std::memory_order_relaxed); }
  static void end_one(void* = nullptr) { pending().fetch_sub(1, std::memory_order_release); }
};

/// The functions of a graph may run at any time, so they are counted until the graph has ended.
struct GPUHostWritesOfGraph final : GraphKept {
  GPUHostWritesOfGraph() { GPUHostWrites::begin_one(); }
  ~GPUHostWritesOfGraph() override { GPUHostWrites::end_one(); }
};

}  // namespace Kokkos::Impl

#endif
