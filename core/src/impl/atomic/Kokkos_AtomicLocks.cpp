// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// \file
/// The table of locks for atomic operations on objects that no machine instruction supports.

#include <impl/atomic/Kokkos_Host_AtomicPrimitives.hpp>

#include <thread>

namespace Kokkos::Impl {

alignas(64) constinit AtomicLock atomic_locks[1u << atomic_lock_count_log2] = {};

namespace {

void pause_processor() noexcept {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

}  // namespace

void wait_for_atomic_lock(AtomicLock& lock) noexcept {
  // Waiting threads only read, so that the cache line stays shared until the owner writes it; an exchange is attempted
  // only when the lock was seen free. With more threads than processors the owner may not be running. So after a while
  // this thread yields its processor.
  constexpr int spins_before_yield = 256;
  int spins                        = 0;
  do {
    while (__atomic_load_n(&lock.taken, __ATOMIC_RELAXED) != 0) {
      if (++spins < spins_before_yield) {
        pause_processor();
      } else {
        std::this_thread::yield();
      }
    }
  } while (__atomic_exchange_n(&lock.taken, 1u, __ATOMIC_ACQUIRE) != 0);
}

}  // namespace Kokkos::Impl
