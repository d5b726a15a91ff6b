// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// \file
/// Compares fills and copies of host memory with loops by hand, from sizes that fit in the nearest cache to sizes that
/// fit in none. Sizes of 10^8 exceed the caches of servers. Each benchmark runs both alternately.

#include "Ratio.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>

namespace {

using Kokkos::ALL;
using Kokkos::LayoutLeft;
using Kokkos::LayoutRight;
using Kokkos::Benchmarks::compare;
using Space  = Kokkos::DefaultHostExecutionSpace;
using Matrix = Kokkos::View<double**, LayoutRight, Space>;

/// Calls `work` so many times that a measurement takes some milliseconds.
auto repeated(std::size_t elements, auto const& work) {
  std::size_t const times = elements < 10'000'000 ? 10'000'000 / elements : 1;
  return [=] {
    for (std::size_t i = 0; i < times; ++i) work();
  };
}

/// With all threads, a loop of fewer bytes takes longer.
constexpr std::size_t alone_bytes = 65536;

template <class T>
void fill_by_hand(T* to, std::size_t n, std::size_t stride, T value) {
  if (n * std::min<std::size_t>(stride * sizeof(T), 64) <= alone_bytes) {
    for (std::size_t i = 0; i < n; ++i) to[i * stride] = value;
  } else {
#pragma omp parallel for
    for (std::size_t i = 0; i < n; ++i) to[i * stride] = value;
  }
}

void compare_repeated(benchmark::State& state, std::size_t elements, auto const& reference, auto const& ours) {
  compare(state, 0, repeated(elements, reference), repeated(elements, ours));
}

template <class T>
void fill(benchmark::State& state) {
  std::size_t const n = static_cast<std::size_t>(state.range(0));
  Kokkos::View<T*, Space> x("x", n);
  T const value(3);
  compare_repeated(
      state, n,
      [x, n, value] {
        fill_by_hand(x.data(), n, 1, value);
        benchmark::ClobberMemory();
      },
      [x, value] { Kokkos::deep_copy(Space(), x, value); });
}

void copy(benchmark::State& state) {
  std::size_t const n = static_cast<std::size_t>(state.range(0));
  Kokkos::View<double*, Space> x("x", n), y("y", n);
  compare_repeated(
      state, n,
      [x, y, n] {
        double* const to         = y.data();
        double const* const from = x.data();
#pragma omp parallel for if (n * sizeof(double) > alone_bytes)
        for (std::size_t i = 0; i < n; ++i) to[i] = from[i];
        benchmark::ClobberMemory();
      },
      [x, y] { Kokkos::deep_copy(Space(), y, x); });
}

/// n rows of n elements, at a distance of n + 8.
void rows(benchmark::State& state) {
  std::size_t const n = static_cast<std::size_t>(state.range(0));
  Matrix const x("x", n, n), y("y", n, n + 8);
  auto const part = Kokkos::subview(y, ALL, Kokkos::pair<std::size_t, std::size_t>(0, n));
  compare_repeated(
      state, n * n,
      [x, y, n] {
#pragma omp parallel for if (n > 90)
        for (std::size_t i = 0; i < n; ++i) {
          double* const to         = &y(i, 0);
          double const* const from = &x(i, 0);
          for (std::size_t j = 0; j < n; ++j) to[j] = from[j];
        }
        benchmark::ClobberMemory();
      },
      [x, part] { Kokkos::deep_copy(Space(), part, x); });
}

/// From columns to rows. The reference transposes squares of 32 x 32.
void transpose(benchmark::State& state) {
  std::size_t const n = static_cast<std::size_t>(state.range(0));
  Kokkos::View<double**, LayoutLeft, Space> x("x", n, n);
  Matrix y("y", n, n);
  compare_repeated(
      state, n * n,
      [x, y, n] {
        constexpr std::size_t side = 32;
        double* const to           = y.data();
        double const* const from   = x.data();
#pragma omp parallel for if (n > 90)
        for (std::size_t ii = 0; ii < n; ii += side)
          for (std::size_t jj = 0; jj < n; jj += side)
            for (std::size_t i = ii; i < n && i < ii + side; ++i)
              for (std::size_t j = jj; j < n && j < jj + side; ++j) to[i * n + j] = from[i + j * n];
        benchmark::ClobberMemory();
      },
      [x, y] { Kokkos::deep_copy(Space(), y, x); });
}

/// One column of a matrix whose rows are contiguous.
void fill_column(benchmark::State& state) {
  std::size_t const n = static_cast<std::size_t>(state.range(0));
  Matrix const x("x", n, n);
  auto const column = Kokkos::subview(x, ALL, 3);
  compare_repeated(
      state, n * 8,
      [x, n] {
        fill_by_hand(x.data() + 3, n, n, 2.5);
        benchmark::ClobberMemory();
      },
      [column] { Kokkos::deep_copy(Space(), column, 2.5); });
}

void settings(auto* benchmark) { benchmark->UseManualTime()->Iterations(15); }

BENCHMARK(fill<double>)->Arg(100)->Arg(1000)->Arg(100'000)->Arg(30'000'000)->Arg(100'000'000)->Apply(settings);
BENCHMARK(fill<char>)->Arg(1000)->Arg(100'000)->Apply(settings);
BENCHMARK(fill<float>)->Arg(1000)->Arg(100'000)->Apply(settings);
BENCHMARK(fill<Kokkos::complex<double>>)->Arg(1000)->Arg(100'000)->Apply(settings);
BENCHMARK(copy)->Arg(100)->Arg(1000)->Arg(100'000)->Arg(30'000'000)->Arg(100'000'000)->Apply(settings);
BENCHMARK(rows)->Arg(30)->Arg(300)->Arg(3000)->Apply(settings);
BENCHMARK(transpose)->Arg(30)->Arg(300)->Arg(1000)->Arg(1024)->Arg(3000)->Apply(settings);
BENCHMARK(fill_column)->Arg(300)->Arg(3000)->Apply(settings);

}  // namespace

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard guard(argc, argv);
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
