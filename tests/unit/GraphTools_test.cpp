// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// choices: not-optimised
/// \file
/// Reports about graphs to tools.

#include "GraphTest.hpp"
#include "ToolsTest.hpp"

namespace {

using Kokkos::Testing::AddTo;
using Kokkos::Testing::events;
using Kokkos::Testing::Number;

template <class Space>
class GraphToolsTest : public Kokkos::Testing::ToolsTest {};
TYPED_TEST_SUITE(GraphToolsTest, Kokkos::Testing::ExecutionSpaces, Kokkos::Testing::SpaceName);

void begin(char const* name, std::uint32_t, std::uint64_t* id) {
  *id = events().size();
  events().push_back(std::string("begin ") + name);
}
void end(std::uint64_t) { events().push_back("end"); }

int mentions(std::string const& name) {
  int n = 0;
  for (auto const& line : events()) n += line.find(name) != std::string::npos;
  return n;
}

TYPED_TEST(GraphToolsTest, NodesAreNamedWhenTheyRun) {
  namespace tools = Kokkos::Tools::Experimental;
  Number<TypeParam> number("number");
  tools::set_begin_parallel_for_callback(begin);
  tools::set_end_parallel_for_callback(end);
  auto graph = Kokkos::Experimental::create_graph<TypeParam>([&](auto root) {
    root.then_parallel_for("the first node", 1, AddTo<TypeParam>{number})
        .then("the second node", AddTo<TypeParam>{number});
  });
  graph.instantiate();
  EXPECT_EQ(events().size(), 0u) << events().front();
  for (int submission = 1; submission <= 2; ++submission) {
    graph.submit();
    EXPECT_EQ(mentions("the first node"), submission);
    EXPECT_EQ(mentions("the second node"), submission);
    EXPECT_EQ(mentions("begin"), mentions("end"));
  }
  Kokkos::parallel_for("after the graph", Kokkos::RangePolicy<TypeParam>(0, 1), AddTo<TypeParam>{number});
  EXPECT_EQ(mentions("after the graph"), 1);
}

struct Tagged {};

/// One iteration of each pattern.
template <class Space>
struct Once {
  Number<Space> number;
  KOKKOS_FUNCTION void operator()(int) const { Kokkos::atomic_add(&number(), 1L); }
  KOKKOS_FUNCTION void operator()(int, long& sum) const { sum += 1; }
  KOKKOS_FUNCTION void operator()(int, long& sum, bool) const { sum += 1; }
  KOKKOS_FUNCTION void operator()() const { (*this)(0); }
  KOKKOS_FUNCTION void operator()(Tagged) const { (*this)(0); }
};

/// Each function that takes a label passes it on, and so does each that takes properties.
TYPED_TEST(GraphToolsTest, EveryFormOfANodeHasItsLabel) {
  namespace tools = Kokkos::Tools::Experimental;
  using Kokkos::Experimental::node_props;
  using Tag    = Kokkos::Experimental::ThenPolicy<Tagged>;
  using Policy = Kokkos::RangePolicy<TypeParam>;
  Number<TypeParam> number("number"), total("total");
  Once<TypeParam> const once{number};
  tools::set_begin_parallel_for_callback(begin);
  tools::set_begin_parallel_reduce_callback(begin);
  tools::set_begin_parallel_scan_callback(begin);
  int forms  = 0;
  auto label = [&forms] { return "form " + std::to_string(++forms) + "."; };
  TypeParam const space;
  Policy const policy(space, 0, 1);
  Kokkos::Experimental::Graph<TypeParam> graph(space);
  auto const root = graph.root_node();
  root.then_parallel_for(label(), policy, once);
  root.then_parallel_for(label(), 1, once);
  root.then_parallel_for(node_props(label()), policy, once);
  root.then_parallel_reduce(label(), policy, once, total);
  root.then_parallel_reduce(label(), 1, once, total);
  root.then_parallel_reduce(node_props(label()), policy, once, total);
  root.then_parallel_scan(label(), policy, once);
  root.then_parallel_scan(label(), policy, once, total);
  root.then_parallel_scan(label(), 1, once);
  root.then_parallel_scan(label(), 1, once, total);
  root.then(label(), space, once);
  root.then(label(), once);
  root.then(node_props(label()), once);
  root.then(node_props(label()), Tag(), once);
  root.then(label(), Tag(), once);
  graph.submit();
  space.fence();
  for (int form = 1; form <= forms; ++form) EXPECT_EQ(mentions("form " + std::to_string(form) + "."), 1) << form;
}

}  // namespace
