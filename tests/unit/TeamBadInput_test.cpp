// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Invalid sizes of a team policy: the message contains the value and the allowed range, and at a launch the kernel.

#include "Messages.hpp"
#include "TeamTest.hpp"

#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>

namespace {

using Kokkos::TeamPolicy;
using Kokkos::Testing::expect_all;
using Kokkos::Testing::thrown_message;

template <class ExecSpace>
class TeamBadInputTest : public ::testing::Test {};
TYPED_TEST_SUITE(TeamBadInputTest, Kokkos::Testing::ExecutionSpaces, Kokkos::Testing::SpaceName);

template <class ExecSpace>
void refuse_what_no_policy_can_have() {
  using Policy = TeamPolicy<ExecSpace>;
  // The limits, and the numbers next to them.
  constexpr std::int64_t max = std::numeric_limits<int>::max();
  for (std::int64_t const accepted : {std::int64_t(0), std::int64_t(1), max - 1, max})
    EXPECT_EQ(Policy(accepted, 1).league_size(), accepted);
  for (std::int64_t const refused : {std::int64_t(-1), max + 1})
    expect_all(thrown_message([&] { Policy(refused, 1); }), {std::to_string(refused), "league size"});
  expect_all(thrown_message([] { Policy(-3, 1); }), {"-3", "league size", "2147483647"});
  expect_all(thrown_message([] { Policy(std::int64_t{1} << 40, 1); }), {"1099511627776", "league size", "2147483647"});
  expect_all(thrown_message([] { Policy(3, -2); }), {"-2", "team size"});
  expect_all(thrown_message([] { Policy(3, 1).set_chunk_size(-1); }), {"-1", "chunk size"});
  expect_all(thrown_message([] { Policy(3, 1).set_scratch_size(2, Kokkos::PerTeam(8)); }),
             {"level 2", "levels are 0", "and 1"});
  expect_all(thrown_message([] { Policy(3, 1).set_scratch_size(-1, Kokkos::PerThread(8)); }), {"level -1"});
  expect_all(thrown_message([] { (void)Policy::scratch_size_max(7); }), {"level 7"});
  expect_all(thrown_message([] { Policy(3, 1).set_scratch_size(1, Kokkos::PerTeam(-8)); }),
             {"set_scratch_size was given -8 bytes; allowed are 0 to"});
  expect_all(thrown_message([] { Policy(3, 1).set_scratch_size(0, Kokkos::PerThread(-8)); }), {"given -8 bytes"});
}

template <class ExecSpace>
void refuse_what_this_launch_cannot_have() {
  ExecSpace const space;
  Kokkos::Testing::AnyTeamKernel const kernel;
  int const max = TeamPolicy<ExecSpace>(space, 1, 1).team_size_max(kernel, Kokkos::ParallelForTag());
  // Such a policy may be constructed for queries, and causes no error if there is nothing to run.
  TeamPolicy<ExecSpace> const policy(space, 5, max + 1);
  EXPECT_EQ(policy.team_size_max(kernel, Kokkos::ParallelForTag()), max);
  Kokkos::parallel_for(TeamPolicy<ExecSpace>(space, 0, max + 1), kernel);
  expect_all(
      thrown_message([&] { Kokkos::parallel_for(policy, kernel); }),
      {std::to_string(max + 1).c_str(), std::to_string(max).c_str(), ExecSpace::name(), "team_size_max", "AUTO"});
  expect_all(thrown_message([&] { Kokkos::parallel_for("nobody", TeamPolicy<ExecSpace>(space, 5, 0), kernel); }),
             {"teams of 0", "In the kernel \"nobody\"."});
  // The instance is as usable as before.
  Kokkos::parallel_for(TeamPolicy<ExecSpace>(space, 5, max), kernel);
  space.fence();
}

template <class ExecSpace>
void refuse_more_scratch_than_there_is() {
  using Policy    = TeamPolicy<ExecSpace>;
  int const max   = Policy::scratch_size_max(0);
  auto const many = std::to_string(2 * max + 8);
  Kokkos::Testing::AnyTeamKernel const kernel;
  auto const launch = [&](std::size_t per_team, std::size_t per_thread) {
    return thrown_message([&] {
      Kokkos::parallel_for(
          "greedy", Policy(2, 1).set_scratch_size(0, Kokkos::PerTeam(per_team), Kokkos::PerThread(per_thread)), kernel);
    });
  };
  auto const size = static_cast<std::size_t>(max);
#ifdef KOKKOS_ENABLE_DEPRECATED_CODE_4
  // As in Kokkos 4, hosts have more.
  bool const refuses = !Kokkos::SpaceAccessibility<Kokkos::HostSpace, typename ExecSpace::memory_space>::accessible;
#else
  bool const refuses = true;
#endif
  if (refuses) {
    expect_all(launch(2 * size + 8, 0),
               {many.c_str(), "level 0", ExecSpace::name(), "or use level 1", "In the kernel \"greedy\"."});
    expect_all(launch(size, size + 8), {many.c_str()});
  } else {
    EXPECT_EQ(launch(2 * size + 8, 0), "");
    EXPECT_EQ(launch(size, size + 8), "");
  }
  EXPECT_EQ(launch(size / 2, 64), "");
  EXPECT_EQ(launch(size, 0), "") << "the largest amount that is allowed";
  ExecSpace().fence();
}

// The padding that aligns the parts counts, too.
template <class ExecSpace>
void launch_the_largest_teams() {
  using Policy = TeamPolicy<ExecSpace>;
  Kokkos::Testing::AnyTeamKernel const kernel;
  for (int per_team : {0, 4, 1000})
    for (int per_thread : {0, 1, 8, 20, 40, 100}) {
      auto const with_scratch = [&](Policy policy) {
        return policy.set_scratch_size(0, Kokkos::PerTeam(per_team), Kokkos::PerThread(per_thread));
      };
      int const largest = with_scratch(Policy(1, 1)).team_size_max(kernel, Kokkos::ParallelForTag());
      EXPECT_EQ(thrown_message([&] {
                  Kokkos::parallel_for(with_scratch(Policy(2, largest)), kernel);
                  ExecSpace().fence();
                }),
                "")
          << largest << " threads, " << per_team << " bytes for the team and " << per_thread << " for each thread";
    }
}

template <class ExecSpace>
void keep_arguments_of_each_constructor() {
  using Policy = TeamPolicy<ExecSpace>;
  ExecSpace const space;
  auto const automatic          = Kokkos::AUTO;
  Policy const with_team_size[] = {Policy(7, 1),        Policy(7, 1, 1),        Policy(7, 1, automatic),
                                   Policy(space, 7, 1), Policy(space, 7, 1, 1), Policy(space, 7, 1, automatic)};
  Policy const without[]        = {
      Policy(7, automatic),        Policy(7, automatic, 1),        Policy(7, automatic, automatic),
      Policy(space, 7, automatic), Policy(space, 7, automatic, 1), Policy(space, 7, automatic, automatic)};
  for (Policy const& policy : with_team_size) {
    EXPECT_EQ(policy.league_size(), 7) << &policy - with_team_size;
    EXPECT_EQ(policy.team_size(), 1) << &policy - with_team_size;
    EXPECT_FALSE(policy.impl_auto_team_size()) << &policy - with_team_size;
  }
  for (Policy const& policy : without) {
    EXPECT_EQ(policy.league_size(), 7) << &policy - without;
    EXPECT_TRUE(policy.impl_auto_team_size()) << &policy - without;
  }
}

TYPED_TEST(TeamBadInputTest, KeepsTheArgumentsOfEachConstructor) { keep_arguments_of_each_constructor<TypeParam>(); }
TYPED_TEST(TeamBadInputTest, RefusesMoreScratchThanThereIs) { refuse_more_scratch_than_there_is<TypeParam>(); }
TYPED_TEST(TeamBadInputTest, LaunchesTheLargestTeamsThatItNames) { launch_the_largest_teams<TypeParam>(); }
TYPED_TEST(TeamBadInputTest, RefusesWhatNoPolicyCanHave) { refuse_what_no_policy_can_have<TypeParam>(); }
TYPED_TEST(TeamBadInputTest, RefusesWhatALaunchCannotHave) { refuse_what_this_launch_cannot_have<TypeParam>(); }

}  // namespace
