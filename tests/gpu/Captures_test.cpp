// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Launches into a stream under capture, including the first launches of the program, and launches while another thread
/// captures. Each test is a separate process, so that everything that a first launch looks up or creates happens during
/// the capture.

#include "DeviceTest.hpp"

#include <chrono>
#include <future>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

namespace {

using Kokkos::RangePolicy;
using Kokkos::Testing::CapturedGraph;
using Kokkos::Testing::CaptureMode;
using Kokkos::Testing::common_value;
using Kokkos::Testing::expect_all;
using Kokkos::Testing::expect_no_leaks;
using Kokkos::Testing::GPU;
using Kokkos::Testing::OwnStream;
using Kokkos::Testing::Runtime;
using Kokkos::Testing::thrown_message;
using Kokkos::Testing::words;
using View  = Kokkos::View<double*, GPU>;
using Small = Kokkos::Testing::AddPayload<View, 2>;
using Large = Kokkos::Testing::AddPayload<View, 5000>;

class Captures : public testing::Test {
 protected:
  Captures() { Kokkos::initialize(); }
  ~Captures() override {
    Kokkos::finalize();
    expect_no_leaks();
  }
};

template <class Functor>
void add(GPU const& space, Functor const& functor) {
  Kokkos::parallel_for("add", RangePolicy<GPU>(space, 0, static_cast<int>(functor.view.extent(0))), functor);
}

// ---- the first launch of the program --------------------------------------------------------------------------------

template <class Functor>
void first_launch(CaptureMode mode) {
  OwnStream stream;
  View view("view", 100);
  Kokkos::fence();
  CapturedGraph graph(stream.get(), mode);
  add(GPU(stream.get()), Functor(view, 1));
  graph.end();
  EXPECT_EQ(common_value(view), 0) << "nothing runs during a capture";
  for (int i = 0; i < 3; ++i) graph.launch(stream.get());
  ASSERT_EQ(words(Runtime::stream_synchronize(stream.get())), words(Runtime::success));
  EXPECT_EQ(common_value(view), 6);
}

TEST_F(Captures, FirstLaunch) { first_launch<Small>(CaptureMode::global); }
TEST_F(Captures, FirstLaunchInRelaxedCapture) { first_launch<Small>(CaptureMode::relaxed); }
TEST_F(Captures, FirstLaunchOfLargeFunctor) { first_launch<Large>(CaptureMode::global); }

// The first launch requests a large amount of shared memory, and allocates scratch memory of level 1.
struct TeamSum {
  Kokkos::View<double*, GPU> view;
  int shared;
  using Member  = Kokkos::TeamPolicy<GPU>::member_type;
  using Scratch = Kokkos::View<double*, GPU::scratch_memory_space, Kokkos::MemoryUnmanaged>;
  KOKKOS_FUNCTION void operator()(Member const& member) const {
    Scratch fast(member.team_scratch(0), shared), slow(member.team_scratch(1), shared);
    Kokkos::parallel_for(Kokkos::TeamThreadRange(member, shared), [&](int i) { fast(i) = slow(i) = 1; });
    member.team_barrier();
    double sum = 0;
    Kokkos::parallel_reduce(
        Kokkos::TeamThreadRange(member, shared), [&](int i, double& s) { s += fast(i) + slow(i); }, sum);
    Kokkos::single(Kokkos::PerTeam(member), [&] { view(member.league_rank()) += sum; });
  }
};

TEST_F(Captures, FirstLaunchOfTeamsWithScratch) {
  OwnStream stream;
  View view("view", 20);
  std::size_t const most  = Kokkos::TeamPolicy<GPU>::scratch_size_max(0);
  int const shared        = static_cast<int>((most < 60 * 1024 ? most / 2 : 60 * 1024) / sizeof(double));
  std::size_t const bytes = TeamSum::Scratch::shmem_size(shared);
  Kokkos::fence();
  CapturedGraph graph(stream.get());
  {
    auto policy = Kokkos::TeamPolicy<GPU>(GPU(stream.get()), 20, 32, 1);
    policy.set_scratch_size(0, Kokkos::PerTeam(bytes)).set_scratch_size(1, Kokkos::PerTeam(bytes));
    Kokkos::parallel_for("teams", policy, TeamSum{view, shared});
  }
  graph.end();
  for (int i = 0; i < 3; ++i) graph.launch(stream.get());
  ASSERT_EQ(words(Runtime::stream_synchronize(stream.get())), words(Runtime::success));
  EXPECT_EQ(common_value(view), 3 * 2 * shared);
}

struct SumOfIndices {
  KOKKOS_FUNCTION void operator()(int i, double& sum) const { sum += i; }
};
struct RunningSum {
  View out;
  KOKKOS_FUNCTION void operator()(int i, double& sum, bool final) const {
    sum += 1;
    if (final) out(i) = sum - i;
  }
};

TEST_F(Captures, FirstReductionAndScan) {
  OwnStream stream;
  View out("out", 100000);
  Kokkos::View<double, GPU> sum("sum");
  Kokkos::fence();
  CapturedGraph graph(stream.get());
  {
    const GPU space(stream.get());
    Kokkos::parallel_reduce("sum", RangePolicy<GPU>(space, 0, 100000), SumOfIndices(), sum);
    Kokkos::parallel_scan("scan", RangePolicy<GPU>(space, 0, 100000), RunningSum{out});
  }
  graph.end();
  for (int i = 0; i < 3; ++i) {
    Kokkos::deep_copy(sum, -1.0);
    Kokkos::deep_copy(out, -1.0);
    Kokkos::fence();
    graph.launch(stream.get());
    ASSERT_EQ(words(Runtime::stream_synchronize(stream.get())), words(Runtime::success));
    double value = 0;
    Kokkos::deep_copy(value, sum);
    EXPECT_EQ(value, 100000. * 99999 / 2);
    EXPECT_EQ(common_value(out), 1);
  }
}

// Atomic operations of this size take a lock; the kernel needs the table of locks.
struct Triple {
  double x, y, z;
  KOKKOS_FUNCTION friend Triple operator+(Triple const& a, Triple const& b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
  }
};
struct AddTriples {
  Kokkos::View<Triple, GPU> total;
  KOKKOS_FUNCTION void operator()(int) const { Kokkos::atomic_add(&total(), Triple{1, 2, 3}); }
};

TEST_F(Captures, FirstLaunchWithLargeAtomics) {
  OwnStream stream;
  Kokkos::View<Triple, GPU> total("total");
  Kokkos::fence();
  CapturedGraph graph(stream.get());
  Kokkos::parallel_for("triples", RangePolicy<GPU>(GPU(stream.get()), 0, 100), AddTriples{total});
  graph.end();
  for (int i = 0; i < 2; ++i) graph.launch(stream.get());
  ASSERT_EQ(words(Runtime::stream_synchronize(stream.get())), words(Runtime::success));
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), total);
  EXPECT_EQ(host().x, 200);
  EXPECT_EQ(host().z, 600);
}

// ---- after the capture ----------------------------------------------------------------------------------------------

struct AddElements {
  View out, in;
  double filler[4500];  // passed through memory
  KOKKOS_FUNCTION void operator()(int i) const { out(i) += in(i) + filler[4499]; }
};
struct AddElementsSmall {
  View out, in;
  KOKKOS_FUNCTION void operator()(int i) const { out(i) += in(i); }
};

// Only the graph keeps the functor, its views and their memory alive.
TEST_F(Captures, GraphOutlivesFunctorViewsAndInstance) {
  constexpr int n = 10000;
  OwnStream launch_stream;
  View out("out", n);
  auto capture_stream = std::make_unique<OwnStream>();
  std::optional<CapturedGraph> graph;
  {
    View in("in", n);
    Kokkos::deep_copy(in, 5.0);
    Kokkos::fence();
    auto large          = std::make_unique<AddElements>(AddElements{out, in, {}});
    large->filler[4499] = 1;
    graph.emplace(capture_stream->get());
    {
      const GPU space(capture_stream->get());
      Kokkos::parallel_for("large", RangePolicy<GPU>(space, 0, n), *large);
      Kokkos::parallel_for("small", RangePolicy<GPU>(space, 0, n), AddElementsSmall{out, in});
    }
    graph->end();
    large->filler[4499] = 1e9;
    EXPECT_GE(in.use_count(), 3) << "the graph has references of its own";
  }
  capture_stream.reset();
  // They reuse memory that was freed by mistake.
  std::vector<View> others;
  for (int i = 0; i < 10; ++i) {
    others.emplace_back("other", n);
    Kokkos::deep_copy(others.back(), 1e6);
  }
  Kokkos::fence();
  for (int i = 0; i < 500; ++i) graph->launch(launch_stream.get());
  ASSERT_EQ(words(Runtime::stream_synchronize(launch_stream.get())), words(Runtime::success));
  EXPECT_EQ(common_value(out), 500 * (5 + 1 + 5));
  graph.reset();
  // A fence destroys the graph's objects after the runtime has reported the graph's end, possibly with a short delay.
  for (int i = 0; i < 60000 && out.use_count() > 1; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    Kokkos::fence();
  }
  EXPECT_EQ(out.use_count(), 1);
}

// Each launch copies the current contents. The graph keeps the memory through which strided elements go.
template <class Space>
void expect_copies_in_a_graph() {
  using Host = Kokkos::View<double**, Kokkos::LayoutRight, Space>;
  OwnStream stream;
  Host const in("in", 50, 60), out("out", 50, 60), wide("wide", 50, 64);
  Kokkos::View<double**, Kokkos::LayoutRight, GPU> const block("block", 50, 60);
  Kokkos::View<double**, Kokkos::LayoutLeft, GPU> const columns("columns", 50, 60);
  auto const part = Kokkos::subview(wide, Kokkos::ALL, std::pair(2, 62));
  Kokkos::fence();
  CapturedGraph graph(stream.get());
  {
    GPU const space(stream.get());
    Kokkos::deep_copy(space, block, in);
    Kokkos::deep_copy(space, part, block);
    Kokkos::deep_copy(space, columns, part);
    Kokkos::deep_copy(space, out, columns);
  }
  graph.end();
  if (std::is_same_v<Space, Kokkos::HostSpace>) {
    EXPECT_GT(in.use_count(), 1) << "the graph reads it whenever it runs";
    EXPECT_GT(out.use_count(), 1);
  }
  for (int round = 1; round <= 3; ++round) {
    for (int i = 0; i < 50; ++i)
      for (int j = 0; j < 60; ++j) in(i, j) = 1000 * round + 60 * i + j;
    graph.launch(stream.get());
    ASSERT_EQ(words(Runtime::stream_synchronize(stream.get())), words(Runtime::success));
    int wrong = 0;
    for (int i = 0; i < 50; ++i)
      for (int j = 0; j < 60; ++j) wrong += out(i, j) != in(i, j) || wide(i, j + 2) != in(i, j);
    EXPECT_EQ(wrong, 0);
  }
}

TEST_F(Captures, CopiesOfHostMemory) { expect_copies_in_a_graph<Kokkos::HostSpace>(); }
TEST_F(Captures, CopiesOfPinnedMemory) { expect_copies_in_a_graph<Kokkos::SharedHostPinnedSpace>(); }

// Also what a function writes that the program has captured itself. The source's last handle ends before the graph runs.
TEST_F(Captures, CopiesReadWhatTheGraphHasWritten) {
  constexpr int n = 1000;
  OwnStream stream;
  Kokkos::View<int*, GPU> const device("device", n);
  Kokkos::fence();
  CapturedGraph graph(stream.get());
  {
    GPU const space(stream.get());
    Kokkos::View<int*, Kokkos::HostSpace> const in("in", n);
    auto const write = [](void* data) {
      for (int i = 0; i < n; ++i) static_cast<int*>(data)[i] += i;
    };
    ASSERT_EQ(words(Runtime::launch_host_function(stream.get(), write, in.data())), words(Runtime::success));
    Kokkos::deep_copy(space, device, in);
  }
  graph.end();
  for (int round = 1; round <= 3; ++round) {
    graph.launch(stream.get());
    ASSERT_EQ(words(Runtime::stream_synchronize(stream.get())), words(Runtime::success));
    auto const found = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), device);
    int wrong        = 0;
    for (int i = 0; i < n; ++i) wrong += found(i) != round * i;
    EXPECT_EQ(wrong, 0) << "round " << round;
  }
}

TEST_F(Captures, InstanceMayEndDuringTheCapture) {
  OwnStream stream;
  View view("view", 100);
  Kokkos::fence();
  CapturedGraph graph(stream.get());
  for (int i = 0; i < 3; ++i) add(GPU(stream.get()), Small(view, 1));  // three instances, one after another
  graph.end();
  graph.launch(stream.get());
  ASSERT_EQ(words(Runtime::stream_synchronize(stream.get())), words(Runtime::success));
  EXPECT_EQ(common_value(view), 6);
}

// Operations that are impossible in a capture are refused without invalidating it.
TEST_F(Captures, RefusalsLeaveTheCaptureIntact) {
  OwnStream stream;
  View view("view", 100);
  Kokkos::fence();
  CapturedGraph graph(stream.get());
  {
    const GPU space(stream.get());
    add(space, Small(view, 1));
    expect_all(thrown_message([&] { space.fence("mine"); }), {"mine", "being captured", "end the capture first"});
    double sum = 0;
    expect_all(
        thrown_message([&] { Kokkos::parallel_reduce("sum", RangePolicy<GPU>(space, 0, 100), SumOfIndices(), sum); }),
        {"result on the host", "being captured", "a view that the device can access"});
    Kokkos::Experimental::PendingResult<double> pending;
    expect_all(thrown_message(
                   [&] { Kokkos::parallel_reduce("sum", RangePolicy<GPU>(space, 0, 100), SumOfIndices(), pending); }),
               {"result on the host", "being captured"});
    EXPECT_FALSE(pending.valid());
    add(space, Small(view, 1));
    Kokkos::fence("all others");
  }
  graph.end();
  graph.launch(stream.get());
  ASSERT_EQ(words(Runtime::stream_synchronize(stream.get())), words(Runtime::success));
  EXPECT_EQ(common_value(view), 4);
}

// Calls without an instance wait for the default one. While that is being captured, each call reports this before it
// submits anything, and the graph contains only what was captured before and after.
TEST_F(Captures, WaitsForTheCapturedDefaultInstanceAreRefused) {
  View view("view", 100), other("other", 100), growing("growing", 100);
  Kokkos::View<double, GPU> scalar("scalar");
  Kokkos::View<float*, GPU> narrow("narrow", 100);
  Kokkos::View<double*, Kokkos::HostSpace> const host("host", 100);
  void* const raw    = Kokkos::kokkos_malloc<GPU>("raw", 100);
  double value       = -1;
  auto const refused = [](char const* what, auto const& call) {
    SCOPED_TRACE(what);
    expect_all(thrown_message(call), {"being captured", "end the capture first"});
  };
  Kokkos::fence();
  CapturedGraph graph(GPU().impl_instance().exposed_stream());
  add(GPU(), Small(view, 1));
  refused("to a variable", [&] { Kokkos::deep_copy(value, scalar); });
  refused("to the host", [&] { Kokkos::deep_copy(host, view); });
  refused("to the device", [&] { Kokkos::deep_copy(view, host); });
  refused("on the device", [&] { Kokkos::deep_copy(view, other); });
  refused("with a conversion", [&] { Kokkos::deep_copy(narrow, view); });
  refused("fill", [&] { Kokkos::deep_copy(view, 7.0); });
  refused("fill with zeros", [&] { Kokkos::deep_copy(view, 0.0); });
  refused("resize", [&] { Kokkos::resize(growing, 200); });
  refused("resize without initializing", [&] { Kokkos::resize(Kokkos::WithoutInitializing, growing, 200); });
  refused("realloc", [&] { Kokkos::realloc(growing, 200); });
  refused("allocation", [&] { View made("made", 100); });
  refused("mirror on the host", [&] { (void)Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), view); });
  refused("mirror on the device", [&] { (void)Kokkos::create_mirror_view_and_copy(GPU(), host); });
  refused("kokkos_realloc", [&] { (void)Kokkos::kokkos_realloc<GPU>(raw, 200); });
  refused("kokkos_free", [&] { Kokkos::kokkos_free<GPU>(raw); });
  expect_all(thrown_message([&] { Kokkos::parallel_reduce("sum", RangePolicy<GPU>(0, 100), SumOfIndices(), value); }),
             {"result on the host", "being captured"});
  add(GPU(), Small(view, 1));
  graph.end();
  EXPECT_EQ(growing.extent(0), 0u) << "realloc lets go of the old memory first";
  EXPECT_EQ(value, -1);
  graph.launch(GPU().impl_instance().stream());
  EXPECT_EQ(common_value(view), 4);
  Kokkos::kokkos_free<GPU>(raw);
}

// ---- captures by another thread -------------------------------------------------------------------------------------

/// Every operation of the library during launches, for the first time.
void first_use_of_everything(GPU const& space) {
  View view("view", 1000);
  add(space, Small(view, 1));
  add(space, Large(view, 1));
  double sum = 0;
  Kokkos::parallel_reduce("sum", RangePolicy<GPU>(space, 0, 1000), SumOfIndices(), sum);
  EXPECT_EQ(sum, 1000. * 999 / 2);
  double total = 0;
  Kokkos::parallel_scan("scan", RangePolicy<GPU>(space, 0, 1000), RunningSum{View("scanned", 1000)}, total);
  EXPECT_EQ(total, 1000);
  Kokkos::View<Triple, GPU> triples("triples");
  Kokkos::parallel_for("triples", RangePolicy<GPU>(space, 0, 10), AddTriples{triples});
  auto policy = Kokkos::TeamPolicy<GPU>(space, 20, 32, 1);
  policy.set_scratch_size(0, Kokkos::PerTeam(TeamSum::Scratch::shmem_size(50)));
  policy.set_scratch_size(1, Kokkos::PerTeam(TeamSum::Scratch::shmem_size(50)));
  Kokkos::parallel_for("teams", policy, TeamSum{View("teams", 20), 50});
  for (int i = 0; i < 200; ++i) add(space, Large(view, 0));  // more than the number of slots in the ring
  space.fence();
  EXPECT_EQ(common_value(view), 4);
  auto const parts = Kokkos::Experimental::partition_space(space, 1, 1);
  add(parts[1], Small(view, 1));
  Kokkos::fence();
  EXPECT_EQ(common_value(view), 6);
}

void while_another_thread_captures(std::optional<GPU> own) {
  OwnStream captured, own_stream;
  View view("captured", 100);
  Kokkos::fence();
  std::optional<CapturedGraph> graph;
  std::promise<void> begun, used;
  std::thread capturer([&] {
    graph.emplace(captured.get());
    add(GPU(captured.get()), Large(view, 1));
    begun.set_value();
    used.get_future().wait();
    graph->end();  // fails if the capture was invalidated
  });
  begun.get_future().wait();
  // A capture in global mode that another thread has begun also restricts this thread.
  first_use_of_everything(own ? *own : GPU(own_stream.get()));
  own.reset();
  used.set_value();
  capturer.join();
  graph->launch(captured.get());
  ASSERT_EQ(words(Runtime::stream_synchronize(captured.get())), words(Runtime::success));
  EXPECT_EQ(common_value(view), 2);
}

TEST_F(Captures, DefaultInstanceWhileAnotherStreamIsCaptured) { while_another_thread_captures(GPU()); }
TEST_F(Captures, NewInstanceWhileAnotherStreamIsCaptured) { while_another_thread_captures({}); }

TEST_F(Captures, ManyThreadsCaptureAndLaunch) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([t] {
      OwnStream stream;
      View view("view", 100);
      GPU(stream.get()).fence();
      for (int round = 0; round < 5; ++round) {
        if (t % 2 == 0) {
          CapturedGraph graph(stream.get());
          add(GPU(stream.get()), Large(view, 1));
          graph.end();
          for (int i = 0; i < 10; ++i) graph.launch(stream.get());
          GPU(stream.get()).fence();
        } else {
          const GPU space(stream.get());
          for (int i = 0; i < 10; ++i) add(space, Large(view, 1));
          space.fence();
        }
      }
      EXPECT_EQ(common_value(view), 100);
    });
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
