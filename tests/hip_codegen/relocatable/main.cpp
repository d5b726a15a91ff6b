// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel that calls a function of another file, and of a static library. With an argument, the program does
// not check the result: for the HIP model's library, which runs no kernel.
#include <Kokkos_Core.hpp>

#include <cstdio>

KOKKOS_RELOCATABLE_FUNCTION double thrice(double x);

struct Thrice {
  Kokkos::View<double*, Kokkos::HIP> values;
  KOKKOS_FUNCTION void operator()(int i) const { values(i) = thrice(i); }
};

int main(int argc, char**) {
  Kokkos::ScopeGuard const guard;
  Kokkos::View<double*, Kokkos::HIP> const values("values", 10);
  Kokkos::parallel_for("thrice", Kokkos::RangePolicy<Kokkos::HIP>(0, 10), Thrice{values});
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), values);
  std::printf("thrice 7 is %g\n", host(7));
  return argc > 1 || host(7) == 21 ? 0 : 1;
}
