// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// \file
/// Algorithms that write an element for each element, and scans.

#include "Sweep.hpp"

#include <Kokkos_StdAlgorithms.hpp>

namespace sweep {
namespace {

namespace KE = Kokkos::Experimental;

struct Negate {
  KOKKOS_FUNCTION double operator()(double x) const { return -x; }
};
struct Twice {
  KOKKOS_FUNCTION void operator()(double& x) const { x *= 2; }
};
struct Three {
  KOKKOS_FUNCTION double operator()() const { return 3; }
};
struct Add {
  KOKKOS_FUNCTION double operator()(double a, double b) const { return a + b; }
};
struct Larger {
  KOKKOS_FUNCTION double operator()(double a, double b) const { return a < b ? b : a; }
};
struct IsNegative {
  KOKKOS_FUNCTION bool operator()(double x) const { return x < 0; }
};

}  // namespace

void algorithms(Sweep const& s) {
  Exec const exec;
  for (std::size_t n : s.sizes()) {
    Vector const a = ascending(n), b = ascending(n), c = ascending(n);
    double const one = 8. * n;
    auto const row   = [&](char const* name, auto const& call, double bytes) { s.row(name, n, call, bytes); };
    row("alg_fill", [&] { KE::fill(exec, b, 1.); }, one);
    row("alg_fill_n", [&] { KE::fill_n(exec, b, n, 1.); }, one);
    row("alg_generate", [&] { KE::generate(exec, b, Three()); }, one);
    row("alg_for_each", [&] { KE::for_each(exec, b, Twice()); }, 2 * one);
    row("alg_copy", [&] { KE::copy(exec, a, b); }, 2 * one);
    row("alg_copy_backward", [&] { KE::copy_backward(exec, a, b); }, 2 * one);
    row("alg_move", [&] { KE::move(exec, a, b); }, 2 * one);
    row("alg_swap_ranges", [&] { KE::swap_ranges(exec, b, c); }, 4 * one);
    row("alg_transform1", [&] { KE::transform(exec, a, b, Negate()); }, 2 * one);
    row("alg_transform2", [&] { KE::transform(exec, a, c, b, Add()); }, 3 * one);
    row("alg_replace_if", [&] { KE::replace_if(exec, a, IsNegative(), 1.); }, one);
    row("alg_replace_copy_if", [&] { KE::replace_copy_if(exec, a, b, IsNegative(), 1.); }, 2 * one);
    row("alg_reverse", [&] { KE::reverse(exec, c); }, 2 * one);
    row("alg_reverse_copy", [&] { KE::reverse_copy(exec, a, b); }, 2 * one);
    row("alg_rotate", [&] { KE::rotate(exec, c, n / 3); }, 2 * one);
    row("alg_rotate_copy", [&] { KE::rotate_copy(exec, a, n / 3, b); }, 2 * one);
    row("alg_shift_left", [&] { KE::shift_left(exec, c, n / 3); }, 2 * one);
    row("alg_shift_right", [&] { KE::shift_right(exec, c, n / 3); }, 2 * one);
    row("alg_adjacent_difference", [&] { KE::adjacent_difference(exec, a, b); }, 2 * one);
    row("alg_inclusive_scan", [&] { KE::inclusive_scan(exec, a, b); }, 2 * one);
    row("alg_inclusive_scan_op", [&] { KE::inclusive_scan(exec, a, b, Larger()); }, 2 * one);
    row("alg_exclusive_scan", [&] { KE::exclusive_scan(exec, a, b, 0.); }, 2 * one);
    row("alg_exclusive_scan_op", [&] { KE::exclusive_scan(exec, a, b, 0., Larger()); }, 2 * one);
    row("alg_transform_inclusive_scan", [&] { KE::transform_inclusive_scan(exec, a, b, Add(), Negate()); }, 2 * one);
    row(
        "alg_transform_exclusive_scan", [&] { KE::transform_exclusive_scan(exec, a, b, 0., Add(), Negate()); },
        2 * one);
  }
}

}  // namespace sweep
