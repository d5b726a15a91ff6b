// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// \file
/// Ranges of more than 2^32 indices, and dimensions of more than 2^31 with an index type of 32 bits: a reduction visits each
/// index once.

#include "DeviceTest.hpp"

#include <impl/GPU/launch/Kokkos_GPU_Iterations.hpp>

#include <climits>
#include <cstdint>

namespace {

using Kokkos::Testing::GPU;
using Device = GPU::runtime_type::intrinsics;

/// One thread of a grid with 2^30 + 1024 threads along the first axis. Its 7 steps from its first offset, which wrap
/// around after the fourth, end at 2^32 - 1: a loop that wraps around ends, too.
struct LongAxis : Device {
  static constexpr std::uint32_t step = (1u << 30) + 1024, first = 0u - 1 - 7 * step;
  static_assert(first < step);
  KOKKOS_IMPL_DEVICE static unsigned grid_dim_x() { return step / 1024; }
  KOKKOS_IMPL_DEVICE static int block_dim_x() { return 1024; }
  KOKKOS_IMPL_DEVICE static unsigned block_x() { return first / 1024; }
  KOKKOS_IMPL_DEVICE static int thread_x() { return first % 1024; }
};

/// The thread at the offset `number` of the third axis, whose grid covers all offsets.
struct LongThirdAxis : Device {
  static constexpr std::int64_t number = 3000000005;
  KOKKOS_IMPL_DEVICE static unsigned grid_dim_z() { return 60000; }
  KOKKOS_IMPL_DEVICE static int block_dim_z() { return 1000000; }
  KOKKOS_IMPL_DEVICE static unsigned block_z() { return number / 1000000; }
  KOKKOS_IMPL_DEVICE static int thread_z() { return number % 1000000; }
};

/// One thread of a grid that takes several steps through a range of more than 2^32 indices.
template <std::uint64_t Blocks>
struct LongGrid : Device {
  static constexpr std::uint64_t stride = Blocks * 1024, first = Blocks / 2 * 1024 + 5;
  KOKKOS_IMPL_DEVICE static unsigned grid_dim_x() { return Blocks; }
  KOKKOS_IMPL_DEVICE static int block_dim_x() { return 1024; }
  KOKKOS_IMPL_DEVICE static unsigned block_x() { return Blocks / 2; }
  KOKKOS_IMPL_DEVICE static int thread_x() { return 5; }
};

using Visits = Kokkos::View<std::int64_t[8], GPU>;

/// Notes the visits of one dimension after the other: how many, and the indices.
struct Note {
  std::int64_t* seen;
  KOKKOS_FUNCTION void operator()(int i) const {
    if (++seen[0] < 8) seen[seen[0]] = i;
  }
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    if (++seen[0] < 8) seen[seen[0]] = i;
  }
  KOKKOS_FUNCTION void operator()(int, int, int i, int j) const {
    ++seen[0];
    seen[1] = i;
    seen[2] = j;
  }
};

template <class Range>
struct Visit {
  Range range;
  Visits seen;
  KOKKOS_FUNCTION void operator()(int) const { KOKKOS_IF_ON_DEVICE((range.visit(Note{seen.data()});)) }
};

template <class Range>
auto visits(Range const& range) {
  Visits const seen("seen");
  Kokkos::parallel_for("visit", Kokkos::RangePolicy<GPU>(0, 1), Visit<Range>{range, seen});
  return Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), seen);
}

TEST(LongRanges, StepsDoNotWrapAround) {
  auto const seen =
      visits(Kokkos::Impl::GPUIndexRange<LongAxis, std::int32_t, 1, Kokkos::Iterate::Left>{{INT_MIN}, {INT_MAX}});
  EXPECT_EQ(seen(0), 4);
  for (int k = 0; k < 4; ++k)
    EXPECT_EQ(seen(1 + k), std::int64_t(INT_MIN) + LongAxis::first + std::int64_t(k) * LongAxis::step) << k;
}

// One index after the other, several at a time, or a single one.
template <class Grid, int Batch>
void expect_steps(std::int64_t begin, std::int64_t n) {
  auto const seen    = visits(Kokkos::Impl::GPURange<Grid, std::int64_t, Batch>{begin, begin + n});
  std::int64_t count = 0;
  for (std::int64_t i = Grid::first; i < n; i += Grid::stride)
    if (++count < 8) EXPECT_EQ(seen(count), begin + i) << count << " of " << n;
  EXPECT_EQ(seen(0), count) << n;
  ASSERT_LT(count, 8);
}
TEST(LongRanges, OfOneDimensionAreVisitedInWholeSteps) {
  for (std::int64_t const n :
       {std::int64_t(3), std::int64_t(2000000000), 3000000000, 4294967296, 4294967297, 7000000001})
    for (std::int64_t const begin : {std::int64_t(-3000000000), std::int64_t(0), std::int64_t(5)}) {
      expect_steps<LongGrid<1000000>, 4>(begin, n);
      expect_steps<LongGrid<1000000>, 1>(begin, n);
      expect_steps<LongGrid<4000000>, 4>(begin, n);
    }
}

TEST(LongRanges, OffsetsBecomeIndicesOfALongThirdDimension) {
  auto const seen = visits(Kokkos::Impl::GPUIndexRange<LongThirdAxis, std::int32_t, 4, Kokkos::Iterate::Left>{
      {0, 0, -1500000000, 7}, {1, 1, 1500000000, 9}});
  EXPECT_EQ(seen(0), 1);
  EXPECT_EQ(seen(1), -1500000000 + 5);
  EXPECT_EQ(seen(2), 8);
}

#ifdef KOKKOS_ENABLE_CUDA
struct Sum {
  KOKKOS_FUNCTION void operator()(int i, int, std::int64_t& sum) const { sum += i; }
  KOKKOS_FUNCTION void operator()(int, int, int i, int j, std::int64_t& sum) const { sum += i + std::int64_t(j); }
};

TEST(LongRanges, SumsOfAllIndices) {
  using Kokkos::IndexType, Kokkos::Iterate, Kokkos::MDRangePolicy, Kokkos::Rank;
  std::int64_t sum = 0;
  Kokkos::parallel_reduce(MDRangePolicy<GPU, Rank<2>, IndexType<int>>({INT_MIN, 0}, {INT_MAX, 1}), Sum(), sum);
  EXPECT_EQ(sum, -4294967295);
  Kokkos::parallel_reduce(MDRangePolicy<GPU, Rank<4, Iterate::Left, Iterate::Left>, IndexType<int>>(
                              {0, 0, -1100000000, 7}, {1, 1, 1100000000, 9}, {1, 1, 64, 1}),
                          Sum(), sum);
  EXPECT_EQ(sum, -2200000000 + 15 * 2200000000);
}
#endif

}  // namespace
