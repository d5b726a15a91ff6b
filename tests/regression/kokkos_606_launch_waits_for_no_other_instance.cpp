// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reported: github.com/kokkos/kokkos/issues/606, 2545 and 8300. A launch of a functor of more than 512 bytes waited
// until the last such kernel had ended, on any stream, because each device had only one constant-memory buffer. Kernels
// of different instances ran one after the other, and the host waited, too.
//
// Here one instance is blocked, with kernels of every size behind the gate. Launches of every size into another
// instance return, and their kernels end, while the first is still blocked. It would fail again if a launch waited for
// anything that belongs to another instance.
#include "../gpu/DeviceTest.hpp"

#include <chrono>
#include <future>

namespace {

using Kokkos::Testing::GPU;
using Kokkos::Testing::Runtime;
using View = Kokkos::View<double*, GPU>;

/// Bytes of payload on either side of upstream's limits, and of this backend's.
template <int Bytes>
void launch(GPU const& instance, View const& view) {
  Kokkos::parallel_for("payload", Kokkos::RangePolicy<GPU>(instance, 0, 8),
                       Kokkos::Testing::AddPayload<View, Bytes / 8>(view, 1.0));
}

void launch_all(GPU const& instance, View const& view) {
  launch<64>(instance, view);
  launch<1024>(instance, view);
  launch<3000>(instance, view);
  launch<8192>(instance, view);
  launch<30000>(instance, view);
  launch<60000>(instance, view);
}
constexpr double all = 6 * 2.0;  // each adds its first and its last word

constexpr auto long_enough = std::chrono::seconds(30);

TEST(kokkos_606, LaunchesReturnWhileAnotherInstanceIsBlocked) {
  KOKKOS_TEST_SKIP_IF_STREAMS_SHARE_QUEUES();
  auto const instances = Kokkos::partition_space(GPU(), 1, 1);
  View const first("first", 8), second("second", 8);
  for (auto const& instance : instances) {  // afterwards kernels are loaded, and slots have memory
    launch_all(instance, first);
    instance.fence("one instance at a time adds to a view");
  }
  Kokkos::deep_copy(first, 0.0);
  Kokkos::fence();

  Kokkos::Testing::Gate gate;
  gate.close(instances[0].impl_instance().stream());
  launch_all(instances[0], first);  // does not wait for the gate, either
  auto other                  = std::async(std::launch::async, [&] {
    launch_all(instances[1], second);
    instances[1].fence("the other instance");
  });
  bool const ended            = other.wait_for(long_enough) == std::future_status::ready;
  bool const first_is_blocked = Runtime::stream_query(instances[0].impl_instance().stream()) == Runtime::not_ready;
  gate.open();
  EXPECT_TRUE(ended) << "a launch, or its fence, waited for the other instance";
  EXPECT_TRUE(first_is_blocked) << "the gate did not hold, so this test has shown nothing";
  other.get();
  Kokkos::fence();
  EXPECT_EQ(Kokkos::Testing::common_value(first), all);
  EXPECT_EQ(Kokkos::Testing::common_value(second), all);
}

// The same from one thread for each instance; the threads share only the device.
TEST(kokkos_606, LaunchesOfOtherThreadsReturnToo) {
  KOKKOS_TEST_SKIP_IF_STREAMS_SHARE_QUEUES();
  constexpr int threads = 4;
  auto const instances  = Kokkos::partition_space(GPU(), std::vector<int>(threads + 1, 1));
  View const blocked("blocked", 8);
  std::vector<View> views;
  for (int t = 0; t < threads; ++t) views.emplace_back("view", 8);
  launch_all(GPU(), blocked);
  Kokkos::deep_copy(blocked, 0.0);
  Kokkos::fence();

  Kokkos::Testing::Gate gate;
  gate.close(instances[threads].impl_instance().stream());
  launch_all(instances[threads], blocked);
  std::vector<std::future<void>> others;
  for (int t = 0; t < threads; ++t) {
    others.push_back(std::async(std::launch::async, [&, t] {
      for (int i = 0; i < 3; ++i) launch_all(instances[t], views[t]);
      instances[t].fence("one of the others");
    }));
  }
  bool ended = true;
  for (auto& other : others) ended = other.wait_for(long_enough) == std::future_status::ready && ended;
  gate.open();
  EXPECT_TRUE(ended) << "a launch, or its fence, waited for the blocked instance";
  for (auto& other : others) other.get();
  Kokkos::fence();
  EXPECT_EQ(Kokkos::Testing::common_value(blocked), all);
  for (View const& view : views) EXPECT_EQ(Kokkos::Testing::common_value(view), 3 * all);
}

}  // namespace
