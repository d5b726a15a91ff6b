// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two nested ranges inside each other. The body is long, so the assembly may contain few copies: they multiply with each
// nested range, and a program of some hundred lines would take minutes to compile.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<Kokkos::HIP>;

template <class Index>
struct NestedBody {
  Kokkos::View<double**, Kokkos::HIPSpace> out;

  KOKKOS_FUNCTION void operator()(Policy::member_type const& team) const {
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, static_cast<Index>(out.extent(0))), [&](Index i) {
      Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, static_cast<Index>(out.extent(1))), [&](Index j) {
        double x = out(i, j);
        for (int k = 0; k < 100; ++k) x = x * x + k;
        asm volatile("; body of the nested ranges, %0" : : "i"(sizeof(Index)));
        out(i, j) = x;
      });
    });
  }
};

void nested_bodies(Kokkos::View<double**, Kokkos::HIPSpace> const& out) {
  Kokkos::parallel_for(Policy(8, 4, 32), NestedBody<int>{out});
  Kokkos::parallel_for(Policy(8, 4, 32), NestedBody<std::size_t>{out});
}
