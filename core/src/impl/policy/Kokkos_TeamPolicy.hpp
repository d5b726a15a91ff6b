// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_POLICY_TEAMPOLICY_HPP
#define KOKKOS_POLICY_TEAMPOLICY_HPP

/// \file
/// TeamPolicy: a league of teams of threads.

#include <impl/policy/Kokkos_PolicyTraits.hpp>
#include <impl/policy/Kokkos_TeamShape.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace Kokkos {

/// Runs a functor for each of `league_size` items, each by a team of `team_size` threads that can synchronise and share
/// scratch memory. Every thread of the team calls the functor with a `member_type` that identifies the item and the
/// thread.
///
/// `Properties`, in any order: an execution space, a Schedule, an IndexType, LaunchBounds, a work tag.
///
/// Impossible sizes are refused here with a std::runtime_error. A team size or scratch size that exceeds the limits of
/// a kernel is refused at its launch.
template <class... Properties>
class TeamPolicy : public Impl::PolicyTraits<Properties...> {
  using Traits = Impl::PolicyTraits<Properties...>;

 public:
  using traits = Traits;  ///< the properties with their defaults
  /// The policy itself, under the name that every policy has.
  using execution_policy = TeamPolicy;
  using execution_space  = typename Traits::execution_space;  ///< the space that runs the kernel
  using schedule_type    = typename Traits::schedule_type;    ///< Schedule property
  /// The first argument of the functor; void if there is none.
  using work_tag          = typename Traits::work_tag;
  using index_type        = typename Traits::index_type;         ///< the type of indices in nested ranges
  using iteration_pattern = typename Traits::iteration_pattern;  ///< for the library
  using launch_bounds     = typename Traits::launch_bounds;      ///< LaunchBounds property
  /// Identifies the calling thread in its team, and the team in the league.
  using member_type = typename Impl::TeamTraits<execution_space>::member_type;

  /// A league without teams.
  TeamPolicy() = default;

  /// A league of `league_size` teams of `team_size` threads with `vector_length` vector lanes each, in the instance
  /// `space`.
  TeamPolicy(execution_space const& space, std::int64_t league_size, std::int64_t team_size,
             std::int64_t vector_length = 1)
      : m_space(space) {
    set_league(league_size);
    set_team(team_size);
    set_vector(vector_length);
  }
  /// Like the constructor above, with AUTO for the team size: the launch chooses a size that suits the functor.
  TeamPolicy(execution_space const& space, std::int64_t league_size, AUTO_t, std::int64_t vector_length = 1)
      : m_space(space) {
    set_league(league_size);
    set_team(AUTO);
    set_vector(vector_length);
  }
  /// With AUTO for the vector length: one lane, unless a tuner chooses more.
  TeamPolicy(execution_space const& space, std::int64_t league_size, std::int64_t team_size, AUTO_t) : m_space(space) {
    set_league(league_size);
    set_team(team_size);
    set_vector(AUTO);
  }
  /// Like the constructor above, with AUTO for both.
  TeamPolicy(execution_space const& space, std::int64_t league_size, AUTO_t, AUTO_t) : m_space(space) {
    set_league(league_size);
    set_team(AUTO);
    set_vector(AUTO);
  }
  /// @{
  /// The four constructors above, in the default instance.
  TeamPolicy(std::int64_t league_size, std::int64_t team_size, std::int64_t vector_length = 1)
      : TeamPolicy(execution_space(), league_size, team_size, vector_length) {}
  TeamPolicy(std::int64_t league_size, AUTO_t, std::int64_t vector_length = 1)
      : TeamPolicy(execution_space(), league_size, AUTO, vector_length) {}
  TeamPolicy(std::int64_t league_size, std::int64_t team_size, AUTO_t)
      : TeamPolicy(execution_space(), league_size, team_size, AUTO) {}
  TeamPolicy(std::int64_t league_size, AUTO_t, AUTO_t) : TeamPolicy(execution_space(), league_size, AUTO, AUTO) {}
  /// @}

  /// The same league with other properties.
  template <class... Others>
    requires std::is_convertible_v<typename TeamPolicy<Others...>::execution_space, execution_space>
  TeamPolicy(TeamPolicy<Others...> const& other) : Traits(other), m_space(other.space()), m_shape(other.impl_shape()) {}

  /// Each team processes `chunk` consecutive items of the league before it gets more. By default, or with 0, a backend
  /// may choose larger chunks for a long league. \return *this
  TeamPolicy& set_chunk_size(int chunk) {
    m_shape.chunk_size = Impl::checked_team_number("chunk size", chunk);
    return *this;
  }

  /// Sets the scratch memory of a level: 0 is the nearest, 1 the larger. Sizes that are not passed are unchanged.
  /// \return *this
  TeamPolicy& set_scratch_size(int level, Impl::PerTeamValue const& per_team) {
    m_shape.scratch[Impl::checked_scratch_level(level)].per_team = Impl::checked_scratch_bytes(per_team.value);
    return *this;
  }
  /// Like `set_scratch_size` above, for scratch memory of each thread, in addition to that of the team.
  TeamPolicy& set_scratch_size(int level, Impl::PerThreadValue const& per_thread) {
    m_shape.scratch[Impl::checked_scratch_level(level)].per_thread = Impl::checked_scratch_bytes(per_thread.value);
    return *this;
  }
  /// @{
  /// Sets both, in either order.
  TeamPolicy& set_scratch_size(int level, Impl::PerTeamValue const& per_team, Impl::PerThreadValue const& per_thread) {
    return set_scratch_size(level, per_team).set_scratch_size(level, per_thread);
  }
  TeamPolicy& set_scratch_size(int level, Impl::PerThreadValue const& per_thread, Impl::PerTeamValue const& per_team) {
    return set_scratch_size(level, per_team).set_scratch_size(level, per_thread);
  }
  /// @}

  /// The maximum team size with which this policy can run `functor`; less than 1 if there is none, for example because
  /// a single thread requests more scratch memory than there is. The last argument selects the pattern; a reducer may
  /// precede it.
  template <class Functor>
  int team_size_max(Functor const& functor, ParallelForTag const& tag) const {
    return Limits::team_size_max(*this, functor, tag);
  }
  /// Like `team_size_max` above, for parallel_reduce.
  template <class Functor>
  int team_size_max(Functor const& functor, ParallelReduceTag const& tag) const {
    return Limits::team_size_max(*this, functor, tag);
  }
  /// Like `team_size_max` above, for parallel_reduce with a reducer.
  template <class Functor, class Reducer>
  int team_size_max(Functor const& functor, Reducer const&, ParallelReduceTag const& tag) const {
    return Limits::team_size_max(*this, functor, tag);
  }

  /// The team size that AUTO selects for this policy and `functor`.
  template <class Functor>
  int team_size_recommended(Functor const& functor, ParallelForTag const& tag) const {
    return Limits::team_size_recommended(*this, functor, tag);
  }
  /// Like `team_size_recommended` above, for parallel_reduce.
  template <class Functor>
  int team_size_recommended(Functor const& functor, ParallelReduceTag const& tag) const {
    return Limits::team_size_recommended(*this, functor, tag);
  }
  /// Like `team_size_recommended` above, for parallel_reduce with a reducer.
  template <class Functor, class Reducer>
  int team_size_recommended(Functor const& functor, Reducer const&, ParallelReduceTag const& tag) const {
    return Limits::team_size_recommended(*this, functor, tag);
  }

  /// The maximum number of vector lanes of a thread in this execution space.
  static int vector_length_max() { return Limits::vector_length_max(); }
  /// Bytes of scratch memory of this level that a team can rely on.
  static int scratch_size_max(int level) { return Limits::scratch_size_max(Impl::checked_scratch_level(level)); }

  /// The instance that runs the kernel.
  execution_space const& space() const { return m_space; }
  /// Number of teams.
  int league_size() const { return m_shape.league_size; }
  /// The requested team size. With AUTO: the chosen size, or -1 if the launch chooses it.
  int team_size() const { return m_shape.team_size; }
  /// Number of league items that a team takes at a time; 1 unless the program sets it.
  int chunk_size() const { return m_shape.chunk_size > 0 ? m_shape.chunk_size : 1; }
  /// Bytes of scratch memory of a whole team of `team_size` threads; by default of the requested team size.
  std::size_t scratch_size(int level, int team_size = -1) const {
    return m_shape.scratch[Impl::checked_scratch_level(level)].total(team_size < 0 ? m_shape.team_size : team_size);
  }
  /// Bytes of scratch memory of this level for the whole team, without those of its threads.
  int team_scratch_size(int level) const {
    return static_cast<int>(m_shape.scratch[Impl::checked_scratch_level(level)].per_team);
  }
  /// Bytes of scratch memory of this level for each thread.
  int thread_scratch_size(int level) const {
    return static_cast<int>(m_shape.scratch[Impl::checked_scratch_level(level)].per_thread);
  }

  int impl_vector_length() const { return m_shape.vector_length; }
  bool impl_auto_team_size() const { return m_shape.auto_team_size; }
  bool impl_auto_vector_length() const { return m_shape.auto_vector_length; }
  void impl_set_team_size(int team_size) { m_shape.team_size = team_size; }
  void impl_set_vector_length(int vector_length) { m_shape.vector_length = vector_length; }
  Impl::TeamShape const& impl_shape() const { return m_shape; }

 private:
  using Limits = Impl::TeamTraits<execution_space>;

  void set_league(std::int64_t size) { m_shape.league_size = Impl::checked_team_number("league size", size); }
  void set_team(std::int64_t size) {
    m_shape.team_size      = Impl::checked_team_number("team size", size);
    m_shape.auto_team_size = false;
  }
  void set_team(AUTO_t) {
    m_shape.team_size      = Limits::auto_team_size;
    m_shape.auto_team_size = true;
  }
  void set_vector(std::int64_t length) { m_shape.vector_length = Impl::vector_length_for(length, vector_length_max()); }
  /// One lane, as in upstream, until a tuner chooses more. Programs rely on it: with more lanes, neighbouring threads
  /// of a team would be in different warps, which do not run in step.
  void set_vector(AUTO_t) {
    m_shape.vector_length      = 1;
    m_shape.auto_vector_length = true;
  }

  execution_space m_space{};
  Impl::TeamShape m_shape{};
};

namespace Impl {
template <class T>
concept TeamNumber = std::is_convertible_v<T, std::int64_t> || std::is_same_v<std::remove_cvref_t<T>, AUTO_t>;
}  // namespace Impl

/// @{
/// Without template arguments, the policy is for the default execution space or for that of the instance.
TeamPolicy() -> TeamPolicy<>;
template <Impl::TeamNumber Team>
TeamPolicy(std::int64_t, Team) -> TeamPolicy<>;
template <Impl::TeamNumber Team, Impl::TeamNumber Vector>
TeamPolicy(std::int64_t, Team, Vector) -> TeamPolicy<>;
template <ExecutionSpace Space, Impl::TeamNumber Team>
TeamPolicy(Space, std::int64_t, Team) -> TeamPolicy<Space>;
template <Impl::TeamNumber Team>
TeamPolicy(DefaultExecutionSpace, std::int64_t, Team) -> TeamPolicy<>;
template <ExecutionSpace Space, Impl::TeamNumber Team, Impl::TeamNumber Vector>
TeamPolicy(Space, std::int64_t, Team, Vector) -> TeamPolicy<Space>;
template <Impl::TeamNumber Team, Impl::TeamNumber Vector>
TeamPolicy(DefaultExecutionSpace, std::int64_t, Team, Vector) -> TeamPolicy<>;
/// @}

}  // namespace Kokkos

#endif
