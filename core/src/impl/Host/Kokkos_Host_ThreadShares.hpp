// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_HOST_THREAD_SHARES_HPP
#define KOKKOS_HOST_THREAD_SHARES_HPP

/// \file
/// The distribution of threads over the partitions of an instance. For sources: Kokkos_Core.hpp does not include <vector>.

#include <vector>

#pragma GCC visibility push(hidden)  // for the sources of the library alone
namespace Kokkos::Impl {

/// Divides `threads` threads in proportion to the weights, with at least one thread for each part.
/// Precondition: check_partition_weights accepts the weights.
std::vector<int> host_share_threads(int threads, std::vector<double> const& weights);

}  // namespace Kokkos::Impl
#pragma GCC visibility pop

#endif
