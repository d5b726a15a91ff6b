// expect: the elements have no default constructor
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Kokkos_Core.hpp>

struct Element {
  explicit Element(int) {}
};
Kokkos::View<Element*, Kokkos::HostSpace> v("v", 3);
