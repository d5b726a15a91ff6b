// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_IMPL_SCATTEROPERATIONS_HPP
#define KOKKOS_IMPL_SCATTEROPERATIONS_HPP

/// \file
/// The operations of a ScatterView: sum, product, minimum or maximum, atomic or not.

#include <Kokkos_Atomic.hpp>
#include <Kokkos_ReductionIdentity.hpp>

#include <type_traits>

namespace Kokkos::Experimental {

// How contributions to one element are combined
struct ScatterSum {};
struct ScatterProd {};
struct ScatterMin {};
struct ScatterMax {};

// Whether threads have copies of the elements
struct ScatterNonDuplicated {};
struct ScatterDuplicated {};

// Whether contributions are atomic updates
struct ScatterNonAtomic {};
struct ScatterAtomic {};

}  // namespace Kokkos::Experimental

namespace Kokkos::Impl {

/// combine(a, b) sets a to the combination of both; combine_atomically does the same at an address; identity() is the
/// neutral element.
template <class Op>
struct ScatterOperation;

template <>
struct ScatterOperation<Experimental::ScatterSum> {
  static constexpr bool is_sum = true, is_product = false;
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION static void combine(T& a, T const& b) {
    a += b;
  }
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION static void combine_atomically(T& a, T const& b) {
    Kokkos::atomic_add(&a, b);
  }
  template <class T>
  KOKKOS_FUNCTION static T identity() {
    return reduction_identity<T>::sum();
  }
};

template <>
struct ScatterOperation<Experimental::ScatterProd> {
  static constexpr bool is_sum = false, is_product = true;
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION static void combine(T& a, T const& b) {
    a *= b;
  }
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION static void combine_atomically(T& a, T const& b) {
    Kokkos::atomic_mul(&a, b);
  }
  template <class T>
  KOKKOS_FUNCTION static T identity() {
    return reduction_identity<T>::prod();
  }
};

template <>
struct ScatterOperation<Experimental::ScatterMin> {
  static constexpr bool is_sum = false, is_product = false;
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION static void combine(T& a, T const& b) {
    a = b < a ? b : a;
  }
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION static void combine_atomically(T& a, T const& b) {
    Kokkos::atomic_min(&a, b);
  }
  template <class T>
  KOKKOS_FUNCTION static T identity() {
    return reduction_identity<T>::min();
  }
};

template <>
struct ScatterOperation<Experimental::ScatterMax> {
  static constexpr bool is_sum = false, is_product = false;
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION static void combine(T& a, T const& b) {
    a = a < b ? b : a;
  }
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION static void combine_atomically(T& a, T const& b) {
    Kokkos::atomic_max(&a, b);
  }
  template <class T>
  KOKKOS_FUNCTION static T identity() {
    return reduction_identity<T>::max();
  }
};

/// An element that receives contributions.
template <class T, class Operation>
class ScatterValue {
 public:
  KOKKOS_FORCEINLINE_FUNCTION ScatterValue(T& element, bool is_atomic) : m_element(element), m_is_atomic(is_atomic) {}

  KOKKOS_FORCEINLINE_FUNCTION void update(T const& x) const {
    if (m_is_atomic)
      Operation::combine_atomically(m_element, x);
    else
      Operation::combine(m_element, x);
  }

  KOKKOS_FORCEINLINE_FUNCTION void operator+=(T const& x) const
    requires(Operation::is_sum)
  {
    update(x);
  }
  KOKKOS_FORCEINLINE_FUNCTION void operator-=(T const& x) const
    requires(Operation::is_sum)
  {
    update(T(-x));
  }
  KOKKOS_FORCEINLINE_FUNCTION void operator++() const
    requires(Operation::is_sum)
  {
    update(T(1));
  }
  KOKKOS_FORCEINLINE_FUNCTION void operator++(int) const
    requires(Operation::is_sum)
  {
    update(T(1));
  }
  KOKKOS_FORCEINLINE_FUNCTION void operator--() const
    requires(Operation::is_sum)
  {
    update(T(-1));
  }
  KOKKOS_FORCEINLINE_FUNCTION void operator--(int) const
    requires(Operation::is_sum)
  {
    update(T(-1));
  }
  KOKKOS_FORCEINLINE_FUNCTION void operator*=(T const& x) const
    requires(Operation::is_product)
  {
    update(x);
  }
  KOKKOS_FORCEINLINE_FUNCTION void operator/=(T const& x) const
    requires(Operation::is_product)
  {
    update(T(1) / x);
  }

  /// Sets the element to the identity of the operation, without an atomic operation.
  KOKKOS_FORCEINLINE_FUNCTION void reset() const { m_element = Operation::template identity<T>(); }

 private:
  T& m_element;
  bool m_is_atomic;
};

}  // namespace Kokkos::Impl

#endif
