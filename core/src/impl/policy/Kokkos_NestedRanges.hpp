// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_POLICY_NESTEDRANGES_HPP
#define KOKKOS_POLICY_NESTEDRANGES_HPP

/// \file
/// Ranges for patterns inside the kernel of a team (TeamThreadRange, ThreadVectorRange, TeamVectorRange), and the
/// arguments of `single(PerTeam(team), ...)` and `single(PerThread(team), ...)`.

#include <Kokkos_Concepts.hpp>

#include <concepts>
#include <type_traits>

namespace Kokkos {
namespace Impl {

/// The workers among which a nested range is divided.
enum class NestedLevel {
  team_thread,    ///< the threads of the team; all vector lanes of a thread do the same work
  thread_vector,  ///< the vector lanes of the calling thread
  team_vector     ///< the vector lanes of all threads of the team
};

/// The number of a worker, and the number of workers.
struct NestedWorker {
  int rank;
  int size;
};

template <NestedLevel Level, class Member>
KOKKOS_FORCEINLINE_FUNCTION NestedWorker nested_worker(Member const& member) {
  if constexpr (Level == NestedLevel::team_thread) {
    return {member.team_rank(), member.team_size()};
  } else if constexpr (Level == NestedLevel::thread_vector) {
    return {member.impl_vector_rank(), member.impl_vector_length()};
  } else {
    return {member.team_rank() * member.impl_vector_length() + member.impl_vector_rank(),
            member.team_size() * member.impl_vector_length()};
  }
}

/// The indices in [start, end), divided among the workers of a level. Refers to the member, which must outlive it.
template <NestedLevel Level, class Index, class Member>
struct NestedRange {
  using index_type                   = Index;
  using member_type                  = Member;
  static constexpr NestedLevel level = Level;

  Index const start;
  Index const end;
  Member const& member;
};

template <class T>
concept NestedPolicy = requires {
  { T::level } -> std::convertible_to<NestedLevel>;
  typename T::member_type;
};

/// The types of the ranges. Each is a template of two types, which programs deduce to write loops of their own.
template <class Index, class Member>
struct TeamThreadRangeBoundariesStruct : NestedRange<NestedLevel::team_thread, Index, Member> {};
template <class Index, class Member>
struct ThreadVectorRangeBoundariesStruct : NestedRange<NestedLevel::thread_vector, Index, Member> {
  static constexpr Index increment = 1;  ///< on hosts, where a thread has one lane
};
template <class Index, class Member>
struct TeamVectorRangeBoundariesStruct : NestedRange<NestedLevel::team_vector, Index, Member> {};

template <class T>
concept TeamMember = is_team_handle_v<T>;

/// The accepted types of a range's bound: integers, and types that convert to one (enumerators, integral constants).
template <class T>
concept NestedBound = std::is_integral_v<T> || requires(T bound) { requires std::is_integral_v<decltype(+bound)>; };

template <class T>
struct NestedIndex {
  using type = decltype(+T());
};
template <class T>
  requires std::is_integral_v<T>
struct NestedIndex<T> {
  using type = T;
};

template <class Begin, class End>
using nested_index_t = std::common_type_t<typename NestedIndex<Begin>::type, typename NestedIndex<End>::type>;

template <template <class, class> class Range, class Member, class Begin, class End>
KOKKOS_INLINE_FUNCTION auto nested_range(Member const& team, Begin begin, End end) {
  using Index = nested_index_t<Begin, End>;
  return Range<Index, Member>{{static_cast<Index>(begin), static_cast<Index>(end), team}};
}
template <template <class, class> class Range, class Member, class Count>
KOKKOS_INLINE_FUNCTION auto nested_range(Member const& team, Count count) {
  return Impl::nested_range<Range>(team, typename NestedIndex<Count>::type(0), count);
}

}  // namespace Impl

/// Divides the indices in [0, count) among the threads of the team. Every thread of the team must call the pattern that
/// uses the range. `team` must outlive the range.
template <Impl::TeamMember Member, Impl::NestedBound Count>
KOKKOS_INLINE_FUNCTION auto TeamThreadRange(Member const& team, Count count) {
  return Impl::nested_range<Impl::TeamThreadRangeBoundariesStruct>(team, count);
}
/// Divides the indices in [begin, end) among the threads of the team.
template <Impl::TeamMember Member, Impl::NestedBound Begin, Impl::NestedBound End>
KOKKOS_INLINE_FUNCTION auto TeamThreadRange(Member const& team, Begin begin, End end) {
  return Impl::nested_range<Impl::TeamThreadRangeBoundariesStruct>(team, begin, end);
}

/// Divides the indices in [0, count) among the vector lanes of the calling thread. Their iterations must be
/// independent: SIMD lanes run them at the same time. Must not be used inside another vector range.
template <Impl::TeamMember Member, Impl::NestedBound Count>
KOKKOS_INLINE_FUNCTION auto ThreadVectorRange(Member const& team, Count count) {
  return Impl::nested_range<Impl::ThreadVectorRangeBoundariesStruct>(team, count);
}
/// Divides the indices in [begin, end) among the vector lanes of the calling thread.
template <Impl::TeamMember Member, Impl::NestedBound Begin, Impl::NestedBound End>
KOKKOS_INLINE_FUNCTION auto ThreadVectorRange(Member const& team, Begin begin, End end) {
  return Impl::nested_range<Impl::ThreadVectorRangeBoundariesStruct>(team, begin, end);
}

/// Divides the indices in [0, count) among the vector lanes of all threads of the team. Every thread of the team must
/// call the pattern that uses the range.
template <Impl::TeamMember Member, Impl::NestedBound Count>
KOKKOS_INLINE_FUNCTION auto TeamVectorRange(Member const& team, Count count) {
  return Impl::nested_range<Impl::TeamVectorRangeBoundariesStruct>(team, count);
}
/// Divides the indices in [begin, end) among the vector lanes of all threads of the team.
template <Impl::TeamMember Member, Impl::NestedBound Begin, Impl::NestedBound End>
KOKKOS_INLINE_FUNCTION auto TeamVectorRange(Member const& team, Begin begin, End end) {
  return Impl::nested_range<Impl::TeamVectorRangeBoundariesStruct>(team, begin, end);
}

namespace Impl {

/// One lane of one thread of the team.
template <class Member>
struct ThreadSingleStruct {
  Member const& member;
};
/// One lane of the calling thread.
template <class Member>
struct VectorSingleStruct {
  Member const& member;
};

}  // namespace Impl

/// For `single`: once in the team.
template <Impl::TeamMember Member>
KOKKOS_INLINE_FUNCTION Impl::ThreadSingleStruct<Member> PerTeam(Member const& team) {
  return {team};
}
/// For `single`: once in each thread that makes the call.
template <Impl::TeamMember Member>
KOKKOS_INLINE_FUNCTION Impl::VectorSingleStruct<Member> PerThread(Member const& team) {
  return {team};
}

}  // namespace Kokkos

#endif
