// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Reports of copies with an instance to tools: the begin when they are called, the end when they have ended.

#include "DeviceTest.hpp"

#include <Kokkos_Profiling_Interface.hpp>
#include <impl/tools/Kokkos_ToolsCallbacks.hpp>

#include <atomic>
#include <chrono>
#include <thread>

namespace {

using Kokkos::Testing::Gate;
using Kokkos::Testing::GPU;

std::atomic<int> begun{0}, ended{0};
std::atomic<std::uint64_t> bytes{0};

class CopyReports : public testing::Test {
 protected:
  void SetUp() override {
    KOKKOS_TEST_SKIP_UNLESS_COPIES_RETURN_AT_ONCE();
    begun = ended = 0;
    Kokkos::Tools::Experimental::set_begin_deep_copy_callback([](auto, auto, auto, auto, auto, auto, std::uint64_t n) {
      bytes = n;
      ++begun;
    });
    Kokkos::Tools::Experimental::set_end_deep_copy_callback([] { ++ended; });
  }
  void TearDown() override {
    Kokkos::Impl::set_tool_requires_fencing(true);
    Kokkos::Tools::Experimental::set_begin_deep_copy_callback(nullptr);
    Kokkos::Tools::Experimental::set_end_deep_copy_callback(nullptr);
  }

  /// Behind a closed gate `copy` has begun and not ended; after the gate opens it ends.
  template <class Copy>
  void expect_real_end(const char* what, std::uint64_t size, Copy const& copy) {
    begun = ended = 0;
    Gate gate;
    gate.close(m_instance.impl_instance().stream());
    copy();
    EXPECT_EQ(begun, 1) << what;
    EXPECT_EQ(bytes, size) << what;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    EXPECT_EQ(ended, 0) << what;
    gate.open();
    m_instance.fence();
    // The data has arrived before the end is reported.
    for (int i = 0; i < 10000 && ended == 0; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    EXPECT_EQ(ended, 1) << what;
  }

  GPU m_instance{Kokkos::partition_space(GPU(), 1)[0]};
};

TEST_F(CopyReports, ToolsWithoutFencesAreToldTheRealEnd) {
  constexpr int n = 100000;
  const Kokkos::View<double*, GPU> device("device", n), other("other", n);
  const Kokkos::View<double*, Kokkos::HostSpace> host("host", n), back("back", n);
  const Kokkos::View<double*, Kokkos::SharedHostPinnedSpace> pinned("pinned", n);
  const Kokkos::View<double**, Kokkos::LayoutLeft, GPU> left("left", 300, 50);
  const Kokkos::View<double**, Kokkos::LayoutRight, Kokkos::HostSpace> right("right", 300, 50);
  Kokkos::deep_copy(m_instance, device, host);  // slabs and threads exist afterwards
  Kokkos::deep_copy(m_instance, left, right);
  Kokkos::deep_copy(m_instance, right, left);
  Kokkos::fence();
  Kokkos::Impl::set_tool_requires_fencing(false);
  expect_real_end("to the device", n * 8, [&] { Kokkos::deep_copy(m_instance, device, host); });
  expect_real_end("to the host", n * 8, [&] { Kokkos::deep_copy(m_instance, back, device); });
  expect_real_end("to pinned memory", n * 8, [&] { Kokkos::deep_copy(m_instance, pinned, device); });
  expect_real_end("on the device", n * 8, [&] { Kokkos::deep_copy(m_instance, other, device); });
  expect_real_end("on the host", n * 8, [&] { Kokkos::deep_copy(m_instance, pinned, host); });
  expect_real_end("a fill", n * 8, [&] { Kokkos::deep_copy(m_instance, other, 2.5); });
  expect_real_end("transposed, to the device", 300 * 50 * 8, [&] { Kokkos::deep_copy(m_instance, left, right); });
  expect_real_end("transposed, to the host", 300 * 50 * 8, [&] { Kokkos::deep_copy(m_instance, right, left); });
}

TEST_F(CopyReports, ForToolsWithFencesTheCopyIsWaitedFor) {
  constexpr int n = 100000;
  const Kokkos::View<double*, GPU> device("device", n);
  const Kokkos::View<double*, Kokkos::HostSpace> host("host", n);
  Kokkos::deep_copy(device, 3.5);
  begun = ended = 0;
  Kokkos::deep_copy(m_instance, host, device);
  EXPECT_EQ(begun, 1);
  EXPECT_EQ(ended, 1);
  EXPECT_EQ(host(n - 1), 3.5);
}

}  // namespace
