// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Time of deep_copy calls between host and device, from 8 bytes to 8 MB. Uses only documented calls, so that the same
/// source can be measured with any Kokkos. Prints JSON lines: {"row": ..., "us": ...}.
///
///     CopyLatency latency        each row, microseconds for each call, best of five rounds
///     CopyLatency first MIB      the first twelve copies of the process, microseconds
///     CopyLatency long GIB       one copy: how long it blocks its caller, and its effect on other threads meanwhile
///     CopyLatency rate           32 and 256 MiB with an instance: microseconds for the call and until the copy ends;
///                                and a pipeline of copies and kernels on four instances, with pageable memory
///                                and with pinned memory
///     CopyLatency shared SECONDS the two pipelines, each for so long: the median time. For several processes at once
///     CopyLatency pinned         256 MB of pinned memory: microseconds until the call returns

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <thread>
#include <vector>

namespace {

using Exec   = Kokkos::DefaultExecutionSpace;
using Device = Kokkos::View<char*, Exec::memory_space>;
using Host   = Kokkos::View<char*, Kokkos::HostSpace>;
using Pinned = Kokkos::View<char*, Kokkos::SharedHostPinnedSpace>;
using Clock  = std::chrono::steady_clock;

double micros(Clock::time_point begin) {
  return std::chrono::duration<double, std::micro>(Clock::now() - begin).count();
}
void print(std::string const& row, double us) { std::printf("{\"row\": \"%s\", \"us\": %.3f}\n", row.c_str(), us); }

/// The best of five rounds of `calls` calls, each ended by a fence.
void measure(std::string const& row, int calls, std::function<void()> const& call) {
  double best = 1e30;
  for (int round = 0; round < 6; ++round) {
    Kokkos::fence();
    auto const begin = Clock::now();
    for (int i = 0; i < calls; ++i) call();
    Kokkos::fence();
    if (round > 0) best = std::min(best, micros(begin) / calls);
  }
  print(row, best);
}

/// The library creates its staging buffer, if it has one, after some copies that could use it.
void warm_up(Exec const& instance) {
  Device device("warm-up", 32 << 20);
  Host host("warm-up", 32 << 20);
  for (int i = 0; i < 8; ++i) Kokkos::deep_copy(instance, device, host);
  Kokkos::fence();
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
}

struct Touch {
  Device view;
  KOKKOS_FUNCTION void operator()(int i) const { view(i) = static_cast<char>(i); }
};

struct Increment {
  Device view;
  KOKKOS_FUNCTION void operator()(int i) const { ++view(i); }
};

void latency() {
  Exec const instance = Kokkos::Experimental::partition_space(Exec(), 1)[0];
  warm_up(instance);
  const struct {
    char const* name;
    std::size_t bytes;
  } sizes[] = {{"8B", 8},          {"1KB", 1 << 10},     {"16KB", 16 << 10},
               {"64KB", 64 << 10}, {"256KB", 256 << 10}, {"512KB", 512 << 10},
               {"1MB", 1 << 20},   {"2MB", 2 << 20},     {"4MB", 4 << 20},
               {"8MB", 8 << 20}};
  for (auto const& size : sizes) {
    std::size_t const n    = size.bytes;
    int const calls        = n <= (1 << 16) ? 1000 : n <= (1 << 20) ? 300 : 60;
    std::string const name = size.name;
    Device device("device", n);
    Host host("host", n);
    Pinned pinned("pinned", n);
    Kokkos::deep_copy(host, 1);
    Kokkos::deep_copy(instance, device, host);
    Kokkos::fence();
    measure("sync_h2d_" + name, calls, [&] { Kokkos::deep_copy(device, host); });
    measure("sync_d2h_" + name, calls, [&] { Kokkos::deep_copy(host, device); });
    measure("inst_h2d_" + name, calls, [&] { Kokkos::deep_copy(instance, device, host); });
    measure("inst_d2h_" + name, calls, [&] { Kokkos::deep_copy(instance, host, device); });
    measure("inst_h2d_fence_" + name, calls, [&] {
      Kokkos::deep_copy(instance, device, host);
      instance.fence();
    });
    measure("inst_d2h_fence_" + name, calls, [&] {
      Kokkos::deep_copy(instance, host, device);
      instance.fence();
    });
    measure("kernel_d2h_fence_" + name, calls, [&] {
      Kokkos::parallel_for(Kokkos::RangePolicy<Exec>(instance, 0, 8), Touch{device});
      Kokkos::deep_copy(instance, host, device);
      instance.fence();
    });
    measure("h2d_kernel_fence_" + name, calls, [&] {
      Kokkos::deep_copy(instance, device, host);
      Kokkos::parallel_for(Kokkos::RangePolicy<Exec>(instance, 0, 8), Touch{device});
      instance.fence();
    });
    measure("inst_pinned_h2d_" + name, calls, [&] { Kokkos::deep_copy(instance, device, pinned); });
    measure("inst_pinned_d2h_fence_" + name, calls, [&] {
      Kokkos::deep_copy(instance, pinned, device);
      instance.fence();
    });
  }
}

void first(std::size_t mib) {
  std::size_t const n = mib << 20;
  Device device("device", n);
  Host host("host", n);
  Kokkos::deep_copy(host, 1);
  Exec const instance;
  Kokkos::fence();
  for (int i = 0; i < 12; ++i) {
    auto const begin = Clock::now();
    Kokkos::deep_copy(instance, device, host);
    instance.fence();
    print("first_h2d_" + std::to_string(mib) + "MiB_" + std::to_string(i), micros(begin));
  }
}

void long_copy(std::size_t gib) {
  std::size_t const n = gib << 30;
  auto const parts    = Kokkos::Experimental::partition_space(Exec(), 1, 1);
  Device device("device", n), small("small", 8 << 20);
  Host host("host", n), small_host("small host", 8 << 20);
  Kokkos::deep_copy(host, 1);
  Kokkos::deep_copy(small_host, 1);
  warm_up(parts[1]);
  // Every 16 MiB an element differs from the rest; the last copy has to bring it back.
  constexpr std::size_t step = 16 << 20;
  for (std::size_t i = 5; i < n; i += step) host(i) = char(2 + i / step % 100);
  for (char const* name : {"first_h2d", "h2d", "d2h"}) {
    bool const to_device = std::string(name).ends_with("h2d");
    if (!to_device)
      for (std::size_t i = 5; i < n; i += step) host(i) = 0;
    double held    = 0;
    auto const run = [&] {
      auto const begin = Clock::now();
      if (to_device)
        Kokkos::deep_copy(parts[0], device, host);
      else
        Kokkos::deep_copy(parts[0], host, device);
      held = micros(begin);
      parts[0].fence();
      return micros(begin);
    };
    std::string const row = std::string("long_") + name + "_" + std::to_string(gib) + "GiB_";
    print(row + "alone_whole", run());
    print(row + "alone_holds_caller", held);

    std::atomic<bool> end{false};
    double kernel = 0, copy = 0;
    std::atomic<int> copies{0};
    std::thread other([&] {
      for (; !end; ++copies) {
        auto begin = Clock::now();
        Kokkos::parallel_for(Kokkos::RangePolicy<Exec>(parts[1], 0, 8), Touch{small});
        parts[1].fence();
        kernel = std::max(kernel, micros(begin));
        begin  = Clock::now();
        Kokkos::deep_copy(parts[1], small, small_host);
        copy = std::max(copy, micros(begin));
        parts[1].fence();
      }
    });
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    copies             = 0;
    double const whole = run();
    end                = true;
    other.join();
    print(row + "whole", whole);
    print(row + "holds_caller", held);
    print(row + "others_kernel_and_fence_max", kernel);
    print(row + "others_call_of_8MiB_copy_max", copy);
    print(row + "time_of_an_8MiB_copy_of_others", whole / copies);
  }
  for (std::size_t i = 5; i < n; i += step)
    if (host(i) != char(2 + i / step % 100)) std::printf("{\"row\": \"long_copy_is_wrong\", \"us\": %zu}\n", i);
}

/// Sixteen blocks of 16 MiB on four instances: each block is copied to the device, changed by a kernel, and copied
/// back.
template <class Host>
class Pipeline {
 public:
  Pipeline() {
    for (std::size_t b = 0; b < blocks; ++b) {
      m_sources.emplace_back("source", bytes);
      m_results.emplace_back("result", bytes);
      Kokkos::deep_copy(m_sources[b], 1);
      Kokkos::deep_copy(m_results[b], 0);
    }
    for (std::size_t i = 0; i < m_instances.size(); ++i) m_devices.emplace_back("device", bytes);
  }

  /// Runs it once, and returns its time in microseconds.
  double run() {
    Kokkos::fence();
    auto const begin = Clock::now();
    for (std::size_t b = 0; b < blocks; ++b) {
      auto const& instance = m_instances[b % m_instances.size()];
      Device const device  = m_devices[b % m_instances.size()];
      Kokkos::deep_copy(instance, device, m_sources[b]);
      Kokkos::parallel_for(Kokkos::RangePolicy<Exec>(instance, 0, bytes), Increment{device});
      Kokkos::deep_copy(instance, m_results[b], device);
    }
    for (auto const& instance : m_instances) instance.fence();
    return micros(begin);
  }

  void check() const {
    for (auto const& result : m_results)
      if (result(0) != 2 || result(bytes - 1) != 2) std::printf("{\"row\": \"pipeline_is_wrong\", \"us\": 0}\n");
  }

 private:
  static constexpr std::size_t blocks = 16, bytes = 16 << 20;
  std::vector<Exec> m_instances = Kokkos::Experimental::partition_space(Exec(), std::vector<int>(4, 1));
  std::vector<Device> m_devices;
  std::vector<Host> m_sources, m_results;
};

template <class Host>
void pipeline(std::string const& row) {
  Pipeline<Host> pipeline;
  pipeline.run();
  double best = 1e30;
  for (int round = 0; round < 5; ++round) best = std::min(best, pipeline.run());
  pipeline.check();
  print(row, best);
}

/// The median time of a pipeline, repeated until `end`.
template <class Host>
void pipelines_until(Clock::time_point end, std::string const& row) {
  Pipeline<Host> pipeline;
  std::vector<double> times;
  while (Clock::now() < end) times.push_back(pipeline.run());
  pipeline.check();
  std::sort(times.begin(), times.end());
  print(row, times.empty() ? 0 : times[times.size() / 2]);
}

/// Runs for so long that processes that start together share the device most of the time.
void shared(std::size_t seconds) {
  auto const begin = Clock::now();
  pipelines_until<Host>(begin + std::chrono::seconds(seconds), "shared_pipeline_256MiB");
  pipelines_until<Pinned>(begin + std::chrono::seconds(2 * seconds), "shared_pinned_pipeline_256MiB");
}

void rate() {
  Exec const instance = Kokkos::Experimental::partition_space(Exec(), 1)[0];
  warm_up(instance);
  for (std::size_t mib : {32, 256}) {
    std::size_t const n = mib << 20;
    Device device("device", n);
    Host host("host", n);
    Kokkos::deep_copy(host, 1);
    Kokkos::deep_copy(instance, device, host);
    instance.fence();
    for (bool to_device : {true, false}) {
      double held = 1e30, whole = 1e30;
      for (int i = 0; i < 10; ++i) {
        auto const begin = Clock::now();
        if (to_device)
          Kokkos::deep_copy(instance, device, host);
        else
          Kokkos::deep_copy(instance, host, device);
        held = std::min(held, micros(begin));
        instance.fence();
        whole = std::min(whole, micros(begin));
      }
      std::string const name = std::string(to_device ? "rate_h2d_" : "rate_d2h_") + std::to_string(mib) + "MiB_";
      print(name + "holds_caller", held);
      print(name + "whole", whole);
    }
  }
  pipeline<Host>("rate_pipeline_256MiB_whole");
  // The runtime copies pinned memory without staging: the limit of the link, or of the processes that share it.
  pipeline<Pinned>("rate_pinned_pipeline_256MiB_whole");
}

void pinned() {
  Exec const instance = Kokkos::Experimental::partition_space(Exec(), 1)[0];
  std::size_t const n = 256000000;
  Device device("device", n);
  Pinned host("pinned", n);
  for (bool to_device : {true, false}) {
    double best = 1e30;
    for (int i = 0; i < 20; ++i) {
      auto const begin = Clock::now();
      if (to_device)
        Kokkos::deep_copy(instance, device, host);
      else
        Kokkos::deep_copy(instance, host, device);
      best = std::min(best, micros(begin));
      instance.fence();
    }
    print(to_device ? "inst_pinned_h2d_256MB_call" : "inst_pinned_d2h_256MB_call", best);
  }
}

}  // namespace

int main(int argc, char** argv) {
  Kokkos::ScopeGuard guard(argc, argv);
  std::string const what = argc > 1 ? argv[1] : "latency";
  std::size_t const size = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 0;
  if (what == "first")
    first(size ? size : 32);
  else if (what == "long")
    long_copy(size ? size : 30);
  else if (what == "rate")
    rate();
  else if (what == "pinned")
    pinned();
  else if (what == "shared")
    shared(size ? size : 5);
  else
    latency();
}
