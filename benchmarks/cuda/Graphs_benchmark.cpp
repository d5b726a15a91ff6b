// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// \file
/// The launch of a graph of 20 copies and kernels, compared with the same calls on an instance; and copies of host memory
/// as nodes of graphs, compared with a node of the runtime that copies pinned memory.

#include "../Ratio.hpp"
#include "RawCuda.hpp"

#include <Kokkos_Core.hpp>
#include <Kokkos_Graph.hpp>

#include <string>
#include <utility>
#include <vector>

namespace {

using namespace Kokkos::Benchmarks;
using Space = Kokkos::Cuda;
using Host  = Kokkos::HostSpace;
using Graph = Kokkos::Experimental::Graph<Space>;
using Node  = Kokkos::Experimental::GraphNodeRef<Space>;
template <class S>
using Vector = Kokkos::View<double*, S>;

struct Axpy {
  Vector<Space> x, y;
  KOKKOS_FUNCTION void operator()(int i) const { y(i) = 0.5 * x(i) + 0.25 * y(i); }
};

// ---- launches -------------------------------------------------------------------------------------------------------

/// Makes each step at once, by a call on an instance.
struct Calls {
  Space const& space;
  void copy(auto const& dst, auto const& src) { Kokkos::deep_copy(space, dst, src); }
  void fill(auto const& view, double value) { Kokkos::deep_copy(space, view, value); }
  void kernel(int n, Axpy const& f) { Kokkos::parallel_for("axpy", Kokkos::RangePolicy<Space>(space, 0, n), f); }
};
/// Adds each step to a graph, after the one before.
struct Nodes {
  Node last;
  void copy(auto const& dst, auto const& src) { last = last.then_deep_copy(dst, src); }
  void fill(auto const& view, double value) { last = last.then_fill(view, value); }
  void kernel(int n, Axpy const& f) { last = last.then_parallel_for("axpy", n, f); }
};

/// Times what the calls take on the host while the device is idle: counters `ours_us` (the submission), `reference_us`
/// (the calls), and `share`, the submission's time divided by that of the calls.
void launch(benchmark::State& state, auto const& steps) {
  Space const space = Kokkos::Experimental::partition_space(Space(), 1)[0];
  Graph graph(space);
  Nodes nodes{graph.root_node()};
  Calls calls{space};
  steps(nodes);
  graph.submit(space);
  steps(calls);
  std::vector<double> graph_times, call_times;
  for (auto _ : state) {
    space.fence();
    call_times.push_back(seconds_of([&] { steps(calls); }));
    space.fence();
    graph_times.push_back(seconds_of([&] { graph.submit(space); }));
    state.SetIterationTime(graph_times.back());
  }
  space.fence();
  double const ours = median(graph_times), reference = median(call_times);
  state.counters["ours_us"]      = 1e6 * ours;
  state.counters["reference_us"] = 1e6 * reference;
  state.counters["share"]        = ours / reference;
}

void add_launches() {
  constexpr int n = 8192;
  Vector<Space> const a("a", n), b("b", n), c("c", n);
  Vector<Kokkos::CudaHostPinnedSpace> const from_pinned("from pinned", n), to_pinned("to pinned", n);
  Vector<Host> const from_host("from the host", n), to_host("to the host", n);
  Kokkos::View<double**, Kokkos::LayoutLeft, Space> const left("left", 64, 128);
  Kokkos::View<double**, Kokkos::LayoutRight, Space> const right("right", 64, 128);
  auto const add = [](std::string const& name, auto const& steps) {
    add_ratio("launch_of_20/" + name, [steps](benchmark::State& state) { launch(state, steps); });
  };
  add("on_the_device", [=](auto& to) {
    for (int i = 0; i < 10; ++i) to.copy(b, a), to.kernel(n, {b, a});
  });
  add("fills_and_transpositions", [=](auto& to) {
    for (int i = 0; i < 5; ++i) to.fill(b, 1), to.kernel(n, {b, a}), to.copy(left, right), to.kernel(n, {a, c});
  });
  add("pinned_memory", [=](auto& to) {
    for (int i = 0; i < 5; ++i)
      to.copy(a, from_pinned), to.kernel(n, {a, b}), to.kernel(n, {b, a}), to.copy(to_pinned, a);
  });
  add("pageable_memory", [=](auto& to) {
    for (int i = 0; i < 5; ++i) to.copy(a, from_host), to.kernel(n, {a, b}), to.kernel(n, {b, a}), to.copy(to_host, a);
  });
  add("pageable_memory_at_the_ends", [=](auto& to) {
    to.copy(a, from_host);
    for (int i = 0; i < 9; ++i) to.copy(b, a), to.kernel(n, {b, a});
    to.copy(to_host, a);
  });
}

// ---- copies -------------------------------------------------------------------------------------------------------

/// A graph of one copy, from its submission to its end.
void copy(benchmark::State& state, auto const& dst, auto const& src, bool to_device) {
  Space const space       = Kokkos::Experimental::partition_space(Space(), 1)[0];
  std::size_t const bytes = dst.size() * sizeof(double);
  PinnedBuffer const pinned(bytes);
  DeviceBuffer const device(bytes);
  Stream stream;
  cudaGraph_t raw          = nullptr;
  cudaGraphExec_t raw_exec = nullptr;
  cudaGraphNode_t node     = nullptr;
  check(cudaGraphCreate(&raw, 0));
  check(cudaGraphAddMemcpyNode1D(&node, raw, nullptr, 0, to_device ? device.get() : pinned.get(),
                                 to_device ? pinned.get() : device.get(), bytes, cudaMemcpyDefault));
  check(cudaGraphInstantiate(&raw_exec, raw, 0));
  Graph graph(space);
  graph.root_node().then_deep_copy(dst, src);
  compare(
      state, static_cast<double>(bytes),
      [&] {
        check(cudaGraphLaunch(raw_exec, stream));
        check(cudaStreamSynchronize(stream));
      },
      [&] {
        graph.submit(space);
        space.fence();
      });
  check(cudaGraphExecDestroy(raw_exec));
  check(cudaGraphDestroy(raw));
}

void add_copies() {
  for (int const kib : {64, 1024, 16 * 1024, 256 * 1024}) {
    auto const add = [kib](std::string const& kind, auto const& make_host) {
      auto const run = [=](benchmark::State& state, bool to_device) {
        int const rows  = kib * 1024 / 8 / 64;
        auto const host = make_host(rows);
        Kokkos::View<double**, Kokkos::LayoutRight, Space> const device("device", rows, 64);
        to_device ? copy(state, device, host, true) : copy(state, host, device, false);
      };
      add_ratio("to_device/" + kind + '/' + std::to_string(kib) + "KiB", run, true);
      add_ratio("to_host/" + kind + '/' + std::to_string(kib) + "KiB", run, false);
    };
    add("pinned", [](int rows) {
      return Kokkos::View<double**, Kokkos::LayoutRight, Kokkos::CudaHostPinnedSpace>("pinned", rows, 64);
    });
    add("pageable", [](int rows) { return Kokkos::View<double**, Kokkos::LayoutRight, Host>("pageable", rows, 64); });
    add("transposed_pinned", [](int rows) {
      return Kokkos::View<double**, Kokkos::LayoutLeft, Kokkos::CudaHostPinnedSpace>("transposed", rows, 64);
    });
    add("transposed_pageable",
        [](int rows) { return Kokkos::View<double**, Kokkos::LayoutLeft, Host>("transposed", rows, 64); });
  }
}

}  // namespace

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  benchmark::Initialize(&argc, argv);
  add_launches();
  add_copies();
  benchmark::RunSpecifiedBenchmarks();
  benchmark::ClearRegisteredBenchmarks();  // they own views
  benchmark::Shutdown();
}
