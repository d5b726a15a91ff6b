// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The copy engine: objects that copies keep alive, and failures. Each failure is reported, nothing leaks, and nothing
// waits for ever.
#include "CopyEngineTest.hpp"

#include "../unit/Thorough.hpp"

#include <cstdint>
#include <cstdlib>
#include <functional>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace {

// ---- lifetime and errors --------------------------------------------------------------------------------------------

struct Kept {
  explicit Kept(std::atomic<std::thread::id>* where) : m_where(where) {}
  ~Kept() { *m_where = std::this_thread::get_id(); }
  std::atomic<std::thread::id>* m_where;
};

TEST_F(CopyEngineTest, KeptObjectsEndAfterTheCopyOnAProgramThread) {
  TestStream stream(0);
  for (bool there : {true, false})
    for (std::size_t n : {std::size_t(1000), std::size_t(2) << 20}) {
      DeviceBytes device(n);
      Bytes host(n);
      std::atomic<std::thread::id> where{};
      Gate gate;
      gate.close(stream);
      StagedCopy copy         = there ? to_device(device, host) : to_host(host, device);
      copy.keep               = std::make_shared<Kept>(&where);
      bool const read_at_once = there && n <= settings.read_by_runtime_bytes;
      engine().enqueue(std::move(copy), stream);
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
      EXPECT_EQ(where.load() == std::thread::id(), !read_at_once);
      gate.open();
      fence(stream);
      EXPECT_EQ(where.load(), std::this_thread::get_id());
    }
}

// A program need not fence: each call that deals with copies destroys what copies have kept that have ended since.
TEST_F(CopyEngineTest, EachLaterCallEndsKeptObjects) {
  TestStream stream(0);
  std::size_t const few = 1000, many = 2 << 20;
  DeviceBytes device(many);
  Bytes host(many), part(few), other(few);
  struct {
    char const* what;
    std::function<void()> make;
  } const calls[] = {
      {"a copy", [&] { engine().enqueue(to_device(device, other), stream); }},
      {"a fence", [&] { fence(stream); }},
      {"a fence of all", [] { Engines::throw_all_pending(); }},
      {"finalize", [] { Engines::release_all(); }},
  };
  for (auto const& call : calls)
    for (int kind = 0; kind < 3; ++kind) {
      auto const kept         = std::make_shared<int>();
      StagedCopy copy         = kind == 0   ? to_device(device, host)
                                : kind == 1 ? to_host(host, device)
                                            : to_host(part, device);  // by a function of the stream
      copy.keep               = kept;
      HostSpan const span     = copy.host->span();
      bool const is_to_device = copy.to_device;
      Gate gate;
      gate.close(stream);
      engine().enqueue(std::move(copy), stream);
      EXPECT_EQ(kept.use_count(), 2);
      gate.open();
      while (Engines::pool().touches(span, is_to_device)) std::this_thread::yield();  // until it has ended
      EXPECT_EQ(kept.use_count(), 2) << "other threads destroy nothing";
      call.make();
      EXPECT_EQ(kept.use_count(), 1) << call.what << " after a copy of kind " << kind;
      fence(stream);
    }
}

TEST_F(CopyEngineTest, TheEndIsToldOnceWhenTheLastByteIsInPlace) {
  TestStream stream(0);
  std::size_t const n = 2 << 20;
  DeviceBytes device(n);
  Bytes const source = bytes_of(n, 8);
  Bytes back(n);
  std::atomic<int> ends{0};
  bool in_place    = false;
  StagedCopy there = to_device(device, source), here = to_host(back, device);
  there.on_completion = [&] { ++ends; };
  here.on_completion  = [&] {
    in_place = back == source;
    ++ends;
  };
  engine().enqueue(std::move(there), stream);
  engine().enqueue(std::move(here), stream);
  check(PlainRuntime::stream_synchronize(stream.get()));
  EXPECT_EQ(ends, 2);  // the second copy began after the first had ended, and the stream waits for the second
  EXPECT_TRUE(in_place);
  Bytes small(100, 'q');
  StagedCopy last    = to_device(device, small);
  last.on_completion = [&] { ++ends; };
  engine().enqueue(std::move(last), stream);
  fence(stream);
  EXPECT_EQ(ends, 3);
}

// The object that the report refers to may end with the stream.
TEST_F(CopyEngineTest, StreamOutlivesTheReportOfItsLastCopy) {
  std::size_t const n = 2 << 20;
  DeviceBytes device(n);
  Bytes const source = bytes_of(n, 17);
  auto stream        = std::make_unique<TestStream>(0);
  std::atomic<bool> telling{false}, go{false}, gone{false};
  StagedCopy copy    = to_device(device, source);
  copy.on_completion = [&] {
    telling = true;
    while (!go) std::this_thread::yield();
  };
  engine().enqueue(std::move(copy), *stream);
  while (!telling) std::this_thread::yield();
  testing::internal::CaptureStderr();
  std::thread ending([&] {
    stream.reset();
    gone = true;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_FALSE(gone);
  go = true;
  ending.join();
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "") << "the copy has ended well";
  EXPECT_TRUE(device.get() == source);
}

class Failing final : public HostSide {
 public:
  void gather(void*, std::size_t, std::size_t) const override { throw std::runtime_error("cannot pack this"); }
  void scatter(void const*, std::size_t first, std::size_t) const override {
    if (first > 100000) throw std::runtime_error("cannot unpack this");
  }
  HostSpan span() const override { return {}; }
  void poison() const override {}
};

TEST_F(CopyEngineTest, BackgroundFailureSurfacesAtTheNextFence) {
  TestStream stream(0), other(0);
  std::size_t const n = 1 << 20;
  DeviceBytes device(n), another(n);
  Bytes host(n), other_host(n);
  device.set(host);
  another.set(host);
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
      std::string const message = e.what();
      EXPECT_NE(message.find("deep_copy of \"b\" to \"a\" failed in the background: cannot "), message.npos) << message;
    }
    fence(stream);  // once
    copy      = there ? to_device(device, host) : to_host(host, device);
    copy.host = std::make_unique<Failing>();
    EXPECT_THROW(engine().run(std::move(copy)), std::runtime_error);
  }
}

// Whether steps of the stream move the pieces, or the caller does.
TEST_F(CopyEngineTest, ACallThatWaitsThrowsWhatFails) {
  std::size_t const n = 1 << 20;
  DeviceBytes device(n);
  Bytes host(n);
  for (bool const streams_wait : {true, false}) {
    settings.device_waits = streams_wait;
    Engines::configure(settings);
    TestStream stream(0);
    for (bool const there : {true, false})
      for (TestStream const* in : {static_cast<TestStream const*>(nullptr), static_cast<TestStream const*>(&stream)}) {
        StagedCopy copy     = there ? to_device(device, host) : to_host(host, device);
        copy.host           = std::make_unique<Failing>();
        std::string message = "no error";
        try {
          Engines::of(0).run(std::move(copy), in);
        } catch (std::runtime_error const& e) {
          message = e.what();
        }
        EXPECT_EQ(message, std::string("copy failed in the background: cannot ") + (there ? "" : "un") + "pack this")
            << streams_wait << (in ? ", in a stream" : "");
        Engines::throw_all_pending();  // once
      }
    Engines::release_all();
  }
}

/// Host memory into which few bytes cannot be unpacked.
class FailingFew final : public HostSide {
 public:
  void gather(void*, std::size_t, std::size_t) const override {}
  void scatter(void const*, std::size_t, std::size_t) const override {
    throw std::runtime_error("cannot unpack these");
  }
  HostSpan span() const override { return {}; }
  void poison() const override {}
};

// Few bytes arrive in a slot, and a host function of the stream unpacks them: until the call has returned, the gate keeps
// them from arriving, so that the caller cannot unpack them.
TEST_F(CopyEngineTest, FailedUnpackOfFewBytesSurfacesAtTheNextFence) {
  TestStream stream(0);
  Gate gate;
  DeviceBytes device(100);
  Bytes host(100);
  device.set(host);
  StagedCopy copy = to_host(host, device);
  copy.host       = std::make_unique<FailingFew>();
  copy.what       = "deep_copy of \"few\" to \"a\"";
  gate.close(stream);
  engine().enqueue(std::move(copy), stream);
  gate.open();
  std::string message;
  try {
    fence(stream);
  } catch (std::runtime_error const& e) {
    message = e.what();
  }
  EXPECT_NE(message.find("deep_copy of \"few\" to \"a\" failed in the background: cannot unpack these"), message.npos)
      << message;
  fence(stream);  // once
}

// The copies are to the device, and have not completed when their streams have been synchronised.
TEST_F(CopyEngineTest, BackgroundFailuresSurfaceAtAGlobalFence) {
  TestStream one(0), two(0);
  std::size_t const n = 1 << 20;
  DeviceBytes device(n), another(n);
  Bytes host(n);
  std::atomic<bool> waited{false};
  for (TestStream* stream : {&one, &two}) {
    bool const is_first = stream == &one;
    StagedCopy copy     = to_device(is_first ? device : another, host, is_first ? "the first" : "the second");
    copy.host           = std::make_unique<Failing>();
    copy.on_completion  = [&] {
      while (!waited) std::this_thread::yield();
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    };
    engine().enqueue(std::move(copy), *stream);
  }
  for (TestStream* stream : {&one, &two}) check(PlainRuntime::stream_synchronize(stream->get()));
  waited = true;
  try {
    Engines::throw_all_pending();
    ADD_FAILURE() << "no error";
  } catch (std::runtime_error const& e) {
    std::string const message = e.what();
    EXPECT_NE(message.find("the first failed in the background: cannot pack this"), message.npos) << message;
    EXPECT_NE(message.find("the second failed in the background: cannot pack this"), message.npos) << message;
  }
  Engines::throw_all_pending();  // once
  fence(one);
}

TEST_F(CopyEngineTest, WaiterOfAFailedCopyGetsTheErrorBesideGlobalFences) {
  std::size_t const n = 100000;
  DeviceBytes device(n);
  Bytes host(n);
  (void)engine();
  std::atomic<bool> done{false};
  std::thread other([&] {
    while (!done) try {
        Engines::throw_all_pending();
      } catch (std::runtime_error const&) {
      }
  });
  for (int i = 0; i < 500; ++i) {
    StagedCopy copy = to_device(device, host);
    copy.host       = std::make_unique<Failing>();
    EXPECT_THROW(engine().run(std::move(copy)), std::runtime_error);
  }
  done = true;
  other.join();
}

TEST_F(CopyEngineTest, ARefusedCopyIsNamedWithEveryMethod) {
  TestStream stream(0);
  (void)engine().is_usable();
  for (std::size_t n : {std::size_t(100), std::size_t(100000), std::size_t(2) << 20})
    for (bool there : {true, false})
      for (bool waits : {true, false}) {
        SCOPED_TRACE(n);
        DeviceBytes device(n);
        Bytes host(n);
        StagedCopy copy = there ? to_device(device, host, "copy of b to a") : to_host(host, device, "copy of b to a");
        copy.wait       = waits ? CopyWait::end : CopyWait::nothing;
        TestRuntime::fail_copy = 1;
        try {
          engine().enqueue(std::move(copy), stream);
          ADD_FAILURE() << "no error";
        } catch (GPUError const& e) {
          EXPECT_NE(std::string(e.what()).find("copy of b to a"), std::string::npos) << e.what();
        }
        TestRuntime::fail_copy = 0;
        fence(stream);
      }
  // The last step of a small copy, which is left to the stream.
  DeviceBytes device(100);
  Bytes host(100);
  Gate gate;
  gate.close(stream);
  TestRuntime::refused_functions = 0;
  TestRuntime::no_functions      = true;
  std::thread opener([&] {  // the engine now waits for the stream, whose other work uses the slot
    while (TestRuntime::refused_functions == 0) std::this_thread::yield();
    gate.open();
  });
  try {
    engine().enqueue(to_host(host, device, "copy of b to a"), stream);
    ADD_FAILURE() << "no error";
  } catch (GPUError const& e) {
    EXPECT_EQ(std::string(e.what()).find("copy of b to a: "), 0u) << e.what();
  }
  TestRuntime::no_functions = false;
  opener.join();
}

// If a stream does not take the last step of a copy to the host, the copy is made nevertheless, and waited for.
TEST_F(CopyEngineTest, ACopyWithoutItsLastStepIsWaitedFor) {
  std::size_t const n = 600000;  // two pieces
  DeviceBytes device(n);
  Bytes const source = bytes_of(n, 51);
  device.set(source);
  ASSERT_TRUE(engine().is_usable());
  int thrown = 0, made = 0;
  bool was_reached = true;
  for (int call = 1; was_reached; ++call) {
    TestStream stream(0);
    Bytes back(n);
    TestRuntime::fail_calls(call);
    try {
      engine().enqueue(to_host(back, device), stream);
      was_reached = TestRuntime::calls >= call;
      made += was_reached;
      EXPECT_TRUE(back == source || !was_reached) << "call " << call << " failed, and the copy has returned";
    } catch (GPUError const&) {
      ++thrown;
    }
    TestRuntime::fail_calls(0);
    fence(stream);
  }
  EXPECT_GT(thrown, 0);
  EXPECT_EQ(made, 1);
}

/// A few copies in two streams and some that wait; each succeeds or is reported.
void copy_with_faults(Engine engine, int& reported) {
  std::size_t const n = 1100000;  // several pieces
  DeviceBytes a(n), b(n), c(n);
  Bytes const source = bytes_of(n, 9), small = bytes_of(1000, 10);
  Bytes back(n), back_two(n), last(n), word(8);
  TestStream one(0), two(0);  // after the memory, so that they end before it
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

/// For each n, the nth call and some calls after it fail: as many in all as the next element of `counts`.
template <class Test>
void fail_each_call(Test const& test, std::vector<int> const& counts) {
  for (int nth = 1;; ++nth) {
    SCOPED_TRACE(nth);
    int const count = counts[static_cast<std::size_t>(nth) % counts.size()];
    (void)Engines::of(0);
    TestRuntime::fail_calls(nth, count);
    int reported = 0;
    copy_with_faults(Engines::of(0), reported);
    bool const reached = TestRuntime::calls >= nth;
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
  const std::vector<std::vector<int>> passes = {{3}};  // it takes ten times as long
#else
  using Passes        = std::vector<std::vector<int>>;
  Passes const passes = Kokkos::Testing::is_thorough() ? Passes{{1}, {2}, {3}, {8}} : Passes{{1, 3}};
#endif
  for (auto const& counts : passes)
    fail_each_call(
        [&] {  // the engine is still usable
          TestStream stream(0);
          Bytes const source = bytes_of(700000, 11);
          DeviceBytes device(source.size());
          Bytes back(source.size());
          for (int i = 0; i < 3; ++i) {
            engine().enqueue(to_device(device, source), stream);
            engine().enqueue(to_host(back, device), stream);
          }
          fence(stream);
          EXPECT_TRUE(back == source);
        },
        counts);
}

// Other copies use the slot as soon as the call has thrown: its enqueued work must have finished with the slot by then.
// Work behind the wait of the trial would never end, and a runtime's calls that wait for the whole device neither.
TEST_F(CopyEngineTest, ATrialWhoseWaitDoesNotEndLeavesNoStream) {
  settings.device_waits   = true;
  int const before        = TestRuntime::streams_made - TestRuntime::streams_ended;
  TestRuntime::only_waits = true;
  EXPECT_FALSE(engine().is_usable());
  TestRuntime::only_waits = false;
  EXPECT_NE(engine().describe_staging().find("cannot wait for words"), std::string::npos)
      << engine().describe_staging();
  EXPECT_EQ(TestRuntime::streams_made - TestRuntime::streams_ended, before);
}

// Otherwise the word of an earlier copy through the same slot would show that the bytes of the next one have arrived.
TEST(CopySlots, PatternsOfManyCopiesDiffer) {
  CopySlots<TestRuntime> slots(64);
  std::set<std::uint32_t> seen;
  for (int i = 0; i < 10000; ++i) EXPECT_TRUE(seen.insert(slots.next_pattern()).second) << i;
}

TEST_F(CopyEngineTest, FailedSmallCopyLeavesItsSlotEmpty) {
  for (bool waits : {true, false}) {
    SCOPED_TRACE(waits);
    DeviceBytes device(400);
    device.set(bytes_of(400, 15));
    TestStream stream(0);
    Gate gate;
    gate.close(stream);
    Bytes back(250);
    StagedCopy copy = to_host(back, device);
    copy.device     = {device.data(), 100, 120};  // two and a half rows: the second step fails
    copy.wait       = waits ? CopyWait::end : CopyWait::nothing;
    std::atomic<bool> thrown{false};
    std::thread opener([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      EXPECT_FALSE(thrown);
      gate.open();
    });
    (void)engine();
    TestRuntime::fail_copy = 2;
    EXPECT_THROW(engine().enqueue(std::move(copy), stream), GPUError);
    thrown = true;
    EXPECT_EQ(PlainRuntime::stream_query(stream.get()), TestRuntime::success) << "the copy has not completed";
    TestRuntime::fail_copy = 0;
    opener.join();
    fence(stream);
  }
}

/// A block that reports each range before it is read.
class WatchedBlock final : public HostSide {
 public:
  WatchedBlock(Bytes const& bytes, std::function<void(std::size_t)> before)
      : m_block(bytes.data(), bytes.size()), m_before(std::move(before)) {}
  void gather(void* slab, std::size_t first, std::size_t bytes) const override {
    m_before(bytes);
    m_block.gather(slab, first, bytes);
  }
  void scatter(void const*, std::size_t, std::size_t) const override {}
  HostSpan span() const override { return m_block.span(); }
  void poison() const override {}

 private:
  HostBlock m_block;
  std::function<void(std::size_t)> m_before;
};

TEST_F(CopyEngineTest, CopiesThatCannotBePackedKeepNoSlabs) {
  std::size_t const n = 1 << 20;
  DeviceBytes device(n);
  Bytes const source = bytes_of(n, 31);
  for (int i = 0; i < 40; ++i) {
    StagedCopy copy = to_device(device, source);
    copy.host       = std::make_unique<Failing>();
    EXPECT_THROW(engine().run(std::move(copy)), std::runtime_error);
  }
  std::atomic<std::size_t> most{0};  // maximum number of bytes in one call
  StagedCopy copy = to_device(device, source);
  copy.host       = std::make_unique<WatchedBlock>(source, [&](std::size_t bytes) {
    for (std::size_t so_far = most; so_far < bytes && !most.compare_exchange_weak(so_far, bytes);) continue;
  });
  engine().run(std::move(copy));
  EXPECT_LE(most, settings.sync_piece_bytes) << "the copy used slabs instead of the runtime";
  EXPECT_TRUE(device.get() == source);
}

std::atomic<int> query_step{0};
TestRuntime::error_t fail_on_request(TestRuntime::stream_t) {
  int before = 0;
  if (!query_step.compare_exchange_strong(before, 1)) return TestRuntime::not_ready;
  while (query_step < 3) std::this_thread::yield();
  return TestRuntime::failure;
}

// A caller that waits for a copy occasionally queries the device for a failure. Meanwhile the copy may end, and another
// copy may use its slabs.
TEST_F(CopyEngineTest, AFailureThatIsNoticedLateLeavesOtherCopiesAlone) {
  std::size_t const n = 1 << 20;
  DeviceBytes a(n), b(n), c(n);
  Bytes const first = bytes_of(n, 21), second = bytes_of(n, 22), third = bytes_of(n, 23);
  ASSERT_TRUE(engine().is_usable());
  query_step  = 0;
  auto stream = std::make_unique<TestStream>(0);
  Gate gate;
  gate.close(*stream);
  std::thread waiting([&] { EXPECT_THROW(engine().run(to_device(a, first), stream.get()), GPUError); });
  TestRuntime::query = fail_on_request;
  while (query_step < 1) std::this_thread::yield();
  gate.open();
  check(PlainRuntime::stream_synchronize(stream->get()));  // it has completed, but that has not been noticed yet
  std::thread holding([&] {
    StagedCopy copy = to_device(b, second);
    copy.host       = std::make_unique<WatchedBlock>(second, [](std::size_t) {
      int before = 1;
      query_step.compare_exchange_strong(before, 2);
      while (query_step < 4) std::this_thread::yield();
    });
    engine().run(std::move(copy));
  });
  while (query_step < 2) std::this_thread::yield();
  query_step = 3;
  waiting.join();
  TestRuntime::query = nullptr;
  stream.reset();
  engine().run(to_device(c, third));
  query_step = 4;
  holding.join();
  EXPECT_TRUE(a.get() == first);
  EXPECT_TRUE(b.get() == second);
  EXPECT_TRUE(c.get() == third);
}

// If the engine notices a failure only after the copy has completed, the copy's slabs are free when the stream has ended.
TEST_F(CopyEngineTest, FailuresThatAreNoticedLateKeepNoSlabs) {
  std::size_t const n = 2 * settings.sync_piece_bytes;  // all steps are enqueued before the caller waits
  DeviceBytes device(n);
  Bytes const source = bytes_of(n, 24);
  ASSERT_TRUE(engine().is_usable());
  for (int i = 0; i < 25; ++i) {
    query_step  = 0;
    auto stream = std::make_unique<TestStream>(0);
    Gate gate;
    gate.close(*stream);
    TestRuntime::query = fail_on_request;
    std::atomic<bool> completed{false};
    std::thread waiting([&] {
      StagedCopy copy    = to_device(device, source);
      copy.on_completion = [&] { completed = true; };
      EXPECT_THROW(engine().run(std::move(copy), stream.get()), GPUError);
    });
    while (query_step < 1) std::this_thread::yield();
    gate.open();
    while (!completed) std::this_thread::yield();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    query_step = 3;
    waiting.join();
    TestRuntime::query = nullptr;
  }
  TestRuntime::forget_sizes();
  engine().run(to_device(device, source));
  EXPECT_LE(TestRuntime::max_copied.load(), settings.sync_piece_bytes) << "the copy used slabs instead of the runtime";
  EXPECT_TRUE(device.get() == source);
}

// ---- everything together -------------------------------------------------------------------------------------------

/// KOKKOS_TEST_SOAK=2000 makes this a soak test.
int soak_rounds() {
  char const* const given = std::getenv("KOKKOS_TEST_SOAK");
  return given ? std::atoi(given) : Kokkos::Testing::is_thorough() ? 60 : 12;
}

/// Copies of random sizes in both directions, in streams and without, from one thread. Bytes may be wrong only where a
/// call failed.
void random_copies(int seed, int rounds) {
  std::mt19937 random(seed);
  std::vector<std::unique_ptr<TestStream>> streams;
  for (int i = 0; i < 2; ++i) streams.push_back(std::make_unique<TestStream>(0));
  for (int r = 0; r < rounds; ++r) {
    std::size_t const n = random() % 4 == 0 ? random() % (4 << 20) : random() % 100000;
    TestStream& stream  = *streams[random() % streams.size()];
    Bytes const source  = bytes_of(n, random());
    DeviceBytes a(n + 1), b(n + 1);
    Bytes middle(n), back(n);
    auto const copy = [&](bool there, DeviceBytes const& d, Bytes const& h) {
      StagedCopy c;
      c.to_device = there;
      c.bytes     = n;
      c.device    = DeviceRows::block(d.data(), n);
      c.host      = std::make_unique<HostBlock>(h.data(), n);
      return c;
    };
    Engine engine = Engines::of(0);
    bool failed   = false;
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
