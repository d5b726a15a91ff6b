// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_ATOMIC_PRIMITIVES_HPP
#define KOKKOS_GPU_ATOMIC_PRIMITIVES_HPP

/// \file
/// The instructions that atomic operations use in kernels. CUDA and HIP have the same names for them.

#include <impl/atomic/Kokkos_GPU_AtomicLocks.hpp>
#include <Kokkos_Macros.hpp>
#include <impl/atomic/Kokkos_AtomicOperators.hpp>
#include <impl/atomic/Kokkos_AtomicWord.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace Kokkos::Impl {

/// Members have the same meaning as in HostAtomicPrimitives.
struct DeviceAtomicPrimitives {
  static constexpr bool has_word(std::size_t bytes) { return bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8; }

  /// The machine's type for a word of this size.
  template <std::size_t Bytes>
  using word = std::conditional_t<Bytes == 8, unsigned long long, unsigned>;

  template <std::size_t Bytes>
  KOKKOS_IMPL_DEVICE static atomic_word_of_size_t<Bytes> load(void const* p) {
    return *static_cast<typename AtomicWord<Bytes>::aliasing const volatile*>(p);
  }
  /// May hit the cache of the multiprocessor, which a volatile load bypasses: the scope of a block allows that. The asm
  /// keeps the compiler from moving the load out of a loop.
  template <std::size_t Bytes>
  KOKKOS_IMPL_DEVICE static atomic_word_of_size_t<Bytes> load_cached(void const* p) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700
    if constexpr (Bytes == 8) {
      unsigned long long value;
      asm volatile("ld.relaxed.cta.u64 %0, [%1];" : "=l"(value) : "l"(p) : "memory");
      return value;
    } else if constexpr (Bytes == 4) {
      unsigned value;
      asm volatile("ld.relaxed.cta.u32 %0, [%1];" : "=r"(value) : "l"(p) : "memory");
      return value;
    }
#endif
    return load<Bytes>(p);
  }
  template <std::size_t Bytes>
  KOKKOS_IMPL_DEVICE static void store(void* p, atomic_word_of_size_t<Bytes> value) {
    *static_cast<typename AtomicWord<Bytes>::aliasing volatile*>(p) = value;
  }
  template <std::size_t Bytes>
  KOKKOS_IMPL_DEVICE static atomic_word_of_size_t<Bytes> exchange(void* p, atomic_word_of_size_t<Bytes> value) {
    if constexpr (Bytes >= 4) {
      return static_cast<atomic_word_of_size_t<Bytes>>(atomicExch(static_cast<word<Bytes>*>(p), word<Bytes>(value)));
    } else {
      auto seen = load<Bytes>(p);
      for (;;) {
        auto const found = compare_exchange<Bytes>(p, seen, value);
        if (found == seen) return seen;
        seen = found;
      }
    }
  }
  template <std::size_t Bytes>
  KOKKOS_IMPL_DEVICE static atomic_word_of_size_t<Bytes> compare_exchange(void* p,
                                                                          atomic_word_of_size_t<Bytes> expected,
                                                                          atomic_word_of_size_t<Bytes> desired) {
    using W = atomic_word_of_size_t<Bytes>;
    if constexpr (Bytes >= 4) {
      return static_cast<W>(atomicCAS(static_cast<word<Bytes>*>(p), word<Bytes>(expected), word<Bytes>(desired)));
    } else {
      return static_cast<W>(compare_exchange_within<Bytes>(p, expected, desired));
    }
  }

  template <class Op, class T>
  static constexpr bool is_arithmetic_sum = std::is_same_v<Op, AtomicAdd> || std::is_same_v<Op, AtomicSub>;
  template <class Op>
  static constexpr bool is_bitwise =
      std::is_same_v<Op, AtomicAnd> || std::is_same_v<Op, AtomicOr> || std::is_same_v<Op, AtomicXor>;
  template <class Op>
  static constexpr bool is_step = std::is_same_v<Op, AtomicInc> || std::is_same_v<Op, AtomicDec>;
  template <class T>
  static constexpr bool is_machine_integer =
      std::is_integral_v<T> && !std::is_same_v<T, bool> && (sizeof(T) == 4 || sizeof(T) == 8);

  template <class Op, class T>
  static constexpr bool has_fetch =
      (is_machine_integer<T> && (is_arithmetic_sum<Op, T> || is_bitwise<Op> || is_step<Op>)) ||
      ((std::is_same_v<T, float> || std::is_same_v<T, double>) && is_arithmetic_sum<Op, T>);

  template <class Op, class T>
  KOKKOS_IMPL_DEVICE static T fetch(T* p, [[maybe_unused]] T value) {
    if constexpr (std::is_floating_point_v<T>) {
      return atomicAdd(p, std::is_same_v<Op, AtomicAdd> ? value : -value);
    } else {
      using W    = word<sizeof(T)>;
      W* const w = reinterpret_cast<W*>(p);
      // Integers wrap around, so a subtraction is an addition.
      if constexpr (std::is_same_v<Op, AtomicAdd>) return static_cast<T>(atomicAdd(w, static_cast<W>(value)));
      if constexpr (std::is_same_v<Op, AtomicSub>) return static_cast<T>(atomicAdd(w, W(0) - static_cast<W>(value)));
      if constexpr (std::is_same_v<Op, AtomicInc>) return static_cast<T>(atomicAdd(w, W(1)));
      if constexpr (std::is_same_v<Op, AtomicDec>) return static_cast<T>(atomicAdd(w, W(0) - W(1)));
      if constexpr (std::is_same_v<Op, AtomicAnd>) return static_cast<T>(atomicAnd(w, static_cast<W>(value)));
      if constexpr (std::is_same_v<Op, AtomicOr>) return static_cast<T>(atomicOr(w, static_cast<W>(value)));
      if constexpr (std::is_same_v<Op, AtomicXor>) return static_cast<T>(atomicXor(w, static_cast<W>(value)));
    }
  }

  /// Whether a lane of the wavefront that executes this call waits; elsewhere, whether this thread waits.
  ///
  /// The condition of a loop in which lanes wait for other lanes of their wavefront on an AMD GPU. With a condition of
  /// each lane alone, the last statements of a lane that leaves the loop belong to the code behind the loop for the
  /// compiler, and a wavefront runs that code when all of its lanes have left: a lane that would release a lock there
  /// waits for lanes that wait for the lock (clang 22 compiles such a loop in this way, clang 15 does not). All lanes
  /// leave this loop together, so what they do before is inside of it. Threads of CUDA advance independently.
  KOKKOS_IMPL_DEVICE static bool is_any_waiting(bool waiting) {
#if defined(__AMDGCN__)
    return __any(waiting) != 0;
#else
    return waiting;
#endif
  }

  /// Several lanes of a warp may need the same lock. Each enters when it gets the lock and leaves before the others
  /// retry, so no lane inside waits for one outside.
  template <class Section>
  KOKKOS_IMPL_DEVICE static auto locked(void const volatile* address, Section const& section) {
    unsigned* const lock = gpu_atomic_lock_of(address);
    using Result         = decltype(section());
    if constexpr (std::is_void_v<Result>) {
      for (bool waiting = true; is_any_waiting(waiting);) {
        if (waiting && atomicCAS(lock, 0u, 1u) == 0u) {
          __threadfence();
          section();
          __threadfence();
          atomicExch(lock, 0u);
          waiting = false;
        }
      }
    } else {
      alignas(Result) unsigned char result[sizeof(Result)];
      for (bool waiting = true; is_any_waiting(waiting);) {
        if (waiting && atomicCAS(lock, 0u, 1u) == 0u) {
          __threadfence();
          ::new (static_cast<void*>(result)) Result(section());
          __threadfence();
          atomicExch(lock, 0u);
          waiting = false;
        }
      }
      return Result(*reinterpret_cast<Result*>(result));
    }
  }

  KOKKOS_IMPL_DEVICE static void fence() { __threadfence(); }
  /// The part of fence() that hands memory over between threads: it need not order a store before a later load.
  /// __threadfence orders that, too.
  KOKKOS_IMPL_DEVICE static void fence_acquire_release() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700
    asm volatile("fence.acq_rel.gpu;" ::: "memory");
#else
    __threadfence();
#endif
  }

 private:
  /// Changes one or two bytes of the 32-bit word that contains them.
  template <std::size_t Bytes>
  KOKKOS_IMPL_DEVICE static unsigned compare_exchange_within(void* p, unsigned expected, unsigned desired) {
    auto const address   = reinterpret_cast<std::uintptr_t>(p);
    unsigned* const word = reinterpret_cast<unsigned*>(address & ~std::uintptr_t(3));
    unsigned const shift = static_cast<unsigned>(address & 3) * 8;
    unsigned const mask  = ((1u << (Bytes * 8)) - 1) << shift;
    unsigned seen        = *static_cast<unsigned volatile*>(word);
    while ((seen & mask) >> shift == expected) {
      unsigned const found = atomicCAS(word, seen, (seen & ~mask) | (desired << shift));
      if (found == seen) break;
      seen = found;
    }
    return (seen & mask) >> shift;
  }
};

}  // namespace Kokkos::Impl

#endif
