// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The method of conjugate gradients for the heat of a plate with a cold rim, and where its host waits for the device.
///
/// With `host`, the two dot products of each iteration are variables of the host, so each of them waits for the device.
/// With `device`, they are views of rank 0, which the next kernels read, and the host looks at the residual now and then.
/// With `pipelined`, the host reads both of them in each iteration, but later than it enqueues the next product.
///
/// Shows: reductions into views, pending results, KOKKOS_EXPLAIN_WAITS.
/// Run it: KOKKOS_EXPLAIN_WAITS=1 conjugate_gradient [host, device or pipelined] [cells along a side]

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

// The pipelined method of P. Ghysels and W. Vanroose (2014). Besides r it keeps w = A r, and with them the products of the
// direction, s = A p and z = A s. So one reduction gives both dot products of an iteration, and the next multiplication
// needs neither of them: the device multiplies while the values travel to the host.
int solve_pipelined(int side, Vector const& x, Vector const& r, double tolerance) {
  std::size_t const n = x.extent(0);
  Vector const p("p", n), w("w", n), q("q", n), s("s", n), z("z", n), b("b", n);
  Kokkos::deep_copy(b, r);
  multiply(side, r, w);
  Kokkos::Experimental::PendingResult<double> rr, wr;
  double before = 0, length = 0, goal = 0;
  for (int iteration = 0;; ++iteration) {
    Kokkos::parallel_reduce(
        "dots", n,
        KOKKOS_LAMBDA(int i, double& sum_rr, double& sum_wr) {
          sum_rr += r(i) * r(i);
          sum_wr += w(i) * r(i);
        },
        rr, wr);
    multiply(side, w, q);
    double const square = rr.get();  // waits for the reduction only
    if (iteration == 0) goal = tolerance * tolerance * square;
    if (square <= goal) return iteration;
    double const turn = iteration == 0 ? 0 : square / before;
    length            = square / (iteration == 0 ? wr.get() : wr.get() - turn * square / length);
    before            = square;
    double const step = length;
    if (iteration % 100 == 99) {
      multiply(side, x, z);
      Kokkos::parallel_for("residual", n, KOKKOS_LAMBDA(int i) { r(i) = b(i) - z(i); });
      multiply(side, r, w);
      multiply(side, p, s);
      multiply(side, s, z);
      multiply(side, w, q);
    }
    Kokkos::parallel_for(
        "update", n, KOKKOS_LAMBDA(int i) {
          z(i) = q(i) + turn * z(i);
          s(i) = w(i) + turn * s(i);
          p(i) = r(i) + turn * p(i);
          x(i) += step * p(i);
          r(i) -= step * s(i);
          w(i) -= step * z(i);
        });
  }
}

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  char const* mode = argc > 1 ? argv[1] : "pipelined";
  auto const is    = [&](char const* name) { return std::strcmp(mode, name) == 0; };
  int const side   = argc > 2 ? std::atoi(argv[2]) : 100;
  if ((!is("host") && !is("device") && !is("pipelined")) || side < 2) {
    std::fputs("conjugate_gradient [host, device or pipelined] [cells along a side, 2 or more]\n", stderr);
    return EXIT_FAILURE;
  }
  double const tolerance = 1e-8;
  Vector const x("x", side * side), r("r", side * side), check("check", side * side);
  Kokkos::deep_copy(r, 1.0);  // the same heat is fed into each cell

  Kokkos::Timer timer;
  int const n          = is("host")     ? solve<double>(side, x, r, tolerance, 1)
                         : is("device") ? solve<Scalar>(side, x, r, tolerance, 20)
                                        : solve_pipelined(side, x, r, tolerance);
  double const seconds = timer.seconds();

  multiply(side, x, check);
  double error = 0;
  Kokkos::parallel_reduce(
      "error", side * side, KOKKOS_LAMBDA(int i, double& sum) { sum += (check(i) - 1) * (check(i) - 1); }, error);
  error = std::sqrt(error) / side;  // beside the norm of the right side
  std::printf("%d iterations in %.4f s (%s). The residual is %.1e.\n", n, seconds, mode, error);
  return error < 10 * tolerance ? EXIT_SUCCESS : EXIT_FAILURE;
}
