// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// \file
/// Compares sorts on a GPU with CUB. Each benchmark runs Kokkos and CUB alternately.
///
/// Both sides first copy fresh input, which both times include. CUB's second buffer and workspace exist already; Kokkos
/// allocates them in each call. Arrays have KOKKOS_BENCHMARK_SIZE elements, by default 10^8.

#include "../Ratio.hpp"
#include "RawCuda.hpp"

#include <Kokkos_Core.hpp>
#include <Kokkos_Random.hpp>
#include <Kokkos_Sort.hpp>

#include <cub/cub.cuh>

#include <cstdint>
#include <cstdlib>
#include <limits>

namespace {

using namespace Kokkos::Benchmarks;
using Space = Kokkos::Cuda;
using Pool  = Kokkos::Random_XorShift64_Pool<Space>;

std::size_t array_size() {
  char const* given = std::getenv("KOKKOS_BENCHMARK_SIZE");
  return given ? std::strtoull(given, nullptr, 10) : std::size_t(100000000);
}

template <class T>
Kokkos::View<T*, Space> random_view(std::uint64_t seed) {
  Kokkos::View<T*, Space> view("random", array_size());
  T const least = std::is_floating_point_v<T> ? static_cast<T>(-1) : std::numeric_limits<T>::min();
  T const most  = std::is_floating_point_v<T> ? static_cast<T>(1) : std::numeric_limits<T>::max();
  Kokkos::fill_random(view, Pool(seed), least, most);
  return view;
}

/// The array to sort, its input, and CUB's second buffer.
template <class T>
struct Sorted {
  explicit Sorted(std::uint64_t seed) : input(random_view<T>(seed)), data("data", array_size()), other(bytes()) {}
  std::size_t bytes() const { return sizeof(T) * array_size(); }
  void renew(cudaStream_t stream) const {
    check(cudaMemcpyAsync(data.data(), input.data(), bytes(), cudaMemcpyDeviceToDevice, stream));
  }
  cub::DoubleBuffer<T> both() const { return {data.data(), static_cast<T*>(other.get())}; }

  Kokkos::View<T*, Space> input, data;
  DeviceBuffer other;
};

/// Runs a call of CUB whose first arguments are its workspace and the workspace's size.
template <class Call>
class CubCall {
 public:
  explicit CubCall(Call const& call) : m_call(call), m_bytes(size_of(call)), m_workspace(m_bytes) {}
  void operator()() { check(m_call(m_workspace.get(), m_bytes)); }

 private:
  static std::size_t size_of(Call const& call) {
    std::size_t bytes = 0;
    check(call(nullptr, bytes));
    return bytes;
  }
  Call m_call;
  std::size_t m_bytes;
  DeviceBuffer m_workspace;
};

template <class T>
void sort(benchmark::State& state) {
  Sorted<T> const keys(7);
  Stream const stream;
  auto const n = static_cast<std::int64_t>(array_size());
  CubCall reference([&](void* memory, std::size_t& bytes) {
    auto both = keys.both();
    return cub::DeviceRadixSort::SortKeys(memory, bytes, both, n, 0, 8 * sizeof(T), stream);
  });
  Space const exec(stream);
  compare(
      state, 0,
      [&] {
        keys.renew(stream);
        reference();
        check(cudaStreamSynchronize(stream));
      },
      [&] {
        keys.renew(stream);
        Kokkos::sort(exec, keys.data);
        exec.fence();
      });
}

struct ByLowBits {
  KOKKOS_FUNCTION bool operator()(std::uint32_t a, std::uint32_t b) const { return (a & 0xffffffu) < (b & 0xffffffu); }
};

/// An order that radix sorts do not support.
void sort_by_comparator(benchmark::State& state) {
  Sorted<std::uint32_t> const keys(7);
  Stream const stream;
  auto const n = static_cast<std::int64_t>(array_size());
  CubCall reference([&](void* memory, std::size_t& bytes) {
    return cub::DeviceMergeSort::SortKeys(memory, bytes, keys.data.data(), n, ByLowBits(), stream);
  });
  Space const exec(stream);
  compare(
      state, 0,
      [&] {
        keys.renew(stream);
        reference();
        check(cudaStreamSynchronize(stream));
      },
      [&] {
        keys.renew(stream);
        Kokkos::sort(exec, keys.data, ByLowBits());
        exec.fence();
      });
}

template <class Key, class Value>
void sort_by_key(benchmark::State& state) {
  Sorted<Key> const keys(7);
  Sorted<Value> const values(8);
  Stream const stream;
  auto const n = static_cast<std::int64_t>(array_size());
  CubCall reference([&](void* memory, std::size_t& bytes) {
    auto both_keys   = keys.both();
    auto both_values = values.both();
    return cub::DeviceRadixSort::SortPairs(memory, bytes, both_keys, both_values, n, 0, 8 * sizeof(Key), stream);
  });
  Space const exec(stream);
  compare(
      state, 0,
      [&] {
        keys.renew(stream);
        values.renew(stream);
        reference();
        check(cudaStreamSynchronize(stream));
      },
      [&] {
        keys.renew(stream);
        values.renew(stream);
        Kokkos::Experimental::sort_by_key(exec, keys.data, values.data);
        exec.fence();
      });
}

// ---- BinSort -------------------------------------------------------------------------------------------------------

using Points = Kokkos::View<double* [3], Space>;
using BinOp  = Kokkos::BinOp3D<Points>;

void find_bins(BinOp const& op, Points const& points, Kokkos::View<std::uint32_t*, Space> const& bins,
               Kokkos::View<int*, Space> const& order, Space const& exec) {
  Kokkos::parallel_for(
      "bins", Kokkos::RangePolicy<Space>(exec, 0, points.extent(0)), KOKKOS_LAMBDA(int i) {
        bins(i)  = static_cast<std::uint32_t>(op.bin(points, i));
        order(i) = i;
      });
}

/// Points of a cube in 128^3 bins. The reference computes the bins with the same operator and sorts by the bits of bin
/// numbers.
void bin_sort(benchmark::State& state) {
  Points points("points", array_size());
  Kokkos::fill_random(points, Pool(7), 1.0);
  int bins[3]   = {128, 128, 128};
  double min[3] = {0, 0, 0}, max[3] = {1, 1, 1};
  BinOp const op(bins, min, max);
  Sorted<std::uint32_t> const numbers(7);
  Sorted<int> const order(8);
  Stream const stream;
  Space const exec(stream);
  auto const n = static_cast<std::int64_t>(array_size());
  CubCall reference([&](void* memory, std::size_t& bytes) {
    auto both_numbers = numbers.both();
    auto both_orders  = order.both();
    return cub::DeviceRadixSort::SortPairs(memory, bytes, both_numbers, both_orders, n, 0, 21, stream);
  });
  Kokkos::BinSort<Points, BinOp> sorter(exec, points, op);
  compare(
      state, 0,
      [&] {
        find_bins(op, points, numbers.data, order.data, exec);
        reference();
        exec.fence();
      },
      [&] {
        sorter.create_permute_vector(exec);
        exec.fence();
      });
}

}  // namespace

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard guard(argc, argv);
  benchmark::Initialize(&argc, argv);
  auto add = [](char const* name, void (*f)(benchmark::State&)) {
    return benchmark::RegisterBenchmark(name, f)->UseManualTime()->Unit(benchmark::kMicrosecond)->MinTime(0.2);
  };
  add("sort_uint32", sort<std::uint32_t>);
  add("sort_int64", sort<std::int64_t>);
  add("sort_double", sort<double>);
  add("sort_by_comparator", sort_by_comparator);
  add("sort_by_key_uint32_int", sort_by_key<std::uint32_t, int>);
  add("sort_by_key_int64_double", sort_by_key<std::int64_t, double>);
  add("bin_sort", bin_sort);
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
