// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// choices: team
/// \file
/// Several host threads launch kernels: on one instance the kernels run one after the other.

#include "Deadline.hpp"
#include "HostTest.hpp"
#include "Journal.hpp"
#include "LockCount.hpp"

#include <Kokkos_IdleMemory.hpp>
#include <Kokkos_MemoryResource.hpp>
#include <Kokkos_Random.hpp>

#include <atomic>
#include <functional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#ifdef KOKKOS_ENABLE_OPENMP
#include <omp.h>
#endif

namespace {

using Kokkos::Testing::on_threads;
using Kokkos::Testing::run_once;

constexpr int host_threads = 4;

template <class Space>
class ThreadSafetyTest : public ::testing::Test {};
TYPED_TEST_SUITE(ThreadSafetyTest, Kokkos::Testing::HostSpaces, Kokkos::Testing::SpaceName);

template <class Space>
void check_that_kernels_exclude_each_other(Space const& space) {
  int count = 0;  // deliberately not atomic
  on_threads(host_threads, [&](int) {
    for (int k = 0; k < 200; ++k) run_once(space, [&count] { ++count; });
  });
  EXPECT_EQ(count, host_threads * 200);
}
TYPED_TEST(ThreadSafetyTest, KernelsOnOneInstanceExcludeEachOther) {
  check_that_kernels_exclude_each_other(TypeParam());
  check_that_kernels_exclude_each_other(TypeParam{Kokkos::NewInstance()});
}

template <class Space>
void check_patterns(Space const& space) {
  using Policy = Kokkos::TeamPolicy<Space>;
  on_threads(host_threads, [&](int thread) {
    for (int k = 0; k < 20; ++k) {
      int const n = 300 + thread;
      long sum = 0, scanned = 0, range = 0, team = 0;
      Kokkos::parallel_reduce(Kokkos::RangePolicy<Space>(space, 0, n), [](int i, long& s) { s += i; }, sum);
      Kokkos::parallel_scan(Kokkos::RangePolicy<Space>(space, 0, n), [](int i, long& s, bool) { s += i; }, scanned);
      Kokkos::parallel_reduce(
          Kokkos::MDRangePolicy<Space, Kokkos::Rank<2>>(space, {0, 0}, {n, 3}), [](int i, int, long& s) { s += i; },
          range);
      Kokkos::parallel_reduce(
          Policy(space, n, 1), [](typename Policy::member_type const& m, long& s) { s += m.league_rank(); }, team);
      long const expected = static_cast<long>(n) * (n - 1) / 2;
      EXPECT_EQ(sum, expected);
      EXPECT_EQ(scanned, expected);
      EXPECT_EQ(range, 3 * expected);
      EXPECT_EQ(team, expected);
    }
  });
}
TYPED_TEST(ThreadSafetyTest, EveryPatternFromEveryThread) {
  check_patterns(TypeParam());
  check_patterns(TypeParam{Kokkos::NewInstance()});
}

template <class Space>
void check_views() {
  on_threads(host_threads, [](int thread) {
    for (int k = 0; k < 20; ++k) {
      Kokkos::View<int*, Space> view("view", 5000);
      Kokkos::parallel_for(Kokkos::RangePolicy<Space>(0, 5000), [=](int i) { view(i) += i + thread; });
      EXPECT_EQ(view(4999), 4999 + thread);
    }
  });
}
TYPED_TEST(ThreadSafetyTest, ViewsAreMadeAndEndOnEveryThread) { check_views<TypeParam>(); }

/// Runs until the test releases it.
struct Held {
  std::atomic<bool>* runs;
  std::atomic<bool>* released;
  void operator()(int) const {
    *runs = true;
    while (!*released) std::this_thread::yield();
  }
};

// With an instance a view does not wait: no kernel can use its elements yet, so a few are constructed beside a kernel.
template <class Space>
void make_views_beside_a_kernel() {
  Kokkos::Testing::Deadline const deadline("a small view is still not constructed: it waits for a kernel");
  std::atomic<bool> runs{false}, released{false};
  std::thread launcher([&] { Kokkos::parallel_for(Kokkos::RangePolicy<Space>(0, 1), Held{&runs, &released}); });
  while (!runs) std::this_thread::yield();
  Kokkos::View<int[16], Space> const numbers(Kokkos::view_alloc("numbers", Space()));
  Kokkos::View<Kokkos::complex<double>*, Space> const objects(Kokkos::view_alloc("objects", Space()), 100);
  EXPECT_EQ(numbers(15), 0);
  EXPECT_EQ(objects(99).real(), 0);
  released = true;
  launcher.join();
}

TYPED_TEST(ThreadSafetyTest, SmallViewsAreMadeBesideAKernel) { make_views_beside_a_kernel<TypeParam>(); }

template <class Space>
void check_nested_kernels() {
  // Two instances, each with kernels that launch on the other one. If nested launches took locks, the order of the
  // locks would differ.
  Space a{Kokkos::NewInstance()}, b{Kokkos::NewInstance()};
  std::atomic<long> sum{0};
  on_threads(2, [&](int thread) {
    Space const& outer = thread == 0 ? a : b;
    Space const& inner = thread == 0 ? b : a;
    for (int k = 0; k < 50; ++k) {
      Kokkos::parallel_for(Kokkos::RangePolicy<Space>(outer, 0, 4), [&](int) {
        long part = 0;
        Kokkos::parallel_reduce(Kokkos::RangePolicy<Space>(inner, 0, 100), [](int i, long& s) { s += i; }, part);
        sum += part;
      });
    }
  });
  EXPECT_EQ(sum, 2 * 50 * 4 * 4950);
}
TYPED_TEST(ThreadSafetyTest, KernelsMayLaunchKernels) { check_nested_kernels<TypeParam>(); }

#ifdef KOKKOS_ENABLE_OPENMP

template <class Space>
void check_in_parallel_region() {
  std::atomic<int> right{0};
  int threads = 0;
#pragma omp parallel num_threads(3)
  {
#pragma omp single
    threads = omp_get_num_threads();
    for (int k = 0; k < 50; ++k) {
      long sum = 0, scanned = 0;
      Kokkos::parallel_reduce(Kokkos::RangePolicy<Space>(0, 100), [](int i, long& s) { s += i; }, sum);
      Kokkos::parallel_scan(Kokkos::RangePolicy<Space>(0, 100), [](int i, long& s, bool) { s += i; }, scanned);
      Kokkos::View<int*, Space> view("view", 100);
      if (sum == 4950 && scanned == 4950 && view(99) == 0) ++right;
    }
  }
  EXPECT_EQ(right, threads * 50);
}
TYPED_TEST(ThreadSafetyTest, InsideAParallelRegionOfTheProgram) { check_in_parallel_region<TypeParam>(); }

TEST(OpenMPThreadSafetyTest, InAParallelRegionKernelsRunOnTheCallingThread) {
  std::atomic<int> foreign{0};
  // The same must hold if OpenMP allows nested regions.
  int const levels = omp_get_max_active_levels();
  omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
  {
    auto const self = std::this_thread::get_id();
    Kokkos::parallel_for(Kokkos::RangePolicy<Kokkos::OpenMP>(0, 1000), [&](int) {
      if (std::this_thread::get_id() != self) ++foreign;
    });
  }
  omp_set_max_active_levels(levels);
  EXPECT_EQ(foreign, 0);
}

#endif

#ifdef KOKKOS_TEST_COUNTS_LOCKS
// How many locks each operation takes, the second time.
TEST(HostLocks, OfEachOperation) {
  using Space    = Kokkos::DefaultHostExecutionSpace;
  using Team     = Kokkos::TeamPolicy<Space>;
  using View     = Kokkos::View<int*, Kokkos::HostSpace>;
  namespace Tool = Kokkos::Tools::Experimental;
  Space const space{Kokkos::NewInstance()};
  Kokkos::Experimental::MemoryResource const resource("resource", std::size_t(1) << 20);
  Kokkos::RangePolicy<Space> const range(space, 0, 100);
  View const a("a", 1000), b("b", 1000);
  std::size_t const variable = Tool::declare_input_type("variable", {});
  int sum                    = 0;
  std::vector<std::pair<char const*, std::function<void()>>> const operations{
      {"kernel", [&] { Kokkos::parallel_for(range, [](int) {}); }},
      {"sum", [&] { Kokkos::parallel_reduce(range, [](int i, int& s) { s += i; }, sum); }},
      {"scan", [&] { Kokkos::parallel_scan(range, [](int i, int& s, bool) { s += i; }); }},
      {"teams", [&] { Kokkos::parallel_for(Team(space, 10, 1), [](Team::member_type const&) {}); }},
      {"fence", [&] { space.fence(); }},
      {"fence of all", [] { Space::impl_static_fence("fence of all"); }},
      {"instance", [&] { Kokkos::Experimental::partition_space(space, 1); }},
      {"new instance", [] { Space{Kokkos::NewInstance()}; }},
      {"view", [] { View("view", 10); }},
      {"large view", [] { View("view", 1000000); }},
      {"copy", [&] { Kokkos::deep_copy(space, a, b); }},
      {"fill", [&] { Kokkos::deep_copy(space, a, 1); }},
      {"kokkos_malloc",
       [] {
         void* const p = Kokkos::kokkos_malloc<Kokkos::HostSpace>("block", 100);
         Kokkos::kokkos_free<Kokkos::HostSpace>(Kokkos::kokkos_realloc<Kokkos::HostSpace>(p, 200));
       }},
      {"block of a resource", [&] { resource.deallocate("block", resource.allocate("block", 1000), 1000); }},
      {"usage of a resource", [&] { resource.usage(), resource.usage_by_label(); }},
      {"record of labels",
       [] {
         Kokkos::Experimental::record_memory_labels();
         View("view", 10), Kokkos::Experimental::memory_by_label<Kokkos::HostSpace>();
         Kokkos::Experimental::record_memory_labels(false);
       }},
      {"callbacks", [] { Tool::set_callbacks(Tool::get_callbacks()); }},
      {"a callback", [] { Tool::set_begin_fence_callback(nullptr); }},
      {"end and start of a tool", [] { Kokkos::Tools::finalize(), Kokkos::Tools::initialize({}); }},
      {"pause of a tool", [] { Tool::pause_tools(), Tool::resume_tools(); }},
      {"variable", [] { Tool::declare_input_type("variable", {}); }},
      {"context",
       [=] {
         std::size_t const context = Tool::get_new_context_id();
         auto value                = Tool::make_variable_value(variable, std::int64_t(1));
         Tool::begin_context(context);
         Tool::set_input_values(context, 1, &value);
         Tool::end_context(context);
       }},
      {"random numbers", [] { Kokkos::Random_XorShift64_Pool<Space>(1).get_state(); }},
  };
  std::string lines;
  std::size_t all = 0;
  for (auto const& [what, operation] : operations) {
    operation();
    std::size_t const before = Kokkos::Testing::locks_taken;
    operation();
    std::size_t const count = Kokkos::Testing::locks_taken - before;
    all += count;
    lines += std::string("  ") + what + ": " + std::to_string(count) + '\n';
  }
  if (all == 0) GTEST_SKIP() << "The library is a shared one.";
  // The fences of a device count, too. There are journals of OpenMP alone, and beside the HIP model.
  std::string const host = Space::name(), device = Kokkos::DefaultExecutionSpace::name();
  bool const has_journal = host == "OpenMP" && (device == host || device == "HIP");
  Kokkos::Testing::Journal::of_this_test().add("locks of the calling thread", lines);
  Kokkos::Testing::Journal::of_this_test().expect_as_in(has_journal ? "HostLocks." + device : "");
}
#endif

}  // namespace
