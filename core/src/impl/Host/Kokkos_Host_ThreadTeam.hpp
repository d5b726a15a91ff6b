// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_HOST_THREAD_TEAM_HPP
#define KOKKOS_HOST_THREAD_TEAM_HPP

/// \file
/// The interface that each host backend implements: the threads that run an instance's kernels.

#include <impl/Host/Kokkos_Host_Instance.hpp>

namespace Kokkos::Impl {

/// Specialised by each host backend. Its members:
///
///     static HostInstance& instance(ExecSpace const&);
///     static bool inside_parallel_region();   // whether this thread is in a parallel region of any origin
///     static bool inside_kernel_or_region();  // or in a kernel of any backend
///     static int size(ExecSpace const&);      // threads in the team
///     // Calls body(rank, size) once on each of at most lock.threads() threads. Returns their number when all calls
///     // have returned; the caller sees what the threads wrote. An exception reaches the caller if the team consists of
///     // the calling thread only; in a larger team it ends the program.
///     template <class Body> static int run(HostInstanceLock& lock, Body const& body);
///     // The same with a lock of its own.
///     template <class Body> static int run(ExecSpace const&, Body const& body);
template <class ExecSpace>
struct HostThreadTeam;

/// Locks the instance for one kernel. A kernel that needs memory, such as scratch memory, from before its threads start
/// until after they end, allocates it while the lock lives:
///
///     HostInstanceLock lock = lock_host_instance(policy.space());
///     void* slots   = lock.scratch(lock.threads() * host_line_bytes);
///     HostThreadTeam<ExecSpace>::run(lock, [&](int rank, int size) { ... });
template <class ExecSpace>
HostInstanceLock lock_host_instance(ExecSpace const& space) {
  return HostInstanceLock(HostThreadTeam<ExecSpace>::instance(space),
                          HostThreadTeam<ExecSpace>::inside_parallel_region());
}

}  // namespace Kokkos::Impl

#endif
