// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Transposes a matrix by tiles: a team reads a tile row by row into its scratch memory and writes it column by column,
/// so that both the reads and the writes access memory in order.
///
/// Shows: scratch memory of teams, barriers, nested ranges.    Run it: team_scratch [rows] [columns]

#include <Kokkos_Core.hpp>

#include <cstdio>
#include <cstdlib>

using Space  = Kokkos::DefaultExecutionSpace;
using Matrix = Kokkos::View<double**, Kokkos::LayoutRight, Space>;
// A view of scratch memory allocates nothing: it gets a part of the memory that the policy requested.
using Tile = Kokkos::View<double**, Kokkos::LayoutRight, Space::scratch_memory_space, Kokkos::MemoryUnmanaged>;

void transpose_by_tiles(Matrix const& a, Matrix const& b) {
  int const width =
      32;  // of a tile; a local variable, because a kernel copies local variables and cannot access other variables of
           // the host
  using Policy   = Kokkos::TeamPolicy<Space>;
  using Member   = Policy::member_type;
  int const rows = a.extent_int(0), columns = a.extent_int(1);
  int const across = (columns + width - 1) / width, down = (rows + width - 1) / width;

  // One more column than needed: then neighbours in a column of the tile are not in the same bank of a GPU's memory.
  auto const bytes = Tile::shmem_size(width, width + 1);
  Kokkos::parallel_for(
      "transpose by tiles", Policy(across * down, Kokkos::AUTO).set_scratch_size(0, Kokkos::PerTeam(bytes)),
      KOKKOS_LAMBDA(Member const& team) {
        int const top = team.league_rank() / across * width, left = team.league_rank() % across * width;
        int const height = Kokkos::min(width, rows - top), length = Kokkos::min(width, columns - left);
        Tile tile(team.team_scratch(0), width, width + 1);
        // The threads of the team share the rows, and the lanes of each thread the elements of a row.
        Kokkos::parallel_for(Kokkos::TeamThreadRange(team, height), [&](int i) {
          Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, length),
                               [&](int j) { tile(i, j) = a(top + i, left + j); });
        });
        team.team_barrier();  // other threads now write the elements that one thread has read
        Kokkos::parallel_for(Kokkos::TeamThreadRange(team, length), [&](int j) {
          Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, height),
                               [&](int i) { b(left + j, top + i) = tile(i, j); });
        });
      });
}

void transpose_at_once(Matrix const& a, Matrix const& b) {
  Kokkos::parallel_for(
      "transpose at once", Kokkos::MDRangePolicy<Space, Kokkos::Rank<2>>({0, 0}, {a.extent(0), a.extent(1)}),
      KOKKOS_LAMBDA(int i, int j) { b(j, i) = a(i, j); });
}

template <class Transpose>
int try_out(char const* name, Matrix const& a, Transpose transpose) {
  Matrix const b("b", a.extent(1), a.extent(0));
  transpose(a, b);  // a warm-up run, which touches the memory for the first time
  Kokkos::fence();
  Kokkos::Timer timer;
  transpose(a, b);
  Kokkos::fence();  // kernels are asynchronous; the kernel's time ends only here
  double const seconds = timer.seconds();
  int wrong            = 0;
  Kokkos::parallel_reduce(
      "check", Kokkos::MDRangePolicy<Space, Kokkos::Rank<2>>({0, 0}, {a.extent(0), a.extent(1)}),
      KOKKOS_LAMBDA(int i, int j, int& w) { w += b(j, i) != a(i, j); }, wrong);
  std::printf("%-18s %8.2f GB/s, %d elements wrong\n", name,
              2e-9 * sizeof(double) * static_cast<double>(a.size()) / seconds, wrong);
  return wrong;
}

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const rows = argc > 1 ? std::atoi(argv[1]) : 1000, columns = argc > 2 ? std::atoi(argv[2]) : 700;
  if (rows < 1 || columns < 1) {
    std::fputs("team_scratch [rows, 1 or more] [columns, 1 or more]\n", stderr);
    return EXIT_FAILURE;
  }
  Matrix const a("a", rows, columns);
  Kokkos::parallel_for(
      "fill", Kokkos::MDRangePolicy<Space, Kokkos::Rank<2>>({0, 0}, {rows, columns}),
      KOKKOS_LAMBDA(int i, int j) { a(i, j) = 1000.0 * i + j; });
  int const wrong =
      try_out("element by element", a, transpose_at_once) + try_out("tile by tile", a, transpose_by_tiles);
  return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
