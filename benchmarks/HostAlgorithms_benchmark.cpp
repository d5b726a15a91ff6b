// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// \file
/// Sorts, random fills, reductions and scans of the default host space, compared with the standard library on one
/// thread, with libstdc++'s parallel mode, and with hand-written loops. Each benchmark runs both alternately; both
/// times include the preparation of fresh input. Arrays have KOKKOS_BENCHMARK_SIZE elements, by default 2^22.

#include "Ratio.hpp"

#include <Kokkos_Random.hpp>
#include <Kokkos_Sort.hpp>
#include <Kokkos_StdAlgorithms.hpp>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <vector>

#if defined(_OPENMP) && __has_include(<parallel/algorithm>)
#include <parallel/algorithm>
#define KOKKOS_BENCHMARK_PARALLEL_MODE 1
#endif

namespace {

using Kokkos::Benchmarks::compare;
using Space  = Kokkos::DefaultHostExecutionSpace;
namespace KE = Kokkos::Experimental;

std::size_t array_size() {
  char const* given = std::getenv("KOKKOS_BENCHMARK_SIZE");
  return given ? std::strtoull(given, nullptr, 10) : std::size_t(1) << 22;
}

template <class T>
Kokkos::View<T*, Space> random_view() {
  Kokkos::View<T*, Space> view("random", array_size());
  Kokkos::fill_random(view, Kokkos::Random_XorShift64_Pool<Space>(7), static_cast<T>(-1000000),
                      static_cast<T>(1000000));
  return view;
}

struct Descending {
  template <class T>
  KOKKOS_FUNCTION bool operator()(T const& a, T const& b) const {
    return b < a;
  }
};

enum class Reference { one_thread, parallel_mode };

template <class T, Reference Kind, class... Comparator>
void sort(benchmark::State& state, Comparator... comparator) {
  auto const input    = random_view<T>();
  std::size_t const n = input.extent(0);
  Kokkos::View<T*, Space> work("work", n);
  compare(
      state, static_cast<double>(n * sizeof(T)),
      [&] {
        std::memcpy(work.data(), input.data(), n * sizeof(T));
#ifdef KOKKOS_BENCHMARK_PARALLEL_MODE
        if constexpr (Kind == Reference::parallel_mode)
          return __gnu_parallel::sort(work.data(), work.data() + n, comparator...);
#endif
        std::sort(work.data(), work.data() + n, comparator...);
      },
      [&] {
        std::memcpy(work.data(), input.data(), n * sizeof(T));
        Kokkos::sort(Space(), work, comparator...);
      });
}

/// Not an order of bits: sorts by comparing.
void sort_descending(benchmark::State& state) { sort<double, Reference::parallel_mode>(state, Descending()); }

/// The reference sorts pairs.
void sort_by_key(benchmark::State& state) {
  auto const input    = random_view<int>();
  std::size_t const n = input.extent(0);
  Kokkos::View<int*, Space> keys("keys", n), values("values", n);
  std::vector<std::pair<int, int>> pairs(n);
  compare(
      state, 8.0 * static_cast<double>(n),
      [&] {
        for (std::size_t i = 0; i < n; ++i) pairs[i] = {input(i), static_cast<int>(i)};
        std::sort(pairs.begin(), pairs.end());
      },
      [&] {
        for (std::size_t i = 0; i < n; ++i) keys(i) = input(i), values(i) = static_cast<int>(i);
        KE::sort_by_key(Space(), keys, values);
      });
}

/// The reference sorts the same bin numbers and positions.
void bin_sort(benchmark::State& state) {
  using Points = Kokkos::View<double* [3], Space>;
  Points points("points", array_size());
  Kokkos::fill_random(points, Kokkos::Random_XorShift64_Pool<Space>(7), 1.0);
  int bins[3]   = {64, 64, 64};
  double min[3] = {0, 0, 0}, max[3] = {1, 1, 1};
  Kokkos::BinOp3D<Points> const op(bins, min, max);
  Kokkos::View<int*, Space> numbers("numbers", points.extent(0)), order("order", points.extent(0));
  compare(
      state, static_cast<double>(points.extent(0)) * sizeof(int),
      [&] {
        for (int i = 0; i < static_cast<int>(points.extent(0)); ++i) numbers(i) = op.bin(points, i), order(i) = i;
        KE::sort_by_key(Space(), numbers, order);
      },
      // One sorter for each call, because upstream adds to the counts of an earlier call.
      [&] { Kokkos::BinSort<Points, Kokkos::BinOp3D<Points>>(points, op).create_permute_vector(Space()); });
}

/// The reference stores constants: the memory bandwidth, because no cache has room for this array.
template <class Pool>
void fill_random(benchmark::State& state) {
  Kokkos::View<double*, Space> x("x", 16 * array_size());
  Pool pool(7);
  compare(
      state, 8.0 * static_cast<double>(x.extent(0)), [&] { Kokkos::deep_copy(Space(), x, 1.5); },
      [&] { Kokkos::fill_random(Space(), x, pool, 1.0); });
}

void reduce(benchmark::State& state) {
  auto const x = random_view<double>();
  double sum   = 0;
  compare(
      state, 8.0 * static_cast<double>(x.extent(0)),
      [&] {
        double s       = 0;
        auto const* p  = x.data();
        auto const end = static_cast<std::ptrdiff_t>(x.extent(0));
#pragma omp parallel for reduction(+ : s)
        for (std::ptrdiff_t i = 0; i < end; ++i) s += p[i];
        sum += s;
      },
      [&] { sum += KE::reduce(Space(), x); });
  benchmark::DoNotOptimize(sum);
}

void inclusive_scan(benchmark::State& state) {
  auto const x = random_view<long>();
  Kokkos::View<long*, Space> y("y", x.extent(0));
  compare(
      state, 16.0 * static_cast<double>(x.extent(0)),
      [&] { std::inclusive_scan(x.data(), x.data() + x.extent(0), y.data()); },
      [&] { KE::inclusive_scan(Space(), x, y); });
}

struct IsPositive {
  KOKKOS_FUNCTION bool operator()(long x) const { return x > 0; }
};

void copy_if(benchmark::State& state) {
  auto const x = random_view<long>();
  Kokkos::View<long*, Space> y("y", x.extent(0));
  compare(
      state, 12.0 * static_cast<double>(x.extent(0)),
      [&] { std::copy_if(x.data(), x.data() + x.extent(0), y.data(), IsPositive()); },
      [&] { KE::copy_if(Space(), x, y, IsPositive()); });
}

BENCHMARK(sort<int, Reference::one_thread>)->UseManualTime()->Iterations(5);
BENCHMARK(sort<int, Reference::parallel_mode>)->UseManualTime()->Iterations(5);
BENCHMARK(sort<double, Reference::parallel_mode>)->UseManualTime()->Iterations(5);
BENCHMARK(sort_descending)->UseManualTime()->Iterations(5);
BENCHMARK(sort_by_key)->UseManualTime()->Iterations(5);
BENCHMARK(bin_sort)->UseManualTime()->Iterations(5);
BENCHMARK(fill_random<Kokkos::Random_XorShift64_Pool<Space>>)->UseManualTime()->Iterations(9);
BENCHMARK(fill_random<Kokkos::Random_XorShift1024_Pool<Space>>)->UseManualTime()->Iterations(9);
#ifdef KOKKOS_STEADFAST_VERSION  // upstream 4.7 has no such pool
BENCHMARK(fill_random<Kokkos::Random_SFC64_Pool<Space>>)->UseManualTime()->Iterations(9);
#endif
BENCHMARK(reduce)->UseManualTime()->Iterations(9);
BENCHMARK(inclusive_scan)->UseManualTime()->Iterations(9);
BENCHMARK(copy_if)->UseManualTime()->Iterations(9);

}  // namespace

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard guard(argc, argv);
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
