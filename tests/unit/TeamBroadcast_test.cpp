// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// team_broadcast: all threads get the value of one thread, or the result of a function on that thread.

#include "TeamTest.hpp"

namespace {

using Kokkos::TeamPolicy;
using Kokkos::Testing::elements_on_host;
using Kokkos::Testing::on_teams;
using Kokkos::Testing::team_of_four;
using Kokkos::Testing::team_sizes;

template <class ExecSpace>
class TeamBroadcastTest : public ::testing::Test {};
TYPED_TEST_SUITE(TeamBroadcastTest, Kokkos::Testing::ExecutionSpaces, Kokkos::Testing::SpaceName);

template <class ExecSpace>
using Member = typename TeamPolicy<ExecSpace>::member_type;

/// Larger than any register or buffer slot.
struct Large {
  int numbers[60];
};

/// A value of some bytes, and what is behind it.
template <int Bytes>
struct Guarded {
  struct Value {
    unsigned char bytes[Bytes];
  } value;
  unsigned char guard[2100];
};
template <int Bytes, class Team>
KOKKOS_FUNCTION bool arrives_alone(Team const& team, int source) {
  Guarded<Bytes> mine;
  auto const byte_of = [](int rank, int i) { return static_cast<unsigned char>(7 * rank + i % 251); };
  for (int i = 0; i < Bytes; ++i) mine.value.bytes[i] = byte_of(team.team_rank(), i);
  for (unsigned char& one : mine.guard) one = static_cast<unsigned char>(team.team_rank());
  team.team_broadcast(mine.value, source);
  bool right = true;
  for (int i = 0; i < Bytes; ++i) right = right && mine.value.bytes[i] == byte_of(source, i);
  for (unsigned char const one : mine.guard) right = right && one == team.team_rank();
  return right;
}

template <class ExecSpace>
void everyone_gets_it(ExecSpace const& space) {
  for (int team_size : team_sizes(space)) {
    for (int source = 0; source < team_size; ++source) {
      Kokkos::View<int*, ExecSpace> wrong("wrong", 1);
      on_teams(
          space, 30, team_size, KOKKOS_LAMBDA(Member<ExecSpace> const& team) {
            int const rank = team.team_rank();
            int value      = rank * 5 + team.league_rank();
            team.team_broadcast(value, source);
            bool right = value == source * 5 + team.league_rank();

            value += rank;
            team.team_broadcast([&](int& v) { v *= 2; }, value, source);
            right = right && value == 2 * (source * 6 + team.league_rank());

            Large large{};
            large.numbers[59] = rank + 100;
            team.team_broadcast(large, source);
            right = right && large.numbers[59] == source + 100;
            // GPUs exchange parts of 1024 or 2048 bytes.
            right = right && arrives_alone<3>(team, source);
            right = right && arrives_alone<1024>(team, source);
            right = right && arrives_alone<2500>(team, source);
            if (!right) Kokkos::atomic_add(&wrong(0), 1);
          });
      EXPECT_EQ(elements_on_host(wrong)[0], 0) << "from " << source << " of " << team_size;
    }
  }
}

TYPED_TEST(TeamBroadcastTest, ReachesEveryone) { everyone_gets_it(team_of_four<TypeParam>()); }

// Only the source thread calls the closure.
template <class ExecSpace>
void closure_runs_once(ExecSpace const& space) {
  for (int team_size : team_sizes(space)) {
    Kokkos::View<int*, ExecSpace> calls("calls", 20);
    on_teams(
        space, 20, team_size, KOKKOS_LAMBDA(Member<ExecSpace> const& team) {
          double value = 0;
          team.team_broadcast(
              [&](double& v) {
                v = 1;
                Kokkos::single(Kokkos::PerThread(team), [&] { Kokkos::atomic_add(&calls(team.league_rank()), 1); });
              },
              value, team.team_size() - 1);
        });
    EXPECT_EQ(elements_on_host(calls), std::vector<int>(20, 1));
  }
}

TYPED_TEST(TeamBroadcastTest, CallsTheClosureOnce) { closure_runs_once(team_of_four<TypeParam>()); }

}  // namespace
