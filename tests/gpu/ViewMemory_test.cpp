// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// \file
/// Memory of views that are created and destroyed: its reuse, the amount that is kept, and the initial content of small
/// views.

#include "../unit/Deadline.hpp"
#include "DeviceTest.hpp"

#include <impl/GPU/memory/Kokkos_GPU_ViewMemory.hpp>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace Kokkos::Testing;
using MemSpace = GPU::memory_space;
using Bytes    = Kokkos::View<char*, MemSpace>;
using Memory   = Kokkos::Impl::GPUViewMemory<Runtime>;

Bytes bytes_of(std::size_t n) { return Bytes(Kokkos::view_alloc("bytes", Kokkos::WithoutInitializing), n); }

Kokkos::Impl::GPUPoolUsage usage() { return Memory::usage<Kokkos::Impl::DeviceMemoryKind>(Kokkos::device_id()); }

class ViewMemory : public testing::Test {
  Deadline m_deadline{"work in progress or memory of a view is still waited for", 200};
};

/// The memory of a view of `n` bytes that was dropped behind `gate` is not reused before the gate opens, and is reused
/// after.
void expect_reuse_only_after(Gate& gate, std::size_t n) {
  Bytes dropped     = bytes_of(n);
  void* const place = dropped.data();
  dropped           = Bytes();
  std::vector<Bytes> others;
  for (int i = 0; i < 20; ++i) {
    others.push_back(bytes_of(n));
    EXPECT_NE(others.back().data(), place) << "memory that work in progress may use was reused";
  }
  others.clear();
  gate.open();
  Kokkos::fence();
  Kokkos::Experimental::release_idle_memory();  // waits for all work that may use the memory
  EXPECT_EQ(usage().returned, 0u);
}

constexpr std::size_t sizes[] = {8, 5000, std::size_t(1) << 20, std::size_t(5) << 20};

TEST_F(ViewMemory, WaitsForAnInstanceThatKokkosMade) {
  const GPU instance = Kokkos::Experimental::partition_space(GPU(), 1, 1)[1];
  for (std::size_t const n : sizes) {
    Gate gate;
    gate.close(instance.impl_instance().stream());
    expect_reuse_only_after(gate, n);
    instance.fence();
  }
}

TEST_F(ViewMemory, WaitsForAnInstanceOnAStreamOfTheProgram) {
  OwnStream own;  // not ordered with the default stream
  const GPU instance(own.get());
  for (std::size_t const n : sizes) {
    Gate gate;
    gate.close(own.get());
    expect_reuse_only_after(gate, n);
    instance.fence();
  }
}

TEST_F(ViewMemory, WaitsForAnOrderedStreamOfTheProgram) {
  OrderedStream own;
  for (std::size_t const n : sizes) {
    Gate gate;
    gate.close(own.get());
    Bytes dropped     = bytes_of(n);
    void* const place = dropped.data();
    dropped           = Bytes();
    for (int i = 0; i < 20; ++i) {
      EXPECT_NE(bytes_of(n).data(), place);
    }
    gate.open();
    EXPECT_EQ(words(Runtime::stream_synchronize(own.get())), words(Runtime::success));
  }
}

TEST_F(ViewMemory, IsUsedAgainWhenNothingIsUnderWay) {
  for (std::size_t const n : sizes) {
    (void)bytes_of(n);
    std::size_t const taken = usage().taken;
    for (int i = 0; i < 20; ++i) {
      (void)bytes_of(n);
      while (usage().returned > 0) {  // an event must happen first, which takes a moment
        Memory::for_each([](auto& pool) { pool.collect(false); });
        std::this_thread::yield();
      }
    }
    EXPECT_EQ(usage().taken, taken) << n;
  }
}

TEST_F(ViewMemory, OfAResourceIsUsedAgainAfterTheWorkThatMayUseIt) {
  constexpr std::size_t n = std::size_t(1) << 20;
  GPU const exec;
  Kokkos::Experimental::MemoryResource<MemSpace> const pool("pool", 3 * n);
  auto const from_pool = [&] { return Bytes(Kokkos::view_alloc(pool, "bytes", Kokkos::WithoutInitializing), n); };
  Gate gate;
  gate.close_now(exec.impl_instance().stream());
  Bytes const a = from_pool(), b = from_pool();
  EXPECT_NE(a.data(), b.data());
  Bytes c          = from_pool();  // all that is left
  void* const last = c.data();
  c                = Bytes();
  EXPECT_EQ(pool.usage().in_use, 2 * n);
  std::atomic<bool> opened = false;
  std::thread opener([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    opened = true;
    gate.open();
  });
  Bytes const d = from_pool();  // waits for the work before the end of `c`
  EXPECT_TRUE(opened);
  EXPECT_EQ(d.data(), last);
  opener.join();
}

TEST_F(ViewMemory, IsGivenBackOnRequest) {
  {
    std::vector<Bytes> views;
    for (int i = 0; i < 100; ++i) views.push_back(bytes_of(std::size_t(1) << (i % 23)));
    EXPECT_GT(usage().taken, 0u);
  }
  Kokkos::Experimental::release_idle_memory();
  EXPECT_EQ(usage().taken, 0u);
  EXPECT_EQ(usage().idle, 0u);
}

TEST_F(ViewMemory, AsksNoStreamThatHasEnded) {
  constexpr std::size_t n = std::size_t(80) << 20;  // so much that the pool places a marker at once
  auto own                = std::make_unique<OwnStream>();
  {
    const GPU instance(own->get());
    Gate gate;
    gate.close(own->get());
    (void)bytes_of(n);
    EXPECT_GE(usage().returned, n);
    gate.open();
  }
  own.reset();
#ifdef KOKKOS_IMPL_GPU_MODEL
  const std::size_t violations = hip_model::violation_count();
#endif
  Kokkos::Experimental::release_idle_memory();
  EXPECT_EQ(usage().returned, 0u);
#ifdef KOKKOS_IMPL_GPU_MODEL
  EXPECT_EQ(hip_model::violation_count(), violations) << hip_model::last_report().message;
#endif
}

TEST_F(ViewMemory, IsAlignedTo256Bytes) {
  for (std::size_t n = 1; n < 100000; n += 777)
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(bytes_of(n).data()) % 256, 0u);
}

// ---- zeros ---------------------------------------------------------------------------------------------------------

template <class View>
struct Dirty {
  View view;
  KOKKOS_FUNCTION void operator()(int i) const { view(i) = -1; }
};
template <class View>
struct CountNonzero {
  View view;
  Kokkos::View<int, MemSpace> wrong;
  KOKKOS_FUNCTION void operator()(int i) const {
    if (view(i) != 0) Kokkos::atomic_inc(&wrong());
  }
};

TEST_F(ViewMemory, OfSmallViewsIsZeroWhoeverHadItBefore) {
  using View = Kokkos::View<int*, MemSpace>;
  std::mt19937 random(5);
  Kokkos::View<int, MemSpace> wrong("wrong");
  std::vector<View> alive(50);
  auto const parts = Kokkos::Experimental::partition_space(GPU(), 1, 1, 1);
  for (int i = 0; i < 6000; ++i) {
    int const n     = 1 + static_cast<int>(random() % (i % 10 == 0 ? 1500 : 80));
    GPU const& user = parts[random() % parts.size()];
    View view       = random() % 2 ? View("zeros", n) : View(Kokkos::view_alloc("zeros", user), n);
    Kokkos::parallel_for(Kokkos::RangePolicy<GPU>(user, 0, n), CountNonzero<View>{view, wrong});
    Kokkos::parallel_for(Kokkos::RangePolicy<GPU>(user, 0, n), Dirty<View>{view});
    alive[random() % alive.size()] = view;
    if (i % 500 == 0) Kokkos::fence();
  }
  Kokkos::fence();
  int found = -1;
  Kokkos::deep_copy(found, wrong);
  EXPECT_EQ(found, 0);
}

TEST_F(ViewMemory, OfSmallViewsIsZeroWithoutAKernel) {
  using View = Kokkos::View<double*, MemSpace>;
  Kokkos::Experimental::release_idle_memory();
  // The first view of each size class starts a clearing, and a later one adds the cleared blocks to the stock.
  auto const finish_clearing = [] { EXPECT_EQ(words(Runtime::device_synchronize()), words(Runtime::success)); };
  constexpr int lengths[]    = {1, 64, 128, 256, 500};  // one of each size class that has a stock
  for (int round = 0; round < 2; ++round)
    for (int const length : lengths) {
      View const first("first", length);
      finish_clearing();
    }
  GPU().fence();
  int with_work = 0;
  for (int i = 0; i < 5000; ++i) {
    if (i % 100 == 0) finish_clearing();  // a class has more blocks than these views need
    View const view(Kokkos::view_alloc("small", GPU()), 1 + i % 500);
    with_work += GPU().impl_instance().has_work();
    GPU().fence();
  }
  EXPECT_EQ(with_work, 0) << "of 5000 views";
}

// ---- pinned memory -------------------------------------------------------------------------------------------------

using Pinned = Kokkos::View<int*, Kokkos::SharedHostPinnedSpace>;

TEST_F(ViewMemory, ThatIsPinnedWaitsForTheDevice) {
  const GPU instance = Kokkos::Experimental::partition_space(GPU(), 1, 1)[1];
  Gate gate;
  gate.close(instance.impl_instance().stream());
  void* place = nullptr;
  {
    Pinned pinned("pinned", 100);
    place = pinned.data();
  }
  for (int i = 0; i < 10; ++i) EXPECT_NE(Pinned("pinned", 100).data(), place);
  gate.open();
  instance.fence();
}

// ---- captures ------------------------------------------------------------------------------------------------------

template <class View>
struct AddOne {
  View view;
  KOKKOS_FUNCTION void operator()(int i) const { view(i) += 1; }
};

TEST_F(ViewMemory, ComesAndGoesWhileAStreamIsCaptured) {
  using View = Kokkos::View<double*, MemSpace>;
  OwnStream own;
  const GPU instance(own.get());
  View sum("sum", 1000);
  Kokkos::fence();
  CapturedGraph graph(own.get());
  for (int i = 0; i < 300; ++i) {
    Bytes large = bytes_of(std::size_t(1) << (i % 22));
    View small(Kokkos::view_alloc("small", Kokkos::WithoutInitializing), 10);
  }
  Kokkos::parallel_for(Kokkos::RangePolicy<GPU>(instance, 0, 1000), AddOne<View>{sum});
  graph.end();
  for (int i = 0; i < 3; ++i) graph.launch(own.get());
  instance.fence();
  EXPECT_EQ(common_value(sum), 3);
}

TEST_F(ViewMemory, ThatACapturedKernelUsesStaysWithTheGraph) {
  using View = Kokkos::View<double*, MemSpace>;
  OwnStream own;
  const GPU instance(own.get());
  View view("view", 1000);
  Kokkos::fence();
  void* const place = view.data();
  auto graph        = std::make_unique<CapturedGraph>(own.get());
  Kokkos::parallel_for(Kokkos::RangePolicy<GPU>(instance, 0, 1000), AddOne<View>{view});
  graph->end();
  view = View();
  for (int i = 0; i < 50; ++i) {
    EXPECT_NE(View("other", 1000).data(), place);
    graph->launch(own.get());
    instance.fence();
  }
  graph.reset();
}

// The pool asks whether work has ended that was submitted to a stream before the program began a capture there: a question to
// the runtime about that stream would invalidate the capture.
TEST_F(ViewMemory, LeavesACaptureIntactThatBeganAfterTheWork) {
  KOKKOS_TEST_SKIP_IF_STREAMS_SHARE_QUEUES();
  OwnStream own;
  const GPU instance(own.get());
  Gate gate;
  gate.close_now(own.get());
  (void)bytes_of(std::size_t(80) << 20);  // so much that the pool places a marker at once
  EXPECT_EQ(words(Runtime::stream_synchronize(Runtime::default_stream())), words(Runtime::success));
  CapturedGraph graph(own.get());
#ifdef KOKKOS_IMPL_GPU_MODEL
  const std::size_t violations = hip_model::violation_count();
#endif
  for (int i = 0; i < 3; ++i) Memory::for_each([](auto& pool) { pool.collect(false); });
#ifdef KOKKOS_IMPL_GPU_MODEL
  EXPECT_EQ(hip_model::violation_count(), violations) << hip_model::last_report().message;
#endif
  graph.end();
  gate.open();
  instance.fence();
}

// Work from before the capture of a stream counts as running, whatever other streams there are.
TEST_F(ViewMemory, IsNotUsedAgainWhileACapturedStreamHasEarlierWork) {
  KOKKOS_TEST_SKIP_IF_STREAMS_SHARE_QUEUES();
  constexpr std::size_t n = 5000;
  for (int const captured : {0, 1, 2}) {
    OwnStream streams[3];
    GPU const instances[] = {GPU(streams[0].get()), GPU(streams[1].get()), GPU(streams[2].get())};
    Gate gate;
    gate.close_now(streams[captured].get());
    CapturedGraph graph(streams[captured].get(), CaptureMode::relaxed);
    Bytes dropped     = bytes_of(n);
    void* const place = dropped.data();
    dropped           = Bytes();
    for (int i = 0; i < 3; ++i) {
      Memory::for_each([](auto& pool) { pool.collect(false); });
      EXPECT_EQ(words(Runtime::stream_synchronize(Runtime::default_stream())), words(Runtime::success));
    }
    std::vector<Bytes> others;
    for (int i = 0; i < 600; ++i) {  // more than a superblock has
      others.push_back(bytes_of(n));
      ASSERT_NE(others.back().data(), place) << "memory that stream " << captured << " may use was reused";
    }
    graph.end();
    gate.open();
    for (GPU const& instance : instances) instance.fence();
  }
}

// ---- fences --------------------------------------------------------------------------------------------------------

TEST(Fence, AsksOnlyInstancesThatHaveWork) {
  using View       = Kokkos::View<double*, MemSpace>;
  auto const parts = Kokkos::Experimental::partition_space(GPU(), 1, 1);
  View view("view", 100);
  Kokkos::fence();
  EXPECT_FALSE(parts[0].impl_instance().has_work());
  Kokkos::parallel_for(Kokkos::RangePolicy<GPU>(parts[0], 0, 100), AddOne<View>{view});
  EXPECT_TRUE(parts[0].impl_instance().has_work());
  EXPECT_FALSE(parts[1].impl_instance().has_work());
  parts[1].fence();
  EXPECT_TRUE(parts[0].impl_instance().has_work());
  parts[0].fence();
  EXPECT_FALSE(parts[0].impl_instance().has_work());
  Kokkos::deep_copy(parts[1], view, 1.0);
  EXPECT_TRUE(parts[1].impl_instance().has_work());
  Kokkos::fence();
  EXPECT_FALSE(parts[1].impl_instance().has_work());
}

#ifdef KOKKOS_IMPL_GPU_MODEL
// A kernel that another thread launches while a fence waits is work for the next fence.
TEST(Fence, LeavesWhatComesMeanwhileToTheNext) {
  KOKKOS_TEST_SKIP_IF_STREAMS_SHARE_QUEUES();
  Deadline const deadline("a fence still waits for work behind a gate that is open");
  GPU const instance = Kokkos::Experimental::partition_space(GPU(), 1)[0];
  Kokkos::View<double*, MemSpace> const view("view", 100);
  auto const launch = [&] {
    Kokkos::parallel_for(Kokkos::RangePolicy<GPU>(instance, 0, 100), AddOne<Kokkos::View<double*, MemSpace>>{view});
  };
  Kokkos::fence();
  // If the fence's call of the runtime is late, it waits for the second gate, too. Then the next attempt decides.
  bool is_decided = false;
  for (int attempt = 0; attempt < 20 && !is_decided; ++attempt) {
    Gate first, second;
    first.close_now(instance.impl_instance().stream());
    launch();
    std::size_t const before = hip_model::call_count("hipStreamSynchronize");
    std::atomic<bool> done   = false;
    std::thread fencing([&] {
      instance.fence();
      done = true;
    });
    while (hip_model::call_count("hipStreamSynchronize") == before) std::this_thread::yield();
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    second.close(instance.impl_instance().stream());
    launch();
    first.open();
    for (int i = 0; i < 1000 && !done; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    is_decided = done;
    if (is_decided) EXPECT_TRUE(instance.impl_instance().has_work());
    second.open();
    fencing.join();
    instance.fence();
    EXPECT_FALSE(instance.impl_instance().has_work());
  }
  EXPECT_TRUE(is_decided);
}
#endif

TEST(Fence, WaitsForStreamsThatTheProgramMayUseItself) {
  OwnStream own;
  const GPU instance(own.get());
  instance.fence();
  EXPECT_TRUE(instance.impl_instance().has_work()) << "work that Kokkos does not see may be in the stream";
}

/// Stores the address of a team's scratch memory of level 1.
struct StoreScratchAddress {
  Kokkos::View<std::uintptr_t, MemSpace> address;
  KOKKOS_FUNCTION void operator()(Kokkos::TeamPolicy<GPU>::member_type const& team) const {
    if (team.league_rank() == 0) address() = reinterpret_cast<std::uintptr_t>(team.team_scratch(1).get_shmem(8));
  }
};

// Allocating memory in stream order takes a third of the time of a launch.
TEST(TeamScratch, ThatIsSmallBelongsToTheInstance) {
  const GPU space = Kokkos::Experimental::partition_space(GPU(), 1)[0];
  Kokkos::View<std::uintptr_t, MemSpace> const view("address");
  auto const policy = Kokkos::TeamPolicy<GPU>(space, 4, 1).set_scratch_size(1, Kokkos::PerTeam(1024));
  Kokkos::parallel_for("scratch", policy, StoreScratchAddress{view});
  std::uintptr_t address = 0;
  Kokkos::deep_copy(address, view);
  auto const own = reinterpret_cast<std::uintptr_t>(space.impl_instance().work_memory(1, "a test"));
  EXPECT_GE(address, own);
  EXPECT_LT(address, own + 4 * 1024 + 1024);
}

}  // namespace
