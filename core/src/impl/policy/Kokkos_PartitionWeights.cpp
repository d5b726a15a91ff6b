// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Kokkos_PartitionSpace.hpp>
#include <impl/runtime/Kokkos_Error.hpp>

#include <algorithm>
#include <cmath>
#include <span>
#include <string>

namespace Kokkos::Impl {

void check_partition_weights(double const* first, std::size_t count) {
  std::span const weights(first, count);
  for (double w : weights) {
    if (!std::isfinite(w) || w < 0) {
      throw_runtime_exception("partition_space was given the weight " + std::to_string(w) +
                              "; weights must be finite and not negative. Pass the share of each instance, such as 1 "
                              "and 3.");
    }
  }
  if (!weights.empty() && std::ranges::all_of(weights, [](double w) { return w == 0; }))
    throw_runtime_exception("partition_space was given only weights of 0; at least one must be positive.");
}

}  // namespace Kokkos::Impl
