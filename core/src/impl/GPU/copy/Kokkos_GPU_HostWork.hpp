// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_HOST_WORK_HPP
#define KOKKOS_GPU_HOST_WORK_HPP

/// \file
/// Copies of host memory by a function in a stream.

#include <impl/GPU/graph/Kokkos_GPU_GraphStore.hpp>
#include <impl/GPU/instance/Kokkos_GPU_HostWrites.hpp>
#include <impl/GPU/portable/Kokkos_GPU_HostSide.hpp>
#include <impl/Host/Kokkos_Host_CopyRoute.hpp>

#include <atomic>
#include <cstddef>
#include <memory>

namespace Kokkos::Impl {

/// A copy of host memory by a function in a stream, and the objects that must live until it has run.
struct GPUHostWork final : GraphKept {
  CopyJob job{};
  AllocationTracker dst, src;

  /// Whether no kernel of the instance's device, and no function in a stream, is about to access pageable memory.
  template <class Instance>
  static bool is_host_quiet(Instance const& instance) {
    return GPUHostWrites::pending().load(std::memory_order_acquire) == 0 && !instance.properties().pageable_access;
  }

  static void run(void* self) {
    CopyJob const& job = static_cast<GPUHostWork*>(self)->job;
    HostCopyTiles const tiles(job.plan, 1);
    tiles.copy(job, 0, tiles.count(), HostStreamingStores::pay_off(job.plan.bytes()));
  }
  static void run_and_end(void* self) {
    run(self);
    delete static_cast<GPUHostWork*>(self);
    GPUHostWrites::end_one();
  }
};

/// The host's part of a chunk of a copy that a graph repeats, and the objects that must live as long as the graph.
struct GPUGraphHostWork final : GraphKept {
  std::unique_ptr<HostSide> host;
  AllocationTracker owner;
  void* slab        = nullptr;  ///< pinned memory of the graph's
  std::size_t bytes = 0;
  bool to_host      = false;

  static void run(void* self) {
    auto const& work = *static_cast<GPUGraphHostWork*>(self);
    if (work.to_host)
      work.host->scatter(work.slab, 0, work.bytes);
    else
      work.host->gather(work.slab, 0, work.bytes);
  }
};

}  // namespace Kokkos::Impl

#endif
