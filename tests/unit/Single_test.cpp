// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// single: once in the team or once in each thread, and the copy of its value to the others.

#include "TeamTest.hpp"

namespace {

using Kokkos::PerTeam;
using Kokkos::PerThread;
using Kokkos::TeamPolicy;
using Kokkos::Testing::elements_on_host;
using Kokkos::Testing::team_of_four;
using Kokkos::Testing::team_sizes;

template <class ExecSpace>
class SingleTest : public ::testing::Test {};
TYPED_TEST_SUITE(SingleTest, Kokkos::Testing::ExecutionSpaces, Kokkos::Testing::SpaceName);

template <class ExecSpace>
using Member = typename TeamPolicy<ExecSpace>::member_type;

template <class ExecSpace>
void calls_and_values(ExecSpace const& space) {
  int const teams = 30;
  for (int team_size : team_sizes(space)) {
    Kokkos::View<int*, ExecSpace> per_team("per_team", teams), per_thread("per_thread", teams), wrong("wrong", 1);
    Kokkos::parallel_for(
        TeamPolicy<ExecSpace>(space, teams, team_size, 2), KOKKOS_LAMBDA(Member<ExecSpace> const& team) {
          int const league = team.league_rank();
          Kokkos::single(PerTeam(team), [=] { Kokkos::atomic_add(&per_team(league), 1); });
          Kokkos::single(PerThread(team), [=] { Kokkos::atomic_add(&per_thread(league), 1); });

          // All threads have the same value from the single call.
          int ticket = -1;
          Kokkos::single(
              PerTeam(team), [=](int& value) { value = Kokkos::atomic_fetch_add(&per_team(league), 1); }, ticket);
          int own = -1;
          Kokkos::single(PerThread(team), [&](int& value) { value = 100 + team.team_rank(); }, own);
          if (own != 100 + team.team_rank()) Kokkos::atomic_add(&wrong(0), 1);
          team.team_barrier();
          if (per_team(league) != 2 || ticket < 0 || ticket > 1) Kokkos::atomic_add(&wrong(0), 1);
          int first_ticket = ticket;
          team.team_broadcast(first_ticket, 0);
          if (first_ticket != ticket) Kokkos::atomic_add(&wrong(0), 1);
        });
    space.fence();
    EXPECT_EQ(elements_on_host(per_team), std::vector<int>(teams, 2)) << team_size;
    EXPECT_EQ(elements_on_host(per_thread), std::vector<int>(teams, team_size));
    EXPECT_EQ(elements_on_host(wrong)[0], 0) << team_size;
  }
}

TYPED_TEST(SingleTest, CallsOnceAndSharesTheValue) { calls_and_values(team_of_four<TypeParam>()); }

}  // namespace
