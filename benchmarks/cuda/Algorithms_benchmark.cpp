// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// \file
/// Compares random fills and standard algorithms on a GPU with the memory bandwidth. Each benchmark runs Kokkos and its
/// reference alternately: CUB, a raw kernel that stores, or cuRAND's XORWOW, the cheapest of its generators.
///
/// Arrays have KOKKOS_BENCHMARK_SIZE elements, by default 10^8.

#include "../Ratio.hpp"
#include "RawCuda.hpp"

#include <Kokkos_Core.hpp>
#include <Kokkos_Random.hpp>
#include <Kokkos_StdAlgorithms.hpp>

#include <cub/cub.cuh>
#include <curand_kernel.h>

#include <cstdint>
#include <cstdlib>

namespace {

using namespace Kokkos::Benchmarks;
using Space  = Kokkos::Cuda;
namespace KE = Kokkos::Experimental;

std::size_t array_size() {
  char const* given = std::getenv("KOKKOS_BENCHMARK_SIZE");
  return given ? std::strtoull(given, nullptr, 10) : std::size_t(100000000);
}
unsigned blocks(std::size_t n) { return static_cast<unsigned>((n + 255) / 256); }

// ---- random numbers ------------------------------------------------------------------------------------------------

template <class T>
__global__ void raw_fill(T* x, std::size_t n, T value) {
  std::size_t const i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) x[i] = value;
}

template <class Pool, class T>
void fill_random(benchmark::State& state) {
  Kokkos::View<T*, Space> x("x", array_size());
  Pool const pool(7);
  Stream const stream;
  Space const exec(stream);
  compare(
      state, static_cast<double>(sizeof(T) * array_size()),
      [&] {
        raw_fill<<<blocks(array_size()), 256, 0, stream>>>(x.data(), array_size(), T(1));
        check(cudaStreamSynchronize(stream));
      },
      [&] {
        Kokkos::fill_random(exec, x, pool, T(1));
        exec.fence();
      });
}

/// As many states as concurrent threads; each continues its sequence, like the states of a pool.
struct CurandStates {
  static constexpr unsigned number_of_blocks = 132 * 8;
  CurandStates() : memory(sizeof(curandState) * number_of_blocks * 256) {}
  curandState* get() const { return static_cast<curandState*>(memory.get()); }
  DeviceBuffer memory;
};

__global__ void seed_curand(curandState* states) {
  unsigned const thread = blockIdx.x * blockDim.x + threadIdx.x;
  curand_init(7 + thread, 0, 0, states + thread);  // a different seed for each: by far the fastest method
}

__device__ void draw(curandState& state, float& number) { number = curand_uniform(&state); }
__device__ void draw(curandState& state, double& number) { number = curand_uniform_double(&state); }

template <class T>
__global__ void curand_fill(curandState* states, T* x, std::size_t n) {
  unsigned const thread = blockIdx.x * blockDim.x + threadIdx.x;
  curandState state     = states[thread];
  for (std::size_t i = thread; i < n; i += std::size_t(gridDim.x) * blockDim.x) draw(state, x[i]);
  states[thread] = state;
}

template <class Pool, class T>
void fill_random_over_curand(benchmark::State& state) {
  Kokkos::View<T*, Space> x("x", array_size());
  Pool const pool(7);
  Stream const stream;
  Space const exec(stream);
  CurandStates const states;
  seed_curand<<<CurandStates::number_of_blocks, 256, 0, stream>>>(states.get());
  compare(
      state, static_cast<double>(sizeof(T) * array_size()),
      [&] {
        curand_fill<<<CurandStates::number_of_blocks, 256, 0, stream>>>(states.get(), x.data(), array_size());
        check(cudaStreamSynchronize(stream));
      },
      [&] {
        Kokkos::fill_random(exec, x, pool, T(1));
        exec.fence();
      });
}

// Many numbers for each state that a thread takes, as in Monte Carlo programs.
constexpr int draws_per_item = 1000;

__global__ void curand_inside(curandState* states, unsigned* hits) {
  unsigned const thread = blockIdx.x * blockDim.x + threadIdx.x;
  curandState state     = states[thread];
  unsigned count        = 0;
  for (int i = 0; i < draws_per_item; ++i) {
    float const x = curand_uniform(&state), y = curand_uniform(&state);
    count += x * x + y * y < 1 ? 1 : 0;
  }
  states[thread] = state;
  atomicAdd(hits, count);
}

template <class Pool>
void count_hits(Space const& exec, Pool const& pool, Kokkos::View<unsigned, Space> const& hits, unsigned items) {
  Kokkos::parallel_for(
      "hits", Kokkos::RangePolicy<Space>(exec, 0, items), KOKKOS_LAMBDA(unsigned) {
        auto generator = pool.get_state();
        unsigned count = 0;
        for (int i = 0; i < draws_per_item; ++i) {
          float const x = generator.frand(), y = generator.frand();
          count += x * x + y * y < 1 ? 1 : 0;
        }
        pool.free_state(generator);
        Kokkos::atomic_add(hits.data(), count);
      });
}

template <class Pool>
void generators_in_kernels(benchmark::State& state) {
  Pool const pool(7);
  Kokkos::View<unsigned, Space> hits("hits");
  Stream const stream;
  Space const exec(stream);
  CurandStates const states;
  seed_curand<<<CurandStates::number_of_blocks, 256, 0, stream>>>(states.get());
  compare(
      state, 0,
      [&] {
        curand_inside<<<CurandStates::number_of_blocks, 256, 0, stream>>>(states.get(), hits.data());
        check(cudaStreamSynchronize(stream));
      },
      [&] {
        count_hits(exec, pool, hits, CurandStates::number_of_blocks * 256);
        exec.fence();
      });
}

// ---- standard algorithms -------------------------------------------------------------------------------------------

/// Runs `call(memory, bytes)` of CUB with a workspace, and `ours`, alternately.
template <class Call, class Ours>
void compare_with_cub(benchmark::State& state, double bytes_moved, Stream const& stream, Call const& call,
                      Ours const& ours) {
  std::size_t bytes = 0;
  check(call(nullptr, bytes));
  DeviceBuffer const workspace(bytes + 1);
  compare(
      state, bytes_moved,
      [&] {
        check(call(workspace.get(), bytes));
        check(cudaStreamSynchronize(stream));
      },
      ours);
}

template <class T>
struct Arrays {
  Arrays() : x("x", array_size()), y("y", array_size()), exec(stream) {
    Kokkos::fill_random(x, Kokkos::Random_XorShift64_Pool<Space>(7), T(100));
  }
  Kokkos::View<T*, Space> x, y;
  Stream stream;
  Space exec;
  std::int64_t n = static_cast<std::int64_t>(array_size());
};

/// On both sides the result is copied to the host.
template <class T>
void reduce(benchmark::State& state) {
  Arrays<T> const a;
  PinnedBuffer const pinned(sizeof(T));
  auto* const result = static_cast<T*>(pinned.get());
  T sum{};
  compare_with_cub(
      state, static_cast<double>(sizeof(T)) * static_cast<double>(a.n), a.stream,
      [&](void* memory, std::size_t& bytes) {
        return cub::DeviceReduce::Sum(memory, bytes, a.x.data(), result, a.n, a.stream);
      },
      [&] { sum = KE::reduce(a.exec, a.x); });
  benchmark::DoNotOptimize(sum);
}

struct Maximum {
  KOKKOS_FUNCTION double operator()(double a, double b) const { return a < b ? b : a; }
};

/// An operation whose identity is unknown to the library.
void reduce_by_operation(benchmark::State& state) {
  Arrays<double> const a;
  PinnedBuffer const pinned(sizeof(double));
  auto* const result = static_cast<double*>(pinned.get());
  double most        = 0;
  compare_with_cub(
      state, 8.0 * static_cast<double>(a.n), a.stream,
      [&](void* memory, std::size_t& bytes) {
        return cub::DeviceReduce::Reduce(memory, bytes, a.x.data(), result, a.n, Maximum(), -1.0, a.stream);
      },
      [&] { most = KE::reduce(a.exec, a.x, -1.0, Maximum()); });
  benchmark::DoNotOptimize(most);
}

template <class T>
void inclusive_scan(benchmark::State& state) {
  Arrays<T> const a;
  compare_with_cub(
      state, 2.0 * sizeof(T) * static_cast<double>(a.n), a.stream,
      [&](void* memory, std::size_t& bytes) {
        return cub::DeviceScan::InclusiveSum(memory, bytes, a.x.data(), a.y.data(), a.n, a.stream);
      },
      [&] { KE::inclusive_scan(a.exec, a.x, a.y); });
}

template <class T>
void exclusive_scan(benchmark::State& state) {
  Arrays<T> const a;
  compare_with_cub(
      state, 2.0 * sizeof(T) * static_cast<double>(a.n), a.stream,
      [&](void* memory, std::size_t& bytes) {
        return cub::DeviceScan::ExclusiveSum(memory, bytes, a.x.data(), a.y.data(), a.n, a.stream);
      },
      [&] { KE::exclusive_scan(a.exec, a.x, a.y, T(0)); });
}

struct IsSmall {
  KOKKOS_FUNCTION bool operator()(long x) const { return x < 50; }
};

struct Plus {
  KOKKOS_FUNCTION std::int64_t operator()(std::int64_t a, std::int64_t b) const { return a + b; }
};

void copy_if(benchmark::State& state) {
  Arrays<long> const a;
  PinnedBuffer const pinned(sizeof(std::int64_t));
  auto* const count = static_cast<std::int64_t*>(pinned.get());
  compare_with_cub(
      state, 12.0 * static_cast<double>(a.n), a.stream,
      [&](void* memory, std::size_t& bytes) {
        return cub::DeviceSelect::If(memory, bytes, a.x.data(), a.y.data(), count, a.n, IsSmall(), a.stream);
      },
      [&] { KE::copy_if(a.exec, a.x, a.y, IsSmall()); });
}

void copy(benchmark::State& state) {
  Arrays<double> const a;
  compare(
      state, 16.0 * static_cast<double>(a.n),
      [&] {
        check(cudaMemcpyAsync(a.y.data(), a.x.data(), 8 * array_size(), cudaMemcpyDeviceToDevice, a.stream));
        check(cudaStreamSynchronize(a.stream));
      },
      [&] { KE::copy(a.exec, a.x, a.y); });
}

void count_if(benchmark::State& state) {
  Arrays<long> const a;
  PinnedBuffer const pinned(sizeof(std::int64_t));
  auto* const result = static_cast<std::int64_t*>(pinned.get());
  long count         = 0;
  compare_with_cub(
      state, 8.0 * static_cast<double>(a.n), a.stream,
      [&](void* memory, std::size_t& bytes) {
        return cub::DeviceReduce::TransformReduce(memory, bytes, a.x.data(), result, a.n, Plus(), IsSmall(),
                                                  std::int64_t(0), a.stream);
      },
      [&] { count = KE::count_if(a.exec, a.x, IsSmall()); });
  benchmark::DoNotOptimize(count);
}

}  // namespace

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard guard(argc, argv);
  benchmark::Initialize(&argc, argv);
  auto add = [](char const* name, void (*f)(benchmark::State&)) {
    return benchmark::RegisterBenchmark(name, f)->UseManualTime()->Unit(benchmark::kMicrosecond)->MinTime(0.2);
  };
  using XorShift64   = Kokkos::Random_XorShift64_Pool<Space>;
  using XorShift1024 = Kokkos::Random_XorShift1024_Pool<Space>;
  using SFC64        = Kokkos::Random_SFC64_Pool<Space>;
  add("fill_random/double/XorShift64", fill_random<XorShift64, double>);
  add("fill_random/double/XorShift1024", fill_random<XorShift1024, double>);
  add("fill_random/double/SFC64", fill_random<SFC64, double>);
  add("fill_random/float/XorShift64", fill_random<XorShift64, float>);
  add("fill_random/int/XorShift64", fill_random<XorShift64, int>);
  add("fill_random_over_curand/double/XorShift64", fill_random_over_curand<XorShift64, double>);
  add("fill_random_over_curand/float/XorShift64", fill_random_over_curand<XorShift64, float>);
  add("generators_in_kernels/XorShift64", generators_in_kernels<XorShift64>);
  add("generators_in_kernels/XorShift1024", generators_in_kernels<XorShift1024>);
  add("generators_in_kernels/SFC64", generators_in_kernels<SFC64>);
  add("reduce/double", reduce<double>);
  add("reduce/int", reduce<int>);
  add("reduce/maximum", reduce_by_operation);
  add("count_if", count_if);
  add("inclusive_scan/double", inclusive_scan<double>);
  add("inclusive_scan/int", inclusive_scan<int>);
  add("exclusive_scan/int", exclusive_scan<int>);
  add("copy", copy);
  add("copy_if", copy_if);
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
