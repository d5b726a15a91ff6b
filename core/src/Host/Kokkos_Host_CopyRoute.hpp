// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_HOST_COPY_ROUTE_HPP
#define KOKKOS_HOST_COPY_ROUTE_HPP

/// \file
/// The route from host memory to host memory: each thread of an instance copies or fills a part.
///
/// Parts are equal and assigned in the order of the destination, so each thread writes roughly the pages that it uses
/// in a kernel with static scheduling. The operation has completed when a call returns.

#include <Host/Kokkos_Host_ThreadTeam.hpp>
#include <Host/Kokkos_Host_Partition.hpp>
#include <Host/Kokkos_Host_StreamingStores.hpp>
#include <copy/Kokkos_CopyRoute.hpp>

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
  explicit HostCopyTiles(CopyPlan const& plan);

  std::size_t count() const { return m_count; }

  /// The bytes that move between memory and cache, on the side where they are more.
  std::size_t bytes_through_cache() const;

  /// @{
  /// Copies or fills the tiles [first, last). `streamed`: by stores that bypass the caches, where runs are long.
  void copy(CopyJob const& job, std::size_t first, std::size_t last, bool streamed) const;
  void copy(CopyJob const& job, std::size_t first, std::size_t last) const {
    copy(job, first, last, HostStreamingStores::pay_off_in_copy(job.plan.bytes()));
  }
  void fill(FillJob const& job, std::size_t first, std::size_t last, bool streamed) const;
  void fill(FillJob const& job, std::size_t first, std::size_t last) const {
    fill(job, first, last, HostStreamingStores::pay_off_in_fill(job.plan.bytes()));
  }
  /// @}

  /// Writes the element of a fill to `bytes` adjacent bytes.
  static void fill_block(FillJob const& job, void* to, std::size_t bytes);

 private:
  struct Loop {
    std::size_t extent, dst_stride, src_stride;  // strides in bytes
    std::size_t tile;                            // iterations in a tile
  };
  struct Tile;

  /// The share of one run in these bytes: a cache line, if the neighbours of a short run are not copied.
  std::size_t bytes_per_run() const;
  void cut_block(CopyPlan const& plan);
  void choose_loops();
  template <class Work>
  void for_tiles(std::size_t first, std::size_t last, Work const& work) const;

  std::size_t m_run;       // bytes
  std::size_t m_last_run;  // bytes in the last piece of a block
  bool m_in_pieces               = false;
  Loop m_loop[copy_max_rank + 1] = {};
  int m_loops                    = 0;
  int m_inner = 0, m_outer = 0;  // the loops inside a tile; equal if there is no outer loop
  std::size_t m_count = 1;
};

/// Up to this size the calling thread finishes before other threads would have woken up.
inline constexpr std::size_t host_copy_alone_bytes = 64 * 1024;

template <class ExecSpace, class Job, class Work>
void host_run_tiles(ExecSpace const& exec, Job const& job, Work const& work) {
  HostCopyTiles const tiles(job.plan);
  HostInstanceLock lock = lock_host_instance(exec);
  if (lock.threads() == 1 || tiles.bytes_through_cache() <= host_copy_alone_bytes) {
    work(tiles, std::size_t{0}, tiles.count());
    return;
  }
  HostThreadTeam<ExecSpace>::run(lock, [&](int rank, int size) {
    HostPart const part = host_part(tiles.count(), rank, size);
    work(tiles, std::size_t{part.begin}, std::size_t{part.end});
  });
}

template <class ExecSpace>
concept HostThreadTeamSpace = requires(ExecSpace const& exec) {
  HostThreadTeam<ExecSpace>::instance(exec);
};

template <>
struct CopyRoute<HostSpace, HostSpace> {
  template <HostThreadTeamSpace ExecSpace>
  static void run(ExecSpace const& exec, CopyJob const& job) {
    // Setting up tiles for one small block takes longer than copying it.
    if (const std::size_t bytes = job.plan.bytes(); job.plan.rank == 0 && bytes <= host_copy_alone_bytes) {
      HostInstanceLock const lock = lock_host_instance(exec);
      if (bytes > 0) std::memcpy(job.dst, job.src, bytes);
      return;
    }
    host_run_tiles(exec, job, [&](HostCopyTiles const& tiles, std::size_t first, std::size_t last) {
      tiles.copy(job, first, last);
    });
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
    if (std::size_t const bytes = job.plan.bytes(); job.plan.rank == 0 && bytes <= host_copy_alone_bytes) {
      HostInstanceLock const lock = lock_host_instance(exec);
      HostCopyTiles::fill_block(job, job.dst, bytes);
      return;
    }
    host_run_tiles(exec, job, [&](HostCopyTiles const& tiles, std::size_t first, std::size_t last) {
      tiles.fill(job, first, last);
    });
  }
  template <class ExecSpace = DefaultHostExecutionSpace>
  static void run(FillJob const& job) {
    run(ExecSpace(), job);
  }
};

}  // namespace Kokkos::Impl

#endif
