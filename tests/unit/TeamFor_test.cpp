// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// parallel_for over a league: one call for every thread of every team, for all assignments of items to teams.

#include "TeamTest.hpp"

namespace {

using Kokkos::TeamPolicy;
using Kokkos::Testing::elements_on_host;
using Kokkos::Testing::team_of_four;
using Kokkos::Testing::team_sizes;

template <class ExecSpace>
class TeamForTest : public ::testing::Test {};
TYPED_TEST_SUITE(TeamForTest, Kokkos::Testing::ExecutionSpaces, Kokkos::Testing::SpaceName);

/// Counts the calls of each thread of each team, and marks wrong sizes with a large number.
template <class ExecSpace>
struct CountCalls {
  Kokkos::View<int*, ExecSpace> calls;
  int league_size;
  int team_size;

  template <class Member>
  KOKKOS_FUNCTION void operator()(Member const& team) const {
    bool const right = team.league_size() == league_size && team.team_size() == team_size;
    Kokkos::single(Kokkos::PerThread(team), [&] {
      Kokkos::atomic_add(&calls(team.league_rank() * team_size + team.team_rank()), right ? 1 : 1000);
    });
  }
};

template <class Schedule, class ExecSpace>
void call_each_thread_once(ExecSpace const& space) {
  for (int team_size : team_sizes(space)) {
    for (int league_size : {0, 1, 2, 3, 7, 100, 600}) {
      for (int chunk : {1, 8}) {
        Kokkos::View<int*, ExecSpace> calls("calls", league_size * team_size);
        Kokkos::parallel_for(TeamPolicy<ExecSpace, Schedule>(space, league_size, team_size).set_chunk_size(chunk),
                             CountCalls<ExecSpace>{calls, league_size, team_size});
        space.fence();
        EXPECT_EQ(elements_on_host(calls), std::vector<int>(calls.extent(0), 1))
            << league_size << " teams of " << team_size;
      }
    }
  }
}

TYPED_TEST(TeamForTest, CallsEachThreadOnce) {
  call_each_thread_once<Kokkos::Schedule<Kokkos::Static>>(team_of_four<TypeParam>());
  call_each_thread_once<Kokkos::Schedule<Kokkos::Dynamic>>(team_of_four<TypeParam>());
}

struct TagA {};
struct TagB {};

template <class ExecSpace>
struct TwoKernels {
  Kokkos::View<int*, ExecSpace> out;
  KOKKOS_FUNCTION void operator()(TagA, typename TeamPolicy<ExecSpace>::member_type const& team) const {
    Kokkos::single(Kokkos::PerTeam(team), [&] { out(team.league_rank()) = 1; });
  }
  // A member may also be taken by value.
  KOKKOS_FUNCTION void operator()(TagB const&, typename TeamPolicy<ExecSpace>::member_type team) const {
    Kokkos::single(Kokkos::PerTeam(team), [&] { out(team.league_rank()) += 10 * team.league_rank(); });
  }
};

template <class ExecSpace>
void tags_choose_the_kernel() {
  TwoKernels<ExecSpace> const kernels{Kokkos::View<int*, ExecSpace>("out", 5)};
  Kokkos::parallel_for("A", TeamPolicy<ExecSpace, TagA>(5, Kokkos::AUTO), kernels);
  Kokkos::parallel_for("B", TeamPolicy<TagB, ExecSpace>(5, Kokkos::AUTO, 4), kernels);
  ExecSpace().fence();
  EXPECT_EQ(elements_on_host(kernels.out), (std::vector<int>{1, 11, 21, 31, 41}));
}

TYPED_TEST(TeamForTest, TagsChooseTheKernel) { tags_choose_the_kernel<TypeParam>(); }

// A static schedule gives the same items to the same threads in every kernel.
template <class ExecSpace>
void static_schedule_repeats(ExecSpace const& space) {
  Kokkos::View<double*, ExecSpace> x("x", 1000);
  for (int round = 0; round < 3; ++round) {
    Kokkos::parallel_for(
        TeamPolicy<ExecSpace>(space, 1000, 1),
        KOKKOS_LAMBDA(typename TeamPolicy<ExecSpace>::member_type const& team) { x(team.league_rank()) += 1; });
  }
  space.fence();
  EXPECT_EQ(elements_on_host(x), std::vector<double>(1000, 3.0));
}

TYPED_TEST(TeamForTest, FollowsEarlierKernels) { static_schedule_repeats(team_of_four<TypeParam>()); }

// Inside a kernel on the host a team has one thread, and a policy reports that.
struct InnerLaunch {
  Kokkos::View<int*, Kokkos::DefaultHostExecutionSpace> sums;
  void operator()(int i) const {
    using Policy = TeamPolicy<Kokkos::DefaultHostExecutionSpace>;
    EXPECT_EQ(Policy(1, 1).team_size_max(Kokkos::Testing::AnyTeamKernel(), Kokkos::ParallelForTag()), 1);
    int& sum = sums(i);
    Kokkos::parallel_for(Policy(10, Kokkos::AUTO), [&](Policy::member_type const& team) { sum += team.league_rank(); });
  }
};

TEST(TeamForOnHostTest, RunsInsideAKernel) {
  InnerLaunch const outer{Kokkos::View<int*, Kokkos::DefaultHostExecutionSpace>("sums", 20)};
  Kokkos::parallel_for(Kokkos::RangePolicy<Kokkos::DefaultHostExecutionSpace>(0, 20), outer);
  EXPECT_EQ(elements_on_host(outer.sums), std::vector<int>(20, 45));
}

}  // namespace
