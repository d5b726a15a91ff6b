// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// \file
/// Leagues of almost 2^31 teams: each team runs once.

#include "DeviceTest.hpp"

#include <impl/GPU/launch/Kokkos_GPU_Team.hpp>

#include <climits>

namespace {

using Kokkos::Testing::GPU;

constexpr int long_league = 1600000000, late_team = 1500000000;

/// The GPU, whose blocks all take themselves for block `late_team` of a grid with a block for each team. The model
/// cannot run such a grid: it would take hours.
struct LateBlock : GPU {
  using execution_space = LateBlock;
  struct runtime_type : GPU::runtime_type {
    struct intrinsics : GPU::runtime_type::intrinsics {
      KOKKOS_IMPL_DEVICE static unsigned block_x() { return late_team; }
      KOKKOS_IMPL_DEVICE static unsigned grid_dim_x() { return long_league; }
    };
  };
};

/// The number of visits of the only thread, and the team of the last one.
struct Visits {
  Kokkos::View<int[2], GPU> seen;

  struct Note {
    int* seen;
    template <class Member>
    KOKKOS_FUNCTION void operator()(Member const& member) const {
      ++seen[0];
      seen[1] = member.league_rank();
    }
  };
  KOKKOS_FUNCTION void operator()(int) const {
    KOKKOS_IF_ON_DEVICE((Kokkos::Impl::GPULeague<LateBlock> const league{long_league, 0, 0, 0, nullptr, 0, 0, 0};
                         league.visit(Note{seen.data()});))
  }
};

TEST(League, OfMoreThanHalfAnIntVisitsTeamsOnce) {
  Visits const visits{Kokkos::View<int[2], GPU>("seen")};
  Kokkos::parallel_for("visits", Kokkos::RangePolicy<GPU>(0, 1), visits);
  auto const seen = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), visits.seen);
  EXPECT_EQ(seen(0), 1);
  EXPECT_EQ(seen(1), late_team);
}

#ifdef KOKKOS_ENABLE_CUDA
using Policy = Kokkos::TeamPolicy<GPU>;

/// Counts teams, and adds the numbers of some.
struct Count {
  Kokkos::View<unsigned long long[2], GPU> sums;
  KOKKOS_FUNCTION void operator()(Policy::member_type const& team) const {
    if ((team.league_rank() & 0xfffff) != 0xffffe) return;
    Kokkos::atomic_inc(&sums(0));
    Kokkos::atomic_add(&sums(1), static_cast<unsigned long long>(team.league_rank()));
  }
  KOKKOS_FUNCTION void operator()(Policy::member_type const& team, long long& sum) const { sum += team.league_rank(); }
};

// Without the unsigned loop, the first kernel had not ended after 20 s on an H200.
TEST(League, OfMaximumLengthRunsEachTeamOnce) {
  constexpr unsigned long long noted = 2048;
  Count const count{Kokkos::View<unsigned long long[2], GPU>("sums")};
  Kokkos::parallel_for("count", Policy(INT_MAX, 1), count);
  auto const sums = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), count.sums);
  EXPECT_EQ(sums(0), noted);
  EXPECT_EQ(sums(1), noted * 0xffffe + (noted * (noted - 1) / 2 << 20));
  long long sum = 0;
  Kokkos::parallel_reduce("sum", Policy(INT_MAX, 1), count, sum);
  EXPECT_EQ(sum, (INT_MAX - 1LL) * INT_MAX / 2);
}
#endif

}  // namespace
