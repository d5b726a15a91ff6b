// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_BENCHMARK_RATIO_HPP
#define KOKKOS_BENCHMARK_RATIO_HPP

/// \file
/// Times two ways of doing the same job in turn, so that a machine that changes its speed changes it for both.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <vector>

namespace Kokkos::Benchmarks {

inline double seconds_of(auto const& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

inline double median(std::vector<double> v) {
  if (v.empty()) return 0;
  const auto middle = v.begin() + v.size() / 2;
  std::nth_element(v.begin(), middle, v.end());
  return *middle;
}

/// Runs `reference` and `ours` in turn; the benchmark's time is that of `ours`.
///
/// Counters: `ratio` is the reference's median time over ours, so 1 means as fast as the reference and more is faster;
/// with `bytes` (moved by one call), `ours_GBps` and `reference_GBps`; otherwise `ours_us` and `reference_us`.
inline void compare(benchmark::State& state, double bytes, auto const& reference, auto const& ours) {
  reference();
  ours();
  std::vector<double> reference_times, our_times;
  bool ours_first = false;  // each goes first as often as the other
  for (auto _ : state) {
    double first  = 0;
    double second = 0;
    if (ours_first) {
      second = seconds_of(ours);
      first  = seconds_of(reference);
    } else {
      first  = seconds_of(reference);
      second = seconds_of(ours);
    }
    ours_first = !ours_first;
    reference_times.push_back(first);
    our_times.push_back(second);
    state.SetIterationTime(second);
  }
  const double r          = median(reference_times);
  const double o          = median(our_times);
  state.counters["ratio"] = r / o;
  if (bytes > 0) {
    state.counters["ours_GBps"]      = bytes / o / 1e9;
    state.counters["reference_GBps"] = bytes / r / 1e9;
  } else {
    state.counters["ours_us"]      = o * 1e6;
    state.counters["reference_us"] = r * 1e6;
  }
}

}  // namespace Kokkos::Benchmarks

#endif
