// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// \file
/// Team kernels whose size AUTO selects, beside the fastest of fixed sizes. `reference_us` is the time with the fastest
/// size, which is `fastest_size`; `auto_size` is the size that the policy recommends.

#include "../Ratio.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <string>
#include <type_traits>
#include <utility>

namespace {

using namespace Kokkos::Benchmarks;
using Policy = Kokkos::TeamPolicy<Kokkos::Cuda>;
using Member = Policy::member_type;
using Matrix = Kokkos::View<double**, Kokkos::LayoutRight, Kokkos::CudaSpace>;
using Vector = Kokkos::View<double*, Kokkos::CudaSpace>;

/// y = a x, with a team for each row.
struct RowSums {
  Matrix a;
  Vector x, y;
  KOKKOS_FUNCTION double sum_of_row(Member const& team) const {
    int const i = team.league_rank();
    double sum  = 0;
    Kokkos::parallel_reduce(
        Kokkos::TeamVectorRange(team, a.extent_int(1)), [&](int j, double& update) { update += a(i, j) * x(j); }, sum);
    return sum;
  }
  KOKKOS_FUNCTION void operator()(Member const& team) const {
    double const sum = sum_of_row(team);
    Kokkos::single(Kokkos::PerTeam(team), [&] { y(team.league_rank()) = sum; });
  }
};

/// Reverses parts of each row, which are as long as the scratch memory of the team.
struct Reversal {
  Matrix a;
  int part;
  KOKKOS_FUNCTION void operator()(Member const& team) const {
    using Scratch = Kokkos::View<double*, Kokkos::Cuda::scratch_memory_space, Kokkos::MemoryUnmanaged>;
    Scratch row(team.team_scratch(0), part);
    int const i = team.league_rank();
    for (int begin = 0; begin < a.extent_int(1); begin += part) {
      int const length = Kokkos::min(part, a.extent_int(1) - begin);
      auto const each  = Kokkos::TeamVectorRange(team, length);
      Kokkos::parallel_for(each, [&](int j) { row(j) = a(i, begin + j); });
      team.team_barrier();
      Kokkos::parallel_for(each, [&](int j) { a(i, begin + j) = row(length - 1 - j); });
      team.team_barrier();
    }
  }
};

struct Reduction : RowSums {
  KOKKOS_FUNCTION void operator()(Member const& team, double& total) const {
    double const sum = sum_of_row(team);
    Kokkos::single(Kokkos::PerTeam(team), [&] { total += sum; });
  }
};

template <class Functor>
void run(Policy const& policy, Functor const& functor) {
  Kokkos::parallel_for("teams", policy, functor);
  Kokkos::fence();
}
void run(Policy const& policy, Reduction const& functor) {
  double total = 0;
  Kokkos::parallel_reduce("teams", policy, functor, total);
}

/// \param bytes of scratch memory for each team
template <class Functor>
void beside_fixed_sizes(benchmark::State& state, int league_size, Functor const& functor, int bytes = 0) {
  using Tag = std::conditional_t<std::is_same_v<Functor, Reduction>, Kokkos::ParallelReduceTag, Kokkos::ParallelForTag>;
  auto const with_scratch = [&](Policy policy) { return policy.set_scratch_size(0, Kokkos::PerTeam(bytes)); };
  auto const automatic    = with_scratch(Policy(league_size, Kokkos::AUTO));
  auto const time_of      = [&](int size) {
    auto const policy = with_scratch(Policy(league_size, size));
    run(policy, functor);
    double best = 1e9;
    for (int i = 0; i < 10; ++i) best = std::min(best, seconds_of([&] { run(policy, functor); }));
    return best;
  };
  int fastest = 32;
  for (int size : {64, 128, 256, 512, 1024})
    if (size <= automatic.team_size_max(functor, Tag()) && time_of(size) < time_of(fastest)) fastest = size;
  auto const fixed = with_scratch(Policy(league_size, fastest));
  compare(state, 0, [&] { run(fixed, functor); }, [&] { run(automatic, functor); });
  state.counters["fastest_size"] = fastest;
  state.counters["auto_size"]    = automatic.team_size_recommended(functor, Tag());
}

RowSums rows(int count, int length) {
  RowSums r{Matrix("a", count, length), Vector("x", length), Vector("y", count)};
  Kokkos::deep_copy(r.a, 1.0);
  Kokkos::deep_copy(r.x, 1.0);
  return r;
}

void row_sums(benchmark::State& state, int count, int length) { beside_fixed_sizes(state, count, rows(count, length)); }
void reduction(benchmark::State& state, int count, int length) {
  beside_fixed_sizes(state, count, Reduction{rows(count, length)});
}
void scratch(benchmark::State& state, int kilobytes) {
  int const count = 20000, part = kilobytes * 128;
  int const bytes = static_cast<int>(part * sizeof(double)) + 8;  // and the alignment of the view
  beside_fixed_sizes(state, count, Reversal{rows(count, 2048).a, part}, bytes);
}

}  // namespace

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard guard(argc, argv);
  benchmark::Initialize(&argc, argv);
  for (auto [count, length] : {std::pair(1000000, 64), {100000, 512}, {8192, 8192}, {1000, 65536}, {2000, 32}}) {
    auto const size = std::to_string(count) + "x" + std::to_string(length);
    add_ratio("row_sums/" + size, row_sums, count, length);
    add_ratio("reduction/" + size, reduction, count, length);
  }
  for (int kilobytes : {1, 8, 16, 24, 40})
    add_ratio("scratch/" + std::to_string(kilobytes) + "_KB", scratch, kilobytes);
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
