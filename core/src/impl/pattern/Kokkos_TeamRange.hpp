// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_PATTERN_TEAMRANGE_HPP
#define KOKKOS_PATTERN_TEAMRANGE_HPP

/// \file
/// The patterns over a RangePolicy of a team; they are those over a TeamVectorRange.

#include <impl/pattern/Kokkos_NestedFor.hpp>
#include <impl/pattern/Kokkos_NestedReduce.hpp>
#include <impl/pattern/Kokkos_NestedScan.hpp>
#include <impl/policy/Kokkos_TeamRangePolicy.hpp>

namespace Kokkos {

/// @{
/// Runs the range in the team, as TeamVectorRange does. Every thread of the team must make this call.
template <Impl::TeamMember Team, class... Index, class Body>
KOKKOS_INLINE_FUNCTION void parallel_for(RangePolicy<Team, Index...> const& range, Body const& body) {
  Kokkos::parallel_for(range.impl_range(), body);
}
template <Impl::TeamMember Team, class... Index, class Body, class... Results>
KOKKOS_INLINE_FUNCTION void parallel_reduce(RangePolicy<Team, Index...> const& range, Body const& body,
                                            Results&&... results) {
  Kokkos::parallel_reduce(range.impl_range(), body, static_cast<Results&&>(results)...);
}
template <Impl::TeamMember Team, class... Index, class Body, class... Total>
KOKKOS_INLINE_FUNCTION void parallel_scan(RangePolicy<Team, Index...> const& range, Body const& body,
                                          Total&&... total) {
  Kokkos::parallel_scan(range.impl_range(), body, static_cast<Total&&>(total)...);
}
/// @}

}  // namespace Kokkos

#endif
