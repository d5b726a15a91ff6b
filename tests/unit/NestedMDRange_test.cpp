// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Nested ranges of 2 to 8 dimensions: each index tuple once, in either direction, and sums over all tuples.

#include "TeamTest.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

namespace {

using Kokkos::Iterate;
using Kokkos::Rank;
using Kokkos::TeamPolicy;
using Kokkos::TeamThreadMDRange;
using Kokkos::TeamVectorMDRange;
using Kokkos::ThreadVectorMDRange;
using Kokkos::Testing::elements_on_host;
using Kokkos::Testing::on_teams;
using Kokkos::Testing::team_of_four;
using Kokkos::Testing::team_sizes;

template <class ExecSpace>
class NestedMDRangeTest : public ::testing::Test {};
TYPED_TEST_SUITE(NestedMDRangeTest, Kokkos::Testing::ExecutionSpaces, Kokkos::Testing::SpaceName);

template <class ExecSpace>
using Member = typename TeamPolicy<ExecSpace>::member_type;

/// The extent of dimension d; neighbouring dimensions differ, and one of them is 1.
KOKKOS_INLINE_FUNCTION constexpr int extent(int d) { return d == 3 ? 1 : 2 + (d * 2) % 3; }
constexpr int tuples(int rank) {
  int n = 1;
  for (int d = 0; d < rank; ++d) n *= extent(d);
  return n;
}

/// The number of a tuple; -1 if an index is out of range.
template <class... Indices>
KOKKOS_FUNCTION int number(Indices... indices) {
  int n = 0, d = 0;
  bool in = true;
  ((in = in && indices >= 0 && indices < extent(d), n = n * extent(d) + static_cast<int>(indices), ++d), ...);
  return in ? n : -1;
}

template <class ExecSpace>
struct Count {
  Kokkos::View<int**, ExecSpace> calls;
  int row;
  template <class... Indices>
  KOKKOS_FUNCTION void operator()(Indices... indices) const {
    Kokkos::atomic_add(&calls(row, number(indices...)), 1);
  }
};

template <template <class, class> class Range, class RankType, class M, std::size_t... D>
KOKKOS_FUNCTION auto make_range(M const& team, std::index_sequence<D...>) {
  return Range<RankType, M>(team, extent(D)...);
}

/// Loops over all tuples of one rank with one kind of range, and adds up their numbers.
template <template <class, class> class Range, bool each_thread, class RankType, class ExecSpace>
struct Visit {
  Kokkos::View<int**, ExecSpace> calls;
  Kokkos::View<long*, ExecSpace> sums;

  KOKKOS_FUNCTION void operator()(Member<ExecSpace> const& team) const {
    auto const dimensions = std::make_index_sequence<RankType::rank>();
    auto const range      = make_range<Range, RankType>(team, dimensions);
    Kokkos::parallel_for(range, Count<ExecSpace>{calls, each_thread ? team.team_rank() : 0});
    long sum = -1;
    Kokkos::parallel_reduce(range, SumOfNumbers(), sum);
    sums(team.team_rank()) = sum;
  }

  struct SumOfNumbers {
    template <class... Indices>
    KOKKOS_FUNCTION void operator()(int i0, Indices&... rest) const {
      split(std::make_index_sequence<sizeof...(Indices) - 1>(), i0, rest...);
    }
    template <std::size_t... D, class... Rest>
    KOKKOS_FUNCTION void split(std::index_sequence<D...>, int i0, Rest&... rest) const {
      long* update = nullptr;
      int indices[sizeof...(D)];
      int d = 0;
      (take(rest, indices, d, update), ...);
      *update += number(i0, indices[D]...);
    }
    KOKKOS_FUNCTION static void take(int index, int* indices, int& d, long*&) { indices[d++] = index; }
    KOKKOS_FUNCTION static void take(long& u, int*, int&, long*& update) { update = &u; }
  };
};

template <template <class, class> class Range, bool each_thread, class RankType, class ExecSpace>
void visit(ExecSpace const& space) {
  constexpr int n = tuples(RankType::rank);
  for (int team_size : team_sizes(space)) {
    int const rows = each_thread ? team_size : 1;
    Visit<Range, each_thread, RankType, ExecSpace> const v{Kokkos::View<int**, ExecSpace>("calls", rows, n),
                                                           Kokkos::View<long*, ExecSpace>("sums", team_size)};
    on_teams(space, 1, team_size, v);
    auto const calls = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), v.calls);
    for (int row = 0; row < rows; ++row) {
      for (int i = 0; i < n; ++i)
        ASSERT_EQ(calls(row, i), 1) << "rank " << RankType::rank << ", team size " << team_size;
    }
    EXPECT_EQ(elements_on_host(v.sums), std::vector<long>(team_size, static_cast<long>(n) * (n - 1) / 2))
        << "rank " << RankType::rank;
  }
}

template <template <class, class> class Range, bool each_thread, class ExecSpace>
void visit_all_ranks(ExecSpace const& space) {
  visit<Range, each_thread, Rank<2>>(space);
  visit<Range, each_thread, Rank<3>>(space);
  visit<Range, each_thread, Rank<4>>(space);
  visit<Range, each_thread, Rank<5>>(space);
  visit<Range, each_thread, Rank<6>>(space);
  visit<Range, each_thread, Rank<7>>(space);
  visit<Range, each_thread, Rank<8>>(space);
  visit<Range, each_thread, Rank<3, Iterate::Left, Iterate::Left>>(space);
  visit<Range, each_thread, Rank<4, Iterate::Left, Iterate::Right>>(space);
}

TYPED_TEST(NestedMDRangeTest, TeamThread) { visit_all_ranks<TeamThreadMDRange, false>(team_of_four<TypeParam>()); }
TYPED_TEST(NestedMDRangeTest, TeamVector) { visit_all_ranks<TeamVectorMDRange, false>(team_of_four<TypeParam>()); }
TYPED_TEST(NestedMDRangeTest, ThreadVector) { visit_all_ranks<ThreadVectorMDRange, true>(team_of_four<TypeParam>()); }

/// Adds 1 for each visit of a tuple, and the visits of both patterns.
template <class RankType, class ExecSpace>
struct VisitByWarps {
  Kokkos::View<int**, Kokkos::LayoutRight, ExecSpace> visits;
  Kokkos::View<long, ExecSpace> sum;

  KOKKOS_FUNCTION void operator()(Member<ExecSpace> const& team) const {
    TeamVectorMDRange<RankType, Member<ExecSpace>> const range(team, visits.extent(0), visits.extent(1));
    Kokkos::parallel_for(range, [&](int i, int j) { Kokkos::atomic_add(&visits(i, j), 1); });
    long own = 0;
    Kokkos::parallel_reduce(range, [&](int i, int j, long& u) { u += 1000 * i + j; }, own);
    Kokkos::single(Kokkos::PerTeam(team), [&] { sum() = own; });
  }
};

/// Whether each tuple of n by m is visited once by a team as large as possible, up to 192 threads: several warps.
template <class RankType, class ExecSpace>
void visit_by_warps(ExecSpace const& space, int n, int m) {
  VisitByWarps<RankType, ExecSpace> const work{Kokkos::View<int**, Kokkos::LayoutRight, ExecSpace>("visits", n, m),
                                               Kokkos::View<long, ExecSpace>("sum")};
  int const max = TeamPolicy<ExecSpace>(space, 1, 1).team_size_max(work, Kokkos::ParallelForTag());
  on_teams(space, 1, max < 192 ? max : 192, work);
  auto const visits = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), work.visits);
  long sum = 0, expected = 0;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < m; ++j) {
      expected += 1000 * i + j;
      ASSERT_EQ(visits(i, j), 1) << i << ", " << j << " of " << n << ", " << m;
    }
  Kokkos::deep_copy(sum, work.sum);
  EXPECT_EQ(sum, expected) << n << ", " << m;
}

TYPED_TEST(NestedMDRangeTest, EachWarpHasARunOfItsOwn) {
  TypeParam const space;
  for (auto const& [n, m] : {std::pair(1, 1), {3, 5}, {2, 96}, {1, 193}, {7, 100}, {65, 3}}) {
    visit_by_warps<Rank<2, Iterate::Right>>(space, n, m);
    visit_by_warps<Rank<2, Iterate::Left>>(space, n, m);
  }
}

/// The number of the first tuple that differs from the order in which one thread visits 3 x 4 tuples; -1 if none does.
template <class RankType, class ExecSpace>
int first_out_of_order(ExecSpace const& space, bool first_is_fastest) {
  Kokkos::View<int**, ExecSpace> const order("order", 3, 4);
  on_teams(
      space, 1, 1, KOKKOS_LAMBDA(Member<ExecSpace> const& team) {
        int next = 0;
        Kokkos::parallel_for(TeamThreadMDRange<RankType, Member<ExecSpace>>(team, 3, 4),
                             [&](int i, int j) { order(i, j) = next++; });
      });
  auto const seen = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), order);
  for (int at = 0; at < 12; ++at)
    if ((first_is_fastest ? seen(at % 3, at / 3) : seen(at / 4, at % 4)) != at) return at;
  return -1;
}

// There are no tiles, so the first direction of a rank is the one that counts. By default it suits the layout of views.
TYPED_TEST(NestedMDRangeTest, FirstDirectionDecides) {
  TypeParam const space;
  using Left  = Kokkos::LayoutLeft;
  bool layout = std::is_same_v<typename TypeParam::array_layout, Left>;
  EXPECT_EQ(first_out_of_order<Rank<2>>(space, layout), -1);
  EXPECT_EQ((first_out_of_order<Rank<2, Iterate::Left>>(space, true)), -1);
  EXPECT_EQ((first_out_of_order<Rank<2, Iterate::Right>>(space, false)), -1);
  EXPECT_EQ((first_out_of_order<Rank<2, Iterate::Left, Iterate::Right>>(space, true)), -1);
  EXPECT_EQ((first_out_of_order<Rank<2, Iterate::Right, Iterate::Left>>(space, false)), -1);
}

// An extent of 0 or less makes the range empty; the number of extents determines the rank.
template <class ExecSpace>
void empty_and_deduced(ExecSpace const& space) {
  for (int team_size : team_sizes(space)) {
    Kokkos::View<int*, ExecSpace> out("out", 3);
    on_teams(
        space, 1, team_size, KOKKOS_LAMBDA(Member<ExecSpace> const& team) {
          static_assert(
              std::is_same_v<decltype(TeamThreadMDRange(team, 4, 5)), TeamThreadMDRange<Rank<2>, Member<ExecSpace>>>);
          static_assert(std::is_same_v<decltype(ThreadVectorMDRange(team, 4, 5, 6u)),
                                       ThreadVectorMDRange<Rank<3>, Member<ExecSpace>>>);
          Kokkos::parallel_for(TeamThreadMDRange(team, 3, 0, 4),
                               [&](int, int, int) { Kokkos::atomic_add(&out(0), 1); });
          Kokkos::parallel_for(TeamVectorMDRange(team, -2, 3), [&](int, int) { Kokkos::atomic_add(&out(0), 1); });
          int sum = 7;
          Kokkos::parallel_reduce(ThreadVectorMDRange(team, 2, 0), [&](int, int, int& u) { ++u; }, sum);
          if (sum != 0) Kokkos::atomic_add(&out(1), 1);
          Kokkos::parallel_for(TeamVectorMDRange(team, 2, 3),
                               [&](int i, int j) { Kokkos::atomic_add(&out(2), 10 * i + j); });
        });
    EXPECT_EQ(elements_on_host(out), (std::vector<int>{0, 0, 36})) << team_size;
  }
}

TYPED_TEST(NestedMDRangeTest, EmptyAndDeduced) { empty_and_deduced(team_of_four<TypeParam>()); }

/// Returns the number of tuples of a range with these extents, in a kernel of the host.
template <class Extent>
int tuples_with(Extent extent, int second = 2) {
  using Host = Kokkos::DefaultHostExecutionSpace;
  int sum    = 0;
  Kokkos::parallel_reduce(
      TeamPolicy<Host>(1, 1),
      KOKKOS_LAMBDA(Member<Host> const& team, int& update) {
        int n = 0;
        Kokkos::parallel_reduce(TeamThreadMDRange(team, extent, second), [&](int, int, int& u) { ++u; }, n);
        update += n;
      },
      sum);
  return sum;
}

TEST(NestedMDRange, ExtentsBeyondTheIndexesAreRefused) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EQ(tuples_with(std::size_t{5}), 10);
  EXPECT_EQ(tuples_with(5u), 10);
  EXPECT_EQ(tuples_with(-5L), 0);
  EXPECT_EQ(tuples_with(static_cast<signed char>(5)), 10);
  // The limits are extents, too; with a second extent of 0 there is nothing to count.
  constexpr int most = std::numeric_limits<int>::max();
  EXPECT_EQ(tuples_with(std::int64_t{most}, 0), 0);
  EXPECT_EQ(tuples_with(std::uint64_t{most}, 0), 0);
  EXPECT_EQ(tuples_with(unsigned{most}, 0), 0);
  EXPECT_EQ(tuples_with(-std::int64_t{most}, 2), 0);
  char const* const message =
      "has an extent that an int cannot represent. Divide the dimension, or use a range of one dimension with "
      "a larger index type";
  EXPECT_DEATH(tuples_with((std::size_t{1} << 32) + 5), message);
  EXPECT_DEATH(tuples_with(-(1L << 32) + 5), message);
  EXPECT_DEATH(tuples_with(1u << 31), message);
}

}  // namespace
