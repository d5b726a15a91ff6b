// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The copy engine: every byte arrives, in the order of its stream, while the host continues.
#include "CopyEngineTest.hpp"

#ifndef __CUDACC__
#define KOKKOS_TEST_WITH_GPU_MODEL
#include "../unit/LockCount.hpp"
#endif

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <future>
#include <memory>
#include <thread>
#include <vector>

namespace {

std::size_t const sizes[] = {1, 3, 8, 4095, 64 << 10, (64 << 10) + 1, 300000, (1 << 20) + 7, (5 << 20) + 3};

TEST_F(CopyEngineTest, EverySizeArrivesInAStream) {
  TestStream stream(0);
  for (std::size_t n : sizes) {
    SCOPED_TRACE(n);
    DeviceBytes device(n);
    Bytes const source = bytes_of(n, 1);
    Bytes back(n);
    engine().enqueue(to_device(device, source), stream);
    engine().enqueue(to_host(back, device), stream);
    fence(stream);
    EXPECT_TRUE(back == source);
    EXPECT_TRUE(device.get() == source);
  }
  EXPECT_TRUE(engine().is_usable());
}

TEST_F(CopyEngineTest, EverySizeArrivesWithoutAStream) {
  for (std::size_t n : sizes) {
    SCOPED_TRACE(n);
    DeviceBytes device(n);
    Bytes const source = bytes_of(n, 2);
    Bytes back(n);
    engine().run(to_device(device, source));
    engine().run(to_host(back, device));
    EXPECT_TRUE(back == source);
  }
  EXPECT_TRUE(engine().is_usable());
}

PageableCopy block(bool there, DeviceBytes const& d, Bytes const& h) {
  PageableCopy copy;
  copy.to_device = there;
  copy.bytes     = h.size();
  copy.device    = DeviceRows::block(d.data(), copy.bytes);
  copy.block     = const_cast<char*>(h.data());
  copy.span      = {copy.block, copy.block + copy.bytes};
  return copy;
}

// A stream costs more than a small copy.
TEST_F(CopyEngineTest, CopiesWithoutAStreamTakeOneThatIsKept) {
  ASSERT_TRUE(engine().is_usable());
  TestRuntime::streams_made = 0;
  for (std::size_t n : sizes)
    for (int i = 0; i < 3; ++i) {
      DeviceBytes device(n);
      Bytes host(n);
      engine().run(to_device(device, host));
      (void)engine().enqueue_block(block(false, device, host), nullptr, [&] { return to_host(host, device); });
    }
  EXPECT_EQ(TestRuntime::streams_made.load(), 1);
}

// Small copies of one block need no StagedCopy, unless they outlive the call.
TEST_F(CopyEngineTest, EverySizeArrivesAsABlock) {
  TestStream stream(0);
  for (std::size_t n : sizes) {
    SCOPED_TRACE(n);
    DeviceBytes device(n);
    Bytes const source = bytes_of(n, 50);
    Bytes back(n), again(n), last(n);
    engine().enqueue_block(block(true, device, source), &stream, [&] { return to_device(device, source); });
    bool const ended =
        engine().enqueue_block(block(false, device, back), &stream, [&] { return to_host(back, device); });
    EXPECT_FALSE(ended && back != source) << "it reported that the copy had ended";
    fence(stream);
    EXPECT_TRUE(back == source);
    Gate gate;
    gate.close(stream);
    EXPECT_FALSE(engine().enqueue_block(block(false, device, again), &stream, [&] { return to_host(again, device); }));
    gate.open();
    fence(stream);
    EXPECT_TRUE(again == source);
    EXPECT_TRUE(engine().enqueue_block(block(false, device, last), nullptr, [&] { return to_host(last, device); }));
    EXPECT_TRUE(last == source);
  }
}

// Each piece costs the caller the same time, whatever its size.
TEST_F(CopyEngineTest, PiecesAreEqual) {
  TestStream stream(0);
  std::size_t const n = (3 << 20) + 100;
  DeviceBytes device(n);
  Bytes host = bytes_of(n, 3);
  for (bool there : {true, false})
    for (bool wait : {true, false}) {
      TestRuntime::forget_sizes();
      if (wait)
        engine().run(there ? to_device(device, host) : to_host(host, device));
      else
        engine().enqueue(there ? to_device(device, host) : to_host(host, device), stream);
      fence(stream);
      EXPECT_LE(TestRuntime::max_copied.load(), wait ? settings.sync_piece_bytes : settings.piece_bytes);
      EXPECT_GE(TestRuntime::max_copied.load(), std::size_t(128) << 10);
      EXPECT_LE(TestRuntime::max_copied - TestRuntime::min_copied, std::size_t(4) << 10) << there << wait;
    }
}

TEST_F(CopyEngineTest, NothingIsCopiedAtOnce) {
  TestStream stream(0);
  DeviceBytes device(1);
  bool completed     = false;
  StagedCopy copy    = to_device(device, Bytes{});
  copy.on_completion = [&] { completed = true; };
  engine().enqueue(std::move(copy), stream);
  EXPECT_TRUE(completed);
  engine().run(to_device(device, Bytes{}));
  EXPECT_EQ(engine().pinned_bytes(), 0u);
}

// ---- order ----------------------------------------------------------------------------------------------------------

TEST_F(CopyEngineTest, CopiesKeepTheOrderOfTheStream) {
  TestStream stream(0);
  for (std::size_t n : {std::size_t(100), std::size_t(40000), std::size_t(3) << 20}) {
    SCOPED_TRACE(n);
    DeviceBytes device(n);
    std::vector<Bytes> seen(6, Bytes(n));
    for (int i = 0; i < 6; ++i) {
      check(TestRuntime::memset_async(device.data(), 'a' + i, n, stream.get()));
      engine().enqueue(to_host(seen[i], device), stream);
    }
    fence(stream);
    for (int i = 0; i < 6; ++i) EXPECT_TRUE(seen[i] == Bytes(n, static_cast<char>('a' + i))) << i;
  }
}

TEST_F(CopyEngineTest, SourceIsReadAfterEarlierWorkOfTheStream) {
  TestStream stream(0);
  for (std::size_t n : {std::size_t(100), std::size_t(40000), std::size_t(3) << 20}) {
    SCOPED_TRACE(n);
    Gate gate;
    gate.close(stream);
    DeviceBytes first(n), second(n);
    Bytes const source = bytes_of(n, 3);
    Bytes between(n), last(n);
    engine().enqueue(to_device(first, source), stream);
    engine().enqueue(to_host(between, first), stream);
    engine().enqueue(to_device(second, between), stream);  // the result of the copy before it
    engine().enqueue(to_host(last, second), stream);
    gate.open();
    fence(stream);
    EXPECT_TRUE(last == source);
  }
}

/// Bytes that are packed in one piece, which is larger than the staging buffer.
class OneGranule final : public HostSide {
 public:
  explicit OneGranule(Bytes const& bytes) : m_block(bytes.data(), bytes.size()), m_bytes(bytes.size()) {}
  void gather(void* slab, std::size_t first, std::size_t n) const override { m_block.gather(slab, first, n); }
  void scatter(void const* slab, std::size_t first, std::size_t n) const override { m_block.scatter(slab, first, n); }
  std::size_t granule() const override { return m_bytes; }
  HostSpan span() const override { return m_block.span(); }
  void poison() const override { m_block.poison(); }

 private:
  HostBlock m_block;
  std::size_t m_bytes;
};

// The same where the runtime copies, which may read a pageable source during the call, and where the caller fills the slabs,
// because streams do not wait for the host.
TEST_F(CopyEngineTest, TheRuntimeCopiesAfterEarlierWorkOfTheStream) {
  Bytes const source = bytes_of(5 << 20, 16);
  DeviceBytes device(source.size());
  TestStream stream(0);
  enum class Lacking { buffer, slab, waits };
  for (Lacking const lacking : {Lacking::buffer, Lacking::slab, Lacking::waits}) {
    SCOPED_TRACE(static_cast<int>(lacking));
    Engines::release_all();
    TestRuntime::no_pinned = lacking == Lacking::buffer;
    CopySettings changed   = settings;
    changed.device_waits   = lacking != Lacking::waits;
    Engines::configure(changed);
    Engine const current = Engines::of(0);
    ASSERT_EQ(current.is_usable(), lacking != Lacking::buffer);
    Gate gate;
    gate.close(stream);
    TestRuntime::fail_calls(0);  // counts from here
    TestRuntime::copies = 0;
    std::thread caller([&] {
      StagedCopy copy = to_device(device, source);
      if (lacking == Lacking::slab) copy.host = std::make_unique<OneGranule>(source);
      current.enqueue(std::move(copy), stream);
    });
    while (TestRuntime::calls == 0) std::this_thread::yield();
    EXPECT_EQ(TestRuntime::copies.load(), 0) << "before the work in the stream that may write the source has ended";
    gate.open();
    caller.join();
    EXPECT_GT(TestRuntime::copies.load(), 0);
    fence(stream);
    EXPECT_TRUE(device.get() == source);
  }
}

TEST_F(CopyEngineTest, ManySmallCopiesInARow) {
  TestStream stream(0);
  constexpr int count     = 500;
  constexpr std::size_t n = 3000;
  DeviceBytes device(n * count);
  std::vector<Bytes> sources;
  for (int i = 0; i < count; ++i) sources.push_back(bytes_of(n, i));
  for (int i = 0; i < count; ++i) {
    StagedCopy copy = to_device(device, sources[i]);
    copy.device     = DeviceRows::block(device.data() + i * n, n);
    engine().enqueue(std::move(copy), stream);
  }
  fence(stream);
  Bytes const all = device.get();
  for (int i = 0; i < count; ++i)
    EXPECT_TRUE(std::equal(sources[i].begin(), sources[i].end(), all.begin() + i * n)) << i;
}

// ---- the host continues ---------------------------------------------------------------------------------------------

TEST_F(CopyEngineTest, BlockedStreamBlocksNothingElse) {
  TestStream blocked(0), free(0);
  std::size_t const n = 3 << 20;
  DeviceBytes one(n), two(n);
  Bytes const source = bytes_of(n, 4);
  Bytes back_one(n), back_two(n);
  Gate gate;
  gate.close(blocked);
  for (int i = 0; i < 10; ++i) {  // many times the size of the slabs
    engine().enqueue(to_device(one, source), blocked);
    engine().enqueue(to_host(back_one, one), blocked);
  }
  engine().enqueue(to_device(two, source), free);
  engine().enqueue(to_host(back_two, two), free);
  fence(free);
  EXPECT_TRUE(back_two == source);
  EXPECT_FALSE(back_one == source);
  Bytes sync(n);
  engine().run(to_host(sync, two));
  EXPECT_TRUE(sync == source);
  gate.open();
  fence(blocked);
  EXPECT_TRUE(back_one == source);
}

/// Host memory of one block. The engine learns that it is one block only if `known`. Each gather calls `before` with the
/// position of its first byte.
class WatchedBytes final : public HostSide {
 public:
  WatchedBytes(Bytes const& bytes, bool known, std::function<void(std::size_t)> before)
      : m_block(bytes.data(), bytes.size()), m_known(known), m_before(std::move(before)) {}
  void gather(void* slab, std::size_t first, std::size_t bytes) const override {
    m_before(first);
    m_block.gather(slab, first, bytes);
  }
  void scatter(void const* slab, std::size_t first, std::size_t bytes) const override {
    m_block.scatter(slab, first, bytes);
  }
  HostSpan span() const override { return m_block.span(); }
  char* block() const override { return m_known ? m_block.block() : nullptr; }
  void poison() const override { m_block.poison(); }

 private:
  HostBlock m_block;
  bool m_known;
  std::function<void(std::size_t)> m_before;
};

// StagingQueue_test checks how copies wait for the link. This test checks which copies wait: if any other copy waited,
// its fence would never return.
TEST_F(CopyEngineTest, LargeBlocksUseTheLinkOneAfterTheOther) {
  settings.threads          = 3;
  settings.serialized_bytes = 1 << 20;
  settings.past_cache_bytes = 0;
  TestStream first(0), other(0), second(0);
  std::size_t const large = 3 << 20;
  Bytes const source = bytes_of(large, 8), small = bytes_of(1 << 20, 9);
  DeviceBytes held(large), waiting(large), between(small.size()), packed(large), alone(large);
  std::atomic<bool> begun{false}, go{false};

  StagedCopy copy = to_device(held, source);
  copy.host       = std::make_unique<WatchedBytes>(source, true, [&](std::size_t at) {
    begun = true;
    while (at == 0 && !go) std::this_thread::yield();
  });
  engine().enqueue(std::move(copy), first);
  while (!begun) std::this_thread::yield();
  engine().enqueue(to_device(waiting, source), second);

  engine().enqueue(to_device(between, small), other);
  fence(other);
  copy      = to_device(packed, source);
  copy.host = std::make_unique<WatchedBytes>(source, false, [](std::size_t) {});
  engine().enqueue(std::move(copy), other);
  fence(other);
  Bytes back(large);
  engine().enqueue(to_host(back, packed), other);
  fence(other);
  EXPECT_TRUE(back == source);
  engine().run(to_device(alone, source));
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_EQ(PlainRuntime::stream_query(second.get()), PlainRuntime::not_ready) << "an older copy uses the link";
  go = true;
  fence(first);
  fence(second);
  EXPECT_TRUE(between.get() == small);
  for (auto* device : {&held, &waiting, &packed, &alone}) EXPECT_TRUE(device->get() == source);
}

TEST_F(CopyEngineTest, MoreStreamsThanChannels) {
  constexpr std::size_t count = 80, n = 300000;
  StreamsWithMemory const all(count, n);
  std::vector<Bytes> sources, back(count, Bytes(n));
  Gate gate;
  for (unsigned i = 0; i < count; ++i) sources.push_back(bytes_of(n, 100 + i));
  // A few streams are blocked. On a shared channel, other copies may wait for these, but the host does not.
  for (std::size_t i = 0; i < 20; ++i) gate.close(all.streams[i]);
  for (int round = 0; round < 2; ++round)
    for (std::size_t i = 0; i < count; ++i) {
      engine().enqueue(to_device(all.devices[i], sources[i]), all.streams[i]);
      engine().enqueue(to_host(back[i], all.devices[i]), all.streams[i]);
    }
  gate.open();
  for (std::size_t i = 0; i < count; ++i) {
    fence(all.streams[i]);
    EXPECT_TRUE(back[i] == sources[i]) << i;
  }
}

// Where a stream that waits may hold up all others, a copy never waits in its stream for that of another stream: if all
// channels are in use, the runtime makes it.
TEST_F(CopyEngineTest, NoStreamWaitsForOthersThatMayHoldItUp) {
  settings.waits_may_hold_others = true;
  constexpr std::size_t count = 40, n = 600000;
  StreamsWithMemory const all(count + 1, n);
  Bytes const source = bytes_of(n, 54);
  Bytes back(n);
  all.devices[count].set(source);
  ASSERT_TRUE(engine().is_usable());
  Gate gate;
  std::vector<std::future<void>> calls;
  auto const has_returned = [](std::future<void> const& call, int seconds) {
    return call.wait_for(std::chrono::seconds(seconds)) == std::future_status::ready;
  };
  for (std::size_t i = 0; i < count; ++i) {
    gate.close(all.streams[i]);
    calls.push_back(std::async(std::launch::async,
                               [&, i] { engine().enqueue(to_device(all.devices[i], source), all.streams[i]); }));
    if (!has_returned(calls.back(), 1)) break;  // there is no channel for it
  }
  TestStream const& free = all.streams[count];
  auto const call        = std::async(std::launch::async, [&] {
    engine().enqueue(to_host(back, all.devices[count]), free);
    fence(free);
  });
  EXPECT_TRUE(has_returned(call, 20)) << "it waits for a stream behind the gate";
  gate.open();
  call.wait();
  EXPECT_TRUE(back == source);
  for (auto& each : calls) each.get();
  for (auto const& stream : all.streams) fence(stream);
}

TEST_F(CopyEngineTest, AStreamThatEndsIsDrained) {
  std::size_t const n = 2 << 20;
  DeviceBytes device(n);
  device.set(bytes_of(n, 5));
  Bytes back(n);
  {
    TestStream stream(0);
    engine().enqueue(to_host(back, device), stream);
  }
  EXPECT_TRUE(back == bytes_of(n, 5));
}

// ---- the event that a caller waits for -----------------------------------------------------------------------------

TEST_F(CopyEngineTest, CallerOfUnkeptMemoryWaits) {
  TestStream stream(0);
  for (std::size_t n : {std::size_t(24), std::size_t(100000), std::size_t(3) << 20}) {
    SCOPED_TRACE(n);
    DeviceBytes device(n);
    Bytes const source = bytes_of(n, 40);
    Bytes gone         = source, back(n);
    StagedCopy copy    = to_device(device, gone);
    copy.wait          = CopyWait::host_memory;
    engine().enqueue(std::move(copy), stream);
    std::fill(gone.begin(), gone.end(), '0');
    copy      = to_host(back, device);
    copy.wait = CopyWait::host_memory;
    engine().enqueue(std::move(copy), stream);
    EXPECT_TRUE(back == source);
  }
}

// If streams must not wait for the host, the caller enqueues copies through slabs piece by piece.
TEST_F(CopyEngineTest, WithoutWaitingStreamsCopiesAreBlocking) {
  settings.device_waits  = false;
  TestRuntime::no_values = true;
  TestStream stream(0);
  for (std::size_t n : sizes)
    for (bool in_stream : {true, false}) {
      SCOPED_TRACE(n);
      DeviceBytes device(n);
      Bytes const source = bytes_of(n, 41);
      Bytes back(n);
      TestRuntime::forget_sizes();
      for (bool there : {true, false}) {
        StagedCopy copy = there ? to_device(device, source) : to_host(back, device);
        if (in_stream)
          engine().enqueue(std::move(copy), stream);
        else
          engine().run(std::move(copy));
        if (n <= settings.slot_bytes) fence(stream);  // for these the runtime runs the last step
      }
      EXPECT_TRUE(back == source);
      if (n > settings.slot_bytes) {
        EXPECT_LE(TestRuntime::max_copied.load(), settings.sync_piece_bytes) << "by slabs";
      }
    }
  EXPECT_TRUE(engine().is_usable());
}

// A copy of many pieces would fill the queue of the driver, which then blocks every thread.
TEST_F(CopyEngineTest, OfALongCopyNoPieceIsEnqueuedBeforeItCanRun) {
  settings.max_pieces_ahead = 4;
  TestStream stream(0), other(0);
  std::size_t const n = 12 << 20;
  DeviceBytes device(n), small(1 << 20);
  Bytes const source = bytes_of(n, 42), others = bytes_of(1 << 20, 43);
  ASSERT_TRUE(engine().is_usable());
  Gate gate;
  gate.close(stream);
  TestRuntime::copies = 0;
  std::thread caller([&] { engine().enqueue(to_device(device, source), stream); });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_EQ(TestRuntime::copies.load(), 0);
  engine().enqueue(to_device(small, others), other);  // the other stream is not blocked
  fence(other);
  gate.open();
  caller.join();
  fence(stream);
  EXPECT_TRUE(device.get() == source);
  EXPECT_TRUE(small.get() == others);
  engine().enqueue(to_device(device, source), stream);  // its channel is usable again
  fence(stream);
}

#ifdef KOKKOS_TEST_COUNTS_LOCKS
// A missing lock makes a race that seldom shows. The number of locks of the pool depends on time. TestRuntime takes one for
// each block of pinned memory that is made or freed.
TEST_F(CopyEngineTest, LocksOfEachStep) {
  auto const expect_locks = [](char const* what, std::size_t expected, auto const& step) {
    std::size_t const before = Kokkos::Testing::locks_taken;
    step();
    EXPECT_EQ(Kokkos::Testing::locks_taken - before, expected) << what;
  };
  std::size_t const n = 1 << 20;
  DeviceBytes device(n);
  Bytes const source = bytes_of(n, 52);
  Bytes back(n);
  auto& pool                       = Engines::pool();
  Kokkos::Testing::uncounted_begin = &pool;
  Kokkos::Testing::uncounted_end   = &pool + 1;
  for (bool const streams_wait : {true, false}) {
    SCOPED_TRACE(streams_wait);
    settings.device_waits = streams_wait;
    Engines::configure(settings);
    std::size_t const of_a_copy = streams_wait ? 1 : 2;  // a caller that enqueues pieces gives the channel back itself
    std::unique_ptr<TestStream> stream;
    expect_locks("a number for the stream", 1, [&] { stream = std::make_unique<TestStream>(0); });
    expect_locks("the engine of the device, which observes streams", 2, [&] { (void)Engines::of(0); });
    Engine const engine = Engines::of(0);
    expect_locks("the staging buffer, and its memory", 2, [&] { (void)engine.is_usable(); });
    expect_locks("to the device", of_a_copy, [&] { engine.enqueue(to_device(device, source), *stream); });
    expect_locks("to the host", of_a_copy, [&] { engine.enqueue(to_host(back, device), *stream); });
    fence(*stream);
    expect_locks("a stream is made, and kept", of_a_copy + 3, [&] { engine.run(to_host(back, device)); });
    expect_locks("a stream is taken, and kept", of_a_copy + 2, [&] { engine.run(to_host(back, device)); });
    expect_locks("the engine forgets a stream", 2, [&] { stream.reset(); });
    expect_locks("the end", 7, [&] { Engines::release_all(); });
  }
  Kokkos::Testing::uncounted_end = Kokkos::Testing::uncounted_begin = nullptr;
}
#endif

}  // namespace
