// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// choices: not-optimised
// Containers that Kokkos 5 has removed, but that programs use.
#include <Kokkos_StaticCrsGraph.hpp>
#include <Kokkos_Vector.hpp>

#include "TestSpaces.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <type_traits>
#include <vector>

namespace {

template <class Space>
struct OlderContainersTest : ::testing::Test {};
TYPED_TEST_SUITE(OlderContainersTest, Kokkos::Testing::PatternSpaces, Kokkos::Testing::SpaceName);

/// The sum over all rows of row number times entry.
template <class Graph>
struct WeighEntries {
  Graph graph;
  KOKKOS_FUNCTION void operator()(int i, int& sum) const {
    auto const row = graph.rowConst(static_cast<typename Graph::size_type>(i));
    for (std::size_t j = 0; j < row.length; ++j) sum += (i + 1) * row(j) + 0 * row.colidx(j);
  }
};

TYPED_TEST(OlderContainersTest, GraphFromRows) {
  using Graph = Kokkos::StaticCrsGraph<int, TypeParam>;
  EXPECT_FALSE(Graph().is_allocated());
  EXPECT_EQ(Graph().numRows(), 0u);
  Graph none;
  none.create_block_partitioning(3);
  for (int b = 0; b <= 3; ++b) EXPECT_EQ(Kokkos::create_mirror(none).row_block_offsets(b), 0u) << b;
  std::vector<std::vector<int>> const rows = {{1, 2}, {}, {7, 5, 3}};
  auto const graph                         = Kokkos::create_staticcrsgraph<Graph>("graph", rows);
  EXPECT_TRUE(graph.is_allocated());
  EXPECT_FALSE(Graph(typename Graph::entries_type(), graph.row_map).is_allocated());
  EXPECT_FALSE(Graph(graph.entries, typename Graph::row_map_type()).is_allocated());
  EXPECT_EQ(graph.numRows(), 3u);
  int sum = 0;
  Kokkos::parallel_reduce(Kokkos::RangePolicy<TypeParam>(0, 3), WeighEntries<Graph>{graph}, sum);
  EXPECT_EQ(sum, 3 + 3 * 15);
  EXPECT_EQ(Kokkos::maximum_entry(graph), 7);
  auto const mirror = Kokkos::create_mirror(graph);
  EXPECT_EQ(mirror.row_map(3), 5u);
  EXPECT_EQ(mirror.entries(3), 5);
  auto const seen = Kokkos::create_mirror_view(graph);
  EXPECT_EQ(seen.entries(4), 3);
  for (auto const& copy : {mirror, seen}) {  // copies keep the labels, by which tools recognise them
    EXPECT_EQ(copy.row_map.label(), graph.row_map.label());
    EXPECT_EQ(copy.entries.label(), "graph");
  }
  Kokkos::StaticCrsGraph<int, typename TypeParam::device_type> const other = graph;
  EXPECT_EQ(other.entries.data(), graph.entries.data());
}

// As upstream's: programs share the offsets with views of unsigned int, and kernels read half as much.
TYPED_TEST(OlderContainersTest, OffsetsHaveTheSizeTypeOfTheMemorySpace) {
  using Graph            = Kokkos::StaticCrsGraph<int, TypeParam>;
  using Memory           = typename TypeParam::memory_space;
  constexpr bool on_host = Kokkos::SpaceAccessibility<Kokkos::HostSpace, Memory>::accessible;
  using Expected         = std::conditional_t<on_host, std::size_t, unsigned int>;
  EXPECT_TRUE((std::is_same_v<typename Memory::size_type, Expected>));
  EXPECT_TRUE((std::is_same_v<typename Graph::row_map_type::value_type, Expected const>));
  EXPECT_TRUE((std::is_same_v<typename Kokkos::View<int*, TypeParam>::size_type, Expected>));
  EXPECT_TRUE((std::is_same_v<typename Kokkos::View<int*, TypeParam>::index_type, std::size_t>));
}

TYPED_TEST(OlderContainersTest, MoreEntriesThanOffsetsCanCountAreRefused) {
  using Graph = Kokkos::StaticCrsGraph<int, TypeParam, void, void, unsigned char>;
  EXPECT_EQ(Kokkos::create_staticcrsgraph<Graph>("graph", std::vector<int>{200, 55}).entries.extent(0), 255u);
  EXPECT_THROW(Kokkos::create_staticcrsgraph<Graph>("graph", std::vector<int>{200, 56}), std::runtime_error);
}

TYPED_TEST(OlderContainersTest, BlocksOfEqualCost) {
  using Graph = Kokkos::StaticCrsGraph<int, TypeParam>;
  std::vector<std::size_t> sizes(1000, 10);
  sizes[500] = 5000;
  auto graph = Kokkos::create_staticcrsgraph<Graph>("graph", sizes);
  EXPECT_EQ(graph.entries.extent(0), 14990u);
  graph.create_block_partitioning(10, 0);
  auto const mirror = Kokkos::create_mirror(graph);
  auto const& b     = mirror.row_block_offsets;
  EXPECT_EQ(b(0), 0u);
  EXPECT_EQ(b(10), 1000u);
  for (int i = 0; i < 10; ++i) {
    EXPECT_LE(b(i), b(i + 1));
    // No block has a cost far above the average, except the one with the long row, which contains no other row.
    auto const cost = mirror.row_map(b(i + 1)) - mirror.row_map(b(i));
    EXPECT_TRUE(cost <= 1520 || b(i + 1) == b(i) + 1) << i;
  }
}

// A row costs as much as `row_cost` entries: of rows of one entry, and of rows without any.
TYPED_TEST(OlderContainersTest, BlocksOfRowsThatCostMoreThanTheirEntries) {
  using Graph = Kokkos::StaticCrsGraph<int, TypeParam>;
  std::vector<std::size_t> sizes(200, 0);
  sizes[0] = 100;
  for (std::size_t row_cost : {0, 1, 100}) {
    auto graph = Kokkos::create_staticcrsgraph<Graph>("graph", sizes);
    graph.create_block_partitioning(2, row_cost);
    auto const mirror = Kokkos::create_mirror(graph);
    double const half = (100 + 200.0 * static_cast<double>(row_cost)) / 2;
    auto const before = [&](std::size_t row) {
      return (row > 0 ? 100.0 : 0.0) + static_cast<double>(row_cost) * static_cast<double>(row);
    };
    std::size_t const at = mirror.row_block_offsets(1);
    for (std::size_t row = 0; row <= 200; ++row)
      EXPECT_LE(std::abs(before(at) - half), std::abs(before(row) - half)) << row_cost << ": " << at << " or " << row;
  }
}

template <class Space>
void add_one_on_device(Kokkos::vector<int, Space>& v) {
  v.sync_device();
  auto const d = v.view_device();
  Kokkos::parallel_for(Kokkos::RangePolicy<Space>(0, static_cast<int>(v.size())), KOKKOS_LAMBDA(int i) { d(i) += 1; });
  v.modify_device();
}

TYPED_TEST(OlderContainersTest, VectorIsKeptOnBothSides) {
  Kokkos::vector<int, TypeParam> v;
  EXPECT_TRUE(v.empty() && !v.is_allocated());
  for (int i = 0; i < 100; ++i) v.push_back(2 * i);
  add_one_on_device(v);
  v.push_back(500);
  EXPECT_EQ(v.size(), 101u);
  EXPECT_EQ(v.front(), 1);
  EXPECT_TRUE(v.begin() == v.data() && v.cbegin() == v.data());
  EXPECT_TRUE(v.end() == v.data() + 101 && v.cend() == v.data() + 101);
  EXPECT_EQ(v[99], 199);
  EXPECT_EQ(v.back(), 500);
  EXPECT_TRUE(v.is_sorted());
  std::swap(v[99], v[100]);
  EXPECT_FALSE(v.is_sorted());
  std::swap(v[99], v[100]);
  EXPECT_EQ(v.find(199) - v.begin(), 99);
  EXPECT_EQ(v.find(200), v.end());
  EXPECT_EQ(*v.lower_bound(0, 100, 200), 500);
  v[100] = 400;  // without recording the change
  v.reserve(1000);
  EXPECT_EQ(v.back(), 400);
  v.pop_back();
  v.resize(102, 7);
  EXPECT_EQ(v[101], 7);
  v.assign(3, v[1]);
  EXPECT_EQ(v[2], 3);
}

TYPED_TEST(OlderContainersTest, VectorGrowsByItsFactorAndCopiesSides) {
  Kokkos::vector<int, TypeParam> v(4, 7);
  v.set_overallocation(0.5f);
  v.resize(10, 8);
  EXPECT_EQ(v.view_host().extent(0), 15u);
  v.reserve(10);  // sufficient already
  EXPECT_EQ(v.view_host().extent(0), 15u);
  EXPECT_EQ(v.span(), 15u);
  EXPECT_EQ(v.max_size(), 2000000000u);
  EXPECT_EQ(v.size(), 10u);
  v[3] = 9;
  v.host_to_device();  // although no change was recorded
  bool const shared = v.view_host().data() == v.view_device().data();
  v[3]              = 1;
  v.device_to_host();
  EXPECT_EQ(v[3], shared ? 1 : 9);
  EXPECT_EQ(v[9], 8);
  v.sync_device();
  v.on_device();
  bool const has_record =
      !Kokkos::vector<int, TypeParam>::impl_dualview_is_single_device;  // two devices may share memory
  EXPECT_EQ(v.need_sync_host(), has_record);
  v.sync_host();
  v.on_host();
  EXPECT_EQ(v.need_sync_device(), has_record);
  // Elements may have changed on the host without a record, so reserve records a change, with and without more memory.
  for (std::size_t const n : {5, 10, 100}) {
    v.clear_sync_state();
    v.reserve(n);
    EXPECT_EQ(v.need_sync_device(), has_record) << n;
    EXPECT_EQ(v.view_host().extent(0), n == 100 ? 150u : 15u);
  }
}

// Below the first element, each element, between two of them, and above the last one; with 0, 1 and several elements.
TYPED_TEST(OlderContainersTest, VectorRemovesItsLastElementIfThereIsOne) {
  Kokkos::vector<int, TypeParam> v(2, 7);
  for (std::size_t left : {1, 0, 0, 0}) {
    v.pop_back();
    EXPECT_EQ(v.size(), left);
    EXPECT_EQ(v.empty(), left == 0);
  }
  v.push_back(3);
  EXPECT_EQ(v.size(), 1u);
  EXPECT_EQ(v.front(), 3);
}

TYPED_TEST(OlderContainersTest, VectorFindsLikeTheStandardLibrary) {
  for (int n : {0, 1, 2, 3, 8}) {
    Kokkos::vector<int, TypeParam> v;
    std::vector<int> expected;
    for (int i = 0; i < n; ++i) v.push_back(2 * i), expected.push_back(2 * i);
    for (int value = -1; value <= 2 * n; ++value) {
      auto const found = std::find(expected.begin(), expected.end(), value);
      EXPECT_EQ(v.find(value) - v.begin(), found - expected.begin()) << value << " of " << n;
      if (n == 0) continue;
      // In each part.
      for (int first = 0; first < n; ++first)
        for (int last = first; last < n; ++last) {
          auto const bound = std::lower_bound(expected.begin() + first, expected.begin() + last + 1, value);
          auto const from = static_cast<std::size_t>(first), to = static_cast<std::size_t>(last);
          EXPECT_EQ(v.lower_bound(from, to, value) - v.begin(), bound - expected.begin())
              << value << " of " << n << " in [" << first << ", " << last << ']';
        }
    }
  }
}

TYPED_TEST(OlderContainersTest, VectorKnowsWhetherItIsSorted) {
  for (std::vector<int> const& numbers : std::vector<std::vector<int>>{
           {}, {3}, {3, 3}, {3, 4}, {4, 3}, {1, 2, 2, 5}, {2, 1, 3, 4}, {1, 2, 4, 3}, {1, 3, 2, 4}, {7, 7, 7}}) {
    Kokkos::vector<int, TypeParam> v;
    for (int const number : numbers) v.push_back(number);
    EXPECT_EQ(v.is_sorted(), std::is_sorted(numbers.begin(), numbers.end())) << testing::PrintToString(numbers);
  }
}

// With room for the new elements, and without: then the memory of the element that the value refers to ends.
TYPED_TEST(OlderContainersTest, VectorTakesItsOwnElementsAsValues) {
  using Vector           = Kokkos::vector<int, TypeParam>;
  using Standard         = std::vector<int>;
  auto const expect_same = [](char const* what, auto const& change) {
    for (bool const has_room : {false, true})
      for (std::size_t i = 0; i < 3; ++i) {
        Vector v;
        if (has_room) v.reserve(100);
        Standard expected = {5, 6, 7};
        for (int const n : expected) v.push_back(n);
        change(v, v[static_cast<int>(i)]);
        change(expected, expected[i]);
        EXPECT_EQ(Standard(v.begin(), v.end()), expected) << what << ", element " << i << ", room " << has_room;
      }
  };
  expect_same("push_back", [](auto& v, int const& value) { v.push_back(value); });
  expect_same("assign", [](auto& v, int const& value) { v.assign(50, value); });
  expect_same("resize", [](auto& v, int const& value) { v.resize(50, value); });
  for (int at = 0; at <= 3; ++at) {
    expect_same("insert", [at](auto& v, int const& value) { v.insert(v.begin() + at, value); });
    expect_same("insert of many",
                [at](auto& v, int const& value) { v.insert(v.begin() + at, std::size_t(20), value); });
  }
}

TYPED_TEST(OlderContainersTest, VectorInserts) {
  Kokkos::vector<int, TypeParam> v(3, 1), w;
  auto at = v.insert(v.begin() + 1, 5);
  EXPECT_EQ(at - v.begin(), 1);
  v.insert(v.begin() + 2, std::size_t(2), 6);
  w.insert(w.begin(), v.begin(), v.end());
  v.insert(v.end(), w.begin(), w.end());
  std::vector<int> const expected = {1, 5, 6, 6, 1, 1, 1, 5, 6, 6, 1, 1};
  EXPECT_EQ(std::vector<int>(v.begin(), v.end()), expected);
  v.clear();
  EXPECT_TRUE(v.empty());
}

}  // namespace
