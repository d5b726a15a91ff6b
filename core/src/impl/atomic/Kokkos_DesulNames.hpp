// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_ATOMIC_DESULNAMES_HPP
#define KOKKOS_ATOMIC_DESULNAMES_HPP

/// \file
/// desul::atomic_*: the atomic functions under the names of the library that other releases of Kokkos use, for programs
/// that call it. The last arguments are a memory order and a memory scope.
///
/// Orders other than relaxed are implemented by a memory_fence before and after the operation. The scope is always that
/// of the functions of Kokkos: all threads that can access the object.

#include <Kokkos_Atomic.hpp>

#include <type_traits>

namespace desul {

struct MemoryOrderSeqCst {};
struct MemoryOrderAcqRel {};
struct MemoryOrderAcquire {};
struct MemoryOrderRelease {};
struct MemoryOrderRelaxed {};

struct MemoryScopeSystem {};
struct MemoryScopeNode {};
struct MemoryScopeDevice {};
struct MemoryScopeCore {};
struct MemoryScopeCaller {};

namespace Impl {

/// Places the fences of a memory order around the code in its scope.
template <class Order>
class OrderedScope {
 public:
  KOKKOS_FORCEINLINE_FUNCTION OrderedScope() { fence(); }
  KOKKOS_FORCEINLINE_FUNCTION ~OrderedScope() { fence(); }
  OrderedScope(OrderedScope const&)            = delete;
  OrderedScope& operator=(OrderedScope const&) = delete;

 private:
  KOKKOS_FORCEINLINE_FUNCTION static void fence() {
    if constexpr (!std::is_same_v<Order, MemoryOrderRelaxed>) Kokkos::memory_fence();
  }
};

}  // namespace Impl

template <class Order, class Scope>
KOKKOS_FORCEINLINE_FUNCTION void atomic_thread_fence(Order, Scope) {
  Kokkos::memory_fence();
}

template <class T, class Order, class Scope>
KOKKOS_FORCEINLINE_FUNCTION std::remove_cv_t<T> atomic_load(T* p, Order, Scope) {
  [[maybe_unused]] Impl::OrderedScope<Order> ordered;
  return Kokkos::atomic_load(p);
}

template <class T, class Order, class Scope>
KOKKOS_FORCEINLINE_FUNCTION void atomic_store(T* p, std::type_identity_t<std::remove_cv_t<T>> value, Order, Scope) {
  [[maybe_unused]] Impl::OrderedScope<Order> ordered;
  Kokkos::atomic_store(p, value);
}

template <class T, class Order, class Scope>
KOKKOS_FORCEINLINE_FUNCTION std::remove_cv_t<T> atomic_exchange(T* p, std::type_identity_t<std::remove_cv_t<T>> value,
                                                                Order, Scope) {
  [[maybe_unused]] Impl::OrderedScope<Order> ordered;
  return Kokkos::atomic_exchange(p, value);
}

/// \return The old value, whether or not `desired` was written.
template <class T, class Order, class Scope>
KOKKOS_FORCEINLINE_FUNCTION std::remove_cv_t<T> atomic_compare_exchange(
    T* p, std::type_identity_t<std::remove_cv_t<T>> expected, std::type_identity_t<std::remove_cv_t<T>> desired, Order,
    Scope) {
  [[maybe_unused]] Impl::OrderedScope<Order> ordered;
  return Kokkos::atomic_compare_exchange(p, expected, desired);
}

/// \return Whether `desired` was written. If not, `expected` becomes the value of the object.
template <class T, class Success, class Failure, class Scope>
KOKKOS_FORCEINLINE_FUNCTION bool atomic_compare_exchange_strong(T* p, std::remove_cv_t<T>& expected,
                                                                std::type_identity_t<std::remove_cv_t<T>> desired,
                                                                Success, Failure, Scope) {
  [[maybe_unused]] Impl::OrderedScope<Success> ordered;
  auto const result = Kokkos::Impl::compare_exchange_atomically(Kokkos::Impl::atomic_object(p), expected, desired);
  if (!result.written) expected = result.before;
  return result.written;
}
template <class T, class Success, class Failure, class Scope>
KOKKOS_FORCEINLINE_FUNCTION bool atomic_compare_exchange_weak(T* p, std::remove_cv_t<T>& expected,
                                                              std::type_identity_t<std::remove_cv_t<T>> desired,
                                                              Success success, Failure failure, Scope scope) {
  return desul::atomic_compare_exchange_strong(p, expected, desired, success, failure, scope);
}

#define KOKKOS_IMPL_DESUL_FUNCTIONS(NAME, OPERAND)                                                             \
  template <class T, class Order, class Scope>                                                                 \
  KOKKOS_FORCEINLINE_FUNCTION std::remove_cv_t<T> atomic_fetch_##NAME(T* p, OPERAND operand, Order, Scope) {   \
    [[maybe_unused]] Impl::OrderedScope<Order> ordered;                                                        \
    return Kokkos::atomic_fetch_##NAME(p, operand);                                                            \
  }                                                                                                            \
  template <class T, class Order, class Scope>                                                                 \
  KOKKOS_FORCEINLINE_FUNCTION std::remove_cv_t<T> atomic_##NAME##_fetch(T* p, OPERAND operand, Order, Scope) { \
    [[maybe_unused]] Impl::OrderedScope<Order> ordered;                                                        \
    return Kokkos::atomic_##NAME##_fetch(p, operand);                                                          \
  }                                                                                                            \
  template <class T, class Order, class Scope>                                                                 \
  KOKKOS_FORCEINLINE_FUNCTION void atomic_##NAME(T* p, OPERAND operand, Order, Scope) {                        \
    [[maybe_unused]] Impl::OrderedScope<Order> ordered;                                                        \
    Kokkos::atomic_##NAME(p, operand);                                                                         \
  }

KOKKOS_IMPL_DESUL_FUNCTIONS(add, std::type_identity_t<std::remove_cv_t<T>>)
KOKKOS_IMPL_DESUL_FUNCTIONS(sub, std::type_identity_t<std::remove_cv_t<T>>)
KOKKOS_IMPL_DESUL_FUNCTIONS(mul, std::type_identity_t<std::remove_cv_t<T>>)
KOKKOS_IMPL_DESUL_FUNCTIONS(div, std::type_identity_t<std::remove_cv_t<T>>)
KOKKOS_IMPL_DESUL_FUNCTIONS(mod, std::type_identity_t<std::remove_cv_t<T>>)
KOKKOS_IMPL_DESUL_FUNCTIONS(min, std::type_identity_t<std::remove_cv_t<T>>)
KOKKOS_IMPL_DESUL_FUNCTIONS(max, std::type_identity_t<std::remove_cv_t<T>>)
KOKKOS_IMPL_DESUL_FUNCTIONS(and, std::type_identity_t<std::remove_cv_t<T>>)
KOKKOS_IMPL_DESUL_FUNCTIONS(or, std::type_identity_t<std::remove_cv_t<T>>)
KOKKOS_IMPL_DESUL_FUNCTIONS(xor, std::type_identity_t<std::remove_cv_t<T>>)
KOKKOS_IMPL_DESUL_FUNCTIONS(nand, std::type_identity_t<std::remove_cv_t<T>>)
KOKKOS_IMPL_DESUL_FUNCTIONS(lshift, unsigned int)
KOKKOS_IMPL_DESUL_FUNCTIONS(rshift, unsigned int)
KOKKOS_IMPL_DESUL_FUNCTIONS(inc_mod, std::type_identity_t<std::remove_cv_t<T>>)
KOKKOS_IMPL_DESUL_FUNCTIONS(dec_mod, std::type_identity_t<std::remove_cv_t<T>>)

#undef KOKKOS_IMPL_DESUL_FUNCTIONS

#define KOKKOS_IMPL_DESUL_FUNCTIONS(NAME)                                                     \
  template <class T, class Order, class Scope>                                                \
  KOKKOS_FORCEINLINE_FUNCTION std::remove_cv_t<T> atomic_fetch_##NAME(T* p, Order, Scope) {   \
    [[maybe_unused]] Impl::OrderedScope<Order> ordered;                                       \
    return Kokkos::atomic_fetch_##NAME(p);                                                    \
  }                                                                                           \
  template <class T, class Order, class Scope>                                                \
  KOKKOS_FORCEINLINE_FUNCTION std::remove_cv_t<T> atomic_##NAME##_fetch(T* p, Order, Scope) { \
    [[maybe_unused]] Impl::OrderedScope<Order> ordered;                                       \
    return Kokkos::atomic_##NAME##_fetch(p);                                                  \
  }                                                                                           \
  template <class T, class Order, class Scope>                                                \
  KOKKOS_FORCEINLINE_FUNCTION void atomic_##NAME(T* p, Order, Scope) {                        \
    [[maybe_unused]] Impl::OrderedScope<Order> ordered;                                       \
    Kokkos::atomic_##NAME(p);                                                                 \
  }

KOKKOS_IMPL_DESUL_FUNCTIONS(inc)
KOKKOS_IMPL_DESUL_FUNCTIONS(dec)

#undef KOKKOS_IMPL_DESUL_FUNCTIONS

/// Refers to an object and accesses it atomically.
template <class T, class Order, class Scope>
class AtomicRef {
 public:
  using value_type                           = T;
  using memory_order                         = Order;
  using memory_scope                         = Scope;
  static constexpr size_t required_alignment = alignof(T);

  explicit KOKKOS_FORCEINLINE_FUNCTION AtomicRef(T& object) : m_object(&object) {}

  KOKKOS_FORCEINLINE_FUNCTION T load() const { return desul::atomic_load(m_object, Order(), Scope()); }
  KOKKOS_FORCEINLINE_FUNCTION void store(T value) const { desul::atomic_store(m_object, value, Order(), Scope()); }
  KOKKOS_FORCEINLINE_FUNCTION T exchange(T value) const {
    return desul::atomic_exchange(m_object, value, Order(), Scope());
  }
  KOKKOS_FORCEINLINE_FUNCTION bool compare_exchange_strong(T& expected, T desired) const {
    return desul::atomic_compare_exchange_strong(m_object, expected, desired, Order(), Order(), Scope());
  }
  KOKKOS_FORCEINLINE_FUNCTION bool compare_exchange_weak(T& expected, T desired) const {
    return compare_exchange_strong(expected, desired);
  }
  KOKKOS_FORCEINLINE_FUNCTION operator T() const { return load(); }
  KOKKOS_FORCEINLINE_FUNCTION T operator=(T value) const {
    store(value);
    return value;
  }

#define KOKKOS_IMPL_DESUL_MEMBER(NAME, OPERATOR)                              \
  KOKKOS_FORCEINLINE_FUNCTION T fetch_##NAME(T operand) const {               \
    return desul::atomic_fetch_##NAME(m_object, operand, Order(), Scope());   \
  }                                                                           \
  KOKKOS_FORCEINLINE_FUNCTION T NAME##_fetch(T operand) const {               \
    return desul::atomic_##NAME##_fetch(m_object, operand, Order(), Scope()); \
  }                                                                           \
  KOKKOS_FORCEINLINE_FUNCTION T operator OPERATOR(T operand) const { return NAME##_fetch(operand); }
  KOKKOS_IMPL_DESUL_MEMBER(add, +=)
  KOKKOS_IMPL_DESUL_MEMBER(sub, -=)
  KOKKOS_IMPL_DESUL_MEMBER(mul, *=)
  KOKKOS_IMPL_DESUL_MEMBER(div, /=)
  KOKKOS_IMPL_DESUL_MEMBER(and, &=)
  KOKKOS_IMPL_DESUL_MEMBER(or, |=)
  KOKKOS_IMPL_DESUL_MEMBER(xor, ^=)
#undef KOKKOS_IMPL_DESUL_MEMBER
  KOKKOS_FORCEINLINE_FUNCTION T fetch_min(T operand) const {
    return desul::atomic_fetch_min(m_object, operand, Order(), Scope());
  }
  KOKKOS_FORCEINLINE_FUNCTION T fetch_max(T operand) const {
    return desul::atomic_fetch_max(m_object, operand, Order(), Scope());
  }
  KOKKOS_FORCEINLINE_FUNCTION T fetch_inc() const { return desul::atomic_fetch_inc(m_object, Order(), Scope()); }
  KOKKOS_FORCEINLINE_FUNCTION T fetch_dec() const { return desul::atomic_fetch_dec(m_object, Order(), Scope()); }
  KOKKOS_FORCEINLINE_FUNCTION T operator++() const { return fetch_inc() + 1; }
  KOKKOS_FORCEINLINE_FUNCTION T operator++(int) const { return fetch_inc(); }
  KOKKOS_FORCEINLINE_FUNCTION T operator--() const { return fetch_dec() - 1; }
  KOKKOS_FORCEINLINE_FUNCTION T operator--(int) const { return fetch_dec(); }

 private:
  T* m_object;
};

}  // namespace desul

/// @{
/// The markers of Kokkos_Macros.hpp, for programs that call desul directly.
#define DESUL_FUNCTION KOKKOS_FUNCTION
#define DESUL_INLINE_FUNCTION KOKKOS_INLINE_FUNCTION
#define DESUL_FORCEINLINE_FUNCTION KOKKOS_FORCEINLINE_FUNCTION
/// @}

#endif
