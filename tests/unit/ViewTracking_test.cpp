// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <TestSpaces.hpp>

#include <atomic>
#include <thread>
#include <utility>
#include <vector>

namespace {

using Kokkos::HostSpace;
using Kokkos::LayoutStride;
using Kokkos::MemoryTraits;
using Kokkos::View;

template <class Space>
class ViewTrackingTest : public ::testing::Test {};
TYPED_TEST_SUITE(ViewTrackingTest, Kokkos::Testing::ExecutionSpaces, Kokkos::Testing::SpaceName);

TYPED_TEST(ViewTrackingTest, EveryCopyCounts) {
  View<int**, TypeParam> a("a", 3, 4);
  EXPECT_EQ(a.use_count(), 1);
  {
    View<int**, TypeParam> b = a;
    EXPECT_EQ(a.use_count(), 2);
    View<int const**, TypeParam> c = b;
    EXPECT_EQ(a.use_count(), 3);
    auto const row = Kokkos::subview(c, 1, Kokkos::ALL);
    EXPECT_EQ(row.use_count(), 4);
    EXPECT_EQ(row.label(), "a");
    View<int*, LayoutStride, TypeParam> const column(b, Kokkos::ALL, 1);
    EXPECT_EQ(a.use_count(), 5);
    auto const& itself = b;
    b                  = itself;
    EXPECT_EQ(a.use_count(), 5);
    b = {};
    EXPECT_EQ(a.use_count(), 4);
    View<int**, TypeParam> d = std::move(a);
    EXPECT_EQ(d.use_count(), 4);
    EXPECT_EQ(a.use_count(), 0);
    a = std::move(d);
    EXPECT_EQ(a.use_count(), 4);
  }
  EXPECT_EQ(a.use_count(), 1);
}

TYPED_TEST(ViewTrackingTest, UnmanagedViewsDoNotCount) {
  View<int*, TypeParam> const a("a", 3);
  View<int*, TypeParam, MemoryTraits<Kokkos::Unmanaged>> const u = a;
  EXPECT_EQ(a.use_count(), 1);
  EXPECT_EQ(u.use_count(), 0);
  // Ownership cannot be regained.
  View<int*, TypeParam> const b = u;
  EXPECT_EQ(b.use_count(), 0);
  EXPECT_EQ(a.use_count(), 1);
  EXPECT_EQ(b.data(), a.data());
}

TEST(ViewTracking, AScopeStopsCounting) {
  View<int*, HostSpace> const a("a", 3);
  View<int*, HostSpace> kept;
  {
    Kokkos::Impl::UntrackedScope const scope;
    View<int*, HostSpace> const b = a;
    EXPECT_FALSE(b.impl_track().is_tracking());
    EXPECT_EQ(b.use_count(), 0);
    EXPECT_EQ(b.label(), "a");
    EXPECT_EQ(a.use_count(), 1);
    kept = b;
    {
      Kokkos::Impl::UntrackedScope const inner;
    }
    EXPECT_FALSE((View<int*, HostSpace>(a).impl_track().is_tracking()));
  }
  // Copies of an untracked copy stay untracked after the scope.
  View<int*, HostSpace> const c = kept;
  EXPECT_FALSE(c.impl_track().is_tracking());
  EXPECT_TRUE((View<int*, HostSpace>(a).impl_track().is_tracking()));
  EXPECT_EQ(a.use_count(), 1);
}

TEST(ViewTracking, AScopeHoldsForItsThread) {
  View<int*, HostSpace> const a("a", 3);
  Kokkos::Impl::UntrackedScope const scope;
  int elsewhere = 0;
  std::thread([&] {
    View<int*, HostSpace> const b = a;
    elsewhere                     = b.use_count();
  }).join();
  EXPECT_EQ(elsewhere, 2);
  EXPECT_EQ(a.use_count(), 1);
}

TEST(ViewTracking, WhatIsAllocatedInAScopeIsReleased) {
  Kokkos::Impl::UntrackedScope const scope;
  View<int*, HostSpace> const a("a", 3);
  EXPECT_EQ(a.use_count(), 1);
}

/// Copies, subviews and assignments inside a kernel do not change the count.
template <class Space>
struct CopiesInside {
  View<int**, Kokkos::LayoutRight, Space> a;
  View<int*, Space> counts;

  KOKKOS_FUNCTION void operator()(int i) const {
    View<int**, Kokkos::LayoutRight, Space> const copy = a;
    View<int**, Kokkos::LayoutRight, Space> assigned;
    assigned                         = copy;
    auto const row                   = Kokkos::subview(assigned, i % 3, Kokkos::ALL);
    View<int const*, Space> const r2 = row;
    KOKKOS_IF_ON_HOST((counts(i) = a.use_count() + copy.use_count() + row.use_count() + r2.use_count();))
  }
};

template <class Space>
void expect_kernels_do_not_count() {
  CopiesInside<Space> const functor{View<int**, Kokkos::LayoutRight, Space>("a", 3, 4),
                                    View<int*, Space>("counts", 1000)};
  Kokkos::parallel_for("copies", Kokkos::RangePolicy<Space>(0, 1000), functor);
  Space().fence();
  EXPECT_EQ(functor.a.use_count(), 1);
  EXPECT_EQ(functor.counts.use_count(), 1);
  int sum = 0;
  Kokkos::parallel_reduce(
      "sum", Kokkos::RangePolicy<Space>(0, 1000), KOKKOS_LAMBDA(int i, int& s) { s += functor.counts(i); }, sum);
  EXPECT_EQ(sum, 0);
  EXPECT_EQ(functor.counts.use_count(), 1);
  EXPECT_TRUE((View<int**, Kokkos::LayoutRight, Space>(functor.a).impl_track().is_tracking()))
      << "counting was not switched on again";
}

TYPED_TEST(ViewTrackingTest, KernelsDoNotCount) { expect_kernels_do_not_count<TypeParam>(); }

/// The last owner destroys the elements after all accesses of the other owners. The thread sanitizer checks whether the
/// count orders them: the destructor reads what the owners wrote.
TEST(ViewTracking, TheLastOwnerComesAfterWhatOthersWrote) {
  static int sum;
  struct Added {
    int value = 0;
    ~Added() { sum += value; }
  };
  for (int round = 0; round < 100; ++round) {
    sum = 0;
    View<Added*, HostSpace> a(Kokkos::view_alloc("a", Kokkos::SequentialHostInit), 4);
    std::atomic<bool> go{false};
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
      threads.emplace_back([&go, t, mine = a]() mutable {
        while (!go.load(std::memory_order_relaxed)) std::this_thread::yield();
        mine(t).value = t;
        mine          = {};
      });
    a = {};
    go.store(true, std::memory_order_relaxed);
    for (auto& t : threads) t.join();
    EXPECT_EQ(sum, 6);
  }
}

/// Many threads copy and drop views of one allocation; the last one releases it, exactly once.
TEST(ViewTracking, ManyThreads) {
  static int destroyed;
  struct Flag {
    ~Flag() { ++destroyed; }
  };
  destroyed = 0;
  View<Flag*, HostSpace> a(Kokkos::view_alloc("a", Kokkos::SequentialHostInit), 1);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([a] {
      View<Flag*, HostSpace> mine = a;
      for (int i = 0; i < 10000; ++i) {
        View<Flag*, HostSpace> const copy = mine;
        mine                              = copy;
      }
    });
  a = {};
  for (auto& t : threads) t.join();
  threads.clear();
  EXPECT_EQ(destroyed, 1);
}

}  // namespace
