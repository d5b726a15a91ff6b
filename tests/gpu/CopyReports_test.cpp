// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Reports of copies with an instance to tools: the begin when they are called, the end when they have ended.

#include "DeviceTest.hpp"

#include <Kokkos_Profiling_Interface.hpp>
#include <impl/tools/Kokkos_ToolsCallbacks.hpp>

#include <atomic>
#include <chrono>
#include <functional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace {

using Kokkos::Testing::Gate;
using Kokkos::Testing::GPU;

std::atomic<int> begun{0}, ended{0};
std::atomic<std::uint64_t> bytes{0};

class Reports : public testing::Test {
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
};

class CopyReports : public Reports {
 protected:
  /// Behind a closed gate `copy` has begun and not ended; after the gate opens it ends.
  template <class Copy>
  void expect_real_end(char const* what, std::uint64_t size, Copy const& copy) {
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
    for (int i = 0; i < 60000 && ended == 0; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    EXPECT_EQ(ended, 1) << what;
  }

  GPU m_instance{Kokkos::partition_space(GPU(), 1)[0]};
};

TEST_F(CopyReports, ToolsWithoutFencesAreToldTheRealEnd) {
  constexpr int n = 100000;
  Kokkos::View<double*, GPU> const device("device", n), other("other", n);
  Kokkos::View<double*, Kokkos::HostSpace> const host("host", n), back("back", n);
  Kokkos::View<double*, Kokkos::SharedHostPinnedSpace> const pinned("pinned", n);
  Kokkos::View<double**, Kokkos::LayoutLeft, GPU> const left("left", 300, 50);
  Kokkos::View<double**, Kokkos::LayoutRight, Kokkos::HostSpace> const right("right", 300, 50);
  Kokkos::deep_copy(m_instance, device, host);  // slabs and threads exist afterwards
  Kokkos::deep_copy(m_instance, left, right);
  Kokkos::deep_copy(m_instance, right, left);
  Kokkos::fence();
  Kokkos::Impl::set_tool_requires_fencing(false);
  expect_real_end("to the device", n * 8, [&] { Kokkos::deep_copy(m_instance, device, host); });
  auto const few = std::make_pair(0, 100);
  expect_real_end("few, to the device", 800,
                  [&] { Kokkos::deep_copy(m_instance, Kokkos::subview(device, few), Kokkos::subview(host, few)); });
  expect_real_end("few, to the host", 800,
                  [&] { Kokkos::deep_copy(m_instance, Kokkos::subview(back, few), Kokkos::subview(device, few)); });
  expect_real_end("to the host", n * 8, [&] { Kokkos::deep_copy(m_instance, back, device); });
  expect_real_end("to pinned memory", n * 8, [&] { Kokkos::deep_copy(m_instance, pinned, device); });
  expect_real_end("on the device", n * 8, [&] { Kokkos::deep_copy(m_instance, other, device); });
  expect_real_end("on the host", n * 8, [&] { Kokkos::deep_copy(m_instance, pinned, host); });
  expect_real_end("a fill", n * 8, [&] { Kokkos::deep_copy(m_instance, other, 2.5); });
  expect_real_end("transposed, to the device", 300 * 50 * 8, [&] { Kokkos::deep_copy(m_instance, left, right); });
  expect_real_end("transposed, to the host", 300 * 50 * 8, [&] { Kokkos::deep_copy(m_instance, right, left); });
}

Kokkos::complex<double> const* last_element = nullptr;
std::atomic<bool> has_arrived{false};

// Such a copy goes through a buffer, part by part.
TEST_F(CopyReports, TheEndOfACopyByPartsIsThatOfTheLastPart) {
  using Element   = Kokkos::complex<double>;
  constexpr int n = 1480;  // 33 MiB, one MiB more than the buffer
  Kokkos::View<Element**, Kokkos::LayoutLeft, GPU> const left("left", n, n);
  Kokkos::View<Element**, Kokkos::LayoutRight, Kokkos::HostSpace> const right("right", n, n);
  Kokkos::deep_copy(left, Element(3, 4));
  Kokkos::fence();
  last_element = &right(n - 1, n - 1);
  Kokkos::Tools::Experimental::set_end_deep_copy_callback([] {
    has_arrived = last_element->imag() == 4;
    ++ended;
  });
  Kokkos::Impl::set_tool_requires_fencing(false);
  begun = ended = 0;
  Kokkos::deep_copy(m_instance, right, left);
  m_instance.fence();
  for (int i = 0; i < 60000 && ended == 0; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_EQ(begun, 1);
  EXPECT_EQ(ended, 1);
  EXPECT_TRUE(has_arrived);
}

std::vector<std::string>& fences() {
  static std::vector<std::string> labels;
  return labels;
}

/// The labels of the fences that `action` reports to a tool.
std::vector<std::string> fences_of(std::function<void()> const& action) {
  fences().clear();
  Kokkos::Tools::Experimental::set_begin_fence_callback(
      [](char const* label, std::uint32_t, std::uint64_t*) { fences().push_back(label); });
  action();
  Kokkos::Tools::Experimental::set_begin_fence_callback(nullptr);
  return fences();
}

/// One kind of copy, with an instance or without.
struct Reported {
  char const* what;
  std::uint64_t size;
  std::function<void()> copy;
  std::function<void(GPU const&)> copy_in;
};

// Each route reports one copy. Copies without an instance report their fences, also those that combine the fence and
// the copy, as few bytes do while there is only the default instance.
TEST_F(Reports, EveryRouteReportsOnceWhatItDoes) {
  using Device = Kokkos::View<double*, GPU>;
  using Host   = Kokkos::View<double*, Kokkos::HostSpace>;
  Device const small("small", 10), large("large", 100000), other("other", 10);
  Host const small_host("small_host", 10), large_host("large_host", 100000);
  Kokkos::View<double**, Kokkos::LayoutLeft, GPU> const left("left", 300, 50);
  Kokkos::View<double**, Kokkos::LayoutRight, Kokkos::HostSpace> const right("right", 300, 50);
  auto const element = Kokkos::subview(small, 3);
  double value       = 0;
  Kokkos::fence();
  Kokkos::Impl::set_tool_requires_fencing(false);
  std::vector<std::string> const none;
  auto const one_of_each_space = fences_of([] { Kokkos::fence("Kokkos::deep_copy: fence before the copy"); });
  EXPECT_FALSE(one_of_each_space.empty());
  auto const row = [](char const* what, std::uint64_t size, auto const& dst, auto const& src) {
    return Reported{what, size, [=] { Kokkos::deep_copy(dst, src); },
                    [=](GPU const& instance) { Kokkos::deep_copy(instance, dst, src); }};
  };
  Reported const rows[] = {
      {"a value", 8, [&] { Kokkos::deep_copy(value, element); },
       [&](GPU const& instance) { Kokkos::deep_copy(instance, value, element); }},
      row("few bytes to the host", 80, small_host, small),
      row("few bytes to the device", 80, small, small_host),
      row("to the host", 800000, large_host, large),
      row("to the device", 800000, large, large_host),
      row("transposed", 300 * 50 * 8, right, left),
      row("on the device", 80, other, small),
      row("a fill", 80, small, 1.5),
  };
  auto const expect_reports = [&](Reported const& what, auto const& copy, std::vector<std::string> const& labels) {
    SCOPED_TRACE(what.what);
    begun = ended = 0;
    bytes         = 0;
    EXPECT_EQ(fences_of(copy), labels);
    EXPECT_EQ(begun, 1);
    EXPECT_EQ(bytes, what.size);
    Kokkos::fence();
    for (int i = 0; i < 60000 && ended == 0; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    EXPECT_EQ(ended, 1);
  };
  for (auto const& what : rows) expect_reports(what, what.copy, one_of_each_space);
  const GPU instance = Kokkos::partition_space(GPU(), 1)[0];
  for (auto const& what : rows) {
    expect_reports(what, what.copy, one_of_each_space);
    expect_reports(what, [&] { what.copy_in(instance); }, none);
  }
}

TEST_F(CopyReports, ForToolsWithFencesTheCopyIsWaitedFor) {
  constexpr int n = 100000;
  Kokkos::View<double*, GPU> const device("device", n);
  Kokkos::View<double*, Kokkos::HostSpace> const host("host", n);
  Kokkos::deep_copy(device, 3.5);
  begun = ended = 0;
  Kokkos::deep_copy(m_instance, host, device);
  EXPECT_EQ(begun, 1);
  EXPECT_EQ(ended, 1);
  EXPECT_EQ(host(n - 1), 3.5);
}

}  // namespace
