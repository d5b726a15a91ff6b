// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The ring for large functors when all of its slots are in use, and when streams end in any order.

#include "DeviceTest.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace {

using Kokkos::RangePolicy;
using Kokkos::Testing::common_value;
using Kokkos::Testing::Gate;
using Kokkos::Testing::GPU;
using Kokkos::Testing::OwnStream;
using Kokkos::Testing::Runtime;
using Kokkos::Testing::words;
using View  = Kokkos::View<double*, GPU>;
using Large = Kokkos::Testing::AddPayload<View, 5000>;
using Small = Kokkos::Testing::AddPayload<View, 2>;
using Ring  = Kokkos::Impl::FunctorRing<Runtime>;

constexpr int slots = Ring::slot_count;

void add(GPU const& space, Large const& large) {
  Kokkos::parallel_for("large", RangePolicy<GPU>(space, 0, static_cast<int>(large.view.extent(0))), large);
}

/// Waits until `condition` is true, for at most a time that is long on any machine.
template <class Condition>
bool comes_true(Condition const& condition) {
  for (int i = 0; i < 100000 && !condition(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  return condition();
}

/// The value goes to a view, by the member `final`.
template <int Payload>
struct SumToView {
  using value_type = double;
  View sum;
  double payload[Payload] = {};
  KOKKOS_FUNCTION void operator()(int i, double& update) const { update += i; }
  KOKKOS_FUNCTION void final(double const& value) const { sum(0) = value; }
};

// Reductions without a result, with the functor as a parameter and through the ring.
TEST(Ring, ReductionsWithoutAResultDoNotWait) {
  OwnStream stream;
  View const small("small", 1), large("large", 1);
  Kokkos::fence();
  const GPU space(stream.get());
  auto const reduce = [&] {
    Kokkos::parallel_reduce(RangePolicy<GPU>(space, 0, 100), SumToView<1>{small});
    Kokkos::parallel_reduce(RangePolicy<GPU>(space, 0, 5000), SumToView<5000>{large});
  };
  reduce();  // allocates scratch memory
  space.fence();
  Gate gate;
  gate.close_now(space.impl_instance().stream());
  reduce();
  gate.open();
  space.fence();
  EXPECT_EQ(common_value(small), 4950);
  EXPECT_EQ(common_value(large), 12497500);
}

// One stream occupies half of the slots and another, later one the other half. The next launch must wait, and it
// returns as soon as the first stream continues, while the second one is still blocked.
TEST(Ring, WaitsForTheOldestOnly) {
  KOKKOS_TEST_SKIP_IF_STREAMS_SHARE_QUEUES();
  OwnStream first_stream, second_stream, third_stream, fourth_stream;
  View a("a", 10), b("b", 10), c("c", 10), d("d", 10);
  Kokkos::fence();
  Gate first_gate, second_gate;
  const GPU first(first_stream.get()), second(second_stream.get()), third(third_stream.get()),
      fourth(fourth_stream.get());
  Large const to_a(a, 1), to_b(b, 1), to_c(c, 1);
  first_gate.close_now(first.impl_instance().stream());
  for (int i = 0; i < slots / 2; ++i) add(first, to_a);
  second_gate.close(second.impl_instance().stream());
  for (int i = 0; i < slots / 2; ++i) add(second, to_b);
  EXPECT_EQ(Kokkos::Impl::FunctorRings<Runtime>::of(Kokkos::device_id()).slots_in_use(), slots);

  std::atomic<bool> launched{false};
  std::thread waiting([&] {
    add(third, to_c);
    launched = true;
  });
  // Meanwhile, launches that need no slot continue on other instances, and their work completes.
  for (int i = 0; i < 100; ++i) {
    Kokkos::parallel_for("small", RangePolicy<GPU>(fourth, 0, 10), Small(d, 1));
    if (i % 10 == 0) fourth.fence();
  }
  fourth.fence();
  EXPECT_FALSE(launched) << "all slots are in use";

  first_gate.open();
  EXPECT_TRUE(comes_true([&] { return launched.load(); })) << "the oldest slots are free, and no others are needed";
  waiting.join();
  first.fence();
  third.fence();
  second_gate.open();
  second.fence();
  EXPECT_EQ(common_value(a), 2 * (slots / 2));  // each launch adds the value, in its first and in its last element
  EXPECT_EQ(common_value(b), 2 * (slots / 2));
  EXPECT_EQ(common_value(c), 2);
  EXPECT_EQ(common_value(d), 2 * 100);
}

TEST(Ring, CarriesManyTimesItsSlots) {
  View a("a", 10);
  Large large(a, 0);
  double sum = 0;
  for (int i = 0; i < 10 * slots; ++i) {
    large.payload[0]    = i;
    large.payload[4999] = 1;
    sum += i + 1;
    add(GPU(), large);
  }
  Kokkos::fence();
  EXPECT_EQ(common_value(a), sum);
}

struct AddAtomic {
  Large large;
  KOKKOS_FUNCTION void operator()(int k) const {
    Kokkos::atomic_add(&large.view(k), large.payload[0] + large.payload[4999]);
  }
};

/// Creates instances, launches a few large functors on each, and lets the instances end in another order while others
/// have work in flight. Each launch increments `view` once; returns the number of launches.
int end_in_any_order(View const& view, unsigned seed, int rounds) {
  std::minstd_rand random(seed);
  int launches = 0;
  for (int round = 0; round < rounds; ++round) {
    std::vector<GPU> spaces = Kokkos::Experimental::partition_space(GPU(), std::vector<int>(8, 1));
    std::shuffle(spaces.begin(), spaces.end(), random);
    Large const large(view, 0.5);
    for (int i = 0; i < 24; ++i) {
      if (i % 3 == 2 && spaces.size() > 1) spaces.pop_back();  // while its launches are in flight and use the ring
      Kokkos::parallel_for("large", RangePolicy<GPU>(spaces[i % spaces.size()], 0, 10), AddAtomic{large});
      ++launches;
    }
  }
  return launches;
}

TEST(Ring, StreamsEndInAnyOrder) {
  View view("view", 10);
  int const launches = end_in_any_order(view, 1, 20);
  Kokkos::fence();
  EXPECT_EQ(common_value(view), launches);
}

TEST(Ring, StreamsOfEightThreadsEndInAnyOrder) {
  View view("view", 10);
  std::atomic<int> launches{0};
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < 8; ++t) threads.emplace_back([&, t] { launches += end_in_any_order(view, t + 2, 10); });
  for (std::thread& thread : threads) thread.join();
  Kokkos::fence();
  EXPECT_EQ(common_value(view), launches.load());
}

// A fence reports to the ring only the launches that it has waited for. It does not report those that another thread
// launched meanwhile: their slots are still in use.
struct WriteNumber {
  Kokkos::View<int*, GPU> numbers;
  int payload[5000];
  WriteNumber(Kokkos::View<int*, GPU> const& view, int number) : numbers(view) {
    for (int& x : payload) x = number;
  }
  KOKKOS_FUNCTION void operator()(int) const { numbers(payload[0]) = payload[0] + payload[4999]; }
};

TEST(Ring, KeepsWhatIsLaunchedWhileOthersFence) {
  constexpr int launches = 4000;
  const GPU space        = Kokkos::partition_space(GPU(), 1)[0];
  Kokkos::View<int*, GPU> numbers("numbers", launches);
  std::atomic<bool> stop{false};
  std::vector<std::thread> fencing;
  for (int t = 0; t < 2; ++t)
    fencing.emplace_back([&] {
      while (!stop) space.fence();
    });
  for (int i = 0; i < launches; ++i)
    Kokkos::parallel_for("number", RangePolicy<GPU>(space, 0, 1), WriteNumber(numbers, i));
  stop = true;
  for (std::thread& thread : fencing) thread.join();
  space.fence();
  auto const found = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), numbers);
  int wrong        = 0;
  for (int i = 0; i < launches; ++i) wrong += found(i) != 2 * i;
  EXPECT_EQ(wrong, 0);
}

#ifdef KOKKOS_IMPL_GPU_MODEL
struct SendsByAnotherStream : Runtime {
  static constexpr bool uses_transfer_stream = true;
};

// A functor that cannot be waited for is not launched. Its memory is used again at once, so nothing may be on its way there.
TEST(Ring, AFunctorThatIsSentInVainHasArrived) {
  using Sender = Kokkos::Impl::FunctorSender<SendsByAnotherStream>;
  OwnStream stream;
  constexpr std::size_t bytes = 1000;
  Kokkos::View<char*, Kokkos::SharedHostPinnedSpace> const from("from", bytes), to("to", bytes);
  for (std::size_t i = 0; i < bytes; ++i) from(i) = static_cast<char>(i + 1);
  Kokkos::fence();
  Sender sender(Kokkos::device_id());
  Sender::PerSlot slot;
  for (bool const fails : {true, false}) {
    for (std::size_t i = 0; i < bytes; ++i) to(i) = 0;
    hip_model::slow_call("operation", 20000);
    if (fails) hip_model::fail_call("hipStreamWaitEvent", 1, static_cast<int>(hipErrorUnknown));
    std::string const message =
        Kokkos::Testing::thrown_message([&] { sender.send(slot, to.data(), from.data(), bytes, stream.get()); });
    EXPECT_EQ(message.empty(), !fails) << message;
    if (!fails) {
      EXPECT_EQ(words(Runtime::stream_synchronize(stream.get())), words(Runtime::success));
    }
    EXPECT_EQ(std::memcmp(to.data(), from.data(), bytes), 0) << "the functor is still on its way";
    hip_model::clear_faults();
  }
}

// A launch without memory for its functor reports that, and the ring works for the next one.
TEST(Ring, GoesOnWhenThereIsNoMemory) {
  using Larger = Kokkos::Testing::AddPayload<View, 70000>;  // of a size for which no slot is large enough yet
  for (char const* function : {"hipMalloc", "hipHostMalloc", "hipMemcpyAsync", "hipEventCreateWithFlags"}) {
    View view("view", 10);
    Kokkos::fence();
    auto larger       = std::make_unique<Larger>(view, 1);
    auto const launch = [&] { Kokkos::parallel_for("larger", RangePolicy<GPU>(0, 10), *larger); };
    for (unsigned nth = 1; nth <= 2; ++nth) {
      hip_model::fail_call(function, 1, static_cast<int>(hipErrorOutOfMemory));
      (void)Kokkos::Testing::thrown_message(launch);
      hip_model::clear_faults();
      Kokkos::fence();
    }
    Kokkos::deep_copy(view, 0.0);
    for (int i = 0; i < slots; ++i) launch();
    Kokkos::fence();
    EXPECT_EQ(common_value(view), 2 * slots) << function;
  }
}
#endif

}  // namespace
