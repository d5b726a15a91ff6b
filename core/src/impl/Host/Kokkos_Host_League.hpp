// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_HOST_LEAGUE_HPP
#define KOKKOS_HOST_LEAGUE_HPP

/// \file
/// The division of an instance's threads into teams, and the assignment of league items to teams.

#include <impl/Host/Kokkos_Host_TeamMember.hpp>
#include <impl/policy/Kokkos_TeamShape.hpp>

#include <cstddef>

namespace Kokkos::Impl {

/// The size of a core's cache, and of one core's share of a shared cache. Both levels use pageable memory here, so a
/// launch with more is possible, and only reported: it would fail on a GPU.
constexpr int host_scratch_size_max(int level) { return level == 0 ? 32 * 1024 : 20 * 1024 * 1024; }

/// The largest team of at most `threads` threads whose scratch memory of level 0 fits. If not even that of one thread
/// does, the size of the team does not matter. `functor_scratch(size)` is what the functor itself requests.
template <class FunctorScratch>
int host_team_size_with_scratch(TeamShape const& shape, int threads, FunctorScratch const& functor_scratch) {
  auto const fits = [&](int size) {
    return shape.scratch[0].total(size) + functor_scratch(size) <= static_cast<std::size_t>(host_scratch_size_max(0));
  };
  int size = threads;
  while (size > 1 && !fits(size)) --size;
  return size > 1 || fits(1) ? size : threads;
}

/// One run of a league. The threads of the instance are divided into as many teams as possible, each of neighbouring
/// threads; surplus threads are idle. With a static schedule each team processes one block of the league, so the next
/// kernel assigns the same items to the same threads. With a dynamic schedule, teams fetch chunks.
class HostLeague {
 public:
  /// `threads` is the number of the instance's threads, `functor_scratch` the number of bytes that the functor itself
  /// requests.
  /// \throws std::runtime_error if the team size is not between 1 and `threads`, or, without deprecated code of Kokkos
  /// 4, if a team requests more than the maximum scratch memory of a level
  HostLeague(char const* space, TeamShape const& shape, int threads, bool dynamic, std::size_t functor_scratch);

  /// Bytes that the teams need, aligned to a cache line.
  std::size_t bytes() const noexcept { return m_team_bytes * static_cast<std::size_t>(m_teams); }
  /// Creates the teams in that memory, except teams of one thread, which their threads create.
  void place(void* memory);
  /// The number of participating threads if the kernel got `threads` threads. Ends the program if these are too few for
  /// one team.
  int workers(int threads) const noexcept { return teams(threads) * m_team_size; }
  /// Whether one thread runs the whole league, so that no other thread needs to wake up.
  bool is_for_one_thread() const noexcept { return m_teams * m_team_size == 1; }

  /// The work of thread `rank` of `threads`: calls item(member) for each item of its team.
  template <class ExecSpace, class Item>
  void work(int rank, int threads, Item const& item) {
    using Member      = HostTeamMember<ExecSpace>;
    int const n_teams = teams(threads);
    int const number  = rank / m_team_size;
    if (number >= n_teams) return;
    HostPart const block = host_part(static_cast<std::uint64_t>(m_league_size), number, n_teams);
    if (m_team_size == 1) {
      // Most teams have one thread. If a constant of the member expresses that, the compiler removes all
      // synchronisation within the team, which matters for short items. The thread makes its team itself: it would wait
      // for the cache lines of one that the launching thread made.
      HostTeam mine;
      give_scratch(mine, number);
      each_item(
          block, [&] { return m_chunks.next(); },
          [&](int i) {
            Member member(mine, 0, 1, m_league_size);
            member.impl_begin(i);
            item(static_cast<Member const&>(member));
          });
    } else {
      HostTeam& mine = team(number);
      Member member(mine, rank % m_team_size, m_team_size, m_league_size);
      each_item(
          block, [&] { return next(member); },
          [&](int i) {
            member.impl_begin(i);
            item(static_cast<Member const&>(member));
            // No thread may reuse the team's scratch memory while another still works on this item.
            member.team_barrier();
          });
    }
  }

 private:
  int teams(int threads) const noexcept {
    if (threads < m_team_size) abort_too_few_threads(threads);
    int const fit = threads / m_team_size;
    return fit < m_teams ? fit : m_teams;
  }
  [[noreturn]] void abort_too_few_threads(int threads) const noexcept;
  /// Sets the scratch memory of the team with this number.
  void give_scratch(HostTeam& team, int number) const noexcept;
  HostTeam& team(int number) const noexcept {
    return *reinterpret_cast<HostTeam*>(m_memory + static_cast<std::size_t>(number) * m_team_bytes);
  }
  /// Calls one(i) for each item of the block or, with a dynamic schedule, of the parts that next() returns.
  template <class Next, class One>
  void each_item(HostPart part, Next const& next, One const& one) const {
    if (m_dynamic) part = next();
    while (part.end > part.begin) {
      for (std::uint64_t i = part.begin; i < part.end; ++i) one(static_cast<int>(i));
      part = m_dynamic ? next() : HostPart{0, 0};
    }
  }
  // The last thread to arrive fetches a chunk for all. The others read it after the barrier, and it cannot be
  // overwritten before all have arrived once more.
  template <class Member>
  HostPart next(Member const& member) noexcept {
    HostTeam& shared = member.impl_team();
    member.impl_meet([&] { shared.part = m_chunks.next(); });
    return shared.part;
  }

  HostChunks m_chunks;
  char const* m_space;
  int m_league_size;
  int m_team_size;
  int m_teams;
  bool m_dynamic;
  ScratchRegion m_scratch[2];  // sizes only
  std::size_t m_team_bytes;
  char* m_memory = nullptr;
};

}  // namespace Kokkos::Impl

#endif
