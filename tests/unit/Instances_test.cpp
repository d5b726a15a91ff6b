// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// choices: team
/// \file
/// Instances of host execution spaces: their creation, lifetime and number of threads.

#include "HostTest.hpp"
#include "Messages.hpp"

#include <impl/Host/Kokkos_Host_ThreadShares.hpp>
#include <impl/runtime/Kokkos_Arguments.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <mutex>
#include <numeric>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace {

using Kokkos::Testing::eventually;
using Kokkos::Testing::run_once;

template <class Space>
class InstancesTest : public ::testing::Test {};
TYPED_TEST_SUITE(InstancesTest, Kokkos::Testing::HostSpaces, Kokkos::Testing::SpaceName);

// Released programs size arrays for threads by the first three, and index them by the last in a kernel.
TYPED_TEST(InstancesTest, NumbersOfThreadsWithoutAnInstance) {
  int const threads = TypeParam::impl_thread_pool_size();
  EXPECT_EQ(threads, TypeParam().impl_concurrency());
  EXPECT_EQ(TypeParam::impl_thread_pool_size(0), threads);
  EXPECT_EQ(TypeParam::impl_thread_pool_size(1), threads);
  EXPECT_EQ(TypeParam::impl_thread_pool_size(2), 1);
  EXPECT_GE(static_cast<int>(TypeParam::impl_max_hardware_threads()), threads);
  EXPECT_EQ(static_cast<int>(TypeParam::impl_thread_pool_rank()), 0);
  Kokkos::View<int*, Kokkos::HostSpace> runs("runs", TypeParam::impl_max_hardware_threads());
  Kokkos::parallel_for(Kokkos::RangePolicy<TypeParam>(0, 1000),
                       [&](int) { ++runs(TypeParam::impl_hardware_thread_id()); });
  int sum = 0;
  for (std::size_t i = 0; i < runs.size(); ++i) sum += runs(i);
  EXPECT_EQ(sum, 1000);
}

TYPED_TEST(InstancesTest, NewInstanceIsANewOne) {
#ifndef KOKKOS_ENABLE_DEPRECATED_CODE_4
  static_assert(!std::is_convertible_v<Kokkos::NewInstance, TypeParam>);
#else
  static_assert(std::is_convertible_v<Kokkos::NewInstance, TypeParam>);
#endif
  TypeParam a{Kokkos::NewInstance()}, b{Kokkos::NewInstance()};
  EXPECT_NE(a, b);
  EXPECT_NE(a, TypeParam());
  EXPECT_NE(a.impl_instance_id(), b.impl_instance_id());
  EXPECT_NE(a.impl_instance_id(), TypeParam().impl_instance_id());
  EXPECT_EQ(a.concurrency(), TypeParam().concurrency());
}

TYPED_TEST(InstancesTest, NumbersAreUsedAgain) {
  std::uint32_t first = 0;
  {
    first = TypeParam{Kokkos::NewInstance()}.impl_instance_id();
  }
  for (int i = 0; i < 100; ++i) EXPECT_EQ(TypeParam{Kokkos::NewInstance()}.impl_instance_id(), first);
}

// Whatever a program does with its handles, the number is free when the last one has ended.
TYPED_TEST(InstancesTest, EveryUseOfAHandleIsUndone) {
  auto const number = [] { return TypeParam{Kokkos::NewInstance()}.impl_instance_id(); };
  using Use         = std::pair<char const*, std::function<void(TypeParam&)>>;
  std::vector<Use> const uses{
      {"copy", [](TypeParam& space) { TypeParam const copy(space); }},
      {"move", [](TypeParam& space) { TypeParam const moved(std::move(space)); }},
      {"assign to another instance", [](TypeParam& space) { space = TypeParam{Kokkos::NewInstance()}; }},
      {"assign to the default instance", [](TypeParam& space) { space = TypeParam(); }},
      {"assign to a copy",
       [](TypeParam& space) {
         TypeParam copy(space);
         copy = space;
         copy = TypeParam();
       }},
      {"assign by moving",
       [](TypeParam& space) {
         TypeParam other{Kokkos::NewInstance()};
         other = std::move(space);
       }},
      {"swap",
       [](TypeParam& space) {
         TypeParam other{Kokkos::NewInstance()};
         std::swap(space, other);
       }},
      {"fence", [](TypeParam& space) { space.fence("a fence"); }},
      {"fence all", [](TypeParam&) { Kokkos::fence("a fence of all"); }},
      {"kernel", [](TypeParam& space) { run_once(space, [] {}); }},
      {"view",
       [](TypeParam& space) {
         Kokkos::View<int*, Kokkos::HostSpace> const view(Kokkos::view_alloc(space, "view"), 10);
       }},
      {"partition", [](TypeParam& space) { (void)Kokkos::partition_space(space, 1, 2); }},
  };
  auto const first = number();
  for (auto const& [name, use] : uses) {
    {
      TypeParam space{Kokkos::NewInstance()};
      EXPECT_EQ(space.impl_instance_id(), first) << name;
      use(space);
    }
    EXPECT_EQ(number(), first) << name;
  }
}

template <class Space>
void check_that_instances_overlap() {
  Space a{Kokkos::NewInstance()}, b{Kokkos::NewInstance()};
  std::atomic<int> arrived{0};
  std::atomic<int> met{0};
  // Each kernel waits for the other one.
  Kokkos::Testing::on_threads(2, [&](int i) {
    run_once(i == 0 ? a : b, [&] {
      ++arrived;
      if (eventually([&] { return arrived == 2; })) ++met;
    });
  });
  EXPECT_EQ(met, 2);
}
TYPED_TEST(InstancesTest, KernelsOnDifferentInstancesRunAtTheSameTime) { check_that_instances_overlap<TypeParam>(); }

template <class Space>
void check_that_handles_keep_instances() {
  std::thread late;
  {
    Space space{Kokkos::NewInstance()};
    late = std::thread([space] {
      Kokkos::Testing::wait_a_little();
      int sum = 0;
      Kokkos::parallel_reduce(Kokkos::RangePolicy<Space>(space, 0, 100), [](int i, int& s) { s += i; }, sum);
      EXPECT_EQ(sum, 4950);
    });
  }
  late.join();
}
TYPED_TEST(InstancesTest, LastHandleEndsTheInstance) { check_that_handles_keep_instances<TypeParam>(); }

#ifdef KOKKOS_ENABLE_OPENMP

/// The threads that run a kernel with many iterations.
std::size_t threads_seen(Kokkos::OpenMP const& space) {
  std::mutex mutex;
  std::set<std::thread::id> seen;
  Kokkos::parallel_for(Kokkos::RangePolicy<Kokkos::OpenMP>(space, 0, 1000), [&](int) {
    std::lock_guard guard(mutex);
    seen.insert(std::this_thread::get_id());
  });
  return seen.size();
}

/// The same for a reduction, a scan and teams: the maximum number of concurrent threads of one of these patterns.
int threads_of_patterns(Kokkos::OpenMP const& space) {
  using Policy = Kokkos::TeamPolicy<Kokkos::OpenMP>;
  std::atomic<int> most{0};
  auto const look = [&most] {
    for (int now = omp_get_num_threads(), seen = most; seen < now && !most.compare_exchange_weak(seen, now);) continue;
  };
  long sum = 0;
  Kokkos::parallel_reduce(
      Kokkos::RangePolicy<Kokkos::OpenMP>(space, 0, 1000), [&](int i, long& s) { look(), s += i; }, sum);
  Kokkos::parallel_scan(Kokkos::RangePolicy<Kokkos::OpenMP>(space, 0, 1000),
                        [&](int i, long& s, bool) { look(), s += i; });
  Kokkos::parallel_for(Policy(space, 100, 1), [&](Policy::member_type const&) { look(); });
  return most;
}

TEST(OpenMPInstancesTest, HaveAsManyThreadsAsAskedFor) {
#ifndef KOKKOS_ENABLE_DEPRECATED_CODE_4
  static_assert(!std::is_convertible_v<int, Kokkos::OpenMP>);
#endif
  for (int threads : {1, 2, 3}) {
    Kokkos::OpenMP space(threads);
    EXPECT_EQ(space.impl_concurrency(), threads);
    EXPECT_EQ(threads_seen(space), static_cast<std::size_t>(threads));
    EXPECT_EQ(threads_of_patterns(space), threads);
  }
}

TEST(OpenMPInstancesTest, RefuseImpossibleSizes) {
  for (int threads : {0, -3, 1000000000}) {
    try {
      Kokkos::OpenMP space(threads);
      ADD_FAILURE() << threads << " threads were accepted";
    } catch (std::runtime_error const& e) {
      EXPECT_NE(std::string(e.what()).find(std::to_string(threads) + " threads"), std::string::npos) << e.what();
    }
  }
}

// In a process of its own for each limit, because the runtime reads the variable at its start.
TEST(OpenMPInstancesDeathTest, TheLimitOfThreadsIsKept) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  auto const refusal = [](int threads) {
    return Kokkos::Testing::thrown_message([threads] { Kokkos::OpenMP const space(threads); });
  };
  char const* const before = std::getenv("OMP_THREAD_LIMIT");
  std::string const saved  = before ? before : "";
  for (int limit : {4, 7}) {
    setenv("OMP_THREAD_LIMIT", std::to_string(limit).c_str(), 1);
    EXPECT_EXIT(
        {
          std::cerr << '<' << refusal(limit) << '>' << refusal(limit + 1) << std::flush;
          std::_Exit(0);
        },
        testing::ExitedWithCode(0),
        "<>.* was called for " + std::to_string(limit + 1) + " threads; 1 to " + std::to_string(limit) +
            " are allowed here. Choose a number in that range, or raise OMP_THREAD_LIMIT\\.");
  }
  if (before)
    setenv("OMP_THREAD_LIMIT", saved.c_str(), 1);
  else
    unsetenv("OMP_THREAD_LIMIT");
  // If the limit is the library's own, the message does not name the variable.
  int const others = Kokkos::Impl::max_num_threads();
  if (omp_get_thread_limit() <= others) GTEST_SKIP() << "OMP_THREAD_LIMIT is set";
  Kokkos::Testing::expect_all(refusal(others + 1), {"1 to " + std::to_string(others), "a number in that range."});
}

TEST(OpenMPInstancesTest, PartsShareTheThreads) {
  Kokkos::OpenMP four(4);
  auto parts = Kokkos::partition_space(four, 1, 3);
  EXPECT_EQ(parts[0].impl_concurrency(), 1);
  EXPECT_EQ(parts[1].impl_concurrency(), 3);
  EXPECT_EQ(threads_seen(parts[1]), 3u);
  EXPECT_EQ(four.impl_concurrency(), 4);
  // Each partition needs a thread, even if there are more partitions than threads.
  for (auto const& part : Kokkos::partition_space(Kokkos::OpenMP(1), 1, 1, 1)) EXPECT_EQ(part.impl_concurrency(), 1);
}

TEST(OpenMPInstancesTest, NamesThatReleasedProgramsUse) {
  EXPECT_TRUE(Kokkos::OpenMP::impl_is_initialized());
  EXPECT_EQ(Kokkos::OpenMP::impl_thread_pool_size(), Kokkos::OpenMP().concurrency());
  EXPECT_EQ(Kokkos::OpenMP::impl_thread_pool_rank(), 0);
  EXPECT_GE(Kokkos::OpenMP::impl_max_hardware_threads(), 1);
  // The number of threads of a region of the program, not of a kernel.
  int const before = omp_get_max_threads();
  for (int threads : {before + 1, before + 3, before}) {
    omp_set_num_threads(threads);
    EXPECT_EQ(Kokkos::OpenMP::impl_get_current_max_threads(), threads);
    EXPECT_EQ(Kokkos::OpenMP::impl_max_hardware_threads(), Kokkos::OpenMP().concurrency());
  }
#ifdef KOKKOS_ENABLE_DEPRECATED_CODE_4
  EXPECT_FALSE(Kokkos::OpenMP::is_asynchronous());
  EXPECT_FALSE(Kokkos::OpenMP::is_asynchronous(Kokkos::OpenMP()));
#endif
  EXPECT_FALSE(Kokkos::OpenMP::in_parallel());
  std::atomic<bool> inside{true};
  Kokkos::parallel_for(Kokkos::RangePolicy<Kokkos::OpenMP>(0, 100), [&](int) {
    if (!Kokkos::OpenMP::in_parallel()) inside = false;
  });
  EXPECT_TRUE(inside);
}

#endif

TEST(HostShareThreadsTest, InProportionAndAtLeastOne) {
  using Kokkos::Impl::host_share_threads;
  EXPECT_EQ(host_share_threads(6, {1, 2}), (std::vector<int>{2, 4}));
  EXPECT_EQ(host_share_threads(8, {1, 1, 1}), (std::vector<int>{3, 3, 2}));
  EXPECT_EQ(host_share_threads(10, {1, 0}), (std::vector<int>{10, 1}));
  EXPECT_EQ(host_share_threads(2, {1, 1, 1, 1}), (std::vector<int>{1, 1, 1, 1}));
  EXPECT_EQ(host_share_threads(7, {0.5}), (std::vector<int>{7}));
  EXPECT_TRUE(host_share_threads(7, {}).empty());
}

// Every thread is shared out. The remainder is given to the parts that are furthest below their weights, wherever they
// are: no two parts differ by more than a thread in what they lack.
TEST(HostShareThreadsTest, TheRemainderGoesWhereMostIsMissing) {
  for (int threads = 4; threads <= 13; ++threads)
    for (std::vector<double> const& weights :
         {std::vector<double>{1, 3}, {3, 1}, {2, 3}, {1, 1, 1.9}, {1.9, 1, 1}, {1, 1.9, 1}, {5, 4, 3}}) {
      auto const shares = Kokkos::Impl::host_share_threads(threads, weights);
      double const sum  = std::accumulate(weights.begin(), weights.end(), 0.0);
      std::vector<double> lacks;
      for (std::size_t i = 0; i < weights.size(); ++i) lacks.push_back(threads * weights[i] / sum - shares[i]);
      auto const [least, most] = std::minmax_element(lacks.begin(), lacks.end());
      EXPECT_LE(*most - *least, 1 + 1e-9) << threads << " threads for " << testing::PrintToString(weights);
      EXPECT_EQ(std::accumulate(shares.begin(), shares.end(), 0), threads);
    }
}

// However short it is.
TYPED_TEST(InstancesTest, ACopyWaitsForTheKernelOfItsInstance) {
  auto const parts = Kokkos::Experimental::partition_space(TypeParam(), 1, 1);
  for (std::size_t const n : {1, 4, 1000, 100000}) {
    Kokkos::View<int*, Kokkos::HostSpace> const to("to", n), from("from", n);
    std::atomic<bool> runs{false}, may_end{false}, copied{false};
    std::thread kernel([&] {
      run_once(parts[1], [&] {
        runs = true;
        EXPECT_TRUE(eventually([&] { return may_end.load(); }));
      });
    });
    EXPECT_TRUE(eventually([&] { return runs.load(); }));
    std::thread copying([&] {
      Kokkos::deep_copy(parts[1], to, from);
      copied = true;
    });
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    EXPECT_FALSE(copied) << n;
    may_end = true;
    kernel.join();
    copying.join();
  }
}

}  // namespace
