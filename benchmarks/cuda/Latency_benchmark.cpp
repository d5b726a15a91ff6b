// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// \file
/// Time of small operations: views, fences, instances, launches, reductions, scans, fills and copies, in microseconds
/// for each call, compared with the same task in raw CUDA. Uses only the documented interface, so that
/// benchmarks/latency.py can also build it with another installed Kokkos.
///
///     Latency_benchmark [--out=FILE] [--filter=REGULAR_EXPRESSION] [--rounds=N] [--core=N]
///
/// A row is the best of N rounds, by default of five. Writes Google Benchmark's JSON, for the scripts in this folder.
/// With --core, the program first makes large copies, after which a library has its staging threads. Then it binds its
/// main thread to that core and its other threads to the other cores that the process may use.

#include "RawCuda.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <regex>
#include <string>
#include <thread>
#include <utility>
#include <vector>
#ifdef __linux__
#include <sched.h>
#include <unistd.h>
#endif

namespace {

using Kokkos::Benchmarks::check;
using Space      = Kokkos::Cuda;
using DeviceView = Kokkos::View<char*, Kokkos::CudaSpace>;
using HostView   = Kokkos::View<char*, Kokkos::HostSpace>;
using PinnedView = Kokkos::View<char*, Kokkos::CudaHostPinnedSpace>;

// ---- rows ----------------------------------------------------------------------------------------------------------

template <class Work>
double microseconds(Work const& work) {
  auto const begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count();
}

struct Rows {
  std::regex filter{""};
  int rounds = 5;
  std::vector<std::pair<std::string, double>> rows;

  bool is_wanted(std::string const& name) const { return std::regex_search(name, filter); }
  void add(std::string const& name, double us) {
    rows.emplace_back(name, us);
    std::printf("%-44s %10.3f us\n", name.c_str(), us);
    std::fflush(stdout);
  }
  /// `calls` calls of `f` in a round; the device is idle at the begin and end of each round.
  template <class F>
  void time(std::string const& name, int calls, F const& f) {
    if (!is_wanted(name)) return;
    double best = 1e30;
    for (int round = 0; round <= rounds; ++round) {
      check(cudaDeviceSynchronize());
      double const us = microseconds([&] {
        for (int i = 0; i < calls; ++i) f();
      });
      Kokkos::fence();
      check(cudaDeviceSynchronize());
      if (round > 0) best = std::min(best, us / calls);  // the first warms up
    }
    add(name, best);
  }
};

std::string size_words(std::size_t bytes) {
  if (bytes >= (1u << 20)) return std::to_string(bytes >> 20) + "MB";
  if (bytes >= 1024) return std::to_string(bytes >> 10) + "KB";
  return std::to_string(bytes) + "B";
}
/// Fewer calls for slow operations.
int calls_for(std::size_t bytes, int most = 1000) {
  return std::max(10, static_cast<int>(std::min<std::size_t>(most, (std::size_t(64) << 20) / (bytes + 1))));
}

// ---- the threads of the process ------------------------------------------------------------------------------------

/// Binds the main thread to `core`, and the other threads of the process to their other cores.
void bind_threads([[maybe_unused]] int core) {
#ifdef __linux__
  for (auto const& task : std::filesystem::directory_iterator("/proc/self/task")) {
    pid_t const thread = static_cast<pid_t>(std::stol(task.path().filename().string()));
    cpu_set_t cores;
    CPU_ZERO(&cores);
    if (thread == getpid())
      CPU_SET(core, &cores);
    else if (sched_getaffinity(thread, sizeof cores, &cores) == 0)
      CPU_CLR(core, &cores);
    if (CPU_COUNT(&cores) > 0 && sched_setaffinity(thread, sizeof cores, &cores) != 0) std::perror("sched_setaffinity");
  }
#endif
}

/// A library with staging threads starts them after large pageable copies.
void start_staging_threads() {
  Space const space;
  DeviceView device("device", 32 << 20);
  HostView host("host", 32 << 20);
  for (int i = 0; i < 8; ++i) {
    Kokkos::deep_copy(space, device, host);
    space.fence();
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
}

/// A loop of dependent multiplications: its time shows the clock of the core.
void host_loop(Rows& rows) {
  std::uint64_t value = 1;
  rows.time("raw_host_loop_10000", 200, [&] {
    for (int i = 0; i < 10000; ++i) {
      value *= 0x9e3779b97f4a7c15u;
      asm volatile("" : "+r"(value));
    }
  });
}

// ---- kernels -------------------------------------------------------------------------------------------------------

struct Touch1 {
  DeviceView view;
  KOKKOS_FUNCTION void operator()(int i) const { view(i) = 1; }
};
struct Touch2 {
  DeviceView view;
  KOKKOS_FUNCTION void operator()(int i, int j) const { view(i + 16 * j) = 1; }
};
struct Touch3 {
  DeviceView view;
  KOKKOS_FUNCTION void operator()(int i, int j, int k) const { view(i + 8 * (j + 8 * k)) = 1; }
};
struct TouchTeam {
  using Member = Kokkos::TeamPolicy<Space>::member_type;
  DeviceView view;
  KOKKOS_FUNCTION void operator()(Member const& member) const { view(member.league_rank()) = 1; }
};
struct Sum {
  KOKKOS_FUNCTION void operator()(int i, double& sum) const { sum += i; }
};
struct Prefix {
  Kokkos::View<double*, Kokkos::CudaSpace> out;
  KOKKOS_FUNCTION void operator()(int i, double& sum, bool is_final) const {
    sum += 1;
    if (is_final) out(i) = sum;
  }
};
/// A functor of `Bytes` bytes.
template <int Bytes>
struct Sized {
  char* out;
  unsigned char values[Bytes - sizeof(char*)];
  KOKKOS_FUNCTION void operator()(int i) const { out[i] = static_cast<char>(values[i % sizeof values]); }
};
__global__ void raw_touch(char* p) { p[threadIdx.x] = 1; }

// ---- groups of rows ------------------------------------------------------------------------------------------------

template <class View>
void views_of(Rows& rows, std::string const& space, std::size_t bytes) {
  std::string const name = "view_" + space + '_' + size_words(bytes);
  int const calls        = std::min(calls_for(bytes, 500), 500);
  rows.time(name, calls, [&] { View view("view", bytes); });
  rows.time(name + "_noinit", calls,
            [&] { View view(Kokkos::view_alloc("view", Kokkos::WithoutInitializing), bytes); });
}

void views(Rows& rows) {
  Space const space;
  for (std::size_t const bytes :
       {std::size_t(8), std::size_t(1) << 10, std::size_t(64) << 10, std::size_t(1) << 20, std::size_t(64) << 20}) {
    views_of<DeviceView>(rows, "device", bytes);
    int const calls = std::min(calls_for(bytes, 500), 500);
    rows.time("view_device_" + size_words(bytes) + "_noinit_inst", calls,
              [&] { DeviceView view(Kokkos::view_alloc("view", space, Kokkos::WithoutInitializing), bytes); });
    rows.time("raw_malloc_free_" + size_words(bytes), calls, [&] {
      void* p = nullptr;
      check(cudaMalloc(&p, bytes));
      check(cudaFree(p));
    });
    if (bytes > (1u << 20)) continue;
    views_of<PinnedView>(rows, "pinned", bytes);
    views_of<HostView>(rows, "host", bytes);
    rows.time("raw_pinned_" + size_words(bytes), calls, [&] {
      void* p = nullptr;
      check(cudaHostAlloc(&p, bytes, cudaHostAllocPortable | cudaHostAllocMapped));
      check(cudaFreeHost(p));
    });
  }
  views_of<Kokkos::View<char*, Kokkos::CudaUVMSpace>>(rows, "managed", 1 << 10);
}

void fences(Rows& rows) {
  Kokkos::Benchmarks::OrderedStream stream;
  rows.time("raw_stream_synchronize", 2000, [&] { check(cudaStreamSynchronize(stream)); });
  rows.time("raw_device_synchronize", 2000, [&] { check(cudaDeviceSynchronize()); });
  for (int const n : {1, 4, 16, 64, 256}) {
    std::vector<Space> instances{Space()};
    if (n > 1) instances = Kokkos::Experimental::partition_space(Space(), std::vector<int>(n - 1, 1));
    DeviceView touched("touched", 1 << 10);
    for (Space const& instance : instances)
      Kokkos::parallel_for("touch", Kokkos::RangePolicy<Space>(instance, 0, 256), Touch1{touched});
    Kokkos::fence();
    std::string const with = "_with_" + std::to_string(n) + "_instances";
    rows.time("fence" + with, 1000, [&] { Kokkos::fence(); });
    rows.time("fence_of_one" + with, 1000, [&] { instances[0].fence(); });
    rows.time("view_device_8B" + with, 300, [&] { DeviceView view("view", 8); });
  }
  for (int const n : {1, 32}) {
    rows.time("instances_make_" + std::to_string(n), 20,
              [&] { auto parts = Kokkos::Experimental::partition_space(Space(), std::vector<int>(n, 1)); });
  }
  rows.time("raw_stream_make", 20, [&] { Kokkos::Benchmarks::OrderedStream made; });
}

template <int... Bytes>
void launches_by_size(Rows& rows, DeviceView const& view) {
  Kokkos::RangePolicy<Space> const range(Space(), 0, 256);
  (rows.time("launch_functor_" + size_words(Bytes), 500,
             [&, functor = Sized<Bytes>{view.data(), {}}] { Kokkos::parallel_for("sized", range, functor); }),
   ...);
}

void launches(Rows& rows) {
  DeviceView view("view", 1 << 10);
  Space const space;
  Kokkos::RangePolicy<Space> const range(space, 0, 256);
  Kokkos::Benchmarks::OrderedStream stream;
  char* const p = view.data();
  rows.time("raw_launch", 1000, [&] { raw_touch<<<1, 256, 0, stream>>>(p); });
  rows.time("raw_launch_fence", 500, [&] {
    raw_touch<<<1, 256, 0, stream>>>(p);
    check(cudaStreamSynchronize(stream));
  });
  rows.time("launch_range", 1000, [&] { Kokkos::parallel_for("touch", range, Touch1{view}); });
  rows.time("launch_range_default_label", 1000, [&] { Kokkos::parallel_for(range, Touch1{view}); });
  rows.time("launch_range_fence", 500, [&] {
    Kokkos::parallel_for("touch", range, Touch1{view});
    space.fence();
  });
  using Policy2 = Kokkos::MDRangePolicy<Space, Kokkos::Rank<2>>;
  using Policy3 = Kokkos::MDRangePolicy<Space, Kokkos::Rank<3>>;
  rows.time("launch_md2", 1000, [&] { Kokkos::parallel_for("touch", Policy2(space, {0, 0}, {16, 16}), Touch2{view}); });
  rows.time("launch_md3", 1000,
            [&] { Kokkos::parallel_for("touch", Policy3(space, {0, 0, 0}, {8, 8, 8}), Touch3{view}); });
  rows.time("policy_md2", 1000, [&] { (void)Policy2(space, {0, 0}, {16, 16}); });
  Policy2 const made2(space, {0, 0}, {16, 16});
  rows.time("launch_md2_made_before", 1000, [&] { Kokkos::parallel_for("touch", made2, Touch2{view}); });
  using Teams = Kokkos::TeamPolicy<Space>;
  rows.time("launch_team", 1000, [&] { Kokkos::parallel_for("touch", Teams(space, 64, 64), TouchTeam{view}); });
  rows.time("launch_team_scratch0", 1000, [&] {
    Kokkos::parallel_for("touch", Teams(space, 64, 64).set_scratch_size(0, Kokkos::PerTeam(1024)), TouchTeam{view});
  });
  rows.time("launch_team_auto_scratch0", 1000, [&] {
    Kokkos::parallel_for("touch", Teams(space, 64, Kokkos::AUTO).set_scratch_size(0, Kokkos::PerTeam(1024)),
                         TouchTeam{view});
  });
  rows.time("launch_team_scratch1", 1000, [&] {
    Kokkos::parallel_for("touch", Teams(space, 64, 64).set_scratch_size(1, Kokkos::PerTeam(1024)), TouchTeam{view});
  });
  launches_by_size<32, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 65536>(rows, view);
}

void reductions(Rows& rows) {
  Space const space;
  Kokkos::View<double, Kokkos::CudaSpace> on_device("sum");
  Kokkos::View<double*, Kokkos::CudaSpace> out("out", 1000000);
  double sum = 0;
  for (int const n : {1000, 1000000}) {
    std::string const of = n == 1000 ? "_1000" : "_1M";
    Kokkos::RangePolicy<Space> const range(space, 0, n);
    rows.time("reduce_to_scalar" + of, 300, [&] { Kokkos::parallel_reduce("sum", range, Sum(), sum); });
    rows.time("reduce_to_view" + of, 300, [&] { Kokkos::parallel_reduce("sum", range, Sum(), on_device); });
    rows.time("scan" + of, 300, [&] { Kokkos::parallel_scan("scan", range, Prefix{out}); });
    rows.time("scan_total" + of, 300, [&] { Kokkos::parallel_scan("scan", range, Prefix{out}, sum); });
  }
}

void fills(Rows& rows, std::size_t bytes) {
  Space const space;
  DeviceView view("view", bytes);
  Kokkos::View<double*, Kokkos::CudaSpace> doubles("doubles", bytes / 8);
  Kokkos::Benchmarks::OrderedStream stream;
  std::string const of = '_' + size_words(bytes);
  int const calls      = calls_for(bytes, 500);
  rows.time("fill_inst" + of, calls, [&] { Kokkos::deep_copy(space, doubles, 0.0); });
  rows.time("fill_sync" + of, calls, [&] { Kokkos::deep_copy(doubles, 0.0); });
  rows.time("fill_sync_of_ones" + of, calls, [&] { Kokkos::deep_copy(doubles, 1.0); });
  rows.time("raw_fill_sync" + of, calls, [&] {
    check(cudaMemsetAsync(view.data(), 0, bytes, stream));
    check(cudaStreamSynchronize(stream));
  });
}

template <class View>
void copies_of(Rows& rows, std::string const& kind, std::size_t bytes) {
  Space const space;
  View host("host", bytes);
  std::memset(host.data(), 1, bytes);
  DeviceView device("device", bytes);
  Kokkos::Benchmarks::OrderedStream stream;
  std::string const of = kind + '_' + size_words(bytes);
  int const calls      = bytes > (8u << 20) ? 3 : calls_for(4 * bytes, 400);
  void *h = host.data(), *d = device.data();
  rows.time("sync_h2d" + of, calls, [&] { Kokkos::deep_copy(device, host); });
  rows.time("sync_d2h" + of, calls, [&] { Kokkos::deep_copy(host, device); });
  rows.time("inst_h2d" + of, calls, [&] { Kokkos::deep_copy(space, device, host); });
  rows.time("inst_d2h" + of, calls, [&] { Kokkos::deep_copy(space, host, device); });
  rows.time("inst_h2d_fence" + of, calls, [&] {
    Kokkos::deep_copy(space, device, host);
    space.fence();
  });
  rows.time("inst_d2h_fence" + of, calls, [&] {
    Kokkos::deep_copy(space, host, device);
    space.fence();
  });
  rows.time("inst_h2d_kernel_fence" + of, calls, [&] {
    Kokkos::deep_copy(space, device, host);
    Kokkos::parallel_for("touch", Kokkos::RangePolicy<Space>(space, 0, 8), Touch1{device});
    space.fence();
  });
  rows.time("kernel_inst_d2h_fence" + of, calls, [&] {
    Kokkos::parallel_for("touch", Kokkos::RangePolicy<Space>(space, 0, 8), Touch1{device});
    Kokkos::deep_copy(space, host, device);
    space.fence();
  });
  rows.time("raw_inst_h2d" + of, calls, [&] { check(cudaMemcpyAsync(d, h, bytes, cudaMemcpyDefault, stream)); });
  rows.time("raw_inst_d2h" + of, calls, [&] { check(cudaMemcpyAsync(h, d, bytes, cudaMemcpyDefault, stream)); });
  rows.time("raw_sync_h2d" + of, calls, [&] {
    check(cudaMemcpyAsync(d, h, bytes, cudaMemcpyDefault, stream));
    check(cudaStreamSynchronize(stream));
  });
  rows.time("raw_sync_d2h" + of, calls, [&] {
    check(cudaMemcpyAsync(h, d, bytes, cudaMemcpyDefault, stream));
    check(cudaStreamSynchronize(stream));
  });
}

/// Microseconds for each call on one of `n` threads, each of which has an instance.
void threads(Rows& rows) {
  constexpr int calls = 300;
  auto const each     = [&](std::string const& name, int n, auto const& work) {
    if (!rows.is_wanted(name)) return;
    std::vector<Space> instances{Space()};
    if (n > 1) instances = Kokkos::Experimental::partition_space(Space(), std::vector<int>(n, 1));
    double best = 1e30;
    for (int round = 0; round <= rows.rounds; ++round) {
      Kokkos::fence();
      double const us = microseconds([&] {
        std::vector<std::thread> all;
        for (int t = 0; t < n; ++t)
          all.emplace_back([&, t] {
            for (int i = 0; i < calls; ++i) work(instances[t]);
            instances[t].fence();
          });
        for (auto& thread : all) thread.join();
      });
      if (round > 0) best = std::min(best, us / calls);
    }
    rows.add(name, best);
  };
  DeviceView view("view", 1 << 10);
  for (int const n : {1, 2, 4, 8, 16}) {
    std::string const of = "_each_of_" + std::to_string(n);
    each("threads_launch" + of, n, [&](Space const& instance) {
      Kokkos::parallel_for("touch", Kokkos::RangePolicy<Space>(instance, 0, 256), Touch1{view});
    });
    each("threads_reduce" + of, n, [&](Space const& instance) {
      double sum = 0;
      Kokkos::parallel_reduce("sum", Kokkos::RangePolicy<Space>(instance, 0, 1000), Sum(), sum);
    });
    each("threads_view_1KB" + of, n, [&](Space const& instance) {
      DeviceView made(Kokkos::view_alloc("view", instance, Kokkos::WithoutInitializing), 1 << 10);
    });
  }
}

void write_json(std::string const& file, Rows const& rows, char** argv) {
  std::FILE* const out = std::fopen(file.c_str(), "w");
  if (!out) return std::perror(file.c_str());
  cudaDeviceProp device{};
  check(cudaGetDeviceProperties(&device, 0));
  std::fprintf(
      out, "{\n \"context\": {\"executable\": \"%s\", \"hardware\": \"%s\", \"host_cores\": %u},\n \"benchmarks\": [",
      argv[0], device.name, std::thread::hardware_concurrency());
  char const* comma = "";
  for (auto const& [name, us] : rows.rows) {
    std::fprintf(out, "%s\n  {\"name\": \"%s\", \"real_time\": %.6g, \"time_unit\": \"us\"}", comma, name.c_str(), us);
    comma = ",";
  }
  std::fprintf(out, "\n ]\n}\n");
  std::fclose(out);
}

}  // namespace

int main(int argc, char** argv) {
  Rows rows;
  std::string file;
  int core = -1;
  for (int i = 1; i < argc; ++i) {
    std::string const argument = argv[i];
    if (argument.rfind("--out=", 0) == 0) file = argument.substr(6);
    if (argument.rfind("--filter=", 0) == 0) rows.filter = argument.substr(9);
    if (argument.rfind("--rounds=", 0) == 0) rows.rounds = std::stoi(argument.substr(9));
    if (argument.rfind("--core=", 0) == 0) core = std::stoi(argument.substr(7));
  }
  Kokkos::ScopeGuard const guard(argc, argv);
  if (core >= 0) {
    start_staging_threads();
    bind_threads(core);
  }
  host_loop(rows);
  views(rows);
  fences(rows);
  launches(rows);
  reductions(rows);
  for (int const kib : {0, 1, 4, 16, 64, 256, 1024, 4096, 8192, 65536}) {
    std::size_t const bytes = kib == 0 ? 8 : std::size_t(kib) << 10;
    fills(rows, bytes);
    copies_of<HostView>(rows, "", bytes);
    copies_of<PinnedView>(rows, "_pinned", bytes);
  }
  threads(rows);
  if (!file.empty()) write_json(file, rows, argv);
}
