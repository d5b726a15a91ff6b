// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// choices: isa
/// \file
/// team_scan: exclusive sums over the threads of a team, and their accumulation over teams.

#include "TeamTest.hpp"

#include <vector>

namespace {

using Kokkos::TeamPolicy;
using Kokkos::Testing::elements_on_host;
using Kokkos::Testing::on_teams;
using Kokkos::Testing::team_of_four;
using Kokkos::Testing::team_sizes;

template <class ExecSpace>
class TeamScanTest : public ::testing::Test {};
TYPED_TEST_SUITE(TeamScanTest, Kokkos::Testing::ExecutionSpaces, Kokkos::Testing::SpaceName);

template <class ExecSpace>
using Member = typename TeamPolicy<ExecSpace>::member_type;

template <class T, class ExecSpace>
void scan_is_exclusive(ExecSpace const& space) {
  for (int team_size : team_sizes(space)) {
    Kokkos::View<T*, ExecSpace> out("out", 100 * team_size);
    on_teams(
        space, 100, team_size, KOKKOS_LAMBDA(Member<ExecSpace> const& team) {
          out(team.league_rank() * team_size + team.team_rank()) =
              team.team_scan(static_cast<T>(team.league_rank() + team.team_rank()));
        });
    auto const scan = elements_on_host(out);
    for (int team = 0; team < 100; ++team) {
      T sum = 0;
      for (int rank = 0; rank < team_size; ++rank) {
        EXPECT_EQ(scan[team * team_size + rank], sum);
        sum += static_cast<T>(team + rank);
      }
    }
  }
}

TYPED_TEST(TeamScanTest, IsExclusive) {
  scan_is_exclusive<int>(team_of_four<TypeParam>());
  scan_is_exclusive<double>(team_of_four<TypeParam>());
}

// Each thread reserves the number of positions that it needs in a list that all teams share.
template <class ExecSpace>
void teams_divide_a_range(ExecSpace const& space, int teams, int team_size, int lanes) {
  Kokkos::View<int*, ExecSpace> end("end", 1), owner("owner", teams * team_size * 3);
  Kokkos::parallel_for(
      TeamPolicy<ExecSpace>(space, teams, team_size, lanes), KOKKOS_LAMBDA(Member<ExecSpace> const& team) {
        int const mine  = 1 + (team.league_rank() + team.team_rank()) % 3;
        int const start = team.team_scan(mine, &end(0));
        Kokkos::single(Kokkos::PerThread(team), [&] {
          for (int i = 0; i < mine; ++i)
            Kokkos::atomic_add(&owner(start + i), 1 + team.league_rank() * team_size + team.team_rank());
        });
      });
  space.fence();
  int total = 0;
  std::vector<int> places(static_cast<std::size_t>(teams * team_size), 0);
  for (int team = 0; team < teams; ++team) {
    for (int rank = 0; rank < team_size; ++rank) total += 1 + (team + rank) % 3;
  }
  ASSERT_EQ(elements_on_host(end)[0], total) << team_size << " threads of " << lanes << " lanes";
  auto const owners = elements_on_host(owner);
  for (int i = 0; i < total; ++i) {
    ASSERT_GE(owners[i], 1);
    ASSERT_LE(owners[i], teams * team_size) << "two threads got place " << i;
    ++places[static_cast<std::size_t>(owners[i] - 1)];
    // The threads of a team follow each other in the order of their ranks.
    bool const same_team = i > 0 && (owners[i] - 1) / team_size == (owners[i - 1] - 1) / team_size;
    if (same_team) {
      EXPECT_GE(owners[i], owners[i - 1]);
    }
  }
  for (int t = 0; t < teams * team_size; ++t) EXPECT_EQ(places[t], 1 + (t / team_size + t % team_size) % 3);
}

// GPUs exchange sums between warps, of which the last one may have few threads.
TYPED_TEST(TeamScanTest, TeamsDivideARange) {
  auto const space = team_of_four<TypeParam>();
  for (int team_size : team_sizes(space)) {
    teams_divide_a_range(space, 60, team_size, 1);
    teams_divide_a_range(space, 6, team_size, 8);
  }
  int const most =
      TeamPolicy<TypeParam>(space, 1, 1).team_size_max(Kokkos::Testing::AnyTeamKernel(), Kokkos::ParallelForTag());
  for (int team_size : {31, 32, 33, 63, 64, 65, 128, 130, 200}) {
    if (team_size > most) break;
    teams_divide_a_range(space, 3, team_size, 1);
    if (team_size <= 65) teams_divide_a_range(space, 2, team_size, 2);
  }
}

}  // namespace
