// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// \file
/// MDRangePolicy.

#include "Sweep.hpp"

#include <cmath>
#include <cstdint>

namespace sweep {
namespace {

template <class View>
struct Stencil {
  View in, out;
  KOKKOS_FUNCTION void operator()(int i, int j, int k) const {
    out(i, j, k) = in(i, j, k) * 6 - in(i + 1, j, k) - in(i, j + 1, k) - in(i, j, k + 1);
  }
};

}  // namespace

void ranges(Sweep const& s) {
  using Kokkos::MDRangePolicy;
  using Kokkos::Rank;
  for (std::size_t n : s.sizes()) {
    int const side = static_cast<int>(std::sqrt(n)), edge = static_cast<int>(std::cbrt(n));
    int const edge6 = static_cast<int>(std::pow(n, 1. / 6));
    Kokkos::View<double**, Exec> const a("a", side, side), b("b", side, side);
    Kokkos::View<double**, Kokkos::LayoutRight, Memory> const right("right", side, side);
    using Cube = Kokkos::View<double***, Exec>;
    Cube const p("p", edge + 1, edge + 1, edge + 1), q("q", edge + 1, edge + 1, edge + 1);
    Kokkos::View<double******, Exec> const six("six", edge6, edge6, edge6, edge6, edge6, edge6);
    double const bytes = 16. * n;
    auto const add     = KOKKOS_LAMBDA(int i, int j) { b(i, j) = a(i, j) + 1; };
    s.row("md2_for", n, [&] { Kokkos::parallel_for(MDRangePolicy<Exec, Rank<2>>({0, 0}, {side, side}), add); }, bytes);
    s.row(
        "md2_tile_16x16", n,
        [&] { Kokkos::parallel_for(MDRangePolicy<Exec, Rank<2>>({0, 0}, {side, side}, {16, 16}), add); }, bytes);
    s.row(
        "md2_tile_4x4", n,
        [&] { Kokkos::parallel_for(MDRangePolicy<Exec, Rank<2>>({0, 0}, {side, side}, {4, 4}), add); }, bytes);
    auto const transpose = KOKKOS_LAMBDA(int i, int j) { right(i, j) = a(i, j); };
    s.row(
        "md2_transpose", n,
        [&] { Kokkos::parallel_for(MDRangePolicy<Exec, Rank<2>>({0, 0}, {side, side}), transpose); }, bytes);
    using Policy3 = MDRangePolicy<Exec, Rank<3>>;
    Stencil<Cube> const stencil{p, q};
    s.row("md3_for", n, [&] { Kokkos::parallel_for(Policy3({0, 0, 0}, {edge, edge, edge}), stencil); }, bytes);
    s.row(
        "md3_tile_4x4x4", n, [&] { Kokkos::parallel_for(Policy3({0, 0, 0}, {edge, edge, edge}, {4, 4, 4}), stencil); },
        bytes);
    s.row(
        "md3_tile_8x8x8", n, [&] { Kokkos::parallel_for(Policy3({0, 0, 0}, {edge, edge, edge}, {8, 8, 8}), stencil); },
        bytes);
    s.row(
        "md3_tile_32x2x2", n,
        [&] { Kokkos::parallel_for(Policy3({0, 0, 0}, {edge, edge, edge}, {32, 2, 2}), stencil); }, bytes);
    // The policy alone
    std::int64_t volatile tiles = 0;
    s.row("md2_make", n, [&] { tiles = MDRangePolicy<Exec, Rank<2>>({0, 0}, {side, side}).m_num_tiles; });
    s.row("md6_make", n, [&] {
      tiles = MDRangePolicy<Exec, Rank<6>>({0, 0, 0, 0, 0, 0}, {edge6, edge6, edge6, edge6, edge6, edge6}).m_num_tiles;
    });
    auto const six_for = KOKKOS_LAMBDA(int i, int j, int k, int l, int u, int v) { six(i, j, k, l, u, v) += 1; };
    s.row("md6_for", n, [&] {
      Kokkos::parallel_for(MDRangePolicy<Exec, Rank<6>>({0, 0, 0, 0, 0, 0}, {edge6, edge6, edge6, edge6, edge6, edge6}),
                           six_for);
    });
    double sum         = 0;
    auto const reduce2 = KOKKOS_LAMBDA(int i, int j, double& update) { update += a(i, j); };
    auto const reduce3 = KOKKOS_LAMBDA(int i, int j, int k, double& update) { update += p(i, j, k); };
    s.row(
        "md2_reduce", n,
        [&] { Kokkos::parallel_reduce(MDRangePolicy<Exec, Rank<2>>({0, 0}, {side, side}), reduce2, sum); }, 8. * n);
    s.row(
        "md3_reduce", n, [&] { Kokkos::parallel_reduce(Policy3({0, 0, 0}, {edge, edge, edge}), reduce3, sum); },
        8. * n);
  }
}

}  // namespace sweep
