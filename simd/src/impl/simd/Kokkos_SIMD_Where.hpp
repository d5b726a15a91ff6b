// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_SIMD_WHERE_HPP
#define KOKKOS_SIMD_WHERE_HPP

/// \file
/// where(mask, value): the lanes of a vector that a mask selects, for assignments, loads, stores, gathers and scatters.

#include <impl/simd/Kokkos_SIMD_Memory.hpp>

namespace Kokkos::Experimental {

/// Read access to the selected lanes. Refers to the vector, which must outlive it.
template <class M, class V>
class const_where_expression {
 public:
  using value_type = V;  ///< the vector

  /// Selects the lanes that `mask` sets.
  KOKKOS_FUNCTION const_where_expression(M const& mask, V const& value)
      : m_value(const_cast<V&>(value)), m_mask(mask) {}

  KOKKOS_FUNCTION M const& mask() const { return m_mask; }    ///< the selected lanes
  KOKKOS_FUNCTION V const& value() const { return m_value; }  ///< all lanes, also those that are not selected

  /// Stores selected lane i to memory[i]; memory of other lanes is not accessed.
  template <class U, class... Flags>
  KOKKOS_FUNCTION void copy_to(U* memory, simd_flags<Flags...>) const {
    SimdImpl::simd_store_lanes(m_value, memory, m_mask);
  }
  /// Stores selected lane i to memory[index[i]].
  template <class U, class Index>
  KOKKOS_FUNCTION void scatter_to(U* memory, Index const& index) const {
    SimdImpl::simd_scatter_lanes(m_value, memory, m_mask, index);
  }

 protected:
  V& m_value;  ///< all lanes
  M m_mask;    ///< the selected lanes
};

/// Read and write access to the selected lanes; the others keep their values.
template <class M, class V>
class where_expression : public const_where_expression<M, V> {
  using Base = const_where_expression<M, V>;

 public:
  using base_type = Base;  ///< read access

  /// Selects the lanes that `mask` sets.
  KOKKOS_FUNCTION where_expression(M const& mask, V& value) : Base(mask, value) {}

  KOKKOS_FUNCTION V& value() const { return Base::m_value; }  ///< all lanes, also those that are not selected

  /// Reads selected lane i from memory[i]; memory of other lanes is not accessed.
  template <class U, class... Flags>
  KOKKOS_FUNCTION void copy_from(U const* memory, simd_flags<Flags...>) const {
    value() = SimdImpl::simd_load_lanes(memory, Base::m_mask, value());
  }
  /// Reads selected lane i from memory[index[i]].
  template <class U, class Index>
  KOKKOS_FUNCTION void gather_from(U const* memory, Index const& index) const {
    value() = SimdImpl::simd_gather_lanes(memory, Base::m_mask, index, value());
  }

#define KOKKOS_IMPL_SIMD_WHERE(op, expression)                        \
  template <class U>                                                  \
    requires std::is_convertible_v<U, V>                              \
  KOKKOS_FUNCTION void operator op(U&& other) const {                 \
    V const operand = static_cast<V>(static_cast<U&&>(other));        \
    value()         = simd_select(Base::m_mask, expression, value()); \
  }
  KOKKOS_IMPL_SIMD_WHERE(=, operand)
  KOKKOS_IMPL_SIMD_WHERE(+=, value() + operand)
  KOKKOS_IMPL_SIMD_WHERE(-=, value() - operand)
  KOKKOS_IMPL_SIMD_WHERE(*=, value() * operand)
  KOKKOS_IMPL_SIMD_WHERE(/=, value() / divisor(operand))
#undef KOKKOS_IMPL_SIMD_WHERE

 private:
  /// All lanes are divided, so integers divide by 1 where they are not selected: the operand may be 0 there.
  KOKKOS_FUNCTION V divisor(V const& operand) const {
    if constexpr (std::is_integral_v<typename V::value_type>) {
      return simd_select(Base::m_mask, operand, V(typename V::value_type(1)));
    } else {
      return operand;
    }
  }
};

/// Like where_expression above, for one arithmetic value and a bool.
template <class T>
  requires std::is_arithmetic_v<T>
class where_expression<bool, T> {
 public:
  /// Selects the value if `mask` is true.
  KOKKOS_FUNCTION where_expression(bool mask, T& value) : m_value(value), m_mask(mask) {}
  KOKKOS_FUNCTION bool mask() const { return m_mask; }  ///< whether the value is selected
  KOKKOS_FUNCTION T& value() const { return m_value; }  ///< the value
  /// Assigns if the value is selected.
  template <class U>
  KOKKOS_FUNCTION void operator=(U&& other) const {
    if (m_mask) m_value = static_cast<T>(static_cast<U&&>(other));
  }

 private:
  T& m_value;
  bool m_mask;
};

/// The lanes of `value` that `mask` selects, for reading and writing. `value` must outlive the result.
template <class T, class Abi>
KOKKOS_FUNCTION auto where(std::type_identity_t<basic_simd_mask<T, Abi>> const& mask, basic_simd<T, Abi>& value) {
  return where_expression<basic_simd_mask<T, Abi>, basic_simd<T, Abi>>(mask, value);
}
/// The lanes of `value` that `mask` selects, for reading. `value` must outlive the result.
template <class T, class Abi>
KOKKOS_FUNCTION auto where(std::type_identity_t<basic_simd_mask<T, Abi>> const& mask, basic_simd<T, Abi> const& value) {
  return const_where_expression<basic_simd_mask<T, Abi>, basic_simd<T, Abi>>(mask, value);
}
/// `where` for one arithmetic value, selected if `mask` is true.
template <class T>
  requires std::is_arithmetic_v<T>
KOKKOS_FUNCTION auto where(bool mask, T& value) {
  return where_expression<bool, T>(mask, value);
}

}  // namespace Kokkos::Experimental

#endif
