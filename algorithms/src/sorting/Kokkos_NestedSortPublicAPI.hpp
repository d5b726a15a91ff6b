// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_SORTING_NESTED_SORT_PUBLIC_API_HPP
#define KOKKOS_SORTING_NESTED_SORT_PUBLIC_API_HPP

/// \file
/// Sorts inside team kernels: by the threads of a team, and by the lanes of a thread.

#include <impl/sorting/Kokkos_SortInPlace.hpp>
#include <impl/sorting/Kokkos_SortOrder.hpp>

namespace Kokkos {
namespace Impl {

template <class Sorters, class Keys, class Values, class Less>
KOKKOS_FUNCTION void sort_nested(Sorters const& sorters, Keys const& keys, Values const& values, Less const& less) {
  Impl::sort_together(sorters, SortItems<Keys, Values, Less>{keys, values, less}, keys.extent(0));
  sorters.barrier();
}

}  // namespace Impl

namespace Experimental {

/// Sorts a view of rank 1 with all threads and lanes of the team; all threads must make this call. Contains barriers,
/// so each thread sees the result afterwards. Equal elements may change their order. For any comparator, the result is
/// a permutation.
template <class TeamMember, class ViewType>
KOKKOS_INLINE_FUNCTION void sort_team(TeamMember const& t, ViewType const& view) {
  Kokkos::Impl::sort_nested(Kokkos::Impl::TeamSorters<TeamMember>{t}, view, Kokkos::Impl::NoValues(),
                            Kokkos::Impl::Ascending());
}
/// Like `sort_team` above, in the order of a comparator, for which comp(a, b) is true if a comes before b.
template <class TeamMember, class ViewType, class Comparator>
KOKKOS_INLINE_FUNCTION void sort_team(TeamMember const& t, ViewType const& view, Comparator const& comp) {
  Kokkos::Impl::sort_nested(Kokkos::Impl::TeamSorters<TeamMember>{t}, view, Kokkos::Impl::NoValues(), comp);
}

/// Like `sort_team` above; valueView(i) moves with keyView(i). Both have the same extent.
template <class TeamMember, class KeyViewType, class ValueViewType>
KOKKOS_INLINE_FUNCTION void sort_by_key_team(TeamMember const& t, KeyViewType const& keyView,
                                             ValueViewType const& valueView) {
  Kokkos::Impl::sort_nested(Kokkos::Impl::TeamSorters<TeamMember>{t}, keyView, valueView, Kokkos::Impl::Ascending());
}
/// Like `sort_by_key_team` above, in the order of a comparator.
template <class TeamMember, class KeyViewType, class ValueViewType, class Comparator>
KOKKOS_INLINE_FUNCTION void sort_by_key_team(TeamMember const& t, KeyViewType const& keyView,
                                             ValueViewType const& valueView, Comparator const& comp) {
  Kokkos::Impl::sort_nested(Kokkos::Impl::TeamSorters<TeamMember>{t}, keyView, valueView, comp);
}

/// Like `sort_team` above, with the lanes of the calling thread.
template <class TeamMember, class ViewType>
KOKKOS_INLINE_FUNCTION void sort_thread(TeamMember const& t, ViewType const& view) {
  Kokkos::Impl::sort_nested(Kokkos::Impl::ThreadSorters<TeamMember>{t}, view, Kokkos::Impl::NoValues(),
                            Kokkos::Impl::Ascending());
}
/// Like `sort_thread` above, in the order of a comparator.
template <class TeamMember, class ViewType, class Comparator>
KOKKOS_INLINE_FUNCTION void sort_thread(TeamMember const& t, ViewType const& view, Comparator const& comp) {
  Kokkos::Impl::sort_nested(Kokkos::Impl::ThreadSorters<TeamMember>{t}, view, Kokkos::Impl::NoValues(), comp);
}
/// Like `sort_team` above; valueView(i) moves with keyView(i).
template <class TeamMember, class KeyViewType, class ValueViewType>
KOKKOS_INLINE_FUNCTION void sort_by_key_thread(TeamMember const& t, KeyViewType const& keyView,
                                               ValueViewType const& valueView) {
  Kokkos::Impl::sort_nested(Kokkos::Impl::ThreadSorters<TeamMember>{t}, keyView, valueView, Kokkos::Impl::Ascending());
}
/// Like `sort_by_key_thread` above, in the order of a comparator.
template <class TeamMember, class KeyViewType, class ValueViewType, class Comparator>
KOKKOS_INLINE_FUNCTION void sort_by_key_thread(TeamMember const& t, KeyViewType const& keyView,
                                               ValueViewType const& valueView, Comparator const& comp) {
  Kokkos::Impl::sort_nested(Kokkos::Impl::ThreadSorters<TeamMember>{t}, keyView, valueView, comp);
}

}  // namespace Experimental
}  // namespace Kokkos

#endif
