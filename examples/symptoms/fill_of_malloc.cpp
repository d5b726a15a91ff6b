// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// title: hipErrorInvalidValue from hipMemsetAsync in deep_copy(view, 0) of memory from malloc, on an APU
// upstream: #7377
// needs: a GPU that can access memory from malloc
// model: HIP_MODEL_PROFILE=mi300a-rocm-6.2
#include "Symptom.hpp"

#include <vector>

#if defined(KOKKOS_ENABLE_HIP)
symptom::Report fill_of_malloc() {
  int accesses = 0;
  if (hipDeviceGetAttribute(&accesses, hipDeviceAttributePageableMemoryAccess, 0) != hipSuccess || accesses == 0)
    return {symptom::Finding::not_here, "This GPU cannot access memory from malloc."};
  std::vector<double> memory(4001, 1.);
  Kokkos::View<double*, symptom::Device::memory_space, Kokkos::MemoryUnmanaged> const view(memory.data(),
                                                                                           memory.size());
  Kokkos::deep_copy(view, 0.);
  Kokkos::fence();
  int wrong = 0;
  for (double const x : memory) wrong += x != 0.;
  return symptom::found(wrong != 0, std::to_string(wrong) + " elements are not 0.",
                        "Memory of malloc was filled with zeros.");
}
#else
symptom::Report fill_of_malloc() { return {symptom::Finding::not_here, "This Kokkos has no HIP backend."}; }
#endif
