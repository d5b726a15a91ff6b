// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_HOST_CREW_HPP
#define KOKKOS_HOST_CREW_HPP

/// \file
/// The one thing that a host backend supplies: the threads on which an instance runs.

#include <Host/Kokkos_Host_Instance.hpp>

namespace Kokkos::Impl {

/// Specialised by each host backend. Its members:
///
///     static HostInstance& instance(ExecSpace const&);
///     static bool inside_parallel_region();   // is this thread one of a parallel region that is not Kokkos'?
///     static int size(ExecSpace const&);      // threads in the crew
///     // Calls body(rank, size) once on each of at most turn.threads() threads and returns their number when all have;
///     // what they wrote is then visible to the caller. Exceptions reach the caller if the crew is the calling thread
///     // alone; from a crew of several they end the program.
///     template <class Body> static int run(HostTurn& turn, Body const& body);
///     // The same with a turn of its own.
///     template <class Body> static int run(ExecSpace const&, Body const& body);
template <class ExecSpace>
struct HostCrew;

/// Takes a turn on the instance. What a kernel needs from before its threads start until after they end (scratch
/// memory, above all) belongs between this and the end of the turn:
///
///     HostTurn turn = host_turn(policy.space());
///     void* slots   = turn.scratch(turn.threads() * host_line_bytes);
///     HostCrew<ExecSpace>::run(turn, [&](int rank, int size) { ... });
template <class ExecSpace>
HostTurn host_turn(ExecSpace const& space) {
  return HostTurn(HostCrew<ExecSpace>::instance(space), HostCrew<ExecSpace>::inside_parallel_region());
}

}  // namespace Kokkos::Impl

#endif
