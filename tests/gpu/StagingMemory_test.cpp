// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The copy engine's pinned memory: registered pages, or a block of the runtime if registration fails.

#include "../unit/FakeRoot.hpp"
#include "GpuTest.hpp"

#include <impl/GPU/portable/Kokkos_GPU_StagingMemory.hpp>

#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>

using namespace Kokkos::Impl;

namespace {

constexpr std::size_t odd_size = (std::size_t(5) << 20) + 12345;

class StagingMemoryTest : public testing::Test {
 protected:
  void SetUp() override {
    TestRuntime::fail_calls(0);
    TestRuntime::no_pinned       = false;
    TestRuntime::no_registration = false;
  }
  void TearDown() override { EXPECT_EQ(TestRuntime::pinned.load(), 0u); }
};

bool is_mapped(char* page) {
  unsigned char resident = 0;
  return mincore(page, HostPages::small_page, &resident) == 0 || errno != ENOMEM;
}

TEST(HostPages, AreZerosFromALargePageOnWhoeverMadeThem) {
  for (int threads : {1, 3, 8}) {
    HostPages const pages(odd_size, threads);
    ASSERT_NE(pages.get(), nullptr);
    EXPECT_EQ(pages.bytes(), odd_size);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(pages.get()) % HostPages::large_page, 0u);
    std::vector<unsigned char> resident(odd_size / HostPages::small_page + 1);
    ASSERT_EQ(mincore(pages.get(), odd_size, resident.data()), 0);
    EXPECT_TRUE(std::all_of(resident.begin(), resident.end(), [](unsigned char page) { return page & 1; }));
    EXPECT_TRUE(std::all_of(pages.get(), pages.get() + odd_size, [](char c) { return c == 0; }));
    // At least one small page follows them, because they begin at a large page. That page may belong to another owner.
    std::size_t const all = (odd_size + HostPages::small_page - 1) / HostPages::small_page * HostPages::small_page;
    ASSERT_EQ(mincore(pages.get() + all, HostPages::small_page, resident.data()), 0);
    EXPECT_EQ(resident[0] & 1, 0) << "memory behind the pages was written";
  }
}

TEST(HostPages, HaveOneOwner) {
  HostPages pages(odd_size, 1);
  char* const data = pages.get();
  HostPages taken(std::move(pages));
  EXPECT_EQ(pages.get(), nullptr);
  EXPECT_EQ(taken.get(), data);
  pages = std::move(taken);
  EXPECT_EQ(pages.get(), data);
  EXPECT_EQ(taken.get(), nullptr);
  pages = HostPages();
  EXPECT_EQ(pages.get(), nullptr);
  EXPECT_EQ(pages.bytes(), 0u);
  EXPECT_FALSE(is_mapped(data));
}

// The policy of a page, or -1 if the system does not report it.
int page_policy(void* page) {
  int mode                 = -1;
  constexpr int of_address = 2;  // MPOL_F_ADDR
  return syscall(SYS_get_mempolicy, &mode, nullptr, 0ul, page, of_address) == 0 ? mode : -1;
}

// Also where the machine does not have the node.
TEST(HostPages, AreOnOneNode) {
  constexpr int preferred = 1;  // MPOL_PREFERRED
  HostPages const probe(odd_size, 1);
  if (page_policy(probe.get()) != preferred) GTEST_SKIP() << "this system refuses mbind or get_mempolicy";
  for (int node : {-1, 0, 63, 1000}) {
    HostPages const pages(odd_size, 1, node);
    EXPECT_EQ(page_policy(pages.get()), preferred) << node;
    EXPECT_EQ(page_policy(pages.get() + odd_size - 1), preferred) << node;
  }
}

/// A device at an address of a machine that a test makes.
struct PlacedRuntime : PlainRuntime {
  static error_t device_pci_address(char* out, int n, int device) {
    if (device != 0) return TestRuntime::failure;
    std::snprintf(out, static_cast<std::size_t>(n), "0001:3B:0A.0");
    return success;
  }
};
struct UnplacedRuntime : PlainRuntime {
  static void device_pci_address() = delete;
};

TEST(HostNode, IsThatOfTheDevicesPciAddress) {
  Kokkos::Testing::FakeRoot const root;
  std::string const devices = root.path() + "/sys/bus/pci/devices";
  auto const node           = [&](int device) { return host_node_beside<PlacedRuntime>(device, devices.c_str()); };
  EXPECT_EQ(node(0), -1);
  root.write("/sys/bus/pci/devices/0001:3b:0a.0/numa_node", "3");
  EXPECT_EQ(node(0), 3);
  EXPECT_EQ(node(1), -1);
  EXPECT_EQ(host_node_beside_current_device<PlacedRuntime>(devices.c_str()), 3);
  root.write("/sys/bus/pci/devices/0001:3b:0a.0/numa_node", "-1");
  EXPECT_EQ(node(0), -1);
  EXPECT_EQ(host_node_beside_current_device<UnplacedRuntime>(devices.c_str()), -1);
  EXPECT_GE(host_node_of_this_thread(), 0);
}

TEST(HostPages, AreNothingWhereThereIsNoMemory) {
  HostPages const pages(std::size_t(1) << 60, 8);
  EXPECT_EQ(pages.get(), nullptr);
  EXPECT_EQ(pages.bytes(), 0u);
}

// If parent and child shared a page, the parent would get a different page at its next write.
TEST(HostPages, StayWithTheirProcess) {
  HostPages const pages(odd_size, 1);
  ASSERT_TRUE(is_mapped(pages.get()));
  pid_t const child = fork();
  if (child == 0) _exit(is_mapped(pages.get()) ? 1 : 0);
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
}

void expect_copied_through(StagingMemory<TestRuntime> const& memory) {
  auto* const bytes = static_cast<char*>(memory.get());
  std::fill(bytes, bytes + memory.bytes(), 'x');
  DeviceBytes const device(memory.bytes());
  check(PlainRuntime::memcpy_async(device.data(), bytes, memory.bytes(), nullptr));
  check(PlainRuntime::stream_synchronize(nullptr));
  EXPECT_EQ(device.get(), std::vector<char>(memory.bytes(), 'x'));
}

TEST_F(StagingMemoryTest, IsRegisteredPages) {
  StagingMemory<TestRuntime> memory(odd_size, 2);
  EXPECT_EQ(TestRuntime::pinned.load(), odd_size);
  EXPECT_EQ(memory.bytes(), odd_size);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory.get()) % HostPages::large_page, 0u);
  expect_copied_through(memory);
  StagingMemory<TestRuntime> taken(std::move(memory));
  EXPECT_EQ(memory.get(), nullptr);
  expect_copied_through(taken);
  void* const address = taken.get();
  memory              = std::move(taken);
  EXPECT_TRUE(memory.get() == address && memory.bytes() == odd_size && taken.get() == nullptr);
  expect_copied_through(memory);
  taken = std::move(memory);
  taken = StagingMemory<TestRuntime>();
  EXPECT_EQ(TestRuntime::pinned.load(), 0u);
}

TEST_F(StagingMemoryTest, IsABlockOfTheRuntimesWhereNothingCanBeRegistered) {
  TestRuntime::no_registration = true;
  StagingMemory<TestRuntime> const memory(odd_size, 2);
  EXPECT_EQ(TestRuntime::pinned.load(), odd_size);
  EXPECT_EQ(memory.bytes(), odd_size);
  expect_copied_through(memory);
}

TEST_F(StagingMemoryTest, ThrowsWhereNothingCanBePinned) {
  TestRuntime::no_pinned = true;
  try {
    StagingMemory<TestRuntime> const memory(odd_size, 2);
    ADD_FAILURE() << "There is memory.";
  } catch (std::exception const& error) {
    EXPECT_NE(std::string(error.what()).find(std::to_string(odd_size) + " bytes of pinned host memory"),
              std::string::npos)
        << error.what();
  }
}

// ---- memory, errors and threads of streams ----------------------------------------------------------------------------

template <template <class> class Kind>
void expect_memory_of(char const* name) {
  using Memory = GPUMemory<TestRuntime, Kind>;
  Memory memory(12345);
  void* const data = memory.get();
  EXPECT_NE(data, nullptr);
  EXPECT_EQ(memory.bytes(), 12345u);
  Memory taken(std::move(memory));
  EXPECT_EQ(taken.get(), data);
  EXPECT_EQ(taken.bytes(), 12345u);
  EXPECT_EQ(memory.get(), nullptr);
  EXPECT_EQ(memory.bytes(), 0u);
  memory = std::move(taken);
  EXPECT_EQ(memory.get(), data);
  EXPECT_EQ(memory.bytes(), 12345u);
  constexpr std::size_t too_many = std::size_t(1) << 60;
  try {
    Memory const none(too_many);
    ADD_FAILURE() << "There is memory.";
  } catch (GPUError const& error) {
    std::string const sentence = error.what();
    EXPECT_NE(sentence.find("asking for 1152921504606846976 bytes of " + std::string(name)), sentence.npos) << sentence;
    EXPECT_NE(error.code(), static_cast<int>(TestRuntime::success));
  }
  EXPECT_EQ(PlainRuntime::last_error(), TestRuntime::success) << "as others would find it";
}
TEST_F(StagingMemoryTest, BlocksHaveTheirSizeAndOneOwner) {
  expect_memory_of<DeviceMemoryKind>("device memory");
  expect_memory_of<PinnedMemoryKind>("pinned host memory");
}

// A function that handles an error of the runtime clears the runtime's last error, too.
TEST(GPUErrors, KeepTheirCodeAndLeaveNoLastError) {
  auto const fails = [] {
    void* memory = nullptr;
    return PlainRuntime::malloc_device(&memory, std::size_t(1) << 60);
  };
  auto const error = fails();
  ASSERT_NE(error, TestRuntime::success);
  EXPECT_FALSE(gpu_succeeded<TestRuntime>(fails()));
  EXPECT_EQ(PlainRuntime::last_error(), TestRuntime::success);
  EXPECT_TRUE(gpu_succeeded<TestRuntime>(TestRuntime::success));
  try {
    gpu_check<TestRuntime>(fails(), "malloc_device", "testing");
    ADD_FAILURE() << "no error";
  } catch (GPUError const& e) {
    EXPECT_EQ(e.code(), static_cast<int>(error));
    EXPECT_EQ(std::string(e.what()).find("malloc_device failed while testing: "), 0u) << e.what();
  }
  EXPECT_EQ(PlainRuntime::last_error(), TestRuntime::success);
}

// A thread may capture the streams that it has used.
TEST(StreamUsers, AreNoneOneOrSeveralThreads) {
  StreamUsers users;
  auto const elsewhere = [&](auto const& call) {
    bool result = false;
    std::thread([&] { result = call(); }).join();
    return result;
  };
  EXPECT_TRUE(users.is_empty());
  EXPECT_FALSE(users.contains_this_thread());
  EXPECT_FALSE(users.has_others());
  for (int i = 0; i < 2; ++i) {
    users.add_this_thread();
    EXPECT_FALSE(users.is_empty());
    EXPECT_TRUE(users.contains_this_thread());
    EXPECT_FALSE(users.has_others());
    EXPECT_FALSE(elsewhere([&] { return users.contains_this_thread(); }));
    EXPECT_TRUE(elsewhere([&] { return users.has_others(); }));
  }
  std::thread([&] { users.add_this_thread(); }).join();
  EXPECT_TRUE(users.has_others());
  EXPECT_TRUE(users.contains_this_thread());
  EXPECT_TRUE(elsewhere([&] { return users.has_others(); }));
}

// Streams of other threads may be captured while pinned memory is made.
auto mode_of_thread() {
  auto mode = TestRuntime::capture_mode_relaxed;
  check(PlainRuntime::thread_exchange_capture_mode(&mode));
  auto before = mode;
  check(PlainRuntime::thread_exchange_capture_mode(&mode));
  return before;
}
TEST(RelaxedCaptureScope, IsRelaxedInside) {
  auto const before = mode_of_thread();
  ASSERT_NE(before, TestRuntime::capture_mode_relaxed);
  {
    RelaxedCaptureScope<TestRuntime> relaxed;
    EXPECT_EQ(mode_of_thread(), TestRuntime::capture_mode_relaxed);
    {
      RelaxedCaptureScope<TestRuntime> again;
      EXPECT_EQ(mode_of_thread(), TestRuntime::capture_mode_relaxed);
    }
    EXPECT_EQ(mode_of_thread(), TestRuntime::capture_mode_relaxed);
  }
  EXPECT_EQ(mode_of_thread(), before);
}
TEST(RelaxedCaptureScope, LeavesTheModeOfTheThreadWhereItCannotBeExchanged) {
  auto const before = mode_of_thread();
  ASSERT_NE(before, TestRuntime::capture_mode_relaxed);
  TestRuntime::no_exchange = true;
  {
    RelaxedCaptureScope<TestRuntime> relaxed;
    TestRuntime::no_exchange = false;
  }
  EXPECT_EQ(mode_of_thread(), before);
}

}  // namespace
