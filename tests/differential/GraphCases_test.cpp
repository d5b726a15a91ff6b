// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// choices: not-optimised
/// \file
/// Random graphs of kernels, copies and calls on the host, which several threads build and submit at once, beside others that create views, launch and fence.
/// Their results are those of the nodes one after the other.

#include "RandomCases.hpp"

#include <Kokkos_Graph.hpp>

#include <atomic>
#include <cstdint>
#include <string>
#include <thread>

#ifdef KOKKOS_ENABLE_CUDA
#define VENDOR(NAME) cuda##NAME
#define STREAM_OF(EXEC) (EXEC).cuda_stream()
#elif defined(KOKKOS_ENABLE_HIP)
#define VENDOR(NAME) hip##NAME
#define STREAM_OF(EXEC) (EXEC).hip_stream()
#endif

namespace {

using namespace Kokkos::Testing;
using Kokkos::Experimental::GraphNodeRef;

template <class Space>
class GraphCases : public ::testing::Test {};
TYPED_TEST_SUITE(GraphCases, PatternSpaces, SpaceName);

constexpr int max_predecessors = 3;

/// The amount that a node adds to its value, from the values of its predecessors.
KOKKOS_INLINE_FUNCTION std::uint32_t mixed(std::uint32_t value, std::uint32_t other) {
  return (value ^ other) * 2654435761u + 12345u;
}

/// The host memory that a node copies its row to and from, after its kernel.
enum class Detour { none, pageable, strided, pinned };

struct Node {
  int predecessors[max_predecessors];
  int count;
  Detour detour;
};

template <class Space>
struct RunNode {
  Kokkos::View<std::uint32_t**, Kokkos::LayoutRight, Space> values;  // (node, element)
  Node node;
  int number;
  KOKKOS_FUNCTION void operator()(int i) const {
    std::uint32_t value = values(number, i) + static_cast<std::uint32_t>(number);
    for (int p = 0; p < node.count; ++p) value = mixed(value, values(node.predecessors[p], i));
    values(number, i) = value;
  }
};

struct Shape {
  std::vector<Node> nodes;
  int width = 0, submissions = 0;
};
Shape any_shape(Random& random) {
  Shape shape;
  shape.width       = static_cast<int>(random.between(1, 300));
  shape.submissions = static_cast<int>(random.between(1, 3));
  int const count   = static_cast<int>(random.between(1, 12));
  for (int n = 0; n < count; ++n) {
    Node node{};
    node.detour = random.once_in(2) ? Detour::none : static_cast<Detour>(random.between(1, 3));
    node.count  = n == 0 ? 0 : static_cast<int>(random.between(0, max_predecessors));
    for (int p = 0; p < node.count; ++p) node.predecessors[p] = static_cast<int>(random.below(n));
    shape.nodes.push_back(node);
  }
  return shape;
}

/// A row for each node.
struct HostRows {
  explicit HostRows(Shape const& shape)
      : pageable("pageable", shape.nodes.size(), shape.width),
        strided("strided", shape.nodes.size(), shape.width),
        pinned("pinned", shape.nodes.size(), shape.width) {}

  /// Calls f with the node's row.
  template <class F>
  void with_row(int n, Detour detour, F const& f) const {
    if (detour == Detour::pageable) f(Kokkos::subview(pageable, n, Kokkos::ALL));
    if (detour == Detour::strided) f(Kokkos::subview(strided, n, Kokkos::ALL));
    if (detour == Detour::pinned) f(Kokkos::subview(pinned, n, Kokkos::ALL));
  }

  Kokkos::View<std::uint32_t**, Kokkos::LayoutRight, Kokkos::HostSpace> pageable;
  Kokkos::View<std::uint32_t**, Kokkos::LayoutLeft, Kokkos::HostSpace> strided;
  Kokkos::View<std::uint32_t**, Kokkos::LayoutRight, Kokkos::SharedHostPinnedSpace> pinned;
};

template <class Row>
struct AddOneOnTheHost {
  Row row;
  void operator()() const {
    for (std::size_t i = 0; i < row.extent(0); ++i) row(i) += 1;
  }
};

/// \param added what calls on the host add during a detour
template <class Values>
void run_in_order(Shape const& shape, Values const& value, std::uint32_t added) {
  for (int n = 0; n < static_cast<int>(shape.nodes.size()); ++n)
    for (int i = 0; i < shape.width; ++i) {
      std::uint32_t v = value(n, i) + static_cast<std::uint32_t>(n);
      for (int p = 0; p < shape.nodes[n].count; ++p) v = mixed(v, value(shape.nodes[n].predecessors[p], i));
      value(n, i) = v + (shape.nodes[n].detour == Detour::none ? 0 : added);
    }
}

template <class Space>
void build(Shape const& shape, GraphNodeRef<Space> const& root,
           Kokkos::View<std::uint32_t**, Kokkos::LayoutRight, Space> const& values, HostRows const& rows) {
  std::vector<GraphNodeRef<Space>> nodes;
  for (int n = 0; n < static_cast<int>(shape.nodes.size()); ++n) {
    Node const& node          = shape.nodes[n];
    GraphNodeRef<Space> after = node.count == 0 ? root : nodes[node.predecessors[0]];
    for (int p = 1; p < node.count; ++p) after = Kokkos::Experimental::when_all(after, nodes[node.predecessors[p]]);
    after =
        after.then_parallel_for("node", Kokkos::RangePolicy<Space>(0, shape.width), RunNode<Space>{values, node, n});
    rows.with_row(n, node.detour, [&](auto const& row) {
      auto const there = Kokkos::subview(values, n, Kokkos::ALL);
      after            = after.then_deep_copy(row, there)
                  .then_host("add", AddOneOnTheHost<std::remove_cvref_t<decltype(row)>>{row})
                  .then_deep_copy(there, row);
    });
    nodes.push_back(after);
  }
}

/// Runs the shape's nodes by a graph of the library, or, on a GPU, as kernels in a captured stream. \return what differs
template <class Space>
std::string run_shape(Shape const& shape, Space const& exec, [[maybe_unused]] bool captures) {
  Kokkos::View<std::uint32_t**, Kokkos::LayoutRight, Space> const values(Kokkos::view_alloc(exec, "values"),
                                                                         shape.nodes.size(), shape.width);
  HostRows const rows(shape);
  std::uint32_t added = 1;
  exec.fence();
#ifdef VENDOR
  if (captures) {
    VENDOR(Graph_t) graph          = nullptr;
    VENDOR(GraphExec_t) executable = nullptr;
    if (VENDOR(StreamBeginCapture)(STREAM_OF(exec), VENDOR(StreamCaptureModeThreadLocal)) != VENDOR(Success))
      return "no capture began";
    for (int n = 0; n < static_cast<int>(shape.nodes.size()); ++n) {
      Kokkos::parallel_for(Kokkos::RangePolicy<Space>(exec, 0, shape.width), RunNode<Space>{values, shape.nodes[n], n});
      rows.with_row(n, shape.nodes[n].detour, [&](auto const& row) {
        auto const there = Kokkos::subview(values, n, Kokkos::ALL);
        Kokkos::deep_copy(exec, row, there);
        Kokkos::deep_copy(exec, there, row);
      });
    }
    added = 0;
    if (VENDOR(StreamEndCapture)(STREAM_OF(exec), &graph) != VENDOR(Success) || graph == nullptr)
      return "the capture was spoilt";
    if (VENDOR(GraphInstantiateWithFlags)(&executable, graph, 0) != VENDOR(Success))
      return "the captured graph was not instantiated";
    for (int s = 0; s < shape.submissions; ++s)
      if (VENDOR(GraphLaunch)(executable, STREAM_OF(exec)) != VENDOR(Success)) return "the graph was not launched";
    exec.fence();
    (void)VENDOR(GraphExecDestroy)(executable);
    (void)VENDOR(GraphDestroy)(graph);
  } else
#endif
  {
    auto graph = Kokkos::Experimental::create_graph(
        exec, [&](GraphNodeRef<Space> const& root) { build<Space>(shape, root, values, rows); });
    for (int s = 0; s < shape.submissions; ++s) graph.submit(exec);
    exec.fence();
  }
  Kokkos::View<std::uint32_t**, Kokkos::LayoutRight, Kokkos::HostSpace> here("here", shape.nodes.size(), shape.width),
      expected("expected", shape.nodes.size(), shape.width);
  Kokkos::deep_copy(exec, here, values);
  exec.fence();
  for (int s = 0; s < shape.submissions; ++s) run_in_order(shape, expected, added);
  for (std::size_t n = 0; n < shape.nodes.size(); ++n)
    for (int i = 0; i < shape.width; ++i)
      if (here(n, i) != expected(n, i))
        return "node " + std::to_string(n) + ", element " + std::to_string(i) + ": " + std::to_string(here(n, i)) +
               " instead of " + std::to_string(expected(n, i));
  return {};
}

TYPED_TEST(GraphCases, AreTheirNodesInOrder) {
  for_each_case(16, 1000, [](Random& random) {
    TypeParam const exec = Kokkos::Experimental::partition_space(TypeParam(), 1)[0];
    EXPECT_EQ(run_shape(any_shape(random), exec, random.once_in(2)), "");
  });
}

#ifdef VENDOR
TYPED_TEST(GraphCases, ByThreadsBesideLaunchesAndFences) {
  for_each_case(2, 150, [](Random& random) {
    constexpr int builders = 2;
    auto const instances   = Kokkos::Experimental::partition_space(TypeParam(), std::vector<int>(builders + 1, 1));
    std::vector<std::vector<Shape>> shapes(builders);
    std::vector<std::string> wrong(builders);
    for (auto& s : shapes)
      for (int i = 0; i < 6; ++i) s.push_back(any_shape(random));
    std::atomic<int> running{builders};
    std::vector<std::thread> threads;
    for (int t = 0; t < builders; ++t)
      threads.emplace_back([&, t] {
        for (std::size_t i = 0; i < shapes[t].size() && wrong[t].empty(); ++i)
          wrong[t] = run_shape(shapes[t][i], TypeParam(instances[t]), i % 2 == 0);
        --running;
      });
    long disturbances = 0, right = 0;
    while (running > 0) {
      Kokkos::View<long*, TypeParam> const view(Kokkos::view_alloc(instances[builders], "view"), 100);
      Kokkos::deep_copy(instances[builders], view, disturbances);
      Kokkos::View<long*, Kokkos::HostSpace> const here("here", 100);
      Kokkos::deep_copy(instances[builders], here, view);
      instances[builders].fence();
      if (random.once_in(4)) Kokkos::fence();
      right += here(99) == disturbances++;
    }
    for (auto& t : threads) t.join();
    EXPECT_EQ(right, disturbances);
    for (auto const& w : wrong) EXPECT_EQ(w, "");
  });
}
#endif

}  // namespace
