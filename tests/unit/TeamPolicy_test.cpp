// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// TeamPolicy as a value: constructors, member types, settings, limits, conversions, deduction.

#include "TeamTest.hpp"

#include <cstddef>
#include <utility>

namespace {

using Kokkos::AUTO;
using Kokkos::PerTeam;
using Kokkos::PerThread;
using Kokkos::TeamPolicy;

template <class ExecSpace>
class TeamPolicyTest : public ::testing::Test {};
TYPED_TEST_SUITE(TeamPolicyTest, Kokkos::Testing::ExecutionSpaces, Kokkos::Testing::SpaceName);

struct Tag {};

TYPED_TEST(TeamPolicyTest, NamesItsProperties) {
  using Policy =
      TeamPolicy<Tag, Kokkos::Schedule<Kokkos::Dynamic>, TypeParam, Kokkos::IndexType<short>, Kokkos::LaunchBounds<64>>;
  static_assert(Kokkos::is_execution_policy_v<Policy>);
  static_assert(std::is_same_v<typename Policy::execution_policy, Policy>);
  static_assert(std::is_same_v<typename Policy::execution_space, TypeParam>);
  static_assert(std::is_same_v<typename Policy::schedule_type, Kokkos::Schedule<Kokkos::Dynamic>>);
  static_assert(std::is_same_v<typename Policy::work_tag, Tag>);
  static_assert(std::is_same_v<typename Policy::index_type, short>);
  static_assert(std::is_same_v<typename Policy::launch_bounds, Kokkos::LaunchBounds<64>>);
  using Member = typename Policy::member_type;
  static_assert(Kokkos::is_team_handle_v<Member>);
  static_assert(std::is_same_v<typename Member::execution_space, TypeParam>);
  static_assert(std::is_same_v<typename Member::scratch_memory_space, typename TypeParam::scratch_memory_space>);
  static_assert(std::is_default_constructible_v<Member> && std::is_copy_assignable_v<Member>);
}

TYPED_TEST(TeamPolicyTest, IsEmptyByDefault) {
  TeamPolicy<TypeParam> const policy;
  EXPECT_EQ(policy.league_size(), 0);
  EXPECT_EQ(policy.chunk_size(), 1);
  EXPECT_TRUE(policy.impl_auto_team_size());
}

TYPED_TEST(TeamPolicyTest, TakesEveryDocumentedConstructor) {
  using Policy = TeamPolicy<TypeParam>;
  TypeParam const space;
  std::size_t const n = 12;
  for (Policy const& p : {Policy(n, 1), Policy(n, 1, 1), Policy(space, n, 1), Policy(space, n, 1, 1)}) {
    EXPECT_EQ(p.league_size(), 12);
    EXPECT_EQ(p.team_size(), 1);
    EXPECT_FALSE(p.impl_auto_team_size());
    EXPECT_EQ(p.impl_vector_length(), 1);
    EXPECT_EQ(p.space(), space);
  }
  for (Policy const& p : {Policy(n, AUTO), Policy(n, AUTO()), Policy(n, AUTO, 4), Policy(space, n, AUTO),
                          Policy(space, n, AUTO, 4), Policy(n, AUTO, AUTO), Policy(space, n, AUTO, AUTO)}) {
    EXPECT_EQ(p.league_size(), 12);
    EXPECT_TRUE(p.impl_auto_team_size());
  }
  EXPECT_EQ(Policy(n, AUTO, 4).impl_vector_length(), 4);
  EXPECT_EQ(Policy(n, 1, 4).impl_vector_length(), 4);
  EXPECT_EQ(Policy(n, AUTO, AUTO).impl_vector_length(), 1);
  EXPECT_EQ(Policy(n, 1, AUTO).impl_vector_length(), 1);
  EXPECT_TRUE(Policy(n, 1, AUTO).impl_auto_vector_length());
  EXPECT_TRUE(Policy(space, n, 1, AUTO).impl_auto_vector_length());
  for (Policy const& p : {Policy(n, 1, AUTO), Policy(space, n, 1, AUTO)}) {
    EXPECT_EQ(p.league_size(), 12);
    EXPECT_EQ(p.team_size(), 1);
    EXPECT_EQ(p.space(), space);
  }
  for (Policy const& p : {Policy(n, AUTO, AUTO), Policy(space, n, AUTO, AUTO)}) {
    EXPECT_TRUE(p.impl_auto_vector_length());
    EXPECT_EQ(p.space(), space);
  }
  EXPECT_EQ(Policy(space, n, AUTO, 4).impl_vector_length(), 4);
  EXPECT_EQ(Policy(space, n, 1, 4).impl_vector_length(), 4);
}

TYPED_TEST(TeamPolicyTest, KeepsTheInstance) {
  auto const space = Kokkos::Testing::team_of_four<TypeParam>();
  EXPECT_EQ(TeamPolicy<TypeParam>(space, 3, AUTO).space(), space);
}

TYPED_TEST(TeamPolicyTest, KeepsScratchSizesPerLevel) {
  TeamPolicy<TypeParam> policy(10, 1);
  EXPECT_EQ(policy.scratch_size(0), 0u);
  policy.set_scratch_size(0, PerTeam(100)).set_scratch_size(1, PerThread(7), PerTeam(50));
  EXPECT_EQ(policy.team_scratch_size(0), 100);
  EXPECT_EQ(policy.thread_scratch_size(0), 0);
  EXPECT_EQ(policy.team_scratch_size(1), 50);
  EXPECT_EQ(policy.thread_scratch_size(1), 7);
  EXPECT_EQ(policy.scratch_size(1), 57u);
  EXPECT_EQ(policy.scratch_size(1, 10), 120u);

  policy.set_scratch_size(0, PerThread(8));  // keeps the size for the team
  EXPECT_EQ(policy.scratch_size(0, 3), 124u);
  policy.set_scratch_size(0, PerTeam(1), PerThread(2));  // overwrites
  EXPECT_EQ(policy.scratch_size(0, 3), 7u);
}

TYPED_TEST(TeamPolicyTest, SettersChain) {
  auto const policy =
      TeamPolicy<TypeParam>(10, AUTO).set_chunk_size(5).set_scratch_size(0, PerTeam(std::size_t(64))).set_chunk_size(6);
  EXPECT_EQ(policy.chunk_size(), 6);
  EXPECT_EQ(policy.team_scratch_size(0), 64);
}

TYPED_TEST(TeamPolicyTest, KnowsItsLimits) {
  auto const space = Kokkos::Testing::team_of_four<TypeParam>();
  TeamPolicy<TypeParam> const policy(space, 10, AUTO);
  Kokkos::Testing::AnyTeamKernel const kernel;
  for (auto tag : {0, 1}) {
    int const max  = tag == 0 ? policy.team_size_max(kernel, Kokkos::ParallelForTag())
                              : policy.team_size_max(kernel, Kokkos::ParallelReduceTag());
    int const best = tag == 0 ? policy.team_size_recommended(kernel, Kokkos::ParallelForTag())
                              : policy.team_size_recommended(kernel, Kokkos::ParallelReduceTag());
    EXPECT_GE(max, 1);
    EXPECT_GE(best, 1);
    EXPECT_LE(best, max);
  }
  if constexpr (std::is_constructible_v<TypeParam, int>) {
    EXPECT_EQ(policy.team_size_max(kernel, Kokkos::ParallelForTag()), 4);
  }
  EXPECT_EQ(TeamPolicy<TypeParam>(space, 10, 2).set_scratch_size(0, PerTeam(8), PerThread(16)).scratch_size(0, 0), 8u);
  EXPECT_GE(policy.vector_length_max(), 1);
  EXPECT_GE(policy.scratch_size_max(0), 16 * 1024);
  EXPECT_GE(policy.scratch_size_max(1), policy.scratch_size_max(0));
}

// Where the maximum is not what AUTO selects, these tell the functions apart.
TYPED_TEST(TeamPolicyTest, LimitsDoNotDependOnTheForm) {
  auto const space = Kokkos::Testing::team_of_four<TypeParam>();
  TeamPolicy<TypeParam> const policy(space, 100000, AUTO);
  Kokkos::Testing::AnyTeamKernel const kernel;
  int sum = 0;
  Kokkos::Sum<int> const reducer(sum);
  Kokkos::ParallelReduceTag const tag;
  int const max = policy.team_size_max(kernel, tag), best = policy.team_size_recommended(kernel, tag);
  EXPECT_EQ(policy.team_size_max(kernel, reducer, tag), max);
  EXPECT_EQ(policy.team_size_recommended(kernel, reducer, tag), best);
  if constexpr (std::is_constructible_v<TypeParam, int>) {
    EXPECT_TRUE(max == 4 && best == 1) << "they are four threads";
  }
}

// A request that the execution space does not have is lowered to one that it has, as in upstream.
TYPED_TEST(TeamPolicyTest, TakesAnyVectorLength) {
  int const max = TeamPolicy<TypeParam>::vector_length_max();
  for (auto [request, length] : {std::pair(-1, 1),
                                 {0, 1},
                                 {1, 1},
                                 {2, 2},
                                 {3, 2},
                                 {8, 8},
                                 {24, 16},
                                 {max, max},
                                 {max + 1, max},
                                 {100 * max, max}}) {
    EXPECT_EQ(TeamPolicy<TypeParam>(3, 1, request).impl_vector_length(), length) << request;
    EXPECT_EQ(TeamPolicy<TypeParam>(3, AUTO, request).impl_vector_length(), length) << request;
  }
}

TYPED_TEST(TeamPolicyTest, ConvertsToOtherProperties) {
  auto const space = Kokkos::Testing::team_of_four<TypeParam>();
  TeamPolicy<TypeParam> from(space, 10, 1, 2);
  from.set_chunk_size(3).set_scratch_size(0, PerTeam(8)).set_scratch_size(1, PerThread(16));
  TeamPolicy<Tag, TypeParam, Kokkos::Schedule<Kokkos::Dynamic>> const to(from);
  EXPECT_EQ(to.space(), space);
  EXPECT_EQ(to.league_size(), 10);
  EXPECT_EQ(to.team_size(), 1);
  EXPECT_EQ(to.impl_vector_length(), 2);
  EXPECT_EQ(to.chunk_size(), 3);
  EXPECT_EQ(to.team_scratch_size(0), 8);
  EXPECT_EQ(to.thread_scratch_size(1), 16);

  auto const hinted = Kokkos::Experimental::require(from, Kokkos::Experimental::WorkItemProperty::HintLightWeight);
  EXPECT_EQ(hinted.chunk_size(), 3);
  EXPECT_EQ(hinted.team_scratch_size(0), 8);
}

/// A space of the program, without a backend.
struct OwnSpace {
  using execution_space = OwnSpace;
  using size_type       = std::size_t;
};

template <class Policy, class... Args>
constexpr bool deduces = std::is_same_v<decltype(TeamPolicy(std::declval<Args>()...)), Policy>;

TYPED_TEST(TeamPolicyTest, DeducesItsProperties) {
  using Auto = decltype(AUTO);
  using Here =
      std::conditional_t<std::is_same_v<TypeParam, Kokkos::DefaultExecutionSpace>, TeamPolicy<>, TeamPolicy<TypeParam>>;
  static_assert(deduces<TeamPolicy<>>);
  static_assert(deduces<TeamPolicy<>, int, int> && deduces<TeamPolicy<>, std::size_t, Auto>);
  static_assert(deduces<TeamPolicy<>, int, int, int> && deduces<TeamPolicy<>, int, Auto, int>);
  static_assert(deduces<TeamPolicy<>, int, int, Auto> && deduces<TeamPolicy<>, int, Auto, Auto>);
  static_assert(deduces<Here, TypeParam, int, int> && deduces<Here, TypeParam const&, int, Auto>);
  static_assert(deduces<Here, TypeParam, int, int, int> && deduces<Here, TypeParam&, int, Auto, int>);
  static_assert(deduces<Here, TypeParam, int, int, Auto> && deduces<Here, TypeParam, int, Auto, Auto>);
  static_assert(deduces<TeamPolicy<TypeParam, Tag>, TeamPolicy<TypeParam, Tag>>);
  static_assert(deduces<TeamPolicy<OwnSpace>, OwnSpace, int, int> &&
                deduces<TeamPolicy<OwnSpace>, OwnSpace, int, Auto>);
}

}  // namespace
