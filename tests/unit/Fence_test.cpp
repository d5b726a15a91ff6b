// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Fences on host backends wait for the kernels of the fenced instance that other host threads have launched, and for
/// no others.

#include "HostTest.hpp"

#include <impl/Host/Kokkos_Host_ThreadTeam.hpp>

#include <algorithm>
#include <atomic>
#include <functional>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

namespace {

using Kokkos::Testing::eventually;
using Kokkos::Testing::run_once;
using Kokkos::Testing::wait_a_little;

template <class Space>
class FenceTest : public ::testing::Test {};
TYPED_TEST_SUITE(FenceTest, Kokkos::Testing::HostSpaces, Kokkos::Testing::SpaceName);

/// A kernel on a separate thread, which has begun and runs until it is released.
template <class Space>
class OpenKernel {
 public:
  explicit OpenKernel(Space const& space)
      : m_thread([this, space] {
          run_once(space, [this] {
            m_running = true;
            EXPECT_TRUE(eventually([this] { return m_end.load(); }));
            m_ended = true;
          });
        }) {
    EXPECT_TRUE(eventually([this] { return m_running.load(); }));
  }
  ~OpenKernel() {
    end();
    m_thread.join();
  }
  void end() { m_end = true; }
  bool ended() const { return m_ended; }

 private:
  std::atomic<bool> m_running{false}, m_end{false}, m_ended{false};
  std::thread m_thread;
};

template <class Space, class Fence>
void check_that_fence_waits(Space const& space, Fence const& fence) {
  OpenKernel<Space> kernel(space);
  std::atomic<bool> passed{false}, too_early{false};
  std::thread waiting([&] {
    fence();
    if (!kernel.ended()) too_early = true;
    passed = true;
  });
  wait_a_little();
  EXPECT_FALSE(passed);
  kernel.end();
  waiting.join();
  EXPECT_TRUE(passed);
  EXPECT_FALSE(too_early);
}

TYPED_TEST(FenceTest, OfTheInstance) {
  TypeParam space{Kokkos::NewInstance()};
  check_that_fence_waits(space, [space] { space.fence(); });
  check_that_fence_waits(TypeParam(), [] { TypeParam().fence("FenceTest"); });
}

TYPED_TEST(FenceTest, OfAllInstances) {
  TypeParam space{Kokkos::NewInstance()};
  check_that_fence_waits(space, [] { Kokkos::fence(); });
  check_that_fence_waits(space, [] { TypeParam::impl_static_fence("FenceTest"); });
  check_that_fence_waits(TypeParam(), [] { Kokkos::fence("FenceTest"); });
}

TYPED_TEST(FenceTest, DoesNotWaitForOtherInstances) {
  TypeParam busy{Kokkos::NewInstance()}, idle{Kokkos::NewInstance()};
  OpenKernel<TypeParam> kernel(busy);
  idle.fence();
  TypeParam().fence();
  EXPECT_FALSE(kernel.ended());
}

TYPED_TEST(FenceTest, MakesResultsVisible) {
  TypeParam space{Kokkos::NewInstance()};
  int result = 0;  // deliberately not atomic: the thread sanitizer checks the fence
  std::atomic<bool> begun{false};
  std::thread launching([&, space] {
    run_once(space, [&] {
      begun  = true;
      result = 42;
    });
  });
  EXPECT_TRUE(eventually([&] { return begun.load(); }));
  space.fence();
  EXPECT_EQ(result, 42);
  launching.join();
}

// Calls without an instance wait for all instances, whatever memory they use.
TYPED_TEST(FenceTest, BeforeFillsCopiesAndResizes) {
  TypeParam const space{Kokkos::NewInstance()};
  Kokkos::View<int*, Kokkos::HostSpace> view("view", 10), other("other", 10);
  Kokkos::View<int, Kokkos::HostSpace> scalar("scalar");
  int value = 0;
  check_that_fence_waits(space, [&] { Kokkos::deep_copy(view, 1); });
  check_that_fence_waits(space, [&] { Kokkos::deep_copy(view, other); });
  check_that_fence_waits(space, [&] { Kokkos::deep_copy(value, scalar); });
  check_that_fence_waits(space, [&] { Kokkos::resize(view, 20); });
  EXPECT_EQ(view.extent(0), 20u);
}

/// Views construct elements of this type by a loop; zero bytes would not do.
struct Seven {
  int value = 7;
  Seven() noexcept {}
};
struct MayThrow {
  int value = 7;
  MayThrow() {}
};

struct Ends {
  int value = 7;
  ~Ends() { value = 0; }
};

/// All work that a program can give to an instance.
template <class Space>
std::vector<std::pair<char const*, std::function<void()>>> operations_in(Space const& space) {
  using Kokkos::view_alloc;
  using View  = Kokkos::View<int*, Kokkos::HostSpace>;
  using Tiles = Kokkos::MDRangePolicy<Space, Kokkos::Rank<2>>;
  using Teams = Kokkos::TeamPolicy<Space>;
  using Team  = typename Teams::member_type;
  Kokkos::RangePolicy<Space> const range(space, 0, 100);
  View const view("view", 100000), other("other", 100000);
  auto const sum = std::make_shared<Kokkos::View<int, Kokkos::HostSpace>>("sum");
  return {
      {"for", [=] { Kokkos::parallel_for(range, [](int) {}); }},
      {"for over tiles", [=] { Kokkos::parallel_for(Tiles(space, {0, 0}, {9, 9}), [](int, int) {}); }},
      {"for over teams", [=] { Kokkos::parallel_for(Teams(space, 9, 1), [](Team const&) {}); }},
      {"reduce", [=] { Kokkos::parallel_reduce(range, [](int, int&) {}, *sum); }},
      {"reduce tiles", [=] { Kokkos::parallel_reduce(Tiles(space, {0, 0}, {9, 9}), [](int, int, int&) {}, *sum); }},
      {"reduce teams", [=] { Kokkos::parallel_reduce(Teams(space, 9, 1), [](Team const&, int&) {}, *sum); }},
      {"reduce no teams", [=] { Kokkos::parallel_reduce(Teams(space, 0, 1), [](Team const&, int&) {}, *sum); }},
      {"scan", [=] { Kokkos::parallel_scan(range, [](int, int&, bool) {}); }},
      {"copy", [=] { Kokkos::deep_copy(space, view, other); }},
      {"fill", [=] { Kokkos::deep_copy(space, view, 1); }},
      {"zeros", [=] { View(view_alloc(space, "zeros"), 1000000); }},
      {"elements", [=] { Kokkos::View<Seven*, Kokkos::HostSpace>(view_alloc(space, "elements"), 100000); }},
      {"elements that may throw",
       [=] { Kokkos::View<MayThrow*, Kokkos::HostSpace>(view_alloc(space, "elements"), 100000); }},
      {"end of elements", [=] { Kokkos::View<Ends*, Kokkos::HostSpace>(view_alloc(space, "elements"), 10); }},
      {"resize",
       [=] {
         View short_one(view_alloc(space, "short"), 10);
         Kokkos::resize(view_alloc(space), short_one, 20);
       }},
      {"threads", [=] { Kokkos::Impl::HostThreadTeam<Space>::run(space, [](int, int) {}); }},
  };
}

// Each operation waits for a kernel of its instance, in which another thread is. None waits for the default instance.
template <class Space>
void check_that_operations_wait(bool for_the_default_instance) {
  Space const space{Kokkos::NewInstance()};
  auto const operations = operations_in(space);
  std::vector<std::atomic<bool>> done(operations.size());
  OpenKernel<Space> kernel(for_the_default_instance ? Space() : space);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < operations.size(); ++i)
    threads.emplace_back([&, i] {
      operations[i].second();
      done[i] = true;
    });
  auto const all_are_done = [&] { return std::all_of(done.begin(), done.end(), [](bool is) { return is; }); };
  if (for_the_default_instance) {
    EXPECT_TRUE(eventually(all_are_done));
    for (std::size_t i = 0; i < operations.size(); ++i) EXPECT_TRUE(done[i]) << operations[i].first;
  } else {
    for (int i = 0; i < 5; ++i) wait_a_little();
    for (std::size_t i = 0; i < operations.size(); ++i) EXPECT_FALSE(done[i]) << operations[i].first;
  }
  EXPECT_FALSE(kernel.ended());
  kernel.end();
  for (std::thread& thread : threads) thread.join();
}

TYPED_TEST(FenceTest, OperationsWaitForAKernelOfTheirInstance) { check_that_operations_wait<TypeParam>(false); }
TYPED_TEST(FenceTest, OperationsWaitForNoOtherInstance) { check_that_operations_wait<TypeParam>(true); }

TYPED_TEST(FenceTest, InstancesMayEndMeanwhile) {
  std::atomic<bool> stop{false};
  std::thread fencing([&] {
    while (!stop) Kokkos::fence();
  });
  for (int i = 0; i < 200; ++i) run_once(TypeParam{Kokkos::NewInstance()}, [] {});
  stop = true;
  fencing.join();
}

// A fence must not revive an instance whose last handle has just been destroyed. Many repetitions, because the moment
// is short.
TYPED_TEST(FenceTest, ManyInstancesOfManyThreadsMayEndMeanwhile) {
  constexpr int making = 3, fences = 100000;
  std::atomic<bool> stop{false};
  Kokkos::Testing::on_threads(making + 1, [&](int thread) {
    if (thread == making) {
      for (int i = 0; i < fences; ++i) Kokkos::fence();
      stop = true;
    } else {
      while (!stop) TypeParam const short_lived{Kokkos::NewInstance()};
    }
  });
}

}  // namespace
