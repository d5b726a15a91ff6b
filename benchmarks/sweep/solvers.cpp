// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// \file
/// Kernels of sparse and dense solvers, as Kokkos Kernels writes them: vectors, and products with a matrix.

#include "Sweep.hpp"

namespace sweep {
namespace {

using Matrix = Kokkos::View<double**, Kokkos::LayoutRight, Memory>;

/// A matrix in compressed rows.
struct Sparse {
  Kokkos::View<int*, Exec> starts, columns;
  Vector values;
};

/// A matrix whose rows have `per_row` values each, in columns near the diagonal.
Sparse near_diagonal(int rows, int per_row) {
  Sparse const a{Kokkos::View<int*, Exec>("starts", rows + 1), Kokkos::View<int*, Exec>("columns", rows * per_row),
                 Vector("values", rows * per_row)};
  Kokkos::parallel_for(Range(0, rows + 1), KOKKOS_LAMBDA(int i) { a.starts(i) = i * per_row; });
  Kokkos::parallel_for(
      Range(0, rows), KOKKOS_LAMBDA(int i) {
        for (int k = 0; k < per_row; ++k) {
          a.columns(i * per_row + k) = (i + k * k) % rows;
          a.values(i * per_row + k)  = 1. / (k + 1);
        }
      });
  return a;
}

/// y = beta * y + alpha * A * x, one row for each iteration.
struct RowProduct {
  Sparse a;
  Vector x, y;
  double alpha, beta;
  KOKKOS_FUNCTION void operator()(int row) const {
    double sum = 0;
    for (int k = a.starts(row); k < a.starts(row + 1); ++k) sum += a.values(k) * x(a.columns(k));
    y(row) = beta * y(row) + alpha * sum;
  }
};

/// The same by teams with vector lanes, 32 rows a team.
struct TeamRowProduct {
  using Member = Kokkos::TeamPolicy<Exec>::member_type;
  Sparse a;
  Vector x, y;
  KOKKOS_FUNCTION void operator()(Member const& team) const {
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, 32), [&](int r) {
      int const row = team.league_rank() * 32 + r;
      if (row >= static_cast<int>(y.extent(0))) return;
      double sum = 0;
      Kokkos::parallel_reduce(
          Kokkos::ThreadVectorRange(team, a.starts(row), a.starts(row + 1)),
          [&](int k, double& update) { update += a.values(k) * x(a.columns(k)); }, sum);
      Kokkos::single(Kokkos::PerThread(team), [&] { y(row) += sum; });
    });
  }
};

/// y += A * x of a dense matrix, one row for each iteration.
struct DenseProduct {
  Matrix a;
  Vector x, y;
  KOKKOS_FUNCTION void operator()(int row) const {
    double sum = 0;
    for (int k = 0; k < static_cast<int>(a.extent(1)); ++k) sum += a(row, k) * x(k);
    y(row) += sum;
  }
};

/// The dot products of `value_count` pairs of vectors.
struct Dots {
  using value_type = double[];
  unsigned value_count;
  Matrix a, b;
  KOKKOS_FUNCTION void operator()(int i, double* update) const {
    for (unsigned k = 0; k < value_count; ++k) update[k] += a(i, k) * b(i, k);
  }
};

}  // namespace

void solvers(Sweep const& s) {
  for (std::size_t n : s.sizes()) {
    Vector const x = ascending(n), y = ascending(n);
    double result    = 0;
    auto const axpby = KOKKOS_LAMBDA(int i) { y(i) = 0.5 * x(i) + 0.25 * y(i); };
    auto const scal  = KOKKOS_LAMBDA(int i) { y(i) = 1.5 * x(i); };
    auto const dot   = KOKKOS_LAMBDA(int i, double& update) { update += x(i) * y(i); };
    auto const norm  = KOKKOS_LAMBDA(int i, double& update) {
      double const v = x(i) < 0 ? -x(i) : x(i);
      update         = update < v ? v : update;
    };
    s.row("blas_axpby", n, [&] { Kokkos::parallel_for("axpby", Range(0, n), axpby); }, 24. * n);
    s.row("blas_scal", n, [&] { Kokkos::parallel_for("scal", Range(0, n), scal); }, 16. * n);
    s.row("blas_dot", n, [&] { Kokkos::parallel_reduce("dot", Range(0, n), dot, result); }, 16. * n);
    s.row("blas_nrminf", n, [&] { Kokkos::parallel_reduce(Range(0, n), norm, Kokkos::Max<double>(result)); }, 8. * n);
    for (int per_row : {7, 27}) {
      int const rows  = static_cast<int>(n / per_row);
      Sparse const a  = near_diagonal(rows, per_row);
      Vector const in = ascending(rows), out = ascending(rows);
      std::string const name = "spmv" + std::to_string(per_row);
      double const bytes     = 12. * rows * per_row + 20. * rows;
      s.row((name + "_rows").c_str(), n, [&] { Kokkos::parallel_for(Range(0, rows), RowProduct{a, in, out, 1, 0.5}); },
            bytes);
      s.row((name + "_dynamic").c_str(), n, [&] {
        Kokkos::parallel_for(Kokkos::RangePolicy<Exec, Kokkos::Schedule<Kokkos::Dynamic>>(0, rows),
                             RowProduct{a, in, out, 1, 0.5});
      });
      s.row((name + "_teams").c_str(), n, [&] {
        Kokkos::parallel_for(Kokkos::TeamPolicy<Exec>((rows + 31) / 32, Kokkos::AUTO, 8), TeamRowProduct{a, in, out});
      });
    }
    int const width = n < 10000 ? 10 : 100, height = static_cast<int>(n / width);
    Matrix const dense("dense", height, width), other("other", height, width);
    Vector const in = ascending(width), out = ascending(height);
    s.row("gemv_rows", n, [&] { Kokkos::parallel_for(Range(0, height), DenseProduct{dense, in, out}); }, 8. * n);
    double dots[8];
    s.row("blas_dots_8", n, [&] { Kokkos::parallel_reduce(Range(0, height), Dots{8, dense, other}, dots); });
  }
}

}  // namespace sweep
