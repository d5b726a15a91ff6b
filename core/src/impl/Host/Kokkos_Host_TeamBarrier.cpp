// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Waiting at the barrier of a host team.

#include <impl/Host/Kokkos_Host_TeamBarrier.hpp>

#include <thread>

namespace Kokkos::Impl {

namespace {

/// Informs the processor that this is a spin loop.
inline void relax() noexcept {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ __volatile__("yield");
#endif
}

}  // namespace

// A few microseconds of spinning suffice for team members that run on their own cores. After that another thread
// probably needs this core, so this thread yields repeatedly. With more threads than cores, further spinning would cost
// a time slice of the operating system at each barrier.
void HostTeamBarrier::wait_until_past(std::uint32_t phase) const noexcept {
  for (int i = 0; i < 128; ++i) {
    if (__atomic_load_n(&m_phase, __ATOMIC_ACQUIRE) != phase) return;
    relax();
  }
  while (__atomic_load_n(&m_phase, __ATOMIC_ACQUIRE) == phase) std::this_thread::yield();
}

}  // namespace Kokkos::Impl
