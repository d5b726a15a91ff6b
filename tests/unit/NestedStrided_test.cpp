// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Nested patterns with a member that assigns indices one by one and has vector lanes, like members on a GPU. The
/// threads of a host team act as the lanes of fewer threads, so that this form of the patterns is tested without a GPU.

#include "TeamTest.hpp"

namespace {

using Space      = Kokkos::DefaultHostExecutionSpace;
using HostMember = Kokkos::TeamPolicy<Space>::member_type;
using Kokkos::TeamPolicy;
using Kokkos::Testing::elements_on_host;
using Kokkos::Testing::team_of_four;

/// Four host threads as two threads with two lanes each.
class LaneMember {
 public:
  using team_handle                   = LaneMember;
  using execution_space               = Space;
  using scratch_memory_space          = Space::scratch_memory_space;
  static constexpr bool impl_blocked  = false;
  static constexpr int lanes          = 2;
  static constexpr int impl_warp_size = lanes;

  explicit LaneMember(HostMember const& host) : m_host(host) {}

  int team_rank() const { return m_host.team_rank() / lanes; }
  int team_size() const { return m_host.team_size() / lanes; }
  int league_rank() const { return m_host.league_rank(); }
  int impl_vector_rank() const { return m_host.team_rank() % lanes; }
  int impl_vector_length() const { return lanes; }
  int worker() const { return m_host.team_rank(); }
  void barrier() const { m_host.team_barrier(); }
  void team_barrier() const { m_host.team_barrier(); }

  template <class T>
  void team_broadcast(T& value, int source) const {
    m_host.team_broadcast(value, source * lanes);
  }
  void impl_vector_barrier() const {}  // the tests read nothing that another lane has written
  template <class T>
  void impl_vector_broadcast(T& value) const {
    T all[8] = {};
    gather(value, all);
    value = all[team_rank() * lanes];
  }
  template <class Reducer>
  void impl_vector_reduce(Reducer const& reducer, typename Reducer::value_type& value) const {
    typename Reducer::value_type all[8] = {};
    gather(value, all);
    value = all[team_rank() * lanes];
    for (int lane = 1; lane < lanes; ++lane) reducer.join(value, all[team_rank() * lanes + lane]);
  }
  template <class Reducer>
  void impl_team_reduce(Reducer const& reducer, typename Reducer::value_type& value) const {
    typename Reducer::value_type all[8] = {};
    gather(value, all);
    value = all[0];
    for (int thread = 1; thread < team_size(); ++thread) reducer.join(value, all[thread * lanes]);
    reducer.final(value);
    reducer.store(value);
  }
  template <class Reducer, class T>
  void impl_vector_scan(Reducer const& reducer, T& value, T& total) const {
    T all[8] = {};
    gather(value, all);
    T sum = reducer.identity();
    for (int lane = 0; lane < lanes; ++lane) {
      if (lane == impl_vector_rank()) value = sum;
      reducer.join(sum, all[team_rank() * lanes + lane]);
    }
    total = sum;
  }
  template <class Reducer, class T>
  void impl_team_scan(Reducer const& reducer, T& value, T& total) const {
    T all[8] = {};
    gather(value, all);
    T sum = reducer.identity();
    for (int thread = 0; thread < team_size(); ++thread) {
      if (thread == team_rank()) value = sum;
      reducer.join(sum, all[thread * lanes]);
    }
    total = sum;
  }

 private:
  template <class T>
  void gather(T const& value, T* all) const {
    for (int r = 0; r < m_host.team_size(); ++r) {
      all[r] = value;
      m_host.team_broadcast(all[r], r);
    }
  }

  HostMember const& m_host;
};

/// Runs work(member) on the four lanes; returns false if teams of four are impossible.
template <class Work>
bool on_lanes(Work const& work) {
  Space const space = team_of_four<Space>();
  TeamPolicy<Space> const policy(space, 1, 4);
  if (policy.team_size_max(Kokkos::Testing::AnyTeamKernel(), Kokkos::ParallelForTag()) < 4) return false;
  Kokkos::parallel_for(policy, [=](HostMember const& host) { work(LaneMember(host)); });
  space.fence();
  return true;
}

using Ints = Kokkos::View<int*, Space>;

#define ON_LANES(...) \
  if (!on_lanes(__VA_ARGS__)) GTEST_SKIP() << "needs four threads"

TEST(NestedStridedTest, ForDealsIndicesOutOneByOne) {
  for (int n : {0, 1, 3, 4, 5, 17}) {
    Ints threads("threads", n), workers("workers", n), lanes("lanes", n), tuples("tuples", 2 * n);
    ON_LANES([=](LaneMember const& team) {
      Kokkos::parallel_for(Kokkos::TeamThreadRange(team, n), [&](int i) {
        Kokkos::single(Kokkos::PerThread(team), [&] { threads(i) += 1 + team.team_rank(); });
      });
      Kokkos::parallel_for(Kokkos::TeamVectorRange(team, 10, 10 + n),
                           [&](int i) { workers(i - 10) += 1 + team.worker(); });
      if (team.team_rank() == 1) {
        Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, n),
                             [&](int i) { lanes(i) += 1 + team.impl_vector_rank(); });
      }
      Kokkos::parallel_for(Kokkos::TeamVectorMDRange(team, n, 2),
                           [&](int i, int j) { tuples(2 * i + j) += 1 + team.worker(); });
    });
    for (int i = 0; i < n; ++i) {
      EXPECT_EQ(threads(i), 1 + i % 2);
      EXPECT_EQ(workers(i), 1 + i % 4);
      EXPECT_EQ(lanes(i), 1 + i % 2);
    }
    // Each warp of two lanes takes a run of tuples, the first one at least as many as the second.
    int const run = (2 * n + 3) / 4 * 2;
    for (int t = 0; t < 2 * n; ++t) EXPECT_EQ(tuples(t), 1 + t / run * 2 + t % 2) << t << " of " << 2 * n;
  }
}

TEST(NestedStridedTest, ReduceJoinsLanesAndThreads) {
  for (int n : {0, 1, 3, 4, 5, 17}) {
    Ints out("out", 16);
    ON_LANES([=](LaneMember const& team) {
      int all[4] = {-1, -1, -1, -1};
      Kokkos::parallel_reduce(Kokkos::TeamThreadRange(team, n), [&](int i, int& u) { u += i + 1; }, all[0]);
      Kokkos::parallel_reduce(
          Kokkos::TeamVectorRange(team, n), [&](int i, int& u) { u += i + 1; }, Kokkos::Sum<int>(all[1]));
      Kokkos::parallel_reduce(Kokkos::ThreadVectorRange(team, n), [&](int i, int& u) { u += i + 1; }, all[2]);
      // Only one lane of a thread adds.
      Kokkos::parallel_reduce(
          Kokkos::TeamThreadRange(team, n),
          [&](int i, int& u) { Kokkos::single(Kokkos::PerThread(team), [&] { u += i + 1; }); }, all[3]);
      for (int k = 0; k < 4; ++k) out(4 * team.worker() + k) = all[k];
    });
    EXPECT_EQ(elements_on_host(out), std::vector<int>(16, n * (n + 1) / 2)) << n;
  }
}

TEST(NestedStridedTest, ScanGoesRoundByRound) {
  for (int n : {0, 1, 3, 4, 5, 17}) {
    Ints threads("threads", n), workers("workers", n), lanes("lanes", n), totals("totals", 12);
    ON_LANES([=](LaneMember const& team) {
      auto const into = [](Ints const& out) {
        return [&out](int i, int& update, bool final) {
          if (final) out(i) = update;
          update += i + 1;
        };
      };
      int total[3]                  = {-1, -1, -1};
      auto const same_on_both_lanes = [&](int i, int& update, bool final) {
        if (final) Kokkos::single(Kokkos::PerThread(team), [&] { threads(i) = update; });
        update += i + 1;
      };
      Kokkos::parallel_scan(Kokkos::TeamThreadRange(team, n), same_on_both_lanes, total[0]);
      Kokkos::parallel_scan(Kokkos::TeamVectorRange(team, n), into(workers), total[1]);
      // Each thread scans in its own lanes; the second thread records the result.
      Ints const nowhere("nowhere", n);
      Kokkos::parallel_scan(Kokkos::ThreadVectorRange(team, n), into(team.team_rank() == 1 ? lanes : nowhere),
                            total[2]);
      for (int k = 0; k < 3; ++k) totals(3 * team.worker() + k) = total[k];
    });
    for (int i = 0; i < n; ++i) {
      EXPECT_EQ(threads(i), i * (i + 1) / 2) << n;
      EXPECT_EQ(workers(i), i * (i + 1) / 2) << n;
      EXPECT_EQ(lanes(i), i * (i + 1) / 2) << n;
    }
    EXPECT_EQ(elements_on_host(totals), std::vector<int>(12, n * (n + 1) / 2)) << n;
  }
}

TEST(NestedStridedTest, SingleMeansOneLane) {
  Ints calls("calls", 2), seen("seen", 8);
  ON_LANES([=](LaneMember const& team) {
    Kokkos::single(Kokkos::PerTeam(team), [&] { Kokkos::atomic_add(&calls(0), 1); });
    Kokkos::single(Kokkos::PerThread(team), [&] { Kokkos::atomic_add(&calls(1), 1); });
    int of_team = 0, of_thread = 0;
    Kokkos::single(Kokkos::PerTeam(team), [&](int& v) { v = 5 + team.worker(); }, of_team);
    Kokkos::single(Kokkos::PerThread(team), [&](int& v) { v = 7 + team.worker(); }, of_thread);
    seen(2 * team.worker())     = of_team;
    seen(2 * team.worker() + 1) = of_thread;
  });
  EXPECT_EQ(elements_on_host(calls), (std::vector<int>{1, 2}));
  EXPECT_EQ(elements_on_host(seen), (std::vector<int>{5, 7, 5, 7, 5, 9, 5, 9}));
}

}  // namespace
