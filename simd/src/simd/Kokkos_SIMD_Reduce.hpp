// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_SIMD_REDUCE_HPP
#define KOKKOS_SIMD_REDUCE_HPP

/// \file
/// Reductions of the lanes of one vector to a value.

#include <simd/Kokkos_SIMD_Value.hpp>

#include <functional>

namespace Kokkos::Experimental {

namespace Impl {

struct SimdMin {
  template <class T>
  KOKKOS_FUNCTION constexpr T operator()(T a, T b) const {
    return b < a ? b : a;
  }
};
struct SimdMax {
  template <class T>
  KOKKOS_FUNCTION constexpr T operator()(T a, T b) const {
    return a < b ? b : a;
  }
};

/// Joins the upper half of the lanes to the lower half until one lane is left, so that each step is one vector
/// operation.
template <class T, class Abi, class Op>
KOKKOS_FUNCTION T simd_reduce_lanes(basic_simd<T, Abi> const& value, Op const& op) {
  constexpr int n = basic_simd<T, Abi>::N;
  T lane[static_cast<std::size_t>(n)];
  value.copy_to(lane, simd_flag_default);
  for (int width = n / 2; width > 0; width /= 2)
    for (int i = 0; i < width; ++i) lane[i] = static_cast<T>(op(lane[i], lane[i + width]));
  return lane[0];
}

/// The neutral element of the known operations.
template <class T, class Op>
KOKKOS_FUNCTION constexpr T simd_identity() {
  if constexpr (std::is_same_v<Op, std::plus<>> || std::is_same_v<Op, std::plus<T>>)
    return T(0);
  else if constexpr (std::is_same_v<Op, std::multiplies<>> || std::is_same_v<Op, std::multiplies<T>>)
    return T(1);
  else if constexpr (std::is_same_v<Op, std::bit_and<>> || std::is_same_v<Op, std::bit_and<T>>)
    return static_cast<T>(~T(0));
  else if constexpr (std::is_same_v<Op, std::bit_or<>> || std::is_same_v<Op, std::bit_or<T>> ||
                     std::is_same_v<Op, std::bit_xor<>> || std::is_same_v<Op, std::bit_xor<T>>)
    return T(0);
  else
    static_assert(sizeof(Op) == 0,
                  "reduce with a mask and an operation of your own needs the identity as an argument.");
}

}  // namespace Impl

/// op over all lanes, in unspecified order.
template <class T, class Abi, class Op = std::plus<>>
requires std::is_invocable_v<Op, T, T> KOKKOS_FUNCTION T reduce(basic_simd<T, Abi> const& value, Op op = {}) {
  return Impl::simd_reduce_lanes(value, op);
}
/// op over the lanes that the mask selects; the identity if it selects none.
template <class T, class Abi, class Op>
KOKKOS_FUNCTION T reduce(basic_simd<T, Abi> const& value, std::type_identity_t<basic_simd_mask<T, Abi>> const& mask,
                         Op op, std::type_identity_t<T> identity) {
  if (none_of(mask)) return identity;  // also if it is not the operation's neutral element
  return Impl::simd_reduce_lanes(simd_select(mask, value, basic_simd<T, Abi>(identity)), op);
}
/// The same with the identity of an operation of the standard library, such as `std::plus<>`.
template <class T, class Abi, class Op = std::plus<>>
requires std::is_invocable_v<Op, T, T> KOKKOS_FUNCTION T
reduce(basic_simd<T, Abi> const& value, std::type_identity_t<basic_simd_mask<T, Abi>> const& mask, Op op = {}) {
  return reduce(value, mask, op, Impl::simd_identity<T, Op>());
}
/// The same with the last two arguments swapped.
template <class T, class Abi, class Op>
requires std::is_invocable_v<Op, T, T> KOKKOS_FUNCTION T
reduce(basic_simd<T, Abi> const& value, std::type_identity_t<basic_simd_mask<T, Abi>> const& mask,
       std::type_identity_t<T> identity, Op op) {
  return reduce(value, mask, op, identity);
}

/// The smallest value of all lanes.
template <class T, class Abi>
KOKKOS_FUNCTION T reduce_min(basic_simd<T, Abi> const& value) {
  return Impl::simd_reduce_lanes(value, Impl::SimdMin{});
}
/// The largest value of all lanes.
template <class T, class Abi>
KOKKOS_FUNCTION T reduce_max(basic_simd<T, Abi> const& value) {
  return Impl::simd_reduce_lanes(value, Impl::SimdMax{});
}
/// The smallest selected value; reduction_identity<T>::min() if the mask selects none.
template <class T, class Abi>
KOKKOS_FUNCTION T reduce_min(basic_simd<T, Abi> const& value,
                             std::type_identity_t<basic_simd_mask<T, Abi>> const& mask) {
  return reduce(value, mask, Impl::SimdMin{}, reduction_identity<T>::min());
}
/// The largest selected value; reduction_identity<T>::max() if the mask selects none.
template <class T, class Abi>
KOKKOS_FUNCTION T reduce_max(basic_simd<T, Abi> const& value,
                             std::type_identity_t<basic_simd_mask<T, Abi>> const& mask) {
  return reduce(value, mask, Impl::SimdMax{}, reduction_identity<T>::max());
}

/// The names of Kokkos 4.0 for reductions of the selected lanes.
template <class M, class V>
class const_where_expression;
/// The smallest selected value.
template <class T, class Abi>
KOKKOS_FUNCTION T hmin(const_where_expression<basic_simd_mask<T, Abi>, basic_simd<T, Abi>> const& selected) {
  return reduce_min(selected.value(), selected.mask());
}
/// The largest selected value.
template <class T, class Abi>
KOKKOS_FUNCTION T hmax(const_where_expression<basic_simd_mask<T, Abi>, basic_simd<T, Abi>> const& selected) {
  return reduce_max(selected.value(), selected.mask());
}
/// op over the selected values; the identity if there are none.
template <class T, class Abi, class Op>
KOKKOS_FUNCTION T reduce(const_where_expression<basic_simd_mask<T, Abi>, basic_simd<T, Abi>> const& selected,
                         std::type_identity_t<T> identity, Op op) {
  return reduce(selected.value(), selected.mask(), op, identity);
}

}  // namespace Kokkos::Experimental

#endif
