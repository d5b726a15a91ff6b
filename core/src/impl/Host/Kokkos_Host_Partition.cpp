// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The division of iterations among threads and of an instance's threads among partitions, and errors of iteration
/// ranges.

#include <impl/Host/Kokkos_Host_Iterations.hpp>
#include <impl/Host/Kokkos_Host_Partition.hpp>
#include <impl/Host/Kokkos_Host_ThreadShares.hpp>
#include <impl/runtime/Kokkos_Error.hpp>
#include <impl/runtime/Kokkos_KernelLabel.hpp>

#include <algorithm>
#include <numeric>
#include <string>

namespace Kokkos::Impl {

HostPart host_part_of_several(std::uint64_t n, int rank, int size) noexcept {
  std::uint64_t const parts = static_cast<std::uint64_t>(size);
  std::uint64_t length      = n / parts;
  if (length < 1024) {
    // If there are few iterations, each may be long. So the parts differ by at most one iteration.
    std::uint64_t const longer = n % parts;
    std::uint64_t const r      = static_cast<std::uint64_t>(rank);
    std::uint64_t const begin  = r * length + (r < longer ? r : longer);
    return {begin, begin + length + (r < longer ? 1 : 0)};
  }
  // Large numbers: parts begin at multiples of 16, so that they share no cache line and vectors stay aligned.
  length                    = (length + 16) & ~std::uint64_t{15};
  std::uint64_t const begin = static_cast<std::uint64_t>(rank) * length;
  return {begin < n ? begin : n, begin + length < n ? begin + length : n};
}

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
