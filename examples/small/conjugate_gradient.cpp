// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The method of conjugate gradients for the heat of a plate with a cold rim, and where its host waits for the device.
///
/// With `host`, the two dot products of each iteration are variables of the host, so each of them waits for the device.
/// With `device`, they are views of rank 0, which the next kernels read, and the host looks at the residual now and then.
///
/// Shows: reductions into views, KOKKOS_EXPLAIN_WAITS.
/// Run it: KOKKOS_EXPLAIN_WAITS=1 conjugate_gradient [host or device] [cells along a side]

#include <Kokkos_Core.hpp>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

using Vector = Kokkos::View<double*>;
using Scalar = Kokkos::View<double>;

// A number for a kernel, from either kind of result.
KOKKOS_FUNCTION double number(double x) { return x; }
KOKKOS_FUNCTION double number(Scalar const& x) { return x(); }

// A number for the host. The copy of a view waits for the device.
double host_number(double x) { return x; }
double host_number(Scalar const& x) {
  double value = 0;
  Kokkos::deep_copy(value, x);
  return value;
}

void prepare(double&, char const*) {}
void prepare(Scalar& x, char const* label) { x = Scalar(label); }

// y = A x, where A is the difference of a cell from its four neighbours.
void multiply(int side, Vector const& x, Vector const& y) {
  Kokkos::parallel_for(
      "multiply", side * side, KOKKOS_LAMBDA(int i) {
        int const row = i / side, column = i % side;
        double sum = 4 * x(i);
        if (row > 0) sum -= x(i - side);
        if (row + 1 < side) sum -= x(i + side);
        if (column > 0) sum -= x(i - 1);
        if (column + 1 < side) sum -= x(i + 1);
        y(i) = sum;
      });
}

template <class Result>
void dot(Vector const& a, Vector const& b, Result& result) {
  Kokkos::parallel_reduce("dot", a.extent(0), KOKKOS_LAMBDA(int i, double& sum) { sum += a(i) * b(i); }, result);
}

// x and r move along p, by the step rr / pq.
template <class Result>
void step(Vector const& x, Vector const& r, Vector const& p, Vector const& q, Result const& rr, Result const& pq) {
  Kokkos::parallel_for(
      "step", x.extent(0), KOKKOS_LAMBDA(int i) {
        double const length = number(rr) / number(pq);
        x(i) += length * p(i);
        r(i) -= length * q(i);
      });
}

template <class Result>
void turn(Vector const& p, Vector const& r, Result const& rr, Result const& before) {
  Kokkos::parallel_for("turn", p.extent(0), KOKKOS_LAMBDA(int i) { p(i) = r(i) + number(rr) / number(before) * p(i); });
}

// Solves A x = r, where x is 0, and r is overwritten. Returns the number of iterations. The host looks at the residual in
// every `period`th iteration.
template <class Result>
int solve(int side, Vector const& x, Vector const& r, double tolerance, int period) {
  Vector const p("p", x.extent(0)), q("q", x.extent(0));
  Result rr{}, before{}, pq{};
  prepare(rr, "rr");
  prepare(before, "rr before");
  prepare(pq, "pq");
  Kokkos::deep_copy(p, r);
  dot(r, r, rr);
  double const goal = tolerance * tolerance * host_number(rr);
  int n             = 0;
  while (n % period != 0 || host_number(rr) > goal) {
    multiply(side, p, q);
    dot(p, q, pq);
    step(x, r, p, q, rr, pq);
    std::swap(rr, before);
    dot(r, r, rr);
    turn(p, r, rr, before);
    ++n;
  }
  return n;
}

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  char const* mode     = argc > 1 ? argv[1] : "device";
  bool const on_device = std::strcmp(mode, "device") == 0;
  int const side       = argc > 2 ? std::atoi(argv[2]) : 100;
  if ((!on_device && std::strcmp(mode, "host") != 0) || side < 2) {
    std::fputs("conjugate_gradient [host or device] [cells along a side, 2 or more]\n", stderr);
    return EXIT_FAILURE;
  }
  double const tolerance = 1e-8;
  Vector const x("x", side * side), r("r", side * side), check("check", side * side);
  Kokkos::deep_copy(r, 1.0);  // the same heat is fed into each cell

  Kokkos::Timer timer;
  int const n          = on_device ? solve<Scalar>(side, x, r, tolerance, 20) : solve<double>(side, x, r, tolerance, 1);
  double const seconds = timer.seconds();

  multiply(side, x, check);
  double error = 0;
  Kokkos::parallel_reduce(
      "error", side * side, KOKKOS_LAMBDA(int i, double& sum) { sum += (check(i) - 1) * (check(i) - 1); }, error);
  error = std::sqrt(error) / side;  // beside the norm of the right side
  std::printf("%d iterations in %.4f s, with dot products on the %s. The residual is %.1e.\n", n, seconds, mode, error);
  return error < 10 * tolerance ? EXIT_SUCCESS : EXIT_FAILURE;
}
