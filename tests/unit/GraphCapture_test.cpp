// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Graphs and the graphs of the vendor's runtime: nodes of a program's own commands, and the native objects.

#include "GraphTest.hpp"

#ifdef KOKKOS_ENABLE_CUDA

#include <memory>
#include <optional>

namespace {

using Kokkos::Cuda;
using Kokkos::Experimental::create_graph;
using Kokkos::Experimental::Graph;
using Kokkos::Experimental::GraphNodeRef;
using Kokkos::Testing::AddTo;
using Kokkos::Testing::Number;
using Kokkos::Testing::on_host;
using Kokkos::Testing::refusal;

struct SetBytes {
  Kokkos::View<int*, Cuda> view;
  std::shared_ptr<int> calls;
  void operator()(Cuda const& exec) const {
    ++*calls;
    ASSERT_EQ(cudaMemsetAsync(view.data(), 1, view.span() * sizeof(int), exec.cuda_stream()), cudaSuccess);
  }
};

struct AddIndex {
  Kokkos::View<int*, Cuda> view;
  KOKKOS_FUNCTION void operator()(int i) const { view(i) += i; }
};

TEST(GraphCaptureTest, CommandsOfTheProgram) {
  const auto calls = std::make_shared<int>(0);
  const Cuda exec  = Kokkos::Experimental::partition_space(Cuda(), 1)[0];
  Kokkos::View<int*, Cuda> view("view", 100);
  {
    auto graph = create_graph(Cuda(), [&](auto root) {
      root.cuda_capture(exec, SetBytes{view, calls}).then_parallel_for(100, AddIndex{view});
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
  const auto host = on_host(view);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(host(i), 0x01010101 + i);
  // The instance is as it was.
  Kokkos::parallel_for(Kokkos::RangePolicy<Cuda>(exec, 0, 100), AddIndex{view});
  exec.fence();
  EXPECT_EQ(on_host(view)(7), 0x01010101 + 14);
}

struct RunKernels {
  Number<Cuda> number, sum;
  void operator()(Cuda const& exec) const {
    Kokkos::parallel_for("in a capture", Kokkos::RangePolicy<Cuda>(exec, 0, 10), AddTo<Cuda>{number});
    Kokkos::deep_copy(exec, sum, number);
  }
};

TEST(GraphCaptureTest, KernelsAndCopiesOfTheLibrary) {
  const Cuda exec = Kokkos::Experimental::partition_space(Cuda(), 1)[0];
  Number<Cuda> number("number"), sum("sum");
  auto graph = create_graph(Cuda(), [&](auto root) { root.cuda_capture(exec, RunKernels{number, sum}); });
  graph.submit();
  graph.submit();
  Kokkos::fence();
  EXPECT_EQ(on_host(sum)(), 20);
}

struct Throw {
  void operator()(Cuda const&) const { throw std::runtime_error("as wanted"); }
};

TEST(GraphCaptureTest, FailureSpoilsTheGraphAndNothingElse) {
  const Cuda exec = Kokkos::Experimental::partition_space(Cuda(), 1)[0];
  Number<Cuda> number("number");
  Graph<Cuda> graph;
  EXPECT_EQ(refusal([&] { graph.root_node().cuda_capture(exec, Throw{}); }), "as wanted");
  EXPECT_NE(refusal([&] { graph.instantiate(); }).find("Create the graph anew"), std::string::npos);
  Kokkos::parallel_for(Kokkos::RangePolicy<Cuda>(exec, 0, 10), AddTo<Cuda>{number});
  exec.fence();
  EXPECT_EQ(on_host(number)(), 10);
}

TEST(GraphCaptureTest, NativeObjects) {
  Number<Cuda> number("number");
  auto graph = create_graph(Cuda(), [&](auto root) { root.then("add", AddTo<Cuda>{number}); });

  cudaGraph_t native = graph.native_graph();
  ASSERT_NE(native, nullptr);
  EXPECT_EQ(graph.native_graph_exec(), nullptr);
  std::size_t nodes = 0;
  EXPECT_EQ(cudaGraphGetNodes(native, nullptr, &nodes), cudaSuccess);
  EXPECT_EQ(nodes, 2u) << "the root and the kernel";

  graph.instantiate();
  cudaGraphExec_t exec = graph.native_graph_exec();
  EXPECT_NE(exec, nullptr);
  graph.submit();
  EXPECT_EQ(graph.native_graph(), native);
  EXPECT_EQ(graph.native_graph_exec(), exec);
  EXPECT_EQ(cudaGraphLaunch(exec, Cuda().cuda_stream()), cudaSuccess);
  Kokkos::fence();
  EXPECT_EQ(on_host(number)(), 2);
}

TEST(GraphCaptureTest, AddsToAGraphOfTheProgram) {
  Number<Cuda> number("number");
  cudaGraph_t native = nullptr;
  ASSERT_EQ(cudaGraphCreate(&native, 0), cudaSuccess);
  Kokkos::Experimental::Graph graph(Cuda(), native);
  EXPECT_EQ(graph.native_graph(), native);
  graph.root_node().then_parallel_for(10, AddTo<Cuda>{number});
  graph.submit();
  graph.get_execution_space().fence();
  EXPECT_EQ(on_host(number)(), 10);
}

TEST(GraphCaptureTest, SubmissionIntoACaptureOutlivesTheGraph) {
  const Cuda exec   = Kokkos::Experimental::partition_space(Cuda(), 1)[0];
  cudaGraph_t outer = nullptr;
  Number<Cuda> number("number");
  {
    Number<Cuda> step("step");
    Kokkos::deep_copy(step, 5);
    auto graph = create_graph(exec, [&](auto root) {
      root.then("add", AddTo<Cuda>{number, 1}).then_parallel_for(10, AddTo<Cuda>{step});
    });
    graph.instantiate();
    ASSERT_EQ(cudaStreamBeginCapture(exec.cuda_stream(), cudaStreamCaptureModeThreadLocal), cudaSuccess);
    graph.submit(exec);
    ASSERT_EQ(cudaStreamEndCapture(exec.cuda_stream(), &outer), cudaSuccess);
  }
  EXPECT_EQ(number.use_count(), 2);
  cudaGraphExec_t runs = nullptr;
  ASSERT_EQ(cudaGraphInstantiateWithFlags(&runs, outer, 0), cudaSuccess);
  for (int i = 0; i < 4; ++i) ASSERT_EQ(cudaGraphLaunch(runs, exec.cuda_stream()), cudaSuccess);
  exec.fence();
  EXPECT_EQ(on_host(number)(), 4);
  EXPECT_EQ(cudaGraphExecDestroy(runs), cudaSuccess);
  EXPECT_EQ(cudaGraphDestroy(outer), cudaSuccess);
}

TEST(GraphCaptureTest, StreamThatEndsBeforeTheGraph) {
  Number<Cuda> number("number");
  auto graph = create_graph(Cuda(), [&](auto root) { root.then("add", AddTo<Cuda>{number}); });
  for (int i = 0; i < 3; ++i) {
    cudaStream_t stream = nullptr;
    ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
    { graph.submit(Cuda(stream)); }
    ASSERT_EQ(cudaStreamDestroy(stream), cudaSuccess);
  }
  EXPECT_EQ(on_host(number)(), 3);
}

}  // namespace

#else

TEST(GraphCaptureTest, NeedsADevice) { GTEST_SKIP() << "No enabled backend has graphs in its own runtime."; }

#endif
