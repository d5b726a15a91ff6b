// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_SIMD_REDUCE_HPP
#define KOKKOS_SIMD_REDUCE_HPP

/// \file
/// Reductions of the lanes of one vector to a value.

#include <impl/simd/Kokkos_SIMD_Value.hpp>

#include <functional>

namespace Kokkos::Experimental {

namespace SimdImpl {

struct SimdMin {
  /// Not smaller than any number, infinity included.
  template <class T>
  KOKKOS_FUNCTION static constexpr T neutral() {
    if constexpr (std::is_floating_point_v<T>)
      return infinity_v<T>;
    else
      return finite_max_v<T>;
  }
  template <class T>
  KOKKOS_FUNCTION constexpr T operator()(T a, T b) const {
    return b < a ? b : a;
  }
};
struct SimdMax {
  template <class T>
  KOKKOS_FUNCTION static constexpr T neutral() {
    if constexpr (std::is_floating_point_v<T>)
      return -infinity_v<T>;
    else
      return finite_min_v<T>;
  }
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

/// Like `simd_reduce_lanes` above, for the lanes that the mask selects; at least one is. The other lanes contain the
/// identity, so op is called with nothing else, but a pair of which one lane is selected passes that lane on, because
/// the caller's identity need not be neutral.
template <class T, class Abi, class Op>
KOKKOS_FUNCTION T simd_reduce_selected_lanes(basic_simd<T, Abi> const& value, basic_simd_mask<T, Abi> const& mask,
                                             Op const& op, T identity) {
  constexpr int n = basic_simd<T, Abi>::N;
  T lane[static_cast<std::size_t>(n)];
  simd_select(mask, value, basic_simd<T, Abi>(identity)).copy_to(lane, simd_flag_default);
  simd_lane_int<T> selected[static_cast<std::size_t>(n)];
  for (int i = 0; i < n; ++i) selected[i] = mask.impl_lanes()[i];
  for (int width = n / 2; width > 0; width /= 2) {
    for (int i = 0; i < width; ++i) {
      T const joined = static_cast<T>(op(lane[i], lane[i + width]));
      T const single = selected[i + width] != 0 ? lane[i + width] : lane[i];
      lane[i]        = (selected[i] & selected[i + width]) != 0 ? joined : single;
      selected[i] |= selected[i + width];
    }
  }
  return lane[0];
}

/// Whether Op is std::Operation<> or std::Operation<T>.
template <template <class> class Operation, class T, class Op>
inline constexpr bool simd_is_operation = std::is_same_v<Op, Operation<void>> || std::is_same_v<Op, Operation<T>>;

/// Whether the library knows the neutral element of the operation.
template <class T, class Op>
inline constexpr bool simd_knows_identity =
    simd_is_operation<std::plus, T, Op> || simd_is_operation<std::multiplies, T, Op> ||
    simd_is_operation<std::bit_and, T, Op> || simd_is_operation<std::bit_or, T, Op> ||
    simd_is_operation<std::bit_xor, T, Op>;

/// The result of a known operation over no lanes.
template <class T, class Op>
KOKKOS_FUNCTION constexpr T simd_identity() {
  static_assert(simd_knows_identity<T, Op>,
                "reduce with a mask and an operation of your own needs the identity as an argument.");
  if constexpr (simd_is_operation<std::multiplies, T, Op>)
    return T(1);
  else if constexpr (simd_is_operation<std::bit_and, T, Op>)
    return static_cast<T>(~T(0));
  else
    return T(0);
}

/// The value of lanes that do not take part in a known operation. It differs from the identity in sums of floating-point
/// numbers, because -0 + 0 is 0.
template <class T, class Op>
KOKKOS_FUNCTION constexpr T simd_neutral() {
  if constexpr (std::is_floating_point_v<T> && simd_is_operation<std::plus, T, Op>)
    return T(-0.0);
  else
    return simd_identity<T, Op>();
}

}  // namespace SimdImpl

/// op over all lanes, in unspecified order.
template <class T, class Abi, class Op = std::plus<>>
  requires std::is_invocable_v<Op, T, T>
KOKKOS_FUNCTION T reduce(basic_simd<T, Abi> const& value, Op op = {}) {
  return SimdImpl::simd_reduce_lanes(value, op);
}
/// op over the lanes that the mask selects; the identity if it selects none. Only then is the identity used, so it need
/// not be neutral.
template <class T, class Abi, class Op>
KOKKOS_FUNCTION T reduce(basic_simd<T, Abi> const& value, std::type_identity_t<basic_simd_mask<T, Abi>> const& mask,
                         Op op, std::type_identity_t<T> identity) {
  if (none_of(mask)) return identity;
  if constexpr (SimdImpl::simd_knows_identity<T, Op>)
    return SimdImpl::simd_reduce_lanes(simd_select(mask, value, basic_simd<T, Abi>(SimdImpl::simd_neutral<T, Op>())),
                                       op);
  else
    return SimdImpl::simd_reduce_selected_lanes(value, mask, op, identity);
}
/// Like `reduce` above, with the identity of an operation of the standard library, such as `std::plus<>`.
template <class T, class Abi, class Op = std::plus<>>
  requires std::is_invocable_v<Op, T, T>
KOKKOS_FUNCTION T reduce(basic_simd<T, Abi> const& value, std::type_identity_t<basic_simd_mask<T, Abi>> const& mask,
                         Op op = {}) {
  return reduce(value, mask, op, SimdImpl::simd_identity<T, Op>());
}
/// Like `reduce` above, with the last two arguments swapped.
template <class T, class Abi, class Op>
  requires std::is_invocable_v<Op, T, T>
KOKKOS_FUNCTION T reduce(basic_simd<T, Abi> const& value, std::type_identity_t<basic_simd_mask<T, Abi>> const& mask,
                         std::type_identity_t<T> identity, Op op) {
  return reduce(value, mask, op, identity);
}

/// The smallest value of all lanes.
template <class T, class Abi>
KOKKOS_FUNCTION T reduce_min(basic_simd<T, Abi> const& value) {
  return SimdImpl::simd_reduce_lanes(value, SimdImpl::SimdMin{});
}
/// The largest value of all lanes.
template <class T, class Abi>
KOKKOS_FUNCTION T reduce_max(basic_simd<T, Abi> const& value) {
  return SimdImpl::simd_reduce_lanes(value, SimdImpl::SimdMax{});
}
/// The smallest selected value; reduction_identity<T>::min() if the mask selects none.
template <class T, class Abi>
KOKKOS_FUNCTION T reduce_min(basic_simd<T, Abi> const& value,
                             std::type_identity_t<basic_simd_mask<T, Abi>> const& mask) {
  if (none_of(mask)) return reduction_identity<T>::min();
  return SimdImpl::simd_reduce_lanes(simd_select(mask, value, basic_simd<T, Abi>(SimdImpl::SimdMin::neutral<T>())),
                                     SimdImpl::SimdMin{});
}
/// The largest selected value; reduction_identity<T>::max() if the mask selects none.
template <class T, class Abi>
KOKKOS_FUNCTION T reduce_max(basic_simd<T, Abi> const& value,
                             std::type_identity_t<basic_simd_mask<T, Abi>> const& mask) {
  if (none_of(mask)) return reduction_identity<T>::max();
  return SimdImpl::simd_reduce_lanes(simd_select(mask, value, basic_simd<T, Abi>(SimdImpl::SimdMax::neutral<T>())),
                                     SimdImpl::SimdMax{});
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
