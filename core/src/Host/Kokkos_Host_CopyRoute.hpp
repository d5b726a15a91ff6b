// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_HOST_COPY_ROUTE_HPP
#define KOKKOS_HOST_COPY_ROUTE_HPP

/// \file
/// The route from host memory to host memory: the threads of an instance copy or fill, each a part.
///
/// Parts are assigned in the order of the destination and are equal, so each thread writes about the pages that it
/// works on in a kernel with static scheduling. Everything has happened when a call returns.

#include <Host/Kokkos_Host_ThreadTeam.hpp>
#include <Host/Kokkos_Host_Partition.hpp>
#include <copy/Kokkos_CopyRoute.hpp>

#include <cstddef>
#include <cstring>

namespace Kokkos::Impl {

/// A plan cut into tiles that can be done in any order, by any thread.
///
/// A tile is two loops around runs of bytes; a run is a block of the plan, or a piece of a large one. The inner loop is
/// over the dimension in which dst is fastest. The outer one is over the dimension in which src is, if that is another:
/// then tiles are square, and small enough for the cache lines that a transposition touches to be used as a whole.
class HostCopyTiles {
 public:
  explicit HostCopyTiles(CopyPlan const& plan);

  std::size_t count() const { return m_count; }

  /// Copies the tiles [first, last).
  void copy(CopyJob const& job, std::size_t first, std::size_t last) const;
  void fill(FillJob const& job, std::size_t first, std::size_t last) const;

 private:
  struct Loop {
    std::size_t extent, dst_stride, src_stride;  // strides in bytes
    std::size_t tile;                            // iterations that a tile has
  };
  struct Tile;

  void cut_block(CopyPlan const& plan);
  void choose_loops();
  template <class Work>
  void for_tiles(std::size_t first, std::size_t last, Work const& work) const;

  std::size_t m_run;       // bytes
  std::size_t m_last_run;  // of the last piece of a block
  bool m_in_pieces               = false;
  Loop m_loop[copy_max_rank + 1] = {};
  int m_loops                    = 0;
  int m_inner = 0, m_outer = 0;  // the loops inside a tile; equal if there is no outer one
  std::size_t m_count = 1;
};

/// Below this many bytes the calling thread is done before others would have woken up.
inline constexpr std::size_t host_copy_alone_bytes = 64 * 1024;

template <class ExecSpace, class Job, class Work>
void host_run_tiles(ExecSpace const& exec, Job const& job, Work const& work) {
  HostCopyTiles const tiles(job.plan);
  HostInstanceLock lock = lock_host_instance(exec);
  if (job.plan.bytes() <= host_copy_alone_bytes || lock.threads() == 1) {
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
    // Tiles for one small block take longer than the block.
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
