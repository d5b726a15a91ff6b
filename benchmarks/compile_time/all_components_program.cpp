// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program that includes containers, algorithms and SIMD types, and uses a small part of each.
#include <Kokkos_Core.hpp>
#include <Kokkos_DualView.hpp>
#include <Kokkos_Random.hpp>
#include <Kokkos_SIMD.hpp>
#include <Kokkos_ScatterView.hpp>
#include <Kokkos_Sort.hpp>
#include <Kokkos_StdAlgorithms.hpp>
#include <Kokkos_UnorderedMap.hpp>

#include <cstdio>

namespace KE = Kokkos::Experimental;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard guard(argc, argv);
  int const n = 1000;
  Kokkos::DualView<int*> keys("keys", n);
  Kokkos::Random_XorShift64_Pool<> pool(7);
  Kokkos::fill_random(keys.view_device(), pool, 100);
  Kokkos::sort(keys.view_device());
  keys.modify_device();
  keys.sync_host();

  Kokkos::View<double*> counts("counts", 100);
  auto scatter = KE::create_scatter_view(counts);
  Kokkos::UnorderedMap<int, int> map(200);
  auto const on_device = keys.view_device();
  Kokkos::parallel_for(
      "count", n, KOKKOS_LAMBDA(int i) {
        auto access = scatter.access();
        access(on_device(i)) += 1.0;
        map.insert(on_device(i), i);
      });
  KE::contribute(counts, scatter);
  double const sum = KE::reduce(Kokkos::DefaultExecutionSpace(), counts);

  double numbers[16] = {};
  KE::simd<double> x(1.0);
  x.copy_from(numbers, KE::simd_flag_default);
  std::printf("%g, %d keys, %g\n", sum, static_cast<int>(map.size()), KE::reduce(x + 1.0, std::plus<>()));
}
