// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_HOST_TEAMBARRIER_HPP
#define KOKKOS_HOST_TEAMBARRIER_HPP

/// \file
/// The barrier of a host team.

#include <impl/Host/Kokkos_Host_Instance.hpp>

#include <cstdint>

namespace Kokkos::Impl {

/// A reusable barrier. The last thread to arrive may run a function before the others continue. Meanwhile the others
/// are blocked, so the function may even read and write objects on their stacks. All collective operations of a team
/// use this: they cost one barrier, and values of any type and size are exchanged without a buffer.
///
/// Why it is correct. `m_phase` counts the passages of the barrier.
/// - A thread reads the phase before it arrives. The phase cannot change before this thread arrives, and the thread has
///   seen every earlier change (it waited for the latest one, or was started after the barrier was created). So the
///   relaxed load returns the current phase.
/// - An arrival is an atomic addition with release and acquire. The additions of one phase follow each other in the
///   modification order of `m_arrived`, and each reads the result of the one before. So the last arrival synchronises
///   with all others: that thread sees everything that they did before.
/// - Only the last thread resets `m_arrived` and runs `last`, then stores the new phase with release. The others leave
///   when an acquire load returns that phase. They see the effects of `last`, the actions of every thread before its
///   arrival, and the reset, so their next arrival counts from 0.
/// - No thread can mistake a phase for an earlier one with the same number: it would have to sleep through 2^32 phases,
///   but the next phase cannot end without it.
class HostTeamBarrier {
 public:
  /// Returns when `size` threads have arrived and the last of them has called last().
  template <class Last>
  void arrive(int size, Last const& last) noexcept {
    std::uint32_t const phase = __atomic_load_n(&m_phase, __ATOMIC_RELAXED);
    if (__atomic_fetch_add(&m_arrived, 1, __ATOMIC_ACQ_REL) + 1 == static_cast<std::uint32_t>(size)) {
      __atomic_store_n(&m_arrived, 0, __ATOMIC_RELAXED);
      last();
      __atomic_store_n(&m_phase, phase + 1, __ATOMIC_RELEASE);
    } else {
      wait_until_past(phase);
    }
  }

 private:
  void wait_until_past(std::uint32_t phase) const noexcept;

  // On separate cache lines: waiting threads read one, arriving threads write the other.
  alignas(host_line_bytes) std::uint32_t m_arrived = 0;
  alignas(host_line_bytes) std::uint32_t m_phase   = 0;
};

}  // namespace Kokkos::Impl

#endif
