// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// \file
/// Kernels with ranges of vector lanes inside a thread of a team, beside raw CUDA kernels with the same blocks. In these
/// kernels each row of a matrix has one thread, whose lanes share the elements of the row.

#include "../Ratio.hpp"
#include "RawCuda.hpp"

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <string>

namespace {

using namespace Kokkos::Benchmarks;
using Policy = Kokkos::TeamPolicy<Kokkos::Cuda>;
using Member = Policy::member_type;
template <class T>
using Vector = Kokkos::View<T*, Kokkos::CudaSpace>;

constexpr int block_size = 128;  // threads and their lanes

Policy one_thread_for_each_row(int rows, int lanes) {
  int const threads = block_size / lanes;
  return Policy((rows + threads - 1) / threads, threads, lanes);
}

template <class... Parameters, class... Arguments>
void run_raw(void (*kernel)(Parameters...), int rows, int lanes, Arguments... arguments) {
  int const threads = block_size / lanes;
  kernel<<<(rows + threads - 1) / threads, dim3(lanes, threads)>>>(arguments...);
  check(cudaGetLastError());
  check(cudaDeviceSynchronize());
}
__device__ int raw_row() { return static_cast<int>(blockIdx.x * blockDim.y + threadIdx.y); }
/// The lanes of the calling thread within its warp.
__device__ unsigned raw_lanes() {
  unsigned const width = blockDim.x, first = (threadIdx.x + threadIdx.y * width) % 32 & ~(width - 1);
  return (~0u >> (32 - width)) << first;
}

// ---- products of rows ------------------------------------------------------------------------------------------------

/// y = a x for a sparse matrix whose rows have equal lengths.
struct SparseProduct {
  int rows, length;
  double const* values;
  int const* columns;
  double const* x;
  double* y;

  KOKKOS_FUNCTION double term(int row, int k) const {
    std::size_t const at = static_cast<std::size_t>(row) * length + k;
    return values[at] * x[columns[at]];
  }
  KOKKOS_FUNCTION void operator()(Member const& team) const {
    int const row = team.league_rank() * team.team_size() + team.team_rank();
    if (row >= rows) return;
    double sum = 0;
    Kokkos::parallel_reduce(
        Kokkos::ThreadVectorRange(team, length), [&](int k, double& update) { update += term(row, k); }, sum);
    Kokkos::single(Kokkos::PerThread(team), [&] { y[row] = sum; });
  }
};
__global__ void raw_product(SparseProduct p) {
  int const row = raw_row();
  if (row >= p.rows) return;
  double sum = 0;
  for (int k = threadIdx.x; k < p.length; k += blockDim.x) sum += p.term(row, k);
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) sum += __shfl_xor_sync(raw_lanes(), sum, half);
  if (threadIdx.x == 0) p.y[row] = sum;
}

void product(benchmark::State& state, int length, int lanes) {
  int const rows = 20000000 / length;
  Vector<double> values("values", static_cast<std::size_t>(rows) * length), x("x", rows), y("y", rows);
  Vector<int> columns("columns", values.size());
  Kokkos::deep_copy(values, 1.0);
  Kokkos::parallel_for(
      rows * length,
      KOKKOS_LAMBDA(int i) { columns(i) = static_cast<int>((i / length * 31l + i % length * 17l) % rows); });
  SparseProduct const p{rows, length, values.data(), columns.data(), x.data(), y.data()};
  auto const policy = one_thread_for_each_row(rows, lanes);
  compare(
      state, 0, [&] { run_raw(raw_product, rows, lanes, p); },
      [&] {
        Kokkos::parallel_for("product", policy, p);
        Kokkos::fence();
      });
}

// ---- short ranges ----------------------------------------------------------------------------------------------------

/// Replaces each element of a row by the sum of itself and another one, several times: a range for each time.
struct ShortRanges {
  static constexpr int length = 16, times = 8;
  int rows;
  int* elements;

  KOKKOS_FUNCTION void step(int* row, int distance, int k) const { row[k] += row[length + (k ^ distance)]; }
  KOKKOS_FUNCTION void operator()(Member const& team) const {
    int const number = team.league_rank() * team.team_size() + team.team_rank();
    if (number >= rows) return;
    int* const row = elements + static_cast<std::size_t>(number) * 2 * length;
    for (int t = 0; t < times; ++t)
      Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, length), [&](int k) { step(row, 1 << t % 4, k); });
  }
};
__global__ void raw_short_ranges(ShortRanges s) {
  if (raw_row() >= s.rows) return;
  int* const row = s.elements + static_cast<std::size_t>(raw_row()) * 2 * ShortRanges::length;
  for (int t = 0; t < ShortRanges::times; ++t) {
    for (int k = threadIdx.x; k < ShortRanges::length; k += blockDim.x) s.step(row, 1 << t % 4, k);
    __syncwarp(raw_lanes());
  }
}

void short_ranges(benchmark::State& state, int lanes) {
  int const rows = 200000;
  Vector<int> elements("elements", rows * 2 * ShortRanges::length);
  ShortRanges const s{rows, elements.data()};
  auto const policy = one_thread_for_each_row(rows, lanes);
  compare(
      state, 0, [&] { run_raw(raw_short_ranges, rows, lanes, s); },
      [&] {
        Kokkos::parallel_for("short_ranges", policy, s);
        Kokkos::fence();
      });
}

}  // namespace

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard guard(argc, argv);
  benchmark::Initialize(&argc, argv);
  for (int lanes : {4, 8, 32}) {
    auto const with_lanes = "/lanes:" + std::to_string(lanes);
    for (int length : {7, 30, 100, 500})
      add_ratio("product/length:" + std::to_string(length) + with_lanes, product, length, lanes);
    add_ratio("short_ranges" + with_lanes, short_ranges, lanes);
  }
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
