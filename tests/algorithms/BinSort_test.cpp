// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// BinSort with the documented bin operators and with others, some of which return invalid bins; and sorts inside team
/// kernels.

#include "Messages.hpp"
#include "SortTest.hpp"

#include <Kokkos_Sort.hpp>

#include <cmath>
#include <limits>
#include <numeric>

namespace {

using namespace Kokkos::Testing;
namespace KE = Kokkos::Experimental;

template <class Space>
class BinSortTest : public ::testing::Test {};
TYPED_TEST_SUITE(BinSortTest, PatternSpaces, SpaceName);

/// Compares the permutation, the offsets and the counts with bins that the host computes.
template <class Sorter, class BinOf>
void expect_bins(Sorter const& sorter, int first, int count, int bins, BinOf const& bin_of) {
  auto const order   = to_host(sorter.get_permute_vector());
  auto const offsets = to_host(sorter.get_bin_offsets());
  auto const counts  = to_host(sorter.get_bin_count());
  ASSERT_EQ(order.size(), static_cast<std::size_t>(count));
  ASSERT_EQ(offsets.size(), static_cast<std::size_t>(bins));
  std::vector<int> expected(count);
  std::iota(expected.begin(), expected.end(), first);
  std::stable_sort(expected.begin(), expected.end(), [&](int a, int b) { return bin_of(a) < bin_of(b); });
  for (int i = 0; i < count; ++i) ASSERT_EQ(static_cast<int>(order[i]), expected[i]);
  int begin = 0;
  for (int b = 0; b < bins; ++b) {
    ASSERT_EQ(static_cast<int>(offsets[b]), begin);
    ASSERT_EQ(counts[b], std::count_if(expected.begin(), expected.end(), [&](int k) { return bin_of(k) == b; }));
    begin += counts[b];
  }
}

template <class Sorter>
void expect_bins_of(Sorter const& sorter, std::vector<int> const& expected) {
  auto const counts = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), sorter.get_bin_count());
  ASSERT_EQ(counts.extent(0), expected.size());
  for (std::size_t b = 0; b < expected.size(); ++b) EXPECT_EQ(counts(b), expected[b]) << b;
}

TYPED_TEST(BinSortTest, BinsNumbers) {
  for (int n : {0, 1, 50, 4000}) {
    std::vector<double> keys(n);
    for (int i = 0; i < n; ++i) keys[i] = (i * 7919 % 1000) / 10.0;
    auto const view = to_device<double, TypeParam>(keys);
    using Keys      = decltype(view);
    using Op        = Kokkos::BinOp1D<std::remove_const_t<Keys>>;
    Kokkos::BinSort<std::remove_const_t<Keys>, Op> sorter(view, Op(20, 0.0, 100.0));
    sorter.create_permute_vector();
    expect_bins(sorter, 0, n, 21, [&](int i) { return static_cast<int>(keys[i] * 0.2); });
    sorter.sort(view);
    auto const sorted = to_host(view);
    for (int i = 1; i < n; ++i) ASSERT_LE(static_cast<int>(sorted[i - 1] * 0.2), static_cast<int>(sorted[i] * 0.2));
  }
}

/// More bins than keys, in long gaps, and bin numbers of 9 to 17 bits.
TYPED_TEST(BinSortTest, SkipsEmptyBins) {
  for (int bins : {300, 2000, 70000}) {
    auto const keys = random_numbers<int>(3000, 40);
    auto const view = to_device<int, TypeParam>(keys);
    using Keys      = std::remove_const_t<decltype(view)>;
    Kokkos::BinSort<Keys, Kokkos::BinOp1D<Keys>> sorter(view, Kokkos::BinOp1D<Keys>(bins, -5, 45));
    sorter.create_permute_vector();
    auto const order = to_host(sorter.get_permute_vector()), offsets = to_host(sorter.get_bin_offsets());
    auto const counts = to_host(sorter.get_bin_count());
    std::vector<int> expected(3000);
    std::iota(expected.begin(), expected.end(), 0);
    std::stable_sort(expected.begin(), expected.end(), [&](int a, int b) { return keys[a] < keys[b]; });
    for (int i = 0; i < 3000; ++i) ASSERT_EQ(static_cast<int>(order[i]), expected[i]) << bins;
    std::size_t begin = 0;
    for (std::size_t b = 0; b < offsets.size(); ++b) {
      ASSERT_EQ(static_cast<std::size_t>(offsets[b]), begin) << bins << " " << b;
      begin += static_cast<std::size_t>(counts[b]);
    }
    ASSERT_EQ(begin, 3000u);
  }
}

TYPED_TEST(BinSortTest, SortsWithinBins) {
  auto keys       = random_numbers<int>(3000, 1000);
  auto const view = to_device<int, TypeParam>(keys);
  using Keys      = Kokkos::View<int*, TypeParam>;
  using Op        = Kokkos::BinOp1D<Keys>;
  TypeParam exec;
  Kokkos::BinSort<Keys, Op> sorter(exec, view, Op(3, 0, 1000), true);
  sorter.create_permute_vector(exec);
  sorter.sort(exec, view);
  std::sort(keys.begin(), keys.end());
  exec.fence();
  EXPECT_EQ(to_host(view), keys);
}

TYPED_TEST(BinSortTest, BinsPoints) {
  int const n = 2000, side = 4;
  using Points = Kokkos::View<float* [3], TypeParam>;
  Points points("points", n);
  Kokkos::Random_XorShift64_Pool<TypeParam> pool(3, 8);
  Kokkos::fill_random(points, pool, -1.0f, 1.0f);
  auto const here = Kokkos::create_mirror(Kokkos::HostSpace(), points);
  Kokkos::deep_copy(here, points);

  int bins[3]  = {side, side, side};
  float min[3] = {-1, -1, -1}, max[3] = {1, 1, 1};
  using Op = Kokkos::BinOp3D<Points>;
  Kokkos::BinSort<Points, Op> sorter(points, Op(bins, min, max));
  sorter.create_permute_vector();
  auto const part   = [&](int i, int d) { return static_cast<int>((static_cast<double>(here(i, d)) + 1) * 2); };
  auto const bin_of = [&](int i) { return (part(i, 0) * side + part(i, 1)) * side + part(i, 2); };
  expect_bins(sorter, 0, n, side * side * side, bin_of);

  // In a bin, by each of the three numbers, in descending order.
  using Cells = Kokkos::View<int* [3], TypeParam>;
  Cells cells("cells", 64);
  auto const cells_here = Kokkos::create_mirror(Kokkos::HostSpace(), cells);
  for (int i = 0; i < 64; ++i)
    for (int d = 0; d < 3; ++d) cells_here(i, d) = i >> (4 - 2 * d) & 3;
  Kokkos::deep_copy(cells, cells_here);
  int one[3] = {1, 1, 1}, low[3] = {0, 0, 0}, high[3] = {4, 4, 4};
  Kokkos::BinSort<Cells, Kokkos::BinOp3D<Cells>> ordered(cells, Kokkos::BinOp3D<Cells>(one, low, high), true);
  ordered.create_permute_vector();
  ordered.sort(cells);
  Kokkos::deep_copy(cells_here, cells);
  for (int i = 0; i < 64; ++i) EXPECT_EQ(16 * cells_here(i, 0) + 4 * cells_here(i, 1) + cells_here(i, 2), 63 - i);

  // Views of any rank and layout are permuted in the same way.
  Kokkos::View<float* [3], Kokkos::LayoutRight, TypeParam> copy("copy", n);
  Kokkos::View<int***, Kokkos::LayoutStride, TypeParam> cube("cube", Kokkos::LayoutStride(n, 10, 2, 4, 3, 1));
  Kokkos::deep_copy(copy, points);
  auto const cube_here = Kokkos::create_mirror(Kokkos::HostSpace(), cube);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < 2; ++j)
      for (int k = 0; k < 3; ++k) cube_here(i, j, k) = 100 * i + 10 * j + k;
  Kokkos::deep_copy(cube, cube_here);
  sorter.sort(points);
  sorter.sort(copy, 0, n);
  sorter.sort(cube);
  auto const order     = to_host(sorter.get_permute_vector());
  auto const copy_here = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), copy);
  auto const again     = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), points);
  Kokkos::deep_copy(cube_here, cube);
  for (int i = 0; i < n; ++i) {
    for (int d = 0; d < 3; ++d) {
      ASSERT_EQ(again(i, d), here(order[i], d));
      ASSERT_EQ(copy_here(i, d), here(order[i], d));
    }
    for (int j = 0; j < 2; ++j)
      for (int k = 0; k < 3; ++k) ASSERT_EQ(cube_here(i, j, k), static_cast<int>(100 * order[i] + 10 * j + k));
  }
}

TYPED_TEST(BinSortTest, SortsPartOfAView) {
  // Enough for a radix sort, and the number of the last bin has one bit more than a digit.
  int const n = 5000, begin = 100, end = 3350;
  auto const keys = random_numbers<unsigned>(n, 257);
  auto const view = to_device<unsigned, TypeParam>(keys);
  using Keys      = Kokkos::View<unsigned*, TypeParam>;
  using Op        = Kokkos::BinOp1D<Keys>;
  Kokkos::BinSort<Keys, Op> sorter(view, begin, end, Op(256, 0, 256));
  sorter.create_permute_vector();
  expect_bins(sorter, begin, end - begin, 257, [&](int i) { return static_cast<int>(keys[i]); });
  EXPECT_EQ(sorter.get_permute_vector().extent(0), static_cast<std::size_t>(end - begin));
  auto const other = to_device<unsigned, TypeParam>(std::vector<unsigned>(keys.begin() + begin, keys.begin() + end));
  sorter.sort(view, begin, end);
  auto const third = to_device<unsigned, TypeParam>(to_host(other));
  sorter.sort(other);
  sorter.sort(TypeParam(), third);
  auto expected = keys;
  std::sort(expected.begin() + begin, expected.begin() + end);
  EXPECT_EQ(to_host(view), expected);
  EXPECT_EQ(to_host(other), std::vector<unsigned>(expected.begin() + begin, expected.begin() + end));
  EXPECT_EQ(to_host(third), to_host(other));

  EXPECT_THROW(sorter.sort(view, begin, end + 1), std::runtime_error);
}

/// Returns bins below 0 and above the last one.
struct Overflowing {
  template <class Keys>
  KOKKOS_FUNCTION int bin(Keys& keys, int const& i) const {
    return keys(i) - 50;
  }
  KOKKOS_FUNCTION int max_bins() const { return 10; }
  template <class Keys, class Index1, class Index2>
  KOKKOS_FUNCTION bool operator()(Keys& keys, Index1& i, Index2& j) const {
    return keys(i) < keys(j);
  }
};

TYPED_TEST(BinSortTest, TakesTheNearestBinForOneThatIsNone) {
  auto const keys = random_numbers<int>(1000, 100);
  auto const view = to_device<int, TypeParam>(keys);
  Kokkos::BinSort<Kokkos::View<int*, TypeParam>, Overflowing> sorter(view, Overflowing());
  sorter.create_permute_vector();
  expect_bins(sorter, 0, 1000, 10, [&](int i) { return std::clamp(keys[i] - 50, 0, 9); });
}

/// Infinities and numbers that no int can hold are in the first and last bins, NaNs in the last one behind all others.
TYPED_TEST(BinSortTest, BinsNumbersOutsideOfTheRange) {
  float const inf = KE::infinity_v<float>, nan = KE::quiet_NaN_v<float>, max = KE::finite_max_v<float>;
  std::vector<float> const unsorted = {nan, 5, -inf, 1e20f, -nan, 0, -3, inf, 9.5f, nan, -max, 2.5f, max};
  std::vector<float> const sorted   = {-inf, -max, -3, 0, 2.5f, 5, 9.5f, 1e20f, max, inf};
  auto const view                   = to_device<float, TypeParam>(unsorted);
  using Keys                        = Kokkos::View<float*, TypeParam>;
  Kokkos::BinSort<Keys, Kokkos::BinOp1D<Keys>> sorter(view, Kokkos::BinOp1D<Keys>(10, 0, 10), true);
  sorter.create_permute_vector();
  expect_bins_of(sorter, {4, 0, 1, 0, 0, 1, 0, 0, 0, 1, 6});
  sorter.sort(view);
  auto const result = to_host(view);
  EXPECT_EQ(std::vector<float>(result.begin(), result.begin() + 10), sorted);
  for (std::size_t i = 10; i < result.size(); ++i) EXPECT_TRUE(std::isnan(result[i])) << i;

  // Of points, the keys of a bin are in descending order.
  std::size_t const n = unsorted.size();
  Kokkos::View<float* [3], TypeParam> points("points", n);
  auto const here = Kokkos::create_mirror(Kokkos::HostSpace(), points);
  for (std::size_t i = 0; i < n; ++i)
    for (int d = 0; d < 3; ++d) here(i, d) = d == 1 ? unsorted[i] : 1;
  Kokkos::deep_copy(points, here);
  int bins[3]    = {1, 2, 1};
  float lower[3] = {0, 0, 0}, upper[3] = {2, 10, 2};
  using Points = Kokkos::View<float* [3], TypeParam>;
  using Op     = Kokkos::BinOp3D<Points>;
  Kokkos::BinSort<Points, Op> point_sorter(points, Op(bins, lower, upper), true);
  point_sorter.create_permute_vector();
  expect_bins_of(point_sorter, {5, 8});
  point_sorter.sort(points);
  Kokkos::deep_copy(here, points);
  std::vector<float> const expected = {2.5f, 0, -3, -max, -inf, inf, max, 1e20f, 9.5f, 5};
  for (std::size_t i = 0; i < n; ++i) EXPECT_TRUE(i < 10 ? here(i, 1) == expected[i] : std::isnan(here(i, 1))) << i;
}

#ifdef KOKKOS_ENABLE_DEPRECATED_CODE_4
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
// Programs store a sorter as a member and assign to it, even one with a different index type.
TYPED_TEST(BinSortTest, IsAssigned) {
  using Keys   = Kokkos::View<double const*, TypeParam>;
  using Op     = Kokkos::BinOp1D<Keys>;
  using Sorter = Kokkos::BinSort<Keys, Op, TypeParam, int>;
  Op op;
  Sorter sorter;
  op     = Op(4, 0.0, 4.0);
  sorter = Sorter(to_device<double, TypeParam>({3.5, 0.5, 2.5, 1.5}), op);
  sorter.create_permute_vector();
  EXPECT_EQ(to_host(sorter.get_permute_vector()), (std::vector<int>{1, 3, 2, 0}));
}
#pragma GCC diagnostic pop
#endif

struct NoBins : Overflowing {
  KOKKOS_FUNCTION int max_bins() const { return 0; }
};

TYPED_TEST(BinSortTest, RefusesRangesThatAreNone) {
  using Keys = Kokkos::View<int*, TypeParam>;
  Keys keys("keys", 10);
  expect_all(thrown_message([&] { Kokkos::BinSort<Keys, NoBins>(keys, NoBins()); }),
             {"the bin operator has 0 bins. There must be at least one."});
  EXPECT_THROW((Kokkos::BinSort<Keys, Overflowing>(keys, 3, 11, Overflowing())), std::runtime_error);
  EXPECT_THROW((Kokkos::BinSort<Keys, Overflowing>(keys, -1, 5, Overflowing())), std::runtime_error);
  EXPECT_THROW((Kokkos::BinSort<Keys, Overflowing>(keys, 5, 4, Overflowing())), std::runtime_error);
  Kokkos::BinSort<Keys, Overflowing> sorter(keys, 2, 6, Overflowing());
  sorter.create_permute_vector();
  EXPECT_THROW(sorter.sort(keys, 2, 7), std::runtime_error);
  EXPECT_THROW(sorter.sort(keys, 2, 5), std::runtime_error);
  EXPECT_THROW(sorter.sort(keys, -1, 3), std::runtime_error);
  EXPECT_THROW(sorter.sort(keys, 7, 11), std::runtime_error);
  EXPECT_NO_THROW(sorter.sort(keys, 6, 10));
  EXPECT_THROW(sorter.sort(keys, 8, 12), std::runtime_error);
}

TYPED_TEST(BinSortTest, RefusesMoreKeysOrBinsThanAnIntCounts) {
  using Keys = Kokkos::View<char const*, TypeParam, Kokkos::MemoryUnmanaged>;
  Kokkos::View<char*, TypeParam> const one("one", 1);
  Keys const many(one.data(), (std::size_t(1) << 32) + 5);  // as an int, 5
  expect_all(thrown_message([&] { Kokkos::BinSort<Keys, Overflowing>(many, Overflowing()); }),
             {"a view with 4294967301 keys was passed", "at most 2147483647"});
  using Points         = Kokkos::View<float* [3], TypeParam>;
  int bins[3]          = {1626, 1626, 1626};  // the product as an int is 3975080
  float const first[3] = {0, 0, 0}, last[3] = {1, 1, 1};
  expect_all(thrown_message([&] { Kokkos::BinOp3D<Points>(bins, first, last); }),
             {"Kokkos::BinOp3D: 4298942376 or more bins were requested"});
  expect_all(thrown_message([&] { Kokkos::BinOp1D<Keys>(std::numeric_limits<int>::max(), 0, 1); }),
             {"Kokkos::BinOp1D: 2147483648 or more bins were requested"});
}

// ---- in teams ------------------------------------------------------------------------------------------------------

enum class Sorters { team, thread };

/// Row r of a table has r elements; each row is sorted by a team, or by a thread of one.
template <class Space, Sorters Who, bool ByKey, bool Descending>
void sorts_rows(int vector_length) {
  int const rows = 70;
  Kokkos::View<int**, Space> keys("keys", rows, rows), values("values", rows, rows);
  auto const keys_here   = Kokkos::create_mirror(Kokkos::HostSpace(), keys);
  auto const values_here = Kokkos::create_mirror(Kokkos::HostSpace(), values);
  auto const numbers     = random_numbers<int>(rows * rows, 50);
  for (int r = 0; r < rows; ++r)
    for (int i = 0; i < rows; ++i) keys_here(r, i) = numbers[r * rows + i], values_here(r, i) = i;
  Kokkos::deep_copy(keys, keys_here);
  Kokkos::deep_copy(values, values_here);
  using Policy    = Kokkos::TeamPolicy<Space>;
  using Member    = typename Policy::member_type;
  auto const sort = KOKKOS_LAMBDA(Member const& team, int r) {
    auto const k                  = Kokkos::subview(keys, r, std::pair<int, int>(0, r));
    [[maybe_unused]] auto const v = Kokkos::subview(values, r, std::pair<int, int>(0, r));
    if constexpr (Who == Sorters::team && ByKey && Descending) KE::sort_by_key_team(team, k, v, Greater());
    if constexpr (Who == Sorters::team && ByKey && !Descending) KE::sort_by_key_team(team, k, v);
    if constexpr (Who == Sorters::team && !ByKey && Descending) KE::sort_team(team, k, Greater());
    if constexpr (Who == Sorters::team && !ByKey && !Descending) KE::sort_team(team, k);
    if constexpr (Who == Sorters::thread && ByKey && Descending) KE::sort_by_key_thread(team, k, v, Greater());
    if constexpr (Who == Sorters::thread && ByKey && !Descending) KE::sort_by_key_thread(team, k, v);
    if constexpr (Who == Sorters::thread && !ByKey && Descending) KE::sort_thread(team, k, Greater());
    if constexpr (Who == Sorters::thread && !ByKey && !Descending) KE::sort_thread(team, k);
  };
  Policy const policy(Who == Sorters::team ? rows : 1, Kokkos::AUTO, vector_length);
  Kokkos::parallel_for(
      policy, KOKKOS_LAMBDA(Member const& team) {
        auto const& sort_row = sort;  // defined here, because nvcc does not support a first capture inside `if
                                      // constexpr`
        int const count = rows;
        if constexpr (Who == Sorters::team)
          sort_row(team, team.league_rank());
        else
          Kokkos::parallel_for(Kokkos::TeamThreadRange(team, count), [&](int r) { sort_row(team, r); });
      });
  auto const sorted_keys   = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), keys);
  auto const sorted_values = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), values);
  for (int r = 0; r < rows; ++r) {
    std::vector<int> expected(r), got(r);
    for (int i = 0; i < r; ++i) {
      expected[i] = keys_here(r, i);
      got[i]      = sorted_keys(r, i);
      if constexpr (ByKey) {
        ASSERT_EQ(got[i], keys_here(r, sorted_values(r, i)));
      }
    }
    std::sort(expected.begin(), expected.end());
    if (Descending) std::reverse(expected.begin(), expected.end());
    ASSERT_EQ(got, expected) << r;
    for (int i = r; i < rows; ++i) ASSERT_EQ(sorted_keys(r, i), keys_here(r, i));
  }
}

TYPED_TEST(BinSortTest, TeamsSort) {
  int const lanes = Kokkos::TeamPolicy<TypeParam>::vector_length_max();
  for (int vector_length : {1, lanes > 4 ? 4 : 1}) {
    sorts_rows<TypeParam, Sorters::team, false, false>(vector_length);
    sorts_rows<TypeParam, Sorters::team, true, true>(vector_length);
  }
  sorts_rows<TypeParam, Sorters::team, false, true>(1);
  sorts_rows<TypeParam, Sorters::team, true, false>(1);
}
TYPED_TEST(BinSortTest, ThreadsSort) {
  int const lanes = Kokkos::TeamPolicy<TypeParam>::vector_length_max();
  for (int vector_length : {1, lanes > 4 ? 4 : 1, lanes}) {
    sorts_rows<TypeParam, Sorters::thread, true, false>(vector_length);
    sorts_rows<TypeParam, Sorters::thread, false, true>(vector_length);
  }
  sorts_rows<TypeParam, Sorters::thread, true, true>(1);
  sorts_rows<TypeParam, Sorters::thread, false, false>(1);
}

TEST(BinSort, OneWorkerSortsALongRange) {
  constexpr std::size_t longest = std::size_t(1) << 30;
  EXPECT_TRUE(Kokkos::Impl::one_worker_sorts(1, 2));
  EXPECT_FALSE(Kokkos::Impl::one_worker_sorts(2, longest));
  EXPECT_TRUE(Kokkos::Impl::one_worker_sorts(2, longest + 1));
  EXPECT_TRUE(Kokkos::Impl::one_worker_sorts(1024, 4 * longest + 5)) << "a number of 33 bits";
}

// The parts for items that a vendor's library has sorted, without it.
TEST(BinSort, OffsetsAndCountsOfSortedItems) {
  struct Items {
    std::uint32_t const* bins;
    std::uint32_t bin(std::size_t i) const { return bins[i]; }
  };
  for (int const lengths : {0, 1, 2, 3, 9, 40})  // of the bins: up to that many items, some without any
    for (int const bins : {1, 2, 7, 33}) {
      std::vector<std::uint32_t> items;
      std::vector<int> expected(bins), begins(bins);
      for (int b = 0; b < bins; ++b) {
        begins[b]   = static_cast<int>(items.size());
        expected[b] = (b * 5 + lengths) % (lengths + 1);
        items.insert(items.end(), expected[b], static_cast<std::uint32_t>(b));
      }
      auto const n = static_cast<std::int64_t>(items.size());
      std::vector<int> offsets(bins, -1), counts(bins, -1), order(items.size());
      std::vector<std::uint32_t> stored(items.size());
      Kokkos::Impl::BinArrays<int> const arrays{stored.data(), order.data()};
      for (std::int64_t i = 0; i < n; ++i) arrays.set(i, items[i], static_cast<int>(2 * i + 5));
      for (std::int64_t i = 0; i < n; ++i)
        EXPECT_TRUE(arrays.bin(static_cast<std::size_t>(i)) == items[i] && order[i] == 2 * i + 5) << i;
      Kokkos::Impl::FindBinOffsets<Items, int> const find{Items{items.data()}, items.size(), offsets.data(),
                                                          counts.data()};
      for (int b = 0; b < bins; ++b) find(b);
      EXPECT_EQ(offsets, begins) << lengths;
      EXPECT_EQ(counts, expected) << lengths;
      for (int b = 0; b < bins; ++b) Kokkos::Impl::ClearCounts{counts.data()}(b);
      for (std::int64_t i = 0; i < n; ++i) Kokkos::Impl::CountByBounds{items.data(), n, counts.data()}(i);
      EXPECT_EQ(counts, expected) << lengths;
      std::int64_t sum = 0;
      for (int b = 0; b < bins; ++b) Kokkos::Impl::OffsetsByCounts<int>{counts.data(), offsets.data()}(b, sum, true);
      EXPECT_EQ(offsets, begins) << lengths;
      EXPECT_EQ(sum, n);
      for (int b = 0; b < bins; ++b)
        Kokkos::Impl::CountByOffsets<int>{begins.data(), std::size_t(bins), items.size(), counts.data()}(b);
      EXPECT_EQ(counts, expected) << lengths;
    }
}

}  // namespace
