// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Views in memory spaces of the test: one with a state, and one that the host cannot access.
#include <TestSpaces.hpp>

#include <string>

namespace {

/// Host memory that counts its allocations, for each value of `number`.
struct CountingSpace {
  using memory_space    = CountingSpace;
  using execution_space = Kokkos::DefaultHostExecutionSpace;
  using device_type     = Kokkos::Device<execution_space, memory_space>;
  using size_type       = std::size_t;

  static constexpr const char* name() { return "Counting"; }

  static inline int live[3]     = {};
  static inline int on_instance = 0;
  int number                    = 0;

  void* allocate(const char*, std::size_t bytes) const {
    ++live[number];
    return ::operator new(bytes, std::align_val_t(64));
  }
  template <class ExecSpace>
  void* allocate(ExecSpace const&, const char* label, std::size_t bytes) const {
    ++on_instance;
    return allocate(label, bytes);
  }
  void deallocate(const char*, void* p, std::size_t) const noexcept {
    --live[number];
    ::operator delete(p, std::align_val_t(64));
  }
};

/// Memory of a nonexistent device.
struct FarSpace {
  using memory_space    = FarSpace;
  using execution_space = Kokkos::DefaultHostExecutionSpace;
  using device_type     = Kokkos::Device<execution_space, memory_space>;
  using size_type       = std::size_t;

  static constexpr const char* name() { return "Far"; }
};

}  // namespace

template <>
struct Kokkos::Impl::MemorySpaceAccess<Kokkos::HostSpace, CountingSpace> {
  [[maybe_unused]] static constexpr bool assignable = false;
  [[maybe_unused]] static constexpr bool accessible = true;
  [[maybe_unused]] static constexpr bool deepcopy   = true;
};

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

}  // namespace
