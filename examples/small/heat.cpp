// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A hot spot on a metal plate whose rim is kept cold: heat flows from each cell to its four neighbours, step by step.
///
/// Shows: views of two dimensions, kernels over a rectangle, two buffers that swap, a copy to the host.
/// Run it: heat [cells along a side] [steps]

#include <Kokkos_Core.hpp>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <utility>

using Plate     = Kokkos::View<double**>;
using Rectangle = Kokkos::MDRangePolicy<Kokkos::Rank<2>>;

// One bump over the plate. Of all initial temperatures only this one keeps its shape and fades by the same factor in
// each step, so the program can check itself.
void heat_up(Plate const& t) {
  int const n       = t.extent_int(0);
  double const step = Kokkos::numbers::pi / (n - 1);
  Kokkos::parallel_for(
      "heat up", Rectangle({0, 0}, {n, n}),
      KOKKOS_LAMBDA(int i, int j) { t(i, j) = Kokkos::sin(step * i) * Kokkos::sin(step * j); });
}

// New temperatures are written to another view: if a cell were written in place, a neighbour would read the new value.
// The rim is never written and does not change.
void flow(Plate const& before, Plate const& after, double rate) {
  int const n = before.extent_int(0);
  Kokkos::parallel_for(
      "flow", Rectangle({1, 1}, {n - 1, n - 1}), KOKKOS_LAMBDA(int i, int j) {
        double const inflow = before(i - 1, j) + before(i + 1, j) + before(i, j - 1) + before(i, j + 1);
        after(i, j)         = before(i, j) + rate * (inflow - 4 * before(i, j));
      });
}

// The host cannot read a GPU's memory, so it requests a mirror: a copy, or the view itself if both share memory.
void draw(Plate const& plate) {
  auto const t         = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), plate);
  char const symbols[] = " .:-=+*#%@";
  int const n = t.extent_int(0), rows = 14, columns = 40;
  for (int r = 0; r < rows; ++r) {
    for (int c = 0; c < columns; ++c) {
      double const degree = t(r * (n - 1) / (rows - 1), c * (n - 1) / (columns - 1));
      std::putchar(symbols[static_cast<int>(degree * 9.999)]);
    }
    std::putchar('\n');
  }
}

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = argc > 1 ? std::atoi(argv[1]) : 101, steps = argc > 2 ? std::atoi(argv[2]) : 500;
  if (n < 3 || steps < 0) {
    std::fputs("heat [cells along a side, 3 or more] [steps, 0 or more]\n", stderr);
    return EXIT_FAILURE;
  }
  double const rate = 0.2;  // share of the difference to a neighbour that flows in a step; it would overshoot above
                            // 0.25

  Plate now("temperature", n, n), next("temperature after", n, n);
  heat_up(now);
  for (int s = 0; s < steps; ++s) {
    flow(now, next, rate);
    std::swap(now, next);  // swaps two handles, not their elements
  }
  draw(now);

  double hottest = 0;
  Kokkos::parallel_reduce(
      "hottest", Rectangle({0, 0}, {n, n}), KOKKOS_LAMBDA(int i, int j, double& t) { t = Kokkos::max(t, now(i, j)); },
      Kokkos::Max<double>(hottest));
  double const half = std::sin(Kokkos::numbers::pi / (2 * (n - 1)));
  double const top  = std::sin(Kokkos::numbers::pi / (n - 1) * ((n - 1) / 2));
  double const fade = std::pow(1 - 8 * rate * half * half, steps) * top * top;
  std::printf("After %d steps the hottest cell has %.6f of its temperature; theory says %.6f.\n", steps, hottest, fade);
  return std::abs(hottest - fade) < 1e-9 ? EXIT_SUCCESS : EXIT_FAILURE;
}
