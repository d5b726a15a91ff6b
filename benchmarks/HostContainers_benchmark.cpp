// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// \file
/// Compares containers on the host with hand-written code. Each benchmark runs both alternately.
///
/// A histogram by ScatterView is compared with hand-written copies for each thread and with atomic additions. The
/// default space's map is compared with a table of atomic words without removal, for nonzero keys.

#include "Ratio.hpp"

#include <Kokkos_ScatterView.hpp>
#include <Kokkos_UnorderedMap.hpp>

#include <cstdint>
#include <cstdlib>
#include <vector>

#ifdef KOKKOS_ENABLE_OPENMP
#include <omp.h>
#endif

namespace {

using Kokkos::Benchmarks::compare;
using Space = Kokkos::DefaultHostExecutionSpace;

std::size_t number_of_items() {
  char const* given = std::getenv("KOKKOS_BENCHMARK_SIZE");
  return given ? std::strtoull(given, nullptr, 10) : std::size_t(1) << 24;
}

int number_of_threads() {
#ifdef KOKKOS_ENABLE_OPENMP
  return omp_get_max_threads();
#else
  return 1;
#endif
}

/// Maps numbers to all of the 32-bit range, without repetition.
std::uint32_t spread(std::size_t i) { return static_cast<std::uint32_t>(i) * 2654435761u; }

// ---- histograms -----------------------------------------------------------------------------------------------------

enum class Reference { copies_by_hand, atomics };

void count_by_copies(std::uint32_t const* keys, std::size_t n, std::vector<std::vector<double>>& copies, double* counts,
                     std::size_t bins) {
#pragma omp parallel num_threads(static_cast<int>(copies.size()))
  {
#ifdef KOKKOS_ENABLE_OPENMP
    std::vector<double>& own = copies[static_cast<std::size_t>(omp_get_thread_num())];
#else
    std::vector<double>& own = copies[0];
#endif
    own.assign(bins, 0.0);
    double* const to = own.data();
#pragma omp for
    for (std::size_t i = 0; i < n; ++i) to[keys[i]] += 1.0;
#pragma omp for
    for (std::size_t b = 0; b < bins; ++b)
      for (auto const& copy : copies) counts[b] += copy[b];
  }
}

void count_by_atomics(std::uint32_t const* keys, std::size_t n, double* counts) {
#pragma omp parallel for
  for (std::size_t i = 0; i < n; ++i) {
#pragma omp atomic
    counts[keys[i]] += 1.0;
  }
}

template <Reference reference>
void histogram(benchmark::State& state) {
  std::size_t const n = number_of_items(), bins = static_cast<std::size_t>(state.range(0));
  Kokkos::View<std::uint32_t*, Space> keys("keys", n);
  for (std::size_t i = 0; i < n; ++i) keys(i) = static_cast<std::uint32_t>((std::uint64_t(spread(i)) * bins) >> 32);
  Kokkos::View<double*, Space> counts("counts", bins);
  std::vector<std::vector<double>> copies(static_cast<std::size_t>(number_of_threads()));
  auto scatter = Kokkos::Experimental::create_scatter_view(counts);
  compare(
      state, 0,
      [&] {
        if constexpr (reference == Reference::atomics)
          count_by_atomics(keys.data(), n, counts.data());
        else
          count_by_copies(keys.data(), n, copies, counts.data(), bins);
      },
      [&] {
        scatter.reset_except(counts);
        Kokkos::parallel_for(
            "histogram", Kokkos::RangePolicy<Space>(0, n), KOKKOS_LAMBDA(std::size_t i) {
              auto access = scatter.access();
              access(keys(i)) += 1.0;
            });
        Kokkos::Experimental::contribute(counts, scatter);
      });
}

// ---- maps -----------------------------------------------------------------------------------------------------------

/// Keys and values in words of 8 bytes, with twice as many slots as keys; 0 is an empty slot.
class Table {
 public:
  explicit Table(std::size_t n) : m_words(2 * n) {}
  void clear() {
#pragma omp parallel for
    for (std::size_t i = 0; i < m_words.size(); ++i) m_words[i] = 0;
  }
  void insert(std::uint32_t key, std::uint32_t value) {
    for (std::size_t i = place(key);; i = i + 1 == m_words.size() ? 0 : i + 1) {
      std::uint64_t seen = __atomic_load_n(&m_words[i], __ATOMIC_RELAXED);
      if (seen == 0 && __atomic_compare_exchange_n(&m_words[i], &seen, std::uint64_t(key) << 32 | value, false,
                                                   __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        return;
      if (seen >> 32 == key) return;
    }
  }
  std::uint32_t find(std::uint32_t key) const {
    for (std::size_t i = place(key); m_words[i] != 0; i = i + 1 == m_words.size() ? 0 : i + 1)
      if (m_words[i] >> 32 == key) return static_cast<std::uint32_t>(m_words[i]);
    return 0;
  }

 private:
  std::size_t place(std::uint32_t key) const {
    return static_cast<std::size_t>((std::uint64_t(Kokkos::pod_hash<std::uint32_t>()(key)) * m_words.size()) >> 32);
  }
  std::vector<std::uint64_t> m_words;
};

using Map = Kokkos::UnorderedMap<std::uint32_t, std::uint32_t, Space>;

void insert_by_hand(Table& table, std::size_t n) {
#pragma omp parallel for
  for (std::size_t i = 1; i <= n; ++i) table.insert(spread(i), static_cast<std::uint32_t>(i));
}

void map_insert(benchmark::State& state) {
  std::size_t const n = number_of_items() / 4;
  Table table(n);
  Map map(static_cast<std::uint32_t>(n));
  compare(
      state, 0,
      [&] {
        table.clear();
        insert_by_hand(table, n);
      },
      [&] {
        map.clear();
        Kokkos::parallel_for(
            "insert", Kokkos::RangePolicy<Space>(1, n + 1),
            KOKKOS_LAMBDA(std::size_t i) { map.insert(spread(i), static_cast<std::uint32_t>(i)); });
      });
}

void map_find(benchmark::State& state) {
  std::size_t const n = number_of_items() / 4;
  Table table(n);
  insert_by_hand(table, n);
  Map map(static_cast<std::uint32_t>(n));
  Kokkos::parallel_for(
      "insert", Kokkos::RangePolicy<Space>(1, n + 1),
      KOKKOS_LAMBDA(std::size_t i) { map.insert(spread(i), static_cast<std::uint32_t>(i)); });
  compare(
      state, 0,
      [&] {
        std::uint64_t sum = 0;
#pragma omp parallel for reduction(+ : sum)
        for (std::size_t i = 1; i <= n; ++i) sum += table.find(spread(i));
        benchmark::DoNotOptimize(sum);
      },
      [&] {
        std::uint64_t sum = 0;
        Kokkos::parallel_reduce(
            "find", Kokkos::RangePolicy<Space>(1, n + 1),
            KOKKOS_LAMBDA(std::size_t i, std::uint64_t& s) { s += map.value_at(map.find(spread(i))); }, sum);
        benchmark::DoNotOptimize(sum);
      });
}

BENCHMARK(histogram<Reference::copies_by_hand>)
    ->RangeMultiplier(100)
    ->Range(1000, 10000000)
    ->UseManualTime()
    ->Iterations(9);
BENCHMARK(histogram<Reference::atomics>)->RangeMultiplier(100)->Range(1000, 10000000)->UseManualTime()->Iterations(9);
BENCHMARK(map_insert)->UseManualTime()->Iterations(9);
BENCHMARK(map_find)->UseManualTime()->Iterations(9);

}  // namespace

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard guard(argc, argv);
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
