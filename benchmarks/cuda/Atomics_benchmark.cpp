// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// \file
/// Compares atomic functions with raw CUDA: one call for each of many items. The objects are few, so that they stay in
/// the caches, or as many as the items, so that each call reads and writes memory.

#include "../Ratio.hpp"
#include "RawCuda.hpp"

#include <Kokkos_Core.hpp>

#include <string>
#include <type_traits>

namespace {

using namespace Kokkos::Benchmarks;
using Space = Kokkos::Cuda;

constexpr unsigned items = 50'000'000, few = 4096;

/// The bits of an object of 4 or 8 bytes, for compare-exchange.
template <class T>
using Word = std::conditional_t<sizeof(T) == 8, unsigned long long, unsigned>;

template <class T>
__device__ T raw_max(T* p, T value) {
  auto* const word = reinterpret_cast<Word<T>*>(p);
  auto before      = *word;
  while (__builtin_bit_cast(T, before) < value) {
    auto const found = atomicCAS(word, before, __builtin_bit_cast(Word<T>, value));
    if (found == before) break;
    before = found;
  }
  return __builtin_bit_cast(T, before);
}

// Each operation has a raw form and that of the library. `i` counts items, and `objects` is a power of two.
template <class T>
struct Add {
  __device__ static void raw(T* p, unsigned i) { atomicAdd(p, static_cast<T>(i & 1)); }
  KOKKOS_FUNCTION static void ours(T* p, unsigned i) { Kokkos::atomic_add(p, static_cast<T>(i & 1)); }
};
template <class T>
struct Exchange {
  __device__ static void raw(T* p, unsigned i) {
    atomicExch(reinterpret_cast<Word<T>*>(p), __builtin_bit_cast(Word<T>, static_cast<T>(i)));
  }
  KOKKOS_FUNCTION static void ours(T* p, unsigned i) { Kokkos::atomic_exchange(p, static_cast<T>(i)); }
};
/// Most items find a larger value.
template <class T>
struct KeptMaximum {
  __device__ static void raw(T* p, unsigned i) { raw_max(p, static_cast<T>(i * 2246822519u >> 4)); }
  KOKKOS_FUNCTION static void ours(T* p, unsigned i) {
    Kokkos::atomic_fetch_max(p, static_cast<T>(i * 2246822519u >> 4));
  }
};
/// Items that follow each other find smaller values.
template <class T>
struct NewMaximum {
  __device__ static void raw(T* p, unsigned i) { raw_max(p, static_cast<T>(i)); }
  KOKKOS_FUNCTION static void ours(T* p, unsigned i) { Kokkos::atomic_fetch_max(p, static_cast<T>(i)); }
};

template <class Operation, class T>
__global__ void raw_kernel(T* objects, unsigned mask) {
  unsigned const i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < items) Operation::raw(objects + (i & mask), i);
}

template <class Operation, class T>
void one_call_for_each_item(benchmark::State& state, unsigned number_of_objects) {
  Kokkos::View<T*, Space> objects("objects", number_of_objects);
  unsigned const mask = number_of_objects - 1;
  Stream stream;
  compare(
      state, 0,
      [&] {
        check(cudaMemsetAsync(objects.data(), 0, objects.size() * sizeof(T), stream));
        raw_kernel<Operation><<<(items + 255) / 256, 256, 0, stream>>>(objects.data(), mask);
        check(cudaStreamSynchronize(stream));
      },
      [&] {
        check(cudaMemsetAsync(objects.data(), 0, objects.size() * sizeof(T), Space().cuda_stream()));
        Kokkos::parallel_for(
            "atomics", Kokkos::RangePolicy<Space, Kokkos::IndexType<unsigned>>(0, items),
            KOKKOS_LAMBDA(unsigned i) { Operation::ours(&objects(i & mask), i); });
        Kokkos::fence();
      });
}

template <template <class> class Operation>
void add(std::string const& name) {
  for (unsigned const objects : {few, 1u << 25}) {
    std::string const suffix = "/" + std::to_string(objects);
    add_ratio(name + "<float>" + suffix, one_call_for_each_item<Operation<float>, float>, objects);
    add_ratio(name + "<double>" + suffix, one_call_for_each_item<Operation<double>, double>, objects);
  }
}

}  // namespace

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard guard(argc, argv);
  benchmark::Initialize(&argc, argv);
  add<Add>("add");
  add<Exchange>("exchange");
  add<KeptMaximum>("kept_maximum");
  add<NewMaximum>("new_maximum");
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
