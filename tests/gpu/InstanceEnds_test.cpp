// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Instances that end while another thread visits them in a fence of all instances, or in a release of memory.

#include "DeviceTest.hpp"

#include <atomic>
#include <chrono>
#include <memory>
#include <thread>
#include <vector>

namespace {

using Kokkos::RangePolicy;
using Kokkos::Testing::expect_no_leaks;
using Kokkos::Testing::Gate;
using Kokkos::Testing::GPU;
using Kokkos::Testing::OwnStream;

/// Records in memory that the host can read that it has run.
struct SetFlag {
  Kokkos::View<int, Kokkos::SharedHostPinnedSpace> flag;
  KOKKOS_FUNCTION void operator()(int) const { flag() = 1; }
};

/// Number of waits for a stream so far. A GPU does not report it; there, the test waits for a while instead.
std::size_t waits() {
#ifdef KOKKOS_IMPL_GPU_MODEL
  return hip_model::call_count("hipStreamSynchronize");
#else
  return 0;
#endif
}
/// Waits until another thread also waits for a stream, or until it is clear that none will.
void expect_another_wait_after(std::size_t before) {
  for (int i = 0; i < 500 && waits() == before; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

class InstanceEnds : public testing::Test {
 protected:
  void SetUp() override { Kokkos::initialize(); }
  void TearDown() override {
    flag = {};
    stream.reset();
    Kokkos::finalize();
    expect_no_leaks();
  }

  /// Creates an instance with a blocked stream of the program, and a kernel in it.
  void begin() {
    flag     = decltype(flag)("flag");
    stream   = std::make_unique<OwnStream>();
    instance = std::make_unique<GPU>(stream->get());
    Kokkos::parallel_for("first", RangePolicy<GPU>(*instance, 0, 1), SetFlag{flag});  // a kernel is loaded at its first
                                                                                      // launch
    instance->fence();
    flag() = 0;
    gate.close(stream->get());
    Kokkos::parallel_for("set flag", RangePolicy<GPU>(*instance, 0, 1), SetFlag{flag});
  }
  /// Starts a thread that visits all instances; returns when it waits for the blocked one.
  template <class Look>
  std::thread look(Look const& what) {
    std::size_t const before = waits();
    std::thread thread(what);
    expect_another_wait_after(before);
    return thread;
  }

  /// Destroys the last handle, and then the stream, while another thread visits the instance; the gate opens in
  /// between.
  void end_while_it_looks() {
    std::thread opener([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      gate.open();
    });
    instance.reset();
    stream->destroy();
    opener.join();
  }

  Kokkos::View<int, Kokkos::SharedHostPinnedSpace> flag;
  std::unique_ptr<OwnStream> stream;
  std::unique_ptr<GPU> instance;
  Gate gate;
};

// The stream belongs to the program, which destroys it as soon as the instance has ended: no thread may use it
// afterwards. On the model such a use would violate a rule.
TEST_F(InstanceEnds, FenceOfAllEndsBeforeTheStream) {
  begin();
  std::thread fence = look([] { Kokkos::fence(); });
  end_while_it_looks();
  fence.join();
  EXPECT_EQ(flag(), 1);
}

TEST_F(InstanceEnds, ReleaseOfMemoryEndsBeforeTheStream) {
  Kokkos::View<int*, GPU> view("view", 100);
  begin();
  std::thread release = look([&] { view = {}; });
  end_while_it_looks();
  release.join();
  EXPECT_EQ(flag(), 1);
}

// Work that was launched before the fence has completed after it, although the instance was ending.
TEST_F(InstanceEnds, AFenceOfAllWaitsForAnInstanceThatIsEnding) {
  begin();
  std::thread end   = look([&] { instance.reset(); });
  int seen          = -1;
  std::thread fence = look([&] {
    Kokkos::fence();
    seen = __atomic_load_n(flag.data(), __ATOMIC_RELAXED);
  });
  gate.open();
  end.join();
  fence.join();
  EXPECT_EQ(seen, 1);
}

TEST_F(InstanceEnds, ManyEndWhileOthersFenceAndRelease) {
  std::atomic<bool> done{false};
  std::thread fences([&] {
    while (!done.load()) Kokkos::fence();
  });
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t)
    threads.emplace_back([] {
      for (int round = 0; round < 100; ++round) {
        OwnStream own;
        Kokkos::View<int, Kokkos::SharedHostPinnedSpace> mine("mine");
        Kokkos::parallel_for("set flag", RangePolicy<GPU>(GPU(own.get()), 0, 1), SetFlag{mine});
        // Both handles of the instance have been destroyed, so its stream is drained.
        EXPECT_EQ(mine(), 1);
      }
    });
  for (std::thread& thread : threads) thread.join();
  done = true;
  fences.join();
}

}  // namespace
