// expect: this value type has no operator
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A value that cannot be added, and no join.

#include <Kokkos_Core.hpp>

struct Plain {
  int value;
};
void f() {
  Plain result;
  Kokkos::parallel_reduce(1, KOKKOS_LAMBDA(int, Plain&){}, result);
}
