// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The calls of the vendor's runtime in small operations: each call costs as much as the rest of such an operation. The
/// HIP model counts the calls.

#include "../unit/KernelWatch.hpp"
#include "DeviceTest.hpp"

#include <Kokkos_Graph.hpp>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
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

// No capture reaches a stream whose handle the library never gave away, so nothing asks for one.
TEST_F(RuntimeCalls, ALaunchIsOneCallUntilTheProgramHasTheStream) {
  Kokkos::HIP const instance = Kokkos::Experimental::partition_space(Kokkos::HIP(), 1)[0];
  auto const launch          = [&] {
    Kokkos::parallel_for(Kokkos::RangePolicy<Kokkos::HIP>(instance, 0, 1), KOKKOS_LAMBDA(int){});
    instance.fence();
  };
  auto const expect_queries = [&](char const* what, std::size_t queries) {
    std::map<char const*, std::size_t> const expected{{"hipLaunchKernel", 1},
                                                      {"hipStreamIsCapturing", queries},
                                                      {"hipThreadExchangeStreamCaptureMode", 2},
                                                      {"hipStreamSynchronize", 1},
                                                      {"hipGetDevice", 0},
                                                      {"hipSetDevice", 0},
                                                      {"hipStreamQuery", 0},
                                                      {"hipEventRecord", 0}};
    std::vector<char const*> names;
    for (auto const& [name, count] : expected) names.push_back(name);
    Calls const calls(names);
    launch();
    for (auto const& [name, count] : expected) EXPECT_EQ(calls.of(name), count) << what << ", " << name;
  };
  launch();  // the first launch of a kernel asks for its limits
  expect_queries("own stream", 0);
  (void)instance.hip_stream();
  expect_queries("stream that the program has", 2);
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

// The device orders such copies behind the kernel and behind the default stream.
TEST_F(RuntimeCalls, CopiesOnTheDeviceWithoutAnInstanceWaitOnce) {
  Device const device("device", 100000), other("other", 100000);
  Kokkos::View<int**, Kokkos::LayoutLeft, Kokkos::HIP> const left("left", 300, 300);
  Kokkos::View<int**, Kokkos::LayoutRight, Kokkos::HIP> const right("right", 300, 300);
  Kokkos::View<long*, Kokkos::HIP> const longs("longs", 100000);
  std::map<std::string, std::function<void()>> const copies{
      {"block", [&] { Kokkos::deep_copy(other, device); }},
      {"transposition", [&] { Kokkos::deep_copy(right, left); }},
      {"other type", [&] { Kokkos::deep_copy(longs, device); }},
      {"fill", [&] { Kokkos::deep_copy(device, 3); }},
  };
  for (auto const& [name, copy] : copies) {
    copy();  // the first launch of a kernel asks for its limits
    Kokkos::parallel_for(Kokkos::RangePolicy<Kokkos::HIP>(0, 1), KOKKOS_LAMBDA(int){});
    Calls const calls({"hipStreamSynchronize", "hipStreamQuery", "hipEventSynchronize"});
    copy();
    EXPECT_EQ(calls.of("hipStreamSynchronize"), 1u) << name;
    EXPECT_EQ(calls.of("hipStreamQuery"), 0u) << name;
    EXPECT_EQ(calls.of("hipEventSynchronize"), 0u) << name;
  }
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
TEST_F(RuntimeCalls, SmallScratchOfLevel1AllocatesNothing) {
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

TEST_F(RuntimeCalls, TeamsUseTheMemoryInWhichCopiesPack) {
  Kokkos::HIP const instance = Kokkos::Experimental::partition_space(Kokkos::HIP(), 1)[0];
  Kokkos::View<int**, Kokkos::LayoutLeft, Kokkos::HIP> const to("to", 30, 40);
  Kokkos::View<int**, Kokkos::LayoutRight, Kokkos::HostSpace> const from("from", 30, 40);
  Kokkos::deep_copy(instance, to, from);
  Calls const calls({"hipMalloc"});
  auto const policy = Kokkos::TeamPolicy<Kokkos::HIP>(instance, 4, 1).set_scratch_size(1, Kokkos::PerTeam(1024));
  Kokkos::parallel_for(policy, KOKKOS_LAMBDA(Kokkos::TeamPolicy<Kokkos::HIP>::member_type const&){});
  EXPECT_EQ(calls.of("hipMalloc"), 0u);
  Kokkos::fence();
}

// An allocation for which the device has no memory frees it, unless a thread is about to enqueue work that uses it.
TEST_F(RuntimeCalls, WorkMemoryIsFreedOnlyWhereNoWorkIsEnqueued) {
  Kokkos::HIP const instance = Kokkos::Experimental::partition_space(Kokkos::HIP(), 1)[0];
  auto& impl                 = instance.impl_instance();
  auto const release         = [&] { std::decay_t<decltype(impl)>::release_idle_work_memory(impl.device()); };
  Calls const calls({"hipFree"});
  {
    std::lock_guard<std::mutex> lock(impl.work_memory_mutex());
    (void)impl.work_memory(1000, "a test");
    std::thread(release).join();
    EXPECT_EQ(calls.of("hipFree"), 0u);
  }
  release();
  EXPECT_EQ(calls.of("hipFree"), 1u);
}

// The caller detects the arrival of the bytes, after all other work in the stream. They have arrived when it looks.
TEST_F(RuntimeCalls, FenceAfterASmallCopyHasNothingToWaitFor) {
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

// The same for a value, which the mailbox of the only instance takes.
TEST_F(RuntimeCalls, FenceAfterACopyOfAValueHasNothingToWaitFor) {
  hip_model::use_modes({.at_once = true});
  Kokkos::HIP const instance;
  Kokkos::View<int, Kokkos::HIP> const value("value");
  for (int round = 0; round < 20; ++round) {
    Kokkos::deep_copy(value, round);
    Calls const calls({"hipStreamSynchronize", "hipLaunchHostFunc"});
    int found = -1;
    Kokkos::deep_copy(found, value);
    EXPECT_EQ(found, round);
    instance.fence();
    EXPECT_EQ(calls.of("hipLaunchHostFunc"), 0u);
    EXPECT_EQ(calls.of("hipStreamSynchronize"), 0u);
  }
  hip_model::use_modes({});
}

// A copy that takes long is left to a function of the stream, and the fence waits for the stream.
TEST_F(RuntimeCalls, FenceAfterASlowSmallCopyWaitsForTheStream) {
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
    auto const other_calls = [&] {
      Calls const calls({"hipThreadExchangeStreamCaptureMode"});  // a copy of more calls begins with it
      Kokkos::deep_copy(instance, device, host);
      return calls.of("hipThreadExchangeStreamCaptureMode");
    };
    {
      Kokkos::Experimental::Graph<Kokkos::HIP> graph(instance);
      add_node(graph.root_node());
      EXPECT_GT(other_calls(), 0u);
      graph.submit();
      instance.fence();
    }
    EXPECT_EQ(other_calls(), 0u);
    instance.fence();
  }
}

TEST_F(RuntimeCalls, AStreamThatHasEndedMakesNoMoreCalls) {
  auto const calls = [] {
    std::size_t all = 0;
    for (std::string const& function : hip_model::functions_called()) all += hip_model::call_count(function.c_str());
    return all;
  };
  std::optional<Kokkos::Impl::InstanceStream<Kokkos::HIP::runtime_type>> stream(std::in_place, 0);
  stream->end();
  std::size_t const before = calls();
  stream->drain();
  stream->end();
  stream.reset();
  EXPECT_EQ(calls(), before);
}

// ---- a table of operations --------------------------------------------------------------------------------------------

/// The calls of each operation and the shapes of its launches, in tests/journals/RuntimeCalls.HIP.txt. Each operation has run
/// once before, so that calls of its first run, such as those that allocate, are not part of the table.
class CallsOfOperations {
 public:
  template <class Operation>
  void add(std::string const& what, Operation const& operation) {
    operation();
    Kokkos::fence();
    std::map<std::string, std::size_t> const before = counts();
    operation();
    std::map<std::string, std::size_t> after = counts();
    Kokkos::fence();
    auto const all = hip_model::launches();
    std::string lines;
    auto const number = [&](std::string const& f) { return after[f] - (before.contains(f) ? before.at(f) : 0); };
    // Staging threads make some calls only if the caller or the stream is slow.
    bool const of_pageable_memory = what.find("the host") != what.npos;
    for (auto const& [function, count] : after)
      if (std::size_t const n = number(function); n > 0 && !(of_pageable_memory && depends_on_time(function)))
        lines += "  " + function + " " + std::to_string(n) + '\n';
    for (std::size_t i = all.size() - number("hipLaunchKernel"); i < all.size(); ++i)
      lines += "  launch of " + shape(all[i].grid) + " blocks of " + shape(all[i].block) + " threads with " +
               std::to_string(all[i].shared) + " bytes\n";
    Kokkos::Testing::Journal::of_this_test().add(what, lines);
  }

 private:
  static std::map<std::string, std::size_t> counts() {
    std::map<std::string, std::size_t> all;
    for (std::string const& function : hip_model::functions_called())
      all[function] = hip_model::call_count(function.c_str());
    return all;
  }
  static bool depends_on_time(std::string const& function) {
    return !function.starts_with("hipMemcpy") && !function.starts_with("hipMalloc") && function != "hipLaunchKernel";
  }
  static std::string shape(unsigned const (&n)[3]) {
    return std::to_string(n[0]) + 'x' + std::to_string(n[1]) + 'x' + std::to_string(n[2]);
  }
};

struct Nothing {
  template <class... T>
  KOKKOS_FUNCTION void operator()(T const&...) const {}
};
struct AddOneTo {
  template <class... T>
  KOKKOS_FUNCTION void operator()(int, T&... sums) const {
    ((sums += 1), ...);
  }
};
struct Hundred {
  double numbers[100] = {};
  KOKKOS_FUNCTION Hundred& operator+=(Hundred const& other) {
    for (int i = 0; i < 100; ++i) numbers[i] += other.numbers[i];
    return *this;
  }
};
struct AddHundred {
  KOKKOS_FUNCTION void operator()(int, int, Hundred& sum) const { sum.numbers[0] += 1; }
};
struct Prefix {
  KOKKOS_FUNCTION void operator()(int, long& sum, bool) const { ++sum; }
};
struct TeamSum {
  template <class Member>
  KOKKOS_FUNCTION void operator()(Member const&, long& sum) const {
    sum += 1;
  }
};
struct Large {
  char bytes[6000] = {};
  KOKKOS_FUNCTION void operator()(int) const {}
};

template <class To, class From>
void add_copies(CallsOfOperations& calls, std::string const& what, Kokkos::HIP const& instance) {
  for (int const n : {1, 1000, 100000}) {
    Kokkos::View<int*, To> const to("to", n);
    Kokkos::View<int*, From> const from("from", n);
    calls.add("copy of " + std::to_string(n) + " ints " + what, [&] { Kokkos::deep_copy(instance, to, from); });
    if (n == 1000) calls.add("copy without an instance " + what, [&] { Kokkos::deep_copy(to, from); });
  }
  Kokkos::View<int**, Kokkos::LayoutLeft, To> const left("left", 300, 40);
  Kokkos::View<int**, Kokkos::LayoutLeft, From> const source("source", 300, 40);
  Kokkos::View<int**, Kokkos::LayoutRight, From> const right("right", 300, 40);
  auto const rows = [](auto const& view) { return Kokkos::subview(view, std::pair(0, 290), Kokkos::ALL); };
  calls.add("copy of columns " + what, [&] { Kokkos::deep_copy(instance, rows(left), rows(source)); });
  calls.add("copy from columns " + what, [&] {
    Kokkos::deep_copy(instance,
                      Kokkos::View<int**, Kokkos::LayoutLeft, To, Kokkos::MemoryUnmanaged>(left.data(), 290, 40),
                      rows(source));
  });
  calls.add("transposed copy " + what, [&] { Kokkos::deep_copy(instance, left, right); });
  Kokkos::View<int, To> const one("one");
  Kokkos::View<int, From> const other("other");
  calls.add("copy of one element " + what, [&] { Kokkos::deep_copy(instance, one, other); });
}

TEST_F(RuntimeCalls, OfEachOperation) {
  using Kokkos::HIP;
  using Team = Kokkos::TeamPolicy<HIP>;
  // The work of a call has ended when the call returns, so that no count depends on time.
  hip_model::use_modes({.at_once = true});
  HIP const instance = Kokkos::Experimental::partition_space(HIP(), 1)[0];
  CallsOfOperations calls;
  add_copies<HIP::memory_space, HIP::memory_space>(calls, "on the device", instance);
  add_copies<HIP::memory_space, Kokkos::HIPHostPinnedSpace>(calls, "from pinned memory", instance);
  add_copies<Kokkos::HIPHostPinnedSpace, HIP::memory_space>(calls, "to pinned memory", instance);
  add_copies<HIP::memory_space, Kokkos::HIPManagedSpace>(calls, "from managed memory", instance);
  add_copies<HIP::memory_space, Kokkos::HostSpace>(calls, "from the host", instance);
  add_copies<Kokkos::HostSpace, HIP::memory_space>(calls, "to the host", instance);

  Kokkos::View<double**, HIP> const matrix("matrix", 300, 40);
  Kokkos::View<float**, HIP> const floats("floats", 300, 40);
  Kokkos::View<float**, Kokkos::HostSpace> const there("there", 300, 40);
  auto const part = Kokkos::subview(matrix, std::pair(1, 299), std::pair(2, 39));
  calls.add("converting copy", [&] { Kokkos::deep_copy(instance, matrix, floats); });
  calls.add("converting copy from the host", [&] { Kokkos::deep_copy(matrix, there); });
  calls.add("fill with zeros", [&] { Kokkos::deep_copy(instance, matrix, 0.); });
  calls.add("fill with ones", [&] { Kokkos::deep_copy(instance, matrix, 1.); });
  calls.add("fill of a part with zeros", [&] { Kokkos::deep_copy(instance, part, 0.); });
  calls.add("fill of a part with ones", [&] { Kokkos::deep_copy(instance, part, 1.); });
  calls.add("fill without an instance", [&] { Kokkos::deep_copy(matrix, 1.); });
  Kokkos::View<double*, Kokkos::HostSpace> const of_host("of the host", 1000);
  Kokkos::View<double*, Kokkos::HIPHostPinnedSpace> const pinned("pinned", 1000);
  calls.add("fill of pageable memory", [&] { Kokkos::deep_copy(instance, of_host, 1.); });
  calls.add("fill of pinned memory", [&] { Kokkos::deep_copy(instance, pinned, 1.); });
  calls.add("copy to a number", [&] {
    double number = 0;
    Kokkos::deep_copy(number, Kokkos::subview(matrix, 1, 1));
  });

  for (int const n : {100, 1 << 16})
    for (bool const initialized : {false, true})
      calls.add(std::string(initialized ? "view" : "view without values") + " of " + std::to_string(n) + " ints", [&] {
        if (initialized)
          (void)Device(Kokkos::view_alloc("view", instance), n);
        else
          (void)Device(Kokkos::view_alloc("view", instance, Kokkos::WithoutInitializing), n);
      });
  calls.add("view without an instance", [] { (void)Device("view", 1000); });
  calls.add("resize", [&] {
    Device view(Kokkos::view_alloc("view", instance), 1000);
    Kokkos::resize(instance, view, 2000);
  });
  calls.add("mirror and copy", [&] { (void)Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), matrix); });
  calls.add("kokkos_malloc", [] { Kokkos::kokkos_free<HIP>(Kokkos::kokkos_malloc<HIP>("block", 1000)); });

  for (int const n : {0, 1, 1000, 1 << 17})
    calls.add("parallel_for of " + std::to_string(n),
              [&] { Kokkos::parallel_for(Kokkos::RangePolicy(instance, 0, n), Nothing()); });
  calls.add("parallel_for of a large functor",
            [&] { Kokkos::parallel_for(Kokkos::RangePolicy(instance, 0, 1000), Large()); });
  calls.add("parallel_for of 2 dimensions", [&] {
    Kokkos::parallel_for(Kokkos::MDRangePolicy<HIP, Kokkos::Rank<2>>(instance, {0, 0}, {100, 70}), Nothing());
  });
  calls.add("parallel_for of 2 dimensions, the right one first", [&] {
    Kokkos::parallel_for(Kokkos::MDRangePolicy<HIP, Kokkos::Rank<2, Kokkos::Iterate::Right, Kokkos::Iterate::Right>>(
                             instance, {0, 0}, {1000, 7}),
                         Nothing());
  });
  calls.add("parallel_for of 3 dimensions", [&] {
    Kokkos::parallel_for(Kokkos::MDRangePolicy<HIP, Kokkos::Rank<3>>(instance, {0, 0, 0}, {20, 30, 40}, {4, 4, 4}),
                         Nothing());
  });
  calls.add("parallel_for of 5 dimensions", [&] {
    Kokkos::parallel_for(Kokkos::MDRangePolicy<HIP, Kokkos::Rank<5>>(instance, {0, 0, 0, 0, 0}, {5, 6, 7, 8, 9}),
                         Nothing());
  });
  calls.add("teams", [&] { Kokkos::parallel_for(Team(instance, 50, Kokkos::AUTO), Nothing()); });
  calls.add("teams of 4 with 8 lanes", [&] { Kokkos::parallel_for(Team(instance, 50, 4, 8), Nothing()); });
  calls.add("teams with scratch memory", [&] {
    Kokkos::parallel_for(Team(instance, 50, 4).set_scratch_size(0, Kokkos::PerTeam(1000), Kokkos::PerThread(20)),
                         Nothing());
  });
  calls.add("teams with scratch memory of level 1", [&] {
    Kokkos::parallel_for(Team(instance, 50, 4).set_scratch_size(1, Kokkos::PerTeam(100000), Kokkos::PerThread(20)),
                         Nothing());
  });

  long sum = 0, other = 0;
  Kokkos::View<long, HIP> const on_device("result");
  Kokkos::View<long, Kokkos::HostSpace> const on_host("result");
  for (int const n : {0, 1, 1000, 1 << 17})
    calls.add("sum of " + std::to_string(n),
              [&] { Kokkos::parallel_reduce(Kokkos::RangePolicy(instance, 0, n), AddOneTo(), sum); });
  EXPECT_EQ(sum, 1 << 17);
  calls.add("sum in a view",
            [&] { Kokkos::parallel_reduce(Kokkos::RangePolicy(instance, 0, 1000), AddOneTo(), on_device); });
  calls.add("sum in a view of the host",
            [&] { Kokkos::parallel_reduce(Kokkos::RangePolicy(instance, 0, 1000), AddOneTo(), on_host); });
  calls.add("maximum", [&] {
    Kokkos::parallel_reduce(Kokkos::RangePolicy(instance, 0, 1000), AddOneTo(), Kokkos::Max<long>(sum));
  });
  calls.add("sum of chars", [&] {
    char chars = 0;
    Kokkos::parallel_reduce(Kokkos::RangePolicy(instance, 0, 100), AddOneTo(), chars);
  });
  Hundred hundred;
  calls.add("sum of large values over 2 dimensions", [&] {
    Kokkos::parallel_reduce(Kokkos::MDRangePolicy<HIP, Kokkos::Rank<2>>(instance, {0, 0}, {100, 70}), AddHundred(),
                            hundred);
  });
  EXPECT_EQ(hundred.numbers[0], 7000);
  calls.add("two sums",
            [&] { Kokkos::parallel_reduce(Kokkos::RangePolicy(instance, 0, 1000), AddOneTo(), sum, other); });
  calls.add("sum of teams", [&] { Kokkos::parallel_reduce(Team(instance, 50, 4), TeamSum(), sum); });
  for (int const n : {1, 1000, 1 << 17})
    calls.add("scan of " + std::to_string(n),
              [&] { Kokkos::parallel_scan(Kokkos::RangePolicy(instance, 0, n), Prefix()); });
  calls.add("scan with its total",
            [&] { Kokkos::parallel_scan(Kokkos::RangePolicy(instance, 0, 1000), Prefix(), sum); });

  calls.add("fence", [] { Kokkos::fence(); });
  calls.add("fence of an instance", [&] { instance.fence(); });
  calls.add("fence of an instance with work", [&] {
    Kokkos::parallel_for(Kokkos::RangePolicy(instance, 0, 1), Nothing());
    instance.fence();
  });
  calls.add("instance", [&] { (void)Kokkos::Experimental::partition_space(HIP(), 1); });
  calls.add("graph", [&] {
    Kokkos::Experimental::Graph<HIP> graph(instance);
    graph.root_node().then_parallel_for(10, Nothing()).then_parallel_for(20, Nothing());
    graph.submit();
    graph.submit();
    instance.fence();
  });
  hip_model::use_modes({});
  Kokkos::Testing::Journal::of_this_test().expect_as_in(Kokkos::Testing::journal_of<HIP>("RuntimeCalls"));
}

// ---- a table of graphs ------------------------------------------------------------------------------------------------

/// The nodes of a graph of HIP in the order in which they were added, each with its predecessors, and those of its child graph
/// between brackets.
std::string shape_of(hipGraph_t graph) {
  std::map<int, char const*> const types = {{hipGraphNodeTypeKernel, "kernel"}, {hipGraphNodeTypeMemcpy, "copy"},
                                            {hipGraphNodeTypeMemset, "fill"},   {hipGraphNodeTypeHost, "function"},
                                            {hipGraphNodeTypeGraph, "graph"},   {hipGraphNodeTypeEmpty, "empty"}};
  std::size_t nodes = 0, edges = 0;
  EXPECT_EQ(hipGraphGetNodes(graph, nullptr, &nodes), hipSuccess);
  EXPECT_EQ(hipGraphGetEdges(graph, nullptr, nullptr, &edges), hipSuccess);
  std::vector<hipGraphNode_t> all(nodes), from(edges), to(edges);
  if (nodes > 0) EXPECT_EQ(hipGraphGetNodes(graph, all.data(), &nodes), hipSuccess);
  if (edges > 0) EXPECT_EQ(hipGraphGetEdges(graph, from.data(), to.data(), &edges), hipSuccess);
  auto const number = [&](hipGraphNode_t node) { return std::find(all.begin(), all.end(), node) - all.begin(); };
  std::string text;
  for (std::size_t i = 0; i < nodes; ++i) {
    hipGraphNodeType type = hipGraphNodeTypeEmpty;
    EXPECT_EQ(hipGraphNodeGetType(all[i], &type), hipSuccess);
    text += (i > 0 ? ", " : "") + std::to_string(i) + ' ' + types.at(type);
    if (type == hipGraphNodeTypeGraph) {
      hipGraph_t child = nullptr;
      EXPECT_EQ(hipGraphChildGraphNodeGetGraph(all[i], &child), hipSuccess);
      text += " [" + shape_of(child) + ']';
    }
    std::vector<std::ptrdiff_t> before;
    for (std::size_t e = 0; e < edges; ++e)
      if (to[e] == all[i]) before.push_back(number(from[e]));
    std::sort(before.begin(), before.end());
    for (std::ptrdiff_t const one : before) text += (one == before.front() ? " after " : "+") + std::to_string(one);
  }
  return text;
}

struct CapturedKernel {
  Kokkos::View<long, Kokkos::HIP> result;
  void operator()(Kokkos::HIP const& space) const {
    Kokkos::parallel_reduce("captured", Kokkos::RangePolicy(space, 0, 100), AddOneTo(), result);
    Kokkos::parallel_for("captured", Kokkos::RangePolicy(space, 0, 100), Nothing());
  }
};

// Each kind of node between two others, and beside a third one that the last node waits for, too. A node without an edge would
// run too early, which a test of its results may miss.
TEST_F(RuntimeCalls, ShapesOfGraphs) {
  using Kokkos::HIP;
  using Node = Kokkos::Experimental::GraphNodeRef<HIP>;
  using Kokkos::Experimental::when_all;
  using Range     = Kokkos::RangePolicy<HIP>;
  using Team      = Kokkos::TeamPolicy<HIP>;
  HIP const space = Kokkos::Experimental::partition_space(HIP(), 1)[0];
  Device const view("view", 1000), other("other", 1000);
  Kokkos::View<long*, HIP> const longs("longs", 1000);
  Kokkos::View<int**, Kokkos::LayoutLeft, HIP> const left("left", 60, 50);
  Kokkos::View<int**, Kokkos::LayoutRight, HIP> const right("right", 60, 50);
  Kokkos::View<int**, Kokkos::LayoutRight, Kokkos::HIPHostPinnedSpace> const pinned("pinned", 60, 50);
  Kokkos::View<int*, Kokkos::HIPHostPinnedSpace> const block("block", 1000);
  auto const part = Kokkos::subview(left, std::pair(1, 59), Kokkos::ALL);
  Host const host("host", 1000);
  Kokkos::View<long, HIP> const result("result");
  Kokkos::View<long, Kokkos::HIPHostPinnedSpace> const in_pinned("result");
  Kokkos::fence();
  std::vector<std::pair<std::string, std::function<Node(Node const&)>>> const kinds = {
      {"parallel_for", [](Node const& n) { return Node(n.then_parallel_for("node", Range(0, 10), Nothing())); }},
      {"parallel_for over nothing",
       [](Node const& n) { return Node(n.then_parallel_for("node", Range(0, 0), Nothing())); }},
      {"large functor", [](Node const& n) { return Node(n.then_parallel_for("node", Range(0, 10), Large())); }},
      {"two dimensions",
       [](Node const& n) {
         return Node(
             n.then_parallel_for("node", Kokkos::MDRangePolicy<HIP, Kokkos::Rank<2>>({0, 0}, {10, 10}), Nothing()));
       }},
      {"teams", [](Node const& n) { return Node(n.then_parallel_for("node", Team(10, 4), Nothing())); }},
      {"teams with memory",
       [](Node const& n) {
         return Node(n.then_parallel_for("node", Team(10, 4).set_scratch_size(1, Kokkos::PerTeam(100000)), Nothing()));
       }},
      {"sum", [&](Node const& n) { return Node(n.then_parallel_reduce("node", Range(0, 1000), AddOneTo(), result)); }},
      {"sum in pinned memory",
       [&](Node const& n) { return Node(n.then_parallel_reduce("node", Range(0, 1000), AddOneTo(), in_pinned)); }},
      {"sum of nothing",
       [&](Node const& n) { return Node(n.then_parallel_reduce("node", Range(0, 0), AddOneTo(), result)); }},
      {"scan", [](Node const& n) { return Node(n.then_parallel_scan("node", Range(0, 1000), Prefix())); }},
      {"function of the host", [](Node const& n) { return Node(n.then_host("node", [] {})); }},
      {"capture", [&](Node const& n) { return Node(n.hip_capture(space, CapturedKernel{result})); }},
      {"fill with zeros", [&](Node const& n) { return Node(n.then_fill(view, 0)); }},
      {"fill with ones", [&](Node const& n) { return Node(n.then_fill(view, 1)); }},
      {"fill of a part", [&](Node const& n) { return Node(n.then_fill(part, 1)); }},
      {"fill of host memory", [&](Node const& n) { return Node(n.then_fill(host, 1)); }},
      {"copy", [&](Node const& n) { return Node(n.then_deep_copy(view, other)); }},
      {"other type", [&](Node const& n) { return Node(n.then_deep_copy(longs, view)); }},
      {"transposition", [&](Node const& n) { return Node(n.then_deep_copy(left, right)); }},
      {"copy from the host", [&](Node const& n) { return Node(n.then_deep_copy(view, host)); }},
      {"copy to the host", [&](Node const& n) { return Node(n.then_deep_copy(host, view)); }},
      {"copy from pinned memory", [&](Node const& n) { return Node(n.then_deep_copy(view, block)); }},
      {"copy to pinned memory", [&](Node const& n) { return Node(n.then_deep_copy(block, view)); }},
      {"transposition from pinned memory", [&](Node const& n) { return Node(n.then_deep_copy(left, pinned)); }},
      {"transposition to pinned memory", [&](Node const& n) { return Node(n.then_deep_copy(pinned, left)); }},
      {"nine nodes",
       [](Node const& n) {
         Node all = n.then_parallel_for("node", Range(0, 10), Nothing());
         for (int i = 1; i < 9; ++i) all = when_all(all, Node(n.then_parallel_for("node", Range(0, 10), Nothing())));
         return all;
       }},
      {"eight nodes",
       [](Node const& n) {
         Node all = n.then_parallel_for("node", Range(0, 10), Nothing());
         for (int i = 1; i < 8; ++i) all = when_all(all, Node(n.then_parallel_for("node", Range(0, 10), Nothing())));
         return all;
       }},
      {"seven nodes",
       [](Node const& n) {
         Node all = n.then_parallel_for("node", Range(0, 10), Nothing());
         for (int i = 1; i < 7; ++i) all = when_all(all, Node(n.then_parallel_for("node", Range(0, 10), Nothing())));
         return all;
       }},
      {"the same node twice", [](Node const& n) { return when_all(n, n); }},
      {"nodes in turn",
       [](Node const& n) {
         Node const a = n.then_parallel_for("a", Range(0, 10), Nothing()),
                    b = n.then_parallel_for("b", Range(0, 10), Nothing());
         return when_all(b, a, b, n, a);
       }},
  };
  for (auto const& [what, add] : kinds) {
    Kokkos::Experimental::Graph<HIP> graph(space);
    Node const first = graph.root_node().then_parallel_for("first", Range(0, 10), Nothing());
    Node const node  = add(first);
    Node const third = graph.root_node().then_parallel_for("third", Range(0, 10), Nothing());
    when_all(node, third).then_parallel_for("last", Range(0, 10), Nothing());
    Kokkos::Testing::Journal::of_this_test().add(what, "  " + shape_of(graph.native_graph()) + '\n');
    graph.submit();
    space.fence();
  }
  Kokkos::Testing::Journal::of_this_test().expect_as_in(Kokkos::Testing::journal_of<HIP>("RuntimeCalls"));
}

}  // namespace
