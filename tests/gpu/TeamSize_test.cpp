// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// \file
/// The team size that AUTO selects on GPUs.

#include "DeviceTest.hpp"

#include <impl/GPU/launch/Kokkos_GPU_ParallelFor.hpp>
#include <impl/GPU/launch/Kokkos_GPU_Team.hpp>

#include <climits>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>

namespace {

using Kokkos::AUTO;
using Kokkos::PerTeam;
using Kokkos::PerThread;
using Kokkos::Testing::GPU;
using Policy = Kokkos::TeamPolicy<GPU>;
using Limits = Kokkos::Impl::GPUTeamTraits<GPU>;

struct Kernel {
  KOKKOS_FUNCTION void operator()(Policy::member_type const&) const {}
};

int recommended(Policy const& policy) { return policy.team_size_recommended(Kernel{}, Kokkos::ParallelForTag()); }

auto const& device() { return GPU().impl_instance().properties(); }

/// A league that gives each multiprocessor many teams.
int long_league() { return device().multiprocessors * Limits::busy_threads(device()); }

/// Threads that a multiprocessor runs at once if only the scratch memory of level 0 limits them.
std::size_t running(Policy const& policy, int team_size) {
  std::size_t const bytes = policy.scratch_size(0, team_size) + Policy::member_type::meeting_bytes;
  return device().shared_per_multiprocessor / bytes * team_size;
}

// Every fact that sizes of blocks and leagues, and the choice of copies, depend on.
#ifdef KOKKOS_ENABLE_HIP
TEST(TeamSize, FollowsFromTheFactsOfTheDevice) {
  hipDeviceProp_t expected;
  ASSERT_EQ(hipGetDeviceProperties(&expected, GPU().impl_instance().device()), hipSuccess);
  auto const& facts = device();
  EXPECT_EQ(facts.warp_size, expected.warpSize);
  EXPECT_EQ(facts.multiprocessors, expected.multiProcessorCount);
  EXPECT_EQ(facts.threads_per_block, expected.maxThreadsPerBlock);
  EXPECT_EQ(facts.threads_per_multiprocessor, expected.maxThreadsPerMultiProcessor);
  EXPECT_EQ(facts.registers_per_block, expected.regsPerBlock);
  EXPECT_EQ(facts.shared_per_block, expected.sharedMemPerBlock);
  EXPECT_EQ(facts.l2_bytes, static_cast<std::size_t>(expected.l2CacheSize));
  EXPECT_EQ(facts.memory_bytes, expected.totalGlobalMem);
  EXPECT_EQ(facts.managed_concurrent, expected.concurrentManagedAccess != 0);
  EXPECT_EQ(facts.pageable_access, expected.pageableMemoryAccess != 0);
  EXPECT_EQ(facts.compute_major, expected.major);
  EXPECT_EQ(facts.compute_minor, expected.minor);
  EXPECT_STREQ(facts.name, expected.name);
  EXPECT_EQ(GPU().concurrency(), facts.multiprocessors * facts.threads_per_multiprocessor);
}
#endif

TEST(TeamSize, IsSmallInALongLeague) {
  EXPECT_EQ(recommended(Policy(long_league(), AUTO)), 64);
  EXPECT_EQ(recommended(Policy(long_league(), AUTO, 8)), 16);  // 128 threads
  EXPECT_EQ(recommended(Policy(INT_MAX, AUTO)), 64);
}

TEST(TeamSize, IsTwiceThatInAShortLeague) {
  for (int teams : {0, 1, 100}) EXPECT_EQ(recommended(Policy(teams, AUTO)), 128) << teams;
  EXPECT_EQ(recommended(Policy(10, AUTO, 32)), 4);
}

TEST(TeamSize, GrowsUntilFewTeamsKeepAMultiprocessorBusy) {
  std::size_t const half = device().shared_per_multiprocessor / 2 - 2048;
  std::size_t const most = Policy::scratch_size_max(0);
  auto const policy      = Policy(long_league(), AUTO).set_scratch_size(0, PerTeam(half < most ? half : most));
  int const size         = recommended(policy);
  EXPECT_GE(running(policy, size), std::size_t(Limits::busy_threads(device())));
  EXPECT_LT(running(policy, size / 2), std::size_t(Limits::busy_threads(device())));
}

TEST(TeamSize, DoesNotGrowIfTheScratchMemoryGrowsWithIt) {
  auto const policy = Policy(long_league(), AUTO).set_scratch_size(0, PerThread(256));
  EXPECT_EQ(recommended(policy), 64);
}

TEST(TeamSize, IsAtMostWhatTheLaunchBoundsAllow) {
  using Bounded      = Kokkos::TeamPolicy<GPU, Kokkos::LaunchBounds<32>>;
  auto const bounded = Bounded(long_league(), AUTO);
  EXPECT_EQ(bounded.team_size_recommended(Kernel{}, Kokkos::ParallelForTag()), 32);
}

constexpr int live_values = 100;

/// Needs so many values at once that they fill more registers than a thread of a team of 1024 can have.
KOKKOS_FUNCTION double sum_of_many(int start) {
  double value[live_values];
  for (int k = 0; k < live_values; ++k) value[k] = start + k;
  for (int round = 0; round < 3; ++round)
    for (int k = 0; k < live_values; ++k) value[k] = value[k] / 2 + value[(k + 37) % live_values];
  double sum = 0;
  for (int k = 0; k < live_values; ++k) sum += value[k];
  return sum;
}

struct ManyRegisters {
  Kokkos::View<double*, GPU> sums;
  KOKKOS_FUNCTION void operator()(Policy::member_type const& team) const {
    if (team.team_rank() == 0) sums(team.league_rank()) = sum_of_many(team.league_rank());
  }
};

TEST(TeamSize, IsLimitedByTheRegistersOfTheKernel) {
  int const teams = 3;
  Kokkos::View<double*, GPU> sums("sums", teams);
  ManyRegisters const kernel{sums};
  int const max = Policy(teams, 1).team_size_max(kernel, Kokkos::ParallelForTag());
  EXPECT_GE(max, 256);
#ifdef KOKKOS_ENABLE_CUDA
  EXPECT_LT(max, 1024);
#endif
  Kokkos::parallel_for(Policy(teams, max), kernel);
  auto const here = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), sums);
  for (int t = 0; t < teams; ++t) EXPECT_EQ(here(t), sum_of_many(t));
  try {
    Kokkos::parallel_for(Policy(teams, max + 1), kernel);
    FAIL() << "a team of " << max + 1 << " threads was accepted";
  } catch (std::runtime_error const& error) {
    EXPECT_NE(std::string(error.what()).find("1 to " + std::to_string(max) + " threads"), std::string::npos)
        << error.what();
  }
}

TEST(TeamSize, Has1024ThreadsWithSuchBounds) {
  using Bounded   = Kokkos::TeamPolicy<GPU, Kokkos::LaunchBounds<1024>>;
  int const teams = 3;
  Kokkos::View<double*, GPU> sums("sums", teams);
  ManyRegisters const kernel{sums};
  EXPECT_EQ(Bounded(teams, 1).team_size_max(kernel, Kokkos::ParallelForTag()), 1024);
  Kokkos::parallel_for(Bounded(teams, 1024), kernel);
  auto const here = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), sums);
  for (int t = 0; t < teams; ++t) EXPECT_EQ(here(t), sum_of_many(t));
}

#ifdef KOKKOS_IMPL_GPU_MODEL
struct Counter {
  KOKKOS_FUNCTION void operator()(Policy::member_type const& team, int& teams) const {
    if (team.team_rank() == 0) ++teams;
  }
};

std::size_t free_bytes() {
  std::size_t available = 0, all = 0;
  EXPECT_EQ(hipMemGetInfo(&available, &all), hipSuccess);
  return available;
}

// Each block has its own scratch memory of level 1, which the instance keeps.
TEST(TeamSize, DoesNotMultiplyTheScratchMemoryOfAReduction) {
  std::size_t const bytes  = std::size_t(1) << 20;
  auto const policy        = Policy(long_league(), AUTO).set_scratch_size(1, PerTeam(bytes));
  std::size_t const before = free_bytes();
  int teams                = 0;
  Kokkos::parallel_reduce(policy, Counter{}, teams);
  EXPECT_EQ(teams, long_league());
  EXPECT_LE(before - free_bytes(), 9 * device().multiprocessors * bytes);
}
#endif

/// The extents of a range, from the fastest position.
template <int Rank>
struct Extents {
  using Count               = std::uint64_t;
  static constexpr int rank = Rank;
  Count lengths[Rank];
  Count extent(int position) const { return lengths[position]; }
};

// The last position folds all further ones. A range that is too long there is split at the longest of them.
TEST(GridOfARange, IsTooSmallBeyondItsThreads) {
  Kokkos::Impl::LaunchShape const shape{dim3(4, 5, 6), dim3(8, 2, 3)};  // 32 x 10 x 18 threads
  auto const uncovered = [&](auto const& range) { return Kokkos::Impl::gpu_uncovered_position(shape, range); };
  EXPECT_EQ(uncovered(Extents<1>{{32}}), -1);
  EXPECT_EQ(uncovered(Extents<1>{{33}}), 0);
  EXPECT_EQ(uncovered(Extents<2>{{32, 10}}), -1);
  EXPECT_EQ(uncovered(Extents<2>{{32, 11}}), 1);
  EXPECT_EQ(uncovered(Extents<3>{{32, 10, 18}}), -1);
  EXPECT_EQ(uncovered(Extents<3>{{32, 10, 19}}), 2);
  EXPECT_EQ(uncovered(Extents<4>{{32, 10, 6, 3}}), -1);
  EXPECT_EQ(uncovered(Extents<4>{{33, 10, 6, 3}}), 0);
  EXPECT_EQ(uncovered(Extents<4>{{32, 11, 6, 3}}), 1);
  EXPECT_EQ(uncovered(Extents<4>{{32, 10, 6, 4}}), 2);
  EXPECT_EQ(uncovered(Extents<4>{{32, 10, 3, 7}}), 3);
  EXPECT_EQ(uncovered(Extents<5>{{32, 10, 1, 1, 19}}), 4);
  // A block may reach 1024 points beyond the range, and its indices have 31 bits.
  Kokkos::Impl::LaunchShape const widest{dim3(INT_MAX / 1024, 1, 1), dim3(1024, 1, 1)};
  auto const longest = Extents<1>{{INT_MAX - 1024}};
  EXPECT_EQ(Kokkos::Impl::gpu_uncovered_position(widest, longest), -1);
  EXPECT_EQ(Kokkos::Impl::gpu_uncovered_position(widest, Extents<1>{{INT_MAX - 1023}}), 0);
}

TEST(TeamSize, ScratchOfLevel1IsKeptUpToAPartOfTheMemory) {
  constexpr std::size_t mib = std::size_t(1) << 20;
  Kokkos::Impl::GPUProperties properties;
  for (auto const& [memory_bytes, most] :
       {std::pair(0 * mib, 4 * mib), std::pair(512 * mib, 4 * mib), std::pair(81920 * mib, 640 * mib)}) {
    properties.memory_bytes = memory_bytes;
    EXPECT_EQ(Kokkos::Impl::GPULevel1Scratch<GPU::runtime_type>::most_kept_bytes(properties), most) << memory_bytes;
  }
}

}  // namespace
