// expect: A Kokkos reducer needs a member function join
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A reducer whose join has another signature.

#include <Kokkos_Core.hpp>

struct Longest {
  using reducer          = Longest;
  using value_type       = int;
  using result_view_type = Kokkos::View<int, Kokkos::HostSpace>;

  int* result;

  KOKKOS_FUNCTION int join(int a, int b, int) const { return a > b ? a : b; }
  KOKKOS_FUNCTION int& reference() const { return *result; }
  KOKKOS_FUNCTION result_view_type view() const { return result_view_type(result); }
};
void f() {
  int longest;
  Kokkos::parallel_reduce(10, KOKKOS_LAMBDA(int i, int& r) { r = i > r ? i : r; }, Longest{&longest});
}
