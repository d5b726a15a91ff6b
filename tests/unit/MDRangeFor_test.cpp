// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// parallel_for over index ranges of 1 to 6 dimensions: each point once, for all tiles and directions.

#include "PatternTest.hpp"

#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>

namespace {

using Kokkos::Iterate;
using Kokkos::MDRangePolicy;
using Kokkos::Rank;
using Kokkos::Testing::Visits;

template <class Space>
class MDRangeForTest : public ::testing::Test {};
TYPED_TEST_SUITE(MDRangeForTest, Kokkos::Testing::ExecutionSpaces, Kokkos::Testing::SpaceName);

/// Visits the position of a point in the index range, counted from the lower bound.
template <class Space, int N>
struct VisitRange {
  Visits<Space> visits;
  Kokkos::Array<std::int64_t, N> lower, extent;

  template <class... I>
  KOKKOS_FUNCTION void operator()(I... i) const {
    static_assert(sizeof...(I) == N);
    std::int64_t const index[] = {static_cast<std::int64_t>(i)...};
    std::int64_t place         = 0;
    bool inside                = true;
    for (int d = 0; d < N; ++d) {
      inside = inside && index[d] >= lower[d] && index[d] < lower[d] + extent[d];
      place  = place * extent[d] + index[d] - lower[d];
    }
    if (inside)
      visits.visit(place);
    else
      visits.visit(visits.counts.extent(0) - 1);  // detected as an additional visit
  }
};

template <class Policy>
void visit_range(Policy const& policy) {
  constexpr int n = Policy::rank;
  Kokkos::Array<std::int64_t, n> extent{};
  std::size_t points = 1;
  for (int d = 0; d < n; ++d) {
    extent[d] = policy.m_upper[d] - policy.m_lower[d];
    points *= static_cast<std::size_t>(extent[d]);
  }
  VisitRange<typename Policy::execution_space, n> functor{Visits<typename Policy::execution_space>(points + 1),
                                                          policy.m_lower, extent};
  Kokkos::parallel_for("index range", policy, functor);
  functor.visits.expect(0, points);
}

TYPED_TEST(MDRangeForTest, EveryRank) {
  using I = std::int64_t;
  visit_range(MDRangePolicy<TypeParam, Rank<1>, I>({-3}, {50}));
  visit_range(MDRangePolicy<TypeParam, Rank<2>, I>({-3, 2}, {40, 33}));
  visit_range(MDRangePolicy<TypeParam, Rank<3>, I>({-3, 2, 0}, {11, 13, 7}));
  visit_range(MDRangePolicy<TypeParam, Rank<4>, I>({-3, 2, 0, 1}, {5, 13, 7, 4}));
  visit_range(MDRangePolicy<TypeParam, Rank<5>, I>({-3, 2, 0, 1, -1}, {5, 8, 7, 4, 3}));
  visit_range(MDRangePolicy<TypeParam, Rank<6>, I>({-3, 2, 0, 1, -1, 5}, {5, 8, 3, 4, 3, 7}));
}

TYPED_TEST(MDRangeForTest, TilesThatDivideTheRangeAndThoseThatDoNot) {
  visit_range(MDRangePolicy<TypeParam, Rank<2>>({0, 0}, {12, 8}, {3, 4}));
  visit_range(MDRangePolicy<TypeParam, Rank<2>>({0, 0}, {13, 9}, {3, 4}));
  visit_range(MDRangePolicy<TypeParam, Rank<2>>({5, 6}, {13, 9}, {100, 1}));
  visit_range(MDRangePolicy<TypeParam, Rank<2>>({5, 6}, {13, 9}, {1, 1}));
  visit_range(MDRangePolicy<TypeParam, Rank<3>>({1, 1, 1}, {9, 10, 11}, {2, 3, 4}));
  visit_range(MDRangePolicy<TypeParam, Rank<3>>({1, 1, 1}, {9, 10, 11}, {4}));
}

TYPED_TEST(MDRangeForTest, Directions) {
  visit_range(MDRangePolicy<TypeParam, Rank<3, Iterate::Left, Iterate::Left>>({0, 1, 2}, {9, 8, 7}, {2, 3, 4}));
  visit_range(MDRangePolicy<TypeParam, Rank<3, Iterate::Left, Iterate::Right>>({0, 1, 2}, {9, 8, 7}, {2, 3, 4}));
  visit_range(MDRangePolicy<TypeParam, Rank<3, Iterate::Right, Iterate::Left>>({0, 1, 2}, {9, 8, 7}, {2, 3, 4}));
  visit_range(MDRangePolicy<TypeParam, Rank<3, Iterate::Right, Iterate::Right>>({0, 1, 2}, {9, 8, 7}, {2, 3, 4}));
}

TYPED_TEST(MDRangeForTest, EmptyRanges) {
  visit_range(MDRangePolicy<TypeParam, Rank<2>>());
  visit_range(MDRangePolicy<TypeParam, Rank<2>>({3, 3}, {3, 10}));
  visit_range(MDRangePolicy<TypeParam, Rank<3>>({0, 0, 4}, {5, 5, 4}));
}

struct CountInts {
  KOKKOS_FUNCTION void operator()(int i, int j, int& n) const { n += i >= -3 && i < 4 && j >= -5 && j < -1; }
};
struct CountLongs {
  KOKKOS_FUNCTION void operator()(long i, long j, int& n) const { n += i >= -3 && i < 4 && j >= -5 && j < -1; }
};

// The default index type is unsigned and refuses such bounds: see MDRangePolicy_test.
TYPED_TEST(MDRangeForTest, NegativeBoundsWithASignedIndexType) {
  MDRangePolicy<TypeParam, Rank<2>, Kokkos::IndexType<std::int64_t>> const policy({-3, -5}, {4, -1});
  int count = 0;
  Kokkos::parallel_reduce(policy, CountInts{}, count);
  EXPECT_EQ(count, 28);
  Kokkos::parallel_reduce(policy, CountLongs{}, count);
  EXPECT_EQ(count, 28);
}

TYPED_TEST(MDRangeForTest, SchedulesAndIndexTypes) {
  visit_range(MDRangePolicy<TypeParam, Rank<2>, Kokkos::Schedule<Kokkos::Dynamic>>({0, 1}, {30, 20}, {3, 3}));
  visit_range(MDRangePolicy<TypeParam, Rank<2>, int>({0, 1}, {30, 20}));
  visit_range(MDRangePolicy<TypeParam, Rank<2>, Kokkos::IndexType<short>>({-5, 1}, {30, 20}));
  visit_range(MDRangePolicy<TypeParam, Rank<2>, Kokkos::IndexType<std::int64_t>>(
      {std::int64_t{1} << 40, -(std::int64_t{1} << 40)}, {(std::int64_t{1} << 40) + 10, 5 - (std::int64_t{1} << 40)}));
}

// An index range is cut into tiles of the requested size. One thread runs each tile from beginning to end, in the
// requested direction.
template <class Space, Iterate Inner>
void order_in_a_tile() {
  Kokkos::View<int**, Space> order("order", 4, 6);
  Kokkos::View<int, Space> next("next");
  // One tile, therefore one thread.
  MDRangePolicy<Space, Rank<2, Iterate::Right, Inner>> const policy({0, 0}, {4, 6}, {4, 6});
  ASSERT_EQ(policy.m_num_tiles, 1);
  Kokkos::parallel_for(policy, KOKKOS_LAMBDA(int i, int j) { order(i, j) = Kokkos::atomic_fetch_add(&next(), 1); });
  auto const host = Kokkos::Testing::on_host(order);
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 6; ++j) EXPECT_EQ(host(i, j), Inner == Iterate::Right ? i * 6 + j : j * 4 + i);
  }
}

TYPED_TEST(MDRangeForTest, TheFastestIndexOfAHostTile) {
  if constexpr (Kokkos::SpaceAccessibility<TypeParam, Kokkos::HostSpace>::accessible) {
    order_in_a_tile<TypeParam, Iterate::Right>();
    order_in_a_tile<TypeParam, Iterate::Left>();
  }
}

// The end of the last tile would be beyond the largest integer.
template <class Space>
void end_of_int64() {
  constexpr std::int64_t end = std::numeric_limits<std::int64_t>::max(), first = end - 10;
  Visits<Space> visits(20);
  Kokkos::parallel_for(
      MDRangePolicy<Space, Rank<2>, std::int64_t>({first, std::int64_t{0}}, {end, std::int64_t{2}}, {3, 1}),
      KOKKOS_LAMBDA(std::int64_t i, std::int64_t j) { visits.visit(static_cast<int>(2 * (i - first) + j)); });
  visits.expect(0, 20);
}

TYPED_TEST(MDRangeForTest, ReachesTheLargestInteger) { end_of_int64<TypeParam>(); }

struct Tag {};
template <class Space>
struct TaggedRange {
  Visits<Space> visits;
  KOKKOS_FUNCTION void operator()(Tag, int i, int j) const { visits.visit(10 * i + j); }
};

TYPED_TEST(MDRangeForTest, Tags) {
  TaggedRange<TypeParam> functor{Visits<TypeParam>(200)};
  Kokkos::parallel_for(MDRangePolicy<Tag, TypeParam, Rank<2>>({0, 0}, {20, 10}), functor);
  functor.visits.expect(0, 200);
}

template <class Space>
void deduced_policy() {
  Visits<Space> visits(12);
  Kokkos::parallel_for(
      MDRangePolicy(Space(), {0, 0}, {3, 4}), KOKKOS_LAMBDA(int i, int j) { visits.visit(4 * i + j); });
  visits.expect(0, 12);
}

TYPED_TEST(MDRangeForTest, DeducedPolicy) { deduced_policy<TypeParam>(); }

// Host loops count in the type of the functor's parameters, so that they vectorise.
template <class Space>
void expect_refusal(std::int64_t lower, std::int64_t upper, char const* bound) {
  try {
    Kokkos::parallel_for(
        "halo", MDRangePolicy<Space, Rank<2>, std::int64_t>({std::int64_t{0}, lower}, {std::int64_t{1}, upper}),
        [](int, int) { ADD_FAILURE() << "ran with an index that wrapped around"; });
    ADD_FAILURE() << "no exception about " << bound;
  } catch (std::runtime_error const& error) {
    std::string const text = error.what();
    EXPECT_NE(text.find(std::string("has the bound ") + bound + " in dimension 1"), std::string::npos) << text;
    EXPECT_NE(text.find("In the kernel \"halo\"."), std::string::npos) << text;
  }
}

template <class Space>
class MDRangeForOnHostTest : public ::testing::Test {};
TYPED_TEST_SUITE(MDRangeForOnHostTest, Kokkos::Testing::HostSpaces, Kokkos::Testing::SpaceName);

TYPED_TEST(MDRangeForOnHostTest, RefusesBoundsThatTheFunctorCannotTake) {
  constexpr std::int64_t wide = std::int64_t{1} << 40;
  expect_refusal<TypeParam>(wide, wide + 1, "1099511627777");
  expect_refusal<TypeParam>(-wide, -wide + 1, "-1099511627776");
}

}  // namespace
