// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel with a local array and a view in scratch memory. The first loop stores to the array, because it is not
// unrolled. The second loop can keep the elements in registers if the compiler sees that the view does not refer to them.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<Kokkos::Cuda>;

struct LocalArray {
  Kokkos::View<float const*, Kokkos::CudaSpace> in;
  Kokkos::View<float*, Kokkos::CudaSpace> out;
  int n;

  KOKKOS_FUNCTION void operator()(Policy::member_type const& team) const {
    using Table = Kokkos::View<float*, Kokkos::Cuda::scratch_memory_space, Kokkos::MemoryUnmanaged>;
    Table const table(team.team_scratch(0), n);
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, n), [&](int i) { table(i) = in(i); });
    team.team_barrier();
    float sum[4];
#pragma unroll 1
    for (int k = 0; k < 4; ++k) sum[k] = in(k + team.league_rank());
    for (int i = 0; i < n; ++i)
      for (int k = 0; k < 4; ++k) sum[k] = sum[k] * sum[k] + table(i);
    for (int k = 0; k < 4; ++k) out(4 * team.league_rank() + k) = sum[k];
  }
};

void local_array(LocalArray const& body) {
  Kokkos::parallel_for(Policy(8, 4).set_scratch_size(0, Kokkos::PerTeam(64)), body);
}
