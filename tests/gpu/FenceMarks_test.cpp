// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A fence that waits once for several streams.

#include "DeviceTest.hpp"

#include <impl/GPU/instance/Kokkos_GPU_FenceMarks.hpp>

#include <atomic>
#include <chrono>
#include <deque>
#include <functional>
#include <thread>
#include <vector>

namespace {

using namespace Kokkos::Testing;
using Marks = Kokkos::Impl::GPUFenceMarks<Runtime>;
using View  = Kokkos::View<int*, GPU>;

struct AddOne {
  View view;
  KOKKOS_FUNCTION void operator()(int i) const { view(i) += 1; }
};

/// Expects that `wait` returns only after the gate has been opened.
void expect_wait(Gate& gate, std::function<void()> const& wait, std::string const& what) {
  std::atomic<bool> opened{false};
  std::thread opener([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    opened = true;
    gate.open();
  });
  wait();
  EXPECT_TRUE(opened) << what;
  opener.join();
}

TEST(FenceMarks, AFenceOfAllWaitsForEachInstance) {
  std::size_t const count = 5;
  auto const instances    = Kokkos::Experimental::partition_space(GPU(), std::vector<int>(count, 1));
  std::vector<View> views;
  for (std::size_t i = 0; i < count; ++i) views.emplace_back("view", 10);
  Kokkos::fence();
  for (std::size_t held = 0; held < count; ++held) {
    Gate gate;
    for (std::size_t i = 0; i < count; ++i) {
      if (i == held) gate.close_now(instances[i].impl_instance().stream());
      Kokkos::parallel_for(Kokkos::RangePolicy<GPU>(instances[i], 0, 10), AddOne{views[i]});
    }
    expect_wait(gate, [] { Kokkos::fence(); }, "instance " + std::to_string(held));
    for (GPU const& instance : instances) EXPECT_FALSE(instance.impl_instance().has_work());
  }
  for (View const& view : views) {
    auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), view);
    for (int i = 0; i < 10; ++i) EXPECT_EQ(host(i), static_cast<int>(count));
  }
}

TEST(FenceMarks, TheHostWaitsForEachStream) {
  for (bool const joins : {false, true})
    for (std::size_t held = 0; held < 3; ++held) {
      std::deque<OwnStream> streams(3);
      Gate gate;
      gate.close_now(streams[held].get());
      Marks marks(Kokkos::device_id());
      for (OwnStream const& stream : streams) EXPECT_EQ(words(marks.add(stream.get(), joins)), words(Runtime::success));
      expect_wait(
          gate, [&] { EXPECT_EQ(words(marks.synchronize()), words(Runtime::success)); },
          "stream " + std::to_string(held));
    }
}

// The joining stream waits; no other stream waits for it.
TEST(FenceMarks, ASecondFenceDoesNotWaitForTheFirst) {
  KOKKOS_TEST_SKIP_IF_STREAMS_SHARE_QUEUES();
  OwnStream held, open;
  Gate gate;
  gate.close_now(held.get());
  Marks first(Kokkos::device_id());
  EXPECT_EQ(words(first.add(held.get(), true)), words(Runtime::success));
  {
    Marks second(Kokkos::device_id());
    EXPECT_EQ(words(second.add(open.get(), true)), words(Runtime::success));
    EXPECT_EQ(words(second.synchronize()), words(Runtime::success));
  }
  gate.open();
  EXPECT_EQ(words(first.synchronize()), words(Runtime::success));
}

/// Counts the streams that are made, or refuses to make them.
struct Counting : Runtime {
  static inline int streams    = 0;
  static inline bool refuses   = false;
  static inline int host_waits = 0;
  static error_t stream_create_unordered(stream_t* stream) {
    if (refuses) return not_ready;
    ++streams;
    return Runtime::stream_create_unordered(stream);
  }
  static error_t event_synchronize(event_t event) {
    ++host_waits;
    return Runtime::event_synchronize(event);
  }
};

/// Waits for two streams. \return how often the host waited
int waits_for_two(bool joins) {
  OwnStream one, other;
  Counting::host_waits = 0;
  Kokkos::Impl::GPUFenceMarks<Counting> marks(Kokkos::device_id());
  for (OwnStream const* stream : {&one, &other})
    EXPECT_EQ(words(marks.add(stream->get(), joins)), words(Runtime::success));
  EXPECT_EQ(words(marks.synchronize()), words(Runtime::success));
  return Counting::host_waits;
}

TEST(FenceMarks, TheHostWaitsOnceAndTheStreamIsKept) {
  for (int i = 0; i < 3; ++i) EXPECT_EQ(waits_for_two(true), 1);
  EXPECT_EQ(Counting::streams, 1);
  EXPECT_EQ(waits_for_two(false), 2);
  Kokkos::Impl::GPUFenceMarks<Counting>::release_all();
  Counting::refuses = true;
  EXPECT_EQ(waits_for_two(true), 2) << "without a joining stream";
  Counting::refuses = false;
  EXPECT_EQ(waits_for_two(true), 1);
  EXPECT_EQ(Counting::streams, 2);
  Kokkos::Impl::GPUFenceMarks<Counting>::release_all();
}

}  // namespace
