// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The time to create an instance, launch one functor of 16 bytes or 1 KB, and destroy the instance.

#include <Kokkos_Core.hpp>
#include <benchmark/benchmark.h>

#include "PerfTest_Category.hpp"

namespace Test {

namespace {

template <int Bytes>
struct NothingOfSize {
  char padding[Bytes];
  KOKKOS_FUNCTION void operator()(int) const {}
};

template <int Bytes>
void InstanceLifetime(benchmark::State& state) {
  for (auto _ : state) {
    auto parts = Kokkos::Experimental::partition_space(TEST_EXECSPACE(), 1);
    Kokkos::parallel_for("nothing", Kokkos::RangePolicy<TEST_EXECSPACE>(parts[0], 0, 1), NothingOfSize<Bytes>{});
  }
}

}  // namespace

BENCHMARK(InstanceLifetime<16>)->Unit(benchmark::kMicrosecond)->UseRealTime();
BENCHMARK(InstanceLifetime<1024>)->Unit(benchmark::kMicrosecond)->UseRealTime();

}  // namespace Test
