// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_COPY_NESTEDDEEPCOPY_HPP
#define KOKKOS_COPY_NESTEDDEEPCOPY_HPP

/// \file
/// deep_copy in a kernel. The first argument is the team or the thread that copies. In host code it is an execution space
/// instance, so a function that takes this argument is written once for instances, teams and threads.

#include <impl/copy/Kokkos_LocalDeepCopy.hpp>

namespace Kokkos {

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
