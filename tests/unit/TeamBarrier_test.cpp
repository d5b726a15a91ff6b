// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// team_barrier: no thread passes before all have arrived, and earlier writes are visible afterwards.

#include "TeamTest.hpp"

namespace {

using Kokkos::TeamPolicy;
using Kokkos::Testing::elements_on_host;
using Kokkos::Testing::on_teams;
using Kokkos::Testing::team_of_four;
using Kokkos::Testing::team_sizes;

template <class ExecSpace>
class TeamBarrierTest : public ::testing::Test {};
TYPED_TEST_SUITE(TeamBarrierTest, Kokkos::Testing::ExecutionSpaces, Kokkos::Testing::SpaceName);

template <class ExecSpace>
using Member = typename TeamPolicy<ExecSpace>::member_type;

// In each round every thread reads what its neighbour wrote in the previous round. Plain memory: only the barrier
// orders the accesses.
template <class ExecSpace>
void neighbours_exchange(ExecSpace const& space, int rounds) {
  for (int team_size : team_sizes(space)) {
    int const teams = 6;
    Kokkos::View<int**, ExecSpace> value("value", teams, team_size);
    Kokkos::View<int*, ExecSpace> wrong("wrong", teams);
    on_teams(
        space, teams, team_size, KOKKOS_LAMBDA(Member<ExecSpace> const& team) {
          int const league = team.league_rank();
          int const me     = team.team_rank();
          int const other  = (me + 1) % team.team_size();
          for (int round = 1; round <= rounds; ++round) {
            value(league, me) = round;
            team.team_barrier();
            if (value(league, other) != round) Kokkos::atomic_add(&wrong(league), 1);
            team.team_barrier();
          }
        });
    EXPECT_EQ(elements_on_host(wrong), std::vector<int>(teams, 0)) << "team size " << team_size;
  }
}

TYPED_TEST(TeamBarrierTest, OrdersWhatNeighboursWrite) { neighbours_exchange(team_of_four<TypeParam>(), 300); }

// The end of a league item is a barrier, too: at the start of the next item no thread uses the team's scratch memory.
template <class ExecSpace>
void next_item_waits(ExecSpace const& space) {
  using Scratch = Kokkos::View<int*, typename ExecSpace::scratch_memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  for (int team_size : team_sizes(space)) {
    Kokkos::View<int*, ExecSpace> wrong("wrong", 1);
    Kokkos::parallel_for(
        TeamPolicy<ExecSpace>(space, 500, team_size)
            .set_scratch_size(0, Kokkos::PerTeam(Scratch::shmem_size(team_size))),
        KOKKOS_LAMBDA(Member<ExecSpace> const& team) {
          Scratch const mail(team.team_scratch(0), team.team_size());
          mail(team.team_rank()) = team.league_rank();
          team.team_barrier();
          for (int r = 0; r < team.team_size(); ++r) {
            if (mail(r) != team.league_rank()) Kokkos::atomic_add(&wrong(0), 1);
          }
        });
    space.fence();
    EXPECT_EQ(elements_on_host(wrong)[0], 0) << "team size " << team_size;
  }
}

TYPED_TEST(TeamBarrierTest, StandsBetweenItemsOfTheLeague) { next_item_waits(team_of_four<TypeParam>()); }

}  // namespace
