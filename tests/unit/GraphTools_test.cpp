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

}  // namespace
