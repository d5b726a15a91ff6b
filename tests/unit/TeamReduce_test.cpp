// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// choices: isa team
/// \file
/// parallel_reduce over a league: every thread contributes, for all value types and destinations. And team_reduce.

#include "TeamTest.hpp"

#include <string>
#include <type_traits>

namespace {

using Kokkos::TeamPolicy;
using Kokkos::Testing::elements_on_host;
using Kokkos::Testing::on_teams;
using Kokkos::Testing::team_of_four;
using Kokkos::Testing::team_sizes;

template <class ExecSpace>
class TeamReduceTest : public ::testing::Test {};
TYPED_TEST_SUITE(TeamReduceTest, Kokkos::Testing::ExecutionSpaces, Kokkos::Testing::SpaceName);

template <class ExecSpace>
using Member = typename TeamPolicy<ExecSpace>::member_type;

template <class Schedule, class ExecSpace>
void sum_of_all_threads(ExecSpace const& space) {
  // A GPU has one schedule, so that a long league with the other one would run the same kernel again.
  constexpr bool is_other = std::is_same_v<Schedule, Kokkos::Schedule<Kokkos::Dynamic>>;
  constexpr bool on_host  = std::is_same_v<typename ExecSpace::memory_space, Kokkos::HostSpace>;
  constexpr int longest   = is_other && !on_host ? 5 : 1000;
  for (int team_size : team_sizes(space)) {
    for (int league_size : {0, 1, 2, 5, longest}) {
      long sum = -1;
      Kokkos::parallel_reduce(
          TeamPolicy<ExecSpace, Schedule>(space, league_size, team_size),
          KOKKOS_LAMBDA(Member<ExecSpace> const& team, long& update) { update += team.league_rank() + 1; }, sum);
      EXPECT_EQ(sum, static_cast<long>(team_size) * league_size * (league_size + 1) / 2)
          << league_size << " of " << team_size;
    }
  }
  // The lanes of a thread contribute together what one of them does.
  if constexpr (!is_other) {
    for (int lanes : {2, 3, 8, 32}) {
      long sum = -1;
      Kokkos::parallel_reduce(
          TeamPolicy<ExecSpace>(space, 5, 2 <= team_sizes(space).size() ? 2 : 1, lanes),
          KOKKOS_LAMBDA(Member<ExecSpace> const& team, long& update) { update += 10 - team.team_rank(); }, sum);
      EXPECT_EQ(sum, team_sizes(space).size() >= 2 ? 95 : 50) << lanes << " lanes";
    }
  }
}

TYPED_TEST(TeamReduceTest, SumsUpAllThreads) {
  sum_of_all_threads<Kokkos::Schedule<Kokkos::Static>>(team_of_four<TypeParam>());
  sum_of_all_threads<Kokkos::Schedule<Kokkos::Dynamic>>(team_of_four<TypeParam>());
}

template <class ExecSpace>
void reducers_and_views(ExecSpace const& space) {
  for (int team_size : team_sizes(space)) {
    TeamPolicy<ExecSpace> const policy(space, 100, team_size);
    int max = 0;
    Kokkos::parallel_reduce(
        policy,
        KOKKOS_LAMBDA(Member<ExecSpace> const& team, int& update) {
          int const mine = -(team.league_rank() - 40) * (team.league_rank() - 40) + team.team_rank();
          if (mine > update) update = mine;
        },
        Kokkos::Max<int>(max));
    EXPECT_EQ(max, team_size - 1);

    Kokkos::View<double, ExecSpace> total("total");
    Kokkos::parallel_reduce(
        "into a view", policy, KOKKOS_LAMBDA(Member<ExecSpace> const&, double& update) { update += 0.5; }, total);
    space.fence();
    EXPECT_EQ(Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), total)(), 50.0 * team_size);

    int sum = 0, min = 0;
    Kokkos::parallel_reduce(
        policy,
        KOKKOS_LAMBDA(Member<ExecSpace> const& team, int& s, int& m) {
          s += 1;
          if (team.league_rank() - 7 < m) m = team.league_rank() - 7;
        },
        sum, Kokkos::Min<int>(min));
    EXPECT_EQ(sum, 100 * team_size);
    EXPECT_EQ(min, -7);
  }
}

TYPED_TEST(TeamReduceTest, ReducesIntoReducersAndViews) { reducers_and_views(team_of_four<TypeParam>()); }

struct Odd {};

/// A functor that defines its own reduction: the product of small numbers, negated at the end.
template <class ExecSpace>
struct NegatedProduct {
  using value_type = double;
  KOKKOS_FUNCTION void operator()(Odd, Member<ExecSpace> const& team, double& update) const {
    update *= team.league_rank() % 2 == 1 ? 2 : 1;
  }
  KOKKOS_FUNCTION void init(Odd, double& v) const { v = 1; }
  KOKKOS_FUNCTION void join(Odd, double& into, double const& from) const { into *= from; }
  KOKKOS_FUNCTION void final(Odd, double& v) const { v = -v; }
};

/// A histogram of run-time length.
template <class ExecSpace>
struct Histogram {
  using value_type = int[];
  int value_count;
  KOKKOS_FUNCTION void operator()(Member<ExecSpace> const& team, int* update) const {
    ++update[team.league_rank() % value_count];
  }
};

template <class ExecSpace>
void functors_that_reduce(ExecSpace const& space) {
  for (int team_size : team_sizes(space)) {
    double product = 0;
    Kokkos::parallel_reduce(TeamPolicy<ExecSpace, Odd>(space, 8, team_size), NegatedProduct<ExecSpace>(), product);
    double expected = -1;
    for (int i = 0; i < 4 * team_size; ++i) expected *= 2;
    EXPECT_EQ(product, expected);

    for (int lanes : {1, 8}) {
      int bins[5];
      Kokkos::parallel_reduce(TeamPolicy<ExecSpace>(space, 101, team_size, lanes), Histogram<ExecSpace>{5}, bins);
      for (int b = 0; b < 5; ++b) EXPECT_EQ(bins[b], (20 + (b == 0)) * team_size) << b << ", " << lanes << " lanes";
    }
  }
}

// With these lengths, the values of all threads of a block need more scratch memory than an instance of a GPU has at first.
template <class ExecSpace>
void long_arrays(ExecSpace const& space) {
  constexpr int bins  = 4000;
  int const team_size = team_sizes(space).back();
  for (int lanes : {1, 8}) {
    Kokkos::View<int*, ExecSpace> const counts("counts", bins);
    Kokkos::parallel_reduce(TeamPolicy<ExecSpace>(space, 20, team_size, lanes), Histogram<ExecSpace>{bins}, counts);
    auto const found = elements_on_host(counts);
    for (int b = 0; b < bins; ++b) ASSERT_EQ(found[b], b < 20 ? team_size : 0) << b << ", " << lanes << " lanes";
  }
}

TYPED_TEST(TeamReduceTest, LongArraysOfVectorLanes) { long_arrays(team_of_four<TypeParam>()); }
TYPED_TEST(TeamReduceTest, LetsTheFunctorReduce) { functors_that_reduce(team_of_four<TypeParam>()); }

// A value that owns memory: it must be constructed, joined and destroyed, not copied bytewise.
struct Words {
  std::string text;
  Words& operator+=(Words const& other) {
    text += other.text;
    return *this;
  }
};

TEST(TeamReduceOnHostTest, TakesValuesThatOwnMemory) {
  using Space      = Kokkos::DefaultHostExecutionSpace;
  auto const space = team_of_four<Space>();
  for (int team_size : team_sizes(space)) {
    Words all;
    Kokkos::parallel_reduce(
        TeamPolicy<Space>(space, 200, team_size),
        [](Member<Space> const&, Words& update) { update.text += "a word longer than any small string "; }, all);
    EXPECT_EQ(all.text.size(), 200u * static_cast<unsigned>(team_size) * 36u);
  }
}

// ---- team_reduce --------------------------------------------------------------------------------------------------

template <class ExecSpace>
void team_reduce_reaches_all(ExecSpace const& space) {
  for (int team_size : team_sizes(space)) {
    int const n = 50 * team_size;
    Kokkos::View<int*, ExecSpace> sums("sums", n), maxima("maxima", n);
    on_teams(
        space, 50, team_size, KOKKOS_LAMBDA(Member<ExecSpace> const& team) {
          int const at = team.league_rank() * team_size + team.team_rank();
          int sum      = at;
          team.team_reduce(Kokkos::Sum<int>(sum));
          int max = -at;
          team.team_reduce(Kokkos::Max<int>(max));
          // With a value of its own, both get the result.
          int const apart = at;
          int value = apart, all = -1;
          team.team_reduce(Kokkos::Sum<int>(all), value);
          sums(at)   = value == sum && all == sum ? sum : -1;
          maxima(at) = max;
        });
    auto const sum = elements_on_host(sums);
    auto const max = elements_on_host(maxima);
    for (int at = 0; at < n; ++at) {
      int const first = at / team_size * team_size;
      EXPECT_EQ(sum[at], team_size * first + team_size * (team_size - 1) / 2);
      EXPECT_EQ(max[at], -first);
    }
  }
}

TYPED_TEST(TeamReduceTest, TeamReduceReachesAllThreads) { team_reduce_reaches_all(team_of_four<TypeParam>()); }

/// 512 bytes, or more than a GPU's warps exchange at a time.
template <int N>
struct Long {
  static constexpr int size = N;
  double x[N];
  KOKKOS_FUNCTION Long() {
    for (double& v : x) v = 0;
  }
  KOKKOS_FUNCTION Long& operator+=(Long const& other) {
    for (int i = 0; i < N; ++i) x[i] += other.x[i];
    return *this;
  }
};

}  // namespace

template <int N>
struct Kokkos::reduction_identity<Long<N>> {
  KOKKOS_FUNCTION static Long<N> sum() { return {}; }
};

namespace {

// Teams of the maximum size, whose values exceed the memory in which a GPU's warps exchange them: the warps exchange
// them in several rounds, or in parts.
template <class Value, class ExecSpace>
void large_values_of_large_teams(ExecSpace const& space) {
  Kokkos::View<int*, ExecSpace> wrong("wrong", 4);
  auto const kernel = KOKKOS_LAMBDA(Member<ExecSpace> const& team) {
    Value value;
    for (int i = 0; i < Value::size; ++i) value.x[i] = team.team_rank() + i;
    team.team_reduce(Kokkos::Sum<Value>(value));
    int const size     = team.team_size();
    double const ranks = size * (size - 1) / 2;
    for (int i = 0; i < Value::size; ++i)
      if (value.x[i] != ranks + static_cast<double>(size) * i) Kokkos::atomic_inc(&wrong(team.league_rank()));
  };
  int const most = TeamPolicy<ExecSpace>(space, 1, 1).team_size_max(kernel, Kokkos::ParallelForTag());
  on_teams(space, 4, most < 1024 ? most : 1024, kernel);
  EXPECT_EQ(elements_on_host(wrong), std::vector<int>(4, 0));
}

TYPED_TEST(TeamReduceTest, LargeValuesOfLargeTeams) {
  large_values_of_large_teams<Long<64>>(team_of_four<TypeParam>());
  large_values_of_large_teams<Long<264>>(team_of_four<TypeParam>());
}

}  // namespace
