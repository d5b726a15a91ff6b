// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_ATOMIC_HPP
#define KOKKOS_ATOMIC_HPP

/// \file
/// Atomic functions, for objects of any copyable type, on the host and in kernels.
///
/// Each takes the address of an object. While several threads access the object concurrently, all of them must use
/// these functions; the pointer may be to volatile. The functions are atomic for all threads that can access the
/// object, and order nothing else (memory order relaxed); fences and the end of a kernel provide order. Trivially
/// copyable types of 1, 2, 4 and 8 bytes are changed without locks. Objects of other types are copied and assigned
/// while a lock is held, which is correct but slower. An updated type needs the corresponding operator (`+` or `+=` for
/// atomic_add).

#include <Kokkos_Macros.hpp>
#include <impl/atomic/Kokkos_AtomicUpdate.hpp>

#include <type_traits>

namespace Kokkos {

namespace Impl {

/// The argument and return type of an atomic function for an object of type `T`.
template <class T>
using atomic_value_t = std::remove_cv_t<T>;

/// The second and third arguments convert to the type of the object; they do not take part in deduction.
template <class T>
using atomic_argument_t = std::type_identity_t<std::remove_cv_t<T>>;

template <class T>
KOKKOS_FORCEINLINE_FUNCTION atomic_value_t<T>* atomic_object(T* p) {
  return const_cast<atomic_value_t<T>*>(p);
}

}  // namespace Impl

/// \return The value of the object.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION Impl::atomic_value_t<T> atomic_load(T* p) {
  return Impl::load_atomically(Impl::atomic_object(p));
}

/// Replaces the value of the object.
template <class T>
  requires(!std::is_const_v<T>)
KOKKOS_FORCEINLINE_FUNCTION void atomic_store(T* p, Impl::atomic_argument_t<T> value) {
  Impl::store_atomically(Impl::atomic_object(p), value);
}

/// Replaces the value of the object.
/// \return The old value.
template <class T>
  requires(!std::is_const_v<T>)
KOKKOS_FORCEINLINE_FUNCTION Impl::atomic_value_t<T> atomic_exchange(T* p, Impl::atomic_argument_t<T> value) {
  return Impl::exchange_atomically(Impl::atomic_object(p), value);
}

/// Writes `desired` if the object has the value `expected`. Numbers, pointers, enumerations, and classes of the size of
/// a word without padding and floating-point members are compared by their bits. Other classes are compared by `==`, if
/// they have it, otherwise by the bits that belong to the value. So padding never counts, as long as the compiler knows
/// it: of a class without `==` that has bit-fields, pointers, unions or constructors that are not constexpr, only g++
/// does on hosts.
/// \return The old value, whether or not `desired` was written.
template <class T>
  requires(!std::is_const_v<T>)
KOKKOS_FORCEINLINE_FUNCTION Impl::atomic_value_t<T> atomic_compare_exchange(T* p, Impl::atomic_argument_t<T> expected,
                                                                            Impl::atomic_argument_t<T> desired) {
  return Impl::compare_exchange_atomically(Impl::atomic_object(p), expected, desired).before;
}

// Each operation has three names: atomic_fetch_<name> returns the old value, atomic_<name>_fetch the new value,
// atomic_<name> nothing. OPERAND is the type of the second argument. On a GPU, a min or max that changes nothing may
// return an older value than the current one, but none from before the thread's last fence or barrier.
#define KOKKOS_IMPL_ATOMIC_FUNCTIONS(NAME, OP, OPERAND)                                              \
  template <class T>                                                                                 \
    requires(!std::is_const_v<T>)                                                                    \
  KOKKOS_FORCEINLINE_FUNCTION Impl::atomic_value_t<T> atomic_fetch_##NAME(T* p, OPERAND operand) {   \
    return Impl::update_atomically<Impl::OP>(Impl::atomic_object(p), operand);                       \
  }                                                                                                  \
  template <class T>                                                                                 \
    requires(!std::is_const_v<T>)                                                                    \
  KOKKOS_FORCEINLINE_FUNCTION Impl::atomic_value_t<T> atomic_##NAME##_fetch(T* p, OPERAND operand) { \
    return Impl::OP::apply(Kokkos::atomic_fetch_##NAME(p, operand), operand);                        \
  }                                                                                                  \
  template <class T>                                                                                 \
    requires(!std::is_const_v<T>)                                                                    \
  KOKKOS_FORCEINLINE_FUNCTION void atomic_##NAME(T* p, OPERAND operand) {                            \
    static_cast<void>(Kokkos::atomic_fetch_##NAME(p, operand));                                      \
  }

KOKKOS_IMPL_ATOMIC_FUNCTIONS(add, AtomicAdd, Impl::atomic_argument_t<T>)
KOKKOS_IMPL_ATOMIC_FUNCTIONS(sub, AtomicSub, Impl::atomic_argument_t<T>)
KOKKOS_IMPL_ATOMIC_FUNCTIONS(mul, AtomicMul, Impl::atomic_argument_t<T>)
KOKKOS_IMPL_ATOMIC_FUNCTIONS(div, AtomicDiv, Impl::atomic_argument_t<T>)
KOKKOS_IMPL_ATOMIC_FUNCTIONS(mod, AtomicMod, Impl::atomic_argument_t<T>)
KOKKOS_IMPL_ATOMIC_FUNCTIONS(min, AtomicMin, Impl::atomic_argument_t<T>)
KOKKOS_IMPL_ATOMIC_FUNCTIONS(max, AtomicMax, Impl::atomic_argument_t<T>)
KOKKOS_IMPL_ATOMIC_FUNCTIONS(and, AtomicAnd, Impl::atomic_argument_t<T>)
KOKKOS_IMPL_ATOMIC_FUNCTIONS(or, AtomicOr, Impl::atomic_argument_t<T>)
KOKKOS_IMPL_ATOMIC_FUNCTIONS(xor, AtomicXor, Impl::atomic_argument_t<T>)
KOKKOS_IMPL_ATOMIC_FUNCTIONS(nand, AtomicNand, Impl::atomic_argument_t<T>)
KOKKOS_IMPL_ATOMIC_FUNCTIONS(lshift, AtomicLShift, unsigned int)
KOKKOS_IMPL_ATOMIC_FUNCTIONS(rshift, AtomicRShift, unsigned int)
KOKKOS_IMPL_ATOMIC_FUNCTIONS(inc_mod, AtomicIncMod, Impl::atomic_argument_t<T>)
KOKKOS_IMPL_ATOMIC_FUNCTIONS(dec_mod, AtomicDecMod, Impl::atomic_argument_t<T>)

#undef KOKKOS_IMPL_ATOMIC_FUNCTIONS

#define KOKKOS_IMPL_ATOMIC_FUNCTIONS(NAME, OP)                                                 \
  template <class T>                                                                           \
    requires(!std::is_const_v<T>)                                                              \
  KOKKOS_FORCEINLINE_FUNCTION Impl::atomic_value_t<T> atomic_fetch_##NAME(T* p) {              \
    return Impl::update_atomically<Impl::OP>(Impl::atomic_object(p), Impl::AtomicNoOperand{}); \
  }                                                                                            \
  template <class T>                                                                           \
    requires(!std::is_const_v<T>)                                                              \
  KOKKOS_FORCEINLINE_FUNCTION Impl::atomic_value_t<T> atomic_##NAME##_fetch(T* p) {            \
    return Impl::OP::apply(Kokkos::atomic_fetch_##NAME(p), Impl::AtomicNoOperand{});           \
  }                                                                                            \
  template <class T>                                                                           \
    requires(!std::is_const_v<T>)                                                              \
  KOKKOS_FORCEINLINE_FUNCTION void atomic_##NAME(T* p) {                                       \
    static_cast<void>(Kokkos::atomic_fetch_##NAME(p));                                         \
  }

KOKKOS_IMPL_ATOMIC_FUNCTIONS(inc, AtomicInc)
KOKKOS_IMPL_ATOMIC_FUNCTIONS(dec, AtomicDec)

#undef KOKKOS_IMPL_ATOMIC_FUNCTIONS

/// Orders all memory operations of the calling thread before it against all after it, as seen by every thread.
KOKKOS_FORCEINLINE_FUNCTION void memory_fence() { Impl::AtomicPrimitives::fence(); }
/// A memory_fence for loads.
KOKKOS_FORCEINLINE_FUNCTION void load_fence() { Impl::AtomicPrimitives::fence(); }
/// A memory_fence for stores.
KOKKOS_FORCEINLINE_FUNCTION void store_fence() { Impl::AtomicPrimitives::fence(); }

#ifdef KOKKOS_ENABLE_DEPRECATED_CODE_4

template <class T>
KOKKOS_DEPRECATED_WITH_COMMENT("Use Kokkos::atomic_store.")
KOKKOS_FORCEINLINE_FUNCTION void atomic_assign(T* p, Impl::atomic_argument_t<T> value) {
  Kokkos::atomic_store(p, value);
}

/// \return Whether `desired` was written.
template <class T>
KOKKOS_DEPRECATED_WITH_COMMENT("Compare the expected value with the result of Kokkos::atomic_compare_exchange.")
KOKKOS_FORCEINLINE_FUNCTION
    bool atomic_compare_exchange_strong(T* p, Impl::atomic_argument_t<T> expected, Impl::atomic_argument_t<T> desired) {
  return Impl::compare_exchange_atomically(Impl::atomic_object(p), expected, desired).written;
}

template <class T>
KOKKOS_DEPRECATED_WITH_COMMENT("Use Kokkos::atomic_inc.")
KOKKOS_FORCEINLINE_FUNCTION void atomic_increment(T* p) {
  Kokkos::atomic_inc(p);
}

template <class T>
KOKKOS_DEPRECATED_WITH_COMMENT("Use Kokkos::atomic_dec.")
KOKKOS_FORCEINLINE_FUNCTION void atomic_decrement(T* p) {
  Kokkos::atomic_dec(p);
}

/// The name of the implementation of the atomic functions.
KOKKOS_DEPRECATED inline const char* atomic_query_version() { return "KOKKOS_STEADFAST_ATOMICS"; }

template <class T>
KOKKOS_DEPRECATED_WITH_COMMENT("Use Kokkos::atomic_load.")
KOKKOS_FORCEINLINE_FUNCTION T volatile_load(T const volatile* p) {
  return Kokkos::atomic_load(p);
}
template <class T>
KOKKOS_DEPRECATED_WITH_COMMENT("Use Kokkos::atomic_store.")
KOKKOS_FORCEINLINE_FUNCTION void volatile_store(T volatile* p, std::type_identity_t<T> const& value) {
  Kokkos::atomic_store(p, value);
}

#endif

}  // namespace Kokkos

#include <impl/atomic/Kokkos_AtomicReference.hpp>

#endif
