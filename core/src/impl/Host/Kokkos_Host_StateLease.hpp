// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_HOST_STATE_LEASE_HPP
#define KOKKOS_HOST_STATE_LEASE_HPP

/// \file
/// A state of a pool of random number generators that a host thread keeps until its part of a kernel ends.
///
/// Taking a state from a pool needs an atomic exchange, because kernels of several instances may share the pool. The
/// exchange waits for all earlier stores of the thread and delays all later loads, which takes as long as several
/// numbers. With a lease, a thread does it once in each kernel:
///
/// 1. The lease begins when a thread inside a kernel takes a state from the pool. For all other threads the state is
///    lent from then on.
/// 2. While it lasts, only its thread reads or writes it. get_state and free_state change `is_lent` and `word`.
/// 3. It ends when the thread's part of the outermost kernel ends, and the state is returned to the pool. If a generator
///    still has the state then, the lease ends without returning it, and free_state returns it to the pool, on whichever
///    thread it is called.

#include <cstdint>

namespace Kokkos::Impl {

struct HostStateLease {
  std::uint64_t const* pool;  // the pool's states; null if there is no lease
  std::uint64_t* words;       // the state in the pool
  std::uint32_t* lock;        // the state's lock; null if the state is one word that is 0 while it is lent
  std::uint64_t word;         // the current value of such a state
  std::uint32_t state;        // the number of the state
  bool is_lent;               // to a generator of this thread

  bool is_of(std::uint64_t const* pool_, std::uint32_t state_) const { return pool == pool_ && state == state_; }
};

/// This thread's lease. constinit avoids the call of an initialisation wrapper at every access.
extern constinit thread_local HostStateLease host_state_lease;

/// Whether this thread is inside a kernel that will end the lease. \pre it has none
bool host_may_lease_state() noexcept;
/// Ends this thread's lease, if it has one.
void host_end_state_lease() noexcept;

}  // namespace Kokkos::Impl

#endif
