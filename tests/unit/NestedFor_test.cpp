// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// choices: own-program
/// \file
/// Nested parallel_for: TeamThreadRange, TeamVectorRange and ThreadVectorRange call the body once for each index.

#include "TeamTest.hpp"

#include <cstddef>
#include <cstdint>

namespace {

using Kokkos::TeamPolicy;
using Kokkos::TeamThreadRange;
using Kokkos::TeamVectorRange;
using Kokkos::ThreadVectorRange;
using Kokkos::Testing::elements_on_host;
using Kokkos::Testing::on_teams;
using Kokkos::Testing::team_of_four;
using Kokkos::Testing::team_sizes;

template <class ExecSpace>
class NestedForTest : public ::testing::Test {};
TYPED_TEST_SUITE(NestedForTest, Kokkos::Testing::ExecutionSpaces, Kokkos::Testing::SpaceName);

template <class ExecSpace>
using Member = typename TeamPolicy<ExecSpace>::member_type;

constexpr int lengths[] = {0, 1, 2, 3, 5, 16, 17, 100};

template <class ExecSpace>
void team_thread_range(ExecSpace const& space) {
  for (int team_size : team_sizes(space)) {
    for (int n : lengths) {
      Kokkos::View<int*, ExecSpace> calls("calls", 4 * n);
      on_teams(
          space, 4, team_size, KOKKOS_LAMBDA(Member<ExecSpace> const& team) {
            Kokkos::parallel_for(TeamThreadRange(team, n), [&](int i) {
              Kokkos::single(Kokkos::PerThread(team),
                             [&] { Kokkos::atomic_add(&calls(team.league_rank() * n + i), 1); });
            });
          });
      EXPECT_EQ(elements_on_host(calls), std::vector<int>(calls.extent(0), 1)) << n << " among " << team_size;
    }
  }
}

template <class ExecSpace>
void team_vector_range(ExecSpace const& space) {
  for (int team_size : team_sizes(space)) {
    for (int n : lengths) {
      Kokkos::View<int*, ExecSpace> calls("calls", 4 * n);
      Kokkos::parallel_for(
          TeamPolicy<ExecSpace>(space, 4, team_size, 4), KOKKOS_LAMBDA(Member<ExecSpace> const& team) {
            Kokkos::parallel_for(TeamVectorRange(team, n),
                                 [&](int i) { Kokkos::atomic_add(&calls(team.league_rank() * n + i), 1); });
          });
      space.fence();
      EXPECT_EQ(elements_on_host(calls), std::vector<int>(calls.extent(0), 1)) << n << " among " << team_size;
    }
  }
}

template <class ExecSpace>
void thread_vector_range(ExecSpace const& space) {
  for (int team_size : team_sizes(space)) {
    for (int n : lengths) {
      Kokkos::View<int*, ExecSpace> calls("calls", 12 * n);
      Kokkos::parallel_for(
          TeamPolicy<ExecSpace>(space, 4, team_size, 4), KOKKOS_LAMBDA(Member<ExecSpace> const& team) {
            Kokkos::parallel_for(TeamThreadRange(team, 3), [&](int row) {
              Kokkos::parallel_for(ThreadVectorRange(team, n),
                                   [&](int i) { calls((team.league_rank() * 3 + row) * n + i) += 1; });
            });
          });
      space.fence();
      EXPECT_EQ(elements_on_host(calls), std::vector<int>(calls.extent(0), 1)) << n << " in each of " << team_size;
    }
  }
}

TYPED_TEST(NestedForTest, TeamThreadRangeCallsEachIndexOnce) { team_thread_range(team_of_four<TypeParam>()); }
TYPED_TEST(NestedForTest, TeamVectorRangeCallsEachIndexOnce) { team_vector_range(team_of_four<TypeParam>()); }
TYPED_TEST(NestedForTest, ThreadVectorRangeCallsEachIndexOnce) { thread_vector_range(team_of_four<TypeParam>()); }

// Whatever its length, a lane finds what the others wrote in the pattern before.
template <class ExecSpace>
void lanes_see_each_other(ExecSpace const& space) {
  constexpr int teams = 3, n = 33;
  for (int length : {1, 2, 3, 4, 16, 32}) {
    Kokkos::View<int**, ExecSpace> first("first", teams, n), second("second", teams, n);
    Kokkos::View<int*, ExecSpace> sum("sum", teams);
    Kokkos::parallel_for(
        TeamPolicy<ExecSpace>(space, teams, 1, length), KOKKOS_LAMBDA(Member<ExecSpace> const& team) {
          int const row = team.league_rank();
          Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, n), [&](int i) { first(row, i) = row + i; });
          Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, n),
                               [&](int i) { second(row, i) = first(row, n - 1 - i) + first(row, (i + 1) % n); });
          Kokkos::single(Kokkos::PerThread(team), [&] {
            for (int i = 0; i < n; ++i) sum(row) += (i + 1) * second(row, i);
          });
          Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, n), [&](int i) { second(row, i) = sum(row); });
        });
    space.fence();
    auto const found = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), second);
    for (int row = 0; row < teams; ++row) {
      int expected = 0;
      for (int i = 0; i < n; ++i) expected += (i + 1) * (2 * row + n - 1 - i + (i + 1) % n);
      for (int i = 0; i < n; ++i) ASSERT_EQ(found(row, i), expected) << "lanes " << length << ", index " << i;
    }
  }
}

TYPED_TEST(NestedForTest, LanesSeeEachOther) { lanes_see_each_other(team_of_four<TypeParam>()); }

/// A body for all three patterns.
template <class View>
struct CountCalls {
  View calls;
  KOKKOS_FUNCTION void operator()(int i) const { Kokkos::atomic_add(&calls(i), 1); }
  KOKKOS_FUNCTION void operator()(int i, int& sum) const { sum += i; }
  KOKKOS_FUNCTION void operator()(int i, int& sum, bool last) const {
    sum += i;
    if (last && sum == i * (i + 1) / 2) Kokkos::atomic_add(&calls(i), 1);
  }
};

#ifdef __NVCC__
#pragma nv_diag_error 20011  // a program needs no more than KOKKOS_FUNCTION: nvcc does not warn that hosts call these
#endif

/// One function for a call on the host, with an instance, and for one inside a team, with its member.
template <class Handle, class View>
KOKKOS_FUNCTION void count_by(Handle const& handle, View const& calls, int end) {
  Kokkos::RangePolicy const range(handle, 0, end);
  CountCalls<View> const body{calls};
  Kokkos::parallel_for(range, body);
  int sum = 0, total = 0;
  Kokkos::parallel_reduce(range, body, sum);
  Kokkos::parallel_scan(range, body, total);
  if (sum == total) Kokkos::parallel_for(Kokkos::RangePolicy(handle, 0, sum == end * (end - 1) / 2 ? end : 0), body);
}

template <class ExecSpace>
void ranges_of_a_handle(ExecSpace const& space) {
  using Range = Kokkos::RangePolicy<Member<ExecSpace>>;
  static_assert(std::is_same_v<decltype(Kokkos::RangePolicy(std::declval<Member<ExecSpace> const&>(), 0, 1)), Range>);
  static_assert(std::is_same_v<typename Kokkos::RangePolicy<Member<ExecSpace>, short>::index_type, short>);
  static_assert(std::is_same_v<typename Range::index_type, typename Kokkos::RangePolicy<ExecSpace>::index_type>);
  int const n = 37;
  Kokkos::View<int*, ExecSpace> by_instance("by_instance", n), by_team("by_team", n), wrong("wrong", 1);
  count_by(space, by_instance, n);
  for (int team_size : team_sizes(space)) {
    Kokkos::deep_copy(by_team, 0);
    Kokkos::parallel_for(
        TeamPolicy<ExecSpace>(space, 1, team_size, 4), KOKKOS_LAMBDA(Member<ExecSpace> const& team) {
          count_by(team, by_team, n);
          Range range(team, 3, 9, Kokkos::ChunkSize(2));
          if (range.set_chunk_size(4).begin() != 3 || range.end() != 9 || range.chunk_size() != 1 ||
              &range.space() != &team)
            Kokkos::atomic_add(&wrong(0), 1);
        });
    space.fence();
    EXPECT_EQ(elements_on_host(by_team), std::vector<int>(n, 3)) << team_size;
  }
  EXPECT_EQ(elements_on_host(by_instance), std::vector<int>(n, 3));
  EXPECT_EQ(elements_on_host(wrong)[0], 0);
}

TYPED_TEST(NestedForTest, RangePolicyTakesAHandle) { ranges_of_a_handle(team_of_four<TypeParam>()); }

// The lanes of a thread see each other's writes after a range of lanes and after `single`, without a barrier of the
// team.
template <class ExecSpace>
void lanes_meet(ExecSpace const& space) {
  int const n = 4;
  Kokkos::View<int*, ExecSpace> of_lanes("of_lanes", n), wrong("wrong", 1);
  Kokkos::View<int, ExecSpace> per_thread("per_thread"), per_team("per_team");
  TeamPolicy<ExecSpace> const policy(space, 1, 1, n);
  auto const expect = KOKKOS_LAMBDA(int is, int expected) {
    if (is != expected) Kokkos::atomic_add(&wrong(0), 1);
  };
  Kokkos::parallel_for(
      policy, KOKKOS_LAMBDA(Member<ExecSpace> const& team) {
        Kokkos::parallel_for(ThreadVectorRange(team, n), [&](int i) { of_lanes(i) = 10 + i; });
        Kokkos::parallel_for(ThreadVectorRange(team, n),
                             [&](int i) { expect(of_lanes((i + 1) % n), 10 + (i + 1) % n); });
      });
  // At the start of a kernel the lanes of the model of HIP are in the order that HIP_MODEL_SEED selects.
  Kokkos::parallel_for(
      policy, KOKKOS_LAMBDA(Member<ExecSpace> const& team) {
        Kokkos::single(Kokkos::PerThread(team), [&] { per_thread() = 3; });
        expect(per_thread(), 3);
      });
  Kokkos::parallel_for(
      policy, KOKKOS_LAMBDA(Member<ExecSpace> const& team) {
        Kokkos::single(Kokkos::PerTeam(team), [&] { per_team() = 7; });
        expect(per_team(), 7);
      });
  space.fence();
  EXPECT_EQ(elements_on_host(wrong)[0], 0);
}

TYPED_TEST(NestedForTest, LanesOfAThreadMeetAfterTheirRange) { lanes_meet(team_of_four<TypeParam>()); }

// Ranges that do not start at 0, whose bounds have different types, that are empty or inverted.
template <class ExecSpace>
void bounds(ExecSpace const& space) {
  for (int team_size : team_sizes(space)) {
    Kokkos::View<std::int64_t*, ExecSpace> sums("sums", 6);
    on_teams(
        space, 1, team_size, KOKKOS_LAMBDA(Member<ExecSpace> const& team) {
          auto const add = [&](int to, std::int64_t what) { Kokkos::atomic_add(&sums(to), what); };
          Kokkos::parallel_for(TeamVectorRange(team, -5, 3), [&](int i) { add(0, i); });
          Kokkos::parallel_for(TeamVectorRange(team, 2, std::size_t(6)),
                               [&](std::size_t const& i) { add(1, static_cast<std::int64_t>(i)); });
          Kokkos::parallel_for(TeamVectorRange(team, 7, 3), [&](int) { add(2, 1); });
          Kokkos::parallel_for(TeamVectorRange(team, 7u, 3u), [&](unsigned) { add(2, 1); });
          Kokkos::parallel_for(TeamVectorRange(team, -4), [&](int) { add(2, 1); });
          // The last indices below the maximum of the type.
          Kokkos::parallel_for(TeamVectorRange(team, 2147483640, 2147483647), [&](int i) { add(3, i - 2147483640); });
          Kokkos::parallel_for(TeamVectorRange(team, -2147483647 - 1, -2147483640), [&](int) { add(4, 1); });
          Kokkos::single(Kokkos::PerTeam(team), [&] {
            Kokkos::parallel_for(ThreadVectorRange(team, static_cast<short>(10), static_cast<short>(13)),
                                 [&](short i) { add(5, i); });
          });
        });
    EXPECT_EQ(elements_on_host(sums), (std::vector<std::int64_t>{-12, 14, 0, 21, 8, 33})) << team_size;
  }
}

TYPED_TEST(NestedForTest, TakesAnyBounds) { bounds(team_of_four<TypeParam>()); }

// Successive iterations of a thread may use a variable of that thread: the compiler must not assume that iterations are
// independent, unless each belongs to a vector lane.
static_assert(!Kokkos::Impl::nested_is_vectorised<Kokkos::Impl::NestedIterations::independent,
                                                  Kokkos::Impl::NestedLevel::team_thread>);
static_assert(!Kokkos::Impl::nested_is_vectorised<Kokkos::Impl::NestedIterations::in_order,
                                                  Kokkos::Impl::NestedLevel::thread_vector>);

template <class ExecSpace>
void thread_reuses_its_memory(ExecSpace const& space) {
  using Scratch = Kokkos::View<int*, typename ExecSpace::scratch_memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  int const n   = 1000;
  for (int team_size : team_sizes(space)) {
    Kokkos::View<int*, ExecSpace> out("out", n);
    Kokkos::parallel_for(
        TeamPolicy<ExecSpace>(space, 1, team_size).set_scratch_size(0, Kokkos::PerThread(Scratch::shmem_size(1))),
        KOKKOS_LAMBDA(Member<ExecSpace> const& team) {
          Scratch const mine(team.thread_scratch(0), 1);
          Kokkos::parallel_for(TeamThreadRange(team, n), [&](int i) {
            mine(0) = 3 * i;
            out(i)  = mine(0) + 1;
          });
        });
    space.fence();
    auto const values = elements_on_host(out);
    for (int i = 0; i < n; ++i) ASSERT_EQ(values[i], 3 * i + 1);
  }
}

TYPED_TEST(NestedForTest, ThreadReusesItsMemory) { thread_reuses_its_memory(team_of_four<TypeParam>()); }

/// A program's own loop, which deduces the type of the range, as VPIC does.
template <template <class, class> class Range, class Index, class Thread, class Body>
KOKKOS_FUNCTION void own_loop(Range<Index, Thread> const& range, Body const& body) {
  for (Index i = range.start; i < range.end; i += range.increment) body(i);
}

template <class ExecSpace>
void ranges_are_templates_of_two_types(ExecSpace const& space) {
  Kokkos::View<int*, ExecSpace> const sum("sum", 1);
  on_teams(
      space, 1, 1, KOKKOS_LAMBDA(Member<ExecSpace> const& team) {
        own_loop(ThreadVectorRange(team, 3, 6), [&](int i) { sum(0) = 10 * sum(0) + i; });
      });
  EXPECT_EQ(elements_on_host(sum)[0], 345);
}

TYPED_TEST(NestedForTest, RangesAreTemplatesOfTwoTypes) {
  ranges_are_templates_of_two_types(team_of_four<TypeParam>());
}

}  // namespace
