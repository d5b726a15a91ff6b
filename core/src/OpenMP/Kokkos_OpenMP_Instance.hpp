// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_OPENMP_INSTANCE_HPP
#define KOKKOS_OPENMP_INSTANCE_HPP

/// \file
/// The crew of Kokkos::OpenMP: the threads of a parallel region.

#include <Host/Kokkos_Host_Crew.hpp>
#include <OpenMP/Kokkos_OpenMP.hpp>

#include <omp.h>

namespace Kokkos::Impl {

template <>
struct HostCrew<OpenMP> {
  static HostInstance& instance(OpenMP const& space) { return space.impl_instance(); }
  // omp_in_parallel would overlook a region that has one thread.
  static bool inside_parallel_region() { return omp_get_level() > 0; }
  static int size(OpenMP const& space) { return space.concurrency(); }

  template <class Body>
  static void run(HostTurn& turn, Body const& body) {
    const int threads = turn.threads();
    if (threads == 1) {
      body(0, 1);
      return;
    }
#pragma omp parallel num_threads(threads)
    {
      const int rank = omp_get_thread_num();
      HostKernelMark mark(rank != 0);  // the launching thread, number 0, is marked by its turn
      body(rank, omp_get_num_threads());
    }
  }
  template <class Body>
  static void run(OpenMP const& space, Body const& body) {
    HostTurn turn = host_turn(space);
    run(turn, body);
  }
};

}  // namespace Kokkos::Impl

#endif
