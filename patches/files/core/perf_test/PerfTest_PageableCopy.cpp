// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Copies of memory of malloc in the order of an instance. "rate" is bytes per second until the copy has completed, and
// "blocked" is the fraction of that time that the call takes.

#include <Kokkos_Core.hpp>
#include <Kokkos_Timer.hpp>
#include <benchmark/benchmark.h>

#include "PerfTest_Category.hpp"

namespace Test {

namespace {

template <bool ToDevice>
void PageableCopy(benchmark::State& state) {
  std::size_t const bytes = std::size_t(state.range(0)) << 20;
  Kokkos::View<char*, TEST_EXECSPACE> device("device", bytes);
  Kokkos::View<char*, Kokkos::HostSpace> host("host", bytes);
  TEST_EXECSPACE space;
  double called = 0, all = 0;
  for (auto _ : state) {
    Kokkos::Timer timer;
    if constexpr (ToDevice)
      Kokkos::deep_copy(space, device, host);
    else
      Kokkos::deep_copy(space, host, device);
    called += timer.seconds();
    space.fence();
    all += timer.seconds();
  }
  state.counters["blocked"] = called / all;
  state.counters["rate"]    = benchmark::Counter(double(bytes), benchmark::Counter::kIsIterationInvariantRate);
}

}  // namespace

BENCHMARK(PageableCopy<true>)->ArgName("MB")->Arg(16)->Arg(256)->Unit(benchmark::kMicrosecond)->UseRealTime();
BENCHMARK(PageableCopy<false>)->ArgName("MB")->Arg(16)->Arg(256)->Unit(benchmark::kMicrosecond)->UseRealTime();

}  // namespace Test
