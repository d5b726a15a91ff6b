// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// y = A x for a sparse matrix: only the nonzero entries are stored, row after row (CSR).
///
/// Shows: views in a struct, a matrix filled in parallel, teams, a reduction by the lanes of one thread.
/// Run it: sparse_product [points along a side]

#include <Kokkos_Core.hpp>

#include <cstdio>
#include <cstdlib>

// The entries of row i have the numbers begin(i) to begin(i + 1) - 1.
struct Matrix {
  Kokkos::View<int*> begin;
  Kokkos::View<int*> column;
  Kokkos::View<double*> value;

  int rows() const { return begin.extent_int(0) - 1; }
};

// Number k of the four neighbours of point i of a grid, or -1 where the grid ends. Called on the host and in kernels.
KOKKOS_FUNCTION int neighbour(int side, int i, int k) {
  int const row = i / side, column = i % side;
  if (k == 0) return row > 0 ? i - side : -1;
  if (k == 1) return column > 0 ? i - 1 : -1;
  if (k == 2) return column + 1 < side ? i + 1 : -1;
  return row + 1 < side ? i + side : -1;
}

// The differences of a point of a grid from its four neighbours. A point at the rim has fewer neighbours, so rows have
// 3 to 5 entries. The start of a row is known once all earlier rows have been counted: a scan.
Matrix laplacian(int side) {
  int const n = side * side;
  Matrix a{Kokkos::View<int*>("begin", n + 1), {}, {}};
  auto const begin = a.begin;  // a lambda captures variables, not members
  int entries      = 0;
  Kokkos::parallel_scan(
      "count entries", n,
      KOKKOS_LAMBDA(int i, int& before, bool is_final) {
        if (is_final) begin(i) = before;
        ++before;
        for (int k = 0; k < 4; ++k) before += neighbour(side, i, k) >= 0;
        if (is_final && i == n - 1) begin(n) = before;
      },
      entries);

  auto const column = a.column = Kokkos::View<int*>("column", entries);
  auto const value = a.value = Kokkos::View<double*>("value", entries);
  Kokkos::parallel_for(
      "fill", n, KOKKOS_LAMBDA(int i) {
        int at     = begin(i);
        column(at) = i;
        value(at)  = 4;
        for (int k = 0; k < 4; ++k) {
          if (neighbour(side, i, k) < 0) continue;
          column(++at) = neighbour(side, i, k);
          value(at)    = -1;
        }
      });
  return a;
}

// A team processes 32 rows, each of its threads one row at a time, and the lanes of the thread share the row's entries.
// The machine determines what teams and lanes are: warps of a GPU, or threads and their vector registers.
void multiply(Matrix const& a, Kokkos::View<double const*> const& x, Kokkos::View<double*> const& y) {
  using Policy     = Kokkos::TeamPolicy<>;
  int const n      = a.rows();
  int const chunk  = 32;
  int const league = (n + chunk - 1) / chunk;
  Kokkos::parallel_for(
      "multiply", Policy(league, Kokkos::AUTO, 4), KOKKOS_LAMBDA(Policy::member_type const& team) {
        int const first = team.league_rank() * chunk, last = Kokkos::min(first + chunk, n);
        Kokkos::parallel_for(Kokkos::TeamThreadRange(team, first, last), [&](int i) {
          double sum = 0;
          Kokkos::parallel_reduce(
              Kokkos::ThreadVectorRange(team, a.begin(i), a.begin(i + 1)),
              [&](int k, double& s) { s += a.value(k) * x(a.column(k)); }, sum);
          Kokkos::single(Kokkos::PerThread(team), [&]() { y(i) = sum; });
        });
      });
}

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const side = argc > 1 ? std::atoi(argv[1]) : 300;
  if (side < 2 || side > 20000) {
    std::fputs("sparse_product [points along a side, 2 to 20000]\n", stderr);
    return EXIT_FAILURE;
  }
  Matrix const a = laplacian(side);
  Kokkos::View<double*> x("x", a.rows()), y("y", a.rows());
  Kokkos::parallel_for(
      "x", a.rows(), KOKKOS_LAMBDA(int i) { x(i) = (i / side) * (i / side) + (i % side) * (i % side); });
  multiply(a, x, y);

  // For row^2 + column^2 the differences are -4 at all interior points.
  int wrong = 0;
  Kokkos::parallel_reduce(
      "check", Kokkos::MDRangePolicy<Kokkos::Rank<2>>({1, 1}, {side - 1, side - 1}),
      KOKKOS_LAMBDA(int r, int c, int& w) { w += y(r * side + c) != -4; }, wrong);
  std::printf("A has %d rows and %d entries; %d of its %d inner rows are wrong.\n", a.rows(), a.value.extent_int(0),
              wrong, (side - 2) * (side - 2));
  return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
