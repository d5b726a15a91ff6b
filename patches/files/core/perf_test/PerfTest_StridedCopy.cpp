// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Copies of the inner part of a square matrix between host and device, and for comparison of the whole matrix.

#include <Kokkos_Core.hpp>
#include <benchmark/benchmark.h>

#include "PerfTest_Category.hpp"

#include <utility>

namespace Test {

namespace {

using DeviceMatrix = Kokkos::View<double**, TEST_EXECSPACE>;
using HostMatrix   = Kokkos::View<double**, typename DeviceMatrix::array_layout, Kokkos::HostSpace>;

template <class Dst, class Src>
void measure(benchmark::State& state, Dst const& dst, Src const& src) {
  for (auto _ : state) Kokkos::deep_copy(dst, src);
  state.counters["rate"] =
      benchmark::Counter(double(src.size() * sizeof(double)), benchmark::Counter::kIsIterationInvariantRate);
}

template <bool ToDevice>
void StridedCopy(benchmark::State& state) {
  const int n = state.range(0);
  DeviceMatrix device("device", n, n);
  HostMatrix host("host", n, n);
  const auto inside   = std::make_pair(1, n - 1);
  auto inner_device   = Kokkos::subview(device, inside, inside);
  auto inner_host     = Kokkos::subview(host, inside, inside);
  if constexpr (ToDevice)
    measure(state, inner_device, inner_host);
  else
    measure(state, inner_host, inner_device);
}

template <bool ToDevice>
void WholeCopy(benchmark::State& state) {
  const int n = state.range(0);
  DeviceMatrix device("device", n, n);
  HostMatrix host("host", n, n);
  if constexpr (ToDevice)
    measure(state, device, host);
  else
    measure(state, host, device);
}

}  // namespace

BENCHMARK(StridedCopy<true>)->ArgName("n")->Arg(256)->Arg(4096)->Unit(benchmark::kMicrosecond)->UseRealTime();
BENCHMARK(StridedCopy<false>)->ArgName("n")->Arg(256)->Arg(4096)->Unit(benchmark::kMicrosecond)->UseRealTime();
BENCHMARK(WholeCopy<true>)->ArgName("n")->Arg(256)->Arg(4096)->Unit(benchmark::kMicrosecond)->UseRealTime();
BENCHMARK(WholeCopy<false>)->ArgName("n")->Arg(256)->Arg(4096)->Unit(benchmark::kMicrosecond)->UseRealTime();

}  // namespace Test
