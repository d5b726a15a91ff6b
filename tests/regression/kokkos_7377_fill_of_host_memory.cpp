// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reported: github.com/kokkos/kokkos/issues/7377. deep_copy(view, 0) of host memory in an unmanaged view of SharedSpace
// failed on MI300A with ROCm 6.2: hipMemsetAsync refuses memory that it has not allocated (hipErrorInvalidValue),
// although kernels can access it. The plain HIP program kokkos_7377_memset_of_host_memory.cpp shows the call.
//
// Here memory of every origin is filled with zeros, a byte pattern and other values, with and without an instance. It
// would fail again if a fill passed a pointer to memset without checking the kind of its memory.
#include "../gpu/DeviceTest.hpp"

#include <sys/mman.h>

#include <cstdlib>
#include <memory>

namespace {

using Kokkos::Testing::GPU;

constexpr std::size_t extent = 5000;

template <class T, class Space>
void fill_and_check(T* memory, T value, bool with_instance) {
  Kokkos::View<T*, Space, Kokkos::MemoryTraits<Kokkos::Unmanaged>> const view(memory, extent);
  // The memory before and after it is unchanged.
  for (std::size_t i = 0; i < extent; ++i) memory[i] = T(7);
  auto const middle = Kokkos::subview(view, std::make_pair(std::size_t(3), extent - 5));
  if (with_instance) {
    const GPU instance;
    Kokkos::deep_copy(instance, middle, value);
    instance.fence("the fill");
  } else {
    Kokkos::deep_copy(middle, value);
  }
  for (std::size_t i = 0; i < extent; ++i) {
    bool const inside = i >= 3 && i < extent - 5;
    ASSERT_EQ(memory[i], inside ? value : T(7)) << "at " << i;
  }
}

template <class T, class Space>
void fill_all(void* memory) {
  T* const values = static_cast<T*>(memory);
  for (bool const with_instance : {true, false}) {
    for (T const value : {T(0), T(1), T(-1)}) fill_and_check<T, Space>(values, value, with_instance);
  }
}

template <class Space>
void fill_types(void* memory) {
  fill_all<double, Space>(memory);
  fill_all<int, Space>(memory);
  fill_all<short, Space>(memory);
  fill_all<signed char, Space>(memory);
}

struct Free {
  void operator()(void* p) const { std::free(p); }
};
struct Unmap {
  void operator()(void* p) const { munmap(p, extent * 8); }
};

TEST(kokkos_7377, MemoryOfCallocInAViewOfSharedSpace) {
  std::unique_ptr<void, Free> const memory(std::calloc(extent, 8));
  fill_types<Kokkos::SharedSpace>(memory.get());
}
TEST(kokkos_7377, MemoryOfMmapInAViewOfSharedSpace) {
  void* const p = mmap(nullptr, extent * 8, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(p, MAP_FAILED);
  std::unique_ptr<void, Unmap> const memory(p);
  fill_types<Kokkos::SharedSpace>(memory.get());
}
TEST(kokkos_7377, MemoryOfCallocInAViewOfPinnedSpace) {
  std::unique_ptr<void, Free> const memory(std::calloc(extent, 8));
  fill_types<Kokkos::SharedHostPinnedSpace>(memory.get());
}
TEST(kokkos_7377, MemoryOfCallocInAViewOfHostSpace) {
  std::unique_ptr<void, Free> const memory(std::calloc(extent, 8));
  fill_types<Kokkos::HostSpace>(memory.get());
}
TEST(kokkos_7377, MemoryThatTheSpacesAllocated) {
  Kokkos::View<double*, Kokkos::SharedSpace> const shared("shared", extent);
  Kokkos::View<double*, Kokkos::SharedHostPinnedSpace> const pinned("pinned", extent);
  Kokkos::fence();
  fill_types<Kokkos::SharedSpace>(shared.data());
  fill_types<Kokkos::SharedHostPinnedSpace>(pinned.data());
  fill_types<Kokkos::SharedSpace>(pinned.data());
}

}  // namespace
