// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// \file
/// Sorts of random keys. Each call first copies the keys.

#include "Sweep.hpp"

#include <Kokkos_Random.hpp>
#include <Kokkos_Sort.hpp>

namespace sweep {
namespace {

struct Below {
  KOKKOS_FUNCTION bool operator()(double a, double b) const { return a < b; }
};

template <class T>
Kokkos::View<T*, Exec> random_keys(std::size_t n) {
  Kokkos::View<T*, Exec> const keys("keys", n);
  Kokkos::Random_XorShift64_Pool<Exec> const pool(7);
  Kokkos::fill_random(keys, pool, T(1000000000));
  return keys;
}

}  // namespace

void sorts(Sweep const& s) {
  Exec const exec;
  for (std::size_t n : s.sizes()) {
    auto const doubles = random_keys<double>(n);
    auto const ints    = random_keys<int>(n);
    // Other numbers in each call: a processor predicts the comparisons of numbers that it has sorted before.
    std::size_t const shifts = 4096;
    auto const other_doubles = random_keys<double>(n + shifts);
    std::size_t calls        = 0;
    auto const others        = [&] {
      std::size_t const first = ++calls * 257 % shifts;
      return Kokkos::subview(other_doubles, Kokkos::pair(first, first + n));
    };
    Vector const keys("sorted", n);
    Kokkos::View<int*, Exec> const int_keys("sorted ints", n);
    s.row("alg_sort_double", n, [&] {
      Kokkos::deep_copy(exec, keys, doubles);
      Kokkos::sort(exec, keys);
    });
    s.row("alg_sort_double_cmp", n, [&] {
      Kokkos::deep_copy(exec, keys, doubles);
      Kokkos::sort(exec, keys, Below());
    });
    s.row("alg_sort_other_doubles", n, [&] {
      Kokkos::deep_copy(exec, keys, others());
      Kokkos::sort(exec, keys);
    });
    s.row("alg_sort_other_doubles_cmp", n, [&] {
      Kokkos::deep_copy(exec, keys, others());
      Kokkos::sort(exec, keys, Below());
    });
    Vector const in_order = ascending(n);
    s.row("alg_sort_sorted", n, [&] {
      Kokkos::deep_copy(exec, keys, in_order);
      Kokkos::sort(exec, keys);
    });
    s.row("alg_sort_int", n, [&] {
      Kokkos::deep_copy(exec, int_keys, ints);
      Kokkos::sort(exec, int_keys);
    });
    s.row("alg_sort_by_key", n, [&] {
      Kokkos::deep_copy(exec, int_keys, ints);
      Kokkos::Experimental::sort_by_key(exec, int_keys, keys);
    });
  }
}

}  // namespace sweep
