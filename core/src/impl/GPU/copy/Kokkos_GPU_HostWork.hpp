// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_HOST_WORK_HPP
#define KOKKOS_GPU_HOST_WORK_HPP

/// \file
/// Copies of host memory by a function in a stream.

#include <impl/GPU/graph/Kokkos_GPU_GraphStore.hpp>
#include <impl/GPU/portable/Kokkos_GPU_HostSide.hpp>
#include <impl/Host/Kokkos_Host_CopyRoute.hpp>

#include <atomic>

namespace Kokkos::Impl {

/// A copy of host memory by a function in a stream, and the objects that must live until it has run.
struct GPUHostWork final : GraphKept {
  CopyJob job{};
  AllocationTracker dst, src;

  /// The number of functions in streams that write host memory. Functions in graphs may run at any time, so they stay
  /// counted.
  static std::atomic<int>& pending() {
    static std::atomic<int> n{0};
    return n;
  }
  /// Whether no kernel of the instance's device, and no function in a stream, is about to access pageable memory.
  template <class Instance>
  static bool is_host_quiet(Instance const& instance) {
    return pending().load(std::memory_order_acquire) == 0 && !instance.properties().pageable_access;
  }
  static void end_one(void*) { pending().fetch_sub(1, std::memory_order_release); }

  static void run(void* self) {
    CopyJob const& job = static_cast<GPUHostWork*>(self)->job;
    HostCopyTiles const tiles(job.plan, 1);
    tiles.copy(job, 0, tiles.count(), HostStreamingStores::pay_off(job.plan.bytes()));
  }
  static void run_and_end(void* self) {
    run(self);
    delete static_cast<GPUHostWork*>(self);
    end_one(nullptr);
  }
};

}  // namespace Kokkos::Impl

#endif
