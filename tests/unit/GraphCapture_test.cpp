// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Graphs and the graphs of the vendor's runtime: nodes with a program's own commands, and the native objects.

#include "GraphTest.hpp"
#include "Thorough.hpp"

#if defined(KOKKOS_ENABLE_CUDA) || defined(KOKKOS_ENABLE_HIP)

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#ifdef KOKKOS_IMPL_GPU_MODEL
#include <hip_model.hpp>
#endif

// CUDA's and HIP's names differ in their prefix.
#ifdef KOKKOS_ENABLE_CUDA
#define VENDOR(NAME) cuda##NAME
#define VENDOR_MEMBER(NAME) cuda_##NAME
#else
#define VENDOR(NAME) hip##NAME
#define VENDOR_MEMBER(NAME) hip_##NAME
#endif

namespace {

using Device = Kokkos::DefaultExecutionSpace;
using Kokkos::Experimental::create_graph;
using Kokkos::Experimental::Graph;
using Kokkos::Experimental::GraphNodeRef;
using Kokkos::Testing::AddTo;
using Kokkos::Testing::Number;
using Kokkos::Testing::on_host;
using Kokkos::Testing::refusal;

struct SetBytes {
  Kokkos::View<int*, Device> view;
  std::shared_ptr<int> calls;
  void operator()(Device const& exec) const {
    ++*calls;
    ASSERT_EQ(VENDOR(MemsetAsync)(view.data(), 1, view.span() * sizeof(int), exec.VENDOR_MEMBER(stream)()),
              VENDOR(Success));
  }
};

struct AddIndex {
  Kokkos::View<int*, Device> view;
  KOKKOS_FUNCTION void operator()(int i) const { view(i) += i; }
};

TEST(GraphCaptureTest, CommandsOfTheProgram) {
  auto const calls  = std::make_shared<int>(0);
  Device const exec = Kokkos::Experimental::partition_space(Device(), 1)[0];
  Kokkos::View<int*, Device> view("view", 100);
  {
    auto graph = create_graph(Device(), [&](auto root) {
      root.VENDOR_MEMBER(capture)(exec, SetBytes{view, calls}).then_parallel_for(100, AddIndex{view});
    });
    EXPECT_EQ(view.use_count(), 3);
    EXPECT_EQ(*calls, 1);
    EXPECT_EQ(on_host(view)(5), 0);
    for (int i = 0; i < 3; ++i) graph.submit();
    graph.get_execution_space().fence();
  }
  EXPECT_EQ(*calls, 1);
  EXPECT_EQ(calls.use_count(), 1);
  EXPECT_EQ(view.use_count(), 1);
  auto const host = on_host(view);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(host(i), 0x01010101 + i);
  // The instance is usable as before.
  Kokkos::parallel_for(Kokkos::RangePolicy<Device>(exec, 0, 100), AddIndex{view});
  exec.fence();
  EXPECT_EQ(on_host(view)(7), 0x01010101 + 14);
}

struct RunKernels {
  Number<Device> number, sum;
  void operator()(Device const& exec) const {
    Kokkos::parallel_for("in a capture", Kokkos::RangePolicy<Device>(exec, 0, 10), AddTo<Device>{number});
    Kokkos::deep_copy(exec, sum, number);
  }
};

TEST(GraphCaptureTest, KernelsAndCopiesOfTheLibrary) {
  Device const exec = Kokkos::Experimental::partition_space(Device(), 1)[0];
  Number<Device> number("number"), sum("sum");
  auto graph = create_graph(Device(), [&](auto root) { root.VENDOR_MEMBER(capture)(exec, RunKernels{number, sum}); });
  graph.submit();
  graph.submit();
  Kokkos::fence();
  EXPECT_EQ(on_host(sum)(), 20);
}

struct Throw {
  void operator()(Device const&) const { throw std::runtime_error("as wanted"); }
};

TEST(GraphCaptureTest, FailureSpoilsTheGraphAndNothingElse) {
  Device const exec = Kokkos::Experimental::partition_space(Device(), 1)[0];
  Number<Device> number("number");
  Graph<Device> graph;
  EXPECT_EQ(refusal([&] { graph.root_node().VENDOR_MEMBER(capture)(exec, Throw{}); }), "as wanted");
  EXPECT_NE(refusal([&] { graph.instantiate(); }).find("Create a new graph"), std::string::npos);
  Kokkos::parallel_for(Kokkos::RangePolicy<Device>(exec, 0, 10), AddTo<Device>{number});
  exec.fence();
  EXPECT_EQ(on_host(number)(), 10);
}

TEST(GraphCaptureTest, NativeObjects) {
  Number<Device> number("number");
  auto graph = create_graph(Device(), [&](auto root) { root.then("add", AddTo<Device>{number}); });

  VENDOR(Graph_t) native = graph.native_graph();
  ASSERT_NE(native, nullptr);
  EXPECT_EQ(graph.native_graph_exec(), nullptr);
  std::size_t nodes = 0;
  EXPECT_EQ(VENDOR(GraphGetNodes)(native, nullptr, &nodes), VENDOR(Success));
  EXPECT_EQ(nodes, 2u) << "the root and the kernel";

  graph.instantiate();
  VENDOR(GraphExec_t) exec = graph.native_graph_exec();
  EXPECT_NE(exec, nullptr);
  graph.submit();
  EXPECT_EQ(graph.native_graph(), native);
  EXPECT_EQ(graph.native_graph_exec(), exec);
  EXPECT_EQ(VENDOR(GraphLaunch)(exec, Device().VENDOR_MEMBER(stream)()), VENDOR(Success));
  Kokkos::fence();
  EXPECT_EQ(on_host(number)(), 2);
}

/// Number of nodes of a type in a graph and its child graphs.
std::size_t count_nodes(VENDOR(Graph_t) graph, VENDOR(GraphNodeType) wanted) {
  std::size_t count = 0;
  EXPECT_EQ(VENDOR(GraphGetNodes)(graph, nullptr, &count), VENDOR(Success));
  std::vector<VENDOR(GraphNode_t)> nodes(count);
  EXPECT_EQ(VENDOR(GraphGetNodes)(graph, nodes.data(), &count), VENDOR(Success));
  std::size_t found = 0;
  for (auto node : nodes) {
    VENDOR(GraphNodeType) type = VENDOR(GraphNodeTypeEmpty);
    EXPECT_EQ(VENDOR(GraphNodeGetType)(node, &type), VENDOR(Success));
    found += type == wanted;
    if (type != VENDOR(GraphNodeTypeGraph)) continue;
    VENDOR(Graph_t) child = nullptr;
    EXPECT_EQ(VENDOR(GraphChildGraphNodeGetGraph)(node, &child), VENDOR(Success));
    found += count_nodes(child, wanted);
  }
  return found;
}

struct SumIndices {
  Number<Device> factor;
  KOKKOS_FUNCTION void operator()(int i, long& sum) const { sum += factor() * i; }
};
struct SumUp {
  using value_type = long;
  Kokkos::View<long*, Device> sums;
  KOKKOS_FUNCTION void operator()(int i, long& sum, bool is_final) const {
    sum += i;
    if (is_final) sums(i) = sum;
  }
};

// The counter of a reduction's blocks is initially 0, and each replay resets it.
TEST(GraphCaptureTest, AReductionIsOneNodeHoweverOftenItRuns) {
  constexpr int n = 30000;  // many blocks
  Number<Device> factor("factor"), sum("sum");
  auto graph = create_graph(Device(), [&](auto root) {
    root.then_parallel_reduce("sum", Kokkos::RangePolicy<Device>(0, n), SumIndices{factor}, sum);
  });
  EXPECT_EQ(count_nodes(graph.native_graph(), VENDOR(GraphNodeTypeKernel)), 1u);
  EXPECT_EQ(count_nodes(graph.native_graph(), VENDOR(GraphNodeTypeMemset)), 0u);
  auto const instances = Kokkos::Experimental::partition_space(Device(), 1, 1);
  for (long i = 1; i <= (Kokkos::Testing::is_thorough() ? 30 : 6); ++i) {
    Device const& instance = instances[static_cast<std::size_t>(i % 2)];
    Kokkos::deep_copy(factor, i);
    graph.submit(instance);
    instance.fence();
    EXPECT_EQ(on_host(sum)(), i * (n * (n - 1L) / 2)) << "replay " << i;
  }
}

// The tiles of a scan record which values were published. So a node of the graph clears them in each run.
TEST(GraphCaptureTest, AScanClearsItsTilesEachTime) {
  constexpr int n = 50000;
  Kokkos::View<long*, Device> sums("sums", n);
  auto graph = create_graph(Device(), [&](auto root) { root.then_parallel_scan("scan", n, SumUp{sums}); });
  EXPECT_EQ(count_nodes(graph.native_graph(), VENDOR(GraphNodeTypeMemset)), 1u);
  for (int i = 0; i < 5; ++i) {
    Kokkos::deep_copy(sums, -1);
    graph.submit();
    Kokkos::fence();
    auto const host = on_host(sums);
    long wrong      = 0;
    for (long k = 0; k < n; ++k) wrong += host(k) != k * (k + 1) / 2;
    EXPECT_EQ(wrong, 0) << "replay " << i;
  }
}

struct FillPlain {
  Kokkos::View<double*, Kokkos::SharedHostPinnedSpace, Kokkos::MemoryUnmanaged> plain;
  void operator()(Device const& exec) const { Kokkos::deep_copy(exec, plain, 4.5); }
};

#ifdef KOKKOS_IMPL_GPU_MODEL
const char* no_event_while_a_graph_ends = nullptr;
#endif

// The graph keeps a node's data on the host, here the value of a fill of pageable memory, until the last submission has
// run.
void wait_for_submissions() {
  std::vector<double> plain(1000, 0);
  auto const instances = Kokkos::Experimental::partition_space(Device(), 1, 1);
  std::atomic<bool> held_back{true};
  // The runtime's function, because libraries before ROCm 5.3 have no hipLaunchHostFunc.
  ASSERT_EQ(Device::runtime_type::launch_host_function(
                instances[1].VENDOR_MEMBER(stream)(),
                [](void* flag) {
                  std::this_thread::sleep_for(std::chrono::milliseconds(50));
                  *static_cast<std::atomic<bool>*>(flag) = false;
                },
                &held_back),
            VENDOR(Success));
  {
    Graph<Device> graph;
    graph.root_node().VENDOR_MEMBER(capture)(instances[0],
                                             FillPlain{decltype(FillPlain::plain)(plain.data(), plain.size())});
    graph.instantiate();
    graph.submit(instances[1]);
#ifdef KOKKOS_IMPL_GPU_MODEL
    if (no_event_while_a_graph_ends) hip_model::fail_call(no_event_while_a_graph_ends, 1, hipErrorOutOfMemory);
#endif
  }
  EXPECT_FALSE(held_back) << "the graph has ended before it has run";
  instances[1].fence();
  EXPECT_EQ(plain, std::vector<double>(1000, 4.5));
}

TEST(GraphCaptureTest, WaitsForItsSubmissionsBeforeItEnds) { wait_for_submissions(); }

#ifdef KOKKOS_IMPL_GPU_MODEL
TEST(GraphCaptureTest, WaitsForItsSubmissionsWithoutAnEvent) {
  for (char const* call : {"hipEventCreateWithFlags", "hipEventRecord", "hipEventQuery"}) {
    SCOPED_TRACE(call);
    no_event_while_a_graph_ends = call;
    wait_for_submissions();
    hip_model::clear_faults();
  }
  no_event_while_a_graph_ends = nullptr;
}

/// A call that fails while the node "bad" is recorded, and whether the graph may then contain a part of the node.
struct FailedNode {
  char const* call;
  bool spoils;
};

// Each use of a graph after a failed node states which node failed; a new graph works.
TEST(GraphCaptureTest, StatesWhichNodeFailedAtEachLaterUse) {
  for (auto const& [call, spoils] : {FailedNode{"hipStreamBeginCapture", false},
                                     {"hipStreamEndCapture", true},
                                     {"hipGraphAddChildGraphNode", true},
                                     {"hipLaunchKernel", true}}) {
    SCOPED_TRACE(call);
    Device const exec = Kokkos::Experimental::partition_space(Device(), 1)[0];
    Number<Device> number("number");
    long sum = 0;
    for (bool const fails : {true, false}) {
      Graph<Device> graph;
      auto const root = graph.root_node();
      auto const good = root.then_parallel_for("good", 10, AddTo<Device>{number});
      if (fails) hip_model::fail_call(call, 1, hipErrorOutOfMemory);
      auto const add_bad        = [&] { (void)good.then_parallel_for("bad", 10, AddTo<Device>{number}); };
      std::string const message = refusal(add_bad);
      hip_model::clear_faults();
      EXPECT_EQ(message.find(call) != std::string::npos, fails) << message;
      std::function<void()> const uses[] = {
          [&] { (void)root.then_parallel_for("next", 10, AddTo<Device>{number, 0}); },
          [&] { (void)good.then_parallel_for(10, AddTo<Device>{number, 0}); },
          [&] { (void)root.VENDOR_MEMBER(capture)(exec, [](Device const&) {}); },
          [&] { graph.instantiate(); },
          [&] { graph.submit(exec); },
      };
      for (auto const& use : uses) {
        std::string const refused = refusal(use);
        EXPECT_EQ(refused.find("the node \"bad\" failed earlier") != std::string::npos, fails && spoils) << refused;
        EXPECT_EQ(refused.empty(), !(fails && spoils)) << refused;
      }
      exec.fence();
      sum += fails && spoils ? 0 : fails ? 10 : 20;
      EXPECT_EQ(on_host(number)(), sum);
    }
  }
}

// Programs keep many graphs, and a device has few queues for streams.
TEST(GraphCaptureTest, KeepsNoStreamOnceItIsInstantiated) {
  Number<Device> number("number");
  auto const streams = [] {
    return hip_model::call_count("hipStreamCreateWithFlags") + hip_model::call_count("hipStreamCreate") -
           hip_model::call_count("hipStreamDestroy");
  };
  std::size_t const before = streams();
  auto graph = create_graph(Device(), [&](auto root) { root.then_parallel_for(10, AddTo<Device>{number}); });
  graph.instantiate();
  EXPECT_EQ(streams(), before);
}
#endif

TEST(GraphCaptureTest, AddsToAGraphOfTheProgram) {
  Number<Device> number("number");
  VENDOR(Graph_t) native = nullptr;
  ASSERT_EQ(VENDOR(GraphCreate)(&native, 0), VENDOR(Success));
  Kokkos::Experimental::Graph graph(Device(), native);
  EXPECT_EQ(graph.native_graph(), native);
  graph.root_node().then_parallel_for(10, AddTo<Device>{number});
  graph.submit();
  graph.get_execution_space().fence();
  EXPECT_EQ(on_host(number)(), 10);
}

TEST(GraphCaptureTest, SubmissionIntoACaptureOutlivesTheGraph) {
#if defined(KOKKOS_ENABLE_HIP) && !KOKKOS_IMPL_GPU_HAS_USER_OBJECTS
  GTEST_SKIP() << "Launches into captured streams need ROCm 5.3.";
#endif
  const Device exec     = Kokkos::Experimental::partition_space(Device(), 1)[0];
  VENDOR(Graph_t) outer = nullptr;
  Number<Device> number("number");
  {
    Number<Device> step("step");
    Kokkos::deep_copy(step, 5);
    auto graph = create_graph(exec, [&](auto root) {
      root.then("add", AddTo<Device>{number, 1}).then_parallel_for(10, AddTo<Device>{step});
    });
    graph.instantiate();
    ASSERT_EQ(VENDOR(StreamBeginCapture)(exec.VENDOR_MEMBER(stream)(), VENDOR(StreamCaptureModeThreadLocal)),
              VENDOR(Success));
    graph.submit(exec);
    ASSERT_EQ(VENDOR(StreamEndCapture)(exec.VENDOR_MEMBER(stream)(), &outer), VENDOR(Success));
  }
  EXPECT_EQ(number.use_count(), 2);
  VENDOR(GraphExec_t) runs = nullptr;
  ASSERT_EQ(VENDOR(GraphInstantiateWithFlags)(&runs, outer, 0), VENDOR(Success));
  for (int i = 0; i < 4; ++i) ASSERT_EQ(VENDOR(GraphLaunch)(runs, exec.VENDOR_MEMBER(stream)()), VENDOR(Success));
  exec.fence();
  EXPECT_EQ(on_host(number)(), 4);
  EXPECT_EQ(VENDOR(GraphExecDestroy)(runs), VENDOR(Success));
  EXPECT_EQ(VENDOR(GraphDestroy)(outer), VENDOR(Success));
}

TEST(GraphCaptureTest, StreamThatEndsBeforeTheGraph) {
  Number<Device> number("number");
  auto graph = create_graph(Device(), [&](auto root) { root.then("add", AddTo<Device>{number}); });
  for (int i = 0; i < 3; ++i) {
    VENDOR(Stream_t) stream = nullptr;
    ASSERT_EQ(VENDOR(StreamCreate)(&stream), VENDOR(Success));
    {
      graph.submit(Device(stream));
    }
    ASSERT_EQ(VENDOR(StreamDestroy)(stream), VENDOR(Success));
  }
  EXPECT_EQ(on_host(number)(), 3);
}

}  // namespace

#else

TEST(GraphCaptureTest, NeedsADevice) { GTEST_SKIP() << "No enabled backend has graphs in its own runtime."; }

#endif
