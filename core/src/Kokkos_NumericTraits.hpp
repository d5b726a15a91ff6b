// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_NUMERIC_TRAITS_HPP
#define KOKKOS_NUMERIC_TRAITS_HPP

/// \file
/// Properties of numeric types, one trait each (P1841): `infinity_v<double>`, `finite_max_v<int>`, `digits_v<float>`,
/// ...
///
/// A trait has a `value` for the types to which the property applies, and is an empty struct for all others, so a
/// program can check for it. Programs may specialise a trait for their own types.

#include <Kokkos_Macros.hpp>

#include <limits>
#include <type_traits>

namespace Kokkos {

namespace Impl {
/// The source of the traits, with a specialisation for `half_t` and `bhalf_t`, which `std::numeric_limits` does not
/// support.
template <class T>
struct NumericLimits : std::numeric_limits<T> {};

template <class T>
concept HasLimits = NumericLimits<std::remove_cv_t<T>>::is_specialized;
template <class T>
concept HasFloatingPointLimits = HasLimits<T> && !NumericLimits<std::remove_cv_t<T>>::is_integer;
}  // namespace Impl

// In device code, nvcc allows only host constants of arithmetic type. These variables may have half precision, so they
// are device variables in nvcc's device pass.
#if defined(KOKKOS_COMPILER_NVCC) && KOKKOS_IMPL_DEVICE_PASS
#define KOKKOS_IMPL_TRAIT_VARIABLE static __device__
#else
#define KOKKOS_IMPL_TRAIT_VARIABLE inline
#endif

// KIND is the concept of the types with the property, TYPE (std::remove_cv_t<T> or int) the type of its value, SOURCE
// the member that provides it.
#define KOKKOS_IMPL_NUMERIC_TRAIT(NAME, KIND, TYPE, SOURCE)                         \
  template <class T>                                                                \
  struct NAME {};                                                                   \
  template <Impl::KIND T>                                                           \
  struct NAME<T> {                                                                  \
    static constexpr TYPE value = Impl::NumericLimits<std::remove_cv_t<T>>::SOURCE; \
  };                                                                                \
  template <class T>                                                                \
  KOKKOS_IMPL_TRAIT_VARIABLE constexpr auto NAME##_v = NAME<T>::value;              \
  namespace Experimental {                                                          \
  using Kokkos::NAME, Kokkos::NAME##_v;                                             \
  }

// Distinguished values.
KOKKOS_IMPL_NUMERIC_TRAIT(infinity, HasFloatingPointLimits, std::remove_cv_t<T>, infinity())
KOKKOS_IMPL_NUMERIC_TRAIT(finite_min, HasLimits, std::remove_cv_t<T>, lowest())
KOKKOS_IMPL_NUMERIC_TRAIT(finite_max, HasLimits, std::remove_cv_t<T>, max())
KOKKOS_IMPL_NUMERIC_TRAIT(epsilon, HasFloatingPointLimits, std::remove_cv_t<T>, epsilon())
KOKKOS_IMPL_NUMERIC_TRAIT(round_error, HasFloatingPointLimits, std::remove_cv_t<T>, round_error())
KOKKOS_IMPL_NUMERIC_TRAIT(norm_min, HasFloatingPointLimits, std::remove_cv_t<T>, min())
KOKKOS_IMPL_NUMERIC_TRAIT(denorm_min, HasFloatingPointLimits, std::remove_cv_t<T>, denorm_min())
KOKKOS_IMPL_NUMERIC_TRAIT(quiet_NaN, HasFloatingPointLimits, std::remove_cv_t<T>, quiet_NaN())
KOKKOS_IMPL_NUMERIC_TRAIT(signaling_NaN, HasFloatingPointLimits, std::remove_cv_t<T>, signaling_NaN())

// Characteristics.
KOKKOS_IMPL_NUMERIC_TRAIT(digits, HasLimits, int, digits)
KOKKOS_IMPL_NUMERIC_TRAIT(digits10, HasLimits, int, digits10)
KOKKOS_IMPL_NUMERIC_TRAIT(max_digits10, HasFloatingPointLimits, int, max_digits10)
KOKKOS_IMPL_NUMERIC_TRAIT(radix, HasLimits, int, radix)
KOKKOS_IMPL_NUMERIC_TRAIT(min_exponent, HasFloatingPointLimits, int, min_exponent)
KOKKOS_IMPL_NUMERIC_TRAIT(min_exponent10, HasFloatingPointLimits, int, min_exponent10)
KOKKOS_IMPL_NUMERIC_TRAIT(max_exponent, HasFloatingPointLimits, int, max_exponent)
KOKKOS_IMPL_NUMERIC_TRAIT(max_exponent10, HasFloatingPointLimits, int, max_exponent10)

#undef KOKKOS_IMPL_NUMERIC_TRAIT
#undef KOKKOS_IMPL_TRAIT_VARIABLE

}  // namespace Kokkos

#endif
