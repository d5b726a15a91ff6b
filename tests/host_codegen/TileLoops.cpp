// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two kernels over a range of three dimensions, for check_tile_loops.py, which reads the code of the named functors.

#include <Kokkos_Core.hpp>

namespace {

using Space  = Kokkos::DefaultHostExecutionSpace;
using Policy = Kokkos::MDRangePolicy<Space, Kokkos::Rank<3>>;

/// Neighbouring iterations use neighbouring elements.
struct Stencil {
  Kokkos::View<double***, Kokkos::LayoutRight, Kokkos::HostSpace> out, in;
  double factor;

  void operator()(int z, int y, int x) const {
    out(z, y, x) = in(z, y, x) + factor * (in(z - 1, y, x) + in(z + 1, y, x) + in(z, y - 1, x) + in(z, y + 1, x) +
                                           in(z, y, x - 1) + in(z, y, x + 1) - 6 * in(z, y, x));
  }
};

/// Neighbouring iterations use elements 64 bytes apart, several of each 64 bytes.
struct Cells {
  Kokkos::View<float* [16], Kokkos::LayoutRight, Kokkos::HostSpace> cell;
  std::size_t row, plane;
  float dx, dy, dz;

  void operator()(int z, int y, int x) const {
    std::size_t const here = x + row * y + plane * z, right = here + 1, up = here + row, back = here + plane;
    cell(here, 4) -= dy * (cell(up, 2) - cell(here, 2)) - dz * (cell(back, 1) - cell(here, 1));
    cell(here, 5) -= dz * (cell(back, 0) - cell(here, 0)) - dx * (cell(right, 2) - cell(here, 2));
    cell(here, 6) -= dx * (cell(right, 1) - cell(here, 1)) - dy * (cell(up, 0) - cell(here, 0));
  }
};

}  // namespace

// Not in the unnamed namespace, so that the compiler keeps them.
void stencil(Policy const& policy, decltype(Stencil::out) const& out, decltype(Stencil::in) const& in, double factor) {
  Kokkos::parallel_for("stencil", policy, Stencil{out, in, factor});
}
void cells(Policy const& policy, decltype(Cells::cell) const& cell, std::size_t row, std::size_t plane, float d) {
  Kokkos::parallel_for("cells", policy, Cells{cell, row, plane, d, d, d});
}

// Views of numbers of 4 and 8 bytes, whose allocation the library contains.
void allocate(int n) {
  Kokkos::View<double**, Kokkos::HostSpace> numbers("numbers", n, n);
  Kokkos::View<int*, Kokkos::LayoutLeft, Kokkos::HostSpace> indices("indices", n);
  Kokkos::parallel_for(
      "indices", Kokkos::RangePolicy<Space>(0, n),
      KOKKOS_LAMBDA(int i) { indices(i) = static_cast<int>(numbers(i, i)); });
}
