// expect: Unless the functor names its value_type, it has the type of the result
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// kokkos #5362: the functor adds long longs, and the result is an int.

#include <Kokkos_Core.hpp>

struct Sum {
  KOKKOS_FUNCTION void operator()(int i, long long& sum, bool) const { sum += i; }
};

int main() {
  int total = 0;
  Kokkos::parallel_scan(100, Sum{}, total);
}
