// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_HOST_LEAGUE_HPP
#define KOKKOS_HOST_LEAGUE_HPP

/// \file
/// How the threads of an instance become teams, and how the items of a league reach them.

#include <Host/Kokkos_Host_TeamMember.hpp>
#include <policy/Kokkos_TeamShape.hpp>

#include <cstddef>

namespace Kokkos::Impl {

/// What stays in the cache of a core, and in the part of a shared cache that belongs to one. Both levels are ordinary
/// memory here. More of level 0 is refused, as on a GPU, where such a program would fail; level 1 has what memory there is.
constexpr int host_scratch_size_max(int level) { return level == 0 ? 32 * 1024 : 20 * 1024 * 1024; }

/// One run of a league. The threads of the instance are divided into as many teams as fit, neighbouring threads in a team; threads that are
/// left over have nothing to do. With a static schedule each team has one block of the league, so that in the next
/// kernel the same threads come to the same items; with a dynamic one, teams fetch chunks.
class HostLeague {
 public:
  /// `threads` is the number of the instance's threads, `functor_scratch` what the functor itself asks for.
  /// \throws std::runtime_error if the team size is not between 1 and `threads`, or if a team asks for more scratch memory
  ///         of level 0 than there is
  HostLeague(const char* space, TeamShape const& shape, int threads, bool dynamic, std::size_t functor_scratch);

  /// Bytes that the teams need, aligned to a cache line.
  std::size_t bytes() const noexcept { return m_team_bytes * static_cast<std::size_t>(m_teams); }
  /// Makes the teams in that memory.
  void place(void* memory);
  /// The number of threads that take part when the kernel got `threads` threads. Ends the program if these do not make one team.
  int workers(int threads) const noexcept { return teams(threads) * m_team_size; }
  /// True if one thread runs the whole league, so that no other thread need wake.
  bool is_for_one_thread() const noexcept { return m_teams * m_team_size == 1; }

  /// The part of the thread `rank` of `threads` threads: calls item(member) for each item that its team gets.
  template <class ExecSpace, class Item>
  void work(int rank, int threads, Item const& item) {
    using Member      = HostTeamMember<ExecSpace>;
    int const n_teams = teams(threads);
    int const number  = rank / m_team_size;
    if (number >= n_teams) return;
    HostTeam& mine       = team(number);
    HostPart const block = host_part(static_cast<std::uint64_t>(m_league_size), number, n_teams);
    if (m_team_size == 1) {
      // Most teams have one thread. A member that says so by a constant lets the compiler drop from the item all that
      // threads of a team do for each other, which counts where items are short.
      each_item(
          block, [&] { return m_chunks.next(); },
          [&](int i) {
            Member member(mine, 0, 1, m_league_size);
            member.impl_begin(i);
            item(static_cast<Member const&>(member));
          });
    } else {
      Member member(mine, rank % m_team_size, m_team_size, m_league_size);
      each_item(
          block, [&] { return next(member); },
          [&](int i) {
            member.impl_begin(i);
            item(static_cast<Member const&>(member));
            // Nobody may reuse the team's scratch memory while another still works on this item.
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
  // The last thread to arrive fetches for all; the others read it after the barrier, and it cannot be overwritten
  // before all have arrived once more.
  template <class Member>
  HostPart next(Member const& member) noexcept {
    HostTeam& shared = member.impl_team();
    member.impl_meet([&] { shared.part = m_chunks.next(); });
    return shared.part;
  }

  HostChunks m_chunks;
  const char* m_space;
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
