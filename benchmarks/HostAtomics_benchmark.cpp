// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// \file
/// Compares atomic functions on the host with loops that call the compiler's builtin functions, on one thread: one call
/// for each of 10^4 objects, which stay in the first-level caches or close to them.

#include "Ratio.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>

namespace {

using namespace Kokkos::Benchmarks;

constexpr int objects = 10'000;

template <class T>
using Word = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;

template <class T>
void by_hand(T* p, T value) {
  auto* const word = reinterpret_cast<Word<T> __attribute__((__may_alias__))*>(p);
  auto before      = __atomic_load_n(word, __ATOMIC_RELAXED);
  while (__builtin_bit_cast(T, before) < value &&
         !__atomic_compare_exchange_n(word, &before, __builtin_bit_cast(Word<T>, value), false, __ATOMIC_RELAXED,
                                      __ATOMIC_RELAXED)) {
  }
}

/// The maximum of each object and its index. `start` is the value of all objects before.
template <class T>
void maximum(benchmark::State& state, T start) {
  Kokkos::View<T*, Kokkos::HostSpace> view("objects", objects);
  T* const p       = view.data();
  auto const reset = [&] {
    for (int i = 0; i < objects; ++i) p[i] = start;
  };
  compare(
      state, 0,
      [&] {
        reset();
        for (int i = 0; i < objects; ++i) by_hand(p + i, static_cast<T>(i));
      },
      [&] {
        reset();
        for (int i = 0; i < objects; ++i) Kokkos::atomic_fetch_max(p + i, static_cast<T>(i));
      });
}

template <class T>
void add(std::string const& type) {
  add_ratio("kept_maximum<" + type + ">", maximum<T>, std::numeric_limits<T>::max());
  add_ratio("new_maximum<" + type + ">", maximum<T>, std::numeric_limits<T>::lowest());
}

}  // namespace

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard guard(argc, argv);
  benchmark::Initialize(&argc, argv);
  add<int>("int");
  add<unsigned>("unsigned");
  add<long>("long");
  add<float>("float");
  add<double>("double");
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
