// expect: no match for call|no matching function
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Kokkos_Core.hpp>

double not_a_number_of_an_element(Kokkos::View<double*> const& v) { return v(1.5); }
