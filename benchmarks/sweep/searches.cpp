// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// \file
/// Algorithms that only read: searches, comparisons, counts and reductions.

#include "Sweep.hpp"

#include <Kokkos_StdAlgorithms.hpp>

namespace sweep {
namespace {

namespace KE = Kokkos::Experimental;

struct IsNegative {
  KOKKOS_FUNCTION bool operator()(double x) const { return x < 0; }
};
struct IsPositive {
  KOKKOS_FUNCTION bool operator()(double x) const { return x >= 0; }
};
struct Below {
  KOKKOS_FUNCTION bool operator()(double a, double b) const { return a < b; }
};
struct Add {
  KOKKOS_FUNCTION double operator()(double a, double b) const { return a + b; }
};
struct Square {
  KOKKOS_FUNCTION double operator()(double a) const { return a * a; }
};

}  // namespace

void searches(Sweep const& s) {
  Exec const exec;
  for (std::size_t n : s.sizes()) {
    Vector const a = ascending(n), b = ascending(n);
    Vector const absent("absent", 3);
    Kokkos::deep_copy(absent, -1.);
    double const one = 8. * n;
    auto const row   = [&](char const* name, auto const& call, double bytes) { s.row(name, n, call, bytes); };
    Vector const mixed("mixed", n);
    Kokkos::parallel_for(Range(0, n), KOKKOS_LAMBDA(long i) { mixed(i) = static_cast<double>(i * 7919 % 1000003); });
    row("alg_min_element", [&] { KE::min_element(exec, a); }, one);
    row("alg_max_element_cmp", [&] { KE::max_element(exec, a, Below()); }, one);
    row("alg_minmax_element", [&] { KE::minmax_element(exec, a); }, one);
    row("alg_max_element_mixed", [&] { KE::max_element(exec, mixed); }, one);
    row("alg_minmax_element_mixed", [&] { KE::minmax_element(exec, mixed); }, one);
    row("alg_reduce", [&] { KE::reduce(exec, a); }, one);
    row("alg_reduce_op", [&] { KE::reduce(exec, a, 0., Add()); }, one);
    row("alg_transform_reduce", [&] { KE::transform_reduce(exec, a, b, 0.); }, 2 * one);
    row("alg_transform_reduce_op", [&] { KE::transform_reduce(exec, a, 0., Add(), Square()); }, one);
    row("alg_count", [&] { KE::count(exec, a, 1.); }, one);
    row("alg_count_if", [&] { KE::count_if(exec, a, IsNegative()); }, one);
    row("alg_all_of", [&] { KE::all_of(exec, a, IsPositive()); }, one);
    row("alg_any_of", [&] { KE::any_of(exec, a, IsNegative()); }, one);
    row("alg_find_absent", [&] { KE::find(exec, a, -1.); }, one);
    row("alg_find_if", [&] { KE::find_if(exec, a, IsNegative()); }, one);
    row("alg_find_first_of", [&] { KE::find_first_of(exec, a, absent); }, one);
    row("alg_find_end", [&] { KE::find_end(exec, a, absent); }, one);
    row("alg_search", [&] { KE::search(exec, a, absent); }, one);
    row("alg_search_n", [&] { KE::search_n(exec, a, 3, -1.); }, one);
    row("alg_adjacent_find", [&] { KE::adjacent_find(exec, a); }, one);
    row("alg_equal", [&] { KE::equal(exec, a, b); }, 2 * one);
    row("alg_mismatch", [&] { KE::mismatch(exec, a, b); }, 2 * one);
    row("alg_lexicographical_compare", [&] { KE::lexicographical_compare(exec, a, b); }, 2 * one);
    row("alg_is_sorted", [&] { KE::is_sorted(exec, a); }, one);
    row("alg_is_sorted_until", [&] { KE::is_sorted_until(exec, a); }, one);
    row("alg_is_partitioned", [&] { KE::is_partitioned(exec, a, IsNegative()); }, one);
    row("alg_partition_point", [&] { KE::partition_point(exec, a, IsNegative()); }, one);
  }
}

}  // namespace sweep
