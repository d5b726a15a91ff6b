// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel with a view in scratch memory of a level that is known at run time only. The functor passes the team's member
// by value, as functions of programs do.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<Kokkos::Cuda>;

struct ScratchLevel {
  Kokkos::View<float const*, Kokkos::CudaSpace> in;
  Kokkos::View<float*, Kokkos::CudaSpace> out;
  int n;
  int level;

  KOKKOS_FUNCTION void operator()(Policy::member_type team) const {
    using Table = Kokkos::View<float*, Kokkos::Cuda::scratch_memory_space, Kokkos::MemoryUnmanaged>;
    Table const table(team.team_scratch(level), n);
    Table const other(team.team_scratch(level), n);
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, n), [&](int i) {
      table(i) = in(i);
      other(i) = in(i + n);
    });
    team.team_barrier();
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, n), [&](int i) { out(i) = table(n - 1 - i) * other(i); });
  }
};

void scratch_level(ScratchLevel const& body) {
  Kokkos::parallel_for(Policy(8, 4).set_scratch_size(body.level, Kokkos::PerTeam(64)), body);
}
