// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_HOST_ATOMIC_PRIMITIVES_HPP
#define KOKKOS_HOST_ATOMIC_PRIMITIVES_HPP

/// \file
/// The host's primitives for atomic operations: the compiler's atomic builtins for words, locks for other objects.

#include <Kokkos_Macros.hpp>
#include <impl/atomic/Kokkos_AtomicOperators.hpp>
#include <impl/atomic/Kokkos_AtomicWord.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace Kokkos::Impl {

/// One lock of the table, on its own cache line so that neighbours do not slow each other down.
struct alignas(64) AtomicLock {
  std::uint32_t taken;
};

inline constexpr unsigned atomic_lock_count_log2 = 10;
extern AtomicLock atomic_locks[1u << atomic_lock_count_log2];

/// Waits until the lock is free, and takes it.
void wait_for_atomic_lock(AtomicLock&) noexcept;

/// The lock that guards the object at `address`.
///
/// It depends only on the address, never on type or size, so that all threads that access an object by that address use
/// the same lock. Two objects may share a lock: that costs time, not correctness.
inline AtomicLock& atomic_lock_of(void const volatile* address) noexcept {
  // Fibonacci hashing of the address without its low bits, which are the same for all objects of 8 bytes and more.
  auto const key = static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(address)) >> 3;
  return atomic_locks[key * UINT64_C(0x9E3779B97F4A7C15) >> (64 - atomic_lock_count_log2)];
}

/// Holds the lock of an address during its lifetime.
///
/// Ordering: the exchange that takes a lock is an acquire operation, and the store that releases it is a release
/// operation on the same word. The next owner of the lock therefore sees every plain write of the previous owner to the
/// object, and no access to the object can move out of the section. So the object itself may be accessed by plain loads
/// and stores, because each access to it happens under its lock.
///
/// Deadlock: a thread holds one lock at a time, because the operators that run under it are those of
/// Kokkos_AtomicOperators.hpp, or the `==` of a compare-exchange, applied to plain values. A user's operator must not
/// itself use an atomic operation on an object that needs a lock.
class AtomicLockGuard {
 public:
  explicit AtomicLockGuard(void const volatile* address) noexcept : m_lock(atomic_lock_of(address)) {
    if (__atomic_exchange_n(&m_lock.taken, 1u, __ATOMIC_ACQUIRE) != 0) wait_for_atomic_lock(m_lock);
  }
  ~AtomicLockGuard() { __atomic_store_n(&m_lock.taken, 0u, __ATOMIC_RELEASE); }
  AtomicLockGuard(AtomicLockGuard const&)            = delete;
  AtomicLockGuard& operator=(AtomicLockGuard const&) = delete;

 private:
  AtomicLock& m_lock;
};

/// The primitives on the host. The comments of the members specify what a backend's own struct must provide.
struct HostAtomicPrimitives {
  /// Whether the machine changes words of this many bytes atomically.
  ///
  /// Not 16: compiler options determine whether cmpxchg16b and similar instructions may be used, and two translation
  /// units with different options would not exclude each other. The whole program must agree, so this size uses locks.
  static constexpr bool has_word(std::size_t bytes) { return bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8; }

  // `p` is the address of an object of `Bytes` bytes of any type, aligned to its size; has_word(Bytes) is true. All
  // orders are relaxed.
  template <std::size_t Bytes>
  static atomic_word_of_size_t<Bytes> load(void const* p) {
    return __atomic_load_n(static_cast<typename AtomicWord<Bytes>::aliasing const*>(p), __ATOMIC_RELAXED);
  }
  /// A load that may hit a cache which other threads write past, where the machine has such caches.
  template <std::size_t Bytes>
  static atomic_word_of_size_t<Bytes> load_cached(void const* p) {
    return load<Bytes>(p);
  }
  template <std::size_t Bytes>
  static void store(void* p, atomic_word_of_size_t<Bytes> value) {
    __atomic_store_n(static_cast<typename AtomicWord<Bytes>::aliasing*>(p), value, __ATOMIC_RELAXED);
  }
  template <std::size_t Bytes>
  static atomic_word_of_size_t<Bytes> exchange(void* p, atomic_word_of_size_t<Bytes> value) {
    return __atomic_exchange_n(static_cast<typename AtomicWord<Bytes>::aliasing*>(p), value, __ATOMIC_RELAXED);
  }
  /// \return The old value of the word: equal to `expected` exactly if `desired` was written.
  template <std::size_t Bytes>
  static atomic_word_of_size_t<Bytes> compare_exchange(void* p, atomic_word_of_size_t<Bytes> expected,
                                                       atomic_word_of_size_t<Bytes> desired) {
    __atomic_compare_exchange_n(static_cast<typename AtomicWord<Bytes>::aliasing*>(p), &expected, desired, false,
                                __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    return expected;
  }

  /// Whether `fetch<Op>` exists for objects of type T; otherwise the operation is a loop around compare_exchange.
  template <class Op, class T>
  static constexpr bool has_fetch =
      std::is_integral_v<T> && !std::is_same_v<T, bool> && has_word(sizeof(T)) &&
      (std::is_same_v<Op, AtomicAdd> || std::is_same_v<Op, AtomicSub> || std::is_same_v<Op, AtomicAnd> ||
       std::is_same_v<Op, AtomicOr> || std::is_same_v<Op, AtomicXor> || std::is_same_v<Op, AtomicNand> ||
       std::is_same_v<Op, AtomicInc> || std::is_same_v<Op, AtomicDec>);

  /// \return The old value.
  template <class Op, class T>
  static T fetch(T* p, [[maybe_unused]] T value) {
    if constexpr (std::is_same_v<Op, AtomicAdd>) {
      return __atomic_fetch_add(p, value, __ATOMIC_RELAXED);
    } else if constexpr (std::is_same_v<Op, AtomicSub>) {
      return __atomic_fetch_sub(p, value, __ATOMIC_RELAXED);
    } else if constexpr (std::is_same_v<Op, AtomicAnd>) {
      return __atomic_fetch_and(p, value, __ATOMIC_RELAXED);
    } else if constexpr (std::is_same_v<Op, AtomicOr>) {
      return __atomic_fetch_or(p, value, __ATOMIC_RELAXED);
    } else if constexpr (std::is_same_v<Op, AtomicXor>) {
      return __atomic_fetch_xor(p, value, __ATOMIC_RELAXED);
    } else if constexpr (std::is_same_v<Op, AtomicNand>) {
      return __atomic_fetch_nand(p, value, __ATOMIC_RELAXED);
    } else if constexpr (std::is_same_v<Op, AtomicInc>) {
      return __atomic_fetch_add(p, T(1), __ATOMIC_RELAXED);
    } else {
      static_assert(std::is_same_v<Op, AtomicDec>);
      return __atomic_fetch_sub(p, T(1), __ATOMIC_RELAXED);
    }
  }

  /// Calls `section()` while no other thread is in a section for the same address.
  template <class Section>
  static auto locked(void const volatile* address, Section const& section) {
    AtomicLockGuard guard(address);
    return section();
  }

  /// Orders all memory operations of the calling thread before it against all after it, for every thread.
  static void fence() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
  /// The part of fence() that hands memory over between threads: it need not order a store before a later load.
  static void fence_acquire_release() { __atomic_thread_fence(__ATOMIC_ACQ_REL); }
};

}  // namespace Kokkos::Impl

#endif
