// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The memory of host teams.

#include <impl/Host/Kokkos_Host_League.hpp>
#include <Kokkos_Abort.hpp>

#include <algorithm>
#include <new>
#include <string>

namespace Kokkos::Impl {

namespace {

/// Rounded up to whole cache lines, so that threads and teams share none.
std::size_t in_lines(std::size_t bytes) { return (bytes + host_line_bytes - 1) / host_line_bytes * host_line_bytes; }

/// Bytes between the scratch memory of a level and what follows it.
std::size_t scratch_stride(ScratchRegion const& region, std::size_t team_size) {
  return in_lines(region.per_team + team_size * region.per_thread);
}

/// Number of items to fetch at a time. The cost of items may vary greatly, so chunks are smaller than those of a range,
/// but large enough that fetching them takes less time than the work.
std::uint64_t chunk(TeamShape const& shape, int threads) {
  if (shape.chunk_size > 0) return static_cast<std::uint64_t>(shape.chunk_size);
  std::uint64_t const share = static_cast<std::uint64_t>(shape.league_size) / static_cast<std::uint64_t>(threads);
  return std::max<std::uint64_t>(share / 128, 1);
}

}  // namespace

HostLeague::HostLeague(char const* space, TeamShape const& shape, int threads, bool dynamic,
                       std::size_t functor_scratch)
    : m_chunks(static_cast<std::uint64_t>(shape.league_size), chunk(shape, threads)),
      m_space(space),
      m_league_size(shape.league_size),
      m_team_size(shape.team_size),
      m_dynamic(dynamic) {
  require_team_size(space, m_team_size, threads);
  auto const size = static_cast<std::size_t>(m_team_size);
  for (int level = 0; level < 2; ++level) {
    expect_scratch_size(space, level, shape.scratch[level].total(m_team_size) + (level == 0 ? functor_scratch : 0),
                        host_scratch_size_max(level));
  }
  m_teams = std::min(threads / m_team_size, m_league_size);
  for (int level = 0; level < 2; ++level) {
    std::size_t const of_functor = level == 0 ? functor_scratch : 0;
    std::size_t const of_team    = shape.scratch[level].per_team + of_functor;
    m_scratch[level].per_thread  = in_lines(shape.scratch[level].per_thread);
    // If no memory of single threads follows, the team's memory is not rounded up to whole cache lines: a team gets no
    // more than it requested, as on GPUs.
    m_scratch[level].per_team = m_scratch[level].per_thread > 0 ? in_lines(of_team) : (of_team + 15) / 16 * 16;
  }
  m_team_bytes = in_lines(sizeof(HostTeam)) + size * sizeof(HostTeamSlot);
  for (ScratchRegion const& region : m_scratch) m_team_bytes += scratch_stride(region, size);
}

void HostLeague::place(void* memory) {
  m_memory        = static_cast<char*>(memory);
  auto const size = static_cast<std::size_t>(m_team_size);
  if (size == 1) return;
  for (int number = 0; number < m_teams; ++number) {
    char* const at    = m_memory + static_cast<std::size_t>(number) * m_team_bytes;
    HostTeam* const t = ::new (at) HostTeam;
    t->slots          = reinterpret_cast<HostTeamSlot*>(at + in_lines(sizeof(HostTeam)));
    for (std::size_t r = 0; r < size; ++r) ::new (static_cast<void*>(t->slots + r)) HostTeamSlot;
    give_scratch(*t, number);
  }
}

void HostLeague::give_scratch(HostTeam& team, int number) const noexcept {
  auto const size = static_cast<std::size_t>(m_team_size);
  char* at        = m_memory + static_cast<std::size_t>(number) * m_team_bytes + in_lines(sizeof(HostTeam)) +
             size * sizeof(HostTeamSlot);
  for (int level = 0; level < 2; ++level) {
    ScratchRegion& region = team.scratch[level];
    region                = m_scratch[level];
    region.base           = at;
    at += scratch_stride(region, size);
    team.has_scratch = team.has_scratch || region.per_team + region.per_thread > 0;
  }
}

void HostLeague::abort_too_few_threads(int threads) const noexcept {
  Kokkos::abort((std::string("A kernel with teams of ") + std::to_string(m_team_size) + " threads got only " +
                 std::to_string(threads) + " of the threads of Kokkos::" + m_space +
                 ". Check what limits the number of threads at run time (OMP_DYNAMIC, OMP_THREAD_LIMIT).")
                    .c_str());
}

}  // namespace Kokkos::Impl
