// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Fills of a contiguous view with zero, all of whose bytes are equal, with 1.5, and with a value of 24 bytes, which
// does not fit the stores of 16 bytes. "rate" is bytes written per second.

#include <Kokkos_Core.hpp>
#include <benchmark/benchmark.h>

#include "PerfTest_Category.hpp"

namespace Test {

namespace {

struct ThreeDoubles {
  double x[3];
};

template <class Value>
void fill(benchmark::State& state, Value const& value) {
  std::size_t const bytes = std::size_t(state.range(0)) << 20;
  Kokkos::View<Value*, TEST_EXECSPACE> view(Kokkos::view_alloc("view", Kokkos::WithoutInitializing),
                                            bytes / sizeof(Value));
  for (auto _ : state) {
    Kokkos::deep_copy(TEST_EXECSPACE(), view, value);
    Kokkos::fence();
  }
  state.counters["rate"] =
      benchmark::Counter(double(view.size() * sizeof(Value)), benchmark::Counter::kIsIterationInvariantRate);
}

void FillZero(benchmark::State& state) { fill(state, 0.); }
void FillDouble(benchmark::State& state) { fill(state, 1.5); }
void FillThreeDoubles(benchmark::State& state) { fill(state, ThreeDoubles{{1.5, 2.5, 3.5}}); }

}  // namespace

BENCHMARK(FillZero)->ArgName("MB")->Arg(1)->Arg(1024)->Unit(benchmark::kMicrosecond)->UseRealTime();
BENCHMARK(FillDouble)->ArgName("MB")->Arg(1)->Arg(1024)->Unit(benchmark::kMicrosecond)->UseRealTime();
BENCHMARK(FillThreeDoubles)->ArgName("MB")->Arg(1)->Arg(1024)->Unit(benchmark::kMicrosecond)->UseRealTime();

}  // namespace Test
