// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Kokkos_Core.hpp>

long sum_of(Kokkos::View<long*> const& numbers) {
  long sum = 0;
  Kokkos::parallel_reduce("sum", numbers.extent(0), KOKKOS_LAMBDA(int i, long& update) { update += numbers(i); }, sum);
  return sum;
}
