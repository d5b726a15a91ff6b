// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The template arguments of all policies: their order is arbitrary, and each has a default.

#include "TestSpaces.hpp"

#include <cstdint>
#include <type_traits>

namespace {

using Space = Kokkos::DefaultExecutionSpace;
struct Tag {};
using Dyn    = Kokkos::Schedule<Kokkos::Dynamic>;
using Bounds = Kokkos::LaunchBounds<128, 2>;
using Idx    = Kokkos::IndexType<std::int16_t>;
using Rank3  = Kokkos::Rank<3, Kokkos::Iterate::Left, Kokkos::Iterate::Right>;

template <class Policy>
void expect_defaults() {
  static_assert(std::is_same_v<typename Policy::execution_space, Space>);
  static_assert(std::is_same_v<typename Policy::index_type, typename Space::size_type>);
  static_assert(std::is_same_v<typename Policy::schedule_type, Kokkos::Schedule<Kokkos::Static>>);
  static_assert(std::is_same_v<typename Policy::launch_bounds, Kokkos::LaunchBounds<>>);
  static_assert(std::is_void_v<typename Policy::work_tag>);
  static_assert(Kokkos::is_execution_policy_v<Policy>);
  static_assert(std::is_same_v<typename Policy::execution_policy, Policy>);
}

template <class Policy>
void expect_all() {
  static_assert(std::is_same_v<typename Policy::execution_space, Space>);
  static_assert(std::is_same_v<typename Policy::index_type, std::int16_t>);
  static_assert(std::is_same_v<typename Policy::schedule_type, Dyn>);
  static_assert(std::is_same_v<typename Policy::launch_bounds, Bounds>);
  static_assert(std::is_same_v<typename Policy::work_tag, Tag>);
}

TEST(PolicyConstruct, Defaults) {
  expect_defaults<Kokkos::RangePolicy<>>();
  expect_defaults<Kokkos::RangePolicy<void>>();
  expect_defaults<Kokkos::RangePolicy<Space, void>>();
  expect_defaults<Kokkos::MDRangePolicy<Kokkos::Rank<2>>>();
  expect_defaults<Kokkos::TeamPolicy<>>();
  static_assert(std::is_void_v<Kokkos::RangePolicy<>::iteration_pattern>);
}

TEST(PolicyConstruct, AnyOrder) {
  expect_all<Kokkos::RangePolicy<Space, Dyn, Idx, Bounds, Tag>>();
  expect_all<Kokkos::RangePolicy<Tag, Bounds, Idx, Dyn, Space>>();
  expect_all<Kokkos::RangePolicy<Idx, Space, Tag, Dyn, Bounds>>();
  expect_all<Kokkos::RangePolicy<Dyn, std::int16_t, Tag, Bounds>>();
  expect_all<Kokkos::TeamPolicy<Bounds, Tag, Space, Idx, Dyn>>();
  expect_all<Kokkos::MDRangePolicy<Rank3, Space, Dyn, Idx, Bounds, Tag>>();
  expect_all<Kokkos::MDRangePolicy<Tag, Bounds, Idx, Rank3, Dyn, Space>>();
  static_assert(std::is_same_v<Kokkos::MDRangePolicy<Tag, Rank3>::iteration_pattern, Rank3>);
}

TEST(PolicyConstruct, LaunchBoundsTellThreadsAndBlocks) {
  using Policy = Kokkos::RangePolicy<Kokkos::LaunchBounds<256, 4>>;
  static_assert(Policy::launch_bounds::maxTperB == 256);
  static_assert(Policy::launch_bounds::minBperSM == 4);
  static_assert(Kokkos::RangePolicy<>::launch_bounds::maxTperB == 0);
}

TEST(PolicyConstruct, StaticBatchSizeIsNoTag) {
  using Kokkos::Experimental::StaticBatchSize;
  using Policy = Kokkos::RangePolicy<Space, StaticBatchSize<4>, Tag, Idx>;
  static_assert(Policy::static_batch_size::batch_size == 4);
  static_assert(std::is_same_v<Policy::work_tag, Tag> && std::is_same_v<Policy::index_type, std::int16_t>);
  static_assert(Kokkos::TeamPolicy<StaticBatchSize<2>>::static_batch_size::batch_size == 2);
  static_assert(std::is_void_v<Kokkos::TeamPolicy<StaticBatchSize<2>>::work_tag>);
  static_assert(std::is_same_v<Kokkos::RangePolicy<>::static_batch_size, StaticBatchSize<>>);
}

TEST(PolicyConstruct, IncompleteTag) {
  struct Later;
  static_assert(std::is_same_v<Kokkos::RangePolicy<Later>::work_tag, Later>);
}

// ---- hints --------------------------------------------------------------------------------------------------------

using Property = Kokkos::Experimental::WorkItemProperty;
using Kokkos::Experimental::DesiredOccupancy;
using Kokkos::Experimental::MaximizeOccupancy;

template <class Policy>
void expect_hints(Policy const& policy) {
  auto light = Kokkos::Experimental::require(policy, Property::HintLightWeight);
  static_assert(std::is_same_v<typename decltype(light)::work_item_property, Property::HintLightWeight_t>);
  static_assert(Kokkos::is_execution_policy_v<decltype(light)>);
  auto both = Kokkos::Experimental::require(light, Property::HintHeavyWeight | Property::HintIrregular);
  static_assert(decltype(both)::work_item_property::value ==
                (Property::HintHeavyWeight_t::value | Property::HintIrregular_t::value));
  static_assert(std::is_same_v<typename Policy::work_item_property, Property::None_t>);
  static_assert(std::is_same_v<typename decltype(both)::work_tag, typename Policy::work_tag>);

  auto third = Kokkos::Experimental::prefer(light, DesiredOccupancy{33});
  static_assert(decltype(third)::experimental_contains_desired_occupancy);
  static_assert(!Policy::experimental_contains_desired_occupancy);
  static_assert(std::is_same_v<typename decltype(third)::work_item_property, Property::HintLightWeight_t>);
  EXPECT_EQ(third.impl_occupancy().value(), 33);
  auto half = Kokkos::Experimental::prefer(third, DesiredOccupancy{50});
  static_assert(std::is_same_v<decltype(half), decltype(third)>);
  EXPECT_EQ(half.impl_occupancy().value(), 50);
  EXPECT_FALSE(half.impl_occupancy().should_tune());
  auto automatic = Kokkos::Experimental::prefer(policy, DesiredOccupancy{Kokkos::AUTO});
  EXPECT_TRUE(automatic.impl_occupancy().should_tune());
  EXPECT_EQ(automatic.impl_occupancy().value(), 100);
  static_assert(int(DesiredOccupancy(MaximizeOccupancy{})) == 100 && int(DesiredOccupancy{20}) == 20);
  int const percents[][2] = {{-5, 1}, {0, 1}, {1, 1}, {2, 2}, {99, 99}, {100, 100}, {101, 100}};
  for (auto const& [given, kept] : percents) EXPECT_EQ(int(DesiredOccupancy{given}), kept) << given;
  auto hinted_again = Kokkos::Experimental::require(half, Property::HintRegular);
  EXPECT_EQ(hinted_again.impl_occupancy().value(), 50);
  auto most = Kokkos::Experimental::prefer(half, MaximizeOccupancy{});
  static_assert(!decltype(most)::experimental_contains_desired_occupancy);
  auto same = Kokkos::Experimental::prefer(policy, MaximizeOccupancy{});
  static_assert(std::is_same_v<decltype(same), Policy>);
}

TEST(PolicyHints, RangePolicyKeepsItsRange) {
  Kokkos::RangePolicy<Tag> policy(3, 9, Kokkos::ChunkSize(2));
  expect_hints(policy);
  auto light = Kokkos::Experimental::require(policy, Property::HintLightWeight);
  EXPECT_EQ(light.begin(), 3u);
  EXPECT_EQ(light.end(), 9u);
  EXPECT_EQ(light.chunk_size(), 2u);
}

TEST(PolicyHints, MDRangePolicyKeepsItsRange) {
  Kokkos::MDRangePolicy<Kokkos::Rank<2>> policy({1, 2}, {30, 40}, {3, 4});
  expect_hints(policy);
  auto light = Kokkos::Experimental::prefer(policy, DesiredOccupancy{10});
  EXPECT_EQ(light.m_lower, policy.m_lower);
  EXPECT_EQ(light.m_upper, policy.m_upper);
  EXPECT_EQ(light.m_tile, policy.m_tile);
  EXPECT_EQ(light.m_num_tiles, policy.m_num_tiles);
}

TEST(PolicyHints, TeamPolicyKeepsItsLeague) {
  Kokkos::TeamPolicy<> policy(7, 1);
  expect_hints(policy);
  EXPECT_EQ(Kokkos::Experimental::require(policy, Property::HintLightWeight).league_size(), 7);
}

TEST(PolicyHints, OccupancyIsAPercentage) {
  EXPECT_EQ(DesiredOccupancy{250}.value(), 100);
  EXPECT_EQ(DesiredOccupancy{-3}.value(), 1);
  EXPECT_TRUE((Property::HintLightWeight | Property::HintRegular) ==
              (Property::HintRegular | Property::HintLightWeight));
  EXPECT_TRUE(((Property::HintLightWeight | Property::HintRegular) & Property::HintRegular) == Property::HintRegular);
}

}  // namespace
