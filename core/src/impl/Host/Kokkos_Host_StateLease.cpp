// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The end of a lease.

#include <impl/Host/Kokkos_Host_StateLease.hpp>
#include <impl/Host/Kokkos_Host_Instance.hpp>

namespace Kokkos::Impl {

constinit thread_local HostStateLease host_state_lease = {};

bool host_may_lease_state() noexcept {
  if (host_kernel_depth == 0) return false;
  host_at_kernel_end = host_end_state_lease;
  return true;
}

void host_end_state_lease() noexcept {
  HostStateLease& lease = host_state_lease;
  if (lease.pool != nullptr && !lease.is_lent) {
    // release: the numbers drawn so far happen before those of the next thread that takes the state.
    if (lease.lock != nullptr)
      __atomic_store_n(lease.lock, 0u, __ATOMIC_RELEASE);
    else
      __atomic_store_n(lease.words, lease.word, __ATOMIC_RELEASE);
  }
  lease              = {};
  host_at_kernel_end = nullptr;
}

}  // namespace Kokkos::Impl
