// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// choices: apu not-optimised
/// \file
/// Views in memory spaces of the test: one with a state, and one that the host cannot access.
#include <Kokkos_DualView.hpp>
#include <Kokkos_DynRankView.hpp>
#include <Kokkos_OffsetView.hpp>
#include <TestSpaces.hpp>
#include <impl/Kokkos_SharedAlloc_timpl.hpp>

#include <iterator>
#include <map>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

namespace {

/// Host memory that counts its allocations, for each value of `number`.
struct CountingSpace {
  using memory_space    = CountingSpace;
  using execution_space = Kokkos::DefaultHostExecutionSpace;
  using device_type     = Kokkos::Device<execution_space, memory_space>;
  using size_type       = std::size_t;

  static constexpr char const* name() { return "Counting"; }

  static inline int live[3]     = {};
  static inline int on_instance = 0;
  int number                    = 0;

  void* allocate(char const*, std::size_t bytes) const {
    ++live[number];
    return ::operator new(bytes, std::align_val_t(64));
  }
  template <class ExecSpace>
  void* allocate(ExecSpace const&, char const* label, std::size_t bytes) const {
    ++on_instance;
    return allocate(label, bytes);
  }
  void deallocate(char const*, void* p, std::size_t) const noexcept {
    --live[number];
    ::operator delete(p, std::align_val_t(64));
  }
};

/// The least that a memory space has.
struct SmallSpace {
  using memory_space    = SmallSpace;
  using execution_space = Kokkos::DefaultHostExecutionSpace;
  using device_type     = Kokkos::Device<execution_space, memory_space>;
  using size_type       = std::size_t;

  static constexpr char const* name() { return "Small"; }

  static inline int live = 0;

  void* allocate(std::size_t bytes) const { return ++live, ::operator new(bytes); }
  void deallocate(void* p, std::size_t) const { --live, ::operator delete(p); }
};

/// Memory of a nonexistent device.
struct FarSpace {
  using memory_space    = FarSpace;
  using execution_space = Kokkos::DefaultHostExecutionSpace;
  using device_type     = Kokkos::Device<execution_space, memory_space>;
  using size_type       = std::size_t;

  static constexpr char const* name() { return "Far"; }
};

}  // namespace

template <>
struct Kokkos::Impl::MemorySpaceAccess<Kokkos::HostSpace, CountingSpace> {
  [[maybe_unused]] static constexpr bool assignable = false;
  [[maybe_unused]] static constexpr bool accessible = true;
  [[maybe_unused]] static constexpr bool deepcopy   = true;
};

template <>
struct Kokkos::Impl::MemorySpaceAccess<Kokkos::HostSpace, SmallSpace> {
  enum : bool { assignable = true, accessible = true, deepcopy = true };
};
template <>
struct Kokkos::Impl::MemorySpaceAccess<SmallSpace, Kokkos::HostSpace> {
  enum : bool { assignable = true, accessible = true, deepcopy = true };
};
// YAKL specializes DeepCopy for its space by that of the host; deep_copy of views does not need it.
template <class ExecSpace>
struct Kokkos::Impl::DeepCopy<SmallSpace, Kokkos::HostSpace, ExecSpace> {
  DeepCopy(void* dst, void const* src, std::size_t n) {
    DeepCopy<Kokkos::HostSpace, Kokkos::HostSpace, ExecSpace>(dst, src, n);
  }
};
// Programs announce their spaces by these macros; docs/memory_spaces.md says that they need not.
KOKKOS_IMPL_SHARED_ALLOCATION_SPECIALIZATION(SmallSpace);
KOKKOS_IMPL_SHARED_ALLOCATION_RECORD_EXPLICIT_INSTANTIATION(SmallSpace);

namespace {

using Kokkos::View;
using Kokkos::view_alloc;

TEST(ViewMemorySpace, TheInstanceThatAllocatedReleases) {
  {
    View<int*, CountingSpace> const a("a", 3);
    View<int*, CountingSpace> const b(view_alloc("b", CountingSpace{2}), 3);
    View<int*, CountingSpace> c(view_alloc(CountingSpace{1}, Kokkos::WithoutInitializing), 3);
    EXPECT_EQ(CountingSpace::live[0], 1);
    EXPECT_EQ(CountingSpace::live[1], 1);
    EXPECT_EQ(CountingSpace::live[2], 1);
    c = b;
    EXPECT_EQ(CountingSpace::live[1], 0);
    EXPECT_EQ(CountingSpace::live[2], 1);
  }
  EXPECT_EQ(CountingSpace::live[0], 0);
  EXPECT_EQ(CountingSpace::live[2], 0);
}

TEST(ViewMemorySpace, AnExecutionSpaceInstanceAllocatesInItsOrder) {
  int const before = CountingSpace::on_instance;
  View<int*, CountingSpace> const a("a", 3);
  EXPECT_EQ(CountingSpace::on_instance, before);
  View<int*, CountingSpace> const b(view_alloc("b", CountingSpace::execution_space()), 3);
  EXPECT_EQ(CountingSpace::on_instance, before + 1);
}

TEST(ViewMemorySpace, NothingIsAllocatedForNoElements) {
  View<int*, CountingSpace> const a("a", 0);
  EXPECT_EQ(CountingSpace::live[0], 0);
  EXPECT_EQ(a.label(), "a");
}

TEST(ViewMemorySpace, CopiesAndFillsTakeTheHostsRoutes) {
  {
    using Exec = Kokkos::DefaultHostExecutionSpace;
    View<double**, Kokkos::LayoutLeft, SmallSpace> a("a", 4, 5);
    View<double**, Kokkos::LayoutRight, Kokkos::HostSpace> host("host", 4, 5);
    EXPECT_EQ(SmallSpace::live, 1);
    Kokkos::deep_copy(a, 3.0);
    Kokkos::deep_copy(Exec(), Kokkos::subview(a, 1, Kokkos::ALL), 4.0);
    Kokkos::deep_copy(host, a);
    EXPECT_EQ(host(0, 4) + host(1, 4), 7);
    Kokkos::parallel_for(Kokkos::RangePolicy<Exec>(0, 4), [=](int i) { a(i, 0) = i; });
    View<double**, Kokkos::LayoutLeft, SmallSpace> const b(view_alloc(Exec(), SmallSpace(), "b"), 4, 5);
    Kokkos::deep_copy(Exec(), b, a);
    Exec().fence();
    double x = 0;
    Kokkos::deep_copy(x, Kokkos::subview(b, 3, 0));
    EXPECT_EQ(x, 3);
    EXPECT_EQ(Kokkos::create_mirror_view(b).data(), b.data());
    EXPECT_EQ(Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), b)(2, 0), 2);
    EXPECT_EQ(Kokkos::create_mirror_view_and_copy(SmallSpace(), host)(1, 1), 4);
    View<double**, Kokkos::LayoutLeft, Kokkos::HostSpace> const assigned = a;
    Kokkos::resize(a, 6, 6);
    EXPECT_EQ(a(3, 0), 3);
    Kokkos::DualView<double*, Kokkos::Device<Exec, SmallSpace>> dual("dual", 4);
    dual.modify_host();
    dual.sync_device();
    Kokkos::DynRankView<double, SmallSpace> dynamic("dynamic", 2, 2);
    Kokkos::deep_copy(dynamic, 5.0);
    EXPECT_EQ(dynamic(1, 1), 5);
    EXPECT_GT(SmallSpace::live, 3);

    int from[3] = {1, 2, 3}, to[3] = {};
    Kokkos::Impl::DeepCopy<SmallSpace, Kokkos::HostSpace, Exec>(to, from, 2 * sizeof(int));
    EXPECT_EQ(to[1], 2);
    EXPECT_EQ(to[2], 0);
    Kokkos::Impl::DeepCopy<Kokkos::HostSpace, SmallSpace>(Exec(), to, from, sizeof(from));
    Exec().fence();
    EXPECT_EQ(to[2], 3);

    // The copies of containers may have labels, too.
    auto const in_small = view_alloc(SmallSpace(), "copy");
    Kokkos::DynRankView<double, Kokkos::HostSpace> const rank_2("rank 2", 2, 2);
    Kokkos::deep_copy(rank_2, 6.0);
    auto const rank_2_copy = Kokkos::create_mirror_view_and_copy(in_small, rank_2);
    EXPECT_EQ(rank_2_copy.label(), "copy");
    EXPECT_EQ(rank_2_copy(1, 1), 6);
    Kokkos::Experimental::OffsetView<double*, Kokkos::HostSpace> const offset("offset", {-1, 2});
    Kokkos::deep_copy(offset, 7.0);
    auto const offset_copy = Kokkos::create_mirror_view_and_copy(in_small, offset);
    EXPECT_EQ(offset_copy.label(), "copy");
    EXPECT_EQ(offset_copy(-1), 7);
  }
  EXPECT_EQ(SmallSpace::live, 0);
}

struct Refuses {
  Refuses() { throw 1; }
};

TEST(ViewMemorySpace, MemoryIsReleasedWhenAConstructorThrows) {
  using V = View<Refuses*, CountingSpace>;
  EXPECT_THROW(V(view_alloc("v", Kokkos::SequentialHostInit), 2), int);
  EXPECT_EQ(CountingSpace::live[0], 0);
}

using ViewMemorySpaceDeathTest = ::testing::Test;

TEST(ViewMemorySpaceDeathTest, TheHostFollowsNoPointerIntoFarMemory) {
  int x[2] = {};
  View<int*, FarSpace> const v(x, 2);
  EXPECT_EQ(v.data(), x);
  EXPECT_EQ(v.extent(0), 2u);
  EXPECT_DEATH(v(1) = 1, "accessed on the host, but it is in Far memory, which the host cannot access");
  static_assert(std::is_same_v<View<int*, FarSpace>::host_mirror_space, Kokkos::HostSpace>);
  static_assert(std::is_same_v<View<int*, CountingSpace>::host_mirror_space, CountingSpace>);
  static_assert(!std::is_convertible_v<View<int*, FarSpace>, View<int*, Kokkos::HostSpace>>);
  static_assert(!std::is_constructible_v<View<int*, CountingSpace>, View<int*, Kokkos::HostSpace>>);
}

// ---- labels -------------------------------------------------------------------------------------------------------

template <class Space>
void memory_by_label_in() {
  using namespace Kokkos::Experimental;
  using View = Kokkos::View<double*, Space>;
  View const before("before", 100);
  EXPECT_TRUE(memory_by_label<Space>().empty());
  record_memory_labels();
  {
    View const x("x", 1000), y("y", 3000);
    View another("x", 10);
    void* const raw = Kokkos::kokkos_malloc<Space>("raw", 100);
    auto const rows = memory_by_label<Space>();
    ASSERT_EQ(rows.size(), 3u);
    EXPECT_EQ(rows[0].label, "y");
    EXPECT_EQ(rows[0].bytes, 24000u);
    EXPECT_EQ(rows[1].label, "x");
    EXPECT_EQ(rows[1].bytes, 8080u);
    EXPECT_EQ(rows[1].count, 2u);
    EXPECT_EQ(rows[2].label, "raw");
    Kokkos::kokkos_free<Space>(raw);
    another = View();
    EXPECT_EQ(memory_by_label<Space>().size(), 2u);
    EXPECT_EQ(memory_by_label<Space>()[1].count, 1u);
  }
  EXPECT_TRUE(memory_by_label<Space>().empty());
  {
    View const x("x", 10);
    record_memory_labels(false);
    EXPECT_TRUE(memory_by_label<Space>().empty());
    View const y("y", 10);
    record_memory_labels();  // of neither view
    EXPECT_TRUE(memory_by_label<Space>().empty());
  }
  EXPECT_TRUE(memory_by_label<Space>().empty());
  record_memory_labels(false);
}

// Views of the same label in other spaces are other rows.
TEST(MemoryByLabel, OfEachSpace) {
  using namespace Kokkos::Experimental;
  using Other = Kokkos::DefaultExecutionSpace::memory_space;
  record_memory_labels();
  {
    Kokkos::View<double*, Kokkos::HostSpace> const host("x", 100);
    Kokkos::View<double*, CountingSpace> const counted("x", 30);
    std::size_t const bytes = std::is_same_v<Other, Kokkos::HostSpace> ? 0 : 1600;
    Kokkos::View<double*, Other> const other(bytes > 0 ? "x" : "y", 200);
    auto const rows = memory_by_label<Kokkos::HostSpace>();
    ASSERT_EQ(rows.size(), bytes > 0 ? 1u : 2u);
    EXPECT_EQ(rows.back().bytes, 800u);
    ASSERT_EQ(memory_by_label<Other>().size(), rows.size());
    EXPECT_EQ(memory_by_label<Other>()[0].bytes, 1600u);
  }
  record_memory_labels(false);
}

TEST(MemoryByLabel, OfViewsSinceTheRecordBegan) {
  memory_by_label_in<Kokkos::HostSpace>();
  using Default = Kokkos::DefaultExecutionSpace::memory_space;
  if constexpr (!std::is_same_v<Default, Kokkos::HostSpace>) memory_by_label_in<Default>();
}

// A thread that looked before the record ended reports its allocation after that.
TEST(MemoryByLabel, WhatIsReportedAfterTheEndIsForgotten) {
  using namespace Kokkos::Experimental;
  int late = 0;
  record_memory_labels();
  record_memory_labels(false);
  Kokkos::Impl::record_allocation(Kokkos::HostSpace::name(), "late", &late, sizeof late);
  record_memory_labels();
  EXPECT_TRUE(memory_by_label<Kokkos::HostSpace>().empty());
  Kokkos::Impl::record_allocation(Kokkos::HostSpace::name(), "in time", &late, sizeof late);
  EXPECT_EQ(memory_by_label<Kokkos::HostSpace>().size(), 1u);
  Kokkos::Impl::record_deallocation(&late);
  EXPECT_TRUE(memory_by_label<Kokkos::HostSpace>().empty());
  record_memory_labels(false);
}

TEST(MemoryByLabel, OfViewsOfSeveralThreads) {
  using namespace Kokkos::Experimental;
  record_memory_labels();
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([t] {
      for (int i = 0; i < 200; ++i) {
        void* const p = Kokkos::kokkos_malloc<Kokkos::HostSpace>("label " + std::to_string((t + i) % 3), 64);
        Kokkos::kokkos_free<Kokkos::HostSpace>(p);
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_TRUE(memory_by_label<Kokkos::HostSpace>().empty());
  record_memory_labels(false);
}

// ---- resources ----------------------------------------------------------------------------------------------------

using Kokkos::Experimental::MemoryResource;

template <class Space>
void views_of_a_resource() {
  using View = Kokkos::View<double*, Space>;
  View kept;
  {
    MemoryResource<Space> const pool("pool", 64 * 1024);
    EXPECT_EQ(pool.size(), 64u * 1024);
    {
      View const x(Kokkos::view_alloc(pool, "x"), 1000),
          y(Kokkos::view_alloc("y", pool, Kokkos::WithoutInitializing), 2000);
      View const z(Kokkos::view_alloc(pool, "x", typename Space::execution_space()), 10);
      EXPECT_EQ(y.label(), "y");
      EXPECT_EQ(Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), x)(999), 0);
      EXPECT_EQ(pool.usage().in_use, 8192u + 16128 + 256);
      auto const rows = pool.usage_by_label();
      ASSERT_EQ(rows.size(), 2u);
      EXPECT_EQ(rows[0].label, "y");
      EXPECT_EQ(rows[0].bytes, 16128u);
      EXPECT_EQ(rows[1].label, "x");
      EXPECT_EQ(rows[1].count, 2u);
    }
    EXPECT_EQ(pool.usage().in_use, 0u);
    EXPECT_EQ(pool.usage().kept, 64u * 1024);
    EXPECT_EQ(pool.usage().high_water, 8192u + 16128 + 256);
    // All of it is one block again.
    kept = View(Kokkos::view_alloc(pool, "all"), 8 * 1024);
    try {
      View const more(Kokkos::view_alloc(pool, "more"), 1);
      FAIL() << "more than the resource has";
    } catch (Kokkos::Experimental::RawMemoryAllocationFailure const& failure) {
      EXPECT_NE(std::string(failure.what()).find("\"pool\" of 64 KiB"), std::string::npos) << failure.what();
    }
    EXPECT_THROW(View(Kokkos::view_alloc(pool, "huge"), 100000), Kokkos::Experimental::RawMemoryAllocationFailure);
  }
  Kokkos::deep_copy(kept, 3.0);  // the view keeps the memory of the resource
  EXPECT_EQ(Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), kept)(8191), 3);
}

TEST(MemoryResource, ServesViews) {
  views_of_a_resource<Kokkos::HostSpace>();
  using Default = Kokkos::DefaultExecutionSpace::memory_space;
  if constexpr (!std::is_same_v<Default, Kokkos::HostSpace>) views_of_a_resource<Default>();
}

// Random blocks never overlap, and are one free block when all are returned.
TEST(MemoryResource, RandomBlocksDoNotOverlap) {
  MemoryResource<Kokkos::HostSpace> const pool("pool", 100 * 256);
  std::map<std::size_t, std::size_t> blocks;  // ends, by begin
  unsigned x      = 1;
  auto const next = [&](unsigned n) { return (x = x * 1664525u + 1013904223u) / 65536 % n; };
  char* base      = nullptr;
  for (int i = 0; i < 2000; ++i) {
    if (!blocks.empty() && next(2) == 0) {
      auto const block = std::next(blocks.begin(), next(static_cast<unsigned>(blocks.size())));
      pool.deallocate("", base + block->first, 0);
      blocks.erase(block);
      continue;
    }
    std::size_t const bytes = 1 + next(3000);
    try {
      auto* const p = static_cast<char*>(pool.allocate("", bytes));
      if (!base) base = p;  // the first block of an empty resource
      auto const begin = static_cast<std::size_t>(p - base);
      auto const after = blocks.lower_bound(begin);
      ASSERT_TRUE(after == blocks.end() || begin + bytes <= after->first);
      ASSERT_TRUE(after == blocks.begin() || std::prev(after)->second <= begin);
      ASSERT_LE(begin + bytes, pool.size());
      blocks[begin] = begin + bytes;
    } catch (Kokkos::Experimental::RawMemoryAllocationFailure const&) {
    }
  }
  for (auto const& [begin, end] : blocks) pool.deallocate("", base + begin, 0);
  EXPECT_EQ(pool.usage().in_use, 0u);
  EXPECT_EQ(pool.allocate("", pool.size()), base);
  pool.deallocate("", base, 0);
}

}  // namespace
