// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// One thread captures its stream at any moment, while others fence, copy, make views and build graphs. Nothing that
/// the library does in the other threads may disturb the capture, and everything must wait for what preceded it.
///
/// A capture can begin between a check and a call, so these tests repeat captures. On the HIP model, each call that
/// decides takes longer, and events may be recorded in a capture by its own thread only. `KOKKOS_TEST_CAPTURES` is the
/// number of captures of each stream.

#include "../unit/Deadline.hpp"
#include "../unit/Thorough.hpp"
#include "DeviceTest.hpp"

#include <impl/GPU/memory/Kokkos_GPU_ViewMemory.hpp>
#include <Kokkos_Graph.hpp>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace {

using Kokkos::RangePolicy;
using Kokkos::Testing::CapturedGraph;
using Kokkos::Testing::CaptureMode;
using Kokkos::Testing::Deadline;
using Kokkos::Testing::expect_no_leaks;
using Kokkos::Testing::Gate;
using Kokkos::Testing::GPU;
using Kokkos::Testing::OrderedStream;
using Kokkos::Testing::OwnStream;
using Kokkos::Testing::Runtime;
using Kokkos::Testing::Stream;
using Kokkos::Testing::thrown_message;
using Kokkos::Testing::words;
using Memory = GPU::memory_space;
using View   = Kokkos::View<double*, GPU>;
using Small  = Kokkos::Testing::AddPayload<View, 2>;
using Large  = Kokkos::Testing::AddPayload<View, 5000>;

int capture_count() {
  if (char const* wanted = std::getenv("KOKKOS_TEST_CAPTURES")) return std::atoi(wanted);
  return Kokkos::Testing::is_thorough() ? 2000 : 100;
}

class CapturesElsewhere : public testing::Test {
 protected:
  CapturesElsewhere() {
#ifdef KOKKOS_IMPL_GPU_MODEL
    hip_model::use_modes({.captures_as_cuda = true});
    for (char const* call : {"hipStreamQuery", "hipStreamIsCapturing", "hipStreamSynchronize", "hipEventRecord"})
      hip_model::slow_call(call, 20);
#endif
    Kokkos::initialize();
  }
  ~CapturesElsewhere() override {
    Kokkos::finalize();
    expect_no_leaks();
  }

 private:
  Deadline m_deadline{"a call still waits for work, or a capture", 200};
};

template <class Functor>
void add(GPU const& space, Functor const& functor) {
  Kokkos::parallel_for("add", RangePolicy<GPU>(space, 0, static_cast<int>(functor.view.extent(0))), functor);
}

/// Captures launches on `space` again and again, each time behind a launch that is not captured. Stops at the first
/// capture that fails.
void capture_repeatedly(GPU const& space, Stream stream, View const& view) {
  for (int i = 0; i < capture_count() && !testing::Test::HasFailure(); ++i) {
    if (i % 2 == 0)
      add(space, Small(view, 1));
    else
      add(space, Large(view, 1));
    CapturedGraph graph(stream, i % 3 == 0 ? CaptureMode::global : CaptureMode::relaxed);
    EXPECT_EQ(thrown_message([&] { add(space, Small(view, 1)); }), "");
    graph.end();
  }
  space.fence();
}

/// Repeats `actions`, each in a thread of its own, while this thread captures.
template <class OwnedStream>
void beside_captures(std::vector<std::function<void()>> const& actions) {
  std::atomic<bool> stop{false};
  std::vector<std::thread> threads;
  for (auto const& action : actions)
    threads.emplace_back([&] {
      while (!stop && !testing::Test::HasFailure()) EXPECT_EQ(thrown_message(action), "");
    });
  {
    OwnedStream stream;
    View view("captured", 100);
    capture_repeatedly(GPU(stream.get()), stream.get(), view);
  }
  stop = true;
  for (std::thread& thread : threads) thread.join();
}

void fence_all() { Kokkos::fence(); }
void copy_and_wait() {
  View device("device", 1000);
  Kokkos::View<double*, Kokkos::HostSpace> host("host", 1000);
  Kokkos::deep_copy(device, 3.);
  Kokkos::deep_copy(host, device);
  EXPECT_EQ(host(999), 3);
}
/// Views whose memory the pool takes back while work on other instances runs.
void make_views() {
  static thread_local const GPU own = Kokkos::Experimental::partition_space(GPU(), 1)[0];
  for (std::size_t n = 1; n <= 5; ++n)
    Kokkos::View<char*, Memory> view(Kokkos::view_alloc("view", own, Kokkos::WithoutInitializing), n << 20);
}
void launch_large_functors() {
  static thread_local const GPU own = Kokkos::Experimental::partition_space(GPU(), 1)[0];
  View view("large", 10);
  for (int i = 0; i < 70; ++i) add(own, Large(view, 0));  // more than the ring has slots
  own.fence();
}
void build_graph() {
  View view("graph", 10);
  auto graph = Kokkos::Experimental::create_graph<GPU>([&](auto root) {
    root.then_parallel_for("first", RangePolicy<GPU>(0, 10), Small(view, 1))
        .then_parallel_for("second", RangePolicy<GPU>(0, 10), Large(view, 1));
  });
  graph.submit();
}

struct SumOfIndices {
  KOKKOS_FUNCTION void operator()(int i, int& sum) const { sum += i; }
};

// The stream cannot be asked meanwhile, so the result is neither there nor lost.
TEST_F(CapturesElsewhere, APendingResultOfACapturedStreamIsWaitedFor) {
  KOKKOS_TEST_SKIP_IF_STREAMS_SHARE_QUEUES();
  OwnStream stream;
  GPU const space(stream.get());
  Kokkos::Experimental::PendingResult<int> sum;
  Gate gate;
  gate.close(stream.get());
  Kokkos::parallel_reduce("sum", RangePolicy<GPU>(space, 0, 10), SumOfIndices(), sum);
  CapturedGraph graph(stream.get(), CaptureMode::relaxed);
  std::thread opener([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    gate.open();
  });
  EXPECT_EQ(thrown_message([&] { EXPECT_EQ(sum.get(), 45); }), "");
  opener.join();
  graph.end();
}

TEST_F(CapturesElsewhere, FencesCopiesAndViews) { beside_captures<OwnStream>({fence_all, copy_and_wait, make_views}); }
TEST_F(CapturesElsewhere, FencesCopiesAndViewsOfAnOrderedStream) {
  beside_captures<OrderedStream>({fence_all, copy_and_wait, make_views});
}
TEST_F(CapturesElsewhere, GraphsAndLargeFunctors) {
  beside_captures<OwnStream>({fence_all, build_graph, launch_large_functors});
}

// ---- work from before a capture -------------------------------------------------------------------------------------

/// Opens the gate some time after `call` has begun, so that a call that does not wait returns before. Then checks that
/// `call` has waited for `expected`.
void expect_wait(Gate& gate, std::function<void()> const& call, View const& view, double expected) {
  std::thread opener([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    gate.open();
  });
  EXPECT_EQ(thrown_message(call), "");
  // A copy with an instance of its own, which waits for nothing else.
  const GPU other = Kokkos::Experimental::partition_space(GPU(), 1)[0];
  auto host       = Kokkos::create_mirror(Kokkos::HostSpace(), view);
  Kokkos::deep_copy(other, host, view);
  other.fence();
  EXPECT_EQ(host(0), expected);
  opener.join();
}

/// Calls that wait for everything, while the calling thread itself, or another one, captures.
void waits_for_work_before_capture(std::function<void()> const& call, bool captured_elsewhere) {
  OwnStream stream;
  View view("view", 100);
  Kokkos::fence();
  Gate gate;
  std::optional<GPU> space;
  std::optional<CapturedGraph> graph;
  auto const begin = [&] {
    space.emplace(stream.get());
    gate.close_now(stream.get());
    add(*space, Small(view, 1));
    graph.emplace(stream.get(), CaptureMode::relaxed);
  };
  if (captured_elsewhere)
    std::thread(begin).join();
  else
    begin();
  expect_wait(gate, call, view, 2);
  graph->end();
}

TEST_F(CapturesElsewhere, AFenceWaitsForWorkFromBeforeItsOwnCapture) {
  waits_for_work_before_capture(fence_all, false);
}
TEST_F(CapturesElsewhere, AFenceWaitsForWorkFromBeforeACaptureElsewhere) {
  waits_for_work_before_capture(fence_all, true);
}
// Raw calls without a stream, and those of libraries, use the default stream, which no instance has.
TEST_F(CapturesElsewhere, AFenceWaitsForRawWorkInTheDefaultStream) {
  Kokkos::fence();
  for (char const* work_of_instance : {"none", "before", "behind"}) {
    View view("view", 100);
    Gate gate;
    Kokkos::fence();
    if (work_of_instance == std::string("before")) add(GPU(), Small(view, 1));
    gate.close_now(Runtime::default_stream());
    if (work_of_instance == std::string("behind")) add(GPU(), Small(view, 1));
    std::atomic<bool> opened{false};
    std::thread opener([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      opened = true;
      gate.open();
    });
    Kokkos::fence();
    EXPECT_TRUE(opened) << work_of_instance;
    opener.join();
  }
}

#ifdef KOKKOS_IMPL_GPU_MODEL
// While another thread may capture a stream, or after a capture of a stream that no instance has, the default stream is not
// asked, and its work counts as unknown, not as ended.
TEST_F(CapturesElsewhere, TheDefaultStreamIsUnknownWhereACaptureMayBe) {
  auto const calls = [] {
    return hip_model::call_count("hipStreamIsCapturing") + hip_model::call_count("hipStreamQuery");
  };
  auto const state = [] {
    std::optional<Kokkos::Impl::CompletionEvent<Runtime>> end;
    Kokkos::Impl::GPUAnswer<Runtime> failure;
    return Kokkos::Impl::mark_default_stream<Runtime>(Kokkos::device_id(), end, failure);
  };
  using Kokkos::Impl::GPUInstanceState;
  Kokkos::fence();
  EXPECT_TRUE(state() == GPUInstanceState::idle);
  OwnStream const stream;
  {
    std::optional<GPU> space;
    std::thread([&] { space.emplace(stream.get()); }).join();
    auto const before = calls();
    EXPECT_TRUE(state() == GPUInstanceState::unknown);
    EXPECT_EQ(calls(), before);
  }
  EXPECT_TRUE(state() == GPUInstanceState::idle);
  OrderedStream const raw;
  for (int round = 0; round < 3; ++round) {
    CapturedGraph graph(raw.get());
    auto const before = calls();
    EXPECT_TRUE(state() == GPUInstanceState::unknown) << round;
    if (round > 0) EXPECT_EQ(calls(), before);
    Kokkos::fence();
    graph.end();
  }
}
#endif

TEST_F(CapturesElsewhere, ABlockingCopyWaitsForWorkFromBeforeACapture) {
  for (bool const elsewhere : {false, true}) waits_for_work_before_capture(copy_and_wait, elsewhere);
}

// The instance ends while its stream is being captured. Memory that its earlier work uses must not be freed.
TEST_F(CapturesElsewhere, AnInstanceThatEndsWaitsForWorkFromBeforeACapture) {
  OwnStream stream;
  View view("view", 100);
  Kokkos::fence();
  Gate gate;
  std::optional<GPU> space(stream.get());
  gate.close_now(stream.get());
  add(*space, Large(view, 1));
  CapturedGraph graph(stream.get(), CaptureMode::relaxed);
  expect_wait(gate, [&] { space.reset(); }, view, 2);
  graph.end();
}

// ---- memory ---------------------------------------------------------------------------------------------------------

// A view's memory is not reused while work of a stream that another thread may capture uses it.
TEST_F(CapturesElsewhere, MemoryInUseByAStreamOfAnotherThreadIsNotReused) {
  constexpr std::size_t bytes = 8 << 20;
  auto const make             = [] {
    return Kokkos::View<char*, Memory>(Kokkos::view_alloc("view", Kokkos::WithoutInitializing), bytes);
  };
  OwnStream stream;
  std::optional<GPU> space;
  std::thread([&] { space.emplace(stream.get()); }).join();
  Gate gate;
  gate.close_now(stream.get());
  char* in_use = nullptr;
  {
    auto const view = make();
    in_use          = view.data();
    ASSERT_EQ(words(Runtime::memset_async(in_use, 1, bytes, stream.get())), words(Runtime::success));
  }
  for (int i = 0; i < 5; ++i) EXPECT_NE(make().data(), in_use);
  gate.open();
  Kokkos::fence();
}

// Without reuse, memory would grow with each view. The pool waits for the device when the views of 1/128 of its memory
// have been returned, so the size of the views depends on that memory.
TEST_F(CapturesElsewhere, MemoryIsReusedAlthoughAnotherThreadMayCapture) {
  OwnStream stream;
  std::optional<GPU> space;
  std::thread([&] { space.emplace(stream.get()); }).join();
  using Pools      = Kokkos::Impl::GPUViewMemory<Runtime>;
  std::size_t free = 0, total = 0;
  ASSERT_EQ(words(Runtime::memory_info(&free, &total)), words(Runtime::success));
  std::size_t const bytes = total / 640;
  for (int i = 0; i < 100; ++i)
    Kokkos::View<char*, Memory>(Kokkos::view_alloc("view", Kokkos::WithoutInitializing), bytes);
  EXPECT_LT(Pools::usage<Kokkos::Impl::DeviceMemoryKind>(Kokkos::device_id()).taken, 30 * bytes);
}

// An event that was recorded in a stream before its capture is not asked during the capture: from ROCm 6 on, that
// invalidates the capture.
TEST_F(CapturesElsewhere, OlderEventsAreNotQueriedDuringACapture) {
  OwnStream stream;
  const GPU space(stream.get());
  View view("view", 10);
  const GPU other = Kokkos::Experimental::partition_space(GPU(), 1)[0];
  for (int i = 0; i < 70; ++i) add(space, Large(view, 1));
  ASSERT_EQ(words(Runtime::stream_synchronize(stream.get())), words(Runtime::success));
  CapturedGraph graph(stream.get());
  EXPECT_EQ(thrown_message([&] {
              for (int i = 0; i < 70; ++i) add(other, Large(view, 1));
            }),
            "");
  for (std::size_t n = 1; n <= 5; ++n)
    Kokkos::View<char*, Memory>(Kokkos::view_alloc("view", Kokkos::WithoutInitializing), n << 20);
  graph.end();
}

}  // namespace
