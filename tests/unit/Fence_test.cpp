// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Fences on host backends wait for the kernels of the fenced instance that other host threads have launched, and for
/// no others.

#include "HostTest.hpp"

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
