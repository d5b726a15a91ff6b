// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_ATOMIC_UPDATE_HPP
#define KOKKOS_ATOMIC_UPDATE_HPP

/// \file
/// Atomic accesses to objects of any type, based on the primitives of the machine.
///
/// There are three methods. The type determines the choice, and also the address if the type's alignment is smaller
/// than its size: an instruction for the operation; a loop around compare-exchange of a word of the object's size; a
/// lock. Every function here makes the same choice between word and lock. This is necessary because a lock does not
/// exclude threads that use instructions. All accesses are relaxed: they are atomic, and order nothing else.

#include <Kokkos_Macros.hpp>
#include <impl/atomic/Kokkos_AtomicOperators.hpp>
#ifdef KOKKOS_IMPL_GPU_COMPILER
#include <impl/atomic/Kokkos_GPU_AtomicLocks.hpp>
#endif
#if KOKKOS_IMPL_DEVICE_PASS
#include <impl/atomic/Kokkos_GPU_AtomicPrimitives.hpp>
#else
#include <impl/atomic/Kokkos_Host_AtomicPrimitives.hpp>
#endif

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace Kokkos::Impl {

// The machine's primitives for atomic operations. A backend's struct has the members of HostAtomicPrimitives.
#if KOKKOS_IMPL_DEVICE_PASS
using AtomicPrimitives = DeviceAtomicPrimitives;
#else
using AtomicPrimitives = HostAtomicPrimitives;
#endif

/// Whether objects of type T are accessed as words, given that they are aligned to their size.
template <class T>
inline constexpr bool is_atomic_word_v = std::is_trivially_copyable_v<T> && AtomicPrimitives::has_word(sizeof(T));

/// Whether this object is accessed as a word.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION bool is_atomic_word([[maybe_unused]] T const* p) {
  if constexpr (!is_atomic_word_v<T>) {
    return false;
  } else if constexpr (alignof(T) >= sizeof(T)) {
    return true;
  } else {
    return reinterpret_cast<std::uintptr_t>(p) % sizeof(T) == 0;
  }
}

template <class T>
using atomic_word_t = typename AtomicWord<sizeof(T)>::type;

template <class T>
KOKKOS_FORCEINLINE_FUNCTION atomic_word_t<T> to_atomic_word(T const& value) {
  return __builtin_bit_cast(atomic_word_t<T>, value);
}

template <class T>
KOKKOS_FORCEINLINE_FUNCTION T from_atomic_word(atomic_word_t<T> word) {
  return __builtin_bit_cast(T, word);
}

/// Types with bits that do not affect the value, and types whose value the bits do not determine.
template <class T>
inline constexpr bool is_compared_by_value_v = std::is_same_v<T, long double> || !std::is_trivially_copyable_v<T>;

/// Whether two values are the same: they have the same bits or, for types that are compared by value, are equal.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION bool is_same_value(T const& a, T const& b) {
  if constexpr (is_compared_by_value_v<T>) {
    return a == b;
  } else {
    auto const* const x = reinterpret_cast<unsigned char const*>(&a);
    auto const* const y = reinterpret_cast<unsigned char const*>(&b);
    for (std::size_t i = 0; i < sizeof(T); ++i) {
      if (x[i] != y[i]) return false;
    }
    return true;
  }
}

template <class T>
KOKKOS_FORCEINLINE_FUNCTION T load_atomically(T const* p) {
  if constexpr (is_atomic_word_v<T>) {
    if (Impl::is_atomic_word(p)) return Impl::from_atomic_word<T>(AtomicPrimitives::load<sizeof(T)>(p));
  }
  return AtomicPrimitives::locked(p, [&]() -> T { return *p; });
}

template <class T>
KOKKOS_FORCEINLINE_FUNCTION void store_atomically(T* p, T const& value) {
  if constexpr (is_atomic_word_v<T>) {
    if (Impl::is_atomic_word(p)) return AtomicPrimitives::store<sizeof(T)>(p, Impl::to_atomic_word(value));
  }
  AtomicPrimitives::locked(p, [&]() -> void { *p = value; });
}

template <class T>
KOKKOS_FORCEINLINE_FUNCTION T exchange_atomically(T* p, T const& value) {
  if constexpr (is_atomic_word_v<T>) {
    if (Impl::is_atomic_word(p)) {
      return Impl::from_atomic_word<T>(AtomicPrimitives::exchange<sizeof(T)>(p, Impl::to_atomic_word(value)));
    }
  }
  return AtomicPrimitives::locked(p, [&]() -> T {
    T before(*p);
    *p = value;
    return before;
  });
}

template <class T>
KOKKOS_FORCEINLINE_FUNCTION T compare_exchange_atomically(T* p, T const& expected, T const& desired) {
  if constexpr (is_atomic_word_v<T>) {
    if (Impl::is_atomic_word(p)) {
      return Impl::from_atomic_word<T>(AtomicPrimitives::compare_exchange<sizeof(T)>(p, Impl::to_atomic_word(expected),
                                                                               Impl::to_atomic_word(desired)));
    }
  }
  return AtomicPrimitives::locked(p, [&]() -> T {
    T before(*p);
    if (Impl::is_same_value(before, expected)) *p = desired;
    return before;
  });
}

/// Replaces the object by Op::apply(object, operand).
/// \return The old value.
///
/// An update that would not change the bits writes nothing. A relaxed update may do that, and it prevents the cache
/// line of a maximum that many threads update from moving between their caches.
template <class Op, class T, class Operand>
KOKKOS_FORCEINLINE_FUNCTION T update_by_word(T* p, Operand const& operand) {
  auto before = AtomicPrimitives::load<sizeof(T)>(p);
  while (true) {
    auto const after = Impl::to_atomic_word(Op::apply(Impl::from_atomic_word<T>(before), operand));
    if (after == before) break;
    auto const found = AtomicPrimitives::compare_exchange<sizeof(T)>(p, before, after);
    if (found == before) break;
    before = found;
  }
  return Impl::from_atomic_word<T>(before);
}

template <class Op, class T, class Operand>
KOKKOS_FORCEINLINE_FUNCTION T update_atomically(T* p, Operand const& operand) {
  if constexpr (AtomicPrimitives::template has_fetch<Op, T>) {
    if constexpr (std::is_same_v<Operand, AtomicNoOperand>) {
      return AtomicPrimitives::template fetch<Op>(p, T(1));
    } else {
      return AtomicPrimitives::template fetch<Op>(p, operand);
    }
  } else {
    if constexpr (is_atomic_word_v<T>) {
      if (Impl::is_atomic_word(p)) return Impl::update_by_word<Op>(p, operand);
    }
    return AtomicPrimitives::locked(p, [&]() -> T {
      T before(*p);
      *p = Op::apply(before, operand);
      return before;
    });
  }
}

}  // namespace Kokkos::Impl

#endif
