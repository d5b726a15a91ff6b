// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// choices: device1 isa team
/// \file
/// Graphs: their phases, dependencies, submissions, and the lifetime of their objects.

#include "GraphTest.hpp"
#include "KernelWatch.hpp"
#include "Messages.hpp"

#include <algorithm>
#include <atomic>
#include <optional>
#include <thread>

namespace {

using Kokkos::Experimental::create_graph;
using Kokkos::Experimental::Graph;
using Kokkos::Experimental::GraphNodeRef;
using Kokkos::Experimental::when_all;
using Kokkos::Testing::AddTo;
using Kokkos::Testing::Diary;
using Kokkos::Testing::Number;
using Kokkos::Testing::on_host;
using Kokkos::Testing::refusal;

template <class Space>
class GraphTest : public ::testing::Test {};
TYPED_TEST_SUITE(GraphTest, Kokkos::Testing::ExecutionSpaces, Kokkos::Testing::SpaceName);

template <class Space>
Graph<Space> counting_graph(Number<Space> const& number, long what = 1) {
  return create_graph(Space(), [&](auto root) { root.then_parallel_for(1, AddTo<Space>{number, what}); });
}

bool comes_before(std::vector<int> const& order, int first, int second) {
  return std::find(order.begin(), order.end(), first) < std::find(order.begin(), order.end(), second);
}

// ---- phases -------------------------------------------------------------------------------------------------------

TYPED_TEST(GraphTest, RunsNothingBeforeItIsSubmitted) {
  Number<TypeParam> number("number");
  auto graph = counting_graph<TypeParam>(number);
  EXPECT_EQ(on_host(number)(), 0);
  graph.instantiate();
  EXPECT_EQ(on_host(number)(), 0);
  graph.submit();
  graph.get_execution_space().fence();
  EXPECT_EQ(on_host(number)(), 1);
}

TYPED_TEST(GraphTest, FirstSubmissionInstantiates) {
  Number<TypeParam> number("number");
  auto graph = counting_graph<TypeParam>(number);
  graph.submit();
  graph.get_execution_space().fence();
  EXPECT_EQ(on_host(number)(), 1);
  auto const sentence = refusal([&] { graph.instantiate(); });
  EXPECT_NE(sentence.find("has been instantiated"), std::string::npos) << sentence;
}

TYPED_TEST(GraphTest, InstantiatesOnce) {
  Number<TypeParam> number("number");
  auto graph = counting_graph<TypeParam>(number);
  graph.instantiate();
  EXPECT_NE(refusal([&] { graph.instantiate(); }).find("has been instantiated"), std::string::npos);
  graph.submit();
  graph.get_execution_space().fence();
  EXPECT_EQ(on_host(number)(), 1);
}

TYPED_TEST(GraphTest, IsInstantiatedByOneOfManyThreads) {
  for (int round = 0; round < 20; ++round) {
    Number<TypeParam> number("number");
    auto graph = counting_graph<TypeParam>(number);
    std::atomic<int> ready{0}, instantiated{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
      threads.emplace_back([&] {
        for (++ready; ready < 4;) std::this_thread::yield();
        instantiated += refusal([&] { graph.instantiate(); }).empty();
      });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(instantiated, 1);
  }
}

TYPED_TEST(GraphTest, TakesNoNodesOnceInstantiated) {
  Number<TypeParam> number("number");
  auto graph      = counting_graph<TypeParam>(number);
  auto const root = graph.root_node();
  auto const node = root.then_parallel_for("second", 1, AddTo<TypeParam>{number});
  graph.instantiate();
  auto const sentence = refusal([&] { node.then_parallel_for("third", 1, AddTo<TypeParam>{number}); });
  EXPECT_NE(sentence.find("\"third\""), std::string::npos) << sentence;
  EXPECT_NE(sentence.find("locks the topology"), std::string::npos) << sentence;
  EXPECT_FALSE(refusal([&] { when_all(root, node); }).empty());
  graph.submit();
  graph.get_execution_space().fence();
  EXPECT_EQ(on_host(number)(), 2);
}

TYPED_TEST(GraphTest, MayBeEmpty) {
  auto graph = create_graph<TypeParam>([](auto) {});
  graph.instantiate();
  graph.submit();
  graph.submit(TypeParam());
  graph.get_execution_space().fence();

  Graph<TypeParam> never_submitted;
  Graph never_submitted_either{TypeParam()};
  static_assert(std::is_same_v<decltype(never_submitted_either), Graph<TypeParam>>);
}

// Each refusal of a node names it, or says that it has no label.
TEST(GraphTest, RefusalsNameTheNode) {
  for (auto* refuse : {&Kokkos::Impl::refuse_node_after_instantiation, &Kokkos::Impl::refuse_scalar_in_graph,
                       &Kokkos::Impl::refuse_spoiled_graph}) {
    Kokkos::Testing::expect_all(Kokkos::Testing::thrown_message([&] { refuse("my node"); }), {"the node \"my node\" "});
    Kokkos::Testing::expect_all(Kokkos::Testing::thrown_message([&] { refuse(""); }), {"the node without a label "});
  }
}

TEST(GraphTest, UsesTheDefaultSpace) {
  Number<Kokkos::DefaultExecutionSpace> number("number");
  Kokkos::Graph graph{};
  static_assert(std::is_same_v<decltype(graph)::execution_space, Kokkos::DefaultExecutionSpace>);
  graph.root_node().then("add", AddTo<Kokkos::DefaultExecutionSpace>{number});
  graph.submit();
  Kokkos::create_graph([&](GraphNodeRef<Kokkos::DefaultExecutionSpace> root) {
    root.then("add", AddTo<Kokkos::DefaultExecutionSpace>{number});
  }).submit();
  Kokkos::fence();
  EXPECT_EQ(on_host(number)(), 2);
}

// ---- dependencies -------------------------------------------------------------------------------------------------

TYPED_TEST(GraphTest, Diamond) {
  Diary<TypeParam> diary(4);
  auto graph = create_graph(TypeParam(), [&](auto root) {
    auto a = root.then_parallel_for("A", 1, diary.entry(0));
    auto b = a.then_parallel_for("B", 1, diary.entry(1));
    auto c = a.then_parallel_for("C", 1, diary.entry(2));
    auto d = when_all(b, c).then_parallel_for("D", 1, diary.entry(3));
  });
  graph.instantiate();
  for (int round = 0; round < 3; ++round) {
    Kokkos::deep_copy(diary.entries, -1);
    graph.submit();
    graph.get_execution_space().fence();
    auto const order = diary.read();
    EXPECT_EQ(order.front(), 0);
    EXPECT_EQ(order.back(), 3);
    EXPECT_NE(order[1], order[2]);
    EXPECT_TRUE(comes_before(order, 1, 3) && comes_before(order, 2, 3));
  }
}

TYPED_TEST(GraphTest, WhenAllTakesNodesTwiceAndInAnyOrder) {
  Diary<TypeParam> diary(5);
  create_graph(TypeParam(), [&](auto root) {
    auto a = root.then_parallel_for(1, diary.entry(0));
    auto b = a.then_parallel_for(1, diary.entry(1));
    auto c = b.then_parallel_for(1, diary.entry(2));
    auto d = when_all(c, b, root, c).then_parallel_for(1, diary.entry(3));
    when_all(when_all(d, a), when_all(b)).then_parallel_for(1, diary.entry(4));
  }).submit(TypeParam());
  TypeParam().fence();
  EXPECT_EQ(diary.read(), (std::vector<int>{0, 1, 2, 3, 4}));
}

template <class Space>
struct TripleAndAdd {
  Number<Space> number;
  long what;
  KOKKOS_FUNCTION void operator()() const { number() = (3 * number() + what) % 1000003; }
};

TYPED_TEST(GraphTest, LongChain) {
  Number<TypeParam> number("number");
  long expected = 0;
  auto graph    = create_graph<TypeParam>([&](GraphNodeRef<TypeParam> node) {
    for (long i = 0; i < 400; ++i) {
      node     = node.then("step", TripleAndAdd<TypeParam>{number, i});
      expected = (3 * expected + i) % 1000003;
    }
  });
  graph.submit();
  graph.get_execution_space().fence();
  EXPECT_EQ(on_host(number)(), expected);
}

template <class Space>
struct CheckSum {
  Number<Space> sum, failures;
  long expected;
  KOKKOS_FUNCTION void operator()() const {
    if (sum() != expected) failures() += 1;
  }
};

TYPED_TEST(GraphTest, ManyAtOnce) {
  // Layers of twelve nodes, each of which follows the whole previous layer.
  Number<TypeParam> sum("sum"), failures("failures");
  auto const layer = [&](auto const& before) {
    auto const add = [&] { return before.then_parallel_for(64, AddTo<TypeParam>{sum}); };
    return when_all(add(), add(), add(), add(), add(), add(), add(), add(), add(), add(), add(), add());
  };
  auto graph = create_graph<TypeParam>([&](GraphNodeRef<TypeParam> node) {
    for (long depth = 1; depth <= 10; ++depth)
      node = layer(node).then("check", CheckSum<TypeParam>{sum, failures, depth * 12 * 64});
  });
  graph.submit();
  graph.get_execution_space().fence();
  EXPECT_EQ(on_host(failures)(), 0);
  EXPECT_EQ(on_host(sum)(), 10 * 12 * 64);
}

// ---- submissions --------------------------------------------------------------------------------------------------

TYPED_TEST(GraphTest, IsSubmittedManyTimes) {
  Number<TypeParam> number("number");
  auto graph = counting_graph<TypeParam>(number);
  for (int i = 0; i < 100; ++i) graph.submit();
  graph.get_execution_space().fence();
  EXPECT_EQ(on_host(number)(), 100);
}

TYPED_TEST(GraphTest, KeepsTheOrderOfTheInstance) {
  TypeParam const space;
  Number<TypeParam> number("number");
  auto graph = create_graph(space, [&](auto root) { root.then("times three", TripleAndAdd<TypeParam>{number, 0}); });
  graph.instantiate();
  long expected = 0;
  for (int i = 0; i < 10; ++i) {
    Kokkos::parallel_for(Kokkos::RangePolicy<TypeParam>(space, 0, 1), AddTo<TypeParam>{number, 1});
    graph.submit(space);
    expected = 3 * (expected + 1) % 1000003;
  }
  space.fence();
  EXPECT_EQ(on_host(number)(), expected);
}

TYPED_TEST(GraphTest, RunsOnTheInstanceThatItIsSubmittedTo) {
  auto const spaces = Kokkos::Experimental::partition_space(TypeParam(), 1, 1);
  Number<TypeParam> number("number");
  auto graph = create_graph(spaces[0], [&](auto root) {
    root.then_parallel_for(Kokkos::RangePolicy<TypeParam>(spaces[0], 0, 10), AddTo<TypeParam>{number});
  });
  EXPECT_EQ(graph.get_execution_space(), spaces[0]);
  graph.submit(spaces[1]);
  spaces[1].fence();
  EXPECT_EQ(on_host(number)(), 10);
  graph.submit();
  spaces[0].fence();
  EXPECT_EQ(on_host(number)(), 20);
}

// A host runs each node by a kernel, which tools see.
TEST(GraphTest, HostsRunEachNodeInTheInstance) {
  using Space       = Kokkos::DefaultHostExecutionSpace;
  auto const spaces = Kokkos::Experimental::partition_space(Space(), 1, 1);
  Number<Space> number("number");
  auto graph = create_graph(spaces[0], [&](auto root) {
    root.then_parallel_for(Kokkos::RangePolicy<Space>(spaces[0], 0, 10), AddTo<Space>{number});
  });
  graph.instantiate();
  Kokkos::Testing::expect_kernels_in(spaces[1], "submit to another instance", [&] { graph.submit(spaces[1]); });
  Kokkos::Testing::expect_kernels_in(spaces[0], "submit", [&] { graph.submit(); });
  EXPECT_EQ(on_host(number)(), 20);
}

TYPED_TEST(GraphTest, IsSubmittedByManyThreads) {
  Number<TypeParam> number("number");
  auto graph = counting_graph<TypeParam>(number);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&graph] {
      for (int i = 0; i < 25; ++i) graph.submit();
    });
  for (auto& thread : threads) thread.join();
  Kokkos::fence();
  EXPECT_EQ(on_host(number)(), 100);
}

// ---- lifetimes ----------------------------------------------------------------------------------------------------

// Each submission is the first one on its instance, which the graph records; instances end while others begin.
TYPED_TEST(GraphTest, IsSubmittedByManyThreadsOnInstancesOfTheirOwn) {
  for (int round = 0; round < 30; ++round) {
    Number<TypeParam> number("number");
    auto graph = counting_graph<TypeParam>(number);
    graph.instantiate();
    std::vector<std::thread> threads;
    for (int t = 0; t < 8; ++t)
      threads.emplace_back([&graph] {
        for (int i = 0; i < 20; ++i) {
          TypeParam const own = Kokkos::Experimental::partition_space(TypeParam(), 1)[0];
          graph.submit(own);
          own.fence();
        }
      });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(on_host(number)(), 160);
  }
}

TYPED_TEST(GraphTest, KeepsWhatItsFunctorsReferTo) {
  Number<TypeParam> number("number");
  auto graph = [&] {
    Kokkos::View<int*, TypeParam> entries("entries", 10);
    Number<TypeParam> length("length");
    return create_graph(TypeParam(), [&](auto root) {
      using Entry = typename Diary<TypeParam>::Entry;
      root.then_parallel_for(10, Entry{entries, length, 5})
          .then_parallel_for(1, Entry{entries, length, 5})
          .then_parallel_for(1, AddTo<TypeParam>{number});
    });
  }();
  Kokkos::View<int*, TypeParam> others("takes the memory if it was given back", 10);
  graph.submit();
  graph.submit();
  graph.get_execution_space().fence();
  EXPECT_EQ(on_host(number)(), 2);
  for (int i = 0; i < 10; ++i) EXPECT_EQ(on_host(others)(i), 0);
}

TYPED_TEST(GraphTest, HoldsOneReferencePerNodeUntilItIsGone) {
  Number<TypeParam> number("number");
  std::optional<Graph<TypeParam>> graph = counting_graph<TypeParam>(number);
  EXPECT_EQ(number.use_count(), 2);
  graph->root_node().then("another", AddTo<TypeParam>{number});
  EXPECT_EQ(number.use_count(), 3);
  graph->instantiate();
  graph->submit();
  EXPECT_EQ(number.use_count(), 3);
  {
    auto const copy = graph;
    graph.reset();
    EXPECT_EQ(number.use_count(), 3);
  }
  EXPECT_EQ(number.use_count(), 1);
  EXPECT_EQ(on_host(number)(), 2);
}

TYPED_TEST(GraphTest, NodesDoNotKeepTheGraph) {
  Number<TypeParam> number("number");
  GraphNodeRef<TypeParam> node;
  EXPECT_NE(refusal([&] { node.then("lost", AddTo<TypeParam>{number}); }).find("belongs to no graph"),
            std::string::npos);
  {
    Graph<TypeParam> graph;
    node = graph.root_node().then("add", AddTo<TypeParam>{number});
  }
  EXPECT_EQ(number.use_count(), 1);
  EXPECT_NE(refusal([&] { node.then_parallel_for(1, AddTo<TypeParam>{number}); }).find("belongs to no graph"),
            std::string::npos);
}

TYPED_TEST(GraphTest, WhenAllRefusesNodesOfSeveralGraphs) {
  Graph<TypeParam> one, another;
  auto const sentence = refusal([&] { when_all(one.root_node(), another.root_node()); });
  EXPECT_NE(sentence.find("when_all was given nodes of different graphs"), std::string::npos) << sentence;
}

}  // namespace
