// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// choices: team
/// \file
/// The number of concurrent threads is concurrency(), and each thread executes its part of a static schedule.

#include "HostTest.hpp"

#include <set>
#include <thread>
#include <vector>

namespace {

using Kokkos::Testing::eventually;

template <class Space>
class ConcurrencyTest : public ::testing::Test {};
TYPED_TEST_SUITE(ConcurrencyTest, Kokkos::Testing::HostSpaces, Kokkos::Testing::SpaceName);

/// One iteration for each thread; all threads wait for each other.
template <class Space, class Schedule>
void check_that_threads_meet(Space const& space) {
  int const threads = space.impl_concurrency();
  std::atomic<int> arrived{0}, met{0};
  Kokkos::parallel_for(Kokkos::RangePolicy<Space, Kokkos::Schedule<Schedule>>(space, 0, threads, Kokkos::ChunkSize(1)),
                       [&](int) {
                         ++arrived;
                         if (eventually([&] { return arrived == threads; })) ++met;
                       });
  EXPECT_EQ(met, threads);
}
TYPED_TEST(ConcurrencyTest, AllThreadsWorkAtOnce) {
  check_that_threads_meet<TypeParam, Kokkos::Static>(TypeParam());
  check_that_threads_meet<TypeParam, Kokkos::Dynamic>(TypeParam());
  for (TypeParam const& part : Kokkos::partition_space(TypeParam(), 1, 1)) {
    check_that_threads_meet<TypeParam, Kokkos::Static>(part);
  }
}

template <class Space>
void check_static_parts() {
  std::size_t const n = 10000;
  std::vector<std::thread::id> owner(n), again(n);
  for (auto* threads : {&owner, &again}) {
    Kokkos::parallel_for(Kokkos::RangePolicy<Space>(0, n),
                         [threads](std::size_t i) { (*threads)[i] = std::this_thread::get_id(); });
  }
  // Contiguous parts of about equal size, which the same thread gets in each kernel of that length.
  std::size_t changes = 0;
  for (std::size_t i = 1; i < n; ++i) changes += owner[i] != owner[i - 1];
  EXPECT_EQ(changes + 1, static_cast<std::size_t>(Space().concurrency()));
  EXPECT_EQ(owner, again);
}
TYPED_TEST(ConcurrencyTest, StaticPartsAreContiguousAndStable) { check_static_parts<TypeParam>(); }

template <class Space>
void check_dynamic_balance() {
  int const threads = Space().concurrency();
  // The thread with the first iteration is busy until other threads have completed all other iterations.
  std::atomic<int> done{0};
  bool others_went_on = true;
  Kokkos::parallel_for(Kokkos::RangePolicy<Space, Kokkos::Schedule<Kokkos::Dynamic>>(0, 1000, Kokkos::ChunkSize(1)),
                       [&](int i) {
                         if (i == 0 && threads > 1) others_went_on = eventually([&] { return done == 999; });
                         ++done;
                       });
  EXPECT_EQ(done, 1000);
  EXPECT_TRUE(others_went_on);
}
TYPED_TEST(ConcurrencyTest, ADynamicScheduleEvensOut) { check_dynamic_balance<TypeParam>(); }

template <class Space>
void check_tiles() {
  int const threads = Space().concurrency();
  std::atomic<int> arrived{0}, met{0};
  Kokkos::parallel_for(Kokkos::MDRangePolicy<Space, Kokkos::Rank<2>>({0, 0}, {threads, 1}, {1, 1}), [&](int, int) {
    ++arrived;
    if (eventually([&] { return arrived == threads; })) ++met;
  });
  EXPECT_EQ(met, threads);
}
TYPED_TEST(ConcurrencyTest, TilesAreDealtOutToAllThreads) { check_tiles<TypeParam>(); }

/// The elements of a small view are cleared by the thread that creates it, which needs no team of threads.
template <class Space>
void check_small_views() {
  std::atomic<bool> runs{false}, created{false};
  bool created_meanwhile = false;
  std::thread other([&] {
    while (!runs) std::this_thread::yield();
    Kokkos::View<char*, Space> const view(Kokkos::view_alloc(Space(), "small"), 64 * 1024);  // without a fence
    created = true;
  });
  Kokkos::parallel_for(Kokkos::RangePolicy<Space>(0, 1), [&](int) {
    runs              = true;
    created_meanwhile = eventually([&] { return created.load(); });
  });
  other.join();
  EXPECT_TRUE(created_meanwhile) << "creating the view waited for the kernel";
}
TYPED_TEST(ConcurrencyTest, SmallViewsAreCreatedWhileAKernelRuns) { check_small_views<TypeParam>(); }

}  // namespace
