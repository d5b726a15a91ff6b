// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// \file
/// Compares containers with raw CUDA. Each benchmark runs Kokkos and a raw kernel alternately.
///
/// The raw map is a table with linear probing in words of 8 bytes, a key and its value. It supports no removal and no
/// failed insertion, and reserves one key for empty slots. Its load is that of the UnorderedMap's indexes; the argument
/// is the load in percent.

#include "../Ratio.hpp"
#include "RawCuda.hpp"

#include <Kokkos_Core.hpp>
#include <Kokkos_ScatterView.hpp>
#include <Kokkos_UnorderedMap.hpp>

#include <cstdint>
#include <cstdlib>

namespace {

using namespace Kokkos::Benchmarks;
using Space = Kokkos::Cuda;
using Word  = unsigned long long;
using Map   = Kokkos::UnorderedMap<std::uint32_t, std::uint32_t, Space>;

std::size_t number_of_items() {
  char const* given = std::getenv("KOKKOS_BENCHMARK_SIZE");
  return given ? std::strtoull(given, nullptr, 10) : std::size_t(100000000);
}
unsigned blocks(std::size_t n) { return static_cast<unsigned>((n + 255) / 256); }

/// Maps numbers to all of the 32-bit range, without repetition.
KOKKOS_INLINE_FUNCTION std::uint32_t spread(std::size_t i) { return static_cast<std::uint32_t>(i) * 2654435761u; }

// ---- maps -----------------------------------------------------------------------------------------------------------

__device__ std::size_t place_of(std::uint32_t key, std::size_t size) {
  return static_cast<std::size_t>((std::uint64_t(Kokkos::pod_hash<std::uint32_t>()(key)) * size) >> 32);
}

__global__ void raw_insert(Word* table, std::size_t size, std::size_t n) {
  std::size_t const item = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x + 1;
  if (item > n) return;
  std::uint32_t const key = spread(item);
  for (std::size_t i = place_of(key, size);; i = i + 1 == size ? 0 : i + 1) {
    Word seen = table[i];
    if (seen == 0) seen = atomicCAS(table + i, Word(0), Word(key) << 32 | item);
    if (seen == 0 || seen >> 32 == key) return;
  }
}

__global__ void raw_find(Word const* table, std::size_t size, std::size_t n, std::uint32_t* found) {
  std::size_t const item = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x + 1;
  if (item > n) return;
  std::uint32_t const key = spread(item);
  for (std::size_t i = place_of(key, size);; i = i + 1 == size ? 0 : i + 1) {
    Word const seen = table[i];
    if (seen >> 32 == key || seen == 0) {
      found[item - 1] = static_cast<std::uint32_t>(seen);
      return;
    }
  }
}

void insert_all(Map const& map, std::size_t n) {
  Kokkos::parallel_for(
      "insert", Kokkos::RangePolicy<Space>(1, n + 1),
      KOKKOS_LAMBDA(std::size_t i) { map.insert(spread(i), static_cast<std::uint32_t>(i)); });
  Kokkos::fence();
}
void find_all(Map const& map, std::size_t n, Kokkos::View<std::uint32_t*, Space> const& found) {
  Kokkos::parallel_for(
      "find", Kokkos::RangePolicy<Space>(1, n + 1),
      KOKKOS_LAMBDA(std::size_t i) { found(i - 1) = map.value_at(map.find(spread(i))); });
  Kokkos::fence();
}

/// The number of elements for which a map of this capacity is made.
std::uint32_t elements_for(std::size_t capacity) {
  std::uint32_t const some = 600000;
  return static_cast<std::uint32_t>(capacity * some / Map(some).capacity());
}

/// Both contain `percent` of their capacity.
struct Maps {
  explicit Maps(std::size_t items, std::size_t percent)
      : n(items), size(items * 100 / percent), table(8 * size), map(elements_for(size)) {}
  void clear_table() {
    check(cudaMemsetAsync(table.get(), 0, 8 * size, stream));
    check(cudaStreamSynchronize(stream));
  }
  void insert_raw() {
    raw_insert<<<blocks(n), 256, 0, stream>>>(static_cast<Word*>(table.get()), size, n);
    check(cudaStreamSynchronize(stream));
  }
  std::size_t n, size;
  DeviceBuffer table;
  Map map;
  Stream stream;
};

/// Insertions including the clearing of the table, which both need.
void map_insert(benchmark::State& state) {
  Maps maps(number_of_items(), static_cast<std::size_t>(state.range(0)));
  compare(
      state, 0,
      [&] {
        maps.clear_table();
        maps.insert_raw();
      },
      [&] {
        maps.map.clear();
        insert_all(maps.map, maps.n);
      });
  if (maps.map.failed_insert()) state.SkipWithError("an insertion has failed");
}

void map_find(benchmark::State& state) {
  Maps maps(number_of_items(), static_cast<std::size_t>(state.range(0)));
  Kokkos::View<std::uint32_t*, Space> found("found", maps.n);
  maps.clear_table();
  maps.insert_raw();
  insert_all(maps.map, maps.n);
  compare(
      state, 0,
      [&] {
        raw_find<<<blocks(maps.n), 256, 0, maps.stream>>>(static_cast<Word const*>(maps.table.get()), maps.size, maps.n,
                                                          found.data());
        check(cudaStreamSynchronize(maps.stream));
      },
      [&] { find_all(maps.map, maps.n, found); });
}

// ---- histograms -----------------------------------------------------------------------------------------------------

__global__ void raw_histogram(std::uint32_t const* keys, double* counts, std::size_t n) {
  std::size_t const i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(counts + keys[i], 1.0);
}

void make_keys(Kokkos::View<std::uint32_t*, Space> const& keys, std::size_t bins) {
  Kokkos::parallel_for(
      "keys", Kokkos::RangePolicy<Space>(0, keys.extent(0)),
      KOKKOS_LAMBDA(std::size_t i) { keys(i) = static_cast<std::uint32_t>((std::uint64_t(spread(i)) * bins) >> 32); });
  Kokkos::fence();
}

template <class Scatter>
void count(Scatter const& scatter, Kokkos::View<std::uint32_t*, Space> const& keys) {
  Kokkos::parallel_for(
      "histogram", Kokkos::RangePolicy<Space>(0, keys.extent(0)), KOKKOS_LAMBDA(std::size_t i) {
        auto access = scatter.access();
        access(keys(i)) += 1.0;
      });
}

void histogram(benchmark::State& state) {
  std::size_t const n = number_of_items(), bins = static_cast<std::size_t>(state.range(0));
  Kokkos::View<std::uint32_t*, Space> keys("keys", n);
  make_keys(keys, bins);
  Kokkos::View<double*, Space> counts("counts", bins);
  auto const scatter = Kokkos::Experimental::create_scatter_view(counts);
  Stream stream;
  compare(
      state, 0,
      [&] {
        raw_histogram<<<blocks(n), 256, 0, stream>>>(keys.data(), counts.data(), n);
        check(cudaStreamSynchronize(stream));
      },
      [&] {
        count(scatter, keys);
        Kokkos::Experimental::contribute(counts, scatter);
        Kokkos::fence();
      });
}

}  // namespace

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard guard(argc, argv);
  benchmark::Initialize(&argc, argv);
  auto add = [](char const* name, void (*f)(benchmark::State&)) {
    return benchmark::RegisterBenchmark(name, f)->UseManualTime()->Unit(benchmark::kMicrosecond)->MinTime(0.2);
  };
  add("map_insert", map_insert)->Arg(50)->Arg(70)->Arg(90);
  add("map_find", map_find)->Arg(50)->Arg(70)->Arg(90);
  add("scatter_histogram", histogram)->RangeMultiplier(10)->Range(1000, 10000000);
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
