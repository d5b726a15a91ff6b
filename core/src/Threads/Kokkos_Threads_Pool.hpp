// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_THREADS_POOL_HPP
#define KOKKOS_THREADS_POOL_HPP

/// \file
/// Start and end of the workers of Kokkos::Threads. run_on_workers is in Kokkos_Threads_Instance.hpp.

namespace Kokkos::Impl {

/// Starts workers until `count` are idle, so that the first kernel does not have to.
/// \throws std::system_error if the system cannot create more threads
void start_workers(int count);

/// Ends all idle workers. No kernel may run.
void end_workers();

/// The number of the calling thread in its team; 0 outside of kernels.
int worker_rank() noexcept;

}  // namespace Kokkos::Impl

#endif
