// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// \file
/// TeamPolicy and the nested patterns.

#include "Sweep.hpp"

namespace sweep {
namespace {

using Policy = Kokkos::TeamPolicy<Exec>;
using Member = Policy::member_type;
using Matrix = Kokkos::View<double**, Kokkos::LayoutRight, Memory>;

constexpr int rows_of_team = 16;

/// The sum of each row: 16 rows a team, one for each thread at a time.
struct RowSums {
  Matrix a;
  Vector sums;
  KOKKOS_FUNCTION void operator()(Member const& team) const {
    int const first = team.league_rank() * rows_of_team, length = static_cast<int>(a.extent(1));
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, rows_of_team), [&](int r) {
      double sum = 0;
      Kokkos::parallel_reduce(
          Kokkos::ThreadVectorRange(team, length), [&](int k, double& update) { update += a(first + r, k); }, sum);
      Kokkos::single(Kokkos::PerThread(team), [&] { sums(first + r) = sum; });
    });
  }
};

/// The sum of each row by the whole team.
struct TeamRowSums {
  Matrix a;
  Vector sums;
  KOKKOS_FUNCTION void operator()(Member const& team) const {
    int const row = team.league_rank();
    double sum    = 0;
    Kokkos::parallel_reduce(
        Kokkos::TeamVectorRange(team, static_cast<int>(a.extent(1))),
        [&](int k, double& update) { update += a(row, k); }, sum);
    Kokkos::single(Kokkos::PerTeam(team), [&] { sums(row) = sum; });
  }
};

struct TeamScratch {
  Matrix a;
  KOKKOS_FUNCTION void operator()(Member const& team) const {
    int const row = team.league_rank(), length = static_cast<int>(a.extent(1));
    Kokkos::View<double*, Exec::scratch_memory_space, Kokkos::MemoryUnmanaged> const scratch(team.team_scratch(0),
                                                                                             length);
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, length), [&](int k) { scratch(k) = a(row, k); });
    team.team_barrier();
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, length), [&](int k) { a(row, k) = scratch(length - 1 - k); });
  }
};

struct TeamScan {
  Matrix a;
  KOKKOS_FUNCTION void operator()(Member const& team) const {
    int const row = team.league_rank();
    Kokkos::parallel_scan(Kokkos::TeamThreadRange(team, static_cast<int>(a.extent(1))),
                          [&](int k, double& update, bool is_final) {
                            double const x = a(row, k);
                            if (is_final) a(row, k) = update;
                            update += x;
                          });
  }
};

struct TeamSum {
  Matrix a;
  KOKKOS_FUNCTION void operator()(Member const& team, double& update) const {
    int const row = team.league_rank();
    double sum    = 0;
    Kokkos::parallel_reduce(
        Kokkos::TeamThreadRange(team, static_cast<int>(a.extent(1))), [&](int k, double& own) { own += a(row, k); },
        sum);
    Kokkos::single(Kokkos::PerTeam(team), [&] { update += sum; });
  }
};

void rows(Sweep const& s, std::size_t n, int length) {
  int const count = static_cast<int>(n / length / rows_of_team) * rows_of_team;
  if (count == 0) return;
  Matrix const a("a", count, length);
  Vector const sums("sums", count);
  std::string const name = "team_rows" + std::to_string(length);
  double const bytes     = 8. * count * length;
  for (int lanes : {1, 8, 32})
    s.row((name + "_tvr" + std::to_string(lanes)).c_str(), n,
          [&] { Kokkos::parallel_for(Policy(count / rows_of_team, Kokkos::AUTO, lanes), RowSums{a, sums}); }, bytes);
  s.row((name + "_team").c_str(), n,
        [&] { Kokkos::parallel_for(Policy(count, Kokkos::AUTO, Kokkos::AUTO), TeamRowSums{a, sums}); }, bytes);
  if constexpr (!Kokkos::SpaceAccessibility<Kokkos::HostSpace, Memory>::accessible)
    s.row((name + "_team128").c_str(), n, [&] { Kokkos::parallel_for(Policy(count, 128), TeamRowSums{a, sums}); },
          bytes);
  s.row((name + "_scratch").c_str(), n,
        [&] {
          Kokkos::parallel_for(Policy(count, Kokkos::AUTO).set_scratch_size(0, Kokkos::PerTeam(8 * length + 64)),
                               TeamScratch{a});
        },
        2 * bytes);
  s.row((name + "_scan").c_str(), n, [&] { Kokkos::parallel_for(Policy(count, Kokkos::AUTO), TeamScan{a}); },
        2 * bytes);
  double sum = 0;
  s.row((name + "_reduce").c_str(), n, [&] { Kokkos::parallel_reduce(Policy(count, Kokkos::AUTO), TeamSum{a}, sum); },
        bytes);
}

}  // namespace

void teams(Sweep const& s) {
  for (std::size_t n : s.sizes())
    for (int length : {16, 100, 1000}) rows(s, n, length);
}

}  // namespace sweep
