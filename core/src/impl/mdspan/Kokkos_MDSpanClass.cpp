// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <impl/mdspan/Kokkos_MDSpanClass.hpp>

#include <stdexcept>
#include <string>

namespace Kokkos::MDSpanImpl {

void throw_out_of_range(std::size_t r, long long index, long long extent) {
  throw std::out_of_range("Kokkos::mdspan::at: index " + std::to_string(index) + " of dimension " + std::to_string(r) +
                          " is out of bounds. It must be at least 0 and less than the extent, " +
                          std::to_string(extent) + ".");
}

}  // namespace Kokkos::MDSpanImpl
