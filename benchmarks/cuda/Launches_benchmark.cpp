// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// \file
/// Launches: their time depending on the functor's size, how long they block the host, and the concurrency of instances
/// and host threads. All are compared with raw CUDA.

#include "../Ratio.hpp"
#include "RawCuda.hpp"

#include <Kokkos_Core.hpp>

#include <array>
#include <memory>
#include <thread>
#include <type_traits>
#include <vector>

namespace {

using namespace Kokkos::Benchmarks;
using Space = Kokkos::Cuda;

/// A functor of `Bytes` bytes that reads a small part of itself.
template <int Bytes>
struct Functor {
  double* out;
  double payload[Bytes / 8 - 1];
  KOKKOS_FUNCTION void operator()(int i) const {
    if (payload[i % (Bytes / 8 - 1)] == -1) out[0] = 1;
  }
};

template <int Bytes>
__global__ void raw_by_value(__grid_constant__ const Functor<Bytes> functor) {
  functor(threadIdx.x);
}
template <int Bytes>
__global__ void raw_by_pointer(Functor<Bytes> const* functor) {
  (*functor)(threadIdx.x);
}

// ---- one launch ---------------------------------------------------------------------------------------------------

/// Beyond the maximum size of kernel parameters the reference is a copy of the functor, in place, and a launch.
template <int Bytes>
void launch(benchmark::State& state) {
  constexpr int repeats = 200;
  DeviceBuffer out(8);
  Functor<Bytes> functor{};
  functor.out = static_cast<double*>(out.get());
  Stream stream;
  DeviceBuffer on_device(Bytes);
  compare(
      state, 0,
      [&] {
        for (int r = 0; r < repeats; ++r) {
          if constexpr (Bytes <= 32764) {
            raw_by_value<Bytes><<<1, 256, 0, stream>>>(functor);
          } else {
            check(cudaMemcpyAsync(on_device.get(), &functor, Bytes, cudaMemcpyHostToDevice, stream));
            raw_by_pointer<Bytes><<<1, 256, 0, stream>>>(static_cast<Functor<Bytes> const*>(on_device.get()));
          }
        }
        check(cudaStreamSynchronize(stream));
      },
      [&] {
        for (int r = 0; r < repeats; ++r) Kokkos::parallel_for("launch", Kokkos::RangePolicy<Space>(0, 256), functor);
        Kokkos::fence();
      });
}

// ---- two-millisecond kernels --------------------------------------------------------------------------------------

template <int Bytes>
struct Spin {
  long long cycles;
  char payload[Bytes - 8];
  KOKKOS_FUNCTION void operator()(int) const {
    KOKKOS_IF_ON_DEVICE((long long const begin = clock64(); while (clock64() - begin < cycles){}))
  }
};

long long cycles_of_two_ms() {
  int khz = 0;
  check(cudaDeviceGetAttribute(&khz, cudaDevAttrClockRate, 0));
  return 2LL * khz;
}

/// Counter `blocked`: the share of the kernels' run time that the host needs to enqueue eight of them.
template <int Bytes>
void enqueue_eight(benchmark::State& state) {
  Spin<Bytes> spin{};
  spin.cycles = cycles_of_two_ms();
  std::vector<double> shares;
  for (auto _ : state) {
    Kokkos::fence();
    double enqueue     = 0;
    double const whole = seconds_of([&] {
      enqueue = seconds_of([&] {
        for (int k = 0; k < 8; ++k) Kokkos::parallel_for("spin", Kokkos::RangePolicy<Space>(0, 1), spin);
      });
      Kokkos::fence();
    });
    shares.push_back(enqueue / whole);
    state.SetIterationTime(enqueue);
  }
  state.counters["blocked"] = median(shares);
}

template <int Bytes>
__global__ void raw_spin(__grid_constant__ const Spin<Bytes> spin) {
  spin(0);
}
template <int Bytes>
__global__ void raw_spin_by_pointer(Spin<Bytes> const* spin) {
  (*spin)(0);
}

/// One 2 ms kernel of a single block on each of `state.range(0)` instances, compared with the same on raw streams: a
/// launch with that parameter or, if the size exceeds the maximum, a copy and a launch. With `OverSmall` the reference
/// always launches with 16 bytes.
template <int Bytes, bool OverSmall = false>
void instances(benchmark::State& state) {
  constexpr int raw_bytes = OverSmall ? 16 : Bytes;
  int const n             = static_cast<int>(state.range(0));
  Spin<Bytes> spin{};
  spin.cycles = cycles_of_two_ms();
  std::vector<Stream> streams(n);
  auto const spaces = Kokkos::Experimental::partition_space(Space(), std::vector<int>(n, 1));
  Spin<raw_bytes> raw{};
  raw.cycles = spin.cycles;
  std::vector<std::unique_ptr<DeviceBuffer>> on_device;
  for (int k = 0; k < n; ++k) on_device.push_back(std::make_unique<DeviceBuffer>(raw_bytes));
  compare(
      state, 0,
      [&] {
        for (int k = 0; k < n; ++k) {
          if constexpr (raw_bytes <= 32764) {
            raw_spin<raw_bytes><<<1, 1, 0, streams[k]>>>(raw);
          } else {
            check(cudaMemcpyAsync(on_device[k]->get(), &raw, raw_bytes, cudaMemcpyHostToDevice, streams[k]));
            raw_spin_by_pointer<raw_bytes>
                <<<1, 1, 0, streams[k]>>>(static_cast<Spin<raw_bytes> const*>(on_device[k]->get()));
          }
        }
        for (auto& stream : streams) check(cudaStreamSynchronize(stream));
      },
      [&] {
        for (auto& space : spaces) Kokkos::parallel_for("spin", Kokkos::RangePolicy<Space>(space, 0, 1), spin);
        for (auto& space : spaces) space.fence();
      });
}

// ---- host threads -------------------------------------------------------------------------------------------------

void on_threads(int n, auto const& work) {
  std::vector<std::thread> threads;
  for (int t = 0; t < n; ++t) threads.emplace_back([&, t] { work(t); });
  for (auto& thread : threads) thread.join();
}

/// On the instances' own streams, which are ordered with the legacy default stream, compared with raw streams of that
/// kind; or, with `Unordered`, on unordered streams of the program. The driver launches faster into the latter.
template <int Bytes, bool Unordered = false>
void host_threads(benchmark::State& state) {
  constexpr int launches = 2000;
  int const n            = static_cast<int>(state.range(0));
  DeviceBuffer out(8);
  Functor<Bytes> functor{};
  functor.out = static_cast<double*>(out.get());
  std::vector<std::conditional_t<Unordered, Stream, OrderedStream>> streams(n);
  std::vector<Space> spaces;
  if (Unordered)
    for (auto& stream : streams) spaces.emplace_back(Space(stream));
  else
    spaces = Kokkos::Experimental::partition_space(Space(), std::vector<int>(n, 1));
  compare(
      state, 0,
      [&] {
        on_threads(n, [&](int t) {
          for (int k = 0; k < launches; ++k) raw_by_value<Bytes><<<1, 256, 0, streams[t]>>>(functor);
          check(cudaStreamSynchronize(streams[t]));
        });
      },
      [&] {
        on_threads(n, [&](int t) {
          for (int k = 0; k < launches; ++k)
            Kokkos::parallel_for("launch", Kokkos::RangePolicy<Space>(spaces[t], 0, 256), functor);
          spaces[t].fence();
        });
      });
}

}  // namespace

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard guard(argc, argv);
  benchmark::Initialize(&argc, argv);
  auto add = [](char const* name, void (*f)(benchmark::State&)) {
    return benchmark::RegisterBenchmark(name, f)->UseManualTime()->Unit(benchmark::kMicrosecond)->MinTime(0.1);
  };
  add("200_launches/16B", launch<16>);
  add("200_launches/1KB", launch<1024>);
  add("200_launches/3KB", launch<3072>);
  add("200_launches/8KB", launch<8192>);
  add("200_launches/20KB", launch<20480>);
  add("200_launches/64KB", launch<65536>);
  add("200_launches/256KB", launch<262144>);
  // A fixed number of iterations: the timed part is a thousandth of an iteration.
  auto add_few = [](char const* name, void (*f)(benchmark::State&)) {
    return benchmark::RegisterBenchmark(name, f)->UseManualTime()->Unit(benchmark::kMicrosecond)->Iterations(20);
  };
  add_few("enqueue_eight/16B", enqueue_eight<16>);
  add_few("enqueue_eight/1KB", enqueue_eight<1024>);
  add_few("enqueue_eight/20KB", enqueue_eight<20480>);
  add_few("enqueue_eight/256KB", enqueue_eight<262144>);
  add("instances/16B", instances<16>)->Arg(8)->Arg(32)->Arg(64);
  add("instances/20KB", instances<20480>)->Arg(8)->Arg(32)->Arg(64);
  add("instances/64KB", instances<65536>)->Arg(8)->Arg(32)->Arg(64);
  add("instances_over_16B/64KB", instances<65536, true>)->Arg(8)->Arg(32)->Arg(64);
  add("host_threads/16B", host_threads<16>)->Arg(1)->Arg(4)->Arg(16);
  add("host_threads/1KB", host_threads<1024>)->Arg(16);
  add("host_threads_unordered_streams/16B", host_threads<16, true>)->Arg(16);
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
