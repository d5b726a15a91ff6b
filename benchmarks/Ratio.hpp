// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_BENCHMARK_RATIO_HPP
#define KOKKOS_BENCHMARK_RATIO_HPP

/// \file
/// Times two implementations of the same task alternately, so that changes in the machine's speed affect both.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>
#include <vector>

namespace Kokkos::Benchmarks {

/// With KOKKOS_BENCHMARK_CLOCK=processor in the environment, the processor time of all threads, for host benchmarks on a
/// machine that has other work. Threads that wait must sleep then: OMP_WAIT_POLICY=PASSIVE.
inline double now() {
  static bool const processor_time = [] {
    char const* clock = std::getenv("KOKKOS_BENCHMARK_CLOCK");
    return clock != nullptr && std::strcmp(clock, "processor") == 0;
  }();
  if (processor_time) {
    std::timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  }
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

inline double seconds_of(auto const& work) {
  double const begin = now();
  work();
  return now() - begin;
}

inline double median(std::vector<double> v) {
  if (v.empty()) return 0;
  auto const middle = v.begin() + v.size() / 2;
  std::nth_element(v.begin(), middle, v.end());
  return *middle;
}

/// Runs `reference` and `ours` alternately; each comes first equally often. The benchmark's time is that of `ours`.
///
/// If calls move `reference_bytes` and `our_bytes`, the counters are `ours_GBps`, `reference_GBps` and their `ratio`.
/// If these are 0: `ours_us`, `reference_us`, and as `ratio` the reference's time divided by ours. In both cases 1
/// means as fast as the reference, and more means faster. All are medians.
inline void compare_rates(benchmark::State& state, double reference_bytes, auto const& reference, double our_bytes,
                          auto const& ours) {
  reference();
  ours();
  std::vector<double> reference_times, our_times;
  bool ours_first = false;
  for (auto _ : state) {
    if (ours_first) our_times.push_back(seconds_of(ours));
    reference_times.push_back(seconds_of(reference));
    if (!ours_first) our_times.push_back(seconds_of(ours));
    ours_first = !ours_first;
    state.SetIterationTime(our_times.back());
  }
  double const r = median(reference_times);
  double const o = median(our_times);
  if (our_bytes > 0) {
    state.counters["ours_GBps"]      = our_bytes / o / 1e9;
    state.counters["reference_GBps"] = reference_bytes / r / 1e9;
    state.counters["ratio"]          = our_bytes / o / (reference_bytes / r);
  } else {
    state.counters["ours_us"]      = o * 1e6;
    state.counters["reference_us"] = r * 1e6;
    state.counters["ratio"]        = r / o;
  }
}

/// The same if both move the same number of bytes.
inline void compare(benchmark::State& state, double bytes, auto const& reference, auto const& ours) {
  compare_rates(state, bytes, reference, bytes, ours);
}

/// Registers function(state, arguments...), which measures its time by `compare`, in microseconds.
inline void add_ratio(std::string const& name, auto function, auto... arguments) {
  benchmark::RegisterBenchmark(name.c_str(), function, arguments...)
      ->UseManualTime()
      ->Unit(benchmark::kMicrosecond)
      ->MinTime(0.1);
}

}  // namespace Kokkos::Benchmarks

#endif
