// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_POLICY_NESTEDMDRANGES_HPP
#define KOKKOS_POLICY_NESTEDMDRANGES_HPP

/// \file
/// Ranges of 2 to 8 dimensions for patterns inside the kernel of a team.

#include <Kokkos_Abort.hpp>
#include <impl/policy/Kokkos_NestedRanges.hpp>
#include <impl/policy/Kokkos_Rank.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace Kokkos {
namespace Impl {

/// Whether the first index is the fastest: as the rank specifies, otherwise the best one for the layout of the member's
/// execution space. There are no tiles, so as in upstream the first direction of a rank decides.
template <class RankType, class Member>
inline constexpr bool nested_first_is_fastest =
    RankType::outer_direction == Iterate::Default
        ? std::is_same_v<typename Member::execution_space::array_layout, LayoutLeft>
        : RankType::outer_direction == Iterate::Left;

/// The index tuples from (0, 0, ...) to before the extents, divided among the workers of a level. Tuples are numbered
/// with the fastest index first, and the numbers are divided among the workers. So a short dimension leaves no worker
/// idle.
template <NestedLevel Level, class RankType, class Member>
class NestedMDRange {
 public:
  using index_type                       = int;
  using member_type                      = Member;
  static constexpr NestedLevel level     = Level;
  static constexpr int rank              = RankType::rank;
  static constexpr bool first_is_fastest = nested_first_is_fastest<RankType, Member>;
  static_assert(rank >= 2 && rank <= 8, "A nested range of several dimensions has 2 to 8 of them.");

  Member const& member;

  /// The extent of the dimension with number `step` in the order of speed; 0 is the fastest.
  KOKKOS_FUNCTION index_type extent_by_speed(int step) const { return m_extent[step]; }
  /// Number of tuples.
  KOKKOS_FUNCTION std::int64_t size() const {
    std::int64_t n = 1;
    for (int step = 0; step < rank; ++step) n *= m_extent[step] > 0 ? m_extent[step] : 0;
    return n;
  }

 protected:
  template <class... Extents>
  KOKKOS_FUNCTION NestedMDRange(Member const& team, Extents... extents) : member(team) {
    static_assert(sizeof...(Extents) == rank,
                  "A nested range of several dimensions takes one extent for each of them.");
    int dimension = 0;
    ((m_extent[first_is_fastest ? dimension : rank - 1 - dimension] = as_index(extents), ++dimension), ...);
  }

 private:
  template <class Extent>
  KOKKOS_FUNCTION static constexpr bool is_index(Extent extent) {
    if constexpr (std::is_integral_v<Extent> && sizeof(Extent) + std::is_unsigned_v<Extent> > sizeof(index_type)) {
      constexpr Extent most = std::numeric_limits<index_type>::max();
      if constexpr (std::is_signed_v<Extent>) {
        if (extent < -most) return false;
      }
      return extent <= most;
    }
    return true;
  }
  /// An extent as an index. One that an index cannot represent ends the program. Kernels on devices find out only with
  /// bounds checks, because a call that writes a message needs registers.
  template <class Extent>
  KOKKOS_FORCEINLINE_FUNCTION static index_type as_index(Extent extent) {
#ifdef KOKKOS_ENABLE_DEBUG_BOUNDS_CHECK
    if (!is_index(extent)) abort_extent();
#else
    KOKKOS_IF_ON_HOST((if (!is_index(extent)) abort_extent();))
#endif
    return static_cast<index_type>(extent);
  }
  KOKKOS_FUNCTION static void abort_extent() {
    Kokkos::abort(
        "Kokkos: a nested range of several dimensions (TeamThreadMDRange and its siblings) has an extent that an int "
        "cannot represent. Divide the dimension, or use a range of one dimension with a larger index type.");
  }

  index_type m_extent[static_cast<std::size_t>(rank)];
};

}  // namespace Impl

/// Divides index tuples among the threads of the team: `TeamThreadMDRange<Rank<3>, Member>(team, n0, n1, n2)`, or
/// `TeamThreadMDRange(team, n0, n1, n2)`. Every thread of the team must call the pattern that uses the range.
template <class RankType, class Member>
struct TeamThreadMDRange : Impl::NestedMDRange<Impl::NestedLevel::team_thread, RankType, Member> {
  /// The tuples (i0, i1, ...) with 0 <= i_r < extents[r]; one extent for each dimension of the rank.
  template <class... Extents>
  KOKKOS_FUNCTION TeamThreadMDRange(Member const& team, Extents... extents)
      : TeamThreadMDRange::NestedMDRange(team, extents...) {}
};

/// Divides index tuples among the vector lanes of all threads of the team, as TeamThreadMDRange does among threads.
template <class RankType, class Member>
struct TeamVectorMDRange : Impl::NestedMDRange<Impl::NestedLevel::team_vector, RankType, Member> {
  /// The tuples (i0, i1, ...) with 0 <= i_r < extents[r]; one extent for each dimension of the rank.
  template <class... Extents>
  KOKKOS_FUNCTION TeamVectorMDRange(Member const& team, Extents... extents)
      : TeamVectorMDRange::NestedMDRange(team, extents...) {}
};

/// Divides index tuples among the vector lanes of the calling thread. Not to be used inside another vector range.
template <class RankType, class Member>
struct ThreadVectorMDRange : Impl::NestedMDRange<Impl::NestedLevel::thread_vector, RankType, Member> {
  /// The tuples (i0, i1, ...) with 0 <= i_r < extents[r]; one extent for each dimension of the rank.
  template <class... Extents>
  KOKKOS_FUNCTION ThreadVectorMDRange(Member const& team, Extents... extents)
      : ThreadVectorMDRange::NestedMDRange(team, extents...) {}
};

/// @{
/// Without template arguments, the rank is the number of extents.
template <class Member, class... Extents>
KOKKOS_DEDUCTION_GUIDE TeamThreadMDRange(Member const&, Extents...)
    -> TeamThreadMDRange<Rank<sizeof...(Extents)>, Member>;
template <class Member, class... Extents>
KOKKOS_DEDUCTION_GUIDE TeamVectorMDRange(Member const&, Extents...)
    -> TeamVectorMDRange<Rank<sizeof...(Extents)>, Member>;
template <class Member, class... Extents>
KOKKOS_DEDUCTION_GUIDE ThreadVectorMDRange(Member const&, Extents...)
    -> ThreadVectorMDRange<Rank<sizeof...(Extents)>, Member>;
/// @}

}  // namespace Kokkos

#endif
