// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// choices: device3 isa
/// \file
/// Nested parallel_reduce: into variables, views and reducers, and which threads get the result.

#include "TeamTest.hpp"

namespace {

using Kokkos::TeamPolicy;
using Kokkos::TeamThreadRange;
using Kokkos::TeamVectorRange;
using Kokkos::ThreadVectorRange;
using Kokkos::Testing::elements_on_host;
using Kokkos::Testing::on_teams;
using Kokkos::Testing::team_of_four;
using Kokkos::Testing::team_sizes;

template <class ExecSpace>
class NestedReduceTest : public ::testing::Test {};
TYPED_TEST_SUITE(NestedReduceTest, Kokkos::Testing::ExecutionSpaces, Kokkos::Testing::SpaceName);

template <class ExecSpace>
using Member = typename TeamPolicy<ExecSpace>::member_type;

// Every thread writes its result for each length and range; all must have the sum, also for an empty range.
template <class ExecSpace>
void everyone_has_the_sum(ExecSpace const& space) {
  constexpr int cases = 6;
  for (int team_size : team_sizes(space)) {
    for (int n : {0, 1, 2, 3, 10, 1000}) {
      Kokkos::View<long*, ExecSpace> out("out", cases * team_size * 3);
      on_teams(
          space, 3, team_size, KOKKOS_LAMBDA(Member<ExecSpace> const& team) {
            long s[cases] = {-1, -1, -1, -1, -1, -1};
            Kokkos::parallel_reduce(TeamThreadRange(team, n), [&](int i, long& u) { u += i; }, s[0]);
            Kokkos::parallel_reduce(TeamVectorRange(team, n), [&](int i, long& u) { u += i; }, s[1]);
            Kokkos::parallel_reduce(ThreadVectorRange(team, n), [&](int i, long& u) { u += i; }, s[2]);
            Kokkos::parallel_reduce(
                TeamThreadRange(team, 0, n), [&](int i, long& u) { u += i; }, Kokkos::Sum<long>(s[3]));
            Kokkos::parallel_reduce(
                TeamVectorRange(team, 0, n), [&](int i, long& u) { u += i; }, Kokkos::Sum<long>(s[4]));
            Kokkos::parallel_reduce(
                ThreadVectorRange(team, 0, n), [&](int i, long& u) { u += i; }, Kokkos::Sum<long>(s[5]));
            int const at = team.league_rank() * team_size + team.team_rank();
            for (int c = 0; c < cases; ++c) out(at * cases + c) = s[c];
          });
      EXPECT_EQ(elements_on_host(out), std::vector<long>(out.extent(0), static_cast<long>(n) * (n - 1) / 2))
          << n << ", " << team_size;
    }
  }
}

// Lanes exchange values by shuffles, which are wrong for lengths that are no powers of two.
template <class ExecSpace>
void any_vector_length() {
  constexpr int teams = 5, n = 100;
  for (int length : {1, 2, 3, 5, 6, 12, 24, 33, 65, 1000}) {
    Kokkos::View<long*, ExecSpace> sums("sums", teams), scanned("scanned", teams);
    Kokkos::parallel_for(
        TeamPolicy<ExecSpace>(teams, Kokkos::AUTO, length), KOKKOS_LAMBDA(Member<ExecSpace> const& team) {
          long of_team = 0;
          Kokkos::parallel_reduce(
              TeamThreadRange(team, n),
              [&](int, long& u) {
                long of_thread = 0;
                Kokkos::parallel_reduce(ThreadVectorRange(team, n), [&](int i, long& v) { v += i; }, of_thread);
                u += of_thread;
              },
              of_team);
          long last = 0;
          Kokkos::parallel_scan(ThreadVectorRange(team, n), [&](int i, long& v, bool) { v += i; }, last);
          Kokkos::single(Kokkos::PerTeam(team), [&] {
            sums(team.league_rank())    = of_team;
            scanned(team.league_rank()) = last;
          });
        });
    EXPECT_EQ(elements_on_host(sums), std::vector<long>(teams, n * n * (n - 1) / 2)) << length;
    EXPECT_EQ(elements_on_host(scanned), std::vector<long>(teams, n * (n - 1) / 2)) << length;
  }
}

TYPED_TEST(NestedReduceTest, GivesTheSumForAnyVectorLength) { any_vector_length<TypeParam>(); }

TYPED_TEST(NestedReduceTest, EveryoneHasTheSum) { everyone_has_the_sum(team_of_four<TypeParam>()); }

// Reducers: values start with the reducer's identity, not T(), and the result's previous value is overwritten.
template <class ExecSpace>
void reducers(ExecSpace const& space) {
  for (int team_size : team_sizes(space)) {
    Kokkos::View<double*, ExecSpace> out("out", 8 * team_size);
    on_teams(
        space, 1, team_size, KOKKOS_LAMBDA(Member<ExecSpace> const& team) {
          using Kokkos::parallel_reduce;
          double min = -100, max = 100, product = 5, vector_min = -100, vector_product = 0;
          parallel_reduce(
              TeamThreadRange(team, 5, 50),
              [&](int i, double& u) {
                if (i < u) u = i;
              },
              Kokkos::Min<double>(min));
          parallel_reduce(
              TeamVectorRange(team, 5, 50),
              [&](int i, double& u) {
                if (-i > u) u = -i;
              },
              Kokkos::Max<double>(max));
          parallel_reduce(
              TeamThreadRange(team, 1, 8), [&](int i, double& u) { u *= i; }, Kokkos::Prod<double>(product));
          parallel_reduce(
              ThreadVectorRange(team, 9, 50),
              [&](int i, double& u) {
                if (i < u) u = i;
              },
              Kokkos::Min<double>(vector_min));
          parallel_reduce(
              ThreadVectorRange(team, 1, 6), [&](int i, double& u) { u *= i; }, Kokkos::Prod<double>(vector_product));
          Kokkos::ValLocScalar<double, int> place;
          parallel_reduce(
              TeamThreadRange(team, 100),
              [&](int i, Kokkos::ValLocScalar<double, int>& u) {
                double const v = (i - 77) * (i - 77);
                if (v < u.val) u = {v, i};
              },
              Kokkos::MinLoc<double, int>(place));
          int const at        = 8 * team.team_rank();
          double const all[8] = {min, max, product, vector_min, vector_product, place.val, double(place.loc), 0};
          for (int i = 0; i < 8; ++i) out(at + i) = all[i];
        });
    auto const values = elements_on_host(out);
    for (int rank = 0; rank < team_size; ++rank) {
      double const expected[8] = {5, -5, 5040, 9, 120, 0, 77, 0};
      for (int i = 0; i < 8; ++i)
        EXPECT_EQ(values[8 * rank + i], expected[i]) << i << " on " << rank << " of " << team_size;
    }
  }
}

TYPED_TEST(NestedReduceTest, ReducersStartFromTheirIdentity) { reducers(team_of_four<TypeParam>()); }

template <class ExecSpace>
struct HalfOfSum {
  using reducer          = HalfOfSum;
  using value_type       = double;
  using result_view_type = Kokkos::View<double, ExecSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  double& result;
  KOKKOS_FUNCTION void join(double& into, double const& from) const { into += from; }
  KOKKOS_FUNCTION void final(double& v) const { v = v / 2; }
  KOKKOS_FUNCTION double& reference() const { return result; }
  KOKKOS_FUNCTION result_view_type view() const { return result_view_type(&result); }
};

// A program-defined reducer, without init and with final; a result that all threads of the team share; a view.
template <class ExecSpace>
void own_reducers_and_shared_results(ExecSpace const& space) {
  for (int team_size : team_sizes(space)) {
    Kokkos::View<double*, ExecSpace> own("own", 10 * team_size), shared("shared", 10);
    Kokkos::View<int[10], ExecSpace> in_view("in_view");
    on_teams(
        space, 10, team_size, KOKKOS_LAMBDA(Member<ExecSpace> const& team) {
          int const league = team.league_rank();
          double halved    = -1;
          Kokkos::parallel_reduce(
              TeamThreadRange(team, 10), [&](int i, double& u) { u += i; }, HalfOfSum<ExecSpace>{halved});
          own(league * team_size + team.team_rank()) = halved;
          Kokkos::parallel_reduce(TeamThreadRange(team, league), [&](int, double& u) { u += 1; }, shared(league));
          auto const element = Kokkos::subview(in_view, league);
          Kokkos::parallel_reduce(TeamVectorRange(team, league), [&](int, int& u) { u += 2; }, element);
        });
    EXPECT_EQ(elements_on_host(own), std::vector<double>(own.extent(0), 22.5));
    for (int i = 0; i < 10; ++i) {
      EXPECT_EQ(elements_on_host(shared)[i], i);
      EXPECT_EQ(elements_on_host(in_view)[i], 2 * i);
    }
  }
}

TYPED_TEST(NestedReduceTest, TakesOwnReducersAndSharedResults) {
  own_reducers_and_shared_results(team_of_four<TypeParam>());
}

// The final step of each of several reducers, whatever its place.
template <class ExecSpace>
void several_final_steps(ExecSpace const& space) {
  using Half = HalfOfSum<ExecSpace>;
  for (int team_size : team_sizes(space)) {
    Kokkos::View<double*, ExecSpace> out("out", 7 * team_size);
    on_teams(
        space, 1, team_size, KOKKOS_LAMBDA(Member<ExecSpace> const& team) {
          double r[7]    = {-1, -1, -1, -1, -1, -1, -1};
          auto const add = [](int i, double& a, double& b, double& c) { a += i, b += 2 * i, c += 4 * i; };
          Kokkos::parallel_reduce(TeamThreadRange(team, 10), add, Half{r[0]}, Half{r[1]}, Half{r[2]});
          Kokkos::parallel_reduce(TeamVectorRange(team, 10), add, r[3], Half{r[4]}, r[5]);
          Kokkos::parallel_reduce(
              ThreadVectorRange(team, 10), [](int i, double& a, double& b) { a += i, b += i; }, r[3], Half{r[6]});
          for (int i = 0; i < 7; ++i) out(7 * team.team_rank() + i) = r[i];
        });
    auto const values        = elements_on_host(out);
    double const expected[7] = {22.5, 45, 90, 45, 45, 180, 22.5};
    for (int rank = 0; rank < team_size; ++rank)
      for (int i = 0; i < 7; ++i)
        EXPECT_EQ(values[7 * rank + i], expected[i]) << i << " on " << rank << " of " << team_size;
  }
}

TYPED_TEST(NestedReduceTest, EachOfSeveralReducersHasItsFinalStep) { several_final_steps(team_of_four<TypeParam>()); }

template <class ExecSpace>
void several_results(ExecSpace const& space) {
  for (int team_size : team_sizes(space)) {
    Kokkos::View<double*, ExecSpace> out("out", 5 * team_size);
    on_teams(
        space, 1, team_size, KOKKOS_LAMBDA(Member<ExecSpace> const& team) {
          double sum = -1;
          int max = -1, count = -1;
          Kokkos::parallel_reduce(
              TeamThreadRange(team, 20),
              [&](int i, double& s, int& m, int& c) {
                s += i;
                if (i * (20 - i) > m) m = i * (20 - i);
                ++c;
              },
              sum, Kokkos::Max<int>(max), count);
          double vector_sum = -1;
          int min           = -1;
          Kokkos::parallel_reduce(
              ThreadVectorRange(team, 10),
              [&](int i, double& s, int& m) {
                s += i;
                if (-i < m) m = -i;
              },
              vector_sum, Kokkos::Min<int>(min));
          double const all[5] = {sum, double(max), double(count), vector_sum, double(min)};
          for (int i = 0; i < 5; ++i) out(5 * team.team_rank() + i) = all[i];
        });
    auto const values = elements_on_host(out);
    for (int rank = 0; rank < team_size; ++rank) {
      double const expected[5] = {190, 100, 20, 45, -9};
      for (int i = 0; i < 5; ++i)
        EXPECT_EQ(values[5 * rank + i], expected[i]) << i << " on " << rank << " of " << team_size;
    }
  }
}

TYPED_TEST(NestedReduceTest, ReducesSeveralResultsInOneGo) { several_results(team_of_four<TypeParam>()); }

/// The largest index, at least `least`. With a value type without `+=`.
struct Largest {
  double value;
};
struct LargestIndex {
  using value_type = Largest;
  double least;
  KOKKOS_FUNCTION void operator()(int i, Largest& u) const {
    if (i > u.value) u.value = i;
  }
  KOKKOS_FUNCTION void init(Largest& u) const { u.value = least; }
  KOKKOS_FUNCTION void join(Largest& into, Largest const& from) const {
    if (from.value > into.value) into.value = from.value;
  }
};
/// The same, with a final step that only one of all threads may run; join takes its operands as in Kokkos 3.
struct LargestDoubled {
  KOKKOS_FUNCTION void operator()(int i, double& u) const {
    if (i > u) u = i;
  }
  KOKKOS_FUNCTION void operator()(int i, int j, double& u) const { (*this)(100 * i + j, u); }
  KOKKOS_FUNCTION void join(double volatile& into, double const volatile& from) const {
    if (from > into) into = from;
  }
  KOKKOS_FUNCTION void final(double& u) const { u = 2 * u; }
};

// The members init, join and final of a body define its reduction, on every level.
template <class ExecSpace>
void bodies_that_combine(ExecSpace const& space) {
  for (int team_size : team_sizes(space)) {
    Kokkos::View<double* [10], ExecSpace> out("out", team_size);
    on_teams(
        space, 1, team_size, KOKKOS_LAMBDA(Member<ExecSpace> const& team) {
          using Kokkos::parallel_reduce;
          int const rank = team.team_rank();
          Largest value{-1};
          parallel_reduce(TeamThreadRange(team, 10), LargestIndex{0}, value);
          out(rank, 0) = value.value;
          parallel_reduce(TeamVectorRange(team, 10), LargestIndex{0}, value);
          out(rank, 1) = value.value;
          parallel_reduce(ThreadVectorRange(team, 10), LargestIndex{0}, value);
          out(rank, 2) = value.value;
          // Larger than all indices, so it must be the result.
          parallel_reduce(TeamThreadRange(team, 10), LargestIndex{100}, value);
          out(rank, 3) = value.value;
          parallel_reduce(ThreadVectorRange(team, 10), LargestIndex{100}, value);
          out(rank, 4) = value.value;
          parallel_reduce(TeamVectorRange(team, 0), LargestIndex{100}, value);
          out(rank, 5) = value.value;
          parallel_reduce(TeamThreadRange(team, 3, 10), LargestDoubled(), out(rank, 6));
          parallel_reduce(TeamVectorRange(team, 3, 10), LargestDoubled(), Kokkos::subview(out, rank, 7));
          parallel_reduce(ThreadVectorRange(team, 3, 10), LargestDoubled(), out(rank, 8));
          parallel_reduce(Kokkos::TeamThreadMDRange<Kokkos::Rank<2>, Member<ExecSpace>>(team, 3, 7), LargestDoubled(),
                          out(rank, 9));
        });
    double const expected[10] = {9, 9, 9, 100, 100, 100, 18, 18, 18, 412};
    auto const values         = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), out);
    for (int rank = 0; rank < team_size; ++rank)
      for (int i = 0; i < 10; ++i)
        EXPECT_EQ(values(rank, i), expected[i]) << i << " on " << rank << " of " << team_size;
  }
}

TYPED_TEST(NestedReduceTest, BodiesSayHowTheyReduce) { bodies_that_combine(team_of_four<TypeParam>()); }

// All three levels nested, as in the sum of all elements of a tensor.
template <class ExecSpace>
void three_levels(ExecSpace const& space) {
  for (int team_size : team_sizes(space)) {
    long total = 0;
    Kokkos::parallel_reduce(
        TeamPolicy<ExecSpace>(space, 7, team_size, 2),
        KOKKOS_LAMBDA(Member<ExecSpace> const& team, long& update) {
          long of_team = 0;
          Kokkos::parallel_reduce(
              TeamThreadRange(team, 11),
              [&](int j, long& of_thread) {
                long row = 0;
                Kokkos::parallel_reduce(
                    ThreadVectorRange(team, 13),
                    [&](int k, long& u) { u += (team.league_rank() + 1) * (j + 1) * (k + 1); }, row);
                Kokkos::single(Kokkos::PerThread(team), [&] { of_thread += row; });
              },
              of_team);
          Kokkos::single(Kokkos::PerTeam(team), [&] { update += of_team; });
        },
        total);
    EXPECT_EQ(total, 28L * 66 * 91);
  }
}

TYPED_TEST(NestedReduceTest, NestsThreeLevels) { three_levels(team_of_four<TypeParam>()); }

}  // namespace
