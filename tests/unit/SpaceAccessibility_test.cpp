// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// choices: apu
/// \file
/// Kokkos::Device and Kokkos::SpaceAccessibility.

#include "TestSpaces.hpp"

#include <type_traits>

namespace {

using Kokkos::AnonymousSpace;
using Kokkos::Device;
using Kokkos::HostSpace;
using Kokkos::SpaceAccessibility;

using Host    = Kokkos::DefaultHostExecutionSpace;
using Default = Kokkos::DefaultExecutionSpace;

TEST(Device, IsAPairOfSpaces) {
  using D = Device<Host, HostSpace>;
  static_assert(std::is_same_v<D::execution_space, Host>);
  static_assert(std::is_same_v<D::memory_space, HostSpace>);
  static_assert(std::is_same_v<D::device_type, D>);
  static_assert(Kokkos::is_device_v<D> && Kokkos::is_space_v<D>);
  static_assert(std::is_same_v<typename Kokkos::is_space<D>::execution_space, typename D::execution_space>);
  static_assert(std::is_same_v<typename Kokkos::is_space<D>::memory_space, typename D::memory_space>);
  static_assert(std::is_void_v<Kokkos::is_space<int>::execution_space>);
  static_assert(!Kokkos::is_execution_space_v<D> && !Kokkos::is_memory_space_v<D>);
}

TEST(SpaceAccessibility, OfHostMemoryFromTheHost) {
  using A = SpaceAccessibility<Host, HostSpace>;
  static_assert(A::accessible && A::assignable && A::deepcopy);
  static_assert(std::is_same_v<A::space, Device<Host, HostSpace>>);
  // A memory space and a Device represent their execution space.
  static_assert(SpaceAccessibility<HostSpace, HostSpace>::accessible);
  static_assert(SpaceAccessibility<Device<Host, HostSpace>, HostSpace>::assignable);
  static_assert(std::is_same_v<SpaceAccessibility<HostSpace, HostSpace>::space, A::space>);
}

TEST(SpaceAccessibility, OfAnonymousMemoryIsTheProgramsPromise) {
  static_assert(SpaceAccessibility<Host, AnonymousSpace>::accessible);
  static_assert(SpaceAccessibility<HostSpace, AnonymousSpace>::assignable);
  static_assert(SpaceAccessibility<AnonymousSpace, HostSpace>::assignable);
  static_assert(std::is_same_v<AnonymousSpace::memory_space, AnonymousSpace>);
}

TEST(SpaceAccessibility, OfScratchMemory) {
  using Scratch = Host::scratch_memory_space;
  static_assert(SpaceAccessibility<Host, Scratch>::accessible);
  static_assert(!SpaceAccessibility<HostSpace, Scratch>::assignable);
  static_assert(!SpaceAccessibility<HostSpace, Scratch>::deepcopy);
  static_assert(SpaceAccessibility<Scratch, Scratch>::assignable);
}

// A device whose memory the host cannot access, as a backend declares it.
class FarMemory;
class FarExecution {
 public:
  using execution_space = FarExecution;
  using memory_space    = FarMemory;
};
class FarMemory {
 public:
  using memory_space    = FarMemory;
  using execution_space = FarExecution;
};

TEST(SpaceAccessibility, OfUnrelatedSpaces) {
  using A = SpaceAccessibility<Host, FarMemory>;
  static_assert(!A::accessible && !A::assignable && !A::deepcopy);
  static_assert(std::is_same_v<A::space, Device<Host, HostSpace>>, "where to put a copy for the host");
  using B = SpaceAccessibility<FarExecution, HostSpace>;
  static_assert(!B::accessible);
  static_assert(std::is_same_v<B::space, Device<FarExecution, FarMemory>>);
}

template <class Space>
class SpaceAccessibilityOf : public testing::Test {};
TYPED_TEST_SUITE(SpaceAccessibilityOf, Kokkos::Testing::ExecutionSpaces, Kokkos::Testing::SpaceName);

// The documented requirements of every space.
TYPED_TEST(SpaceAccessibilityOf, EveryExecutionSpace) {
  using Memory = typename TypeParam::memory_space;
  using A      = SpaceAccessibility<TypeParam, HostSpace>;
  using Copy   = typename A::space::memory_space;
  static_assert(SpaceAccessibility<TypeParam, Memory>::accessible);
  static_assert(SpaceAccessibility<typename Memory::execution_space, Memory>::accessible);
  static_assert(SpaceAccessibility<TypeParam, Copy>::accessible);
  static_assert(SpaceAccessibility<Copy, HostSpace>::deepcopy);
  static_assert(SpaceAccessibility<TypeParam, Copy>::deepcopy);
  static_assert(std::is_same_v<typename TypeParam::device_type, Device<TypeParam, Memory>>);
}

#ifdef KOKKOS_HAS_SHARED_SPACE
static_assert(Kokkos::has_shared_space);
static_assert(SpaceAccessibility<Default, Kokkos::SharedSpace>::accessible);
static_assert(SpaceAccessibility<Host, Kokkos::SharedSpace>::accessible);
#else
static_assert(!Kokkos::has_shared_space);
#endif
#ifdef KOKKOS_HAS_SHARED_HOST_PINNED_SPACE
static_assert(Kokkos::has_shared_host_pinned_space);
static_assert(SpaceAccessibility<Default, Kokkos::SharedHostPinnedSpace>::accessible);
static_assert(SpaceAccessibility<Host, Kokkos::SharedHostPinnedSpace>::accessible);
#else
static_assert(!Kokkos::has_shared_host_pinned_space);
#endif

}  // namespace
