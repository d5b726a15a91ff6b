// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Runs memory pools through random steps, with a runtime that has no memory. tests/journals/PoolSteps.txt lists the memory that
/// a pool has after every fortieth step, and how often it has made each call of the runtime.

#include "../unit/Journal.hpp"
#include "PoolRuntime.hpp"

#include <impl/GPU/memory/Kokkos_GPU_MemoryPool.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace {

using Classes = Kokkos::Impl::GPUSizeClasses;
using Address = std::uintptr_t;

constexpr std::size_t KiB = 1024, MiB = KiB * KiB;

/// A simulated device. Its work ends when a test says so, and nothing accesses its memory. It reports what a pool must not do.
struct Device {
  unsigned submitted = 0, ended = 0;  // numbers of pieces of work
  std::size_t capacity = ~std::size_t(0), taken = 0;
  Address next = 0;
  std::map<Address, std::size_t> allocations;
  std::set<Address>
      dirty;  // units of Classes::smallest bytes in small blocks that had an owner since they were cleared
  int live_events = 0;
  std::vector<unsigned> events;  // the work that each is behind
  std::map<std::string, int> calls;

  bool is_busy() const { return ended < submitted; }
  void fill(Address from, std::size_t bytes) {
    auto const allocation = std::prev(allocations.upper_bound(from));
    EXPECT_LE(from + bytes, allocation->first + allocation->second) << "a fill beyond an allocation";
    dirty.erase(dirty.lower_bound(from), dirty.lower_bound(from + bytes));
  }
};
Device device;

template <bool QueryCoversStreams>
struct Runtime : Kokkos::Testing::PoolRuntime {
  static constexpr bool default_stream_query_covers_ordered = QueryCoversStreams;

  static int count(char const* call) { return ++device.calls[call], success; }
  static int malloc_device(void** p, std::size_t bytes) {
    count("malloc");
    *p = nullptr;
    if (bytes > device.capacity - device.taken) return out_of_memory;
    device.taken += bytes;
    device.next += Address(1) << 32;
    device.allocations[device.next] = bytes;
    *p                              = reinterpret_cast<void*>(device.next);
    return success;
  }
  static int malloc_pinned(void** p, std::size_t bytes) { return malloc_device(p, bytes); }
  static int free_device(void* p) {  // waits for the device
    device.ended   = device.submitted;
    auto const one = device.allocations.find(reinterpret_cast<Address>(p));
    EXPECT_NE(one, device.allocations.end()) << "freed what was not allocated";
    if (one == device.allocations.end()) return success;
    device.taken -= one->second;
    device.allocations.erase(one);
    return count("free");
  }
  static int free_pinned(void* p) { return free_device(p); }
  static int stream_query(stream_t) { return count("query"), device.is_busy() ? not_ready : success; }
  static int stream_synchronize(stream_t) { return count("wait"); }
  static int stream_create_unordered(stream_t* stream) { return *stream = &device, count("stream"); }
  static int event_create(event_t* event) {
    device.events.push_back(0);
    ++device.live_events;
    *event = reinterpret_cast<void*>(device.events.size());
    return success;
  }
  static int event_destroy(event_t) { return --device.live_events, success; }
  static unsigned& work_before(event_t event) { return device.events[reinterpret_cast<Address>(event) - 1]; }
  static int event_record(event_t event, stream_t stream) {
    work_before(event) = stream == nullptr ? device.submitted : device.ended + 1;  // a fill ends later, too
    return count("record");
  }
  static int event_query(event_t event) {
    count("ask");
    return work_before(event) <= device.ended || !device.is_busy() ? success : not_ready;
  }
  static int memset_async(void* p, int, std::size_t bytes, stream_t) {
    device.fill(reinterpret_cast<Address>(p), bytes);
    return count("fill");
  }
};
using Kokkos::Testing::NoStreams;

struct Settings {
  char const* what;
  Kokkos::Impl::GPUPoolBounds bounds;
  std::size_t capacity;
  std::chrono::nanoseconds recent;
  unsigned first, last;  // of the sizes below
};

/// Random steps, of which every fortieth is noted. Blocks never overlap, never lie outside of allocations, are never handed out
/// while earlier work may use them, and contain zeros if the pool says so.
template <bool QueryCoversStreams>
class Steps {
 public:
  using Pool = Kokkos::Impl::GPUMemoryPool<Runtime<QueryCoversStreams>, Kokkos::Impl::DeviceMemoryKind, NoStreams>;

  explicit Steps(Settings const& settings) : m_settings(settings) {
    device          = {};
    device.capacity = settings.capacity;
    Pool::recent    = settings.recent;
    m_pool.open(settings.bounds);
  }
  void run() {
    constexpr int count = 480;
    for (int i = 1; i <= count && !testing::Test::HasFailure(); ++i) {
      one();
      if (i % 40 == 0) note(i);
    }
    while (!m_blocks.empty() && !testing::Test::HasFailure()) deallocate(0);
    note(count + 1);
    m_pool.close();
    EXPECT_EQ(device.taken, 0u);
    EXPECT_EQ(device.live_events, 0);
    Kokkos::Testing::Journal::of_this_test().add(
        m_settings.what +
            std::string(QueryCoversStreams ? ", a query covers all streams" : ", only an event covers all"),
        m_lines);
  }

 private:
  struct Block {
    std::size_t bytes;
    bool is_small;
  };

  unsigned next(unsigned n) { return (m_random = m_random * 1664525u + 1013904223u) / 65536 % n; }

  void one() {
    static constexpr std::size_t sizes[] = {100,     1000,    3000,    20000,   300000,   1 << 20,
                                            3 * MiB, 6 * MiB, 6 * MiB, 9 * MiB, 40 * MiB, 70 * MiB};
    switch (next(16)) {
      case 0:
        ++device.submitted;
        return;
      case 1:
        device.ended = device.submitted;
        return;
      case 2:
        return m_pool.collect(next(2) == 0);
      case 3:
        if (next(8) == 0) return m_pool.release_idle();
        return m_pool.collect(m_pool.is_due());
      case 4:  // many of a size that has a stock
        if (m_settings.first > 0) return;
        for (int i = 0; i < 40; ++i) allocate(sizes[m_random >> 8 & 1], true);
        return;
      case 5:  // several end one after the other
        for (int i = 0; i < 50 && !m_blocks.empty(); ++i) deallocate(next(static_cast<unsigned>(m_blocks.size())));
        return;
      case 6:
      case 7:
      case 8:
      case 9:
      case 10:
        if (!m_blocks.empty()) deallocate(next(static_cast<unsigned>(m_blocks.size())));
        return;
      default:
        std::size_t const bytes =
            sizes[m_settings.first + next(m_settings.last - m_settings.first)];  // before the next number
        allocate(bytes, next(3) > 0);
    }
  }

  void allocate(std::size_t bytes, bool asks_for_zeros) {
    void* p          = nullptr;
    bool cleared     = false;
    int const error  = m_pool.allocate(bytes, &p, asks_for_zeros ? &cleared : nullptr);
    auto const begin = reinterpret_cast<Address>(p);
    forget_ended();  // the pool may have waited
    if (error != 0) {
      EXPECT_EQ(p, nullptr);
      ++m_refused;
      return;
    }
    ASSERT_NE(p, nullptr);
    Address const end = begin + bytes;
    auto const within = std::prev(device.allocations.upper_bound(begin));
    EXPECT_LE(end, within->first + within->second) << bytes << " bytes beyond an allocation";
    for (auto const* all : {&m_blocks, &m_used}) {
      auto const after = all->lower_bound(begin);
      if (after != all->end()) EXPECT_LE(end, after->first) << "overlaps what is in use";
      if (after != all->begin()) EXPECT_LE(std::prev(after)->first + std::prev(after)->second.bytes, begin);
    }
    bool const is_small = bytes <= 4 * KiB;
    if (cleared) {
      ++m_cleared;
      EXPECT_TRUE(is_small);
      auto const first = device.dirty.lower_bound(begin);
      EXPECT_TRUE(first == device.dirty.end() || *first >= end) << "not zeros";
    }
    m_blocks[begin] = {bytes, is_small};
  }
  void deallocate(unsigned k) {
    auto const one = std::next(m_blocks.begin(), k);
    if (one->second.is_small)
      for (std::size_t at = 0; at < one->second.bytes; at += Classes::smallest) device.dirty.insert(one->first + at);
    if (device.is_busy()) {
      m_used.insert(*one);
      m_work[one->first] = device.submitted;
    }
    EXPECT_TRUE(m_pool.deallocate(reinterpret_cast<void*>(one->first)));
    m_blocks.erase(one);
    forget_ended();
  }
  void forget_ended() {
    std::erase_if(m_used, [&](auto const& used) { return m_work[used.first] <= device.ended; });
  }

  void note(int step) {
    auto const usage            = m_pool.usage();
    std::string line            = "  " + std::to_string(step) + ": KiB";
    std::size_t const amounts[] = {usage.taken, usage.idle, usage.returned, usage.in_use, usage.highest};
    for (std::size_t const bytes : amounts) line += ' ' + std::to_string(bytes / KiB);
    line += "; zeros " + std::to_string(m_cleared) + ", refused " + std::to_string(m_refused) +
            (m_pool.is_due() ? ", due" : "") + ";";
    for (auto const& [call, count] : device.calls) line += ' ' + call + ' ' + std::to_string(count);
    m_lines += line + '\n';
  }

  Settings m_settings;
  Pool m_pool{0};
  unsigned m_random = 1;
  std::map<Address, Block> m_blocks;   // that views have
  std::map<Address, Block> m_used;     // that earlier work may still use
  std::map<Address, unsigned> m_work;  // with the number of that work
  int m_cleared = 0, m_refused = 0;
  std::string m_lines;
};

TEST(PoolSteps, AreThoseOfTheTable) {
  constexpr std::chrono::hours long_time{1000}, no_time{0};
  Settings const table[] = {
      {"small views", {64 * MiB, 16 * MiB, 0}, ~std::size_t(0), long_time, 0, 5},
      {"all sizes", {2048 * MiB, 512 * MiB, 0}, ~std::size_t(0), long_time, 0, 12},
      {"few sizes", {2048 * MiB, 512 * MiB, 0}, ~std::size_t(0), long_time, 6, 9},
      {"old memory", {256 * MiB, 16 * MiB, 0}, ~std::size_t(0), no_time, 0, 12},
      {"little is kept", {16 * MiB, 8 * MiB, 0}, ~std::size_t(0), long_time, 0, 12},
      {"a limit", {512 * MiB, 128 * MiB, 100 * MiB}, ~std::size_t(0), long_time, 0, 10},
      {"a full device", {512 * MiB, 128 * MiB, 0}, 30 * MiB + 300 * KiB, long_time, 0, 9},
  };
  for (Settings const& settings : table) {
    Steps<true>(settings).run();
    Steps<false>(settings).run();
  }
  Kokkos::Testing::Journal::of_this_test().expect_as_in("PoolSteps");
}

}  // namespace
