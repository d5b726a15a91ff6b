// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Launch bounds and hints do not change the result of a kernel.

#include "PatternTest.hpp"

namespace {

using Kokkos::LaunchBounds;
using Property = Kokkos::Experimental::WorkItemProperty;

template <class Space>
class LaunchBoundsTest : public ::testing::Test {};
TYPED_TEST_SUITE(LaunchBoundsTest, Kokkos::Testing::ExecutionSpaces, Kokkos::Testing::SpaceName);

template <class Space>
struct Kernel {
  Kokkos::Testing::Visits<Space> visits;
  KOKKOS_FUNCTION void operator()(int i) const { visits.visit(i); }
  KOKKOS_FUNCTION void operator()(int i, int j) const { visits.visit(20 * i + j); }
  KOKKOS_FUNCTION void operator()(int i, long& sum) const { sum += i; }
  KOKKOS_FUNCTION void operator()(int i, int j, long& sum) const { sum += 20 * i + j; }
};

template <class Policy>
void run(Policy const& policy) {
  using Space = typename Policy::execution_space;
  Kernel<Space> kernel{Kokkos::Testing::Visits<Space>(1000)};
  Kokkos::parallel_for(policy, kernel);
  kernel.visits.expect(0, 1000);
  long sum = 0;
  Kokkos::parallel_reduce(policy, kernel, sum);
  EXPECT_EQ(sum, 499500);
}

TYPED_TEST(LaunchBoundsTest, RangePolicy) {
  run(Kokkos::RangePolicy<TypeParam, LaunchBounds<>>(0, 1000));
  run(Kokkos::RangePolicy<TypeParam, LaunchBounds<128>>(0, 1000));
  run(Kokkos::RangePolicy<LaunchBounds<32, 4>, TypeParam>(0, 1000));
}

TYPED_TEST(LaunchBoundsTest, MDRangePolicy) {
  run(Kokkos::MDRangePolicy<TypeParam, Kokkos::Rank<2>, LaunchBounds<128>>({0, 0}, {50, 20}));
  run(Kokkos::MDRangePolicy<LaunchBounds<64, 2>, TypeParam, Kokkos::Rank<2>>({0, 0}, {50, 20}, {4, 4}));
}

TYPED_TEST(LaunchBoundsTest, Hints) {
  using Kokkos::Experimental::DesiredOccupancy;
  using Kokkos::Experimental::prefer;
  using Kokkos::Experimental::require;
  Kokkos::RangePolicy<TypeParam> const range(0, 1000);
  run(require(range, Property::HintLightWeight));
  run(prefer(range, DesiredOccupancy{33}));
  run(prefer(require(range, Property::HintHeavyWeight | Property::HintIrregular), DesiredOccupancy{66}));
  Kokkos::MDRangePolicy<TypeParam, Kokkos::Rank<2>> const tiles({0, 0}, {50, 20});
  run(require(tiles, Property::HintLightWeight));
  run(prefer(tiles, DesiredOccupancy{33}));
}

}  // namespace
