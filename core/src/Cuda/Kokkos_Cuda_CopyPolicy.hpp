// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_CUDA_COPY_POLICY_HPP
#define KOKKOS_CUDA_COPY_POLICY_HPP

/// \file
/// The numbers of copies with CUDA. Needs no header of CUDA.

#include <impl/GPU/portable/Kokkos_GPU_CopyPolicy.hpp>

namespace Kokkos::Impl {

inline constexpr CopyPolicy cuda_copy_policy = [] {
  CopyPolicy policy;
  // CUDA 13 reads sources of up to 1 MiB during the call, even if the stream is busy.
  policy.read_by_runtime_bytes = CopyPolicy::MiB;
  // On an H200, staged copies take 0.75 of the runtime's time for 1 MiB to the host, 0.75 for 2 MiB to the device, and
  // 0.55 for 2 MiB to the host.
  policy.runtime_bytes         = CopyPolicy::MiB;
  policy.runtime_to_host_bytes = 768 * CopyPolicy::KiB;
  // On an H100 each of the runtime's copies adds 2.5 us to the launch of a graph, and kernels add nothing.
  policy.graph_kernel_bytes = 64 * CopyPolicy::KiB;
  return policy;
}();

}  // namespace Kokkos::Impl

#endif
