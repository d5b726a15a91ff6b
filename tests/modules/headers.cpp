// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The file of the program that includes headers.

#include <Kokkos_Core.hpp>

int sum_by_headers(Kokkos::View<int*> const& numbers) {
  int sum = 0;
  Kokkos::parallel_reduce(numbers.size(), KOKKOS_LAMBDA(int i, int& s) { s += numbers(i); }, sum);
  return sum;
}
