// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// \file
/// Compares the host patterns with hand-written loops. Each benchmark runs Kokkos and the loop alternately.
///
/// The loops use OpenMP for `OpenMP` and are serial for `Serial`. By default, arrays are several times as large as the
/// last-level cache of a two-core machine; KOKKOS_BENCHMARK_SIZE sets another size in elements.

#include "Ratio.hpp"

#include <Kokkos_Core.hpp>

#include <cstdlib>
#include <vector>

#ifdef KOKKOS_ENABLE_OPENMP
#include <omp.h>
#endif

namespace {

using Kokkos::Benchmarks::compare;

std::size_t array_size() {
  char const* given = std::getenv("KOKKOS_BENCHMARK_SIZE");
  return given ? std::strtoull(given, nullptr, 10) : std::size_t(1) << 24;
}

template <class Space>
constexpr bool threaded = !std::is_same_v<Space, Kokkos::HostSpace>;
#ifdef KOKKOS_ENABLE_SERIAL
template <>
constexpr bool threaded<Kokkos::Serial> = false;
#endif

/// The hand-written parallel loop: `body(first, last)` for each thread's part, or for the whole range.
template <class Space>
void parts(std::ptrdiff_t n, auto const& body) {
#ifdef KOKKOS_ENABLE_OPENMP
  if constexpr (threaded<Space>) {
#pragma omp parallel
    {
      std::ptrdiff_t const threads = omp_get_num_threads(), rank = omp_get_thread_num();
      body(n * rank / threads, n * (rank + 1) / threads);
    }
    return;
  }
#endif
  body(std::ptrdiff_t(0), n);
}

// ---- triad --------------------------------------------------------------------------------------------------------

template <class Space>
void triad(benchmark::State& state) {
  std::ptrdiff_t const n = array_size();
  Kokkos::View<double*, Space> a("a", n), b("b", n), c("c", n);
  Kokkos::deep_copy(b, 1.0);
  Kokkos::deep_copy(c, 2.0);
  double* __restrict__ pa       = a.data();
  double const* __restrict__ pb = b.data();
  double const* __restrict__ pc = c.data();
  compare(
      state, 24.0 * n,
      [=] {
        parts<Space>(n, [=](std::ptrdiff_t first, std::ptrdiff_t last) {
          for (std::ptrdiff_t i = first; i < last; ++i) pa[i] = pb[i] + 3.0 * pc[i];
        });
        benchmark::ClobberMemory();
      },
      [=] {
        Kokkos::parallel_for(
            "triad", Kokkos::RangePolicy<Space>(0, n), KOKKOS_LAMBDA(std::ptrdiff_t i) { a(i) = b(i) + 3.0 * c(i); });
        benchmark::ClobberMemory();
      });
}

// ---- dot ----------------------------------------------------------------------------------------------------------

template <class Space>
double dot_loop(double const* x, double const* y, std::ptrdiff_t n) {
  double sum = 0;
#ifdef KOKKOS_ENABLE_OPENMP
  if constexpr (threaded<Space>) {
#pragma omp parallel for reduction(+ : sum)
    for (std::ptrdiff_t i = 0; i < n; ++i) sum += x[i] * y[i];
    return sum;
  }
#endif
  for (std::ptrdiff_t i = 0; i < n; ++i) sum += x[i] * y[i];
  return sum;
}

template <class Space>
void dot(benchmark::State& state) {
  std::ptrdiff_t const n = array_size();
  Kokkos::View<double*, Space> x("x", n), y("y", n);
  Kokkos::deep_copy(x, 1.5);
  Kokkos::deep_copy(y, 2.0);
  compare(
      state, 16.0 * n, [=] { benchmark::DoNotOptimize(dot_loop<Space>(x.data(), y.data(), n)); },
      [=] {
        double sum = 0;
        Kokkos::parallel_reduce(
            "dot", Kokkos::RangePolicy<Space>(0, n),
            KOKKOS_LAMBDA(std::ptrdiff_t i, double& update) { update += x(i) * y(i); }, sum);
        benchmark::DoNotOptimize(sum);
      });
}

// ---- scan ---------------------------------------------------------------------------------------------------------

/// The usual hand-written scan: each thread sums its part, the sums of the parts are scanned, each thread scans its
/// part.
template <class Space>
void scan_loop(double const* in, double* out, std::ptrdiff_t n) {
#ifdef KOKKOS_ENABLE_OPENMP
  if constexpr (threaded<Space>) {
    static std::vector<double> sums(1024 * 8);
#pragma omp parallel
    {
      std::ptrdiff_t const threads = omp_get_num_threads(), rank = omp_get_thread_num();
      std::ptrdiff_t const first = n * rank / threads, last = n * (rank + 1) / threads;
      double sum = 0;
      for (std::ptrdiff_t i = first; i < last; ++i) sum += in[i];
      sums[rank * 8] = sum;
#pragma omp barrier
      double before = 0;
      for (std::ptrdiff_t r = 0; r < rank; ++r) before += sums[r * 8];
      for (std::ptrdiff_t i = first; i < last; ++i) out[i] = before += in[i];
    }
    return;
  }
#endif
  double sum = 0;
  for (std::ptrdiff_t i = 0; i < n; ++i) out[i] = sum += in[i];
}

template <class Space>
void scan(benchmark::State& state) {
  std::ptrdiff_t const n = array_size();
  Kokkos::View<double*, Space> in("in", n), out("out", n);
  Kokkos::deep_copy(in, 1.0);
  compare(
      state, 16.0 * n,
      [=] {
        scan_loop<Space>(in.data(), out.data(), n);
        benchmark::ClobberMemory();
      },
      [=] {
        Kokkos::parallel_scan(
            "scan", Kokkos::RangePolicy<Space>(0, n), KOKKOS_LAMBDA(std::ptrdiff_t i, double& update, bool final) {
              update += in(i);
              if (final) out(i) = update;
            });
        benchmark::ClobberMemory();
      });
}

// ---- 5-point stencil ----------------------------------------------------------------------------------------------

template <class Space, class Layout>
void stencil(benchmark::State& state) {
  constexpr bool right   = std::is_same_v<Layout, Kokkos::LayoutRight>;
  constexpr auto iterate = right ? Kokkos::Iterate::Right : Kokkos::Iterate::Left;
  int const n            = 4096;
  Kokkos::View<double**, Layout, Space> in("in", n, n), out("out", n, n);
  Kokkos::deep_copy(in, 1.0);
  double const* __restrict__ pi = in.data();
  double* __restrict__ po       = out.data();
  compare(
      state, 16.0 * n * n,
      [=] {
        parts<Space>(n - 2, [=](std::ptrdiff_t first, std::ptrdiff_t last) {
          for (std::ptrdiff_t i = first + 1; i < last + 1; ++i)
            for (std::ptrdiff_t j = 1; j < n - 1; ++j) {
              std::ptrdiff_t const k = i * n + j;
              po[k]                  = pi[k] * 0.5 + 0.125 * (pi[k - 1] + pi[k + 1] + pi[k - n] + pi[k + n]);
            }
        });
        benchmark::ClobberMemory();
      },
      [=] {
        Kokkos::parallel_for(
            "stencil", Kokkos::MDRangePolicy<Space, Kokkos::Rank<2, iterate, iterate>>({1, 1}, {n - 1, n - 1}),
            KOKKOS_LAMBDA(int i, int j) {
              out(i, j) = in(i, j) * 0.5 + 0.125 * (in(i - 1, j) + in(i + 1, j) + in(i, j - 1) + in(i, j + 1));
            });
        benchmark::ClobberMemory();
      });
}

// ---- matrix-vector product ----------------------------------------------------------------------------------------

template <class Space>
void matrix_vector(benchmark::State& state) {
  int const n = 4096;
  Kokkos::View<double**, Kokkos::LayoutRight, Space> a("a", n, n);
  Kokkos::View<double*, Space> x("x", n), y("y", n);
  Kokkos::deep_copy(a, 1.0);
  Kokkos::deep_copy(x, 2.0);
  double const* pa = a.data();
  double const* px = x.data();
  double* py       = y.data();
  using Policy     = Kokkos::TeamPolicy<Space>;
  compare(
      state, 8.0 * n * n,
      [=] {
        parts<Space>(n, [=](std::ptrdiff_t first, std::ptrdiff_t last) {
          for (std::ptrdiff_t i = first; i < last; ++i) {
            double sum = 0;
            for (std::ptrdiff_t j = 0; j < n; ++j) sum += pa[i * n + j] * px[j];
            py[i] = sum;
          }
        });
        benchmark::ClobberMemory();
      },
      [=] {
        Kokkos::parallel_for(
            "matrix_vector", Policy(n, Kokkos::AUTO), KOKKOS_LAMBDA(typename Policy::member_type const& team) {
              int const i = team.league_rank();
              double sum  = 0;
              Kokkos::parallel_reduce(
                  Kokkos::TeamVectorRange(team, n), [&](int j, double& update) { update += a(i, j) * x(j); }, sum);
              Kokkos::single(Kokkos::PerTeam(team), [&] { y(i) = sum; });
            });
        benchmark::ClobberMemory();
      });
}

// ---- the minimum cost of a launch ---------------------------------------------------------------------------------

template <class Space>
void empty_launch(benchmark::State& state) {
  constexpr int repeats = 100;  // one launch is shorter than the resolution of the clock
  compare(
      state, 0,
      [] {
        for (int r = 0; r < repeats; ++r) {
          parts<Space>(1, [](std::ptrdiff_t first, std::ptrdiff_t last) {
            benchmark::DoNotOptimize(first);
            benchmark::DoNotOptimize(last);
          });
        }
      },
      [] {
        for (int r = 0; r < repeats; ++r)
          Kokkos::parallel_for(Kokkos::RangePolicy<Space>(0, 1), KOKKOS_LAMBDA(int i) { benchmark::DoNotOptimize(i); });
      });
}

template <class Space>
void add(char const* space) {
  auto add_one = [&](char const* name, void (*f)(benchmark::State&)) {
    benchmark::RegisterBenchmark((std::string(name) + "/" + space).c_str(), f)
        ->UseManualTime()
        ->Unit(benchmark::kMillisecond);
  };
  add_one("triad", triad<Space>);
  add_one("dot", dot<Space>);
  add_one("scan", scan<Space>);
  add_one("stencil_right", stencil<Space, Kokkos::LayoutRight>);
  add_one("stencil_left", stencil<Space, Kokkos::LayoutLeft>);
  add_one("matrix_vector", matrix_vector<Space>);
  add_one("100_empty_launches", empty_launch<Space>);
}

}  // namespace

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard guard(argc, argv);
  benchmark::Initialize(&argc, argv);
#ifdef KOKKOS_ENABLE_SERIAL
  add<Kokkos::Serial>("Serial");
#endif
#ifdef KOKKOS_ENABLE_OPENMP
  add<Kokkos::OpenMP>("OpenMP");
#endif
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
