// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Crs, its functions, and iterations in the order of a graph.

#include <Messages.hpp>
#include <TestSpaces.hpp>

#include <Kokkos_Crs.hpp>
#include <Kokkos_WorkGraphPolicy.hpp>

#include <algorithm>
#include <initializer_list>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

template <class Space>
class CrsTest : public ::testing::Test {};
TYPED_TEST_SUITE(CrsTest, Kokkos::Testing::ExecutionSpaces, Kokkos::Testing::SpaceName);

template <class Space>
using Graph = Kokkos::Crs<int, Space, void, int>;

template <class V>
V filled(std::vector<int> const& values) {
  V const result("values", values.size());
  auto const host = Kokkos::create_mirror_view(result);
  for (std::size_t i = 0; i < values.size(); ++i) host(i) = values[i];
  Kokkos::deep_copy(result, host);
  return result;
}

template <class Space>
Graph<Space> graph_of(std::vector<std::vector<int>> const& rows) {
  std::vector<int> ends{0}, entries;
  for (auto const& row : rows) {
    entries.insert(entries.end(), row.begin(), row.end());
    ends.push_back(static_cast<int>(entries.size()));
  }
  return Graph<Space>(filled<typename Graph<Space>::row_map_type>(ends),
                      filled<typename Graph<Space>::entries_type>(entries));
}

/// The rows, each sorted in ascending order.
template <class Crs>
std::vector<std::vector<int>> rows_of(Crs const& crs) {
  auto const ends    = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), crs.row_map);
  auto const entries = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), crs.entries);
  std::vector<std::vector<int>> rows(crs.numRows());
  for (std::size_t row = 0; row < rows.size(); ++row) {
    for (int e = ends(row); e < ends(row + 1); ++e) rows[row].push_back(entries(e));
    std::sort(rows[row].begin(), rows[row].end());
  }
  return rows;
}

TYPED_TEST(CrsTest, Rows) {
  EXPECT_EQ(Graph<TypeParam>().numRows(), 0);
  EXPECT_EQ(graph_of<TypeParam>({{1}, {}, {0, 1}}).numRows(), 3);
}

TYPED_TEST(CrsTest, TransposedWhenTheCallReturns) {
  static int fences;
  fences = 0;
  Kokkos::Tools::Experimental::set_begin_fence_callback([](char const* name, std::uint32_t, std::uint64_t*) {
    fences += std::string(name) == "Kokkos::transpose_crs: fence after the entries are placed";
  });
  Graph<TypeParam> out;
  Kokkos::transpose_crs(out, graph_of<TypeParam>({{1, 2}, {}, {0, 2}}));
  Kokkos::Tools::Experimental::set_begin_fence_callback(nullptr);
  EXPECT_EQ(fences, 1);
}

TYPED_TEST(CrsTest, Transposed) {
  Graph<TypeParam> out;
  Kokkos::transpose_crs(out, graph_of<TypeParam>({{1, 2}, {}, {0, 2}}));
  EXPECT_EQ(rows_of(out), (std::vector<std::vector<int>>{{2}, {0}, {0, 2}}));
  // All threads add to one row.
  std::vector<std::vector<int>> rows(20000, {1});
  Kokkos::transpose_crs(out, graph_of<TypeParam>(rows));
  auto const transposed = rows_of(out);
  EXPECT_TRUE(transposed[0].empty());
  std::vector<int> numbers(rows.size());
  std::iota(numbers.begin(), numbers.end(), 0);
  EXPECT_EQ(transposed[1], numbers);
}

/// Row i has the entries 0, 1, ... i - 1.
struct Triangle {
  KOKKOS_FUNCTION int operator()(int row, int* entries) const {
    for (int i = 0; entries != nullptr && i < row; ++i) entries[i] = i;
    return row;
  }
};

TYPED_TEST(CrsTest, ViewsHaveTheirLabels) {
  auto const graph = graph_of<TypeParam>({{1, 2}, {}, {0, 2}});
  typename Graph<TypeParam>::row_map_type::non_const_type counts, offsets;
  Kokkos::get_crs_transpose_counts(counts, graph);
  EXPECT_EQ(counts.label(), "transpose_counts");
  Kokkos::get_crs_row_map_from_counts(offsets, counts);
  EXPECT_EQ(offsets.label(), "row_map");
  Kokkos::get_crs_transpose_counts(counts, graph, "mine");
  EXPECT_EQ(counts.label(), "mine");
  Kokkos::get_crs_row_map_from_counts(offsets, counts, "of mine");
  EXPECT_EQ(offsets.label(), "of mine");
  Graph<TypeParam> transposed, filled;
  Kokkos::transpose_crs(transposed, graph);
  EXPECT_EQ(transposed.row_map.label(), "transpose_row_map");
  EXPECT_EQ(transposed.entries.label(), "transpose_entries");
  Kokkos::count_and_fill_crs(filled, 4, Triangle());
  EXPECT_EQ(filled.row_map.label(), "row_map");
  EXPECT_EQ(filled.entries.label(), "entries");
}

TYPED_TEST(CrsTest, CountedAndFilled) {
  Graph<TypeParam> crs;
  Kokkos::count_and_fill_crs(crs, 4, Triangle());
  EXPECT_EQ(rows_of(crs), (std::vector<std::vector<int>>{{}, {0}, {0, 1}, {0, 1, 2}}));
  EXPECT_EQ(crs.entries.extent(0), 6u);
  Graph<TypeParam> same;
  Kokkos::CountAndFill<Graph<TypeParam>, Triangle>(same, 4, Triangle());
  EXPECT_EQ(rows_of(same), rows_of(crs));
}

struct Tag {};

/// The value of each iteration is one more than the maximum of its predecessors, and 1 without predecessors.
template <class Space>
struct Depth {
  Graph<Space> befores;
  Kokkos::View<int*, Space> depth;
  KOKKOS_FUNCTION void operator()(int i) const {
    int largest = 0;
    for (int e = befores.row_map(i); e < befores.row_map(i + 1); ++e)
      if (depth(befores.entries(e)) > largest) largest = depth(befores.entries(e));
    depth(i) += largest + 1;
  }
  KOKKOS_FUNCTION void operator()(Tag, int i) const { (*this)(i); }
};

template <class Policy, class Space>
std::vector<int> depths(Graph<Space> const& graph) {
  Depth<Space> depth{{}, Kokkos::View<int*, Space>("depth", graph.numRows())};
  Kokkos::transpose_crs(depth.befores, graph);
  Kokkos::parallel_for("depth", Policy(graph), depth);
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), depth.depth);
  return {host.data(), host.data() + host.extent(0)};
}

template <class Space>
struct HundredEntries {
  KOKKOS_FUNCTION int operator()(int, int* entries) const {
    for (int e = 0; entries != nullptr && e < 100; ++e) entries[e] = e;
    return 100;
  }
};

TYPED_TEST(CrsTest, MoreEntriesThanAnOffsetCountsAreRefused) {
  using Small = Kokkos::Crs<int, TypeParam, void, unsigned char>;
  Small crs;
  Kokkos::count_and_fill_crs(crs, 2, HundredEntries<TypeParam>());
  EXPECT_EQ(crs.entries.extent(0), 200u);
  auto const before = crs.row_map.data();
  Kokkos::Testing::expect_all(
      Kokkos::Testing::thrown_message([&] { Kokkos::count_and_fill_crs(crs, 3, HundredEntries<TypeParam>()); }),
      {"300 entries are more than the type of the offsets can count"});
  EXPECT_EQ(crs.entries.extent(0), 200u);
  typename Small::row_map_type map = crs.row_map;
  auto const lengths               = filled<Kokkos::View<int*, TypeParam>>({100, 100, 56});
  EXPECT_THROW(Kokkos::get_crs_row_map_from_counts(map, lengths), std::runtime_error);
  EXPECT_EQ(map.data(), before);
}

TYPED_TEST(CrsTest, IterationsRunAfterThoseThatTheyDependOn) {
  auto const graph = graph_of<TypeParam>({{3}, {0, 3}, {}, {2}, {}});
  EXPECT_EQ((depths<Kokkos::WorkGraphPolicy<TypeParam, int>>(graph)), (std::vector<int>{2, 1, 4, 3, 1}));
  EXPECT_EQ((depths<Kokkos::WorkGraphPolicy<TypeParam, int, Tag>>(graph)), (std::vector<int>{2, 1, 4, 3, 1}));
  // The row after an empty one does not count the entries before that again: iteration 4 waits for 0 and 3.
  auto const with_gap = graph_of<TypeParam>({{4}, {}, {3}, {4}, {}});
  EXPECT_EQ((depths<Kokkos::WorkGraphPolicy<TypeParam, int>>(with_gap)), (std::vector<int>{1, 1, 1, 2, 3}));
  // The levels themselves, whatever the order in which threads run the iterations of one.
  auto const order_of = [](auto const& rows) {
    Kokkos::WorkGraphPolicy<TypeParam, int> const policy(rows);
    auto const order   = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), policy.impl_order());
    auto const& levels = policy.impl_levels();
    return std::pair(std::vector<int>(order.data(), order.data() + order.extent(0)),
                     std::vector<std::size_t>(levels.level_ends(), levels.level_ends() + levels.level_count()));
  };
  using Levels = std::vector<std::size_t>;
  EXPECT_EQ(order_of(graph), std::pair(std::vector<int>({1, 4, 0, 3, 2}), Levels({2, 3, 4, 5})));
  EXPECT_EQ(order_of(with_gap), std::pair(std::vector<int>({0, 1, 2, 3, 4}), Levels({3, 4, 5})));
}

TYPED_TEST(CrsTest, CirclesAreRefused) {
  using Policy = Kokkos::WorkGraphPolicy<TypeParam, int>;
  Kokkos::Testing::expect_all(
      Kokkos::Testing::thrown_message([] { Policy(graph_of<TypeParam>({{1}, {2}, {1}})); }),
      {"2 of 3 iterations cannot run, because some of them depend on each other in a cycle. The graph must have no "
       "cycles."});
  Kokkos::Testing::expect_all(Kokkos::Testing::thrown_message([] { Policy(graph_of<TypeParam>({{1}, {}, {0, 3}})); }),
                              {"row 2 of the graph refers to iteration 3, but there are 3 rows. Entries must be less "
                               "than the number of rows."});
}

}  // namespace
