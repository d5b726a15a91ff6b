// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// \file
/// Algorithms that select elements.

#include "Sweep.hpp"

#include <Kokkos_StdAlgorithms.hpp>

namespace sweep {
namespace {

namespace KE = Kokkos::Experimental;

struct IsEven {
  KOKKOS_FUNCTION bool operator()(double x) const { return static_cast<long>(x) % 2 == 0; }
};
struct IsNegative {
  KOKKOS_FUNCTION bool operator()(double x) const { return x < 0; }
};
struct Same {
  KOKKOS_FUNCTION bool operator()(double a, double b) const { return a == b; }
};

}  // namespace

void selections(Sweep const& s) {
  Exec const exec;
  for (std::size_t n : s.sizes()) {
    Vector const a = ascending(n), b = ascending(n), c = ascending(n);
    double const one = 8. * n;
    auto const row   = [&](char const* name, auto const& call, double bytes) { s.row(name, n, call, bytes); };
    row("alg_copy_if", [&] { KE::copy_if(exec, a, b, IsEven()); }, 1.5 * one);
    row("alg_remove_copy_if", [&] { KE::remove_copy_if(exec, a, b, IsEven()); }, 1.5 * one);
    row("alg_partition_copy", [&] { KE::partition_copy(exec, a, b, c, IsEven()); }, 2 * one);
    row("alg_unique_copy", [&] { KE::unique_copy(exec, a, b); }, 2 * one);
    row("alg_unique", [&] { KE::unique(exec, a); }, one);
    row("alg_unique_pred", [&] { KE::unique(exec, a, Same()); }, one);
    row("alg_remove", [&] { KE::remove(exec, a, -1.); }, one);
    row("alg_remove_if", [&] { KE::remove_if(exec, a, IsNegative()); }, one);
  }
}

}  // namespace sweep
