// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_TASKSCHEDULER_HPP
#define KOKKOS_TASKSCHEDULER_HPP

/// \file
/// Tasks were deprecated in Kokkos 4.5 and removed in Kokkos 5.

#error \
    "Kokkos_TaskScheduler.hpp: this version of Kokkos has no task schedulers, which Kokkos 5 removed. Iterations that depend on each other can run under a WorkGraphPolicy, and kernels that do in a Kokkos::Experimental::Graph."

#endif
