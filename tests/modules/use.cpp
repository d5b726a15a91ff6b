// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A program that imports the modules. Macros come from a header; <string> is for the messages of templates.

#include <Kokkos_Macros.hpp>

#include <cstdio>
#include <string>

import kokkos.core;
import kokkos.dual_view;
import kokkos.sort;

int sum_by_headers(Kokkos::View<int*> const& numbers);

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard const guard(argc, argv);
  Kokkos::DualView<int*> numbers("numbers", 10);
  auto const device = numbers.view_device();
  Kokkos::parallel_for("fill", 10, KOKKOS_LAMBDA(int i) { device(i) = 10 - i; });
  Kokkos::sort(device);
  numbers.modify_device();
  numbers.sync_host();
  int sum = 0;
  Kokkos::parallel_reduce(10, KOKKOS_LAMBDA(int i, int& s) { s += i * device(i); }, sum);
  Kokkos::complex<double> const z(1, 2);
  bool const right =
      numbers.view_host()(0) == 1 && sum == 330 && (z * z + 1.0).real() == -2 && sum_by_headers(device) == 55;
  std::puts(right ? "imported" : "wrong results");
  return right ? 0 : 1;
}
