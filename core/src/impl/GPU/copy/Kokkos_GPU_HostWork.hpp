// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_HOST_WORK_HPP
#define KOKKOS_GPU_HOST_WORK_HPP

/// \file
/// Copies of host memory as function objects that a stream or a graph calls.

#include <impl/GPU/instance/Kokkos_GPU_HostWrites.hpp>
#include <impl/GPU/portable/Kokkos_GPU_HostSide.hpp>
#include <impl/Host/Kokkos_Host_CopyRoute.hpp>

#include <cstddef>
#include <memory>

namespace Kokkos::Impl {

/// Copies host memory, and keeps the memory of views.
struct GPUHostCopy {
  GPUHostWrite counted;  // first, so that it is destroyed last
  CopyJob job;
  AllocationTracker dst, src;

  void operator()() const {
    HostCopyTiles const tiles(job.plan, 1);
    tiles.copy(job, 0, tiles.count(), HostStreamingStores::pay_off(job.plan.bytes()));
  }
};

/// Copies between host memory and pinned memory of a graph.
struct GPUGraphHostCopy {
  std::unique_ptr<HostSide> host;
  AllocationTracker owner;
  void* slab;
  std::size_t bytes;
  bool to_host;

  void operator()() const {
    if (to_host)
      host->scatter(slab, 0, bytes);
    else
      host->gather(slab, 0, bytes);
  }
};

}  // namespace Kokkos::Impl

#endif
