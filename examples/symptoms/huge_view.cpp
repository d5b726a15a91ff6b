// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// title: A view whose size overflows is created with memory for a few elements
// upstream: not reported
// needs: nothing
#include "Symptom.hpp"

#include <cstdint>
#include <exception>

symptom::Report huge_view() {
  // 2^64 bytes and those of 100 elements.
  std::size_t const elements = (std::size_t(1) << 61) + 100;
  try {
    // Its elements are not touched: most of them are outside of the memory.
    Kokkos::View<double*, Kokkos::HostSpace> const view(Kokkos::view_alloc("view", Kokkos::WithoutInitializing),
                                                        elements);
    return symptom::found(view.extent(0) == elements, "A view of 2^61 + 100 numbers was created, with memory for 100.",
                          "The view has another extent.");
  } catch (std::exception const&) {
    return symptom::found(false, "", "An exception says that the size overflows.");
  }
}
