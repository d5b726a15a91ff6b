// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_THREADS_INSTANCE_HPP
#define KOKKOS_THREADS_INSTANCE_HPP

/// \file
/// The thread team of Kokkos::Threads: the calling thread and workers of a pool.

#include <impl/Host/Kokkos_Host_ThreadTeam.hpp>
#include <Threads/Kokkos_Threads.hpp>

namespace Kokkos::Impl {

/// Calls body(context, rank, threads) once on each of `threads` threads: rank 0 on the calling thread, the others on
/// workers. Returns when all calls have returned. An exception from a body ends the program.
void run_on_workers(int threads, void (*body)(void const* context, int rank, int size), void const* context);

template <>
struct HostThreadTeam<Threads> {
  static HostInstance& instance(Threads const& space) { return space.impl_instance(); }
  static bool inside_parallel_region() { return false; }
  static bool inside_kernel_or_region() { return host_inside_kernel(); }
  static int size(Threads const& space) { return space.impl_concurrency(); }

  template <class Body>
  static int run(HostInstanceLock& lock, Body const& body) {
    int const threads = lock.threads();
    if (threads == 1) {
      body(0, 1);
    } else {
      run_on_workers(
          threads, [](void const* context, int rank, int size) { (*static_cast<Body const*>(context))(rank, size); },
          &body);
    }
    return threads;
  }
  template <class Body>
  static int run(Threads const& space, Body const& body) {
    HostInstanceLock lock = lock_host_instance(space);
    return run(lock, body);
  }
};

}  // namespace Kokkos::Impl

#endif
