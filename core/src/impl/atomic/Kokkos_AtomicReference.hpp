// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_ATOMIC_REFERENCE_HPP
#define KOKKOS_ATOMIC_REFERENCE_HPP

/// \file
/// The reference to an element of a view with the Atomic memory trait: it behaves like a `T&`, and every access is
/// atomic.

#include <Kokkos_Macros.hpp>
#include <Kokkos_Atomic.hpp>

#include <type_traits>

namespace Kokkos::Impl {

/// Converts to a V, like a reference.
template <class V>
struct ConvertsTo {
  operator V() const;
};

/// The second argument of a constructor of AtomicReference, under the name that programs know.
struct AtomicViewConstTag {};

/// Refers to an object and accesses it by the functions of Kokkos_Atomic.hpp, one for each operator.
///
/// Assignments return the new value, not a reference, because other threads may change the object in the meantime. A
/// reference to const is read-only.
template <class T>
class AtomicReference {
 public:
  using value_type = std::remove_cv_t<T>;

  KOKKOS_FORCEINLINE_FUNCTION explicit AtomicReference(T* object) : m_object(object) {}
  KOKKOS_FORCEINLINE_FUNCTION AtomicReference(T* object, AtomicViewConstTag) : m_object(object) {}
  KOKKOS_DEFAULTED_FUNCTION AtomicReference(AtomicReference const&) = default;

  KOKKOS_FORCEINLINE_FUNCTION operator value_type() const { return Kokkos::atomic_load(m_object); }

  KOKKOS_FORCEINLINE_FUNCTION value_type operator=(value_type const& v) const {
    Kokkos::atomic_store(m_object, v);
    return v;
  }
  /// Assigns the value, like an assignment to a `T&`; the reference keeps referring to its object.
  KOKKOS_FORCEINLINE_FUNCTION AtomicReference const& operator=(AtomicReference const& other) const {
    Kokkos::atomic_store(m_object, static_cast<value_type>(other));
    return *this;
  }
  KOKKOS_FORCEINLINE_FUNCTION AtomicReference& operator=(AtomicReference const& other) {
    Kokkos::atomic_store(m_object, static_cast<value_type>(other));
    return *this;
  }

  /// Increment and decrement without a result; bindings for Python call them.
  KOKKOS_FORCEINLINE_FUNCTION void inc() const { Kokkos::atomic_inc(m_object); }
  KOKKOS_FORCEINLINE_FUNCTION void dec() const { Kokkos::atomic_dec(m_object); }
  KOKKOS_FORCEINLINE_FUNCTION value_type operator++() const { return Kokkos::atomic_inc_fetch(m_object); }
  KOKKOS_FORCEINLINE_FUNCTION value_type operator--() const { return Kokkos::atomic_dec_fetch(m_object); }
  KOKKOS_FORCEINLINE_FUNCTION value_type operator++(int) const { return Kokkos::atomic_fetch_inc(m_object); }
  KOKKOS_FORCEINLINE_FUNCTION value_type operator--(int) const { return Kokkos::atomic_fetch_dec(m_object); }

  KOKKOS_FORCEINLINE_FUNCTION value_type operator+=(value_type const& v) const {
    return Kokkos::atomic_add_fetch(m_object, v);
  }
  KOKKOS_FORCEINLINE_FUNCTION value_type operator-=(value_type const& v) const {
    return Kokkos::atomic_sub_fetch(m_object, v);
  }
  KOKKOS_FORCEINLINE_FUNCTION value_type operator*=(value_type const& v) const {
    return Kokkos::atomic_mul_fetch(m_object, v);
  }
  KOKKOS_FORCEINLINE_FUNCTION value_type operator/=(value_type const& v) const {
    return Kokkos::atomic_div_fetch(m_object, v);
  }
  KOKKOS_FORCEINLINE_FUNCTION value_type operator%=(value_type const& v) const {
    return Kokkos::atomic_mod_fetch(m_object, v);
  }
  KOKKOS_FORCEINLINE_FUNCTION value_type operator&=(value_type const& v) const {
    return Kokkos::atomic_and_fetch(m_object, v);
  }
  KOKKOS_FORCEINLINE_FUNCTION value_type operator|=(value_type const& v) const {
    return Kokkos::atomic_or_fetch(m_object, v);
  }
  KOKKOS_FORCEINLINE_FUNCTION value_type operator^=(value_type const& v) const {
    return Kokkos::atomic_xor_fetch(m_object, v);
  }
  KOKKOS_FORCEINLINE_FUNCTION value_type operator<<=(unsigned int shift) const {
    return Kokkos::atomic_lshift_fetch(m_object, shift);
  }
  KOKKOS_FORCEINLINE_FUNCTION value_type operator>>=(unsigned int shift) const {
    return Kokkos::atomic_rshift_fetch(m_object, shift);
  }

  // Operators of class types that accept no reference: operators that are templates, such as those of complex numbers,
  // convert no argument. One side or both are references; a reference is read once.
#define KOKKOS_IMPL_ATOMIC_REFERENCE_OPERATOR(OP)                                                         \
  KOKKOS_FORCEINLINE_FUNCTION friend auto operator OP(AtomicReference const& a, value_type const& b)      \
    requires(std::is_class_v<value_type> &&                                                               \
             requires(value_type const& v, ConvertsTo<value_type> const& c) {                             \
               v OP v;                                                                                    \
               requires !requires { c OP v; };                                                            \
             })                                                                                           \
  {                                                                                                       \
    return static_cast<value_type>(a) OP b;                                                               \
  }                                                                                                       \
  KOKKOS_FORCEINLINE_FUNCTION friend auto operator OP(value_type const& a, AtomicReference const& b)      \
    requires(std::is_class_v<value_type> &&                                                               \
             requires(value_type const& v, ConvertsTo<value_type> const& c) {                             \
               v OP v;                                                                                    \
               requires !requires { v OP c; };                                                            \
             })                                                                                           \
  {                                                                                                       \
    return a OP static_cast<value_type>(b);                                                               \
  }                                                                                                       \
  KOKKOS_FORCEINLINE_FUNCTION friend auto operator OP(AtomicReference const& a, AtomicReference const& b) \
    requires(std::is_class_v<value_type> &&                                                               \
             requires(value_type const& v, ConvertsTo<value_type> const& c) {                             \
               v OP v;                                                                                    \
               requires !requires { c OP c; };                                                            \
             })                                                                                           \
  {                                                                                                       \
    return static_cast<value_type>(a) OP static_cast<value_type>(b);                                      \
  }

  KOKKOS_IMPL_ATOMIC_REFERENCE_OPERATOR(+)
  KOKKOS_IMPL_ATOMIC_REFERENCE_OPERATOR(-)
  KOKKOS_IMPL_ATOMIC_REFERENCE_OPERATOR(*)
  KOKKOS_IMPL_ATOMIC_REFERENCE_OPERATOR(/)
  KOKKOS_IMPL_ATOMIC_REFERENCE_OPERATOR(%)
  KOKKOS_IMPL_ATOMIC_REFERENCE_OPERATOR(&)
  KOKKOS_IMPL_ATOMIC_REFERENCE_OPERATOR(|)
  KOKKOS_IMPL_ATOMIC_REFERENCE_OPERATOR(^)
  KOKKOS_IMPL_ATOMIC_REFERENCE_OPERATOR(==)
  KOKKOS_IMPL_ATOMIC_REFERENCE_OPERATOR(!=)
  KOKKOS_IMPL_ATOMIC_REFERENCE_OPERATOR(<)
  KOKKOS_IMPL_ATOMIC_REFERENCE_OPERATOR(<=)
  KOKKOS_IMPL_ATOMIC_REFERENCE_OPERATOR(>)
  KOKKOS_IMPL_ATOMIC_REFERENCE_OPERATOR(>=)

#undef KOKKOS_IMPL_ATOMIC_REFERENCE_OPERATOR

  /// The address of the object, for atomic functions that have no operator.
  KOKKOS_FORCEINLINE_FUNCTION T* address() const { return m_object; }

 private:
  T* m_object;
};

}  // namespace Kokkos::Impl

#endif
