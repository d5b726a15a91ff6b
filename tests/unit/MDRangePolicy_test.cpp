// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// MDRangePolicy: its index range, its tiles, and its constructors.

#include "Messages.hpp"
#include "TestSpaces.hpp"

#include <cstdint>
#include <initializer_list>
#include <limits>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace {

using Kokkos::Iterate;
using Kokkos::MDRangePolicy;
using Kokkos::Rank;

template <class Space>
class MDRangePolicyTest : public ::testing::Test {};
TYPED_TEST_SUITE(MDRangePolicyTest, Kokkos::Testing::ExecutionSpaces, Kokkos::Testing::SpaceName);

template <class Policy>
void expect_region(Policy const& policy, std::initializer_list<std::int64_t> lower,
                   std::initializer_list<std::int64_t> upper) {
  ASSERT_EQ(static_cast<int>(lower.size()), Policy::rank);
  for (int d = 0; d < Policy::rank; ++d) {
    EXPECT_EQ(policy.m_lower[d], lower.begin()[d]) << "dimension " << d;
    EXPECT_EQ(policy.m_upper[d], upper.begin()[d]) << "dimension " << d;
  }
}

/// Tiles cover the index range, and no tile begins outside it.
template <class Policy>
void expect_cover(Policy const& policy) {
  std::int64_t tiles = 1, iterations = 1;
  for (int d = 0; d < Policy::rank; ++d) {
    ASSERT_GE(policy.m_tile[d], 1);
    std::int64_t const extent = policy.m_upper[d] - policy.m_lower[d];
    EXPECT_GE(policy.m_tile_end[d] * policy.m_tile[d], extent);
    EXPECT_LT((policy.m_tile_end[d] - 1) * policy.m_tile[d], extent == 0 ? 1 : extent);
    tiles *= policy.m_tile_end[d];
    iterations *= policy.m_tile[d];
  }
  EXPECT_EQ(policy.m_num_tiles, tiles);
  EXPECT_EQ(policy.m_prod_tile_dims, iterations);
  EXPECT_LE(policy.m_prod_tile_dims, policy.max_total_tile_size());
}

TYPED_TEST(MDRangePolicyTest, EveryRank) {
  expect_cover(MDRangePolicy<TypeParam, Rank<1>>({3}, {1000}));
  expect_cover(MDRangePolicy<TypeParam, Rank<2>>({0, 1}, {100, 200}));
  expect_cover(MDRangePolicy<TypeParam, Rank<3>>({0, 1, 2}, {10, 20, 30}));
  expect_cover(MDRangePolicy<TypeParam, Rank<4>>({0, 1, 2, 3}, {10, 20, 30, 4}));
  expect_cover(MDRangePolicy<TypeParam, Rank<5>>({0, 1, 2, 3, 4}, {10, 20, 30, 4, 5}));
  expect_cover(MDRangePolicy<TypeParam, Rank<6>>({0, 1, 2, 3, 4, 5}, {10, 20, 30, 4, 5, 6}));
  expect_region(MDRangePolicy<TypeParam, Rank<6>>({0, 1, 2, 3, 4, 5}, {10, 20, 30, 4, 5, 6}), {0, 1, 2, 3, 4, 5},
                {10, 20, 30, 4, 5, 6});
}

TYPED_TEST(MDRangePolicyTest, EmptyRanges) {
  MDRangePolicy<TypeParam, Rank<2>> none;
  EXPECT_EQ(none.m_num_tiles, 0);
  MDRangePolicy<TypeParam, Rank<3>> flat({0, 5, 0}, {10, 5, 10});
  EXPECT_EQ(flat.m_num_tiles, 0);
  expect_cover(flat);
}

TYPED_TEST(MDRangePolicyTest, NegativeBounds) {
  MDRangePolicy<TypeParam, Rank<2>, std::int64_t> policy({-3, -10}, {4, -2});
  expect_region(policy, {-3, -10}, {4, -2});
  expect_cover(policy);
}

TYPED_TEST(MDRangePolicyTest, EveryWayToGiveBounds) {
  using Policy               = MDRangePolicy<TypeParam, Rank<2>>;
  int const lower[2]         = {1, 2};
  unsigned const upper[2]    = {30, 40};
  std::int64_t const tile[2] = {3, 4};
  TypeParam const space;
  Kokkos::Array<int, 2> const alower{1, 2};
  Kokkos::Array<long, 2> const aupper{30, 40};
  Kokkos::Array<short, 2> const atile{3, 4};
  Kokkos::Array<std::int64_t, 2> const point{1, 2};
  std::initializer_list<int> const llower         = {1, 2};
  std::initializer_list<std::size_t> const lupper = {30, 40};
  std::initializer_list<int> const ltile          = {3, 4};
  long const n                                    = 30;

  for (Policy const& policy :
       {Policy({1, 2}, {30, 40}), Policy(space, {1, 2}, {30, 40}), Policy(lower, upper), Policy(space, lower, upper),
        Policy(alower, aupper), Policy(space, alower, aupper), Policy(point, aupper), Policy(llower, lupper),
        Policy(space, llower, lupper), Policy({1, 2}, {n, 40}), Policy(space, {1, 2}, {n, 40})}) {
    expect_region(policy, {1, 2}, {30, 40});
    expect_cover(policy);
  }
  for (Policy const& policy :
       {Policy({1, 2}, {30, 40}, {3, 4}), Policy(space, {1, 2}, {30, 40}, {3, 4}), Policy(lower, upper, tile),
        Policy(space, lower, upper, tile), Policy(alower, aupper, atile), Policy(space, alower, aupper, atile),
        Policy(llower, lupper, ltile), Policy(space, llower, lupper, ltile)}) {
    expect_region(policy, {1, 2}, {30, 40});
    EXPECT_EQ(policy.m_tile[0], 3);
    EXPECT_EQ(policy.m_tile[1], 4);
    EXPECT_EQ(policy.m_tile_end[0], 10);
    EXPECT_EQ(policy.m_tile_end[1], 10);
    expect_cover(policy);
  }
}

TYPED_TEST(MDRangePolicyTest, MissingTileSizesAreRecommended) {
  using Policy = MDRangePolicy<TypeParam, Rank<3>>;
  Policy const free({0, 0, 0}, {100, 100, 100});
  auto const recommended = free.tile_size_recommended();
  EXPECT_EQ(free.m_tile, recommended);
  Policy const partly({0, 0, 0}, {100, 100, 100}, {7, 0, -1});
  EXPECT_EQ(partly.m_tile[0], 7);
  EXPECT_EQ(partly.m_tile[1], recommended[1]);
  EXPECT_EQ(partly.m_tile[2], recommended[2]);
  Policy const shorter({0, 0, 0}, {100, 100, 100}, {7});
  EXPECT_EQ(shorter.m_tile[0], 7);
  EXPECT_EQ(shorter.m_tile[1], recommended[1]);
}

// A block of a GPU has a thread for each iteration of a tile: as many as the bounds allow.
template <class Space, unsigned MaxThreads>
void expect_full_tile() {
  MDRangePolicy<Space, Rank<2>, Kokkos::LaunchBounds<MaxThreads>> const policy({0, 0}, {1000, 1000});
  EXPECT_EQ(policy.m_prod_tile_dims, std::int64_t(MaxThreads));
}

TYPED_TEST(MDRangePolicyTest, GPUTilesFitTheThreadLimit) {
  if constexpr (!Kokkos::Impl::runs_on_host_v<TypeParam>) {
    expect_full_tile<TypeParam, 256>();
    expect_full_tile<TypeParam, 64>();
    expect_full_tile<TypeParam, 16>();
  }
}

// Lanes of a GPU beyond a short range would have nothing to do, so the tile is longer along the other indices.
TYPED_TEST(MDRangePolicyTest, GPUTilesOfShortRangesAreFull) {
  if constexpr (!Kokkos::Impl::runs_on_host_v<TypeParam>) {
    using Policy = MDRangePolicy<TypeParam, Rank<3, Iterate::Left>>;
    Policy const longer({0, 0, 0}, {1000, 1000, 1000}), shorter({0, 0, 0}, {6, 1000, 1000});
    EXPECT_EQ(shorter.m_tile[0], 8);
    EXPECT_EQ(shorter.m_prod_tile_dims, longer.m_prod_tile_dims);
    Policy const both({0, 0, 0}, {3, 5, 1000});
    EXPECT_EQ(both.m_tile[0], 4);
    EXPECT_EQ(both.m_tile[1], 8);
    EXPECT_EQ(both.m_prod_tile_dims, longer.m_prod_tile_dims);
    Policy const partly({0, 0, 0}, {4, 1000, 1000},
                        {64, 0, 0});  // the recommended sizes alone would be too many with it
    EXPECT_EQ(partly.m_tile[0], 64);
    EXPECT_LE(partly.m_prod_tile_dims, partly.max_total_tile_size());
  }
}

TYPED_TEST(MDRangePolicyTest, DirectionsDefaultToTheLayout) {
  static_assert(Kokkos::MDRangePolicy<TypeParam, Kokkos::Rank<2>>::inner_direction ==
                Kokkos::default_inner_direction<TypeParam>::value);
  static_assert(Kokkos::MDRangePolicy<TypeParam, Kokkos::Rank<2>>::outer_direction ==
                Kokkos::default_outer_direction<TypeParam>::value);
  constexpr bool left = std::is_same_v<typename TypeParam::array_layout, Kokkos::LayoutLeft>;
  using Plain         = MDRangePolicy<TypeParam, Rank<2>>;
  static_assert(Plain::inner_direction == (left ? Iterate::Left : Iterate::Right));
  static_assert(Plain::outer_direction == Plain::inner_direction);
  using Mixed = MDRangePolicy<TypeParam, Rank<2, Iterate::Left, Iterate::Right>>;
  static_assert(Mixed::outer_direction == Iterate::Left);
  static_assert(Mixed::inner_direction == Iterate::Right);
  EXPECT_EQ(Mixed::rank, 2);
}

// Lists of bounds have one number for each dimension, lists of tile sizes at most one.
TYPED_TEST(MDRangePolicyTest, WrongLengthsAreRefused) {
  using Policy       = MDRangePolicy<TypeParam, Rank<2>>;
  using List         = std::initializer_list<int>;
  List const lists[] = {{}, {1}, {1, 2}, {1, 2, 3}, {1, 2, 3, 4}};
  auto const refusal = [](auto const&... given) {
    return Kokkos::Testing::thrown_message([&] { Policy const policy(given...); });
  };
  for (List const& list : lists) {
    auto const sentence = [&](char const* what) {
      return std::to_string(list.size()) + ' ' + what +
             " were given for a policy of rank 2. Give 2, one for each dimension.";
    };
    if (list.size() != 2) {
      Kokkos::Testing::expect_all(refusal(list, lists[2]), {sentence("lower bounds")});
      Kokkos::Testing::expect_all(refusal(lists[2], list), {sentence("upper bounds")});
      Kokkos::Testing::expect_all(refusal(list, lists[2], lists[2]), {sentence("lower bounds")});
      Kokkos::Testing::expect_all(refusal(lists[2], list, lists[2]), {sentence("upper bounds")});
    }
    if (list.size() > 2)
      Kokkos::Testing::expect_all(refusal(lists[2], lists[2], list), {sentence("tile sizes")});
    else
      EXPECT_EQ(refusal(lists[2], lists[2], list), "");
  }
}

TYPED_TEST(MDRangePolicyTest, WrongNumbersAreRefused) {
  using Policy = MDRangePolicy<TypeParam, Rank<2>>;
  Kokkos::Testing::expect_all(
      Kokkos::Testing::thrown_message([] { Policy const policy({0, 0}, {10, 10}, {1 << 20, 1 << 20}); }),
      {"a tile of 1048576 x 1048576 iterations", "Make the tile smaller, or leave its size to the library."});
  std::uint64_t const huge[2] = {std::numeric_limits<std::uint64_t>::max(), 1};
  int const zero[2]           = {0, 0};
  EXPECT_THROW(Policy(zero, huge), std::runtime_error);
#ifdef KOKKOS_ENABLE_DEPRECATED_CODE_4
  EXPECT_EQ(Policy({0, 5}, {3, 4}).m_num_tiles, 0);
#else
  EXPECT_THROW(Policy({0, 5}, {3, 4}), std::runtime_error);
#endif
}

// A number of tiles that wrapped around would run too few of them, or none.
template <class Space>
void tiles_beyond_64_bits() {
  using Policy            = MDRangePolicy<Space, Rank<3>, Kokkos::IndexType<std::int64_t>>;
  using Point             = Kokkos::Array<std::int64_t, 3>;
  std::int64_t const half = std::int64_t(1) << 33, most = std::numeric_limits<std::int64_t>::max();
  Kokkos::Testing::expect_all(Kokkos::Testing::thrown_message([&] {
                                Policy const policy(Point{0, 0, 0}, Point{1, 2 * half, half}, Point{1, 1, 1});
                              }),
                              {"[0, 1) x [0, 17179869184) x [0, 8589934592) in tiles of 1 x 1 x 1 was requested",
                               "Make the tiles larger, or the iteration space smaller."});
  EXPECT_THROW(Policy(Point{-1, 0, 0}, Point{most, 1, 1}, Point{8, 1, 1}), std::runtime_error) << "2^63 iterations";
  EXPECT_EQ(Policy(Point{0, 0, 0}, Point{1, most, 1}, Point{1, 1, 1}).m_num_tiles, most);
  EXPECT_EQ(Policy(Point{0, 0, 0}, Point{1, most, 1}, Point{1, 64, 1}).m_num_tiles, most / 64 + 1);
  EXPECT_EQ(Policy(Point{-2, 0, 0}, Point{most - 2, 1, 1}, Point{128, 1, 1}).m_tile_end[0], most / 128 + 1);
  EXPECT_EQ(Policy(Point{0, 0, 0}, Point{2 * half, half, 0}, Point{1, 1, 1}).m_num_tiles, 0)
      << "no overflow is relevant";
}
TYPED_TEST(MDRangePolicyTest, TilesBeyond64BitsAreRefused) { tiles_beyond_64_bits<TypeParam>(); }

// Bounds are stored as 64-bit integers for every index type, so they are checked against both types.
template <class Space>
void bounds_beyond_the_index_type() {
  using Unsigned = MDRangePolicy<Space, Rank<2>, Kokkos::IndexType<unsigned>>;
  using Signed   = MDRangePolicy<Space, Rank<2>, Kokkos::IndexType<int>>;
  using Point    = Kokkos::Array<std::int64_t, 2>;
  try {
    Unsigned policy({-1, 0}, {3, 3});
    FAIL() << "an unsigned index was given the bound -1";
  } catch (std::runtime_error const& error) {
    EXPECT_NE(std::string(error.what())
                  .find("Kokkos::MDRangePolicy: the bound -1 does not fit the policy's index type, "
                        "which is an unsigned integer of 32 bits"),
              std::string::npos)
        << error.what();
  }
  EXPECT_THROW(Unsigned({0, 0}, {3, -3}), std::runtime_error);
  EXPECT_THROW(Unsigned(Point{0, -1}, Point{3, 3}), std::runtime_error);
  EXPECT_THROW(Unsigned({0ll, 0ll}, {3ll, 1ll << 32}), std::runtime_error);
  EXPECT_THROW(Signed({0ll, 0ll}, {3ll, 1ll << 31}), std::runtime_error);
  EXPECT_THROW(Signed(std::initializer_list<long long>{0, 0}, std::initializer_list<long long>{3, 1ll << 31}),
               std::runtime_error);
  EXPECT_EQ(Unsigned({0ll, 0ll}, {1ll, (1ll << 32) - 1}).m_upper[1], (1ll << 32) - 1);
  EXPECT_EQ(Signed({-(1ll << 31), 0ll}, {0ll, (1ll << 31) - 1}).m_lower[0], -(1ll << 31));
}
TYPED_TEST(MDRangePolicyTest, BoundsBeyondTheIndexTypeAreRefused) { bounds_beyond_the_index_type<TypeParam>(); }

// The message ends with the line of the program: the policy exists before the kernel that it is for.
void expect_line(int line, void (*make)()) {
  try {
    make();
    ADD_FAILURE() << "no exception in line " << line;
  } catch (std::runtime_error const& error) {
    EXPECT_TRUE(std::string(error.what()).ends_with("MDRangePolicy_test.cpp:" + std::to_string(line) + "."))
        << error.what();
  }
}

TEST(MDRangePolicyErrors, NameTheLineThatConstructsThePolicy) {
  using Policy = MDRangePolicy<Rank<2>, Kokkos::IndexType<unsigned>>;
  using Point  = Kokkos::Array<std::int64_t, 2>;
  using Ints   = Kokkos::Array<int, 2>;
  using List   = std::initializer_list<int>;
  using Space  = Kokkos::DefaultExecutionSpace;
  // clang-format off
  expect_line(__LINE__, [] { Policy(Point{-1, 0}, Point{3, 3}); });
  expect_line(__LINE__, [] { Policy(Space(), Point{0, 0}, Point{3, -3}); });
  expect_line(__LINE__, [] { Policy({-1, 0}, {3, 3}); });
  expect_line(__LINE__, [] { Policy({0, 0}, {3, -3}, {1, 1}); });
  expect_line(__LINE__, [] { Policy(Space(), {-1, 0}, {3, 3}); });
  expect_line(__LINE__, [] { Policy(Space(), {0, 0}, {3, -3}, {1, 1}); });
  expect_line(__LINE__, [] { Policy(Ints{-1, 0}, Ints{3, 3}); });
  expect_line(__LINE__, [] { Policy(Ints{0, 0}, Ints{3, -3}, Ints{1, 1}); });
  expect_line(__LINE__, [] { Policy(Space(), Ints{-1, 0}, Ints{3, 3}); });
  expect_line(__LINE__, [] { Policy(Space(), Ints{0, 0}, Ints{3, -3}, Ints{1, 1}); });
  expect_line(__LINE__, [] { Policy(List{-1, 0}, List{3, 3}); });
  expect_line(__LINE__, [] { Policy(List{0, 0, 0}, List{3, 3}); });
  expect_line(__LINE__, [] { Policy(List{0, 0}, List{3, -3}, List{1, 1}); });
  expect_line(__LINE__, [] { Policy(Space(), List{-1, 0}, List{3, 3}); });
  expect_line(__LINE__, [] { Policy(Space(), List{0, 0}, List{3, 3}, List{1, 1, 1}); });
  expect_line(__LINE__, [] { Policy({0, 0}, {10, 10}, {1 << 20, 1 << 20}); });
  expect_line(__LINE__, [] { Policy(List{0, 0}, List{10, 10}, List{1 << 20, 1 << 20}); });
  expect_line(__LINE__, [] { Policy(Ints{0, 0}, Ints{10, 10}, Ints{1 << 20, 1 << 20}); });
  expect_line(__LINE__, [] { Policy(Point{0, 0}, Point{10, 10}, Point{1 << 20, 1 << 20}); });
  // clang-format on
}

// Tiles for threads that run whole tiles: long in the fastest index, small enough for a cache, and enough for all
// threads.
TEST(ThreadTile, FollowsTheFastestIndex) {
  std::int64_t tile[3];
  std::int64_t const extents[3] = {1000, 1000, 1000};
  Kokkos::Impl::recommend_thread_tile(3, extents, Iterate::Right, 4, tile);
  EXPECT_EQ(tile[2], 1000);
  EXPECT_EQ(tile[1], 4);
  EXPECT_EQ(tile[0], 1);
  Kokkos::Impl::recommend_thread_tile(3, extents, Iterate::Left, 4, tile);
  EXPECT_EQ(tile[0], 1000);
  EXPECT_EQ(tile[2], 1);
}

TEST(ThreadTile, LeavesWorkForEveryThread) {
  std::int64_t tile[2];
  std::int64_t const extents[2] = {2, 1000000};
  Kokkos::Impl::recommend_thread_tile(2, extents, Iterate::Right, 8, tile);
  EXPECT_LE(tile[0] * tile[1], 4096);
  EXPECT_GE((2 / tile[0]) * (1000000 / tile[1]), 32);
  std::int64_t const small[2] = {4, 4};
  Kokkos::Impl::recommend_thread_tile(2, small, Iterate::Right, 16, tile);
  EXPECT_EQ(tile[0] * tile[1], 1);
  std::int64_t const thin[2] = {1000000, 3};
  Kokkos::Impl::recommend_thread_tile(2, thin, Iterate::Right, 2, tile);
  EXPECT_EQ(tile[1], 3);
  EXPECT_EQ(tile[0], 1365);
  std::int64_t const empty[2] = {0, 3};
  Kokkos::Impl::recommend_thread_tile(2, empty, Iterate::Right, 2, tile);
  EXPECT_EQ(tile[0], 1);
}

TEST(ThreadTile, SurvivesEnormousRanges) {
  std::int64_t tile[6];
  std::int64_t const most       = std::numeric_limits<std::int64_t>::max();
  std::int64_t const extents[6] = {most, most, most, most, most, most};
  Kokkos::Impl::recommend_thread_tile(6, extents, Iterate::Right, 1, tile);
  EXPECT_EQ(tile[5], 4096);
  EXPECT_EQ(tile[0], 1);
}

// ---- deduction ----------------------------------------------------------------------------------------------------

template <class Expected, class... Args>
void expect_deduced(Args const&... args) {
  using Deduced = decltype(MDRangePolicy(args...));
  static_assert(std::is_same_v<Deduced, Expected>);
}

TEST(MDRangePolicyDeduction, DefaultSpaceNeedsNoName) {
  Kokkos::DefaultExecutionSpace const space;
  int const begin[3] = {}, end[3] = {4, 5, 6};
  std::int64_t const tiling[3] = {3, 3, 3};
  Kokkos::Array<int, 2> const abegin{}, aend{4, 5}, atiling{2, 2};
  using P2 = MDRangePolicy<Rank<2>>;
  using P3 = MDRangePolicy<Rank<3>>;
  static_assert(std::is_same_v<decltype(MDRangePolicy({0, 0, 0}, {4, 5, 10})), P3>);
  static_assert(std::is_same_v<decltype(MDRangePolicy({0, 0, 0}, {4, 5, 10}, {3, 3, 3})), P3>);
  static_assert(std::is_same_v<decltype(MDRangePolicy(space, {0, 0, 0}, {4, 5, 10})), P3>);
  static_assert(std::is_same_v<decltype(MDRangePolicy(space, {0, 0, 0}, {4, 5, 10}, {3, 3, 3})), P3>);
  expect_deduced<P3>(begin, end);
  expect_deduced<P3>(begin, end, tiling);
  expect_deduced<P3>(space, begin, end);
  expect_deduced<P3>(space, begin, end, tiling);
  expect_deduced<P2>(abegin, aend);
  expect_deduced<P2>(abegin, aend, atiling);
  expect_deduced<P2>(space, abegin, aend);
  expect_deduced<P2>(space, abegin, aend, atiling);
  MDRangePolicy policy({0, 0, 0}, {4, 5, 10});
  expect_region(policy, {0, 0, 0}, {4, 5, 10});
}

TYPED_TEST(MDRangePolicyTest, SpaceIsDeduced) {
  constexpr bool is_default = std::is_same_v<TypeParam, Kokkos::DefaultExecutionSpace>;
  using P2                  = std::conditional_t<is_default, MDRangePolicy<Rank<2>>, MDRangePolicy<TypeParam, Rank<2>>>;
  using P3                  = std::conditional_t<is_default, MDRangePolicy<Rank<3>>, MDRangePolicy<TypeParam, Rank<3>>>;
  TypeParam const space;
  int const begin[3] = {}, end[3] = {4, 5, 6};
  std::int64_t const tiling[3] = {3, 3, 3};
  Kokkos::Array<int, 2> const abegin{}, aend{4, 5}, atiling{2, 2};
  static_assert(std::is_same_v<decltype(MDRangePolicy(space, {0, 0, 0}, {4, 5, 10})), P3>);
  static_assert(std::is_same_v<decltype(MDRangePolicy(space, {0, 0, 0}, {4, 5, 10}, {3, 3, 3})), P3>);
  expect_deduced<P3>(space, begin, end);
  expect_deduced<P3>(space, begin, end, tiling);
  expect_deduced<P2>(space, abegin, aend);
  expect_deduced<P2>(space, abegin, aend, atiling);
}

}  // namespace
