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
#include <impl/atomic/Kokkos_ValueBits.hpp>
#ifdef KOKKOS_IMPL_GPU_COMPILER
#include <impl/atomic/Kokkos_GPU_AtomicLocks.hpp>
#endif
#if KOKKOS_IMPL_DEVICE_PASS
#include <impl/atomic/Kokkos_GPU_AtomicPrimitives.hpp>
#else
#include <impl/atomic/Kokkos_Host_AtomicPrimitives.hpp>
#endif
// HIP's compiler lists the headers of the host pass only as dependencies of an object. The question adds this one.
#if defined(KOKKOS_IMPL_GPU_COMPILER) && __has_include(<impl/atomic/Kokkos_GPU_AtomicPrimitives.hpp>)
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

// When a compare-exchange finds the expected value
//
// **Numbers, pointers and enumerations** have no padding, and the machine's comparison of their bits is used as it is:
// a zero differs from a zero of the other sign, and a NaN is the same as a NaN with the same bits. This is also what
// std::atomic_ref does. Classes of the size of a word in which every bit belongs to the value are treated likewise.
//
// **Other classes** are compared by their operator `==`, if they have one, because the usual loop
//
//     do { assumed = old; old = atomic_compare_exchange(p, assumed, next(assumed)); } while (!(old == assumed));
//
// ends if `==` holds, so the exchange must have happened exactly in this case. Bits would lose updates in two ways:
// copies need not preserve padding, so `assumed` may have other bits than the object that it was copied from, and a
// zero of the other sign is equal, although its bits differ.
//
// A value that is not equal to itself contains a NaN. Such a value is compared by the bits that belong to the value, so
// that a loop that uses the result of atomic_compare_exchange_strong ends.
//
// **Classes without `==`** are compared by the bits that belong to the value.
//
// `long double` has padding on some machines, so it is treated like a class with `==`.

/// Whether values of type T are the same exactly if all their bits are.
template <class T>
inline constexpr bool is_compared_by_bits_v = (std::is_scalar_v<T> && !std::is_same_v<T, long double>) ||
                                              (is_atomic_word_v<T> && std::has_unique_object_representations_v<T>);

template <class T>
concept HasEquality = requires(T const& a, T const& b) { static_cast<bool>(a == b); };

template <class T>
KOKKOS_FORCEINLINE_FUNCTION bool is_same_value(T const& a, T const& b) {
  if constexpr (!std::is_trivially_copyable_v<T>) {
    return a == b;
  } else if constexpr (HasEquality<T> && !is_compared_by_bits_v<T>) {
    if (a == b) return true;
    return !(a == a) && Impl::has_same_value_bits(a, b);
  } else if constexpr (is_compared_by_bits_v<T>) {
    return Impl::has_same_bits(a, b);
  } else {
    return Impl::has_same_value_bits(a, b);
  }
}

/// The word of a value. Bits that do not belong to the value are zero, if they are known.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION atomic_word_t<T> to_atomic_word(T const& value) {
  if constexpr (is_compared_by_bits_v<T>) {
    return __builtin_bit_cast(atomic_word_t<T>, value);
  } else {
    T copy(value);
    Impl::clear_padding(copy);
    return __builtin_bit_cast(atomic_word_t<T>, copy);
  }
}

template <class T>
KOKKOS_FORCEINLINE_FUNCTION T from_atomic_word(atomic_word_t<T> word) {
  return __builtin_bit_cast(T, word);
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

/// The outcome of a compare-exchange.
template <class T>
struct CompareExchangeResult {
  T before;      ///< the old value
  bool written;  ///< whether the object had the expected value, so that the desired one was written
};

/// The machine compares all bits of a word. So if the object has the expected value, but other bits, they are passed to
/// the machine as what it should expect. Each repetition means that another thread has written meanwhile, so one thread
/// always makes progress.
///
/// Atomic functions write words whose padding is zero, if it is known. The first attempt expects such a word, so that
/// the object need not be loaded before.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION CompareExchangeResult<T> compare_exchange_by_word(T* p, T const& expected,
                                                                              T const& desired) {
  constexpr std::size_t bytes = sizeof(T);
  auto const word             = Impl::to_atomic_word(desired);
  if constexpr (is_compared_by_bits_v<T>) {
    auto const wanted = Impl::to_atomic_word(expected);
    auto const found  = AtomicPrimitives::compare_exchange<bytes>(p, wanted, word);
    return {Impl::from_atomic_word<T>(found), found == wanted};
  } else {
    atomic_word_t<T> seen;
    if constexpr (Impl::can_clear_padding<T>()) {
      auto const wanted = Impl::to_atomic_word(expected);
      seen              = AtomicPrimitives::compare_exchange<bytes>(p, wanted, word);
      if (seen == wanted) return {Impl::from_atomic_word<T>(seen), true};
    } else {
      seen = AtomicPrimitives::load<bytes>(p);
    }
    while (Impl::is_same_value(Impl::from_atomic_word<T>(seen), expected)) {
      auto const found = AtomicPrimitives::compare_exchange<bytes>(p, seen, word);
      if (found == seen) return {Impl::from_atomic_word<T>(seen), true};
      seen = found;
    }
    return {Impl::from_atomic_word<T>(seen), false};
  }
}

template <class T>
KOKKOS_FORCEINLINE_FUNCTION CompareExchangeResult<T> compare_exchange_atomically(T* p, T const& expected,
                                                                                 T const& desired) {
  if constexpr (is_atomic_word_v<T>) {
    if (Impl::is_atomic_word(p)) return Impl::compare_exchange_by_word(p, expected, desired);
  }
  return AtomicPrimitives::locked(p, [&]() -> CompareExchangeResult<T> {
    T before(*p);
    bool const written = Impl::is_same_value(before, expected);
    if (written) *p = desired;
    return {before, written};
  });
}

template <class Op, class T, class Operand>
concept MayKeepTheValue = requires(T const& before, Operand const& operand) { Op::keeps(before, operand); };

/// Replaces the object by Op::apply(object, operand).
/// \return The old value.
///
/// An update that would not change the value writes nothing. A relaxed update may do that, and it prevents the cache
/// line of a maximum that many threads update from moving between their caches. Sums are not compared: they are hardly
/// ever the same, and a processor does not request the line to write before it knows the outcome of the comparison, which
/// costs a tenth of the time where many threads add.
///
/// The first load may hit a cache that other threads write past, so that it returns an earlier value of the object, but
/// none from before the last fence or barrier of this thread. If that value is kept, it is returned: no order says that
/// this update follows the writes which the cache has missed, so it may precede them. Otherwise the compare-exchange,
/// which bypasses the cache, finds the current value.
template <class Op, class T, class Operand>
KOKKOS_FORCEINLINE_FUNCTION T update_by_word(T* p, Operand const& operand) {
  constexpr std::size_t bytes = sizeof(T);
  constexpr bool may_keep     = MayKeepTheValue<Op, T, Operand>;
  constexpr bool is_compared  = !may_keep && !std::is_same_v<Op, AtomicAdd> && !std::is_same_v<Op, AtomicSub>;
  auto before                 = may_keep ? AtomicPrimitives::load_cached<bytes>(p) : AtomicPrimitives::load<bytes>(p);
  while (true) {
    if constexpr (may_keep) {
      if (Op::keeps(Impl::from_atomic_word<T>(before), operand)) break;
    }
    auto const after = Impl::to_atomic_word(Op::apply(Impl::from_atomic_word<T>(before), operand));
    if (is_compared && after == before) break;
    auto const found = AtomicPrimitives::compare_exchange<bytes>(p, before, after);
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
