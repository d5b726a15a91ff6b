// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The copy engine: every byte arrives, in the order of its stream, while the host goes on; whatever fails is reported.
#include "GpuTest.hpp"

#include <GPU/Kokkos_GPU_CopyEngines.hpp>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <memory>
#include <random>

namespace {

using namespace Kokkos::Impl;
using Engine  = CopyEngine<TestRuntime>;
using Engines = CopyEngines<TestRuntime>;
using Bytes   = std::vector<char>;

class CopyEngineTest : public testing::Test {
 protected:
  void SetUp() override {
    TestRuntime::fail_calls(0);
    TestRuntime::fail_every  = 0;
    TestRuntime::no_pinned   = false;
    TestRuntime::no_values   = false;
    TestRuntime::peak_pinned = TestRuntime::pinned.load();
    settings.threads         = 2;
    settings.staging_bytes   = 4 << 20;  // small, so that copies go round the slabs
    settings.piece_bytes     = 512 << 10;
    settings.sync_piece_bytes = 256 << 10;
    settings.runtime_bytes    = 0;
  }
  void TearDown() override {
    Engines::release_all();
    EXPECT_EQ(TestRuntime::pinned.load(), 0u);
    EXPECT_EQ(StagingPool::get().thread_count(), 0);
  }

  Engine& engine() {
    if (!m_configured) Engines::configure(settings);
    m_configured = true;
    return Engines::of(0);
  }

  static StagedCopy to_device(DeviceBytes const& d, Bytes const& h, std::string what = "copy") {
    StagedCopy copy;
    copy.to_device = true;
    copy.bytes     = h.size();
    copy.device    = DeviceRows::block(d.data(), h.size());
    copy.host      = std::make_unique<HostBlock>(h.data(), h.size());
    copy.what      = std::move(what);
    return copy;
  }
  static StagedCopy to_host(Bytes& h, DeviceBytes const& d, std::string what = "copy") {
    StagedCopy copy = to_device(d, h, std::move(what));
    copy.to_device  = false;
    return copy;
  }
  static void fence(TestStream const& stream) {
    check(PlainRuntime::stream_synchronize(stream.get()));
    Engines::throw_pending(stream.token());
  }

  CopySettings settings;

 private:
  bool m_configured = false;
};

const std::size_t sizes[] = {1, 3, 8, 4095, 64 << 10, (64 << 10) + 1, 300000, (1 << 20) + 7, (5 << 20) + 3};

TEST_F(CopyEngineTest, EverySizeArrivesInAStream) {
  TestStream stream(0);
  for (std::size_t n : sizes) {
    SCOPED_TRACE(n);
    DeviceBytes device(n);
    const Bytes source = bytes_of(n, 1);
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
    const Bytes source = bytes_of(n, 2);
    Bytes back(n);
    engine().run(to_device(device, source));
    engine().run(to_host(back, device));
    EXPECT_TRUE(back == source);
  }
  EXPECT_TRUE(engine().is_usable());
}

TEST_F(CopyEngineTest, NothingIsCopiedAtOnce) {
  TestStream stream(0);
  DeviceBytes device(1);
  bool landed     = false;
  StagedCopy copy = to_device(device, Bytes{});
  copy.on_landed  = [&] { landed = true; };
  engine().enqueue(std::move(copy), stream);
  EXPECT_TRUE(landed);
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

TEST_F(CopyEngineTest, ASourceIsReadAfterWhatIsBeforeInTheStreamHasWrittenIt) {
  TestStream stream(0);
  for (std::size_t n : {std::size_t(100), std::size_t(40000), std::size_t(3) << 20}) {
    SCOPED_TRACE(n);
    Gate gate;
    gate.close(stream);
    DeviceBytes first(n), second(n);
    const Bytes source = bytes_of(n, 3);
    Bytes between(n), last(n);
    engine().enqueue(to_device(first, source), stream);
    engine().enqueue(to_host(between, first), stream);
    engine().enqueue(to_device(second, between), stream);  // what the copy before it brings
    engine().enqueue(to_host(last, second), stream);
    gate.open();
    fence(stream);
    EXPECT_TRUE(last == source);
  }
}

TEST_F(CopyEngineTest, ManySmallCopiesInARow) {
  TestStream stream(0);
  constexpr int count = 500;
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
  const Bytes all = device.get();
  for (int i = 0; i < count; ++i)
    EXPECT_TRUE(std::equal(sources[i].begin(), sources[i].end(), all.begin() + i * n)) << i;
}

// ---- the host goes on -----------------------------------------------------------------------------------------------

TEST_F(CopyEngineTest, ABlockedStreamHoldsUpNeitherTheHostNorOtherStreams) {
  TestStream blocked(0), free(0);
  const std::size_t n = 3 << 20;
  DeviceBytes one(n), two(n);
  const Bytes source = bytes_of(n, 4);
  Bytes back_one(n), back_two(n);
  Gate gate;
  gate.close(blocked);
  for (int i = 0; i < 10; ++i) {  // many times what the slabs hold
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

TEST_F(CopyEngineTest, MoreStreamsThanLanes) {
  constexpr int count = 80;
  std::vector<std::unique_ptr<TestStream>> streams;
  std::vector<std::unique_ptr<DeviceBytes>> devices;
  std::vector<Bytes> sources, back;
  const std::size_t n = 300000;
  Gate gate;
  for (int i = 0; i < count; ++i) {
    streams.push_back(std::make_unique<TestStream>(0));
    devices.push_back(std::make_unique<DeviceBytes>(n));
    sources.push_back(bytes_of(n, 100 + i));
    back.emplace_back(n);
  }
  // A few are held up. With a lane shared, others may wait for these, but the host does not.
  for (int i = 0; i < 20; ++i) gate.close(*streams[i]);
  for (int round = 0; round < 2; ++round)
    for (int i = 0; i < count; ++i) {
      engine().enqueue(to_device(*devices[i], sources[i]), *streams[i]);
      engine().enqueue(to_host(back[i], *devices[i]), *streams[i]);
    }
  gate.open();
  for (int i = 0; i < count; ++i) {
    fence(*streams[i]);
    EXPECT_TRUE(back[i] == sources[i]) << i;
  }
}

TEST_F(CopyEngineTest, AStreamThatEndsIsDrained) {
  const std::size_t n = 2 << 20;
  DeviceBytes device(n);
  device.set(bytes_of(n, 5));
  Bytes back(n);
  {
    TestStream stream(0);
    engine().enqueue(to_host(back, device), stream);
  }
  EXPECT_TRUE(back == bytes_of(n, 5));
}

// ---- shapes ---------------------------------------------------------------------------------------------------------

TEST_F(CopyEngineTest, RowsOnEitherSide) {
  TestStream stream(0);
  struct { std::size_t width, rows, host_pitch, device_pitch; } const shapes[] = {
      {1, 5000, 3, 4}, {7, 1000, 20, 7}, {5000, 300, 5000, 6000}, {700000, 4, 700001, 700010}, {12, 100000, 24, 16}};
  for (auto const& s : shapes)
    for (bool sync : {false, true}) {
      SCOPED_TRACE(s.width);
      const Bytes host = bytes_of(s.host_pitch * s.rows, 6);
      DeviceBytes device(s.device_pitch * s.rows);
      device.set(Bytes(s.device_pitch * s.rows, 'x'));
      Bytes back(host.size(), 'y');
      auto copy = [&](bool to_device, Bytes const& h) {
        StagedCopy c;
        c.to_device = to_device;
        c.bytes     = s.width * s.rows;
        c.device    = {device.data(), s.width, s.device_pitch};
        c.host      = std::make_unique<HostRows>(h.data(), s.width, s.host_pitch, s.rows);
        return c;
      };
      if (sync) {
        engine().run(copy(true, host));
        engine().run(copy(false, back));
      } else {
        engine().enqueue(copy(true, host), stream);
        engine().enqueue(copy(false, back), stream);
        fence(stream);
      }
      const Bytes on_device = device.get();
      bool right            = true;
      for (std::size_t r = 0; r < s.rows; ++r) {
        for (std::size_t c = 0; c < s.device_pitch; ++c)
          right = right && on_device[r * s.device_pitch + c] == (c < s.width ? host[r * s.host_pitch + c] : 'x');
        for (std::size_t c = 0; c < s.host_pitch; ++c)
          right = right && back[r * s.host_pitch + c] == (c < s.width ? host[r * s.host_pitch + c] : 'y');
      }
      EXPECT_TRUE(right);
    }
}

/// Elements of 12 bytes in reverse order.
class Reversed final : public HostSide {
 public:
  static constexpr std::size_t element = 12;
  Reversed(Bytes const& bytes, bool* torn) : m_bytes(const_cast<Bytes&>(bytes)), m_torn(torn) {}
  void gather(void* slab, std::size_t first, std::size_t bytes) const override {
    each(first, bytes, [&](char* mine, std::size_t at) { std::memcpy(static_cast<char*>(slab) + at, mine, element); });
  }
  void scatter(void const* slab, std::size_t first, std::size_t bytes) const override {
    each(first, bytes,
         [&](char* mine, std::size_t at) { std::memcpy(mine, static_cast<char const*>(slab) + at, element); });
  }
  std::size_t granule() const override { return element; }
  HostSpan span() const override { return {m_bytes.data(), m_bytes.data() + m_bytes.size()}; }
  void poison() const override {}

 private:
  template <class F>
  void each(std::size_t first, std::size_t bytes, F const& f) const {
    if (first % element != 0 || bytes % element != 0) *m_torn = true;
    for (std::size_t at = 0; at < bytes; at += element) f(m_bytes.data() + m_bytes.size() - element - first - at, at);
  }
  Bytes& m_bytes;
  bool* m_torn;
};

TEST_F(CopyEngineTest, WhatPacksElementsNeverSeesOneTorn) {
  TestStream stream(0);
  const std::size_t n = 12 * 200001;
  const Bytes source  = bytes_of(n, 7);
  Bytes back(n);
  DeviceBytes device(n);
  bool torn = false;
  for (int way = 0; way < 3; ++way) {
    if (way == 2) {  // without slabs
      Engines::release_all();
      TestRuntime::no_values = true;
    }
    StagedCopy there = to_device(device, source), here = to_host(back, device);
    there.host = std::make_unique<Reversed>(source, &torn);
    here.host  = std::make_unique<Reversed>(back, &torn);
    std::fill(back.begin(), back.end(), 'z');
    if (way == 1) {
      engine().run(std::move(there));
      engine().run(std::move(here));
    } else {
      engine().enqueue(std::move(there), stream);
      engine().enqueue(std::move(here), stream);
      fence(stream);
    }
    EXPECT_TRUE(back == source);
    EXPECT_FALSE(torn);
  }
}

// ---- lifetime and errors --------------------------------------------------------------------------------------------

struct Kept {
  explicit Kept(std::atomic<std::thread::id>* where) : m_where(where) {}
  ~Kept() { *m_where = std::this_thread::get_id(); }
  std::atomic<std::thread::id>* m_where;
};

TEST_F(CopyEngineTest, WhatACopyKeepsLivesUntilItHasLandedAndEndsOnAThreadOfTheProgram) {
  TestStream stream(0);
  for (bool there : {true, false})
    for (std::size_t n : {std::size_t(1000), std::size_t(2) << 20}) {
      DeviceBytes device(n);
      Bytes host(n);
      std::atomic<std::thread::id> where{};
      Gate gate;
      gate.close(stream);
      StagedCopy copy = there ? to_device(device, host) : to_host(host, device);
      copy.keep       = std::make_shared<Kept>(&where);
      const bool read_at_once = there && n <= settings.inline_bytes;
      engine().enqueue(std::move(copy), stream);
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
      EXPECT_EQ(where.load() == std::thread::id(), !read_at_once);
      gate.open();
      fence(stream);
      EXPECT_EQ(where.load(), std::this_thread::get_id());
    }
}

TEST_F(CopyEngineTest, TheEndIsToldOnceWhenTheLastByteIsInPlace) {
  TestStream stream(0);
  const std::size_t n = 2 << 20;
  DeviceBytes device(n);
  const Bytes source = bytes_of(n, 8);
  Bytes back(n);
  std::atomic<int> ends{0};
  bool in_place   = false;
  StagedCopy there = to_device(device, source), here = to_host(back, device);
  there.on_landed = [&] { ++ends; };
  here.on_landed  = [&] {
    in_place = back == source;
    ++ends;
  };
  engine().enqueue(std::move(there), stream);
  engine().enqueue(std::move(here), stream);
  check(PlainRuntime::stream_synchronize(stream.get()));
  EXPECT_EQ(ends, 2);  // the second copy began after the first had ended, and the stream waits for the second
  EXPECT_TRUE(in_place);
  Bytes small(100, 'q');
  StagedCopy last = to_device(device, small);
  last.on_landed  = [&] { ++ends; };
  engine().enqueue(std::move(last), stream);
  fence(stream);
  EXPECT_EQ(ends, 3);
}

class Failing final : public HostSide {
 public:
  void gather(void*, std::size_t, std::size_t) const override { throw std::runtime_error("no way to pack this"); }
  void scatter(void const*, std::size_t first, std::size_t) const override {
    if (first > 100000) throw std::runtime_error("no way to unpack this");
  }
  HostSpan span() const override { return {}; }
  void poison() const override {}
};

TEST_F(CopyEngineTest, AFailureInTheBackgroundSurfacesAtTheNextFenceOfItsStream) {
  TestStream stream(0), other(0);
  const std::size_t n = 1 << 20;
  DeviceBytes device(n), another(n);
  Bytes host(n), other_host(n);
  for (bool there : {true, false}) {
    StagedCopy copy = there ? to_device(device, host) : to_host(host, device);
    copy.host       = std::make_unique<Failing>();
    copy.what       = "deep_copy of \"b\" to \"a\"";
    engine().enqueue(std::move(copy), stream);
    engine().enqueue(to_host(other_host, another), other);
    fence(other);
    try {
      fence(stream);
      ADD_FAILURE() << "no error";
    } catch (std::runtime_error const& e) {
      const std::string said = e.what();
      EXPECT_NE(said.find("deep_copy of \"b\" to \"a\" failed in the background: no way to"), said.npos) << said;
    }
    fence(stream);  // once
    copy      = there ? to_device(device, host) : to_host(host, device);
    copy.host = std::make_unique<Failing>();
    EXPECT_THROW(engine().run(std::move(copy)), std::runtime_error);
  }
}

/// A few copies in two streams and some that wait, all of which end well or are reported.
void copy_with_faults(Engine& engine, int& reported) {
  const std::size_t n = 1100000;  // several pieces
  DeviceBytes a(n), b(n), c(n);
  const Bytes source = bytes_of(n, 9), small = bytes_of(1000, 10);
  Bytes back(n), back_two(n), last(n), word(8);
  TestStream one(0), two(0);  // after the memory: they end before it does
  a.set(source);
  b.set(source);
  c.set(source);
  std::vector<std::pair<bool, std::function<bool()>>> checks;
  auto attempt = [&](auto const& f, std::function<bool()> right) {
    try {
      f();
      checks.emplace_back(true, std::move(right));
    } catch (std::runtime_error const&) {
      ++reported;
    }
  };
  auto block = [](bool there, DeviceBytes const& d, Bytes const& h) {
    StagedCopy copy;
    copy.to_device = there;
    copy.bytes     = h.size();
    copy.device    = DeviceRows::block(d.data(), h.size());
    copy.host      = std::make_unique<HostBlock>(h.data(), h.size());
    copy.what      = "copy";
    return copy;
  };
  attempt([&] { engine.enqueue(block(false, a, back), one); }, [&] { return back == source; });
  attempt([&] { engine.enqueue(block(true, b, source), two); }, [] { return true; });
  attempt([&] { engine.enqueue(block(false, b, back_two), two); }, [&] { return back_two == source || reported > 0; });
  attempt([&] { engine.enqueue(block(true, a, small), one); }, [] { return true; });
  attempt([&] { engine.run(block(false, c, last)); }, [&] { return last == source || reported > 0; });
  attempt([&] { engine.run(block(false, c, word)); },
          [&] { return std::equal(word.begin(), word.end(), source.begin()) || reported > 0; });
  attempt([&] { engine.run(block(true, b, small), &two); }, [] { return true; });
  for (TestStream* stream : {&one, &two}) {
    check(PlainRuntime::stream_synchronize(stream->get()));
    try {
      Engines::throw_pending(stream->token());
    } catch (std::runtime_error const&) {
      ++reported;
    }
  }
  for (auto const& [done, right] : checks) EXPECT_TRUE(right());
}

/// The nth call fails, and the `count` - 1 calls after it, for each n.
template <class Test>
void fail_each_call(Test const& test, int count) {
  for (int nth = 1;; ++nth) {
    SCOPED_TRACE(nth);
    (void)Engines::of(0);
    TestRuntime::fail_calls(nth, count);
    int reported = 0;
    copy_with_faults(Engines::of(0), reported);
    const bool reached = TestRuntime::calls >= nth;
    TestRuntime::fail_calls(0);
    test();
    Engines::release_all();
    if (!reached) break;
    ASSERT_LT(nth, 1000);
  }
}

TEST_F(CopyEngineTest, WhateverCallsFailNothingIsLostOrWaitsForEver) {
  (void)engine();
#ifdef KOKKOS_IMPL_THREAD_SANITIZER
  const std::initializer_list<int> counts = {3};  // it takes ten times as long
#else
  const std::initializer_list<int> counts = {1, 2, 3, 8};
#endif
  for (int count : counts)
    fail_each_call(
        [&] {  // the engine works on
          TestStream stream(0);
          const Bytes source = bytes_of(700000, 11);
          DeviceBytes device(source.size());
          Bytes back(source.size());
          for (int i = 0; i < 3; ++i) {
            engine().enqueue(to_device(device, source), stream);
            engine().enqueue(to_host(back, device), stream);
          }
          fence(stream);
          EXPECT_TRUE(back == source);
        },
        count);
}

/// Holds up the stream when it has been read, and lets the second call of the runtime after that fail.
class HoldingUp final : public HostSide {
 public:
  HoldingUp(Bytes const& bytes, Gate& gate, TestStream const& stream)
      : m_bytes(bytes), m_gate(gate), m_stream(stream) {}
  void gather(void* slab, std::size_t first, std::size_t bytes) const override {
    std::memcpy(slab, m_bytes.data() + first, bytes);
    m_gate.close(m_stream);
    TestRuntime::fail_calls(2);
  }
  void scatter(void const*, std::size_t, std::size_t) const override {}
  HostSpan span() const override { return {}; }
  void poison() const override {}

 private:
  Bytes const& m_bytes;
  Gate& m_gate;
  TestStream const& m_stream;
};

// Others take the mailbox as soon as the call has thrown: what it has enqueued must have left the mailbox by then. What
// fails is the wait for the copy or, where the copy is of two steps, the second step.
TEST_F(CopyEngineTest, ASmallCopyThatFailsLeavesNothingOnItsWayFromTheMailbox) {
  ASSERT_TRUE(engine().is_usable());
  for (bool in_two_steps : {false, true}) {
    SCOPED_TRACE(in_two_steps);
    const Bytes mine = bytes_of(250, 15), others = bytes_of(250, 16);
    DeviceBytes device(400), other_device(250);
    device.set(Bytes(400, 'x'));
    TestStream stream(0), other_stream(0);
    Gate gate;
    StagedCopy copy = to_device(device, mine);
    copy.host       = std::make_unique<HoldingUp>(mine, gate, stream);
    if (in_two_steps) copy.device = {device.data(), 100, 120};  // two rows, and a half
    std::atomic<bool> thrown{false};
    std::thread opener([&] {  // when the runtime has been called once more: by one who waits for the stream
      while (TestRuntime::calls < 3 && !thrown) std::this_thread::yield();
      gate.open();
    });
    TestRuntime::fail_calls(0);
    EXPECT_THROW(engine().run(std::move(copy), &stream), GPUError);
    const auto state = PlainRuntime::stream_query(stream.get());
    TestRuntime::clear_last_error();
    TestRuntime::fail_calls(0);
    EXPECT_EQ(state, TestRuntime::success) << "the copy is still on its way";
    engine().run(to_device(other_device, others), &other_stream);
    thrown = true;
    opener.join();
    check(PlainRuntime::stream_synchronize(stream.get()));
    EXPECT_TRUE(other_device.get() == others);
    const Bytes arrived = device.get();
    EXPECT_TRUE(std::equal(arrived.begin(), arrived.begin() + 100, mine.begin())) << "bytes of another copy";
  }
}

// ---- bounds and choices ---------------------------------------------------------------------------------------------

TEST_F(CopyEngineTest, PinnedMemoryIsWhatWasConfigured) {
  EXPECT_EQ(engine().pinned_bytes(), 0u);  // nothing before it is needed
  TestStream one(0), two(0);
  const std::size_t n = 9 << 20;
  DeviceBytes a(n), b(n);
  Bytes x(n), y(n), z(100);
  engine().enqueue(to_host(x, a), one);
  engine().enqueue(to_host(y, b), two);
  engine().run(to_host(x, b));
  engine().run(to_host(z, b));
  fence(one);
  fence(two);
  EXPECT_EQ(TestRuntime::peak_pinned.load(), settings.staging_bytes);
  EXPECT_EQ(engine().pinned_bytes(), settings.staging_bytes);
  EXPECT_EQ(StagingPool::get().thread_count(), settings.threads);
}

TEST_F(CopyEngineTest, WithoutMeansCopiesGoTheRuntimesWay) {
  for (int lacking = 0; lacking < 3; ++lacking) {
    SCOPED_TRACE(lacking);
    TestRuntime::no_pinned = lacking == 0;
    TestRuntime::no_values = lacking == 1;
    CopySettings none      = settings;
    if (lacking == 2) none.staging_bytes = 0;
    Engines::configure(none);
    Engine& e = Engines::of(0);
    EXPECT_FALSE(e.is_usable());
    TestStream stream(0);
    for (std::size_t n : {std::size_t(8), std::size_t(3) << 20}) {
      const Bytes source = bytes_of(n, 12);
      DeviceBytes device(n);
      Bytes back(n), again(n);
      e.enqueue(to_device(device, source), stream);
      e.enqueue(to_host(back, device), stream);
      EXPECT_TRUE(back == source);
      e.run(to_host(again, device));
      EXPECT_TRUE(again == source);
    }
    EXPECT_EQ(e.pinned_bytes(), 0u);
    Engines::release_all();
  }
}

TEST_F(CopyEngineTest, ThreadsAreHalfOfTheCoresUnlessTheyAreFew) {
  CopySettings s;
  EXPECT_LE(staging_thread_count(s), static_cast<int>(std::thread::hardware_concurrency()) / 2);
  s.threads = 3;
  EXPECT_EQ(staging_thread_count(s), 3);
}

TEST_F(CopyEngineTest, BlockingCopiesHaveHappenedWhenTheCallReturns) {
  settings.blocking = true;
  TestStream stream(0);
  for (std::size_t n : {std::size_t(500), std::size_t(3) << 20}) {
    const Bytes source = bytes_of(n, 13);
    DeviceBytes device(n);
    Bytes back(n);
    Bytes gone = source;
    engine().enqueue(to_device(device, gone), stream);
    std::fill(gone.begin(), gone.end(), '0');
    engine().enqueue(to_host(back, device), stream);
    EXPECT_TRUE(back == source);
  }
}

TEST_F(CopyEngineTest, ADestinationIsPoisonedUntilTheDataLands) {
  settings.check = true;
  TestStream stream(0);
  const std::size_t n = 1 << 20;
  const Bytes source  = bytes_of(n, 14);
  DeviceBytes device(n);
  device.set(source);
  Bytes back(n, 'v');
  Gate gate;
  gate.close(stream);
  engine().enqueue(to_host(back, device), stream);
  EXPECT_TRUE(back == Bytes(n, static_cast<char>(HostSide::poison_byte)));
  gate.open();
  fence(stream);
  EXPECT_TRUE(back == source);
  // Not while a copy on its way reads there.
  Gate again;
  again.close(stream);
  DeviceBytes target(n);
  engine().enqueue(to_device(target, back), stream);
  engine().enqueue(to_host(back, device), stream);
  again.open();
  fence(stream);
  EXPECT_TRUE(target.get() == source);
}

// ---- all at once ----------------------------------------------------------------------------------------------------

/// KOKKOS_TEST_SOAK=2000 makes it a soak.
int soak_rounds() {
  const char* const given = std::getenv("KOKKOS_TEST_SOAK");
  return given ? std::atoi(given) : 60;
}

/// Copies of random sizes there and back, in streams and without, by one thread. Where a call failed, and nowhere else,
/// bytes may be wrong.
void random_copies(int seed, int rounds) {
  std::mt19937 random(seed);
  std::vector<std::unique_ptr<TestStream>> streams;
  for (int i = 0; i < 2; ++i) streams.push_back(std::make_unique<TestStream>(0));
  for (int r = 0; r < rounds; ++r) {
    const std::size_t n = random() % 4 == 0 ? random() % (4 << 20) : random() % 100000;
    TestStream& stream  = *streams[random() % streams.size()];
    const Bytes source  = bytes_of(n, random());
    DeviceBytes a(n + 1), b(n + 1);
    Bytes middle(n), back(n);
    const auto copy = [&](bool there, DeviceBytes const& d, Bytes const& h) {
      StagedCopy c;
      c.to_device = there;
      c.bytes     = n;
      c.device    = DeviceRows::block(d.data(), n);
      c.host      = std::make_unique<HostBlock>(h.data(), n);
      return c;
    };
    Engine& engine = Engines::of(0);
    bool failed    = false;
    try {
      switch (random() % 3) {
        case 0:
          engine.run(copy(true, a, source));
          engine.run(copy(false, a, back));
          break;
        case 1:
          engine.enqueue(copy(true, a, source), stream);
          engine.run(copy(false, a, back), &stream);
          break;
        default:
          engine.enqueue(copy(true, a, source), stream);
          engine.enqueue(copy(false, a, middle), stream);
          engine.enqueue(copy(true, b, middle), stream);
          engine.enqueue(copy(false, b, back), stream);
      }
    } catch (GPUError const&) {
      failed = true;
    }
    check(PlainRuntime::stream_synchronize(stream.get()));
    Engines::throw_pending(stream.token());
    EXPECT_TRUE(failed || back == source) << "seed " << seed << ", round " << r << ", bytes " << n;
    if (failed || random() % 16 == 0)
      for (auto& each : streams) each = std::make_unique<TestStream>(0);
  }
}

void on_threads(int count, int rounds) {
  std::vector<std::thread> threads;
  for (int t = 0; t < count; ++t) threads.emplace_back(random_copies, 1000 + t, rounds);
  for (auto& thread : threads) thread.join();
}

TEST_F(CopyEngineTest, RandomCopiesOfSeveralThreads) {
  (void)engine();
  on_threads(4, soak_rounds());
}

TEST_F(CopyEngineTest, RandomCopiesWhileCallsFailNowAndThen) {
  EXPECT_TRUE(engine().is_usable());
  for (int each : {3, 17, 101}) {
    TestRuntime::fail_every = each;
    on_threads(3, soak_rounds());
  }
  TestRuntime::fail_every = 0;
}

}  // namespace
