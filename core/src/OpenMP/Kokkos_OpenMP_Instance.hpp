// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_OPENMP_INSTANCE_HPP
#define KOKKOS_OPENMP_INSTANCE_HPP

/// \file
/// The thread team of Kokkos::OpenMP: the threads of a parallel region.

#include <impl/Host/Kokkos_Host_ThreadTeam.hpp>
#include <OpenMP/Kokkos_OpenMP.hpp>
#include <impl/runtime/Kokkos_KernelLabel.hpp>

#include <cstdint>
#include <cstring>
#include <type_traits>

#include <omp.h>

namespace Kokkos::Impl {

template <>
struct HostThreadTeam<OpenMP> {
  static HostInstance& instance(OpenMP const& space) { return space.impl_instance(); }
  // omp_in_parallel does not report a region of one thread.
  static bool inside_parallel_region() { return omp_get_level() > 0; }
  // A kernel marks regions alone.
  static bool inside_kernel_or_region() { return host_kernel_depth > 0 || inside_parallel_region(); }
  static int size(OpenMP const& space) { return space.impl_concurrency(); }

  template <class Body>
  static int run(HostInstanceLock& lock, Body const& body) {
    int const threads = lock.threads();
    if (threads == 1) {
      body(0, 1);
      return 1;
    }
    if constexpr (std::is_trivially_copyable_v<Body> && sizeof(Body) <= 6 * sizeof(std::uint64_t)) {
      return run_by_value(threads, body);
    } else {
      return run_by_reference(threads, body);
    }
  }
  template <class Body>
  static int run(OpenMP const& space, Body const& body) {
    HostInstanceLock lock = lock_host_instance(space);
    return run(lock, body);
  }

 private:
  /// The state that the threads of a region share, in addition to the body.
  struct Launch {
    int ran;
    char const* label;
  };

  template <class Body>
  static int run_by_reference(int threads, Body const& body) {
    Launch launch{threads, kernel_label};
#pragma omp parallel num_threads(threads)
    {
      work(threads, body, launch);
    }
    return launch.ran;
  }

  // In very short kernels most of the time goes into fetching the body from the launching thread's cache. OpenMP passes
  // private integers in a cache line that each thread reads in any case, but a reference would cost a second miss. So a
  // small body is passed as integers, and each thread reassembles its own copy.
  template <class Body>
  static int run_by_value(int threads, Body const& body) {
    std::uint64_t word[6] = {};
    std::memcpy(word, &body, sizeof(Body));
    std::uint64_t w0 = word[0], w1 = word[1], w2 = word[2], w3 = word[3], w4 = word[4], w5 = word[5];
    Launch launch{threads, kernel_label};
#pragma omp parallel num_threads(threads) firstprivate(w0, w1, w2, w3, w4, w5)
    {
      std::uint64_t const copy[6] = {w0, w1, w2, w3, w4, w5};
      union Own {
        Own() {}
        Body body;
      } own;
      std::memcpy(static_cast<void*>(&own.body), copy, sizeof(Body));
      work(threads, own.body, launch);
    }
    return launch.ran;
  }

  // The work of each thread of the region.
  template <class Body>
  KOKKOS_IMPL_FORCEINLINE static void work(int threads, Body const& body, Launch& launch) {
    int const rank = omp_get_thread_num();
    int const size = omp_get_num_threads();
    // OpenMP may provide fewer threads. Only then is this written, because other threads read the same cache line.
    if (rank == 0 && size != threads) launch.ran = size;
    HostKernelMark mark(rank != 0);  // the lock has already marked the launching thread, number 0
    LauncherLabelScope label(&launch.label);
    body(rank, size);
  }
};

}  // namespace Kokkos::Impl

#endif
