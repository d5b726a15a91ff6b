// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A team's sum of one double, of two floats and of four doubles, a hundred times in each of many teams.

#include <Kokkos_Core.hpp>
#include <benchmark/benchmark.h>

#include "PerfTest_Category.hpp"

namespace Test {

namespace {

template <class T, int N>
struct Several {
  T value[N]                          = {};
  KOKKOS_DEFAULTED_FUNCTION Several() = default;
  KOKKOS_FUNCTION Several& operator+=(Several const& other) {
    for (int i = 0; i < N; ++i) value[i] += other.value[i];
    return *this;
  }
};

template <class T, int N>
struct TeamSums {
  using Member = typename Kokkos::TeamPolicy<TEST_EXECSPACE>::member_type;
  Kokkos::View<Several<T, N>*, TEST_EXECSPACE> out;

  KOKKOS_FUNCTION void operator()(Member const& team) const {
    Several<T, N> sum;
    for (int i = 0; i < 100; ++i) {
      sum.value[0] += T(team.team_rank());
      team.team_reduce(Kokkos::Sum<Several<T, N>>(sum));
    }
    out(team.league_rank()) = sum;
  }
};

}  // namespace

}  // namespace Test

template <class T, int N>
struct Kokkos::reduction_identity<Test::Several<T, N>> {
  KOKKOS_FUNCTION static Test::Several<T, N> sum() { return {}; }
};

namespace Test {

namespace {

template <class T, int N>
void TeamReduction(benchmark::State& state) {
  constexpr int teams = 10000;
  TeamSums<T, N> functor{Kokkos::View<Several<T, N>*, TEST_EXECSPACE>("out", teams)};
  Kokkos::TeamPolicy<TEST_EXECSPACE> const policy(teams, Kokkos::AUTO);
  for (auto _ : state) {
    Kokkos::parallel_for("team reductions", policy, functor);
    Kokkos::fence();
  }
}

}  // namespace

BENCHMARK(TeamReduction<double, 1>)->Unit(benchmark::kMicrosecond)->UseRealTime();
BENCHMARK(TeamReduction<float, 2>)->Unit(benchmark::kMicrosecond)->UseRealTime();
BENCHMARK(TeamReduction<double, 4>)->Unit(benchmark::kMicrosecond)->UseRealTime();

}  // namespace Test
