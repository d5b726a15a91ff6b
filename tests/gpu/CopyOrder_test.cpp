// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Copies in the order of an instance whose stream is blocked: later writes to a source must not affect an earlier
/// copy, and the other way round.

#include "DeviceTest.hpp"

#include <chrono>
#include <thread>
#include <vector>

namespace {

using Kokkos::Testing::Gate;
using Kokkos::Testing::GPU;
using Host   = Kokkos::View<int*, Kokkos::HostSpace>;
using Device = Kokkos::View<int*, GPU::memory_space>;

class CopyOrder : public testing::TestWithParam<int> {
 protected:
  GPU m_instance{Kokkos::partition_space(GPU(), 1)[0]};
};

void expect_all_equal(Device const& device, int value) {
  Host found("found", device.extent(0));
  Kokkos::deep_copy(found, device);
  for (std::size_t i = 0; i < found.extent(0); ++i) ASSERT_EQ(found(i), value) << i;
}

// A copy from pinned to pageable memory is a function in the stream; a small copy to the device could read its source
// during the call.
TEST_P(CopyOrder, PinnedToHostThenToDevice) {
  KOKKOS_TEST_SKIP_UNLESS_COPIES_RETURN_AT_ONCE();
  auto const n = static_cast<std::size_t>(GetParam());
  Kokkos::View<int*, Kokkos::SharedHostPinnedSpace> const first("first", n);
  Host second("second", n);
  Device device("device", n);
  Kokkos::deep_copy(first, 7);
  Kokkos::deep_copy(second, 1);
  Gate gate;
  gate.close(m_instance.impl_instance().stream());
  Kokkos::deep_copy(m_instance, second, first);
  Kokkos::deep_copy(m_instance, device, second);
  gate.open();
  m_instance.fence();
  expect_all_equal(device, 7);
}

// A fill of pageable memory in a view of a device's space, on any route.
TEST_P(CopyOrder, FillOfPlainMemoryThenToDevice) {
  KOKKOS_TEST_SKIP_UNLESS_COPIES_RETURN_AT_ONCE();
  auto const n = static_cast<std::size_t>(GetParam());
  std::vector<int> memory(n, 1);
  Kokkos::View<int*, Kokkos::SharedSpace, Kokkos::MemoryUnmanaged> const plain(memory.data(), n);
  Device device("device", n);
  Gate gate;
  gate.close(m_instance.impl_instance().stream());
  Kokkos::deep_copy(m_instance, plain, 7);
  Kokkos::deep_copy(m_instance, device, plain);
  gate.open();
  m_instance.fence();
  expect_all_equal(device, 7);
}

TEST_P(CopyOrder, ToHostAndBack) {
  KOKKOS_TEST_SKIP_UNLESS_COPIES_RETURN_AT_ONCE();
  auto const n = static_cast<std::size_t>(GetParam());
  Host host("host", n);
  Device from("from", n), to("to", n);
  Kokkos::deep_copy(from, 7);
  Gate gate;
  gate.close(m_instance.impl_instance().stream());
  Kokkos::deep_copy(m_instance, host, from);
  Kokkos::deep_copy(m_instance, to, host);
  gate.open();
  m_instance.fence();
  expect_all_equal(to, 7);
}

// Calls without an instance run after the earlier work of every instance.
struct SetOne {
  Device view;
  KOKKOS_FUNCTION void operator()(int i) const { view(i) = 1; }
};

/// Holds back the default stream, in which raw work then sets all bytes of `view` to 1.
class RawWork {
 public:
  explicit RawWork(Device const& view) {
    m_gate.close_now(Kokkos::Testing::Runtime::default_stream());
    EXPECT_EQ(Kokkos::Testing::Runtime::memset_async(view.data(), 1, view.extent(0) * sizeof(int),
                                                     Kokkos::Testing::Runtime::default_stream()),
              Kokkos::Testing::Runtime::success);
    m_opener = std::thread([this] {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      m_gate.open();
    });
  }
  ~RawWork() { m_opener.join(); }

 private:
  Gate m_gate;
  std::thread m_opener;
};

// Such copies do not wait for the default stream before they begin: the device puts them behind its work.
TEST_P(CopyOrder, OnTheDeviceBehindRawWork) {
  auto const n = static_cast<std::size_t>(GetParam());
  Device from("from", n), to("to", n);
  Kokkos::View<long*, GPU::memory_space> const longs("longs", n);
  Kokkos::View<int*, Kokkos::SharedHostPinnedSpace> const pinned("pinned", n);
  constexpr int ones = 0x01010101;
  Kokkos::fence();
  {
    RawWork const work(from);
    Kokkos::deep_copy(to, from);
    expect_all_equal(to, ones);
  }
  Kokkos::deep_copy(from, 0);
  {
    RawWork const work(from);
    Kokkos::deep_copy(pinned, from);
    for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(pinned(i), ones) << i;
  }
  Kokkos::deep_copy(from, 0);
  {
    RawWork const work(from);
    Kokkos::deep_copy(longs, from);
  }
  Kokkos::deep_copy(to, longs);
  expect_all_equal(to, ones);
  {
    RawWork const work(from);
    Kokkos::deep_copy(from, 7);
  }
  expect_all_equal(from, 7);
}

class BehindOtherInstances : public CopyOrder {
 protected:
  BehindOtherInstances() {
    Kokkos::parallel_for(Kokkos::RangePolicy<GPU>(m_instance, 0, 1), SetOne{m_device});  // a kernel is loaded at its
                                                                                         // first launch
    Kokkos::fence();
    m_gate.close(m_instance.impl_instance().stream());
    Kokkos::parallel_for(Kokkos::RangePolicy<GPU>(m_instance, 0, GetParam()), SetOne{m_device});
    m_opener = std::thread([this] {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      m_gate.open();
    });
  }
  ~BehindOtherInstances() override { m_opener.join(); }

  Device m_device{"device", static_cast<std::size_t>(GetParam())};
  Gate m_gate;
  std::thread m_opener;
};

TEST_P(BehindOtherInstances, AFill) {
  Kokkos::deep_copy(m_device, 2);
  Kokkos::fence();
  expect_all_equal(m_device, 2);
}

TEST_P(BehindOtherInstances, AResize) {
  auto const n   = m_device.extent(0);
  Device resized = m_device;
  Kokkos::resize(resized, n + 20);
  Kokkos::fence();
  expect_all_equal(Kokkos::subview(resized, std::pair<std::size_t, std::size_t>(0, n)), 1);
}

// Without another instance, a small copy that waits is combined with the fence before it.
class CopyBehindAll : public testing::TestWithParam<int> {
 protected:
  CopyBehindAll() { m_gate.close(GPU().impl_instance().stream()); }
  ~CopyBehindAll() override { m_opener.join(); }
  void open_soon() {
    m_opener = std::thread([this] {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      m_gate.open();
    });
  }
  static Device sevens(std::size_t n) {
    Device device("sevens", n);
    Kokkos::deep_copy(device, 7);
    return device;
  }

  std::size_t m_n = static_cast<std::size_t>(GetParam());
  Device m_sevens = sevens(m_n), m_device{"device", m_n};
  Host m_host{"host", m_n};
  Gate m_gate;
  std::thread m_opener;
};

TEST_P(CopyBehindAll, ReadsWhatIsWrittenBefore) {
  Kokkos::deep_copy(GPU(), m_device, 7);
  open_soon();
  Kokkos::deep_copy(m_host, m_device);
  for (std::size_t i = 0; i < m_n; ++i) ASSERT_EQ(m_host(i), 7) << i;
}

TEST_P(CopyBehindAll, ReadsTheHostWhenItHasBeenWritten) {
  Kokkos::deep_copy(GPU(), m_host, m_sevens);
  open_soon();
  Kokkos::deep_copy(m_device, m_host);
  expect_all_equal(m_device, 7);
}

TEST_P(CopyBehindAll, ValueIsWhatWasWrittenBefore) {
  auto const last = Kokkos::subview(m_device, m_n - 1);
  Kokkos::deep_copy(GPU(), m_device, 7);
  open_soon();
  int value = 0;
  Kokkos::deep_copy(value, last);
  EXPECT_EQ(value, 7);
}

// Copies many values, among them the value that the watched words contain initially.
TEST_P(CopyBehindAll, ManyOneAfterTheOther) {
  m_gate.open();
  open_soon();
  for (int k = 0; k < 300; ++k) {
    Kokkos::deep_copy(m_host, k);
    Kokkos::deep_copy(m_device, m_host);
    int value = -1;
    Kokkos::deep_copy(value, Kokkos::subview(m_device, m_n / 2));
    ASSERT_EQ(value, k);
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, BehindOtherInstances, testing::Values(100));
INSTANTIATE_TEST_SUITE_P(Sizes, CopyBehindAll, testing::Values(1, 30, 1000, 16384));
INSTANTIATE_TEST_SUITE_P(Sizes, CopyOrder, testing::Values(1, 30, 1000, 1000000));

}  // namespace
