// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_PATTERN_NESTEDFOR_HPP
#define KOKKOS_PATTERN_NESTEDFOR_HPP

/// \file
/// parallel_for over a range inside a team, and `single`.

#include <impl/pattern/Kokkos_NestedLoop.hpp>

namespace Kokkos {

/// Calls body(i) (for a range of several dimensions, body(i, j, ...)) for each index of the range, without a barrier.
/// Effects of other threads of the team are visible after the next team_barrier(). After a range of vector lanes these
/// see each other's effects, so all lanes of the thread must make such a call.
template <Impl::NestedPolicy Range, class Body>
KOKKOS_INLINE_FUNCTION void parallel_for(Range const& range, Body const& body) {
  Impl::nested_for_each<Impl::NestedIterations::independent>(range, body);
  if constexpr (Range::level == Impl::NestedLevel::thread_vector) range.member.impl_vector_barrier();
}

/// Calls body() once in the team, without a barrier of the team. The lanes of the calling thread see its effects.
template <class Member, class Body>
KOKKOS_INLINE_FUNCTION void single(Impl::ThreadSingleStruct<Member> const& mode, Body const& body) {
  if (mode.member.team_rank() == 0 && mode.member.impl_vector_rank() == 0) body();
  mode.member.impl_vector_barrier();
}

/// Calls body(value) once in the team, and copies the value to every thread. All threads of the team must make this
/// call.
template <class Member, class Body, class T>
KOKKOS_INLINE_FUNCTION void single(Impl::ThreadSingleStruct<Member> const& mode, Body const& body, T& value) {
  if (mode.member.team_rank() == 0 && mode.member.impl_vector_rank() == 0) body(value);
  mode.member.team_broadcast(value, 0);
}

/// Calls body() on one vector lane of the calling thread. All of its lanes see the effects.
template <class Member, class Body>
KOKKOS_INLINE_FUNCTION void single(Impl::VectorSingleStruct<Member> const& mode, Body const& body) {
  if (mode.member.impl_vector_rank() == 0) body();
  mode.member.impl_vector_barrier();
}

/// Calls body(value) on one vector lane of the calling thread, and copies the value to all of its lanes.
template <class Member, class Body, class T>
KOKKOS_INLINE_FUNCTION void single(Impl::VectorSingleStruct<Member> const& mode, Body const& body, T& value) {
  if (mode.member.impl_vector_rank() == 0) body(value);
  mode.member.impl_vector_broadcast(value);
}

}  // namespace Kokkos

#endif
