// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Copies of pageable memory with an instance: the guarantees of each setting, and programs that meanwhile register
/// memory, exit, fork, handle signals, or use a tool that fences. Each test is a separate process.

#include "../unit/Deadline.hpp"
#include "../unit/Thorough.hpp"
#include "DeviceTest.hpp"

#include <impl/GPU/portable/Kokkos_GPU_CopyEngines.hpp>
#include <Kokkos_Profiling_Interface.hpp>
#include <impl/tools/Kokkos_ToolsCallbacks.hpp>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <thread>
#include <vector>
#ifdef __linux__
#include <sched.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
#endif

namespace {

using Kokkos::Testing::Gate;
using Kokkos::Testing::GPU;
using Kokkos::Testing::Runtime;
using Device    = Kokkos::View<int*, GPU::memory_space>;
using Host      = Kokkos::View<int*, Kokkos::HostSpace>;
using Unmanaged = Kokkos::View<int*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>;

constexpr std::size_t sizes[] = {6, 10000, 1 << 20};

void wait_for_staging_buffer() { (void)Kokkos::Impl::CopyEngines<Runtime>::of(Kokkos::device_id()).is_usable(); }

/// Kokkos with a value of KOKKOS_PAGEABLE_COPY, its staging buffer, and a separate instance.
class Session {
 public:
  explicit Session(char const* setting) {
    setenv("KOKKOS_PAGEABLE_COPY", setting, 1);
    Kokkos::initialize();
    wait_for_staging_buffer();
    m_instance.emplace(Kokkos::partition_space(GPU(), 1)[0]);
  }
  ~Session() {
    m_instance.reset();
    Kokkos::finalize();
  }
  GPU const& instance() const { return *m_instance; }
  auto stream() const { return m_instance->impl_instance().stream(); }

 private:
  std::optional<GPU> m_instance;
};

Device filled(std::size_t n, int value) {
  Device view("device", n);
  Kokkos::deep_copy(view, value);
  return view;
}

bool all_equal(int const* p, std::size_t n, int value) {
  for (std::size_t i = 0; i < n; ++i)
    if (p[i] != value) return false;
  return true;
}

// ---- the end of what a copy keeps -----------------------------------------------------------------------------------

// A copy keeps its host memory until it has ended, and no longer: then the program's handle is the only one.
TEST(KeptMemory, IsLetGoByTheNextFence) {
  KOKKOS_TEST_SKIP_UNLESS_STREAMS_WAIT_FOR_WORDS();
  Session const session("async");
  for (std::size_t const n : sizes) {
    Device const device("device", n);
    Host const to_device("to the device", n), to_host("to the host", n);
    Kokkos::fence();
    {
      Gate gate;
      gate.close(session.stream());
      Kokkos::deep_copy(session.instance(), device, to_device);
      if (n > sizes[0]) {  // a copy of fewer bytes waits
        Kokkos::deep_copy(session.instance(), to_host, device);
        EXPECT_GT(to_host.use_count(), 1) << n;
      }
    }
    session.instance().fence();
    EXPECT_EQ(to_device.use_count(), 1) << n;
    EXPECT_EQ(to_host.use_count(), 1) << n;
  }
}

// A copy that has ended when the call returns keeps nothing.
void expect_nothing_kept(char const* setting) {
  Session const session(setting);
  for (std::size_t const n : {sizes[0], sizes[1], sizes[2], 2 * sizes[2]}) {
    Device const device("device", n);
    Host const to_device("to the device", n), to_host("to the host", n);
    Kokkos::View<int*, Kokkos::LayoutStride, Kokkos::HostSpace> const strided("strided",
                                                                              Kokkos::LayoutStride(n / 2, 2));
    auto const half = Kokkos::subview(device, std::make_pair(std::size_t(0), n / 2));
    Kokkos::fence();
    auto const expect_one_owner = [&](char const* what) {
      EXPECT_EQ(to_device.use_count(), 1) << what << ", " << n;
      EXPECT_EQ(to_host.use_count(), 1) << what << ", " << n;
      EXPECT_EQ(strided.use_count(), 1) << what << ", " << n;
    };
    Kokkos::deep_copy(device, to_device);
    Kokkos::deep_copy(to_host, device);
    Kokkos::deep_copy(half, strided);
    Kokkos::deep_copy(strided, half);
    expect_one_owner("without an instance");
    if (std::string(setting) != "blocking") continue;
    Kokkos::deep_copy(session.instance(), device, to_device);
    Kokkos::deep_copy(session.instance(), to_host, device);
    expect_one_owner("blocking");
  }
}
TEST(KeptMemory, IsNoneAfterCopiesWithoutAnInstance) { expect_nothing_kept("async"); }
TEST(KeptMemory, IsNoneAfterBlockingCopies) { expect_nothing_kept("blocking"); }

// The device reads memory that the program has registered without the library.
TEST(KeptMemory, IsAlsoRegisteredMemory) {
  Session const session("async");
  constexpr std::size_t n = 1 << 16;
  Device const device("device", n);
  Host const host("registered", n);
  ASSERT_EQ(KOKKOS_IMPL_GPU_VENDOR(HostRegister)(host.data(), n * sizeof(int), 0), Runtime::success);
  Kokkos::fence();
  for (bool const to_host : {false, true}) {
    Gate gate;
    gate.close(session.stream());
    if (to_host)
      Kokkos::deep_copy(session.instance(), host, device);
    else
      Kokkos::deep_copy(session.instance(), device, host);
    EXPECT_GT(host.use_count(), 1) << to_host;
    gate.open();
    session.instance().fence();
    for (int i = 0; i < 60000 && host.use_count() > 1; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      session.instance().fence();
    }
    EXPECT_EQ(host.use_count(), 1) << to_host;
  }
  ASSERT_EQ(KOKKOS_IMPL_GPU_VENDOR(HostUnregister)(host.data()), Runtime::success);
}

// ---- the explanation of routes --------------------------------------------------------------------------------------

/// The text that the copies of `action` write to the error stream.
template <class Action>
std::string explanations_of(Action const& action) {
  testing::internal::CaptureStderr();
  action();
  return testing::internal::GetCapturedStderr();
}

TEST(CopyExplain, WritesTheRouteOfEachCopyAndWhy) {
  setenv("KOKKOS_COPY_EXPLAIN", "1", 1);
  Session const session("default");
  Device const device("field", 3 << 18), other("other", 3 << 18);
  Host const host("input", 3 << 18), few("few", 2);
  std::string const large = explanations_of([&] { Kokkos::deep_copy(session.instance(), device, host); });
  std::string const route = Runtime::device_may_wait_for_host
                                ? "route staged, because the queue of the driver"
                                : "route staged_by_caller, because streams of this device";
  EXPECT_EQ(large.find("Kokkos::deep_copy of \"input\" to \"field\": 3145728 bytes, pageable to device, " + route), 0u)
      << large;
  EXPECT_EQ(large.find('\n'), large.size() - 1) << "one line: " << large;
  auto const first = Kokkos::pair<int, int>(0, 2);
  Kokkos::fence();
  struct {
    std::string lines, route;
  } const table[] = {
      {explanations_of([&] { Kokkos::deep_copy(session.instance(), other, device); }),
       "device to device, route runtime,"},
      {explanations_of([&] { Kokkos::deep_copy(session.instance(), few, Kokkos::subview(device, first)); }),
       "8 bytes, device to pageable, route slot,"},
      {explanations_of([&] { Kokkos::deep_copy(host, Host("more", 3 << 18)); }), "host to host, route host_threads,"},
  };
  for (auto const& row : table) EXPECT_NE(row.lines.find(row.route), std::string::npos) << row.lines;
}

TEST(CopyExplain, WritesNothingUnlessItIsSet) {
  Session const session("default");
  Device const device("field", 1000);
  Host const host("input", 1000);
  EXPECT_EQ(explanations_of([&] { Kokkos::deep_copy(session.instance(), device, host); }), "");
}

// ---- the guarantees of the settings --------------------------------------------------------------------------------

// Programs rely on this when a constructor copies into its own member, which is then moved or read without a fence.
void expect_happened_at_return(char const* setting) {
  Session session(setting);
  for (std::size_t n : sizes) {
    Device device = filled(n, 7);
    std::vector<int> memory(n, 1);
    Kokkos::fence();
    Kokkos::deep_copy(session.instance(), Unmanaged(memory.data(), n), device);
    EXPECT_TRUE(all_equal(memory.data(), n, 7)) << n;
    std::vector<int> source(n, 9);
    Kokkos::deep_copy(session.instance(), device, Unmanaged(source.data(), n));
    source.assign(n, 0);  // like freed memory, or the stack frame of another function
    Kokkos::deep_copy(session.instance(), Unmanaged(memory.data(), n), device);
    EXPECT_TRUE(all_equal(memory.data(), n, 9)) << n;
    Kokkos::View<int*, Kokkos::SharedHostPinnedSpace> const pinned("pinned", n);
    Kokkos::deep_copy(pinned, 5);
    Kokkos::deep_copy(session.instance(), Unmanaged(memory.data(), n), pinned);
    EXPECT_TRUE(all_equal(memory.data(), n, 5)) << n;
  }
}
// With `blocking`, copies of the memory of views are waited for, too, although that memory lives until they end.
void expect_views_are_waited_for() {
  Session session("blocking");
  for (std::size_t n : sizes) {
    Device const device = filled(n, 7);
    Host const host("host", n);
    Kokkos::fence();
    Gate gate;
    gate.close(session.stream());
    std::thread opener([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      gate.open();
    });
    Kokkos::deep_copy(session.instance(), host, device);
    EXPECT_TRUE(all_equal(host.data(), n, 7)) << n;
    opener.join();
  }
}

TEST(PageableCopies, MemoryThatNoViewOwnsIsNotNeededAfterTheCall) { expect_happened_at_return("default"); }
TEST(PageableCopies, BlockingCopiesHaveHappenedAtReturn) { expect_happened_at_return("blocking"); }
TEST(PageableCopies, BlockingCopiesOfViewsHaveHappenedAtReturn) { expect_views_are_waited_for(); }

void expect_asynchronous(Session const& session, bool owning) {
  for (std::size_t n : sizes)
    for (bool to_host : {true, false}) {
      Device device = filled(n, 7);
      Host host("host", n);
      Kokkos::deep_copy(host, 1);
      Kokkos::fence();
      Gate gate;
      gate.close(session.stream());
      if (to_host && owning)
        Kokkos::deep_copy(session.instance(), host, device);
      else if (to_host)
        Kokkos::deep_copy(session.instance(), Unmanaged(host.data(), n), device);
      else if (owning)
        Kokkos::deep_copy(session.instance(), device, host);
      else
        Kokkos::deep_copy(session.instance(), device, Unmanaged(host.data(), n));
      EXPECT_EQ(host(n - 1), 1) << n << " elements: the call returned before the stream did anything";
      gate.open();
      session.instance().fence();
      EXPECT_EQ(host(n - 1), to_host ? 7 : 1);
    }
}
TEST(PageableCopies, CopiesOfMemoryThatViewsOwnAreAsynchronous) {
  if (!Runtime::device_may_wait_for_host) GTEST_SKIP() << "By default, no stream of this backend waits for the host.";
  expect_asynchronous(Session("default"), true);
}
TEST(PageableCopies, AllAreWhereThatIsAskedFor) {
  KOKKOS_TEST_SKIP_UNLESS_STREAMS_WAIT_FOR_WORDS();
  Session session("async");
  expect_asynchronous(session, true);
  expect_asynchronous(session, false);
}

// Several instances can copy at the same time even if kernels run one at a time, whether or not streams wait for the
// host.
void expect_no_instance_waits_for_another(char const* setting, int count, std::size_t n) {
  setenv("HIP_MODEL_ONE_KERNEL", "1", 1);
  setenv("HIP_MODEL_QUEUES", "4", 1);
  Session session(setting);
  std::vector<GPU> instances;
  std::vector<Device> devices;
  std::vector<Host> hosts;
  for (int i = 0; i < count; ++i) {
    instances.push_back(Kokkos::partition_space(GPU(), 1)[0]);
    devices.emplace_back("device", n);
    hosts.emplace_back("host", n);
    Kokkos::deep_copy(hosts[i], i);
  }
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < count; ++i) {
      Kokkos::deep_copy(instances[i], devices[i], hosts[i]);
      Kokkos::deep_copy(instances[i], Kokkos::subview(devices[i], Kokkos::pair<int, int>(0, 10)), 100);
      Kokkos::deep_copy(instances[i], hosts[i], devices[i]);
    }
    for (GPU const& each : instances) each.fence();
  }
  for (int i = 0; i < count; ++i) EXPECT_TRUE(hosts[i](5) == 100 && hosts[i](n - 1) == i) << i;
}
TEST(PageableCopies, InstancesThatCopyAtOnceDoNotWaitForOneAnother) {
  expect_no_instance_waits_for_another("default", 6, 4 << 20);
}
TEST(PageableCopies, StreamsThatWaitForTheHostAreIndependent) {
  KOKKOS_TEST_SKIP_UNLESS_STREAMS_WAIT_FOR_WORDS();
  expect_no_instance_waits_for_another("async", 6, 4 << 20);
}
TEST(PageableCopies, MoreInstancesThanChannelsDoNotWaitForOneAnother) {
  KOKKOS_TEST_SKIP_UNLESS_STREAMS_WAIT_FOR_WORDS();
  expect_no_instance_waits_for_another("async", 40, 1 << 20);
}

// ---- registered memory ----------------------------------------------------------------------------------------------

struct WriteSevens {
  int* p;
  KOKKOS_FUNCTION void operator()(std::size_t i) const { p[i] = 7; }
};

// A kernel writes to memory that the program has registered: no copy, however small, may read it during the call.
TEST(PageableCopies, RegisteredMemoryIsReadInTheOrderOfTheStream) {
  KOKKOS_TEST_SKIP_UNLESS_STREAMS_WAIT_FOR_WORDS();
  Session session("async");
  for (std::size_t n : {std::size_t(2), std::size_t(1000), std::size_t(16000), std::size_t(20000)}) {
    Host host("host", n);
    Kokkos::deep_copy(host, 1);
    Device device("device", n);
    ASSERT_EQ(KOKKOS_IMPL_GPU_VENDOR(HostRegister)(host.data(), n * sizeof(int), 0), Runtime::success);
    void* on_device = nullptr;
    ASSERT_EQ(KOKKOS_IMPL_GPU_VENDOR(HostGetDevicePointer)(&on_device, host.data(), 0), Runtime::success);
    Kokkos::fence();
    Gate gate;
    gate.close(session.stream());
    Kokkos::parallel_for(Kokkos::RangePolicy<GPU>(session.instance(), 0, n), WriteSevens{static_cast<int*>(on_device)});
    Kokkos::deep_copy(session.instance(), device, host);
    gate.open();
    session.instance().fence();
    std::vector<int> found(n);
    Kokkos::deep_copy(Unmanaged(found.data(), n), device);
    EXPECT_TRUE(all_equal(found.data(), n, 7)) << n;
    ASSERT_EQ(KOKKOS_IMPL_GPU_VENDOR(HostUnregister)(host.data()), Runtime::success);
  }
}

// ---- tools ----------------------------------------------------------------------------------------------------------

std::atomic<int> ends{0};

TEST(PageableCopies, FenceInAToolsEndCallbackIsRefusedWithTheReason) {
  KOKKOS_TEST_SKIP_UNLESS_STREAMS_WAIT_FOR_WORDS();
  Kokkos::Testing::Deadline const deadline("the end of a copy has not been reported", 200);
  Session session("async");
  Kokkos::Tools::Experimental::set_end_deep_copy_callback([] {
    Kokkos::fence("by a tool");
    GPU().fence("by a tool");
    ++ends;
  });
  Kokkos::Impl::set_tool_requires_fencing(false);
  testing::internal::CaptureStderr();
  constexpr std::size_t n = 2 << 20;
  Device device("device", n), other("other", n);
  Host host("host", n);
  Kokkos::View<int*, Kokkos::SharedHostPinnedSpace> pinned("pinned", n);
  Kokkos::deep_copy(session.instance(), device, host);
  Kokkos::deep_copy(session.instance(), other, device);
  Kokkos::deep_copy(session.instance(), pinned, device);
  Kokkos::deep_copy(session.instance(), host, device);
  session.instance().fence();
  while (ends < 4) std::this_thread::yield();
  Kokkos::Tools::Experimental::set_end_deep_copy_callback(nullptr);
  Kokkos::Impl::set_tool_requires_fencing(true);
  std::string const message = testing::internal::GetCapturedStderr();
  EXPECT_NE(message.find("fenced in its callback for the end of an asynchronous deep_copy"), std::string::npos)
      << message;
  EXPECT_EQ(message.find("fenced in its callback"), message.rfind("fenced in its callback")) << "once";
}

// ---- a pattern until the data has arrived ---------------------------------------------------------------------------------

constexpr int pattern = static_cast<int>(0xCBCBCBCBu);  // docs/copies.md

void expect_pattern(char const* check, int expected) {
  ::setenv("KOKKOS_COPY_CHECK", check, 1);
  Session session("async");
  using Left  = Kokkos::View<int**, Kokkos::LayoutLeft, GPU::memory_space>;
  using Right = Kokkos::View<int**, Kokkos::LayoutRight, Kokkos::HostSpace>;
  for (std::size_t n : sizes) {
    SCOPED_TRACE(n);
    Device const device = filled(n, 7);
    Left const left("left", n / 2, 2);
    Host const host("host", n);
    Right const right("right", n / 2, 2);
    Kokkos::deep_copy(left, 7);
    Kokkos::deep_copy(host, 1);
    Kokkos::deep_copy(right, 1);
    Kokkos::fence();
    Gate gate;
    gate.close(session.stream());
    Kokkos::deep_copy(session.instance(), host, device);
    Kokkos::deep_copy(session.instance(), right, left);
    EXPECT_TRUE(all_equal(host.data(), n, expected)) << host(0);
    EXPECT_TRUE(all_equal(right.data(), n, expected)) << right(0, 0);
    gate.open();
    session.instance().fence();
    EXPECT_TRUE(all_equal(host.data(), n, 7));
    EXPECT_TRUE(all_equal(right.data(), n, 7));
  }
}
TEST(PageableCopies, ADestinationHoldsAPatternWhereThatIsAskedFor) {
  KOKKOS_TEST_SKIP_UNLESS_STREAMS_WAIT_FOR_WORDS();
  expect_pattern("1", pattern);
}
TEST(PageableCopies, ADestinationHoldsNoPatternByDefault) {
  KOKKOS_TEST_SKIP_UNLESS_STREAMS_WAIT_FOR_WORDS();
  expect_pattern("0", 1);
}

// Earlier work of the stream that reads or writes the destination on the host sees no pattern. A copy that is refused
// leaves the pattern.
#ifdef KOKKOS_IMPL_GPU_MODEL
constexpr bool can_refuse = true;
#else
constexpr bool can_refuse = false;
#endif
TEST(PageableCopies, ThePatternIsWrittenInTheOrderOfTheStream) {
  KOKKOS_TEST_SKIP_UNLESS_STREAMS_WAIT_FOR_WORDS();
  Kokkos::Testing::Deadline const deadline("a copy that is refused has not reached the runtime", 200);
  ::setenv("KOKKOS_COPY_CHECK", "1", 1);
  Session session("async");
  for (std::size_t n : sizes) {
    SCOPED_TRACE(n);
    Device const device = filled(n, 7), between = filled(n, 0);
    Kokkos::View<int*, Kokkos::SharedHostPinnedSpace> const pinned("pinned", n);
    Host const host("host", n);
    Kokkos::deep_copy(pinned, 5);
    Kokkos::fence();
    for (bool const refused : {false, can_refuse}) {
      Gate gate;
      gate.close(session.stream());
      Kokkos::deep_copy(session.instance(), host, pinned);
      Kokkos::deep_copy(session.instance(), between, host);
      auto const copy = [&] { Kokkos::deep_copy(session.instance(), host, device); };
      if (!refused) {
        copy();
        gate.open();
      } else {
#ifdef KOKKOS_IMPL_GPU_MODEL
        const std::size_t copies = hip_model::call_count("hipMemcpyAsync");
        hip_model::fail_call("hipMemcpyAsync", 1, static_cast<int>(hipErrorUnknown));
        std::thread copying([&] { EXPECT_NE(Kokkos::Testing::thrown_message(copy), ""); });
        // The call that is refused waits for the stream.
        while (hip_model::call_count("hipMemcpyAsync") == copies) std::this_thread::yield();
        gate.open();
        copying.join();
        hip_model::clear_faults();
#endif
      }
      session.instance().fence();
      EXPECT_TRUE(all_equal(host.data(), n, refused ? pattern : 7)) << host(0);
      std::vector<int> found(n);
      Kokkos::deep_copy(Unmanaged(found.data(), n), between);
      EXPECT_TRUE(all_equal(found.data(), n, 5)) << found[0];
    }
  }
}

// ---- no staging buffer ----------------------------------------------------------------------------------------------

#ifdef KOKKOS_IMPL_GPU_MODEL
// One warning and print_configuration state the reason. The runtime makes the copies, those of later calls, too.
void expect_copies_without_staging_buffer(std::vector<char const*> const& refused, std::string const& reason) {
  ::setenv("KOKKOS_PAGEABLE_COPY", "async", 1);
  Kokkos::ScopeGuard guard;
  const GPU instance = Kokkos::partition_space(GPU(), 1)[0];
  for (std::size_t n : {std::size_t(1) << 20, std::size_t(3) << 20}) {
    Device device("device", n);
    Host host("host", n), back("back", n);
    Kokkos::deep_copy(host, 7);
    Kokkos::fence();
    bool const is_first = n == std::size_t(1) << 20;
    if (is_first)
      for (char const* call : refused) hip_model::fail_call(call, 1, static_cast<int>(hipErrorOutOfMemory));
    testing::internal::CaptureStderr();
    for (int round = 0; round < 2; ++round) {
      Kokkos::deep_copy(instance, device, host);
      Kokkos::deep_copy(instance, back, device);
      instance.fence();
    }
    hip_model::clear_faults();
    std::string const warning = testing::internal::GetCapturedStderr();
    EXPECT_TRUE(all_equal(back.data(), n, 7));
    if (is_first)
      Kokkos::Testing::expect_all(warning,
                                  {"Copies between pageable memory and device 0 use the runtime's own copies", reason});
    auto const at = warning.find("Copies between");
    EXPECT_EQ(at, is_first ? warning.rfind("Copies between") : std::string::npos) << warning;
    std::ostringstream text;
    GPU().print_configuration(text, true);
    Kokkos::Testing::expect_all(text.str(),
                                {"none: ", reason, " so far), ", " stay idle, and ", " for longer than a second\n"});
  }
}
TEST(PageableCopies, WithoutPinnedMemoryTheReasonIsStated) {
  expect_copies_without_staging_buffer({"hipHostRegister", "hipHostMalloc"}, "bytes of pinned host memory");
}
TEST(PageableCopies, WithoutAStreamToTryTheReasonIsStated) {
  expect_copies_without_staging_buffer({"hipStreamCreateWithFlags"}, "hipStreamCreateWithFlags");
}
TEST(PageableCopies, WithoutStreamsThatWriteWordsTheReasonIsStated) {
  expect_copies_without_staging_buffer({"hipStreamWriteValue32"}, "cannot wait for words in pinned memory");
}
TEST(PageableCopies, WithoutStreamsThatWaitForWordsTheReasonIsStated) {
  expect_copies_without_staging_buffer({"hipStreamWaitValue32"}, "cannot wait for words in pinned memory");
}

// ---- a copy of many pieces ------------------------------------------------------------------------------------------

// Of more than 96 pieces of 12 MiB, one kernel makes the steps. Without it the copy has no step that ends.
TEST(PageableCopies, ALongCopyWhoseKernelIsRefusedIsReported) {
  KOKKOS_TEST_SKIP_UNLESS_STREAMS_WAIT_FOR_WORDS();
  Kokkos::Testing::Deadline const deadline("a copy whose kernel was refused has not ended", 200);
  Session session("async");
  using Bytes         = Kokkos::View<char*, Kokkos::HostSpace>;
  std::size_t const n = std::size_t(1200) << 20;
  Kokkos::View<char*, GPU::memory_space> const device(Kokkos::view_alloc("device", Kokkos::WithoutInitializing), n);
  Bytes const host(Kokkos::view_alloc("host", Kokkos::WithoutInitializing), n);
  host(n - 1) = 7;
  Kokkos::fence();
  std::size_t const launches = hip_model::call_count("hipLaunchKernel");
  hip_model::fail_call("hipLaunchKernel", 1, static_cast<int>(hipErrorOutOfMemory));
  std::string const message =
      Kokkos::Testing::thrown_message([&] { Kokkos::deep_copy(session.instance(), device, host); });
  hip_model::clear_faults();
  EXPECT_EQ(hip_model::call_count("hipLaunchKernel"), launches + 1) << "the copy has no kernel";
  Kokkos::Testing::expect_all(
      message, {"Kokkos::deep_copy of \"host\" to \"device\"", "hipLaunchKernel", "hipErrorOutOfMemory"});
  session.instance().fence();
  // The same slabs serve the next copy. On the model a kernel takes seconds for a long one.
  std::size_t const next = Kokkos::Testing::is_thorough() ? n : n / 64;
  auto const part        = Kokkos::pair<std::size_t, std::size_t>(n - next, n);
  Kokkos::deep_copy(session.instance(), Kokkos::subview(device, part), Kokkos::subview(host, part));
  session.instance().fence();
  host(n - 1) = 0;
  Kokkos::deep_copy(session.instance(), Kokkos::subview(host, part), Kokkos::subview(device, part));
  session.instance().fence();
  EXPECT_EQ(host(n - 1), 7);
}
#endif

// ---- exit, fork and binding ----------------------------------------------------------------------------------------

#ifdef __linux__
// Static memory that is destroyed while a copy from it is in progress.
struct Goes {
  std::vector<int> memory;
  ~Goes() { std::vector<int>().swap(memory); }
};
Goes& static_source() {
  static Goes source{std::vector<int>(size_t(64) << 20, 3)};
  return source;
}

void exit_during_a_copy() {
  auto& source = static_source().memory;
  setenv("KOKKOS_PAGEABLE_COPY", "async", 1);
  unsetenv("HIP_MODEL_STRICT_EXIT");  // nothing is freed
  Kokkos::initialize();
  auto* instance = new GPU;
  auto* device   = new Device("device", source.size());
  Kokkos::deep_copy(*instance, *device, Unmanaged(source.data(), source.size()));
  std::exit(3);
}
TEST(PageableCopiesDeathTest, ACopyEndsWhenTheProgramExits) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(exit_during_a_copy(), testing::ExitedWithCode(3), "");
}

// The child has neither the threads nor the pinned memory: it ends without them.
TEST(PageableCopies, AChildProcessMayFinalize) {
  KOKKOS_TEST_SKIP_UNLESS_STREAMS_WAIT_FOR_WORDS();
#ifndef KOKKOS_IMPL_GPU_MODEL
  GTEST_SKIP() << "CUDA cannot be used in a child process that was forked off after its initialization.";
#endif
  auto session = std::make_unique<Session>("async");
  {
    Device device("device", 2 << 20);
    Host host("host", 2 << 20);
    Kokkos::deep_copy(session->instance(), device, host);
    session->instance().fence();
  }
  pid_t const child = fork();
  if (child == 0) {
    session.reset();
    _exit(0);
  }
  int status = -1;
  for (int i = 0; i < 10000 && waitpid(child, &status, WNOHANG) == 0; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_EQ(status, 0);
  if (status == -1) kill(child, SIGKILL);
}

TEST(PageableCopies, WithOneCoreTheReasonSaysSo) {
  cpu_set_t all, one;
  ASSERT_EQ(sched_getaffinity(0, sizeof all, &all), 0);
  CPU_ZERO(&one);
  for (int core = 0; CPU_COUNT(&one) == 0; ++core)
    if (CPU_ISSET(core, &all)) CPU_SET(core, &one);
  ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
  unsetenv("KOKKOS_STAGING_THREADS");
  Session session("async");
  std::ostringstream text;
  GPU().print_configuration(text, true);
  EXPECT_NE(text.str().find("none: the process may use 1 core"), std::string::npos) << text.str();
  EXPECT_EQ(text.str().find("1 cores"), std::string::npos) << text.str();
}

// OpenMP binds the main thread to one core; the staging threads run on all cores that the process may use.
TEST(PageableCopies, StagingThreadsAreNotBoundToTheMainCore) {
  KOKKOS_TEST_SKIP_UNLESS_STREAMS_WAIT_FOR_WORDS();
  cpu_set_t all, one;
  ASSERT_EQ(sched_getaffinity(0, sizeof all, &all), 0);
  if (CPU_COUNT(&all) < 2) GTEST_SKIP() << "This process may use one core.";
  std::atomic<bool> end{false};
  std::thread other([&] {  // a thread of the program's team, on another core
    while (!end) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  });
  CPU_ZERO(&one);
  for (int core = 0; CPU_COUNT(&one) == 0; ++core)
    if (CPU_ISSET(core, &all)) CPU_SET(core, &one);
  ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
  {
    Session session("async");
    std::ostringstream text;
    GPU().print_configuration(text, true);
    EXPECT_NE(text.str().find("2 threads on " + std::to_string(CPU_COUNT(&all)) + " cores"), std::string::npos)
        << text.str();
  }
  end = true;
  other.join();
}
#endif

}  // namespace
