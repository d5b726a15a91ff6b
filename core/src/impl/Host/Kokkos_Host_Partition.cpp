// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The division of an instance's threads among partitions, and errors of iteration ranges.

#include <impl/Host/Kokkos_Host_Iterations.hpp>
#include <impl/Host/Kokkos_Host_Partition.hpp>
#include <impl/runtime/Kokkos_Error.hpp>
#include <impl/runtime/Kokkos_KernelLabel.hpp>

#include <algorithm>
#include <numeric>
#include <string>

namespace Kokkos::Impl {

std::vector<int> host_share_threads(int threads, std::vector<double> const& weights) {
  double const sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  std::vector<int> shares;
  int total = 0;
  for (double w : weights) {
    shares.push_back(std::max(1, static_cast<int>(threads * (w / sum))));
    total += shares.back();
  }
  // Rounding down leaves some threads. Each is added to the partition that is furthest below its share.
  for (; total < threads; ++total) {
    auto lack            = [&](std::size_t i) { return threads * (weights[i] / sum) - shares[i]; };
    std::size_t neediest = 0;
    for (std::size_t i = 1; i < shares.size(); ++i) {
      if (lack(i) > lack(neediest)) neediest = i;
    }
    if (shares.empty()) break;
    ++shares[neediest];
  }
  return shares;
}

void refuse_index_type(int dimension, std::int64_t bound) {
  throw_runtime_exception(
      "A Kokkos::MDRangePolicy has the bound " + std::to_string(bound) + " in dimension " + std::to_string(dimension) +
      ", but the functor takes its indices as 32-bit integers, which cannot represent it. Let it take "
      "std::int64_t." +
      in_which_kernel());
}

}  // namespace Kokkos::Impl
