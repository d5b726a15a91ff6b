// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_POLICY_TEAMRANGEPOLICY_HPP
#define KOKKOS_POLICY_TEAMRANGEPOLICY_HPP

/// \file
/// RangePolicy of a team, so that one function can run a range in an execution space or inside a team's kernel.

#include <impl/policy/Kokkos_NestedRanges.hpp>
#include <impl/policy/Kokkos_RangePolicy.hpp>

#include <cstdint>
#include <type_traits>

namespace Kokkos {

namespace Impl {

/// The index type of a team's range: the given one, or that of ranges in the team's execution space.
template <class Team, class... Index>
struct TeamRangeIndex {
  using type = typename PolicyTraits<typename Team::execution_space, Index...>::index_type;
};

}  // namespace Impl

/// Like TeamVectorRange, divides the indices in [begin, end) among the vector lanes of all threads of the team,
/// and every thread of the team must call the pattern that uses the range. With it a function can take an execution
/// space instance or a team's member as `handle`, and run `parallel_for(RangePolicy(handle, begin, end), body)` by it.
///
/// The index type may follow the type of the team. `team` must outlive the range.
template <Impl::TeamMember Team, class... Index>
class RangePolicy<Team, Index...> {
 public:
  using index_type = typename Impl::TeamRangeIndex<Team, Index...>::type;  ///< the type of the bounds
  /// The type of the index that the body receives.
  using member_type = index_type;

  /// The indices [begin, end).
  template <Impl::Bound<index_type> Begin, Impl::Bound<index_type> End>
  KOKKOS_INLINE_FUNCTION RangePolicy(Team const& team, Begin begin, End end)
      : m_range{{static_cast<index_type>(begin), static_cast<index_type>(end), team}} {}
  /// The indices [begin, end). A team has no chunks, so the chunk size has no effect.
  template <Impl::Bound<index_type> Begin, Impl::Bound<index_type> End>
  KOKKOS_INLINE_FUNCTION RangePolicy(Team const& team, Begin begin, End end, ChunkSize const&)
      : RangePolicy(team, begin, end) {}

  KOKKOS_INLINE_FUNCTION member_type begin() const { return m_range.start; }  ///< the first index
  KOKKOS_INLINE_FUNCTION member_type end() const { return m_range.end; }      ///< one more than the last index
  /// The team that runs the range.
  KOKKOS_INLINE_FUNCTION Team const& space() const { return m_range.member; }
  /// 1: a team has no chunks.
  KOKKOS_INLINE_FUNCTION member_type chunk_size() const { return 1; }
  /// Has no effect. \return *this
  KOKKOS_INLINE_FUNCTION RangePolicy& set_chunk_size(int) { return *this; }

  /// The range that nested patterns take.
  KOKKOS_INLINE_FUNCTION auto const& impl_range() const { return m_range; }

 private:
  Impl::TeamVectorRangeBoundariesStruct<index_type, Team> m_range;
};

/// @{
/// Without template arguments, for the team of the member.
template <Impl::TeamMember Team>
KOKKOS_DEDUCTION_GUIDE RangePolicy(Team const&, std::int64_t, std::int64_t) -> RangePolicy<Team>;
template <Impl::TeamMember Team>
KOKKOS_DEDUCTION_GUIDE RangePolicy(Team const&, std::int64_t, std::int64_t, ChunkSize const&) -> RangePolicy<Team>;
/// @}

}  // namespace Kokkos

#endif
