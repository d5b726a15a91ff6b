// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_STAGED_COPY_HPP
#define KOKKOS_GPU_STAGED_COPY_HPP

/// \file
/// What is asked of the copy engine: a copy, and how copies are to be done.
///
/// Needs its neighbours and the standard library: patches carry this file as it is.

#include <GPU/portable/Kokkos_GPU_HostSide.hpp>
#include <GPU/portable/Kokkos_GPU_StagingSteps.hpp>

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#ifdef __linux__
#include <sched.h>
#endif

namespace Kokkos::Impl {

/// What a program may choose.
struct CopySettings {
  std::size_t staging_bytes = std::size_t(64) << 20;  ///< pinned memory for each device (KOKKOS_STAGING_MB); 0: none
  int threads   = 0;      ///< KOKKOS_STAGING_THREADS; 0: half of the cores, and on one or two cores none
  bool blocking = false;  ///< KOKKOS_PAGEABLE_COPY=blocking: each copy has happened when the call returns
  bool check    = false;  ///< KOKKOS_COPY_CHECK=1: a host destination holds a pattern until the data lands
  /// Of the pool's threads work on one copy at most. Eight move as much as a link does, also where the host is busy.
  unsigned copy_threads = 8;
  // How a copy is cut. Larger pieces cost the caller less time, smaller ones begin and end sooner.
  std::size_t piece_bytes      = std::size_t(12) << 20;  ///< at most, when the call returns at once
  std::size_t sync_piece_bytes = std::size_t(8) << 20;   ///< at most, when it waits
  /// Up to here a copy to the device, while there is no other, is written to slabs past the caches of the cores: the link
  /// waits for such a copy's bytes rather than they for it, and caches give them up at two thirds of memory's rate.
  std::size_t past_cache_bytes = std::size_t(32) << 20;
  std::size_t between_bytes    = std::size_t(4) << 20;   ///< to the device: up to here it waits for no other's turn
  std::size_t inline_bytes     = std::size_t(64) << 10;  ///< to the device: up to here the caller reads the source
  std::size_t runtime_bytes    = std::size_t(4) << 20;   ///< up to here who waits goes the runtime's own way
};

/// A copy between ordinary host memory and a device.
struct StagedCopy {
  bool to_device    = false;
  std::size_t bytes = 0;           ///< of both sides
  DeviceRows device;               ///< holds the sequence of `host` row by row
  std::unique_ptr<HostSide> host;  ///< HostBlock, or what packs and unpacks anything else
  std::shared_ptr<void> keep;      ///< released when the copy has landed, by a later call of this engine or a fence
  bool may_read_early = true;      ///< nothing but such copies is about to use the host's memory
  std::string what;                ///< begins sentences about the copy: `deep_copy of "b" to "a"`
  /// Called once, by any thread, when the last byte is in place; must not call a GPU's runtime.
  std::function<void()> on_landed;
};

/// How many threads move bytes for the device: as set, or half of the cores that the process may use.
inline int staging_thread_count(CopySettings const& settings) {
  if (settings.threads > 0) return settings.threads;
#ifdef __linux__
  cpu_set_t cores;
  const int n = sched_getaffinity(0, sizeof cores, &cores) == 0 ? CPU_COUNT(&cores) : 0;
#else
  const int n = static_cast<int>(std::thread::hardware_concurrency());
#endif
  return n <= 2 ? 0 : n / 2;
}

}  // namespace Kokkos::Impl

#endif
