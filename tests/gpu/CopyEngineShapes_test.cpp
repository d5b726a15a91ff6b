// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The copy engine: shapes other than one block of memory, and the bounds and choices of its settings.
#include "../unit/FakeRoot.hpp"
#include "CopyEngineTest.hpp"

#if defined(__linux__) && !defined(__CUDACC__)
#define TEST_MACHINES  // CUDA's driver opens files, too
#endif
#ifdef TEST_MACHINES
#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#endif

#include <algorithm>
#include <atomic>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

namespace {

// ---- shapes ---------------------------------------------------------------------------------------------------------

/// `rows` rows of `width` bytes with a pitch of `pitch` bytes.
class HostRows final : public HostSide {
 public:
  HostRows(void const* data, std::size_t width, std::size_t pitch, std::size_t rows)
      : m_data(static_cast<char*>(const_cast<void*>(data))), m_width(width), m_pitch(pitch), m_rows(rows) {}

  void gather(void* slab, std::size_t first, std::size_t bytes) const override {
    char* to = static_cast<char*>(slab);
    for_each_run(first, bytes, [&](char* run, std::size_t n) {
      std::memcpy(to, run, n);
      to += n;
    });
  }
  void scatter(void const* slab, std::size_t first, std::size_t bytes) const override {
    char const* from = static_cast<char const*>(slab);
    for_each_run(first, bytes, [&](char* run, std::size_t n) {
      std::memcpy(run, from, n);
      from += n;
    });
  }
  HostSpan span() const override { return {m_data, m_data + (m_rows - 1) * m_pitch + m_width}; }
  void poison() const override {
    for (std::size_t r = 0; r < m_rows; ++r) std::memset(m_data + r * m_pitch, poison_byte, m_width);
  }

 private:
  template <class Move>
  void for_each_run(std::size_t first, std::size_t bytes, Move const& move) const {
    char* row          = m_data + first / m_width * m_pitch;
    std::size_t in_row = first % m_width;
    while (bytes > 0) {
      std::size_t const n = m_width - in_row < bytes ? m_width - in_row : bytes;
      move(row + in_row, n);
      bytes -= n;
      row += m_pitch;
      in_row = 0;
    }
  }

  char* m_data;
  std::size_t m_width, m_pitch, m_rows;
};

TEST_F(CopyEngineTest, RowsOnEitherSide) {
  TestStream stream(0);
  struct {
    std::size_t width, rows, host_pitch, device_pitch;
  } const shapes[] = {
      {1, 5000, 3, 4}, {7, 1000, 20, 7}, {5000, 300, 5000, 6000}, {700000, 4, 700001, 700010}, {12, 100000, 24, 16}};
  for (auto const& s : shapes)
    for (bool sync : {false, true}) {
      SCOPED_TRACE(s.width);
      Bytes const host = bytes_of(s.host_pitch * s.rows, 6);
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
      Bytes const on_device = device.get();
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
    if (first % element != 0 || bytes % element != 0 || first + bytes > m_bytes.size()) *m_torn = true;
    if (*m_torn) return;
    for (std::size_t at = 0; at < bytes; at += element) f(m_bytes.data() + m_bytes.size() - element - first - at, at);
  }
  Bytes& m_bytes;
  bool* m_torn;
};

TEST_F(CopyEngineTest, PackingNeverSeesPartOfAnElement) {
  TestStream stream(0);
  std::size_t const n = 12 * 400001;  // a copy by the runtime packs this in several pieces
  Bytes const source  = bytes_of(n, 7);
  Bytes back(n);
  DeviceBytes device(n);
  bool torn = false;
  for (int round = 0; round < 3; ++round) {
    if (round == 2) {  // without slabs
      Engines::release_all();
      TestRuntime::no_values = true;
    }
    StagedCopy there = to_device(device, source), here = to_host(back, device);
    there.host = std::make_unique<Reversed>(source, &torn);
    here.host  = std::make_unique<Reversed>(back, &torn);
    std::fill(back.begin(), back.end(), 'z');
    if (round == 1) {
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

// ---- bounds and choices ---------------------------------------------------------------------------------------------

std::size_t bytes_of_slot() { return CopyPolicy().slot_bytes + CopyPolicy::cache_line; }

TEST_F(CopyEngineTest, PinnedMemoryIsWhatWasConfigured) {
  EXPECT_EQ(engine().pinned_bytes(), 0u);  // no earlier copy needs any
  TestStream one(0), two(0);
  std::size_t const n = 9 << 20;
  DeviceBytes a(n), b(n);
  Bytes x(n), y(n), w(n), z(100);
  engine().enqueue(to_host(x, a), one);
  engine().enqueue(to_host(y, b), two);
  engine().run(to_host(w, b));
  engine().run(to_host(z, b));
  fence(one);
  fence(two);
  std::size_t const slot = bytes_of_slot();  // of the copy of 100 bytes
  EXPECT_EQ(TestRuntime::peak_pinned.load(), settings.staging_bytes + slot);
  EXPECT_EQ(engine().pinned_bytes(), settings.staging_bytes + slot);
  EXPECT_EQ(Engines::pool().thread_count(), settings.threads);
}

TEST_F(CopyEngineTest, WithoutAStagingBufferTheRuntimeCopies) {
  for (int lacking = 0; lacking < 3; ++lacking) {
    SCOPED_TRACE(lacking);
    TestRuntime::no_pinned = lacking == 0;
    TestRuntime::no_values = lacking == 1;
    CopySettings none      = settings;
    if (lacking == 2) none.staging_bytes = 0;
    Engines::configure(none);
    Engine const e = Engines::of(0);
    EXPECT_FALSE(e.is_usable());
    TestStream stream(0);
    for (std::size_t n : {std::size_t(8), std::size_t(3) << 20}) {
      Bytes const source = bytes_of(n, 12);
      DeviceBytes device(n);
      Bytes back(n), again(n);
      e.enqueue(to_device(device, source), stream);
      e.enqueue(to_host(back, device), stream);
      if (n <= settings.slot_bytes) fence(stream);  // a host function copies it
      EXPECT_TRUE(back == source);
      e.run(to_host(again, device));
      EXPECT_TRUE(again == source);
    }
    EXPECT_LE(e.pinned_bytes(), 2 * bytes_of_slot());
    Engines::release_all();
  }
}

TEST_F(CopyEngineTest, SlotsAreTakenAgain) {
  using Slots                = CopySlots<TestRuntime>;
  constexpr std::size_t most = std::size_t(1) << 20;
  Slots slots(most);
  EXPECT_FALSE(slots.take(most + 1).get());
  for (std::size_t bytes : {std::size_t(1), most}) {
    auto slot = slots.take(bytes);
    ASSERT_TRUE(slot.get()) << bytes;
    void* const memory     = slot.get();
    std::size_t const held = slots.bytes();
    EXPECT_EQ(held, slot.bytes());
    slots.give_back(std::move(slot));
    auto again = slots.take(bytes);
    EXPECT_EQ(again.get(), memory) << bytes;
    EXPECT_EQ(slots.bytes(), held) << bytes;
    slots.give_back(std::move(again));
  }
  std::vector<Slots::Slot> taken;
  for (int i = 0; i < Slots::max_count; ++i) taken.push_back(slots.take(1));
  for (auto const& slot : taken) EXPECT_TRUE(slot.get());
  EXPECT_FALSE(slots.take(1).get());
  for (auto& slot : taken) slots.give_back(std::move(slot));
  EXPECT_TRUE(slots.take(1).get());
}

// The engine reports once why there is no staging buffer.
TEST_F(CopyEngineTest, AMissingStagingBufferIsReportedOnce) {
  static std::vector<std::string> message;
  message.clear();
  settings.warn          = [](char const* sentence) { message.push_back(sentence); };
  settings.staging_bytes = 0;
  TestStream stream(0);
  Bytes const source = bytes_of(2 << 20, 30);
  DeviceBytes device(source.size());
  for (int i = 0; i < 3; ++i) engine().enqueue(to_device(device, source), stream);
  ASSERT_EQ(message.size(), 1u);
  EXPECT_NE(message[0].find("between pageable memory and device 0"), std::string::npos) << message[0];
  EXPECT_NE(message[0].find("the settings allow no pinned memory"), std::string::npos) << message[0];
  EXPECT_NE(engine().describe_staging().find("none: the settings allow no pinned memory"), std::string::npos);
}

TEST_F(CopyEngineTest, ConcurrentRequestsCreateOneStagingBuffer) {
  for (int round = 0; round < 10; ++round) {
    TestRuntime::peak_pinned = TestRuntime::pinned.load();
    Engines::configure(settings);
    Engine const current = Engines::of(0);
    std::atomic<int> waiting{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i)
      threads.emplace_back([&] {
        ++waiting;
        while (waiting < 4) std::this_thread::yield();
        EXPECT_TRUE(current.is_usable());
      });
    for (auto& thread : threads) thread.join();
    EXPECT_EQ(TestRuntime::peak_pinned.load(), settings.staging_bytes);
    EXPECT_EQ(Engines::pool().thread_count(), settings.threads);
    Engines::release_all();
  }
}

#ifdef TEST_MACHINES
// While `root` is set, the process may use eight cores, and the files of its groups are in that folder.
std::string const* root = nullptr;
extern "C" {
FILE* fopen(char const* path, char const* mode) {
  static auto* const next = reinterpret_cast<FILE* (*)(char const*, char const*)>(dlsym(RTLD_NEXT, "fopen"));
  return next(root ? (*root + path).c_str() : path, mode);
}
int sched_getaffinity(pid_t id, std::size_t bytes, cpu_set_t* cores) noexcept {
  static auto* const next =
      reinterpret_cast<int (*)(pid_t, std::size_t, cpu_set_t*)>(dlsym(RTLD_NEXT, "sched_getaffinity"));
  if (!root) return next(id, bytes, cores);
  CPU_ZERO(cores);
  for (int core = 0; core < 8; ++core) CPU_SET(core, cores);
  return 0;
}
}

TEST_F(CopyEngineTest, ThreadsFollowFromCoresAndQuota) {
  settings.threads = 0;
  Kokkos::Testing::FakeRoot const folder;
  std::string const path = folder.path();
  folder.write("/proc/self/cgroup", "0::/job");
  struct {
    char const *quota, *expected;
  } const table[] = {
      {"max 100000", "4 threads on 8 cores"},
      {"600000 100000", "3 threads on 8 cores"},
      {"150000 100000",
       "none: the process may use 8 cores and the time of 1.500000 of them; staging threads need more"},
  };
  for (auto const& row : table) {
    folder.write("/sys/fs/cgroup/job/cpu.max", row.quota);
    Engines::configure(settings);
    root = &path;
    (void)Engines::of(0).is_usable();
    root                   = nullptr;
    std::string const text = Engines::of(0).describe_staging();
    EXPECT_NE(text.find(row.expected), text.npos) << row.quota << ": " << text;
    Engines::release_all();
  }
}

// Threads get stacks of the default size, which no address space has here.
TEST_F(CopyEngineTest, WithoutThreadsTheReasonIsStated) {
  settings.device_waits = false;  // no stream is tried: the model might start a thread for it
  TestStream stream(0);
  Bytes const source = bytes_of(2 << 20, 53);
  DeviceBytes device(source.size());
  device.set(source);  // the model has its threads now
  pthread_attr_t before, huge;
  ASSERT_EQ(pthread_getattr_default_np(&before), 0);
  ASSERT_EQ(pthread_getattr_default_np(&huge), 0);
  ASSERT_EQ(pthread_attr_setstacksize(&huge, std::size_t(1) << 47), 0);
  ASSERT_EQ(pthread_setattr_default_np(&huge), 0);
  EXPECT_FALSE(engine().is_usable());
  ASSERT_EQ(pthread_setattr_default_np(&before), 0);
  EXPECT_EQ(engine().describe_staging(), "none: the system allows no more threads.");
  Bytes back(source.size());
  engine().enqueue(to_host(back, device), stream);
  EXPECT_TRUE(back == source);
}
#endif

#ifndef __CUDACC__
// The engine tries at first whether streams wait for words. A device may take its time for that.
TEST_F(CopyEngineTest, ASlowDeviceHasAStagingBuffer) {
  hip_model::slow_call("operation", 5000);
  EXPECT_TRUE(engine().is_usable());
  hip_model::clear_faults();
}
#endif

// Until the buffer exists, the runtime makes the copies.
TEST_F(CopyEngineTest, FirstCopiesDoNotWaitForTheStagingBuffer) {
  settings.starts_behind       = true;
  settings.prepare_after_bytes = 0;
  TestStream stream(0);
  Bytes const source = bytes_of(2 << 20, 32);
  DeviceBytes device(source.size());
  Bytes back(source.size());
  engine().enqueue(to_device(device, source), stream);
  EXPECT_TRUE(device.get() == source);
  EXPECT_TRUE(engine().is_usable());
  TestRuntime::forget_sizes();
  engine().enqueue(to_host(back, device), stream);
  fence(stream);
  EXPECT_TRUE(back == source);
  EXPECT_LE(TestRuntime::max_copied.load(), settings.piece_bytes) << "by slabs now";
}

// Pinning memory slows down the copies of this process and of others, so a program with few copies does without.
TEST_F(CopyEngineTest, StagingBufferIsPreparedWhenItPays) {
  settings.starts_behind       = true;
  settings.prepare_after_bytes = 5 << 20;
  TestStream stream(0);
  Bytes const source = bytes_of(2 << 20, 36), small = bytes_of(100, 37);
  DeviceBytes device(source.size());
  for (int i = 0; i < 2; ++i) {
    engine().enqueue(to_device(device, source), stream);
    for (int k = 0; k < 20; ++k) engine().enqueue(to_device(device, small), stream);  // these need no buffer
    EXPECT_EQ(engine().describe_staging(), "not needed so far") << i;
  }
  engine().enqueue(to_device(device, source), stream);
  EXPECT_NE(engine().describe_staging(), "not needed so far");
  EXPECT_TRUE(device.get() == source);
  fence(stream);
}

// Until the staging buffer exists, a caller may leave its copies to the runtime.
TEST_F(CopyEngineTest, CopiesByTheRuntimeCountForTheStagingBuffer) {
  settings.starts_behind       = true;
  settings.prepare_after_bytes = 5 << 20;
  for (int i = 0; i < 2; ++i) {
    EXPECT_TRUE(engine().has_no_staging_for(2 << 20));
    EXPECT_EQ(engine().describe_staging(), "not needed so far") << i;
  }
  EXPECT_TRUE(engine().has_no_staging_for(2 << 20));
  EXPECT_NE(engine().describe_staging(), "not needed so far");
  EXPECT_TRUE(engine().is_usable());
  EXPECT_FALSE(engine().has_no_staging_for(2 << 20));
}

/// More than the deadline of a test, so that no copy is left to its stream because the machine is slow.
constexpr unsigned until_it_arrives = 1000'000'000;  // microseconds

// The host empties a part of a slot while the link transfers the next part.
TEST_F(CopyEngineTest, ASlotIsFilledByOneCopy) {
  settings.slot_bytes      = 300 << 10;
  settings.slot_timeout_us = until_it_arrives;
  TestStream stream(0);
  for (std::size_t n : {std::size_t(65 << 10), std::size_t((140 << 10) + 3), std::size_t(300 << 10)}) {
    SCOPED_TRACE(n);
    Bytes const source = bytes_of(n, 38);
    DeviceBytes device(n);
    device.set(source);
    for (bool waits : {false, true}) {
      Bytes back(n);
      TestRuntime::copies = 0;
      StagedCopy copy     = to_host(back, device);
      if (waits) copy.wait = CopyWait::end;
      engine().enqueue(std::move(copy), stream);
      EXPECT_TRUE(back == source) << "the caller has waited long enough";
      EXPECT_EQ(TestRuntime::copies.load(), 1);
      fence(stream);
    }
  }
}

// The engine does not query a stream that writes words. It queries a stream that refuses to write words, or that
// accepts the request but does not write.
TEST_F(CopyEngineTest, AWordShowsThatTheBytesHaveArrived) {
  settings.slot_bytes      = 300 << 10;
  settings.slot_timeout_us = until_it_arrives;
  TestStream stream(0);
  Bytes const source = bytes_of(200 << 10, 40);
  DeviceBytes device(source.size());
  device.set(source);
  auto const copy = [&] {
    Bytes back(source.size());
    StagedCopy copy          = to_host(back, device);
    copy.wait                = CopyWait::end;
    TestRuntime::value_calls = 0;
    TestRuntime::questions   = 0;
    TestRuntime::copies      = 0;
    Engines::of(0).enqueue(std::move(copy), stream);
    EXPECT_TRUE(back == source);
  };
  (void)engine();
  copy();
  EXPECT_EQ(TestRuntime::value_calls.load(), 1);
  EXPECT_EQ(TestRuntime::questions.load(), 0);
  for (bool refuses : {true, false}) {
    SCOPED_TRACE(refuses);
    Engines::release_all();
    // A word that is never written is not waited for.
    settings.slot_timeout_us = refuses ? until_it_arrives : 0;
    Engines::configure(settings);
    TestRuntime::no_values = refuses;
    TestRuntime::no_writes = !refuses;
    copy();
    EXPECT_EQ(TestRuntime::value_calls.load(), 1);
    if (refuses) EXPECT_GE(TestRuntime::questions.load(), 1);
    copy();
    EXPECT_EQ(TestRuntime::value_calls.load(), 0) << "the stream must not be tried again";
    EXPECT_EQ(TestRuntime::copies.load(), 1);
    EXPECT_GE(TestRuntime::questions.load(), 1);
  }
  TestRuntime::no_values = false;
  TestRuntime::no_writes = false;
}

// A stream that is held back: a function of the stream copies the slot.
TEST_F(CopyEngineTest, AFunctionEmptiesASlotWhoseStreamIsBusy) {
  settings.slot_bytes = 300 << 10;
  TestStream stream(0);
  Bytes const source = bytes_of(300 << 10, 39);
  DeviceBytes device(source.size());
  device.set(source);
  Bytes back(source.size());
  Gate gate;
  gate.close(stream);
  engine().enqueue(to_host(back, device), stream);
  EXPECT_TRUE(back == Bytes(source.size()));
  gate.open();
  fence(stream);
  EXPECT_TRUE(back == source);
}

TEST_F(CopyEngineTest, BlockingCopiesHaveHappenedWhenTheCallReturns) {
  settings.blocking = true;
  TestStream stream(0);
  for (std::size_t n : {std::size_t(500), std::size_t(3) << 20}) {
    Bytes const source = bytes_of(n, 13);
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
  std::size_t const n = 1 << 20;
  Bytes const source  = bytes_of(n, 14);
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
  // The destination is not overwritten while a copy in progress reads it.
  Gate again;
  again.close(stream);
  DeviceBytes target(n);
  engine().enqueue(to_device(target, back), stream);
  engine().enqueue(to_host(back, device), stream);
  again.open();
  fence(stream);
  EXPECT_TRUE(target.get() == source);
}

}  // namespace
