// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reported: github.com/kokkos/kokkos/issues/8099 (and 532). A program enqueued rounds of host-to-device copy, kernel
// and device-to-host copy on the instances of partition_space, so that they would overlap. deep_copy(instance, host,
// device) blocked the host until the copy had ended, because the host's memory was pageable, so the rounds ran one
// after another.
//
// Here an instance is blocked, with copies of pageable memory behind the gate. The calls nevertheless return, rounds on
// other instances end, and each value is correct after the gate was opened. It would fail again if a copy with an
// instance waited for that instance, or for another one.
#include "../gpu/DeviceTest.hpp"

#include <chrono>
#include <future>
#include <vector>

namespace {

using Kokkos::Testing::GPU;
using Device = Kokkos::View<double*, GPU>;
using Host   = Kokkos::View<double*, Kokkos::HostSpace>;

constexpr auto long_enough = std::chrono::seconds(30);
constexpr int large        = 300000;  // takes several pieces

Host numbers(int n, double first) {
  Host view(Kokkos::view_alloc("numbers", Kokkos::WithoutInitializing), static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) view(i) = first + i;
  return view;
}
int count_other(Host const& view, double first) {
  int wrong = 0;
  for (std::size_t i = 0; i < view.extent(0); ++i) wrong += view(i) != first + static_cast<double>(i);
  return wrong;
}

struct AddOne {
  Device view;
  KOKKOS_FUNCTION void operator()(int i) const { view(i) += 1; }
};

/// One round of the report.
void round(GPU const& instance, Host const& to, Device const& device, Host const& from) {
  Kokkos::deep_copy(instance, device, from);
  Kokkos::parallel_for("round", Kokkos::RangePolicy<GPU>(instance, 0, static_cast<int>(device.extent(0))),
                       AddOne{device});
  Kokkos::deep_copy(instance, to, device);
}

bool is_busy(GPU const& instance) {
  return Kokkos::Testing::Runtime::stream_query(instance.impl_instance().stream()) ==
         Kokkos::Testing::Runtime::not_ready;
}

/// A first round on each instance: afterwards kernels are loaded, and slabs and threads exist.
std::vector<GPU> ready_instances(int n) {
  std::vector<GPU> instances = Kokkos::partition_space(GPU(), std::vector<int>(static_cast<std::size_t>(n), 1));
  for (auto const& instance : instances) {
    Device const device("device", large);
    Host const host = numbers(large, 0), back("back", large);
    round(instance, back, device, host);
    instance.fence();
  }
  return instances;
}

TEST(kokkos_8099, ARoundReturnsWhileItsInstanceIsHeldBack) {
  KOKKOS_TEST_SKIP_UNLESS_COPIES_RETURN_AT_ONCE();
  auto const instances = ready_instances(1);
  GPU const& instance  = instances[0];
  for (int n : {1, 1000, large}) {
    Device const device("device", static_cast<std::size_t>(n));
    Host const from = numbers(n, 5), to("to", static_cast<std::size_t>(n));
    Kokkos::fence();
    Kokkos::Testing::Gate gate;
    gate.close(instance.impl_instance().stream());
    auto rounds         = std::async(std::launch::async, [&] {
      for (int k = 0; k < 3; ++k) round(instance, to, device, k == 0 ? from : to);
    });
    bool const returned = rounds.wait_for(long_enough) == std::future_status::ready;
    bool const held     = is_busy(instance);
    int const untouched = count_other(from, 5);
    gate.open();
    ASSERT_TRUE(returned) << "a copy of " << n << " elements held up the host";
    EXPECT_TRUE(held) << "the gate did not hold, so this test has shown nothing";
    rounds.get();
    instance.fence();
    EXPECT_EQ(untouched, 0);
    EXPECT_EQ(count_other(to, 8), 0) << n << " elements";
  }
}

TEST(kokkos_8099, RoundsOfOtherInstancesEndWhileOneIsHeldBack) {
  KOKKOS_TEST_SKIP_IF_STREAMS_SHARE_QUEUES();
  KOKKOS_TEST_SKIP_UNLESS_COPIES_RETURN_AT_ONCE();
  auto const instances = ready_instances(3);
  std::vector<Device> devices;
  std::vector<Host> from, to;
  for (int i = 0; i < 3; ++i) {
    devices.emplace_back("device", large);
    from.push_back(numbers(large, 100. * i));
    to.emplace_back("to", large);
  }
  Kokkos::fence();
  Kokkos::Testing::Gate gate;
  gate.close(instances[0].impl_instance().stream());
  auto rounds      = std::async(std::launch::async, [&] {
    for (int k = 0; k < 4; ++k)
      for (std::size_t i = 0; i < 3; ++i) round(instances[i], to[i], devices[i], k == 0 ? from[i] : to[i]);
    instances[1].fence();
    instances[2].fence();
  });
  bool const ended = rounds.wait_for(long_enough) == std::future_status::ready;
  bool const held  = is_busy(instances[0]);
  gate.open();
  EXPECT_TRUE(ended) << "rounds of one instance waited for another instance";
  EXPECT_TRUE(held) << "the gate did not hold, so this test has shown nothing";
  rounds.get();
  Kokkos::fence();
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(count_other(to[i], 100. * static_cast<double>(i) + 4), 0);
}

/// Copies of memory that is freed while they are in progress: to `device` and back, twice.
void copy_what_goes(GPU const& instance, Device const& device, Host const& last) {
  Host first = numbers(large, 1);
  Kokkos::deep_copy(instance, device, first);
  first = Host();
  std::vector<Host> others;  // freed memory would be reused, and overwritten
  for (int k = 0; k < 8; ++k) others.push_back(numbers(large, -1));
  Host middle("middle", large);
  Kokkos::deep_copy(instance, middle, device);
  Kokkos::deep_copy(instance, device, middle);
  middle = Host();
  for (int k = 0; k < 8; ++k) others.push_back(numbers(large, -1));
  Kokkos::deep_copy(instance, last, device);
}

// The program has dropped the memory; it must live until the copy has completed.
TEST(kokkos_8099, ViewsMayGoBeforeTheirCopiesAreMade) {
  KOKKOS_TEST_SKIP_UNLESS_COPIES_RETURN_AT_ONCE();
  auto const instances = ready_instances(1);
  GPU const& instance  = instances[0];
  Host const last("last", large);
  Device const device("device", large);
  Kokkos::fence();
  Kokkos::Testing::Gate gate;
  gate.close(instance.impl_instance().stream());
  auto copies         = std::async(std::launch::async, [&] { copy_what_goes(instance, device, last); });
  bool const returned = copies.wait_for(long_enough) == std::future_status::ready;
  gate.open();
  EXPECT_TRUE(returned) << "a copy held up the host";
  copies.get();
  instance.fence();
  EXPECT_EQ(count_other(last, 1), 0);
}

}  // namespace
