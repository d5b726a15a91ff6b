// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// choices: not-optimised
/// \file
/// Copies and fills as nodes of graphs: order, current contents at each submission, lifetime, refusals.

#include "GraphTest.hpp"
#include "ToolsTest.hpp"

#include <chrono>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <type_traits>

namespace {

using Kokkos::Experimental::create_graph;
using Kokkos::Experimental::Graph;
using Kokkos::Experimental::GraphNodeKind;
using Kokkos::Experimental::GraphNodeRef;
using Kokkos::Experimental::when_all;
using Kokkos::Testing::AddTo;
using Kokkos::Testing::Number;
using Kokkos::Testing::on_host;
using Kokkos::Testing::refusal;

template <class Space>
class GraphCopiesTest : public ::testing::Test {};
TYPED_TEST_SUITE(GraphCopiesTest, Kokkos::Testing::ExecutionSpaces, Kokkos::Testing::SpaceName);

template <class Space>
using Vector = Kokkos::View<int*, Space>;
using Host   = Kokkos::View<int*, Kokkos::HostSpace>;

/// Multiplies by two and adds the index.
template <class Space>
struct Step {
  Vector<Space> view;
  KOKKOS_FUNCTION void operator()(int i) const { view(i) = 2 * view(i) + i; }
};

template <class View>
int differences(View const& view, int factor, int summand) {
  auto const host = on_host(view);
  int count       = 0;
  for (std::size_t i = 0; i < host.size(); ++i) count += host(i) != factor * static_cast<int>(i) + summand;
  return count;
}

void number(Host const& host, int factor, int summand) {
  for (std::size_t i = 0; i < host.size(); ++i) host(i) = factor * static_cast<int>(i) + summand;
}

// ---- order and contents ---------------------------------------------------------------------------------------------

TYPED_TEST(GraphCopiesTest, CopyTheCurrentContentsAtEachSubmission) {
  for (int const n : {1, 1000, 60000}) {
    SCOPED_TRACE(n);
    Host const in("in", n), out("out", n);
    Vector<TypeParam> const device("device", n), other("other", n);
    auto graph = create_graph<TypeParam>([&](GraphNodeRef<TypeParam> const& root) {
      root.then_deep_copy("to the device", device, in)
          .then_parallel_for("step", n, Step<TypeParam>{device})
          .then_deep_copy(other, device)
          .then_deep_copy("to the host", out, other);
    });
    for (int round = 1; round <= 3; ++round) {
      number(in, round, 7);
      graph.submit();
      graph.get_execution_space().fence();
      EXPECT_EQ(differences(out, 2 * round + 1, 14), 0);
      EXPECT_EQ(differences(device, 2 * round + 1, 14), 0);
    }
  }
}

/// Adds one to all elements on the host, some time after it was called.
struct AddOneOnTheHost {
  Host view;
  int pause_ms = 0;
  void operator()() const {
    std::this_thread::sleep_for(std::chrono::milliseconds(pause_ms));
    for (std::size_t i = 0; i < view.size(); ++i) view(i) += 1;
  }
};

// A copy that reads pageable memory when the graph is submitted, and not when its predecessors have ended, gets old
// numbers.
TYPED_TEST(GraphCopiesTest, FollowTheCallsOnTheHostBeforeThem) {
  for (int const n : {1, 1000, 60000}) {
    SCOPED_TRACE(n);
    Host const in("in", n), out("out", n);
    Vector<TypeParam> const device("device", n);
    auto graph = create_graph<TypeParam>([&](GraphNodeRef<TypeParam> const& root) {
      root.then_host("change the source", AddOneOnTheHost{in, 3})
          .then_deep_copy(device, in)
          .then_parallel_for("step", n, Step<TypeParam>{device})
          .then_deep_copy(out, device)
          .then_host("change the result", AddOneOnTheHost{out});
    });
    number(in, 1, 0);
    for (int submission = 0; submission < 3; ++submission) graph.submit();
    graph.get_execution_space().fence();
    EXPECT_EQ(differences(in, 1, 3), 0);
    EXPECT_EQ(differences(out, 3, 7), 0);
  }
}

// A small pageable source is otherwise read during the call of deep_copy.
TYPED_TEST(GraphCopiesTest, NoCopyReadsEarlyWhatAGraphWrites) {
  TypeParam const space;
  Host const host("host", 100);
  Vector<TypeParam> const device("device", 100);
  auto graph = create_graph(
      space, [&](GraphNodeRef<TypeParam> const& root) { root.then_host("write", AddOneOnTheHost{host, 20}); });
  number(host, 1, 0);
  for (int submission = 1; submission <= 2; ++submission) {
    graph.submit(space);
    Kokkos::deep_copy(space, device, host);
    space.fence();
    EXPECT_EQ(differences(device, 1, submission), 0);
  }
}

template <class Space>
struct AddBoth {
  Vector<Space> a, b, sum;
  KOKKOS_FUNCTION void operator()(int i) const { sum(i) = a(i) + b(i); }
};

TYPED_TEST(GraphCopiesTest, Diamond) {
  constexpr int n = 3000;
  Host const in("in", n), out("out", n);
  Vector<TypeParam> const a("a", n), b("b", n), sum("sum", n);
  TypeParam const space;
  auto graph = create_graph(space, [&](GraphNodeRef<TypeParam> const& root) {
    auto const start = root.then_fill("fill", space, sum, -1);
    auto const left  = start.then_deep_copy("left", space, a, in).then_parallel_for(n, Step<TypeParam>{a});
    auto const right = start.then_fill(b, 5).then_parallel_for(n, Step<TypeParam>{b});
    when_all(left, right).then_parallel_for(n, AddBoth<TypeParam>{a, b, sum}).then_deep_copy(space, out, sum);
  });
  for (int round = 1; round <= 3; ++round) {
    number(in, round, 0);
    graph.submit();
    space.fence();
    EXPECT_EQ(differences(out, 2 * round + 1 + 1, 10), 0);
  }
}

// More than the buffers of a graph, so that a copy is made in chunks: one block, and rows with gaps between them.
TEST(GraphCopiesTest, LargeCopiesOfHostMemory) {
  using Device       = Kokkos::DefaultExecutionSpace;
  using Bytes        = Kokkos::View<unsigned char**, Kokkos::LayoutRight, Kokkos::HostSpace>;
  constexpr int rows = 36, width = 1 << 20;
  auto const without = [](char const* label) { return Kokkos::view_alloc(label, Kokkos::WithoutInitializing); };
  Bytes const in(without("in"), rows, width), out(without("out"), rows, width), wide(without("wide"), rows, width + 3);
  auto const part = Kokkos::subview(wide, Kokkos::ALL, std::pair(1, width + 1));
  Kokkos::View<unsigned char**, Kokkos::LayoutRight, Device> const one(without("one"), rows, width),
      two(without("two"), rows, width);
  auto graph = create_graph<Device>([&](GraphNodeRef<Device> const& root) {
    root.then_deep_copy(one, in).then_deep_copy(part, one).then_deep_copy(two, part).then_deep_copy(out, two);
  });
  for (int r = 0; r < rows; ++r)
    for (int i = 0; i < width; i += 4096) std::memset(&in(r, i), 7 * r + i / 4096, 4096);
  std::memset(wide.data(), 0, wide.span());
  graph.submit();
  graph.get_execution_space().fence();
  EXPECT_EQ(std::memcmp(in.data(), out.data(), in.span()), 0);
  for (int r = 0; r < rows; ++r) EXPECT_EQ(std::memcmp(&in(r, 0), &wide(r, 1), width), 0);
  for (int r = 0; r < rows; ++r) EXPECT_EQ(wide(r, 0) + wide(r, width + 1) + wide(r, width + 2), 0);
}

// A graph of the host waits in the submission for a copy that a device makes.
TEST(GraphCopiesTest, AGraphOfTheHostCopiesMemoryOfADevice) {
  using OnHost = Kokkos::DefaultHostExecutionSpace;
  Host const in("in", 1000), out("out", 1000);
  Vector<Kokkos::DefaultExecutionSpace> const device("device", 1000), other("other", 1000);
  auto graph = create_graph<OnHost>([&](GraphNodeRef<OnHost> const& root) {
    root.then_host("change the source", AddOneOnTheHost{in})
        .then_deep_copy(device, in)
        .then_deep_copy(other, device)
        .then_deep_copy(out, other)
        .then_parallel_for(1000, Step<OnHost>{Vector<OnHost>(out)})
        .then_fill(device, 1);
  });
  for (int submission = 1; submission <= 2; ++submission) {
    graph.submit();
    EXPECT_EQ(differences(out, 1, 2 * submission), 0);
    EXPECT_EQ(differences(device, 0, 1), 0);
  }
}

// ---- fills ----------------------------------------------------------------------------------------------------------

struct Triple {
  signed char x, y, z;
};

TYPED_TEST(GraphCopiesTest, FillsTakeTheirValueWhenTheyAreAdded) {
  using Matrix = Kokkos::View<double**, Kokkos::LayoutLeft, TypeParam>;
  Matrix const matrix("matrix", 30, 40);
  auto const part = Kokkos::subview(matrix, std::pair(2, 9), std::pair(3, 11));
  Kokkos::View<Triple*, TypeParam> const triples("triples", 50);
  Number<TypeParam> const one("one");
  Host const host("host", 1000);
  auto graph = [&] {
    double value = 1.5;
    auto made    = create_graph<TypeParam>([&](GraphNodeRef<TypeParam> const& root) {
      root.then_fill("all", matrix, 0).then_deep_copy("a part", part, value);
      root.then_fill("triples", triples, Triple{1, 2, 3});
      root.then_deep_copy(one, 42);
      root.then_fill("host", host, 7);
    });
    value        = 2.5;
    return made;
  }();
  for (int round = 0; round < 2; ++round) {
    Kokkos::deep_copy(matrix, -1.);
    Kokkos::deep_copy(host, -1);
    graph.submit();
    graph.get_execution_space().fence();
    auto const found = on_host(matrix);
    int wrong        = 0;
    for (int i = 0; i < 30; ++i)
      for (int j = 0; j < 40; ++j) wrong += found(i, j) != (i >= 2 && i < 9 && j >= 3 && j < 11 ? 1.5 : 0);
    EXPECT_EQ(wrong, 0);
    auto const last = on_host(triples)(49);
    EXPECT_EQ(last.x + 10 * last.y + 100 * last.z, 321);
    EXPECT_EQ(on_host(one)(), 42);
    EXPECT_EQ(differences(host, 0, 7), 0);
  }
}

// ---- what a graph keeps ---------------------------------------------------------------------------------------------

TYPED_TEST(GraphCopiesTest, KeepTheirViewsUntilTheGraphIsGone) {
  Host const in("in", 100), out("out", 100);
  Vector<TypeParam> const between("between", 100);
  number(in, 3, 1);
  {
    auto graph = create_graph<TypeParam>([&](GraphNodeRef<TypeParam> const& root) {
      root.then_fill(between, 1).then_deep_copy(between, in).then_deep_copy(out, between);
    });
    EXPECT_GE(in.use_count(), 2);
    EXPECT_GE(out.use_count(), 2);
    EXPECT_GE(between.use_count(), 4);
    graph.submit();
    graph.submit();
  }
  EXPECT_EQ(in.use_count(), 1);
  EXPECT_EQ(out.use_count(), 1);
  EXPECT_EQ(between.use_count(), 1);
  EXPECT_EQ(differences(out, 3, 1), 0);
}

// Elements that are not bytes are assigned by the host.
TYPED_TEST(GraphCopiesTest, CopyAndFillStrings) {
  Kokkos::View<std::string*, Kokkos::HostSpace> const from("from", 20), to("to", 20), filled("filled", 20);
  std::string const text = "longer than what a string stores without memory of its own";
  auto graph             = create_graph<TypeParam>([&](GraphNodeRef<TypeParam> const& root) {
    root.then_deep_copy(to, from);
    root.then_fill("fill", filled, text);
  });
  for (int round = 0; round < 2; ++round) {
    for (int i = 0; i < 20; ++i) from(i) = std::to_string(i + round) + text;
    graph.submit();
    graph.get_execution_space().fence();
    for (int i = 0; i < 20; ++i) EXPECT_EQ(to(i), std::to_string(i + round) + text);
    EXPECT_EQ(filled(19), text);
  }
}

// ---- nothing to copy, and refusals ----------------------------------------------------------------------------------

TYPED_TEST(GraphCopiesTest, WithoutElementsOrToThemselvesDoNothing) {
  Vector<TypeParam> const none("none", 0), empty("empty", 0), view("view", 10);
  Number<TypeParam> const count("count");
  auto graph = create_graph<TypeParam>([&](GraphNodeRef<TypeParam> const& root) {
    root.then_deep_copy(none, empty)
        .then_fill(empty, 3)
        .then_deep_copy(view, view)
        .then("count", AddTo<TypeParam>{count});
  });
  Kokkos::deep_copy(view, 4);
  graph.submit();
  graph.submit();
  graph.get_execution_space().fence();
  EXPECT_EQ(differences(view, 0, 4), 0);
  EXPECT_EQ(on_host(count)(), 2);
}

TYPED_TEST(GraphCopiesTest, RefusedNodesLeaveTheGraphAsItWas) {
  Vector<TypeParam> const view("view", 10), shorter("shorter", 9);
  Number<TypeParam> const count("count");
  Graph<TypeParam> graph;
  auto const root     = graph.root_node();
  auto const sentence = refusal([&] { root.then_deep_copy(view, shorter); });
  EXPECT_NE(sentence.find("\"view\""), std::string::npos) << sentence;
  EXPECT_NE(sentence.find("\"shorter\""), std::string::npos) << sentence;
  auto const front = Kokkos::subview(view, std::pair(0, 6)), back = Kokkos::subview(view, std::pair(4, 10));
  EXPECT_NE(refusal([&] { root.then_deep_copy(front, back); }).find("overlap"), std::string::npos);
  auto const node = root.then("count", AddTo<TypeParam>{count});
  graph.submit();
  EXPECT_NE(refusal([&] { node.then_deep_copy("late copy", view, view); }).find("\"late copy\""), std::string::npos);
  EXPECT_NE(refusal([&] { node.then_fill("late fill", view, 1); }).find("\"late fill\""), std::string::npos);
  EXPECT_NE(refusal([&] { node.then_fill(view, 1); }).find("fill of \"view\""), std::string::npos);
  EXPECT_NE(refusal([&] { node.then_deep_copy(view, view); }).find("\"view\" to \"view\""), std::string::npos);
  EXPECT_NE(refusal([&] { GraphNodeRef<TypeParam>().then_fill(view, 1); }).find("then_fill was called for a node"),
            std::string::npos);
  graph.submit();
  graph.get_execution_space().fence();
  EXPECT_EQ(on_host(count)(), 2);
}

TYPED_TEST(GraphCopiesTest, KnowTheirKind) {
  Vector<TypeParam> const view("view", 10), other("other", 10);
  Graph<TypeParam> graph;
  EXPECT_EQ(graph.root_node().then_deep_copy(view, other).get_node_kind(), GraphNodeKind::DeepCopy);
  EXPECT_EQ(graph.root_node().then_fill(view, 1).get_node_kind(), GraphNodeKind::DeepCopy);
}

// ---- tools ----------------------------------------------------------------------------------------------------------

template <class Space>
class GraphCopiesToolsTest : public Kokkos::Testing::ToolsTest {};
TYPED_TEST_SUITE(GraphCopiesToolsTest, Kokkos::Testing::ExecutionSpaces, Kokkos::Testing::SpaceName);

using Kokkos::Testing::events;

/// The number of events that contain the text.
int mentions(std::string const& text) {
  int n = 0;
  for (auto const& line : events()) n += line.find(text) != std::string::npos;
  return n;
}

// A host makes the calls of deep_copy at each submission. A device gets the whole graph in one launch, which is reported
// as a kernel with the labels of the nodes.
TYPED_TEST(GraphCopiesToolsTest, AreReportedWhenTheyRun) {
  namespace tools = Kokkos::Tools::Experimental;
  Vector<TypeParam> const view("view", 10), other("other", 10);
  Kokkos::fence();
  tools::set_begin_deep_copy_callback(
      [](Kokkos_Profiling_SpaceHandle, char const* dst, void const*, Kokkos_Profiling_SpaceHandle, char const* src,
         void const*, std::uint64_t) { events().push_back(std::string("copy of ") + src + " to " + dst); });
  tools::set_begin_parallel_for_callback(
      [](char const* name, std::uint32_t, std::uint64_t*) { events().push_back(std::string("kernel ") + name); });
  auto graph = create_graph<TypeParam>(
      [&](GraphNodeRef<TypeParam> const& root) { root.then_fill("the fill", view, 1).then_deep_copy(other, view); });
  graph.instantiate();
  EXPECT_EQ(events().size(), 0u) << events().front();
  bool const on_host = std::is_same_v<typename TypeParam::memory_space, Kokkos::HostSpace>;
  for (int submission = 1; submission <= 2; ++submission) {
    graph.submit();
    EXPECT_EQ(mentions("copy of view to other"), on_host ? submission : 0);
    EXPECT_EQ(mentions("copy of Scalar to view"), on_host ? submission : 0);
    EXPECT_EQ(mentions("kernel graph of 2 nodes (the fill, deep_copy of \"view\" to \"other\")"),
              on_host ? 0 : submission);
  }
  graph.get_execution_space().fence();
}

}  // namespace
