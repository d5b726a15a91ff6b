// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Kernels and fences from the threads of parallel regions that a program opens itself: outside of kernels, where the
/// kernels of one instance run one after the other, and inside kernels, where nothing may wait.

#include "Deadline.hpp"
#include "HostTest.hpp"

#if defined(KOKKOS_ENABLE_OPENMP)

#include <array>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <omp.h>

namespace {

using Kokkos::Testing::HostSpaces;
using Kokkos::Testing::run_once;
using Kokkos::Testing::SpaceName;

/// During its life, regions inside regions get several threads.
class NestedRegions {
 public:
  NestedRegions() : m_before(omp_get_max_active_levels()) { omp_set_max_active_levels(8); }
  ~NestedRegions() { omp_set_max_active_levels(m_before); }

 private:
  int m_before;
};

template <class Space>
class OpenMPRegionsTest : public ::testing::Test {
  Kokkos::Testing::Deadline m_deadline{"a kernel or fence inside a parallel region has not returned"};
  NestedRegions m_nested;
};
TYPED_TEST_SUITE(OpenMPRegionsTest, HostSpaces, SpaceName);

/// Kernels that detect concurrent kernels.
struct Overlaps {
  std::atomic<int> running{0}, seen{0}, runs{0};

  void pass() {
    if (++running != 1) ++seen;
    for (int i = 0; i < 3; ++i) std::this_thread::yield();
    ++runs;
    --running;
  }
};

template <class Space>
void launch_from_a_region(Space const& space, Overlaps& overlaps) {
#pragma omp parallel num_threads(4)
  for (int i = 0; i < 50; ++i) run_once(space, [&] { overlaps.pass(); });
}

TYPED_TEST(OpenMPRegionsTest, KernelsOfOneInstanceDoNotOverlap) {
  for (TypeParam const& space : {TypeParam(), TypeParam(Kokkos::NewInstance())}) {
    Overlaps overlaps;
    launch_from_a_region(space, overlaps);
    EXPECT_EQ(overlaps.runs, 200);
    EXPECT_EQ(overlaps.seen, 0);
  }
}

// Also from regions in regions, none of which is inside a kernel.
template <class Space>
void launch_from_regions_in_a_region(Space const& space, Overlaps& overlaps) {
#pragma omp parallel num_threads(2)
#pragma omp parallel num_threads(2)
  for (int i = 0; i < 50; ++i) run_once(space, [&] { overlaps.pass(); });
}

TYPED_TEST(OpenMPRegionsTest, KernelsFromInnerRegionsDoNotOverlap) {
  Overlaps overlaps;
  launch_from_regions_in_a_region(TypeParam(), overlaps);
  EXPECT_EQ(overlaps.runs, 200);
  EXPECT_EQ(overlaps.seen, 0);
}

// Reductions and teams, which use memory of the instance.
template <class Space>
int wrong_results_from_a_region(Space const& space) {
  int wrong = 0;
#pragma omp parallel num_threads(4) reduction(+ : wrong)
  for (int round = 0; round < 50; ++round) {
    long sum = 0;
    Kokkos::parallel_reduce(Kokkos::RangePolicy<Space>(space, 0, 100), [](int i, long& u) { u += i; }, sum);
    long scanned = 0;
    Kokkos::parallel_scan(Kokkos::RangePolicy<Space>(space, 0, 100), [](int i, long& u, bool) { u += i; }, scanned);
    int of_teams = 0;
    using Policy = Kokkos::TeamPolicy<Space>;
    Kokkos::parallel_reduce(
        Policy(space, 5, 1), [](typename Policy::member_type const& team, int& u) { u += team.league_rank(); },
        of_teams);
    wrong += (sum != 4950) + (scanned != 4950) + (of_teams != 10);
  }
  return wrong;
}

TYPED_TEST(OpenMPRegionsTest, ResultsOfKernelsInARegionAreRight) {
  EXPECT_EQ(wrong_results_from_a_region(TypeParam()), 0);
}

// A fence waits for the kernels of other threads of the region.
template <class Space>
bool fence_returns_after_the_kernel(Space const& space) {
  std::atomic<bool> begun{false}, ended{false}, in_time{true};
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 0) {
      run_once(space, [&] {
        begun = true;
        Kokkos::Testing::wait_a_little();
        ended = true;
      });
    } else {
      while (!begun) std::this_thread::yield();
      space.fence();
      in_time = ended.load();
    }
  }
  return in_time;
}

TYPED_TEST(OpenMPRegionsTest, AFenceWaitsForTheKernelOfAnotherThread) {
  EXPECT_TRUE(fence_returns_after_the_kernel(TypeParam()));
}

/// Opens a region, and one in each of its threads; all of them launch and fence.
template <class Space, class Other>
void use_instances_in_regions(Space const& space, Other const& other, std::atomic<int>& runs) {
#pragma omp parallel num_threads(2)
  {
    run_once(space, [&] { ++runs; });
    run_once(other, [&] { ++runs; });
    space.fence();
    Kokkos::fence();
    Kokkos::View<int*, Kokkos::HostSpace> const view("view", 10000);
    Kokkos::deep_copy(view, 1);
#pragma omp parallel num_threads(2)
    {
      run_once(space, [&] { ++runs; });
      other.fence();
    }
  }
}

template <class Space>
void open_regions_in_kernels() {
  Space const space;
  Space const other{Kokkos::NewInstance()};
  for (int iterations : {1, 2}) {
    std::atomic<int> runs{0};
    Kokkos::parallel_for(Kokkos::RangePolicy<Space>(space, 0, iterations),
                         [&](int) { use_instances_in_regions(space, other, runs); });
    EXPECT_EQ(runs, 8 * iterations);
  }
  // From two concurrent kernels, each with regions that use the other's instance.
  std::atomic<int> runs{0};
  Kokkos::Testing::on_threads(2, [&](int i) {
    NestedRegions const nested;  // a setting of each thread
    Space const& mine   = i == 0 ? space : other;
    Space const& theirs = i == 0 ? other : space;
    for (int round = 0; round < 20; ++round) {
      run_once(mine, [&] { use_instances_in_regions(mine, theirs, runs); });
    }
  });
  EXPECT_EQ(runs, 2 * 20 * 8);
}

TYPED_TEST(OpenMPRegionsTest, InsideAKernelNothingWaits) { open_regions_in_kernels<TypeParam>(); }

// The same if the kernel itself was launched from a region.
template <class Space>
int open_regions_in_kernels_in_a_region() {
  Space const space;
  Space const other{Kokkos::NewInstance()};
  std::atomic<int> runs{0};
#pragma omp parallel num_threads(2)
  for (int round = 0; round < 20; ++round) {
    Space const& mine   = omp_get_thread_num() == 0 ? space : other;
    Space const& theirs = omp_get_thread_num() == 0 ? other : space;
    run_once(mine, [&] { use_instances_in_regions(mine, theirs, runs); });
  }
  return runs;
}

TYPED_TEST(OpenMPRegionsTest, InsideAKernelOfARegionNothingWaits) {
  EXPECT_EQ(open_regions_in_kernels_in_a_region<TypeParam>(), 2 * 20 * 8);
}

// Kernels see the program's own default allocator, and it is restored afterwards.
template <class Space>
void keep_the_default_allocator() {
  omp_allocator_handle_t const before = omp_get_default_allocator();
  run_once(Space(), [] {
    void* const p = omp_alloc(100, omp_null_allocator);
    EXPECT_NE(p, nullptr);
    omp_free(p, omp_null_allocator);
  });
  EXPECT_EQ(omp_get_default_allocator(), before);
  // Predefined: omp_init_allocator fails where header and library are of different versions of LLVM.
  omp_allocator_handle_t const own = omp_large_cap_mem_alloc;
  omp_set_default_allocator(own);
  run_once(Space(), [&] { EXPECT_EQ(omp_get_default_allocator(), own); });
  EXPECT_EQ(omp_get_default_allocator(), own);
  std::atomic<int> runs{0};
  run_once(Space(), [&] { use_instances_in_regions(Space(), Space(), runs); });
  EXPECT_EQ(runs, 8);
  omp_set_default_allocator(before);
}

TYPED_TEST(OpenMPRegionsTest, TheDefaultAllocatorOfTheProgramStays) { keep_the_default_allocator<TypeParam>(); }

/// During its life, a region has only the thread that opens it, whatever number of threads it requests.
class NoOtherThreads {
 public:
  NoOtherThreads() : m_before(omp_get_max_active_levels()) { omp_set_max_active_levels(0); }
  ~NoOtherThreads() { omp_set_max_active_levels(m_before); }

 private:
  int m_before;
};

// OpenMP may provide fewer threads than requested. The threads that there are do all of the work.
TEST(OpenMPThreads, FewerThanRequestedDoAllTheWork) {
  using Space                  = Kokkos::OpenMP;
  using Dynamic                = Kokkos::Schedule<Kokkos::Dynamic>;
  constexpr int n              = 10007;
  constexpr std::int64_t total = std::int64_t(n) * (n - 1) / 2;
  // Places for the values of all threads, which contain something else than zero from here on.
  std::int64_t before_alone = 0;
  Kokkos::parallel_reduce(Kokkos::RangePolicy<Space>(0, n), [](int i, std::int64_t& s) { s += i; }, before_alone);
  EXPECT_EQ(before_alone, total);
  NoOtherThreads const alone;
  int in_region = 0;
#pragma omp parallel num_threads(2)
#pragma omp atomic
  ++in_region;
  if (in_region != 1) GTEST_SKIP() << "this OpenMP ignores omp_set_max_active_levels(0)";
  std::vector<int> runs(n);
  Kokkos::parallel_for(Kokkos::RangePolicy<Space>(0, n), [&](int i) { ++runs[i]; });
  Kokkos::parallel_for(Kokkos::RangePolicy<Space, Dynamic>(0, n), [&](int i) { ++runs[i]; });
  Kokkos::parallel_for(Kokkos::MDRangePolicy<Space, Kokkos::Rank<2>>({0, 0}, {n, 1}), [&](int i, int) { ++runs[i]; });
  EXPECT_EQ(runs, std::vector<int>(n, 3));
  std::int64_t sum = 0, dynamic_sum = 0, large_sum = 0, scanned = 0;
  Kokkos::parallel_reduce(Kokkos::RangePolicy<Space>(0, n), [](int i, std::int64_t& s) { s += i; }, sum);
  Kokkos::parallel_reduce(
      Kokkos::RangePolicy<Space, Dynamic>(0, n), [](int i, std::int64_t& s) { s += i; }, dynamic_sum);
  int const more = 0;  // captured, so that the functor is larger
  std::array<std::int64_t, 20> const table{};
  Kokkos::parallel_reduce(
      Kokkos::RangePolicy<Space>(0, n),
      [table, more](int i, std::int64_t& s) { s += i + table[static_cast<std::size_t>(i % 20)] + more; }, large_sum);
  std::vector<std::int64_t> before(n);
  Kokkos::parallel_scan(
      Kokkos::RangePolicy<Space>(0, n),
      [&](int i, std::int64_t& s, bool is_final) {
        if (is_final) before[i] = s;
        s += i;
      },
      scanned);
  for (std::int64_t found : {sum, dynamic_sum, large_sum, scanned}) EXPECT_EQ(found, total);
  for (int i = 0; i < n; ++i) ASSERT_EQ(before[i], std::int64_t(i) * (i - 1) / 2) << i;
}

// In a process of its own for each, because the runtime reads the variable at its start.
TEST(OpenMPBindingDeathTest, TheConfigurationNamesTheBinding) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  char const* const before = std::getenv("OMP_PROC_BIND");
  std::string const saved  = before ? before : "";
  for (auto const& [binding, name] :
       {std::pair{"false", "false"},
        {"close", "close"},
        {"spread", "spread"},
        {"master", "primary"},
        {"true", "(true|spread)"}}) {  // for LLVM's runtime, true is another word for spread
    setenv("OMP_PROC_BIND", binding, 1);
    EXPECT_EXIT(
        {
          std::ostringstream text;
          Kokkos::print_configuration(text, true);
          std::cerr << text.str() << std::flush;
          std::_Exit(0);
        },
        testing::ExitedWithCode(0), std::string("bound to places: ") + name + " ");
  }
  if (before)
    setenv("OMP_PROC_BIND", saved.c_str(), 1);
  else
    unsetenv("OMP_PROC_BIND");
}

}  // namespace

#endif
