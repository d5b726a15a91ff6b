// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_HOST_COPY_ROUTE_HPP
#define KOKKOS_HOST_COPY_ROUTE_HPP

/// \file
/// The route from host memory to host memory: each thread of an instance copies or fills a part.
///
/// Parts are equal and assigned in the order of the destination, so each thread writes roughly the pages that it uses
/// in a kernel with static scheduling. The operation has completed when a call returns.

#include <impl/Host/Kokkos_Host_Blocks.hpp>
#include <impl/Host/Kokkos_Host_Partition.hpp>
#include <impl/Host/Kokkos_Host_ThreadTeam.hpp>
#include <impl/copy/Kokkos_ConstantSize.hpp>
#include <impl/copy/Kokkos_CopyRoute.hpp>
#include <impl/copy/Kokkos_HostCopyPolicy.hpp>

#include <cstddef>
#include <cstring>

namespace Kokkos::Impl {

/// A plan cut into tiles, which any thread can copy in any order.
///
/// A tile is two loops around runs of bytes. A run is a block of the plan, or a piece of a large one. The inner loop is
/// over the fastest dimension of dst. The outer loop is over the fastest dimension of src, if that is a different one.
/// Tiles are then small enough that each cache line of a transposition is fully used while it is in the cache.
class HostCopyTiles {
 public:
  /// `threads`: how many threads could share the tiles.
  HostCopyTiles(CopyPlan const& plan, int threads);

  std::size_t count() const { return m_count; }

  /// Whether the calling thread finishes before other threads would have woken up.
  bool for_one_thread() const { return m_for_one_thread; }

  /// Copies the tiles [first, last). `streamed`: long runs by stores that bypass the caches.
  void copy(CopyJob const& job, std::size_t first, std::size_t last, bool streamed) const;
  void fill(FillJob const& job, std::size_t first, std::size_t last, bool streamed) const;

 private:
  struct Loop {
    std::size_t extent, dst_stride, src_stride;  // strides in bytes
    std::size_t tile;                            // iterations in a tile
  };
  struct Tile;

  /// The bytes that move between memory and cache, on the side where they are more.
  std::size_t bytes_through_cache() const;
  /// The share of one run in these bytes: a cache line, if the neighbours of a short run are not copied.
  std::size_t bytes_per_run() const;
  void cut_block(std::size_t block, std::size_t element_bytes, std::size_t tile_bytes);
  void choose_loops(std::size_t threads, std::size_t tile_bytes);
  template <class Work>
  void for_tiles(std::size_t first, std::size_t last, Work const& work) const;

  std::size_t m_run;       // bytes
  std::size_t m_last_run;  // bytes in the last piece of a block
  bool m_in_pieces               = false;
  bool m_for_one_thread          = false;
  Loop m_loop[copy_max_rank + 1] = {};
  int m_loops                    = 0;
  int m_inner = 0, m_outer = 0;  // the loops inside a tile; equal if there is no outer loop
  std::size_t m_count = 1;
};

/// Short runs at one distance in dst and one in src, which need no tiles. Small enough that threads get it by value.
class HostStridedRuns {
 public:
  static bool suits(CopyPlan const& plan) {
    return plan.rank == 1 && has_constant_size(plan.block * plan.element_bytes);
  }
  explicit HostStridedRuns(CopyJob const& job)
      : m_dst(static_cast<unsigned char*>(job.dst)),
        m_src(static_cast<unsigned char const*>(job.src)),
        m_dst_stride(job.plan.dimension[0].dst_stride * job.plan.element_bytes),
        m_src_stride(job.plan.dimension[0].src_stride * job.plan.element_bytes),
        m_run(job.plan.block * job.plan.element_bytes) {}

  /// Whether the calling thread finishes `count` runs before other threads would have woken up.
  bool for_one_thread(std::size_t count) const;
  /// Copies the runs [first, last).
  void copy(std::size_t first, std::size_t last) const;

 private:
  unsigned char* m_dst;
  unsigned char const* m_src;
  std::size_t m_dst_stride, m_src_stride, m_run;  // in bytes
};

/// Calls work(first, last) for parts of [0, count): on threads of `exec`, or on the calling thread `if_alone`.
template <class ExecSpace, class Work>
void host_run_parts(ExecSpace const& exec, std::size_t count, bool if_alone, Work const& work) {
  HostInstanceLock lock = Impl::lock_host_instance(exec);
  if (count == 0) return;
  if (lock.threads() == 1 || if_alone) return work(std::size_t{0}, count);
  // By value, so that the threads need not read the launching thread's cache.
  HostThreadTeam<ExecSpace>::run(lock, [count, work](int rank, int size) {
    HostPart const part = host_part(count, rank, size);
    if (!part.empty()) work(std::size_t{part.begin}, std::size_t{part.end});
  });
}
/// Like host_run_parts, for the elements of one block.
template <class ExecSpace, class Work>
void host_run_block(ExecSpace const& exec, CopyPlan const& plan, Work const& work) {
  Impl::host_run_parts(exec, plan.block, plan.bytes() <= host_copy_policy.alone_bytes, work);
}

template <class ExecSpace>
concept HostThreadTeamSpace = requires(ExecSpace const& exec) { HostThreadTeam<ExecSpace>::instance(exec); };

template <>
struct CopyRoute<HostSpace, HostSpace> {
  template <HostThreadTeamSpace ExecSpace>
  static void run(ExecSpace const& exec, CopyJob const& job) {
    if (copies_are_explained)
      Impl::explain_copy(job, "host", "host", "host_threads", "both sides are memory of the host");
    bool const streamed = HostStreamingStores::pay_off(job.plan.bytes());
    if (job.plan.rank == 0) {
      auto* const to                  = static_cast<unsigned char*>(job.dst);
      auto const* const from          = static_cast<unsigned char const*>(job.src);
      std::size_t const element_bytes = job.plan.element_bytes;
      Impl::host_run_block(exec, job.plan, [=](std::size_t first, std::size_t last) {
        HostBlocks(streamed).copy(to + first * element_bytes, from + first * element_bytes,
                                  (last - first) * element_bytes);
      });
    } else if (HostStridedRuns::suits(job.plan)) {
      HostStridedRuns const runs(job);
      std::size_t const count = job.plan.dimension[0].extent;
      Impl::host_run_parts(exec, count, runs.for_one_thread(count),
                           [runs](std::size_t first, std::size_t last) { runs.copy(first, last); });
    } else {
      HostCopyTiles const tiles(job.plan, HostThreadTeam<ExecSpace>::size(exec));
      Impl::host_run_parts(exec, tiles.count(), tiles.for_one_thread(),
                           [&](std::size_t first, std::size_t last) { tiles.copy(job, first, last, streamed); });
    }
  }
  template <HostThreadTeamSpace ExecSpace>
  static void run_block(ExecSpace const& exec, void* dst, void const* src, std::size_t bytes) {
    HostInstanceLock const lock = Impl::lock_host_instance(exec);
    std::memcpy(dst, src, bytes);
  }
  template <class ExecSpace = DefaultHostExecutionSpace>
  static void run(CopyJob const& job) {
    run(ExecSpace(), job);
  }
};

template <>
struct FillRoute<HostSpace> {
  template <HostThreadTeamSpace ExecSpace>
  static void run(ExecSpace const& exec, FillJob const& job) {
    bool const streamed = HostStreamingStores::pay_off_in_fill(job.plan.bytes());
    if (job.plan.rank == 0) {
      auto* const to = static_cast<unsigned char*>(job.dst);
      HostFillElement const element(job);
      Impl::host_run_block(exec, job.plan, [=](std::size_t first, std::size_t last) {
        HostBlocks(streamed).fill(to + first * element.size(), element, (last - first) * element.size());
      });
    } else {
      HostCopyTiles const tiles(job.plan, HostThreadTeam<ExecSpace>::size(exec));
      Impl::host_run_parts(exec, tiles.count(), tiles.for_one_thread(),
                           [&](std::size_t first, std::size_t last) { tiles.fill(job, first, last, streamed); });
    }
  }
  template <class ExecSpace = DefaultHostExecutionSpace>
  static void run(FillJob const& job) {
    run(ExecSpace(), job);
  }
};

}  // namespace Kokkos::Impl

#endif
