// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Reported: kokkos #7377. If kernels can access memory of malloc (MI300A; other devices with HSA_XNACK=1), a view may
// use such memory. deep_copy of zero failed for it, because hipMemsetAsync refuses such memory up to ROCm 6.2.

#include <Kokkos_Core.hpp>
#include <TestHIP_Category.hpp>

#include <cstdlib>

namespace Test {

namespace {

template <class Space>
void fill_with_zero(double* memory, std::size_t n) {
  Kokkos::View<double*, Space, Kokkos::MemoryUnmanaged> view(memory, n);
  Kokkos::deep_copy(view, 0.);
  Kokkos::deep_copy(Kokkos::HIP(), view, 0.);
  Kokkos::fence();
}

}  // namespace

TEST(hip, fill_of_memory_of_malloc) {
  int accessible = 0;
  KOKKOS_IMPL_HIP_SAFE_CALL(
      hipDeviceGetAttribute(&accessible, hipDeviceAttributePageableMemoryAccess, Kokkos::HIP().hip_device()));
  if (!accessible) GTEST_SKIP() << "this device cannot access memory of malloc";
  constexpr std::size_t n = 100001;
  auto* const memory      = static_cast<double*>(std::malloc(n * sizeof(double)));
  for (std::size_t i = 0; i < n; ++i) memory[i] = 1.;
  ASSERT_NO_THROW(fill_with_zero<Kokkos::HIPSpace>(memory, n));
  for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(memory[i], 0.) << i;
  ASSERT_NO_THROW(fill_with_zero<Kokkos::HIPManagedSpace>(memory, n));
  std::free(memory);
}

TEST(hip, fill_of_memory_of_hip) {
  Kokkos::View<double*, Kokkos::HIPSpace> device("device", 1001);
  Kokkos::View<double*, Kokkos::HIPHostPinnedSpace> pinned("pinned", 1001);
  Kokkos::View<double*, Kokkos::HIPManagedSpace> managed("managed", 1001);
  Kokkos::deep_copy(pinned, 1.);
  Kokkos::fence();
  ASSERT_NO_THROW(fill_with_zero<Kokkos::HIPSpace>(device.data(), device.size()));
  ASSERT_NO_THROW(fill_with_zero<Kokkos::HIPHostPinnedSpace>(pinned.data(), pinned.size()));
  ASSERT_NO_THROW(fill_with_zero<Kokkos::HIPManagedSpace>(managed.data(), managed.size()));
  for (std::size_t i = 0; i < pinned.size(); ++i) ASSERT_EQ(pinned(i), 0.) << i;
}

}  // namespace Test
