// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// title: deep_copy(instance, host, device) blocks the host, so copies and kernels of several instances do not overlap
// upstream: #532, #959, #2860, #8099
// needs: a GPU
// environment: KOKKOS_PAGEABLE_COPY=async KOKKOS_STAGING_THREADS=2
#include "Symptom.hpp"

#ifdef SYMPTOM_HAS_GPU
symptom::Report copy_waits() {
  constexpr int n  = 1 << 20;
  auto const parts = Kokkos::Experimental::partition_space(symptom::Device(), 1, 1);
  symptom::DeviceInts const device("device", n);
  symptom::HostInts const host("host", n);
  Kokkos::deep_copy(device, 3);
  Kokkos::deep_copy(parts[0], host, device);
  Kokkos::fence();
  bool const early = symptom::returns_while_blocked(parts[0], [&] {
    symptom::launch<16>(parts[0], device);
    Kokkos::deep_copy(parts[0], host, device);
  });
  Kokkos::fence();
  if (host(0) != 4 || host(n - 1) != 3)
    return {symptom::Finding::present, "After the fence, the host does not have the device's values."};
  return symptom::found(
      !early, "The call waited for the kernels before the copy.",
      "The call returned while the kernel before the copy was blocked; after the fence the values are right.");
}
#else
symptom::Report copy_waits() { return {symptom::Finding::not_here, "This Kokkos has no GPU backend."}; }
#endif
