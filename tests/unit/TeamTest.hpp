// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_TEAM_TEST_HPP
#define KOKKOS_TEAM_TEST_HPP

/// \file
/// Common parts of the tests of teams: instances with several threads, the team sizes that they support, and copies to
/// the host.

#include <Kokkos_Core.hpp>
#include <gtest/gtest.h>

#include "TestSpaces.hpp"

#include <type_traits>
#include <vector>

namespace Kokkos::Testing {

/// An instance that supports teams of several threads, if the space has such instances. It has more threads than cores,
/// so that threads must wait for threads that are not running.
template <class ExecSpace>
ExecSpace team_of_four() {
  if constexpr (std::is_constructible_v<ExecSpace, int>) {
    return ExecSpace(4);
  } else {
    return ExecSpace();
  }
}

struct AnyTeamKernel {
  template <class Member>
  KOKKOS_FUNCTION void operator()(Member const&) const {}
};

/// The team sizes from 1 to 4 that the instance supports.
template <class ExecSpace>
std::vector<int> team_sizes(ExecSpace const& space) {
  int const max = TeamPolicy<ExecSpace>(space, 1, 1).team_size_max(AnyTeamKernel(), ParallelForTag());
  std::vector<int> sizes;
  for (int size = 1; size <= 4 && size <= max; ++size) sizes.push_back(size);
  return sizes;
}

/// The elements of a view of rank 1.
template <class V>
auto elements_on_host(V const& view) {
  auto const copy = create_mirror_view_and_copy(HostSpace(), view);
  std::vector<typename V::non_const_value_type> values(view.extent(0));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = copy(i);
  return values;
}

/// Runs work(member) on each thread of a league of `league_size` teams.
template <class ExecSpace, class Work>
void on_teams(ExecSpace const& space, int league_size, int team_size, Work const& work) {
  parallel_for(TeamPolicy<ExecSpace>(space, league_size, team_size), work);
  space.fence();
}

}  // namespace Kokkos::Testing

#endif
