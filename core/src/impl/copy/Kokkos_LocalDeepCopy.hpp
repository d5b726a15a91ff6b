// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_COPY_LOCALDEEPCOPY_HPP
#define KOKKOS_COPY_LOCALDEEPCOPY_HPP

/// \file
/// local_deep_copy and deep_copy inside of a kernel, by one thread or by all threads of a team.

#include <Kokkos_Concepts.hpp>
#include <Kokkos_NestedPatterns.hpp>
#include <Kokkos_View.hpp>

#include <cstddef>
#include <type_traits>

namespace Kokkos {
namespace Impl {

/// The dimension with number `step`, counted from the slowest one in memory.
template <class ViewType>
KOKKOS_FORCEINLINE_FUNCTION constexpr std::size_t dimension_of_step(std::size_t step) {
  return std::is_same_v<typename ViewType::array_layout, LayoutLeft> ? ViewType::rank() - 1 - step : step;
}

/// Calls work(to, from) with the offsets of each element in dst and in src, in the order of dst.
template <std::size_t Step = 0, class Dst, class Src, class Work>
KOKKOS_FORCEINLINE_FUNCTION void for_each_offset(Dst const& dst, Src const& src, Work const& work, std::size_t to = 0,
                                                 std::size_t from = 0) {
  if constexpr (Step == Dst::rank()) {
    work(to, from);
  } else {
    constexpr std::size_t r = Impl::dimension_of_step<Dst>(Step);
    for (std::size_t i = 0; i < dst.extent(r); ++i) {
      Impl::for_each_offset<Step + 1>(dst, src, work, to + i * dst.stride(r), from + i * src.stride(r));
    }
  }
}

/// Like `for_each_offset` above, distributed by a nested range over dst.size() iterations.
template <class Range, class Dst, class Src, class Work>
KOKKOS_FORCEINLINE_FUNCTION void for_each_offset_of_range(Range const& range, Dst const& dst, Src const& src,
                                                          Work const& work) {
  Kokkos::parallel_for(range, [&](std::size_t i) {
    std::size_t to = 0, from = 0;
    for (std::size_t step = Dst::rank(); step > 0; --step) {
      std::size_t const r     = Impl::dimension_of_step<Dst>(step - 1);
      std::size_t const index = i % dst.extent(r);
      i /= dst.extent(r);
      to += index * dst.stride(r);
      from += index * src.stride(r);
    }
    work(to, from);
  });
}

/// Copies, or assigns a value to, all elements, by the iterations of a nested range over dst.size().
template <class Range, class Dst, class Src>
KOKKOS_FORCEINLINE_FUNCTION void copy_by_range(Range const& range, Dst const& dst, Src const& src) {
  static_assert(Dst::rank() == Src::rank(), "Kokkos::deep_copy: in a kernel, both views must have the same rank.");
  auto* const to         = dst.data();
  auto const* const from = src.data();
  Impl::for_each_offset_of_range(range, dst, src, [&](std::size_t i, std::size_t j) { to[i] = from[j]; });
}
template <class Range, class Dst>
KOKKOS_FORCEINLINE_FUNCTION void fill_by_range(Range const& range, Dst const& dst,
                                               typename Dst::const_value_type& value) {
  auto* const to = dst.data();
  Impl::for_each_offset_of_range(range, dst, dst, [&](std::size_t i, std::size_t) { to[i] = value; });
}

}  // namespace Impl

namespace Experimental {

/// Copies all elements on the calling thread. Both views have the same extents.
template <class DT, class... DP, class ST, class... SP>
KOKKOS_INLINE_FUNCTION void local_deep_copy(View<DT, DP...> const& dst, View<ST, SP...> const& src) {
  static_assert(View<DT, DP...>::rank() == View<ST, SP...>::rank(),
                "Kokkos::Experimental::local_deep_copy: both views must have the same rank.");
  auto* const to         = dst.data();
  auto const* const from = src.data();
  Impl::for_each_offset(dst, src, [&](std::size_t i, std::size_t j) { to[i] = from[j]; });
}

/// Assigns `value` to all elements on the calling thread.
template <class DT, class... DP>
KOKKOS_INLINE_FUNCTION void local_deep_copy(View<DT, DP...> const& dst,
                                            typename ViewTraits<DT, DP...>::const_value_type& value) {
  auto* const to = dst.data();
  Impl::for_each_offset(dst, dst, [&](std::size_t i, std::size_t) { to[i] = value; });
}

/// Copies all elements. All threads of the team must call it, and share the work. The team passes a barrier before the
/// copy and one after it.
template <class TeamType, class DT, class... DP, class ST, class... SP>
  requires is_team_handle_v<TeamType>
KOKKOS_INLINE_FUNCTION void local_deep_copy(TeamType const& team, View<DT, DP...> const& dst,
                                            View<ST, SP...> const& src) {
  team.team_barrier();
  Impl::copy_by_range(Kokkos::TeamVectorRange(team, dst.size()), dst, src);
  team.team_barrier();
}

/// Assigns `value` to all elements, in the same way.
template <class TeamType, class DT, class... DP>
  requires is_team_handle_v<TeamType>
KOKKOS_INLINE_FUNCTION void local_deep_copy(TeamType const& team, View<DT, DP...> const& dst,
                                            typename ViewTraits<DT, DP...>::const_value_type& value) {
  team.team_barrier();
  Impl::fill_by_range(Kokkos::TeamVectorRange(team, dst.size()), dst, value);
  team.team_barrier();
}

/// @{
/// local_deep_copy without barriers, for contiguous views with the same order of elements. Not checked. Without a team
/// argument, the calling thread copies all elements.
template <class TeamType, class DT, class... DP, class ST, class... SP>
  requires is_team_handle_v<TeamType>
KOKKOS_INLINE_FUNCTION void local_deep_copy_contiguous(TeamType const& team, View<DT, DP...> const& dst,
                                                       View<ST, SP...> const& src) {
  Kokkos::parallel_for(Kokkos::TeamVectorRange(team, dst.size()),
                       [&](std::size_t i) { dst.data()[i] = src.data()[i]; });
}

template <class TeamType, class DT, class... DP>
  requires is_team_handle_v<TeamType>
KOKKOS_INLINE_FUNCTION void local_deep_copy_contiguous(TeamType const& team, View<DT, DP...> const& dst,
                                                       typename ViewTraits<DT, DP...>::const_value_type& value) {
  Kokkos::parallel_for(Kokkos::TeamVectorRange(team, dst.size()), [&](std::size_t i) { dst.data()[i] = value; });
}

template <class DT, class... DP, class ST, class... SP>
KOKKOS_INLINE_FUNCTION void local_deep_copy_contiguous(View<DT, DP...> const& dst, View<ST, SP...> const& src) {
  for (std::size_t i = 0; i < dst.size(); ++i) dst.data()[i] = src.data()[i];
}

template <class DT, class... DP>
KOKKOS_INLINE_FUNCTION void local_deep_copy_contiguous(View<DT, DP...> const& dst,
                                                       typename ViewTraits<DT, DP...>::const_value_type& value) {
  for (std::size_t i = 0; i < dst.size(); ++i) dst.data()[i] = value;
}
/// @}

}  // namespace Experimental

// deep_copy in a kernel. The first argument is the team or the thread that copies. In host code it is an execution space
// instance, so a function that takes this argument is written once for instances, teams and threads.

/// @{
/// Copies all elements, or assigns a value to them, in a kernel. All threads of the team must call it, and share the
/// work. The team passes a barrier before the copy and one after it. The extents must be the same, which is not checked.
template <TeamHandle Member, class DT, class... DP, class ST, class... SP>
KOKKOS_INLINE_FUNCTION void deep_copy(Member const& team, View<DT, DP...> const& dst, View<ST, SP...> const& src) {
  Kokkos::Experimental::local_deep_copy(team, dst, src);
}
template <TeamHandle Member, class DT, class... DP>
KOKKOS_INLINE_FUNCTION void deep_copy(Member const& team, View<DT, DP...> const& dst,
                                      typename ViewTraits<DT, DP...>::const_value_type& value) {
  Kokkos::Experimental::local_deep_copy(team, dst, value);
}
/// @}

/// @{
/// One thread of a team copies, if the first argument is PerThread(member): its lanes share the work, without a barrier.
/// The elements can be read when it returns. Other threads may copy other views.
template <class Member, class DT, class... DP, class ST, class... SP>
KOKKOS_INLINE_FUNCTION void deep_copy(Impl::VectorSingleStruct<Member> const& thread, View<DT, DP...> const& dst,
                                      View<ST, SP...> const& src) {
  Impl::copy_by_range(Kokkos::ThreadVectorRange(thread.member, dst.size()), dst, src);
}
template <class Member, class DT, class... DP>
KOKKOS_INLINE_FUNCTION void deep_copy(Impl::VectorSingleStruct<Member> const& thread, View<DT, DP...> const& dst,
                                      typename ViewTraits<DT, DP...>::const_value_type& value) {
  Impl::fill_by_range(Kokkos::ThreadVectorRange(thread.member, dst.size()), dst, value);
}
/// @}

}  // namespace Kokkos

#endif
