// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Host teams on plain threads instead of a backend's thread team: all interactions between threads of a team, where
/// the thread sanitizer can check them (it does not support every OpenMP runtime).

#include "Deadline.hpp"
#include "TeamTest.hpp"

#include <atomic>
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <thread>
#include <vector>

namespace {

using Space  = Kokkos::DefaultHostExecutionSpace;
using Member = Kokkos::TeamPolicy<Space>::member_type;
using Kokkos::Impl::HostLeague;
using Kokkos::Impl::TeamShape;

TeamShape shape(int league_size, int team_size, int chunk_size = 1) {
  TeamShape s;
  s.league_size         = league_size;
  s.team_size           = team_size;
  s.chunk_size          = chunk_size;
  s.scratch[0]          = {100, 40};
  s.scratch[1].per_team = 1000;
  return s;
}

/// Runs item(member) for the whole league on `threads` threads.
template <class Item>
void run(TeamShape const& s, int threads, bool dynamic, Item const& item) {
  HostLeague league("test", s, threads, dynamic, 24);
  std::vector<char> storage(league.bytes() + Kokkos::Impl::host_line_bytes);
  std::size_t space = storage.size();
  void* memory      = storage.data();
  league.place(std::align(Kokkos::Impl::host_line_bytes, league.bytes(), memory, space));
  std::vector<std::thread> team;
  for (int rank = 0; rank < threads; ++rank) {
    team.emplace_back([&, rank] { league.work<Space>(rank, threads, item); });
  }
  for (std::thread& thread : team) thread.join();
}

TEST(HostLeagueTest, DealsOutItemsToWholeTeams) {
  for (bool dynamic : {false, true}) {
    for (int threads : {1, 2, 5}) {
      for (int team_size = 1; team_size <= threads; ++team_size) {
        for (int league_size : {1, 2, 37}) {
          std::vector<std::atomic<int>> calls(static_cast<std::size_t>(league_size * team_size));
          run(shape(league_size, team_size, 3), threads, dynamic, [&](Member const& team) {
            ++calls[static_cast<std::size_t>(team.league_rank() * team_size + team.team_rank())];
          });
          for (auto const& n : calls) EXPECT_EQ(n, 1) << threads << " threads, teams of " << team_size;
        }
      }
    }
  }
}

// Only functions of team members order these plain reads and writes.
TEST(HostLeagueTest, CollectivesOrderMemory) {
  int const teams = 20, team_size = 3;
  std::vector<int> plain(static_cast<std::size_t>(teams * team_size), 0);
  std::vector<long> shared(static_cast<std::size_t>(teams), 0);
  std::atomic<int> wrong = 0;
  for (bool dynamic : {false, true}) {
    run(shape(teams, team_size), 7, dynamic, [&](Member const& team) {
      int* const mine    = &plain[static_cast<std::size_t>(team.league_rank() * team_size)];
      auto* const common = static_cast<int*>(team.team_scratch(0).get_shmem(team_size * sizeof(int)));
      for (int round = 1; round < 20; ++round) {
        mine[team.team_rank()]   = round;
        common[team.team_rank()] = round;
        team.team_barrier();
        for (int r = 0; r < team_size; ++r) wrong += mine[r] != round || common[r] != round;
        team.team_barrier();

        int value = team.team_rank() + round;
        team.team_broadcast(value, round % team_size);
        wrong += value != round % team_size + round;
        long sum = team.team_rank();
        team.team_reduce(Kokkos::Sum<long>(sum));
        wrong += sum != 3;
        wrong += team.team_scan(round) != round * team.team_rank();
        Kokkos::parallel_reduce(
            Kokkos::TeamThreadRange(team, 10), [&](int i, long& u) { u += i; },
            shared[static_cast<std::size_t>(team.league_rank())]);
        wrong += shared[static_cast<std::size_t>(team.league_rank())] != 45;
        team.team_barrier();
        int total = 0;
        Kokkos::parallel_scan(Kokkos::TeamThreadRange(team, 10), [&](int i, int& u, bool) { u += i; }, total);
        wrong += total != 45;
      }
    });
  }
  EXPECT_EQ(wrong, 0);
}

TEST(HostLeagueTest, RefusesTeamsLargerThanTheThreadTeam) {
  EXPECT_THROW(HostLeague("test", shape(5, 4), 3, false, 0), std::runtime_error);
  EXPECT_THROW(HostLeague("test", shape(5, 0), 3, false, 0), std::runtime_error);
}

TEST(HostLeagueDeathTest, EndsTheProgramIfThreadsAreMissing) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  HostLeague league("test", shape(5, 3), 4, false, 0);
  EXPECT_EQ(league.workers(4), 3);
  EXPECT_EQ(league.workers(100), 3) << "memory was made for one team";
  EXPECT_DEATH(league.workers(2), "teams of 3 threads got only 2");
}

/// A number whose additions wait for those of another thread, so that both read the same old value.
struct SlowNumber {
  static inline std::atomic<int> adding{0};
  int value = 0;
  SlowNumber operator+(SlowNumber const& other) const {
    ++adding;
    while (adding < 2) std::this_thread::yield();
    return {value + other.value};
  }
  SlowNumber& operator+=(SlowNumber const& other) {
    value += other.value;
    return *this;
  }
};

TEST(HostLeagueTest, TeamsAddToTheTotalOfAScanAtomically) {
  Kokkos::Testing::Deadline const deadline("two teams do not run at the same time");
  SlowNumber total{100};
  std::atomic<int> offsets = 0;
  SlowNumber::adding       = 0;
  run(shape(2, 2), 4, false,
      [&](Member const& team) { offsets += team.team_scan(SlowNumber{3 + team.team_rank()}, &total).value; });
  EXPECT_EQ(total.value, 114);
  EXPECT_EQ(offsets, 100 + 103 + 107 + 110);  // each number of the range once
}

}  // namespace
