// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The calls of the vendor's runtime in small operations: each call costs as much as the rest of such an operation. The
/// HIP model counts the calls.

#include "DeviceTest.hpp"

#include <Kokkos_Graph.hpp>

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace {

using Device = Kokkos::View<int*, Kokkos::HIP>;
using Host   = Kokkos::View<int*, Kokkos::HostSpace>;

/// Counts the calls of some functions since its construction.
class Calls {
 public:
  explicit Calls(std::vector<char const*> const& functions) {
    for (char const* function : functions) m_before[function] = hip_model::call_count(function);
  }
  std::size_t of(char const* function) const { return hip_model::call_count(function) - m_before.at(function); }

 private:
  std::map<std::string, std::size_t> m_before;
};

struct RuntimeCalls : testing::Test {
  RuntimeCalls() { Kokkos::initialize(); }
  ~RuntimeCalls() override { Kokkos::finalize(); }
};

TEST_F(RuntimeCalls, AFenceAsksNoStreamWithoutWork) {
  std::vector<Kokkos::HIP> const instances =
      Kokkos::Experimental::partition_space(Kokkos::HIP(), std::vector<int>(8, 1));
  Kokkos::fence();
  Calls const calls({"hipStreamSynchronize"});
  Kokkos::fence();
  for (Kokkos::HIP const& instance : instances) instance.fence();
  EXPECT_EQ(calls.of("hipStreamSynchronize"), 0u);
  Kokkos::parallel_for(Kokkos::RangePolicy<Kokkos::HIP>(instances[3], 0, 1), KOKKOS_LAMBDA(int){});
  Kokkos::fence();
  EXPECT_EQ(calls.of("hipStreamSynchronize"), 1u);
}

// Raw work in it is no instance's.
TEST_F(RuntimeCalls, AFenceOfEverythingAsksTheDefaultStreamOnce) {
  Kokkos::fence();
  std::map<char const*, std::size_t> const expected{
      {"hipStreamIsCapturing", 1}, {"hipStreamQuery", 1}, {"hipThreadExchangeStreamCaptureMode", 2},
      {"hipGetDevice", 0},         {"hipSetDevice", 0},   {"hipStreamSynchronize", 0}};
  std::vector<char const*> names;
  for (auto const& [name, count] : expected) names.push_back(name);
  Calls const calls(names);
  Kokkos::fence();
  for (auto const& [name, count] : expected) EXPECT_EQ(calls.of(name), count) << name;
}

TEST_F(RuntimeCalls, ASmallCopyToTheDeviceIsOneCall) {
  Kokkos::HIP const instance = Kokkos::Experimental::partition_space(Kokkos::HIP(), 1)[0];
  Device const device("device", 10);
  Host const host("host", 10);
  Kokkos::deep_copy(instance, device, host);
  instance.fence();
  Calls const calls({"hipMemcpyAsync", "hipStreamIsCapturing", "hipThreadExchangeStreamCaptureMode",
                     "hipPointerGetAttributes", "hipStreamSynchronize", "hipStreamQuery"});
  Kokkos::deep_copy(instance, device, host);
  EXPECT_EQ(calls.of("hipMemcpyAsync"), 1u);
  for (char const* function : {"hipStreamIsCapturing", "hipThreadExchangeStreamCaptureMode", "hipPointerGetAttributes",
                               "hipStreamSynchronize", "hipStreamQuery"})
    EXPECT_EQ(calls.of(function), 0u) << function;
}

// The type of the memory is known, and a capture takes the same call.
TEST_F(RuntimeCalls, ACopyOfPinnedMemoryIsOneCall) {
  using Pinned               = Kokkos::View<int*, Kokkos::HIPHostPinnedSpace>;
  Kokkos::HIP const instance = Kokkos::Experimental::partition_space(Kokkos::HIP(), 1)[0];
  Device const device("device", 1000), other("other", 1000);
  Pinned const pinned("pinned", 1000);
  Kokkos::fence();
  std::vector<char const*> const queries = {"hipStreamIsCapturing",    "hipThreadExchangeStreamCaptureMode",
                                            "hipPointerGetAttributes", "hipStreamSynchronize",
                                            "hipStreamQuery",          "hipLaunchHostFunc"};
  std::vector<char const*> all           = queries;
  all.push_back("hipMemcpyAsync");
  Calls const calls(all);
  Kokkos::deep_copy(instance, device, pinned);
  Kokkos::deep_copy(instance, pinned, device);
  Kokkos::deep_copy(instance, other, device);
  EXPECT_EQ(calls.of("hipMemcpyAsync"), 3u);
  for (char const* function : queries) EXPECT_EQ(calls.of(function), 0u) << function;
}

TEST_F(RuntimeCalls, AFillWithZerosIsOneCall) {
  Kokkos::HIP const instance = Kokkos::Experimental::partition_space(Kokkos::HIP(), 1)[0];
  Device const device("device", 1000);
  Kokkos::fence();
  Calls const calls({"hipMemsetAsync", "hipStreamIsCapturing", "hipThreadExchangeStreamCaptureMode"});
  Kokkos::deep_copy(instance, device, 0);
  EXPECT_EQ(calls.of("hipMemsetAsync"), 1u);
  EXPECT_EQ(calls.of("hipStreamIsCapturing"), 0u);
  EXPECT_EQ(calls.of("hipThreadExchangeStreamCaptureMode"), 0u);
}

// Later launches in the instance use the memory of earlier ones, in stream order.
TEST_F(RuntimeCalls, ALaunchWithALittleScratchMemoryOfLevel1AllocatesNothing) {
  Kokkos::HIP const instance = Kokkos::Experimental::partition_space(Kokkos::HIP(), 1)[0];
  auto const launch          = [&] {
    auto const policy = Kokkos::TeamPolicy<Kokkos::HIP>(instance, 4, 1).set_scratch_size(1, Kokkos::PerTeam(1024));
    Kokkos::parallel_for(policy, KOKKOS_LAMBDA(Kokkos::TeamPolicy<Kokkos::HIP>::member_type const&){});
  };
  launch();
  Calls const calls({"hipMallocAsync", "hipFreeAsync", "hipMalloc", "hipStreamSynchronize"});
  launch();
  for (char const* function : {"hipMallocAsync", "hipFreeAsync", "hipMalloc", "hipStreamSynchronize"})
    EXPECT_EQ(calls.of(function), 0u) << function;
  Kokkos::fence();
}

// The caller detects the arrival of the bytes, after all other work in the stream. They have arrived when it looks.
TEST_F(RuntimeCalls, AFenceAfterASmallCopyToTheHostHasNothingToWaitFor) {
  hip_model::use_modes({.at_once = true});
  Kokkos::HIP const instance = Kokkos::Experimental::partition_space(Kokkos::HIP(), 1)[0];
  Device const device("device", 10);
  Host const host("host", 10);
  for (int round = 0; round < 20; ++round) {
    Kokkos::deep_copy(instance, device, round);
    instance.fence();
    Calls const calls({"hipStreamSynchronize", "hipLaunchHostFunc"});
    Kokkos::deep_copy(instance, host, device);
    EXPECT_EQ(host(9), round);
    instance.fence();
    EXPECT_EQ(calls.of("hipLaunchHostFunc"), 0u);
    EXPECT_EQ(calls.of("hipStreamSynchronize"), 0u);
  }
  hip_model::use_modes({});
}

// A copy that takes long is left to a function of the stream, and the fence waits for the stream.
TEST_F(RuntimeCalls, AFenceAfterASmallCopyToTheHostThatTakesLongWaitsForTheStream) {
  Kokkos::HIP const instance = Kokkos::Experimental::partition_space(Kokkos::HIP(), 1)[0];
  Device const device("device", 10);
  Host const host("host", 10);
  Kokkos::deep_copy(device, 7);
  Kokkos::Testing::Gate gate;
  gate.close(instance.impl_instance().stream());
  Calls const calls({"hipStreamSynchronize", "hipLaunchHostFunc"});
  Kokkos::deep_copy(instance, host, device);
  EXPECT_EQ(calls.of("hipLaunchHostFunc"), 1u);
  gate.open();
  instance.fence();
  EXPECT_EQ(calls.of("hipStreamSynchronize"), 1u);
  EXPECT_EQ(host(9), 7);
}

// Work that another operation has submitted since is still waited for.
TEST_F(RuntimeCalls, AFenceAfterACopyAndAKernelWaitsForTheKernel) {
  Kokkos::HIP const instance = Kokkos::Experimental::partition_space(Kokkos::HIP(), 1)[0];
  Device const device("device", 10);
  Host const host("host", 10);
  for (int round = 0; round < 20; ++round) {
    Kokkos::deep_copy(instance, host, device);
    Calls const calls({"hipStreamSynchronize"});
    Kokkos::parallel_for(Kokkos::RangePolicy<Kokkos::HIP>(instance, 0, 1), KOKKOS_LAMBDA(int){});
    instance.fence();
    EXPECT_EQ(calls.of("hipStreamSynchronize"), 1u);
  }
}

// ---- graphs -----------------------------------------------------------------------------------------------------------

// The runtime reads pageable memory when a graph is submitted, before the nodes that write it have run. So functions of
// the graph move it to and from pinned memory. The number of steps does not grow with the number of elements.
TEST_F(RuntimeCalls, AGraphMovesPageableMemoryByFunctionsOfTheHost) {
  using Pinned = Kokkos::View<int*, Kokkos::HIPHostPinnedSpace>;
  using Left   = Kokkos::View<int**, Kokkos::LayoutLeft, Kokkos::HIP>;
  using Right  = Kokkos::View<int**, Kokkos::LayoutRight, Kokkos::HIPHostPinnedSpace>;
  Device const device("device", 1000);
  Host const host("host", 1000);
  Pinned const pinned("pinned", 1000);
  Left const left("left", 60, 50);
  Right const right("right", 60, 50), wider("wider", 60, 51);
  auto const part = Kokkos::subview(wider, Kokkos::ALL, std::pair(0, 50));
  Kokkos::fence();
  Kokkos::Experimental::Graph<Kokkos::HIP> graph;
  auto const root        = graph.root_node();
  auto const expect_node = [&](char const* what, std::size_t functions, std::size_t kernels, auto const& to,
                               auto const& from) {
    SCOPED_TRACE(what);
    Calls const calls({"hipMemcpyAsync", "hipLaunchHostFunc", "hipLaunchKernel", "hipMemcpy2DAsync"});
    root.then_deep_copy(to, from);
    EXPECT_EQ(calls.of("hipMemcpyAsync"), 1u);
    EXPECT_EQ(calls.of("hipLaunchHostFunc"), functions);
    EXPECT_EQ(calls.of("hipLaunchKernel"), kernels);
    EXPECT_EQ(calls.of("hipMemcpy2DAsync"), 0u);
  };
  expect_node("from pageable memory", 1, 0, device, host);
  expect_node("to pageable memory", 1, 0, host, device);
  expect_node("from pinned memory", 0, 0, device, pinned);
  expect_node("to pinned memory", 0, 0, pinned, device);
  expect_node("transposed from pinned memory", 0, 1, left, right);
  expect_node("transposed to pinned memory", 0, 1, right, left);
  expect_node("transposed to a part of pinned memory", 1, 1, part, left);
}

// While a graph that writes host memory exists, a copy waits for its predecessors before it reads its source.
TEST_F(RuntimeCalls, ASmallCopyIsOneCallUnlessAGraphMayWriteItsSource) {
  Kokkos::HIP const instance = Kokkos::Experimental::partition_space(Kokkos::HIP(), 1)[0];
  Device const device("device", 10);
  Host const host("host", 10), other("other", 10);
  using Node                            = Kokkos::Experimental::GraphNodeRef<Kokkos::HIP>;
  std::function<void(Node)> const add[] = {
      [&](Node const& node) { node.then_host("nothing", [] {}); },
      [&](Node const& node) { node.then_deep_copy(other, device); },
      [&](Node const& node) { node.then_deep_copy(other, host); },
      [&](Node const& node) { node.then_fill(other, 1); },
  };
  Kokkos::deep_copy(instance, device, host);
  for (auto const& add_node : add) {
    auto const queries = [&] {
      Calls const calls({"hipStreamIsCapturing"});
      Kokkos::deep_copy(instance, device, host);
      return calls.of("hipStreamIsCapturing");
    };
    {
      Kokkos::Experimental::Graph<Kokkos::HIP> graph(instance);
      add_node(graph.root_node());
      EXPECT_GT(queries(), 0u);
      graph.submit();
      instance.fence();
    }
    EXPECT_EQ(queries(), 0u);
    instance.fence();
  }
}

}  // namespace
