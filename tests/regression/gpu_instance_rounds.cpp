// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reported: github.com/kokkos/kokkos/issues/8006 and 7942. The plain HIP programs in this folder show how upstream's
// launch failed when instances were created and destroyed (an event outlived its stream), and when another stream was
// being captured (the launch waited for an event). This is the counterpart: the same through this backend, which must
// pass.
//
// Each round creates two instances by partition_space, launches kernels with functors by value, of upstream's
// problematic sizes (512 bytes to 32 KB) and beyond the maximum size of kernel parameters, and destroys instances in
// random order, with and without a fence before. `--capture` keeps another stream of the program under a global capture
// all the time. Every kernel checks its functor, and the device counts every launch.
//
// It would fail again if an event could outlive its stream and be waited for, if a launch made a call that a capture in
// another stream forbids, or if a slot of the ring were reused while a kernel reads it.
//
// gpu_instance_rounds [--rounds N] [--threads T] [--capture] [--seed S] prints one line of JSON; the status is 0 if
// there was no error.
#include "../gpu/DeviceTest.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace rounds {

using Kokkos::Testing::GPU;
using Kokkos::Testing::Runtime;
using Counters = Kokkos::View<unsigned long long*, GPU>;

struct Settings {
  long rounds        = 2000;
  int threads        = 1;
  bool capture       = false;
  std::uint64_t seed = 1;
};

/// Counts a launch that received the whole functor, and one that did not.
template <int Words>
struct Launch {
  Counters counters;
  unsigned words[Words];

  Launch(Counters c, unsigned value) : counters(c) {
    for (int i = 0; i < Words; ++i) words[i] = value + static_cast<unsigned>(i);
  }
  KOKKOS_FUNCTION void operator()(int) const {
    bool whole = true;
    for (int i = 1; i < Words; ++i) whole = whole && words[i] == words[0] + static_cast<unsigned>(i);
    Kokkos::atomic_inc(&counters(whole ? 0 : 1));
  }
};

struct Random {
  std::uint64_t state;
  explicit Random(std::uint64_t seed) : state(seed * 0x9e3779b97f4a7c15u + 1) {}
  unsigned below(unsigned n) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return static_cast<unsigned>((state >> 33) % n);
  }
};

template <int Words>
void launch(GPU const& instance, Counters const& counters, unsigned value) {
  Kokkos::parallel_for("round", Kokkos::RangePolicy<GPU>(instance, 0, 1), Launch<Words>(counters, value));
}

/// One host thread's rounds. \returns the number of its launches
long play(Settings const& settings, Counters const& counters, int thread) {
  Random random(settings.seed * 1000 + static_cast<std::uint64_t>(thread));
  std::vector<GPU> instances;
  long launches   = 0;
  long const mine = settings.rounds / settings.threads + (thread < settings.rounds % settings.threads ? 1 : 0);
  for (long round = 0; round < mine; ++round) {
    for (GPU const& instance : Kokkos::partition_space(GPU(), std::vector<int>{1, 1})) instances.push_back(instance);
    for (int i = 0; i < 2; ++i) {
      GPU const& instance  = instances[random.below(static_cast<unsigned>(instances.size()))];
      unsigned const value = static_cast<unsigned>(round);
      switch (random.below(4)) {
        case 0:
          launch<8>(instance, counters, value);
          break;  // local memory, upstream
        case 1:
          launch<256>(instance, counters, value);
          break;  // constant memory, upstream
        case 2:
          launch<1200>(instance, counters, value);
          break;  // constant memory, upstream; on HIP the ring
        case 3:
          launch<10000>(instance, counters, value);
          break;  // global memory, upstream; here the ring
      }
      ++launches;
      if (random.below(8) == 0) instance.fence("now and then");
    }
    while (instances.size() > 4 || (!instances.empty() && random.below(2) == 0)) {
      std::swap(instances[random.below(static_cast<unsigned>(instances.size()))], instances.back());
      instances.pop_back();
    }
  }
  return launches;
}

/// Repeatedly captures another stream of the program, until `stop`. \returns the error, or an empty string
std::string capture_until(std::atomic<bool> const& stop, long& captures) {
  Kokkos::Testing::OwnStream stream;
  void* memory = nullptr;
  if (Runtime::malloc_device(&memory, 64) != Runtime::success) return "no memory for the capture";
  std::string wrong;
  while (!stop.load() && wrong.empty()) {
    Runtime::graph_t graph = nullptr;
    constexpr auto global  = KOKKOS_IMPL_GPU_VENDOR(StreamCaptureModeGlobal);
    auto error             = KOKKOS_IMPL_GPU_VENDOR(StreamBeginCapture)(stream.get(), global);
    if (error == Runtime::success) error = Runtime::memset_async(memory, 0, 64, stream.get());
    std::this_thread::sleep_for(std::chrono::microseconds(200));
    auto const ended = KOKKOS_IMPL_GPU_VENDOR(StreamEndCapture)(stream.get(), &graph);
    if (error == Runtime::success) error = ended;
    if (error != Runtime::success) wrong = "the other capture was invalidated: " + Kokkos::Testing::words(error);
    if (graph) (void)Runtime::graph_destroy(graph);
    ++captures;
  }
  (void)Runtime::free_device(memory);
  return wrong;
}

int run(Settings const& settings) {
  auto const start = std::chrono::steady_clock::now();
  Counters const counters("counters", 2);
  std::vector<std::string> wrong(static_cast<std::size_t>(settings.threads) + 1);
  std::vector<long> launches(static_cast<std::size_t>(settings.threads));
  std::atomic<bool> stop{false};
  long captures = 0;
  std::thread capturing;
  Kokkos::fence();
  if (settings.capture) capturing = std::thread([&] { wrong.back() = capture_until(stop, captures); });
  std::vector<std::thread> players;
  for (int t = 0; t < settings.threads; ++t) {
    players.emplace_back([&, t, at = static_cast<std::size_t>(t)] {
      wrong[at] = Kokkos::Testing::thrown_message([&] { launches[at] = play(settings, counters, t); });
    });
  }
  for (std::thread& player : players) player.join();
  stop = true;
  if (capturing.joinable()) capturing.join();

  long expected = 0;
  for (long n : launches) expected += n;
  auto const host      = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), counters);
  double const seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  long const torn = static_cast<long>(host(1)), counted = static_cast<long>(host(0)) + torn;
  std::string problem;
  for (std::string const& one : wrong)
    if (problem.empty()) problem = one;
  if (problem.empty() && torn != 0) problem = "functors came torn";
  if (problem.empty() && counted != expected) problem = "kernels were lost";
  std::printf(
      "{\"rounds\": %ld, \"host_threads\": %d, \"capture_elsewhere\": %s, \"seed\": %llu, \"launches\": %ld, "
      "\"counted_by_the_device\": %ld, \"torn_functors\": %ld, \"captures\": %ld, \"seconds\": %.1f, "
      "\"space\": \"%s\", \"problem\": \"%s\"}\n",
      settings.rounds, settings.threads, settings.capture ? "true" : "false",
      static_cast<unsigned long long>(settings.seed), expected, counted, torn, captures, seconds, GPU::name(),
      problem.c_str());
  return problem.empty() ? 0 : 1;
}

Settings parse(int argc, char** argv) {
  Settings settings;
  for (int i = 1; i < argc; ++i) {
    std::string const argument = argv[i];
    long const value           = i + 1 < argc ? std::atol(argv[i + 1]) : 0;
    if (argument == "--capture") {
      settings.capture = true;
    } else if (value > 0 && argument == "--rounds") {
      settings.rounds = value, ++i;
    } else if (value > 0 && argument == "--threads") {
      settings.threads = static_cast<int>(value), ++i;
    } else if (value > 0 && argument == "--seed") {
      settings.seed = static_cast<std::uint64_t>(value), ++i;
    } else {
      std::fprintf(stderr, "gpu_instance_rounds takes --rounds N, --threads T, --capture and --seed S, not \"%s\".\n",
                   argument.c_str());
      std::exit(2);
    }
  }
  return settings;
}

}  // namespace rounds

int main(int argc, char** argv) {
  Kokkos::initialize(argc, argv);
  int const status = rounds::run(rounds::parse(argc, argv));
  Kokkos::finalize();
#ifdef KOKKOS_IMPL_GPU_MODEL
  if (hip_model::check_leaks() != 0 || hip_model::violation_count() != 0) {
    std::printf("%zu violations; the last: %s\n", hip_model::violation_count(),
                hip_model::last_report().message.c_str());
    return 1;
  }
#endif
  return status;
}
