// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The time of a launch by the size of its functor, in one instance, and in one and eight instances: if launches wait
// for each other, eight instances take eight times as long as one.

#include <Kokkos_Core.hpp>
#include <benchmark/benchmark.h>

#include "PerfTest_Category.hpp"

#include <vector>

namespace Test {

namespace {

template <int Bytes>
struct TouchOfSize {
  Kokkos::View<long*, TEST_EXECSPACE> out;
  char padding[Bytes];
  KOKKOS_FUNCTION void operator()(int i) const { out(i) = padding[i % Bytes]; }
};

// Each index executes `steps` dependent operations.
template <int Bytes>
struct SlowOfSize {
  Kokkos::View<long*, TEST_EXECSPACE> out;
  long steps;
  char padding[Bytes];
  KOKKOS_FUNCTION void operator()(int i) const {
    long x = i + padding[i % Bytes];
    for (long t = 0; t < steps; ++t) x = x * 6364136223846793005L + 1442695040888963407L;
    out(i) = x;
  }
};

template <int Bytes>
void LaunchLargeFunctor(benchmark::State& state) {
  constexpr int launches = 1000;
  TouchOfSize<Bytes> functor{Kokkos::View<long*, TEST_EXECSPACE>("out", 256), {}};
  for (auto _ : state) {
    for (int i = 0; i < launches; ++i)
      Kokkos::parallel_for("touch", Kokkos::RangePolicy<TEST_EXECSPACE>(0, 256), functor);
    Kokkos::fence();
  }
  state.counters["per launch"] =
      benchmark::Counter(launches, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

template <int Bytes>
void LargeFunctorsSideBySide(benchmark::State& state) {
  int const instances = state.range(0);
  auto parts          = Kokkos::Experimental::partition_space(TEST_EXECSPACE(), std::vector<int>(instances, 1));
  SlowOfSize<Bytes> functor{Kokkos::View<long*, TEST_EXECSPACE>("out", 32), 200000, {}};
  for (auto _ : state) {
    for (auto& part : parts) Kokkos::parallel_for("slow", Kokkos::RangePolicy<TEST_EXECSPACE>(part, 0, 32), functor);
    Kokkos::fence();
  }
}

}  // namespace

BENCHMARK(LaunchLargeFunctor<16>)->Unit(benchmark::kMicrosecond)->UseRealTime();
BENCHMARK(LaunchLargeFunctor<1024>)->Unit(benchmark::kMicrosecond)->UseRealTime();
BENCHMARK(LaunchLargeFunctor<8192>)->Unit(benchmark::kMicrosecond)->UseRealTime();
BENCHMARK(LaunchLargeFunctor<20480>)->Unit(benchmark::kMicrosecond)->UseRealTime();
BENCHMARK(LaunchLargeFunctor<65536>)->Unit(benchmark::kMicrosecond)->UseRealTime();
BENCHMARK(LargeFunctorsSideBySide<16>)->ArgName("instances")->Arg(1)->Arg(8)->UseRealTime();
BENCHMARK(LargeFunctorsSideBySide<1024>)->ArgName("instances")->Arg(1)->Arg(8)->UseRealTime();
BENCHMARK(LargeFunctorsSideBySide<20480>)->ArgName("instances")->Arg(1)->Arg(8)->UseRealTime();

}  // namespace Test
