// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_SIMD_MATH_HPP
#define KOKKOS_SIMD_MATH_HPP

/// \file
/// Mathematical functions of vectors, lane by lane, in namespace Kokkos next to those of single values.
///
/// min, max, abs, copysign, square roots, rounding and fma compile to vector instructions if the target has them. The
/// others call the scalar function for each lane.

#include <impl/simd/Kokkos_SIMD_Value.hpp>

namespace Kokkos {

namespace Impl {

template <class T, class Abi, class Function, class... Others>
KOKKOS_FUNCTION Experimental::basic_simd<T, Abi> simd_map(Function const& f, Experimental::basic_simd<T, Abi> const& a,
                                                          Others const&... others) {
  using Value = Experimental::basic_simd<T, Abi>;
  return Value::impl_from(Experimental::SimdImpl::simd_generate<T, Value::N>(
      [&](int i) { return static_cast<T>(f(a.impl_lanes()[i], others.impl_lanes()[i]...)); }));
}

/// The target's instruction for the operation, or else the function for each lane.
template <class Operation, class T, class Abi, class Function, class... Others>
KOKKOS_FUNCTION Experimental::basic_simd<T, Abi> simd_apply(Function const& f,
                                                            Experimental::basic_simd<T, Abi> const& a,
                                                            Others const&... others) {
  using Value    = Experimental::basic_simd<T, Abi>;
  using Register = typename Value::register_type;
  if constexpr (std::is_integral_v<T>)
    return simd_map(f, a, others...);
  else if constexpr (Experimental::SimdImpl::simd_has_instruction<Operation, Register,
                                                                  typename Others::register_type...>)
    return Value::impl_from(
        Experimental::SimdImpl::SimdInstructions::run(Operation{}, a.impl_lanes(), others.impl_lanes()...));
  else
    return simd_map(f, a, others...);
}

}  // namespace Impl

// More constrained than the functions of single values, so overload resolution prefers these for vectors.
/// The smaller value of each lane. If one of them is NaN, a.
template <class V>
  requires Experimental::SimdImpl::is_simd<V>
KOKKOS_FUNCTION V min(V const& a, V const& b) {
  return Experimental::simd_select(b < a, b, a);
}
/// The larger value of each lane. If one of them is NaN, a.
template <class V>
  requires Experimental::SimdImpl::is_simd<V>
KOKKOS_FUNCTION V max(V const& a, V const& b) {
  return Experimental::simd_select(a < b, b, a);
}

/// Without a branch, and correct for -0.0 and NaN: clears the sign bit of floating-point numbers.
template <class T, class Abi>
KOKKOS_FUNCTION Experimental::basic_simd<T, Abi> abs(Experimental::basic_simd<T, Abi> const& a) {
  if constexpr (std::is_unsigned_v<T>) {
    return a;
  } else if constexpr (std::is_integral_v<T>) {
    return Experimental::simd_select(a < Experimental::basic_simd<T, Abi>(0), -a, a);
  } else {
    using Value = Experimental::basic_simd<T, Abi>;
    using Mask  = typename Value::mask_type::register_type;
    using Experimental::SimdImpl::simd_bits;
    auto const sign = simd_bits<Mask>(Value(T(-0.0)).impl_lanes());
    return Value::impl_from(simd_bits<typename Value::register_type>(simd_bits<Mask>(a.impl_lanes()) & ~sign));
  }
}

/// The magnitude of one vector with the signs of another, lane by lane.
template <class T, class Abi>
KOKKOS_FUNCTION Experimental::basic_simd<T, Abi> copysign(Experimental::basic_simd<T, Abi> const& magnitude,
                                                          Experimental::basic_simd<T, Abi> const& sign_of) {
  using Value = Experimental::basic_simd<T, Abi>;
  using Mask  = typename Value::mask_type::register_type;
  using Experimental::SimdImpl::simd_bits;
  auto const sign = simd_bits<Mask>(Value(T(-0.0)).impl_lanes());
  return Value::impl_from(simd_bits<typename Value::register_type>((simd_bits<Mask>(magnitude.impl_lanes()) & ~sign) |
                                                                   (simd_bits<Mask>(sign_of.impl_lanes()) & sign)));
}

#define KOKKOS_IMPL_SIMD_INSTRUCTION(name, operation, function)                                             \
  template <class T, class Abi>                                                                             \
  KOKKOS_FUNCTION Experimental::basic_simd<T, Abi> name(Experimental::basic_simd<T, Abi> const& a) {        \
    return Impl::simd_apply<Experimental::SimdImpl::operation>([](T x) { return Kokkos::function(x); }, a); \
  }
KOKKOS_IMPL_SIMD_INSTRUCTION(sqrt, SimdSqrt, sqrt)
KOKKOS_IMPL_SIMD_INSTRUCTION(floor, SimdFloor, floor)
KOKKOS_IMPL_SIMD_INSTRUCTION(ceil, SimdCeil, ceil)
KOKKOS_IMPL_SIMD_INSTRUCTION(trunc, SimdTrunc, trunc)
#undef KOKKOS_IMPL_SIMD_INSTRUCTION

namespace Experimental {

/// Rounds to the nearest integer, ties to even.
template <class T>
  requires std::is_arithmetic_v<T>
KOKKOS_FUNCTION T round_half_to_nearest_even(T a) {
  if constexpr (std::is_integral_v<T>)
    return a;
  else
    return Kokkos::nearbyint(a);
}
/// Like `round_half_to_nearest_even` above, for each lane.
template <class T, class Abi>
KOKKOS_FUNCTION basic_simd<T, Abi> round_half_to_nearest_even(basic_simd<T, Abi> const& a) {
  return Kokkos::Impl::simd_apply<Experimental::SimdImpl::SimdRoundToEven>(
      [](T x) { return round_half_to_nearest_even(x); }, a);
}

}  // namespace Experimental

/// Ties round to even, as in Kokkos, unlike std::round.
template <class T, class Abi>
KOKKOS_FUNCTION Experimental::basic_simd<T, Abi> round(Experimental::basic_simd<T, Abi> const& a) {
  return Experimental::round_half_to_nearest_even(a);
}

/// a * b + c in each lane, rounded once.
template <class T, class Abi>
KOKKOS_FUNCTION Experimental::basic_simd<T, Abi> fma(Experimental::basic_simd<T, Abi> const& a,
                                                     Experimental::basic_simd<T, Abi> const& b,
                                                     Experimental::basic_simd<T, Abi> const& c) {
  return Impl::simd_apply<Experimental::SimdImpl::SimdFma>([](T x, T y, T z) { return Kokkos::fma(x, y, z); }, a, b, c);
}

#define KOKKOS_IMPL_SIMD_UNARY(name)                                                                 \
  template <class T, class Abi>                                                                      \
  KOKKOS_FUNCTION Experimental::basic_simd<T, Abi> name(Experimental::basic_simd<T, Abi> const& a) { \
    return Impl::simd_map([](T x) { return Kokkos::name(x); }, a);                                   \
  }
#define KOKKOS_IMPL_SIMD_BINARY(name)                                                                \
  template <class T, class Abi>                                                                      \
  KOKKOS_FUNCTION Experimental::basic_simd<T, Abi> name(Experimental::basic_simd<T, Abi> const& a,   \
                                                        Experimental::basic_simd<T, Abi> const& b) { \
    return Impl::simd_map([](T x, T y) { return Kokkos::name(x, y); }, a, b);                        \
  }
KOKKOS_IMPL_SIMD_UNARY(exp)
KOKKOS_IMPL_SIMD_UNARY(exp2)
KOKKOS_IMPL_SIMD_UNARY(log)
KOKKOS_IMPL_SIMD_UNARY(log10)
KOKKOS_IMPL_SIMD_UNARY(log2)
KOKKOS_IMPL_SIMD_UNARY(cbrt)
KOKKOS_IMPL_SIMD_UNARY(sin)
KOKKOS_IMPL_SIMD_UNARY(cos)
KOKKOS_IMPL_SIMD_UNARY(tan)
KOKKOS_IMPL_SIMD_UNARY(asin)
KOKKOS_IMPL_SIMD_UNARY(acos)
KOKKOS_IMPL_SIMD_UNARY(atan)
KOKKOS_IMPL_SIMD_UNARY(sinh)
KOKKOS_IMPL_SIMD_UNARY(cosh)
KOKKOS_IMPL_SIMD_UNARY(tanh)
KOKKOS_IMPL_SIMD_UNARY(asinh)
KOKKOS_IMPL_SIMD_UNARY(acosh)
KOKKOS_IMPL_SIMD_UNARY(atanh)
KOKKOS_IMPL_SIMD_UNARY(erf)
KOKKOS_IMPL_SIMD_UNARY(erfc)
KOKKOS_IMPL_SIMD_UNARY(tgamma)
KOKKOS_IMPL_SIMD_UNARY(lgamma)
KOKKOS_IMPL_SIMD_BINARY(pow)
KOKKOS_IMPL_SIMD_BINARY(hypot)
KOKKOS_IMPL_SIMD_BINARY(atan2)
#undef KOKKOS_IMPL_SIMD_UNARY
#undef KOKKOS_IMPL_SIMD_BINARY

/// sqrt(a * a + b * b + c * c) in each lane, without overflow in between.
template <class T, class Abi>
KOKKOS_FUNCTION Experimental::basic_simd<T, Abi> hypot(Experimental::basic_simd<T, Abi> const& a,
                                                       Experimental::basic_simd<T, Abi> const& b,
                                                       Experimental::basic_simd<T, Abi> const& c) {
  return Impl::simd_map([](T x, T y, T z) { return Kokkos::hypot(x, y, z); }, a, b, c);
}

namespace Experimental {

// The same functions under the original names of Kokkos 4.
using Kokkos::abs;
using Kokkos::acos;
using Kokkos::acosh;
using Kokkos::asin;
using Kokkos::asinh;
using Kokkos::atan;
using Kokkos::atan2;
using Kokkos::atanh;
using Kokkos::cbrt;
using Kokkos::ceil;
using Kokkos::copysign;
using Kokkos::cos;
using Kokkos::cosh;
using Kokkos::erf;
using Kokkos::erfc;
using Kokkos::exp;
using Kokkos::exp2;
using Kokkos::floor;
using Kokkos::fma;
using Kokkos::hypot;
using Kokkos::lgamma;
using Kokkos::log;
using Kokkos::log10;
using Kokkos::log2;
using Kokkos::max;
using Kokkos::min;
using Kokkos::pow;
using Kokkos::round;
using Kokkos::sin;
using Kokkos::sinh;
using Kokkos::sqrt;
using Kokkos::tan;
using Kokkos::tanh;
using Kokkos::tgamma;
using Kokkos::trunc;

}  // namespace Experimental
}  // namespace Kokkos

#endif
