// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// choices: apu
/// \file
/// Names and accessibility of HIP's spaces, and instances on streams of the program.

#include "TestSpaces.hpp"

#ifdef KOKKOS_ENABLE_HIP

#include <string>
#include <type_traits>

namespace {

using Kokkos::HIP;
using Kokkos::HIPHostPinnedSpace;
using Kokkos::HIPManagedSpace;
using Kokkos::HIPSpace;
using Host = Kokkos::DefaultHostExecutionSpace;

template <class Exec, class Memory>
constexpr bool reaches = Kokkos::SpaceAccessibility<Exec, Memory>::accessible;

#ifdef KOKKOS_ENABLE_IMPL_HIP_UNIFIED_MEMORY
constexpr bool unified = true;
#else
constexpr bool unified = false;
#endif

static_assert(std::is_same_v<Kokkos::DefaultExecutionSpace, HIP> && std::is_same_v<HIP::memory_space, HIPSpace>);
static_assert(std::is_same_v<HIP::array_layout, Kokkos::LayoutLeft>);
static_assert(std::is_same_v<Kokkos::SharedSpace, HIPManagedSpace>);
static_assert(std::is_same_v<Kokkos::SharedHostPinnedSpace, HIPHostPinnedSpace>);
static_assert(Kokkos::is_execution_space_v<HIP> && Kokkos::is_memory_space_v<HIPSpace>);

static_assert(reaches<HIP, HIPSpace> && reaches<HIP, HIPManagedSpace> && reaches<HIP, HIPHostPinnedSpace>);
static_assert(reaches<Host, HIPManagedSpace> && reaches<Host, HIPHostPinnedSpace>);
static_assert(reaches<Host, HIPSpace> == unified && reaches<HIP, Kokkos::HostSpace> == unified);

TEST(HIPSpacesTest, Names) {
  EXPECT_STREQ(HIP::name(), "HIP");
  EXPECT_STREQ(HIPSpace::name(), "HIP");
  EXPECT_STREQ(HIPManagedSpace::name(), "HIPManaged");
  EXPECT_STREQ(HIPHostPinnedSpace::name(), "HIPHostPinned");
}

// Tools get the size of the allocation, also where the program states that it uses less: documented for GPUs.
TEST(HIPSpacesTest, EachFormOfAllocation) {
  static std::string seen;
  seen.clear();
  Kokkos::Tools::Experimental::set_allocate_data_callback(
      [](Kokkos_Profiling_SpaceHandle, char const* label, void const*, std::uint64_t bytes) {
        seen += std::string("+") + label + ' ' + std::to_string(bytes) + ' ';
      });
  Kokkos::Tools::Experimental::set_deallocate_data_callback(
      [](Kokkos_Profiling_SpaceHandle, char const* label, void const*, std::uint64_t bytes) {
        seen += std::string("-") + label + ' ' + std::to_string(bytes) + ' ';
      });
  auto const expect_forms = [](auto space) {
    seen.clear();
    HIP const exec;
    void* p[] = {space.allocate(10),
                 space.allocate("b", 20),
                 space.allocate("c", 30, 25),
                 space.allocate(exec, 40),
                 space.allocate(exec, "e", 50),
                 space.allocate(exec, "f", 60, 55),
                 space.allocate(Host(), "g", 70),
                 space.allocate(Host(), "h", 80, 75),
                 space.allocate(Host(), 90)};
    for (void* each : p) EXPECT_NE(each, nullptr);
    exec.fence();
    space.deallocate(p[0], 10);
    space.deallocate("b", p[1], 20);
    space.deallocate("c", p[2], 30, 25);
    space.deallocate(p[3], 40);
    space.deallocate(p[8], 90);
    for (int i = 4; i < 8; ++i) space.deallocate("more", p[i], static_cast<std::size_t>(10 * i + 10));
    EXPECT_EQ(seen, "+b 20 +c 30 +e 50 +f 60 +g 70 +h 80 -b 20 -c 30 -more 50 -more 60 -more 70 -more 80 ")
        << space.name();
  };
  expect_forms(HIPSpace());
  expect_forms(HIPManagedSpace());
  expect_forms(HIPHostPinnedSpace());
  Kokkos::Tools::Experimental::set_callbacks({});
}

// Atomic operations on one or two bytes read and write the 4-byte word that contains them.
TEST(HIPSpacesTest, MemoryEndsWithAWholeWord) {
  auto const expect_whole_words = [](auto space) {
    for (std::size_t asked : {1u, 2u, 5u, 1023u}) {
      void* const p     = space.allocate("bytes", asked);
      void* base        = nullptr;
      std::size_t found = 0;
      EXPECT_EQ(hipMemGetAddressRange(&base, &found, p), hipSuccess);
      auto const bytes = static_cast<std::size_t>(static_cast<char*>(base) + found - static_cast<char*>(p));
      EXPECT_GE(bytes, (asked + 3) / 4 * 4) << space.name() << ", " << asked << " bytes";
      space.deallocate("bytes", p, asked);
    }
  };
  expect_whole_words(HIPSpace());
  expect_whole_words(HIPManagedSpace());
  expect_whole_words(HIPHostPinnedSpace());
}

// GPUs cache coarse-grained memory only, and some floating-point atomics work on no other.
TEST(HIPSpacesTest, MemoryIsCoarseGrained) {
  auto const expect_coarse_grained = [](auto space) {
    void* const p                  = space.allocate("bytes", 40);
    hipMemRangeCoherencyMode found = hipMemRangeCoherencyModeIndeterminate;
    EXPECT_EQ(hipMemRangeGetAttribute(&found, sizeof found, hipMemRangeAttributeCoherencyMode, p, 40), hipSuccess);
    EXPECT_EQ(found, hipMemRangeCoherencyModeCoarseGrain) << space.name();
    space.deallocate("bytes", p, 40);
  };
  expect_coarse_grained(HIPSpace());
  expect_coarse_grained(HIPManagedSpace());
  expect_coarse_grained(HIPHostPinnedSpace());
}

// The host writes an APU's memory directly, without a copy. A mirror is then the view itself.
TEST(HIPSpacesTest, UnifiedMemory) {
  Kokkos::View<int*, HIPSpace> view("view", 10);
  auto const mirror = Kokkos::create_mirror_view(view);
  EXPECT_EQ(static_cast<void*>(mirror.data()) == static_cast<void*>(view.data()), unified);
  if constexpr (unified) {
    for (int i = 0; i < 10; ++i) view(i) = i;
    EXPECT_EQ(view(7), 7);
  }
}

struct Add {
  Kokkos::View<int, HIP> number;
  KOKKOS_FUNCTION void operator()(int) const { Kokkos::atomic_inc(&number()); }
};

TEST(HIPSpacesTest, InstanceOnAStreamOfTheProgram) {
  hipStream_t stream = nullptr;
  ASSERT_EQ(hipStreamCreate(&stream), hipSuccess);
  Kokkos::View<int, HIP> number("number");
  {
    const HIP exec(stream);
    EXPECT_EQ(exec.hip_stream(), stream);
    EXPECT_EQ(exec.hip_device(), HIP().hip_device());
    EXPECT_EQ(exec.hip_device_prop().warpSize, HIP().hip_device_prop().warpSize);
    EXPECT_GT(exec.hip_device_prop().multiProcessorCount, 0);
    Kokkos::parallel_for(Kokkos::RangePolicy<HIP>(exec, 0, 10), Add{number});
    exec.fence();
  }
  ASSERT_EQ(hipStreamDestroy(stream), hipSuccess);
  int sum = 0;
  Kokkos::deep_copy(sum, number);
  EXPECT_EQ(sum, 10);
}

}  // namespace

#else

TEST(HIPSpacesTest, NeedsHIP) { GTEST_SKIP() << "This build has no HIP."; }

#endif
