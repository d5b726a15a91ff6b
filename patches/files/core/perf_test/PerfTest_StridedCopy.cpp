// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Copies between host and device of the inner part of a square matrix, of short rows, of faces of a cube, of a column,
// and between matrices of which one stores rows and the other one columns. For comparison, copies of the whole matrix.

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
  int const n = state.range(0);
  DeviceMatrix device("device", n, n);
  HostMatrix host("host", n, n);
  auto const inside = std::make_pair(1, n - 1);
  auto inner_device = Kokkos::subview(device, inside, inside);
  auto inner_host   = Kokkos::subview(host, inside, inside);
  if constexpr (ToDevice)
    measure(state, inner_device, inner_host);
  else
    measure(state, inner_host, inner_device);
}

template <bool ToDevice>
void WholeCopy(benchmark::State& state) {
  int const n = state.range(0);
  DeviceMatrix device("device", n, n);
  HostMatrix host("host", n, n);
  if constexpr (ToDevice)
    measure(state, device, host);
  else
    measure(state, host, device);
}

template <class Layout, class Space>
auto matrix(std::size_t rows, std::size_t columns) {
  return Kokkos::View<double**, Layout, Space>("matrix", rows, columns);
}

// 32 MB in rows of `width` elements; each row of the matrices has two elements more.
template <bool ToDevice>
void ShortRows(benchmark::State& state) {
  std::size_t const width = state.range(0), rows = (std::size_t(4) << 20) / width;
  auto const columns = std::make_pair(std::size_t(1), width + 1);
  auto device = Kokkos::subview(matrix<Kokkos::LayoutRight, TEST_EXECSPACE>(rows, width + 2), Kokkos::ALL, columns);
  auto host   = Kokkos::subview(matrix<Kokkos::LayoutRight, Kokkos::HostSpace>(rows, width + 2), Kokkos::ALL, columns);
  if constexpr (ToDevice)
    measure(state, device, host);
  else
    measure(state, host, device);
}

template <bool ToDevice>
void TransposedCopy(benchmark::State& state) {
  std::size_t const n = state.range(0);
  auto device         = matrix<Kokkos::LayoutLeft, TEST_EXECSPACE>(n, n);
  auto host           = matrix<Kokkos::LayoutRight, Kokkos::HostSpace>(n, n);
  if constexpr (ToDevice)
    measure(state, device, host);
  else
    measure(state, host, device);
}

// A face of n^3 doubles, across the given dimension. The elements of a face across dimension 0 are n apart.
template <bool ToDevice>
void FaceCopy(benchmark::State& state) {
  int const n = state.range(0), across = state.range(1);
  Kokkos::View<double***, Kokkos::LayoutLeft, TEST_EXECSPACE> const device("device", n, n, n);
  Kokkos::View<double***, Kokkos::LayoutLeft, Kokkos::HostSpace> const host("host", n, n, n);
  auto const face = [&](auto const& cube) {
    auto const of = [&](int dimension) { return std::make_pair(0, dimension == across ? 1 : n); };
    return Kokkos::subview(cube, of(0), of(1), of(2));
  };
  if constexpr (ToDevice)
    measure(state, face(device), face(host));
  else
    measure(state, face(host), face(device));
}

// A column of a matrix of 16 columns that stores rows.
template <bool ToDevice>
void ColumnCopy(benchmark::State& state) {
  std::size_t const n = state.range(0);
  auto const device   = Kokkos::subview(matrix<Kokkos::LayoutRight, TEST_EXECSPACE>(n, 16), Kokkos::ALL, 1);
  auto const host     = Kokkos::subview(matrix<Kokkos::LayoutRight, Kokkos::HostSpace>(n, 16), Kokkos::ALL, 1);
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
BENCHMARK(ShortRows<true>)->ArgName("width")->Arg(8)->Arg(64)->Unit(benchmark::kMicrosecond)->UseRealTime();
BENCHMARK(ShortRows<false>)->ArgName("width")->Arg(8)->Arg(64)->Unit(benchmark::kMicrosecond)->UseRealTime();
BENCHMARK(TransposedCopy<true>)->ArgName("n")->Arg(2048)->Unit(benchmark::kMicrosecond)->UseRealTime();
BENCHMARK(TransposedCopy<false>)->ArgName("n")->Arg(2048)->Unit(benchmark::kMicrosecond)->UseRealTime();
BENCHMARK(FaceCopy<true>)
    ->ArgNames({"n", "across"})
    ->ArgsProduct({{256, 512}, {0, 1, 2}})
    ->Unit(benchmark::kMicrosecond)
    ->UseRealTime();
BENCHMARK(FaceCopy<false>)
    ->ArgNames({"n", "across"})
    ->ArgsProduct({{256, 512}, {0, 1, 2}})
    ->Unit(benchmark::kMicrosecond)
    ->UseRealTime();
BENCHMARK(ColumnCopy<true>)->ArgName("n")->Arg(1 << 17)->Arg(1 << 20)->Unit(benchmark::kMicrosecond)->UseRealTime();
BENCHMARK(ColumnCopy<false>)->ArgName("n")->Arg(1 << 17)->Arg(1 << 20)->Unit(benchmark::kMicrosecond)->UseRealTime();

}  // namespace Test
