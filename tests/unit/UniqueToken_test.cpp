// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// choices: isa team
/// \file
/// UniqueToken: no two work items hold a token at the same time.

#include "Deadline.hpp"
#include "TestSpaces.hpp"

#include <type_traits>

namespace {

using Kokkos::Experimental::AcquireTeamUniqueToken;
using Kokkos::Experimental::AcquireUniqueToken;
using Kokkos::Experimental::UniqueToken;
using Kokkos::Experimental::UniqueTokenScope;

template <class Space>
class UniqueTokenTest : public ::testing::Test {};
TYPED_TEST_SUITE(UniqueTokenTest, Kokkos::Testing::ExecutionSpaces, Kokkos::Testing::SpaceName);

/// Counts in one location for each token without atomics. If a token is held twice, counts are lost or it is seen in
/// use.
template <class Space>
struct Usage {
  Kokkos::View<int*, Space> in_use;
  Kokkos::View<int*, Space> uses;
  Kokkos::View<int, Space> errors;

  explicit Usage(std::size_t tokens) : in_use("in_use", tokens), uses("uses", tokens), errors("errors") {}

  template <class Token>
  KOKKOS_FUNCTION void use(Token token) const {
    auto const t = static_cast<std::size_t>(token);
    if (t >= uses.extent(0)) {
      Kokkos::atomic_inc(&errors());
      return;
    }
    if (Kokkos::atomic_exchange(&in_use(t), 1) != 0) Kokkos::atomic_inc(&errors());
    uses(t) = uses(t) + 1;
    Kokkos::atomic_store(&in_use(t), 0);
  }
  void check(int expected) const {
    auto uses_here   = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), uses);
    auto errors_here = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), errors);
    int sum          = 0;
    for (std::size_t t = 0; t < uses_here.extent(0); ++t) sum += uses_here(t);
    EXPECT_EQ(sum, expected);
    EXPECT_EQ(errors_here(), 0);
  }
};

template <class Space, class Token>
void check_tokens(Token const& tokens) {
  int const n = 20000;
  Usage<Space> usage(tokens.size());
  Kokkos::parallel_for(
      Kokkos::RangePolicy<Space, Kokkos::Schedule<Kokkos::Dynamic>>(0, n), KOKKOS_LAMBDA(int) {
        auto const token = tokens.acquire();
        usage.use(token);
        tokens.release(token);
      });
  usage.check(n);
}

TYPED_TEST(UniqueTokenTest, InstanceScope) {
  UniqueToken<TypeParam> tokens;
  static_assert(std::is_same_v<typename decltype(tokens)::execution_space, TypeParam>);
  static_assert(std::is_same_v<decltype(tokens.acquire()), typename TypeParam::size_type>);
  EXPECT_EQ(tokens.size(), static_cast<std::size_t>(TypeParam().concurrency()));
  check_tokens<TypeParam>(tokens);
}

TYPED_TEST(UniqueTokenTest, GlobalScope) {
  UniqueToken<TypeParam, UniqueTokenScope::Global> tokens, others;
  EXPECT_EQ(tokens.size(), static_cast<std::size_t>(TypeParam().concurrency()));
  EXPECT_EQ(tokens.size(), others.size());
  check_tokens<TypeParam>(tokens);
}

// hipcc's kernels execute the lanes of a wavefront in lockstep: the lanes that wait keep the holder from releasing its
// token.
#if defined(__HIP__) && !defined(KOKKOS_IMPL_GPU_MODEL)
template <class Space>
constexpr bool has_lockstep = !Kokkos::SpaceAccessibility<Space, Kokkos::HostSpace>::accessible;
#else
template <class>
constexpr bool has_lockstep = false;
#endif

TYPED_TEST(UniqueTokenTest, FewerTokensThanWorkItemsMakeThemWait) {
  if (has_lockstep<TypeParam>) GTEST_SKIP() << "a work item must not wait for another one of its wavefront";
  UniqueToken<TypeParam> one(1);
  EXPECT_EQ(one.size(), 1u);
  check_tokens<TypeParam>(one);
  check_tokens<TypeParam>(UniqueToken<TypeParam>(3, TypeParam()));
}

template <class Space>
void check_that_copies_share() {
  Kokkos::Testing::Deadline const deadline("a token that was released is not free");
  UniqueToken<Space> tokens(2);
  UniqueToken<Space> const copy = tokens;
  Kokkos::View<int, Space> distinct("distinct");
  Kokkos::parallel_for(
      Kokkos::RangePolicy<Space>(0, 1), KOKKOS_LAMBDA(int) {
        distinct() = 1;
        for (int round = 0; round < 3; ++round) {  // each token is free again
          auto const a = tokens.acquire();
          auto const b = copy.acquire();
          if (a == b || a >= 2 || b >= 2) distinct() = 0;
          tokens.release(b);
          copy.release(a);
        }
      });
  auto distinct_here = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), distinct);
  EXPECT_EQ(distinct_here(), 1);
}
TYPED_TEST(UniqueTokenTest, CopiesShareTheirTokens) { check_that_copies_share<TypeParam>(); }

template <class Space, UniqueTokenScope Scope>
void check_guard() {
  int const n = 20000;
  UniqueToken<Space, Scope> tokens;
  Usage<Space> usage(tokens.size());
  Kokkos::parallel_for(
      Kokkos::RangePolicy<Space>(0, n), KOKKOS_LAMBDA(int) {
        AcquireUniqueToken<Space, Scope> token(tokens);
        usage.use(token.value());
      });
  usage.check(n);
}
TYPED_TEST(UniqueTokenTest, GuardReleases) {
  check_guard<TypeParam, UniqueTokenScope::Instance>();
  check_guard<TypeParam, UniqueTokenScope::Global>();
}

template <class Space>
void check_team_guard(int team_size) {
  using Policy  = Kokkos::TeamPolicy<Space>;
  using Guard   = AcquireTeamUniqueToken<Policy>;
  int const n   = 500;
  Policy policy = Policy(n, team_size).set_scratch_size(0, Kokkos::PerTeam(Guard::shmem_size()));
  UniqueToken<Space> tokens;
  Usage<Space> usage(tokens.size());
  Kokkos::View<int, Space> different("different");
  Kokkos::parallel_for(
      policy, KOKKOS_LAMBDA(typename Policy::member_type const& team) {
        Guard token(tokens, team);
        // All threads of the team have the same token.
        auto of_first = token.value();
        team.team_broadcast(of_first, 0);
        if (of_first != token.value()) Kokkos::atomic_inc(&different());
        Kokkos::single(Kokkos::PerTeam(team), [&] { usage.use(token.value()); });
      });
  usage.check(n);
  auto different_here = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), different);
  EXPECT_EQ(different_here(), 0);
}
TYPED_TEST(UniqueTokenTest, TeamGuard) {
  check_team_guard<TypeParam>(1);
  if (TypeParam().concurrency() > 1) check_team_guard<TypeParam>(2);
}

}  // namespace
