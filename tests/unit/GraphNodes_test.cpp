// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// choices: not-optimised
/// \file
/// All kinds of graph nodes: every pattern with every policy, single calls, and calls on the host.

#include "GraphTest.hpp"

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace {

using Kokkos::Experimental::create_graph;
using Kokkos::Experimental::Graph;
using Kokkos::Experimental::GraphNodeRef;
using Kokkos::Experimental::when_all;
using Kokkos::Testing::AddTo;
using Kokkos::Testing::Number;
using Kokkos::Testing::on_host;
using Kokkos::Testing::refusal;

template <class Space>
class GraphNodesTest : public ::testing::Test {};
TYPED_TEST_SUITE(GraphNodesTest, Kokkos::Testing::ExecutionSpaces, Kokkos::Testing::SpaceName);

struct Twice {};
using Kokkos::Experimental::get_device_handle;
using Kokkos::Experimental::node_props;
using Kokkos::Experimental::ThenPolicy;

/// Increments in each form of call.
template <class Space>
struct Count {
  Number<Space> number;
  KOKKOS_FUNCTION void operator()(int) const { Kokkos::atomic_add(&number(), 1L); }
  KOKKOS_FUNCTION void operator()(Twice, int) const { Kokkos::atomic_add(&number(), 2L); }
  KOKKOS_FUNCTION void operator()(int, int) const { Kokkos::atomic_add(&number(), 1L); }
  KOKKOS_FUNCTION void operator()(typename Kokkos::TeamPolicy<Space>::member_type const& member) const {
    Kokkos::single(Kokkos::PerTeam(member), [&] { Kokkos::atomic_add(&number(), 1L); });
  }
};

TYPED_TEST(GraphNodesTest, ForOverEveryPolicy) {
  using Range = Kokkos::RangePolicy<TypeParam>;
  using Tiles = Kokkos::MDRangePolicy<TypeParam, Kokkos::Rank<2>>;
  using Teams = Kokkos::TeamPolicy<TypeParam>;
  Number<TypeParam> number("number");
  Count<TypeParam> const count{number};
  auto graph = create_graph<TypeParam>([&](auto root) {
    root.then_parallel_for(3, count);
    root.then_parallel_for("three", 3, count);
    root.then_parallel_for(Range(0, 5), count).then_parallel_for("five", Range(5, 10), count);
    root.then_parallel_for("tag", Kokkos::RangePolicy<TypeParam, Twice>(0, 5), count);
    root.then_parallel_for("tiles", Tiles({0, 0}, {4, 6}), count);
    root.then_parallel_for("teams", Teams(7, 1), count);
    root.then_parallel_for("nothing", Range(3, 3), count).then_parallel_for("after nothing", 100, count);
  });
  graph.submit();
  graph.submit();
  graph.get_execution_space().fence();
  EXPECT_EQ(on_host(number)(), 2 * (3 + 3 + 10 + 10 + 24 + 7 + 100));
}

TYPED_TEST(GraphNodesTest, KnowWhatTheyDo) {
  using Kokkos::Experimental::GraphNodeKind;
  using Node = GraphNodeRef<TypeParam>;
  static_assert(Node::node_kind == GraphNodeKind::TypeErased);
  EXPECT_EQ(Node().get_node_kind(), GraphNodeKind::TypeErased);
  Number<TypeParam> number("number");
  TypeParam const space;
  Kokkos::Experimental::Graph<TypeParam> graph(Kokkos::Experimental::get_device_handle(space));
  EXPECT_TRUE(graph.get_device_handle() == Kokkos::Experimental::get_device_handle(space));
  EXPECT_EQ(graph.get_execution_space(), space);
  Node const root   = graph.root_node();
  Node const kernel = root.then_parallel_for(3, Count<TypeParam>{number});
  Node const host   = root.then_host("host", [] {});
  EXPECT_EQ(root.get_node_kind(), GraphNodeKind::Root);
  EXPECT_EQ(kernel.get_node_kind(), GraphNodeKind::Kernel);
  EXPECT_EQ(host.get_node_kind(), GraphNodeKind::Host);
  EXPECT_EQ(when_all(kernel, host).get_node_kind(), GraphNodeKind::Aggregate);
  graph.submit();
  space.fence();
  EXPECT_EQ(on_host(number)(), 3);
}

TYPED_TEST(GraphNodesTest, AGraphIsCreatedOnADeviceHandle) {
  Number<TypeParam> number("number");
  TypeParam const space = Kokkos::partition_space(TypeParam(), 1)[0];
  auto const graph      = create_graph(get_device_handle(space),
                                       [&](auto const& root) { root.then_parallel_for(3, Count<TypeParam>{number}); });
  EXPECT_EQ(graph.get_execution_space(), space);
  graph.submit(space);
  space.fence();
  EXPECT_EQ(on_host(number)(), 3);
}

/// No kernel of it ever runs: only the size of the grids matters.
struct Nothing {
  template <class... Where>
  KOKKOS_FUNCTION void operator()(Where const&...) const {}
};

TYPED_TEST(GraphNodesTest, RangesAndLeaguesMayHaveMoreThreadsThanAGrid) {
  using Range = Kokkos::RangePolicy<TypeParam, Kokkos::IndexType<std::int64_t>>;
  using Teams = Kokkos::TeamPolicy<TypeParam>;
  auto graph  = create_graph<TypeParam>([&](auto root) {
    root.then_parallel_for("range", Range(-5, std::int64_t(1) << 33), Nothing());
    root.then_parallel_for("teams", Teams(1 << 29, 1, Teams::vector_length_max()), Nothing());
  });
  EXPECT_NO_THROW(graph.instantiate());
}

/// Larger than the maximum size of kernel parameters.
template <class Space>
struct Large {
  Number<Space> number;
  long values[5000];
  KOKKOS_FUNCTION void operator()(int i) const { Kokkos::atomic_add(&number(), values[i]); }
};

TYPED_TEST(GraphNodesTest, LargeFunctor) {
  Number<TypeParam> number("number");
  auto graph = [&] {
    auto const large = std::make_unique<Large<TypeParam>>();
    large->number    = number;
    for (long i = 0; i < 5000; ++i) large->values[i] = i;
    return create_graph<TypeParam>([&](auto root) { root.then_parallel_for(5000, *large); });
  }();
  graph.submit();
  graph.submit();
  graph.get_execution_space().fence();
  EXPECT_EQ(on_host(number)(), 2 * 5000 * 4999 / 2);
}

// ---- reductions ---------------------------------------------------------------------------------------------------

template <class Space>
struct SumOf {
  Number<Space> factor;
  KOKKOS_FUNCTION void operator()(int i, long& sum) const { sum += factor() * i; }
  KOKKOS_FUNCTION void operator()(int i, int j, long& sum) const { sum += factor() * i * j; }
  KOKKOS_FUNCTION void operator()(typename Kokkos::TeamPolicy<Space>::member_type const& member, long& sum) const {
    Kokkos::single(Kokkos::PerTeam(member), [&] { sum += factor() * member.league_rank(); });
  }
};

template <class Space>
struct Copy {
  Number<Space> from, to;
  KOKKOS_FUNCTION void operator()() const { to() = from(); }
};

TYPED_TEST(GraphNodesTest, ReductionIsReadByTheNextNode) {
  Number<TypeParam> factor("factor"), sum("sum"), copy("copy");
  auto graph = create_graph<TypeParam>([&](auto root) {
    root.then("factor", AddTo<TypeParam>{factor, 1})
        .then_parallel_reduce("sum", Kokkos::RangePolicy<TypeParam>(0, 100000), SumOf<TypeParam>{factor}, sum)
        .then("copy", Copy<TypeParam>{sum, copy});
  });
  for (long submission = 1; submission <= 3; ++submission) {
    graph.submit();
    graph.get_execution_space().fence();
    EXPECT_EQ(on_host(sum)(), submission * (100000L * 99999L / 2));
    EXPECT_EQ(on_host(copy)(), on_host(sum)());
  }
}

TYPED_TEST(GraphNodesTest, ReductionsOverEveryPolicySideBySide) {
  Number<TypeParam> factor("factor"), range("range"), tiles("tiles"), teams("teams"), none("none"), total("total");
  auto graph = create_graph<TypeParam>([&](auto root) {
    SumOf<TypeParam> const sum{factor};
    auto ready = root.then("factor", AddTo<TypeParam>{factor, 1});
    auto a     = ready.then_parallel_reduce(1000, sum, range);
    auto b =
        ready.then_parallel_reduce(Kokkos::MDRangePolicy<TypeParam, Kokkos::Rank<2>>({0, 0}, {10, 20}), sum, tiles);
    auto c = ready.then_parallel_reduce("teams", Kokkos::TeamPolicy<TypeParam>(50, Kokkos::AUTO), sum, teams);
    auto d = ready.then_parallel_reduce("none", 0, sum, none);
    when_all(a, b, c, d).then("add", AddTo<TypeParam>{total, 1});
  });
  Kokkos::deep_copy(none, 7);
  for (int i = 1; i <= 2; ++i) {
    graph.submit();
    graph.get_execution_space().fence();
    EXPECT_EQ(on_host(range)(), i * 499500);
    EXPECT_EQ(on_host(tiles)(), i * 45 * 190);
    EXPECT_EQ(on_host(teams)(), i * 1225);
    EXPECT_EQ(on_host(none)(), 0);
    EXPECT_EQ(on_host(total)(), i);
  }
}

struct LargestSquare {
  KOKKOS_FUNCTION void operator()(int i, long& largest) const {
    long const square = static_cast<long>(i) * i % 1009;
    if (square > largest) largest = square;
  }
};

TYPED_TEST(GraphNodesTest, ReducerThatRefersToAView) {
  using Max            = Kokkos::Max<long, typename TypeParam::memory_space>;
  auto [graph, result] = [] {
    Kokkos::View<long, typename TypeParam::memory_space> largest("largest");
    auto made = create_graph<TypeParam>(
        [&](auto root) { root.then_parallel_reduce("largest", 2000, LargestSquare{}, Max(largest)); });
    return std::pair(made, largest);
  }();
  graph.submit();
  graph.get_execution_space().fence();
  long const expected = [] {
    long largest = 0;
    for (int i = 0; i < 2000; ++i) LargestSquare{}(i, largest);
    return largest;
  }();
  EXPECT_EQ(on_host(result)(), expected);
}

TYPED_TEST(GraphNodesTest, ReducerThatRefersToAVariableIsRefused) {
  if constexpr (Kokkos::SpaceAccessibility<TypeParam, Kokkos::HostSpace>::accessible) {
    long variable       = 0;
    auto const sentence = refusal([&] {
      (void)create_graph<TypeParam>([&](auto root) {
        root.then_parallel_reduce("largest", 10, LargestSquare{}, Kokkos::Max<long, Kokkos::HostSpace>(variable));
      });
    });
    EXPECT_NE(sentence.find("\"largest\" refers to a variable"), std::string::npos) << sentence;
  } else {
    GTEST_SKIP() << "Refused when the program is compiled.";
  }
}

TYPED_TEST(GraphNodesTest, KeepsTheResultOfAReduction) {
  Number<TypeParam> copy("copy");
  {
    auto graph = [&] {
      Number<TypeParam> factor("factor"), sum("sum");
      return create_graph<TypeParam>([&](auto root) {
        root.then("factor", AddTo<TypeParam>{factor, 1})
            .then_parallel_reduce(10, SumOf<TypeParam>{factor}, sum)
            .then("copy", Copy<TypeParam>{sum, copy});
      });
    }();
    graph.submit();
  }
  EXPECT_EQ(copy.use_count(), 1);
  EXPECT_EQ(on_host(copy)(), 45);
}

// ---- scans --------------------------------------------------------------------------------------------------------

template <class Space>
struct RunningSum {
  using value_type = long;
  Kokkos::View<long*, Space> sums;
  KOKKOS_FUNCTION void operator()(int i, long& sum, bool is_final) const {
    sum += i + 1;
    if (is_final) sums(i) = sum;
  }
};

TYPED_TEST(GraphNodesTest, Scans) {
  constexpr int n = 20000;
  Kokkos::View<long*, TypeParam> sums("sums", n), others("others", n);
  Number<TypeParam> total("total");
  auto graph = create_graph<TypeParam>([&](auto root) {
    auto first = root.then_parallel_scan("scan", Kokkos::RangePolicy<TypeParam>(0, n), RunningSum<TypeParam>{sums});
    first.then_parallel_scan("scan with a total", n, RunningSum<TypeParam>{others}, total);
  });
  for (int i = 0; i < 2; ++i) {
    Kokkos::deep_copy(sums, 0);
    Kokkos::deep_copy(others, 0);
    graph.submit();
    graph.get_execution_space().fence();
    auto const a = on_host(sums), b = on_host(others);
    for (long k = 0; k < n; ++k) {
      ASSERT_EQ(a(k), (k + 1) * (k + 2) / 2);
      ASSERT_EQ(b(k), a(k));
    }
    EXPECT_EQ(on_host(total)(), a(n - 1));
  }
}

// ---- single calls -------------------------------------------------------------------------------------------------

TYPED_TEST(GraphNodesTest, ThenCallsOnce) {
  Number<TypeParam> number("number");
  TypeParam const space;
  auto graph = create_graph(space, [&](auto const& root) {
    root.then("first", AddTo<TypeParam>{number, 1}).then("second", space, AddTo<TypeParam>{number, 10});
  });
  EXPECT_EQ(number.use_count(), 3);
  graph.submit(space);
  space.fence();
  EXPECT_EQ(on_host(number)(), 11);
}

/// Adds 100, or 1000 with the tag.
template <class Space>
struct AddHundred {
  Number<Space> number;
  KOKKOS_FUNCTION void operator()() const { number() += 100; }
  KOKKOS_FUNCTION void operator()(Twice) const { number() += 1000; }
};

TYPED_TEST(GraphNodesTest, TakeProperties) {
  Number<TypeParam> number("number"), sum("sum"), factor("factor");
  Kokkos::deep_copy(factor, 1);
  TypeParam const space;
  auto const device = get_device_handle(space);
  Count<TypeParam> const count{number};
  AddHundred<TypeParam> const hundred{number};
  auto graph = create_graph(space, [&](auto const& root) {
    root.then(hundred)
        .then(node_props(), hundred)
        .then(node_props("label"), hundred)
        .then(node_props(device, "label"), hundred)
        .then(ThenPolicy<Twice>{}, hundred)
        .then("label", ThenPolicy<Twice>{}, hundred)
        .then(node_props(std::string("label"), device), ThenPolicy<Twice>{}, hundred)
        .then_parallel_for(node_props("three", device), Kokkos::RangePolicy<TypeParam>(0, 3), count)
        .then_parallel_for(node_props("one"), Kokkos::TeamPolicy<TypeParam>(1, 1), count)
        .then_parallel_reduce(node_props(device), Kokkos::RangePolicy<TypeParam>(0, 4), SumOf<TypeParam>{factor}, sum);
  });
  graph.submit();
  space.fence();
  EXPECT_EQ(on_host(number)(), 3404);
  EXPECT_EQ(on_host(sum)(), 6);
}

TYPED_TEST(GraphNodesTest, PropertiesAreThoseThatWereGiven) {
  TypeParam const other = Kokkos::partition_space(TypeParam(), 1)[0];
  auto const both       = node_props("label", get_device_handle(other));
  auto const reversed   = node_props(get_device_handle(other), std::string("another"));
  EXPECT_EQ(both.label, "label");
  EXPECT_EQ(reversed.label, "another");
  EXPECT_EQ(node_props().label, "");
  EXPECT_TRUE(both.device.m_exec == other && reversed.device.m_exec == other);
}

TYPED_TEST(GraphNodesTest, WithoutAGraphEachFunctionNamesItself) {
  using Policy = Kokkos::RangePolicy<TypeParam>;
  Number<TypeParam> number("number"), sum("sum"), factor("factor");
  TypeParam const space;
  Policy const policy(space, 0, 1);
  Count<TypeParam> const count{number};
  AddHundred<TypeParam> const hundred{number};
  SumOf<TypeParam> const sum_of{factor};
  GraphNodeRef<TypeParam> const none;
  auto const named = create_graph<TypeParam>([](auto) {});
  using Call       = std::pair<char const*, std::function<void()>>;
  for (auto const& [name, call] : std::vector<Call>{
           {"then_parallel_for", [&] { none.then_parallel_for(1, count); }},
           {"then_parallel_for", [&] { none.then_parallel_for(policy, count); }},
           {"then_parallel_for", [&] { none.then_parallel_for(node_props("label"), policy, count); }},
           {"then_parallel_reduce", [&] { none.then_parallel_reduce(1, sum_of, sum); }},
           {"then_parallel_reduce", [&] { none.then_parallel_reduce("label", policy, sum_of, sum); }},
           {"then_deep_copy", [&] { none.then_deep_copy(number, sum); }},
           {"then_deep_copy", [&] { none.then_deep_copy("label", number, sum); }},
           {"then_deep_copy", [&] { none.then_deep_copy(space, number, sum); }},
           {"then_fill", [&] { none.then_fill(number, 1L); }},
           {"then_fill", [&] { none.then_fill("label", number, 1L); }},
           {"then_fill", [&] { none.then_fill(space, number, 1L); }},
           {"then", [&] { none.then(hundred); }},
           {"then", [&] { none.then("label", hundred); }},
           {"then_host", [&] { none.then_host("label", [] {}); }},
           {"when_all", [&] { when_all(none); }},
           {"when_all", [&] { when_all(named.root_node(), none); }},
           {"when_all", [&] { when_all(none, named.root_node()); }},
       })
    EXPECT_EQ(
        refusal(call).find(std::string("Kokkos::Experimental::") + name + " was called for a node that belongs to no"),
        0u)
        << name << ": " << refusal(call);
}

// Each error ends with what the program can do.
TYPED_TEST(GraphNodesTest, ErrorsSayWhatToDo) {
  using Range = Kokkos::RangePolicy<TypeParam>;
  Number<TypeParam> number("number"), factor("factor");
  AddHundred<TypeParam> const hundred{number};
  Graph<TypeParam> graph = create_graph<TypeParam>([](auto) {}), other = create_graph<TypeParam>([](auto) {});
  long variable                = 0;
  auto const expect_the_remedy = [](std::string const& sentence, char const* remedy) {
    EXPECT_TRUE(sentence.ends_with(std::string(" ") + remedy)) << sentence;
  };
  expect_the_remedy(refusal([&] {
                      graph.root_node().then_parallel_reduce("sum", Range(0, 4), SumOf<TypeParam>{factor},
                                                             Kokkos::Sum<long, TypeParam>(variable));
                    }),
                    "give the reducer a Kokkos::View of rank 0, which the graph keeps alive.");
  expect_the_remedy(refusal([&] { when_all(graph.root_node(), other.root_node()); }),
                    "submit them one after the other on the same execution space instance.");
  expect_the_remedy(refusal([&] { GraphNodeRef<TypeParam>().then(hundred); }),
                    "A node does not keep its graph alive; the Graph object does.");
  graph.instantiate();
  expect_the_remedy(refusal([&] { graph.instantiate(); }),
                    "Call it once, after the last node has been added and before submit().");
  expect_the_remedy(refusal([&] { graph.root_node().then(hundred); }),
                    "Add all nodes before that, or create another graph.");
}

struct Record {
  std::shared_ptr<std::atomic<int>> calls;
  void operator()() const { ++*calls; }
};

TYPED_TEST(GraphNodesTest, ThenHostCallsOnTheHost) {
  auto const calls = std::make_shared<std::atomic<int>>(0);
  Number<TypeParam> number("number");
  {
    auto graph = create_graph<TypeParam>([&](auto root) {
      root.then("add", AddTo<TypeParam>{number, 1})
          .then_host("record", Record{calls})
          .then("add", AddTo<TypeParam>{number, 1});
    });
    EXPECT_EQ(calls.use_count(), 2);
    EXPECT_EQ(*calls, 0);
    for (int i = 0; i < 5; ++i) graph.submit();
    graph.get_execution_space().fence();
    EXPECT_EQ(*calls, 5);
    EXPECT_EQ(on_host(number)(), 10);
  }
  EXPECT_EQ(calls.use_count(), 1);
}

}  // namespace
