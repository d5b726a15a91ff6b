// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies of many pieces, whose steps one kernel makes.
#include <Kokkos_Core.hpp>

#ifdef KOKKOS_ENABLE_CUDA
#define KOKKOS_TEST_RUNTIME_WITH_KERNELS Kokkos::Impl::CudaRuntime
#else
#define KOKKOS_TEST_RUNTIME_WITH_KERNELS Kokkos::Impl::HIPRuntime
#endif
#include "CopyEngineTest.hpp"

#ifdef KOKKOS_IMPL_GPU_MODEL
#include <impl/GPU/copy/Kokkos_GPU_SlabKernel.hpp>
#endif

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <future>
#include <iterator>
#include <memory>
#include <thread>
#include <vector>

namespace {

using Controls = SlabCopyControls<TestRuntime>;

/// With these settings a copy of 6 MiB consists of 12 or more pieces, of which fewer have slabs.
class LongCopies : public CopyEngineTest {
 protected:
  void SetUp() override {
    CopyEngineTest::SetUp();
    settings.max_pieces_ahead = 4;
    settings.long_by_kernel   = true;
    TestRuntime::slab_kernels = 0;
    ASSERT_TRUE(engine().is_usable());
  }
  /// Whether the copy's call returns while `gate` holds the stream. Opens the gate.
  bool returns_behind(Gate& gate, StagedCopy copy, TestStream const& in) {
    auto call          = std::async(std::launch::async, [&] { engine().enqueue(std::move(copy), in); });
    bool const returns = call.wait_for(std::chrono::seconds(100)) == std::future_status::ready;
    gate.open();
    call.get();
    return returns;
  }
  static constexpr std::size_t n = (6 << 20) + 21;  // bytes after the last word
  TestStream stream{0}, other{0};
  DeviceBytes device{n};
  Bytes const source = bytes_of(n, 44);
};

/// compute-sanitizer waits for each kernel, also for one that is behind a gate.
bool waits_for_kernels() { return std::getenv("NV_SANITIZER_INJECTION_TRANSPORT_TYPE") != nullptr; }
#define SKIP_WHERE_LAUNCHES_WAIT() \
  if (waits_for_kernels()) GTEST_SKIP() << "compute-sanitizer waits for each kernel"

TEST_F(LongCopies, ReturnAtOnce) {
  SKIP_WHERE_LAUNCHES_WAIT();
  Bytes back(n);
  for (int round = 0; round < 3; ++round) {  // each kernel finds the words as the one before left them
    Gate gate, other_gate;
    gate.close(stream);
    TestRuntime::copies = 0;
    EXPECT_TRUE(returns_behind(gate, to_device(device, source), stream));
    fence(stream);
    EXPECT_TRUE(device.get() == source);
    other_gate.close(other);
    EXPECT_TRUE(returns_behind(other_gate, to_host(back, device), other));
    fence(other);
    EXPECT_TRUE(back == source);
    EXPECT_EQ(TestRuntime::copies.load(), 0) << "by the runtime";
    std::fill(back.begin(), back.end(), '0');
  }
  EXPECT_EQ(TestRuntime::slab_kernels.load(), 6);
}

// The pieces of both have the same slabs, one copy after the other.
TEST_F(LongCopies, KeepTheOrderOfTheStream) {
  Bytes back(n), first(n);
  Bytes const second = bytes_of(n, 45);
  engine().enqueue(to_device(device, source), stream);
  engine().enqueue(to_host(first, device), stream);
  engine().enqueue(to_device(device, second), stream);
  engine().enqueue(to_host(back, device), stream);
  fence(stream);
  EXPECT_TRUE(first == source);
  EXPECT_TRUE(back == second);
}

TEST_F(LongCopies, OnMoreStreamsThanKernelsMayRun) {
  constexpr std::size_t count = Controls::max_kernels + 3;
  StreamsWithMemory const all(count, n);
  std::vector<Bytes> back(count, Bytes(n));
  for (std::size_t i = 0; i < count; ++i) engine().enqueue(to_device(all.devices[i], source), all.streams[i]);
  for (std::size_t i = 0; i < count; ++i) engine().enqueue(to_host(back[i], all.devices[i]), all.streams[i]);
  for (std::size_t i = 0; i < count; ++i) {
    fence(all.streams[i]);
    EXPECT_TRUE(back[i] == source) << i;
  }
}

// Every kernel that may run is behind a gate. One more copy enqueues only as many pieces ahead as there is room for.
TEST_F(LongCopies, WithoutAKernelTheirCallerMakesThem) {
  SKIP_WHERE_LAUNCHES_WAIT();
  StreamsWithMemory const all(Controls::max_kernels, n);
  Gate gate;
  for (std::size_t i = 0; i < Controls::max_kernels; ++i) {
    gate.close(all.streams[i]);
    engine().enqueue(to_device(all.devices[i], source), all.streams[i]);
  }
  gate.close(stream);
  TestRuntime::copies = 0;
  auto call           = std::async(std::launch::async, [&] { engine().enqueue(to_device(device, source), stream); });
  EXPECT_EQ(call.wait_for(std::chrono::milliseconds(20)), std::future_status::timeout);
  EXPECT_EQ(TestRuntime::copies.load(), 0) << "pieces";
  gate.open();
  call.get();
  EXPECT_GT(TestRuntime::copies.load(), 4) << "pieces";
  fence(stream);
  for (auto const& one : all.streams) fence(one);
  EXPECT_TRUE(device.get() == source);
  for (auto const& one : all.devices) EXPECT_TRUE(one.get() == source);
}

#ifdef KOKKOS_IMPL_GPU_MODEL
/// The first thread of each block: it copies the first word of a slice, and notifies the host. Blocks take their time.
struct FirstThreads {
  static inline thread_local unsigned shared_word = 0, random = 0;

  static unsigned thread_x() { return 0; }
  static unsigned grid_dim_x() { return GPUSlabKernel<FirstThreads>::blocks; }
  static char* shared() { return reinterpret_cast<char*>(&shared_word); }
  static void barrier() {}
  static void pause() { std::this_thread::yield(); }
  static void fence_system() {
    random = random * 1664525u + 1013904223u;
    std::this_thread::sleep_for(std::chrono::microseconds(random >> 24));
  }
  static unsigned fetch_add(unsigned* p, unsigned n) { return __atomic_fetch_add(p, n, __ATOMIC_ACQ_REL); }
  static void store_release(unsigned* p, unsigned value) { __atomic_store_n(p, value, __ATOMIC_RELEASE); }
  static void store_release_system(unsigned* p, unsigned value) { store_release(p, value); }
  static unsigned load_acquire(unsigned const* p) { return __atomic_load_n(p, __ATOMIC_ACQUIRE); }
  static unsigned load_acquire_system(unsigned const* p) { return load_acquire(p); }
  static void load_pair_system(unsigned long long const* p, unsigned long long& a, unsigned long long& b) {
    a = p[0], b = p[1];
  }
  static void store_pair_system(unsigned long long* p, unsigned long long a, unsigned long long b) {
    p[0] = a, p[1] = b;
  }
};

// Blocks that are slow in any order: the host is notified of a piece when all blocks have copied their slices of it and of
// the pieces before it.
TEST(SlabKernel, NotifiesTheHostOfWholePiecesInOrder) {
  Kokkos::Testing::Deadline const deadline("a block or the host waits for a piece", 100);
  constexpr unsigned pieces = 7, slabs = 2;
  constexpr std::size_t piece = 960;
  alignas(16) static char device[pieces * piece], slab[slabs * piece];
  SlabCopyControl control{};
  std::uint32_t device_word = 0, host_word = 0, first = 5;
  for (bool const there : {true, false, true, false}) {
    SlabCopy copy;
    copy.to_device = there;
    copy.device    = device;
    copy.slab      = slab;
    copy.bytes     = sizeof device;
    copy.piece = copy.stride = piece;
    copy.slabs               = slabs;
    copy.pieces              = pieces;
    copy.first               = first;
    copy.words               = {&device_word, &host_word};
    copy.control             = &control;
    for (unsigned k = 0; k < pieces; ++k)
      std::memset(device + k * piece, there ? 0 : static_cast<int>(first + k), piece);
    GPUSlabKernel<FirstThreads> const kernel(copy);
    ASSERT_GT(kernel.slices, 4u);
    device_word = host_word = first;
    std::vector<std::thread> blocks;
    for (unsigned b = 0; b < kernel.blocks; ++b)
      blocks.emplace_back([&, b] {
        FirstThreads::random = 100 * first + b;
        kernel();
      });
    auto const await_device = [&](unsigned k) {  // the stream, and not the kernel, notifies the host of the last piece
      while (k + 1 < pieces && FirstThreads::load_acquire(&device_word) < first + k + 1) std::this_thread::yield();
    };
    auto const count_wrong = [&](char const* memory, unsigned k) {
      int wrong = 0;
      for (std::size_t slice = 0; slice < piece; slice += kernel.slice)
        for (std::size_t i = 0; i < 16; ++i) wrong += memory[slice + i] != static_cast<char>(first + k);
      return wrong;
    };
    for (unsigned k = 0; k < pieces; ++k) {
      char* const in_slab = slab + k % slabs * piece;
      if (there && k >= slabs) {
        await_device(k - slabs);
        EXPECT_EQ(count_wrong(device + (k - slabs) * piece, k - slabs), 0) << "piece " << k - slabs;
      }
      if (there) {
        std::memset(in_slab, static_cast<int>(first + k), piece);
      } else if (k + 1 < pieces) {
        await_device(k);
        EXPECT_EQ(count_wrong(in_slab, k), 0) << "piece " << k;
        std::memset(in_slab, 0, piece);
      }
      __atomic_store_n(&host_word, first + k + 1, __ATOMIC_RELEASE);
    }
    for (auto& block : blocks) block.join();
    EXPECT_EQ(device_word, first + pieces - 1);
    EXPECT_EQ(count_wrong(there ? device + (pieces - 1) * piece : slab + (pieces - 1) % slabs * piece, pieces - 1), 0);
    SlabCopyControl const zeros{};
    EXPECT_EQ(std::memcmp(&control, &zeros, sizeof control), 0) << "as the next kernel expects it";
    first += 20;
  }
}
#endif

// The words of all kernels are in one block of the device, which the first kernel makes. Each kernel has its own.
TEST_F(LongCopies, KernelsHaveControlWordsOfTheirOwn) {
  Controls controls;
  std::vector<std::shared_ptr<SlabCopyControl>> taken;
  for (unsigned k = 0; k < Controls::max_kernels; ++k) taken.push_back(controls.acquire(stream.get()));
  for (unsigned k = 0; k < Controls::max_kernels; ++k) EXPECT_EQ(taken[k].get(), taken[0].get() + k);
  EXPECT_EQ(controls.acquire(stream.get()), nullptr) << "as many run as may";
  for (unsigned const k : {2u, 0u}) {
    SlabCopyControl* const address = taken[k].get();
    taken[k].reset();
    taken[k] = controls.acquire(stream.get());
    EXPECT_EQ(taken[k].get(), address);
  }
  SlabCopyControl zeros{}, found;
  for (auto const& one : taken) {
    check(PlainRuntime::memcpy_async(&found, one.get(), sizeof found, stream.get()));
    check(PlainRuntime::stream_synchronize(stream.get()));
    EXPECT_EQ(std::memcmp(&found, &zeros, sizeof found), 0) << "as a kernel expects them";
  }
}

// Threads whose first long copies come at once share that block.
TEST_F(LongCopies, ThreadsMakeTheControlWordsOnce) {
  for (int round = 0; round < 20; ++round) {
    Controls controls;
    std::shared_ptr<SlabCopyControl> taken[Controls::max_kernels];
    std::atomic<unsigned> waiting{0};
    std::vector<std::thread> threads;
    for (auto& mine : taken)
      threads.emplace_back([&] {
        TestStream const idle(0);
        ++waiting;
        while (waiting < Controls::max_kernels) continue;
        mine = controls.acquire(idle.get());
      });
    for (auto& thread : threads) thread.join();
    auto const [first, last] = std::minmax_element(std::begin(taken), std::end(taken));
    EXPECT_EQ(last->get() - first->get(), Controls::max_kernels - 1);
  }
}

// The kernel moves words of 16 bytes.
TEST_F(LongCopies, FromAnyAddressOfTheDevice) {
  Bytes const part(source.begin(), source.end() - 16);
  for (std::size_t shift : {1, 8, 16}) {
    StagedCopy copy           = to_device(device, part);
    copy.device.data          = device.data() + shift;
    TestRuntime::slab_kernels = 0;
    engine().enqueue(std::move(copy), stream);
    fence(stream);
    EXPECT_EQ(TestRuntime::slab_kernels.load(), shift == 16 ? 1 : 0);
    Bytes const all = device.get();
    EXPECT_TRUE(std::equal(part.begin(), part.end(), all.begin() + shift)) << shift;
  }
}

TEST_F(LongCopies, AfterARefusedStep) {
  SKIP_WHERE_LAUNCHES_WAIT();
  for (int call = 1; call < 9; ++call) {
    SCOPED_TRACE(call);
    auto lost = std::make_unique<TestStream>(0);
    TestRuntime::fail_calls(call);
    try {
      engine().enqueue(to_device(device, source), *lost);
      fence(*lost);
    } catch (std::exception const&) {
    }
    TestRuntime::fail_calls(0);
    lost.reset();
    Gate gate;
    gate.close(stream);
    EXPECT_TRUE(returns_behind(gate, to_device(device, source), stream));
    fence(stream);
    EXPECT_TRUE(device.get() == source);
  }
}

}  // namespace
