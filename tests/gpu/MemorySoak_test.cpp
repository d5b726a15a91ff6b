// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// \file
/// Creates and destroys views of random sizes on 8 instances and 4 threads, without a fence. One kernel fills each view
/// with a unique value, a later one reads it, and the view is destroyed at once: memory that is reused too early has
/// another value. KOKKOS_TEST_ALLOCATIONS sets the number of views.

#include "../unit/Thorough.hpp"
#include "DeviceTest.hpp"

#include <impl/GPU/memory/Kokkos_GPU_ViewMemory.hpp>

#include <cstdlib>
#include <random>
#include <thread>
#include <vector>

namespace {

using namespace Kokkos::Testing;
using MemSpace = GPU::memory_space;
using View     = Kokkos::View<int*, MemSpace>;
using Counter  = Kokkos::View<int, MemSpace>;

struct Fill {
  View view;
  int value;
  KOKKOS_FUNCTION void operator()(int i) const { view(i) = value; }
};
struct Check {
  View view;
  int value;
  Counter wrong;
  int work;  // keeps the views in use for a while
  KOKKOS_FUNCTION void operator()(int i) const {
    int seen = 0;
    for (int k = 0; k < work; ++k) seen |= Kokkos::atomic_load(&view(i)) ^ value;
    if (seen != 0) Kokkos::atomic_inc(&wrong());
  }
};

long allocations() {
  char const* setting = std::getenv("KOKKOS_TEST_ALLOCATIONS");
  if (setting) return std::atol(setting);
  return Kokkos::Testing::is_thorough() ? 4000 : 1000;
}

void work_on(std::vector<GPU> const& instances, Counter const& wrong, int thread, long count) {
  std::mt19937 random(static_cast<unsigned>(thread) + 1);
  std::vector<View> kept(8);
  for (long i = 0; i < count; ++i) {
    GPU const& instance = instances[random() % instances.size()];
    int const bits      = static_cast<int>(random() % 12 == 0 ? random() % 20 : random() % 11);
    int const n         = 1 + static_cast<int>(random() % (1u << bits));
    int const value     = static_cast<int>(random()) | 1;
    bool const zeros    = random() % 4 == 0;
    View view           = zeros ? View(Kokkos::view_alloc("zeros", instance), n)
                                : View(Kokkos::view_alloc("view", instance, Kokkos::WithoutInitializing), n);
    Kokkos::RangePolicy<GPU> const all(instance, 0, n);
    if (zeros) Kokkos::parallel_for(all, Check{view, 0, wrong, 1});
    Kokkos::parallel_for(all, Fill{view, value});
    Kokkos::parallel_for(all, Check{view, value, wrong, 1 + static_cast<int>(random() % 8)});
    if (random() % 3 == 0) kept[random() % kept.size()] = view;
    if (random() % 1000 == 0) instance.fence();
  }
}

TEST(MemorySoak, OfRandomViewsOn8InstancesAnd4Threads) {
  using Memory = Kokkos::Impl::GPUViewMemory<Runtime>;
  Counter wrong("wrong");
  Kokkos::fence();
  {
    OwnStream own;  // not ordered with the default stream
    auto instances = Kokkos::Experimental::partition_space(GPU(), std::vector<int>(7, 1));
    instances.push_back(GPU(own.get()));
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) threads.emplace_back([&, t] { work_on(instances, wrong, t, allocations() / 4); });
    for (auto& thread : threads) thread.join();
    Kokkos::fence();
  }
  int found = -1;
  Kokkos::deep_copy(found, wrong);
  EXPECT_EQ(found, 0) << "elements showed values of other views";
  wrong = Counter();
  Kokkos::Experimental::release_idle_memory();
  EXPECT_EQ(Memory::usage<Kokkos::Impl::DeviceMemoryKind>(Kokkos::device_id()).taken, 0u);
}

}  // namespace
