// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_REDUCTION_IDENTITY_HPP
#define KOKKOS_REDUCTION_IDENTITY_HPP

/// \file
/// `reduction_identity<T>`: the neutral element of each built-in reduction.

#include <Kokkos_Macros.hpp>
#include <Kokkos_Complex.hpp>
#include <Kokkos_Half.hpp>
#include <Kokkos_NumericTraits.hpp>
#include <impl/numerics/Kokkos_Promotion.hpp>

namespace Kokkos {

/// Programs specialise this for their own types, with the members for the reductions that they use.
template <class Scalar>
struct reduction_identity;

/// The identities of integers of type T.
template <Impl::Integral T>
struct reduction_identity<T> {
  /// @{
  /// The initial value of the corresponding reducer: Sum, Prod, Max, Min, BAnd, BOr, LAnd or LOr.
  KOKKOS_FUNCTION constexpr static T sum() { return T(0); }
  KOKKOS_FUNCTION constexpr static T prod() { return T(1); }
  KOKKOS_FUNCTION constexpr static T max() { return finite_min_v<T>; }
  KOKKOS_FUNCTION constexpr static T min() { return finite_max_v<T>; }
  KOKKOS_FUNCTION constexpr static T band() { return static_cast<T>(~T(0)); }
  KOKKOS_FUNCTION constexpr static T bor() { return T(0); }
  KOKKOS_FUNCTION constexpr static T land() { return T(1); }
  KOKKOS_FUNCTION constexpr static T lor() { return T(0); }
  /// @}
};

/// For bool, numbers are false (0) and true (1).
template <>
struct reduction_identity<bool> {
  /// @{
  /// The initial value of the corresponding reducer: Sum, Prod, Max, Min, BAnd, BOr, LAnd or LOr.
  KOKKOS_FUNCTION constexpr static bool sum() { return false; }
  KOKKOS_FUNCTION constexpr static bool prod() { return true; }
  KOKKOS_FUNCTION constexpr static bool max() { return false; }
  KOKKOS_FUNCTION constexpr static bool min() { return true; }
  KOKKOS_FUNCTION constexpr static bool band() { return true; }
  KOKKOS_FUNCTION constexpr static bool bor() { return false; }
  KOKKOS_FUNCTION constexpr static bool land() { return true; }
  KOKKOS_FUNCTION constexpr static bool lor() { return false; }
  /// @}
};

/// The identities of max and min are infinities in Kokkos 5. In Kokkos 4 they are the extreme finite numbers, and programs
/// compare the result of an empty range with them, and compute with it; so the maximum of only -infinity is then the
/// lowest finite number.
template <Impl::Real T>
  requires(!Impl::Integral<T>)
struct reduction_identity<T> {
  /// @{
  /// The initial value of the corresponding reducer: Sum, Prod, Max or Min.
  KOKKOS_FUNCTION constexpr static T sum() { return T(0); }
  KOKKOS_FUNCTION constexpr static T prod() { return T(1); }
#ifdef KOKKOS_ENABLE_DEPRECATED_CODE_4
  KOKKOS_FUNCTION constexpr static T max() { return finite_min_v<T>; }
  KOKKOS_FUNCTION constexpr static T min() { return finite_max_v<T>; }
#else
  KOKKOS_FUNCTION constexpr static T max() { return -infinity_v<T>; }
  KOKKOS_FUNCTION constexpr static T min() { return infinity_v<T>; }
#endif
  /// @}
};

/// Complex numbers have no order, so there are no identities of max and min.
template <class T>
struct reduction_identity<complex<T>> {
  /// @{
  /// The initial value of the corresponding reducer: Sum or Prod.
  KOKKOS_FUNCTION constexpr static complex<T> sum() { return complex<T>(T(0)); }
  KOKKOS_FUNCTION constexpr static complex<T> prod() { return complex<T>(T(1)); }
  /// @}
};

}  // namespace Kokkos

#endif
