// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A program that imports every module. Macros come from a header; the standard headers are for the messages of templates.

#include <Kokkos_Macros.hpp>

#include <cstdio>
#include <string>
#include <vector>

import kokkos.core;
import kokkos.bitset;
import kokkos.dual_view;
import kokkos.dyn_rank_view;
import kokkos.dynamic_view;
import kokkos.error_reporter;
import kokkos.functional;
import kokkos.offset_view;
import kokkos.random;
import kokkos.scatter_view;
import kokkos.simd;
import kokkos.sort;
import kokkos.std_algorithms;
import kokkos.unordered_map;

namespace KE = Kokkos::Experimental;
using Space  = Kokkos::DefaultExecutionSpace;
using Ints   = Kokkos::View<int*>;

int sum_by_headers(Ints const& numbers);

int wrong = 0;
void check(bool right, char const* what) {
  if (right) return;
  ++wrong;
  std::printf("wrong results: %s\n", what);
}

void core_and_dual_view_and_sort() {
  Kokkos::DualView<int*> numbers("numbers", 10);
  auto const device = numbers.view_device();
  Kokkos::parallel_for("fill", 10, KOKKOS_LAMBDA(int i) { device(i) = 10 - i; });
  Kokkos::sort(device);
  numbers.modify_device();
  numbers.sync_host();
  int sum = 0;
  Kokkos::parallel_reduce(10, KOKKOS_LAMBDA(int i, int& s) { s += i * device(i); }, sum);
  Kokkos::complex<double> const z(1, 2);
  check(numbers.view_host()(0) == 1 && sum == 330 && (z * z + 1.0).real() == -2, "core, dual_view, sort");
  check(sum_by_headers(device) == 55, "a function of another file");
}

void containers() {
  Kokkos::Bitset<> bits(100);
  bits.set(3);
  check(bits.count() == 1, "bitset");
  Kokkos::DynRankView<int> matrix("matrix", 2, 3);
  Kokkos::deep_copy(matrix, 4);
  check(matrix.rank() == 2 && matrix(1, 2) == 4, "dyn_rank_view");
  KE::DynamicView<int*> growing("growing", 16, 1000);
  growing.resize_serial(100);
  check(growing.size() == 100, "dynamic_view");
  KE::ErrorReporter<int, Space> reporter(4);
  reporter.add_report(1, 2);
  check(reporter.num_reports() == 1, "error_reporter");
  KE::OffsetView<int*> shifted("shifted", {-2, 2});
  shifted(-2) = 5;
  check(shifted(-2) == 5, "offset_view");
  Kokkos::UnorderedMap<int, int> map(10);
  map.insert(1, 2);
  check(map.size() == 1 && map.value_at(map.find(1)) == 2, "unordered_map");
  check(Kokkos::pod_hash<int>()(1) == Kokkos::pod_hash<int>()(1), "functional");
  Ints counts("counts", 2);
  auto const scatter = KE::create_scatter_view(counts);
  Kokkos::parallel_for(100, KOKKOS_LAMBDA(int i) { scatter.access()(i % 2) += 1; });
  KE::contribute(counts, scatter);
  check(counts(0) == 50 && counts(1) == 50, "scatter_view");
}

void algorithms_and_simd() {
  Ints numbers("numbers", 1000);
  Kokkos::Random_XorShift64_Pool<> pool(1);
  Kokkos::fill_random(numbers, pool, 1, 10);
  check(KE::all_of(Space(), numbers, KOKKOS_LAMBDA(int i) { return i >= 1 && i < 10; }), "random, std_algorithms");
  double const memory[2] = {1, 2};
  check(KE::reduce(KE::simd<double, 2>(memory, KE::simd_flag_default)) == 3, "simd");
}

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard const guard(argc, argv);
  core_and_dual_view_and_sort();
  containers();
  algorithms_and_simd();
  if (wrong == 0) std::puts("imported");
  return wrong;
}
