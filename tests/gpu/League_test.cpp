// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// \file
/// Leagues of almost 2^31 teams: each team runs once. Scratch memory of teams that run on one block, and shared memory of
/// reductions.

#include "DeviceTest.hpp"

#include <impl/GPU/launch/Kokkos_GPU_ParallelReduce.hpp>
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

/// Each team leaves its number in its scratch memory for all its threads.
struct Share {
  using Member  = Kokkos::TeamPolicy<GPU>::member_type;
  using Scratch = Kokkos::View<int, GPU::scratch_memory_space, Kokkos::MemoryUnmanaged>;
  Kokkos::View<int*, GPU> wrong;
  int level;
  KOKKOS_FUNCTION void operator()(Member const& team) const {
    Scratch const number(team.team_scratch(level));
    if (team.team_rank() == 0) number() = team.league_rank();
    team.team_barrier();
    if (number() != team.league_rank()) Kokkos::atomic_inc(&wrong(team.league_rank()));
  }
  KOKKOS_FUNCTION void operator()(Member const& team, int& sum) const {
    (*this)(team);
    sum += team.team_rank() == 0 ? 1 : 0;
  }
};

// A block that runs several teams, one after the other, gives each of them the same memory.
TEST(League, OfMoreTeamsThanBlocksKeepsTheirScratchMemoryApart) {
  auto const& device = GPU().impl_instance().properties();
  int const teams    = 2 * device.multiprocessors * device.blocks_per_multiprocessor + 1;
  int const threads  = device.warp_size + 1;  // several warps
  for (int const level : {0, 1}) {
    Share const share{Kokkos::View<int*, GPU>("wrong", teams), level};
    // With memory of level 1 there are as many blocks as can be resident.
    auto policy = Kokkos::TeamPolicy<GPU>(teams, threads).set_scratch_size(1, Kokkos::PerTeam(64));
    policy.set_scratch_size(0, Kokkos::PerTeam(64));
    Kokkos::parallel_for("share", policy, share);
    int sum = 0;
    Kokkos::parallel_reduce("share", policy, share, sum);
    EXPECT_EQ(sum, teams);
    auto const wrong = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), share.wrong);
    int all          = 0;
    for (int i = 0; i < teams; ++i) all += wrong(i);
    EXPECT_EQ(all, 0) << "level " << level;
  }
}

// Threads' values and the flag behind them have room in the shared memory that each kernel may use; otherwise only the flag.
TEST(ReducePlan, StaysWithinSharedMemory) {
  auto const& device = GPU().impl_instance().properties();
  for (bool const in_registers : {false, true})
    for (int threads = device.warp_size; threads <= 1024; threads *= 2)
      for (std::size_t bytes = 1; bytes <= (in_registers ? 64 : 4096); ++bytes) {
        auto const plan = Kokkos::Impl::gpu_reduce_plan(device, threads, bytes, in_registers);
        auto const of   = [&] { return testing::Message() << threads << " threads, " << bytes << " bytes"; };
        ASSERT_LE(plan.threads, threads) << of();
        ASSERT_GE(plan.threads, device.warp_size) << of();
        ASSERT_LE(plan.shared, std::size_t(48) * 1024) << of();
        ASSERT_GE(plan.shared, 16u) << of();
        std::size_t const values = plan.threads * bytes;
        if (in_registers) {
          ASSERT_GE(plan.shared, values / device.warp_size) << of();
        } else if (plan.slots_per_block > 0) {
          ASSERT_GE(plan.slots_per_block, values) << of();
          ASSERT_GT(values, std::size_t(48) * 1024 - 16) << of();
        } else {
          ASSERT_GE(plan.shared, values + 16) << of();
        }
      }
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
