// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_HOST_TEAMBARRIER_HPP
#define KOKKOS_HOST_TEAMBARRIER_HPP

/// \file
/// Where the threads of a host team wait for each other.

#include <Host/Kokkos_Host_Instance.hpp>

#include <cstdint>

namespace Kokkos::Impl {

/// A barrier that can be used any number of times. The last thread to arrive may do something before the others go on;
/// as these stand still meanwhile, it may even read and write what they have on their stacks. All collective operations
/// of a team are done that way: they cost one barrier, and values of any type and size move without a buffer.
///
/// Why it is right. `m_phase` counts the times that the barrier was passed.
/// - A thread reads the phase before it arrives. The phase cannot change before this thread arrives, and the thread has
///   seen every change up to here (it waited for the latest one, or was started after the barrier was made), so the
///   relaxed load returns the current phase.
/// - Arriving is an atomic addition that releases and acquires. The additions of one phase follow each other in the
///   modification order of `m_arrived` and each reads the one before, so the last one to arrive synchronises with all
///   others: it sees everything that they did before.
/// - It alone resets `m_arrived` and runs `last`, then stores the new phase with release. The others leave when an
///   acquire load shows them that phase: they see what `last` did, what every thread did before it arrived, and the
///   reset, so that their next arrival counts from 0.
/// - Nobody can take a phase for an earlier one with the same number: for that to happen it would have to sleep through
///   2^32 phases, but the next one cannot end without it.
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

  // On lines of their own: those who wait read the one, those who arrive write the other.
  alignas(host_line_bytes) std::uint32_t m_arrived = 0;
  alignas(host_line_bytes) std::uint32_t m_phase   = 0;
};

}  // namespace Kokkos::Impl

#endif
